#include "mapping/solve.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

void nmc_solver_init(struct nmc_solver *solver, const struct neuromc_preset *preset,
                     const struct nmc_solver_options *options) {
    *solver = (struct nmc_solver){.preset = preset, .options = *options};
    nmc_strbuf_init(&solver->key);
    nmc_arena_init(&solver->arena, NMC_LIMIT_MODEL_BYTES);
}

void nmc_solver_release(struct nmc_solver *solver) {
    nmc_free(solver->solutions);
    nmc_strmap_release(&solver->index);
    nmc_strbuf_release(&solver->key);
    nmc_arena_release(&solver->arena);
    *solver = (struct nmc_solver){0};
}

/* What makes two problems the same, as text. */
static void write_key(struct nmc_strbuf *key, const struct nmc_problem *p, enum nmc_core core,
                      const void *how) {
    nmc_strbuf_clear(key);
    nmc_strbuf_printf(key, "%d %d %p", (int)p->role, (int)core, how);
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        nmc_strbuf_printf(key, " %lld", (long long)p->size[d]);
    for (int i = 0; i < 2; i++)
        nmc_strbuf_printf(key, " %lld %lld %lld", (long long)p->stride[i],
                          (long long)p->dilation[i], (long long)p->extent[i]);
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        nmc_strbuf_printf(key, " %lld", (long long)p->word[o]);
    nmc_strbuf_printf(key, " %lld", (long long)p->final_word);
}

/* Exactly one of limits and given may be there. */
static struct nmc_solution *add(struct nmc_solver *solver, const struct nmc_fragment *fragment,
                                const struct nmc_map_limits *limits,
                                const struct nmc_map_plan *given, int64_t *groups) {
    struct nmc_problem problem;
    nmc_problem_of(fragment, solver->preset, &problem, groups);
    const void *how = given ? (const void *)given : (const void *)limits;
    write_key(&solver->key, &problem, fragment->core, how);
    struct nmc_solution *known = nmc_strmap_get(&solver->index, solver->key.text);
    if (known || solver->key.failed)
        return known;
    const char *key = nmc_arena_strdup(&solver->arena, solver->key.text);
    struct nmc_solution *added = nmc_arena_alloc(&solver->arena, sizeof *added);
    if (!key || !added ||
        !nmc_grow(&solver->solutions, &solver->capacity, solver->count + 1,
                  sizeof(struct nmc_solution *)))
        return NULL;
    *added = (struct nmc_solution){.number = solver->count,
                                   .problem = problem,
                                   .core = fragment->core,
                                   .limits = limits,
                                   .given = given};
    if (!nmc_strmap_put(&solver->index, key, added))
        return NULL;
    solver->solutions[solver->count++] = added;
    return added;
}

struct nmc_solution *nmc_solver_add(struct nmc_solver *solver, const struct nmc_fragment *fragment,
                                    const struct nmc_map_limits *limits, int64_t *groups) {
    return add(solver, fragment, limits, NULL, groups);
}

struct nmc_solution *nmc_solver_give(struct nmc_solver *solver, const struct nmc_fragment *fragment,
                                     const struct nmc_map_plan *plan, int64_t *groups) {
    return add(solver, fragment, NULL, plan, groups);
}

void nmc_solution_nest(const struct nmc_solver *solver, const struct nmc_solution *solution,
                       struct nmc_machine *machine, struct nmc_nest *nest) {
    nmc_machine_of(solver->preset, solution->core, machine);
    nmc_plan_nest(&solution->result.plan, machine, nest);
}

/* ---- solving ------------------------------------------------------------------------------ */

struct work {
    struct nmc_solver *solver;
    pthread_mutex_t lock;
    size_t next, done, first;
};

/* The counts of what search found or a file gave, in integers. A mapping whose counts do not fit
 * is none; one that was given must fit the machine. */
static void count_exactly(const struct nmc_solver *solver, struct nmc_solution *solution) {
    struct nmc_machine machine;
    struct nmc_nest *nest = nmc_malloc(sizeof *nest);
    if (!nest) {
        solution->status = NEUROMC_IO;
        return;
    }
    nmc_solution_nest(solver, solution, &machine, nest);
    if (!nmc_map_count(&solution->problem, &machine, nest, NMC_WALK_FULL, &solution->counts))
        solution->result.found = false;
    else if (solution->given && !nmc_map_fits(&solution->problem, &machine, nest, &solution->counts,
                                              &solution->misfit))
        solution->result.found = !(solution->too_small = true);
    nmc_free(nest);
}

static void take_given(const struct nmc_solver *solver, struct nmc_solution *solution) {
    solution->result = (struct nmc_search_result){
        .found = true, .plan = *solution->given, .reach = NMC_REACH_GIVEN};
    count_exactly(solver, solution);
}

static void solve(const struct nmc_solver *solver, struct nmc_solution *solution) {
    if (solution->given) {
        take_given(solver, solution);
        return;
    }
    struct nmc_machine machine;
    struct nmc_search_options options = {.objective = solver->options.objective,
                                         .steps = solver->options.steps,
                                         .stop = solver->options.stop};
    if (solution->limits)
        options.limits = *solution->limits;
    nmc_machine_of(solver->preset, solution->core, &machine);
    solution->status = nmc_search(&solution->problem, &machine, &options, &solution->result, NULL);
    if (solution->status != NEUROMC_OK)
        return;
    if (solution->result.found)
        count_exactly(solver, solution);
    else
        solution->too_small = nmc_search_misfit(&solution->problem, &machine, &solution->misfit);
}

static struct nmc_solution *take(struct work *work) {
    pthread_mutex_lock(&work->lock);
    struct nmc_solution *mine =
        work->next < work->solver->count ? work->solver->solutions[work->next++] : NULL;
    pthread_mutex_unlock(&work->lock);
    return mine;
}

static void *labour(void *user) {
    struct work *work = user;
    for (struct nmc_solution *mine = take(work); mine; mine = take(work)) {
        solve(work->solver, mine);
        pthread_mutex_lock(&work->lock);
        work->done++;
        if (work->solver->options.progress)
            work->solver->options.progress(work->solver->options.user, work->done,
                                           work->solver->count - work->first);
        pthread_mutex_unlock(&work->lock);
    }
    return NULL;
}

static int threads_of(const struct nmc_solver *solver) {
    enum { MOST = 256 };
    size_t left = solver->count - solver->solved;
    long threads = solver->options.threads;
    if (threads <= 0)
        threads = sysconf(_SC_NPROCESSORS_ONLN);
    if (threads < 1)
        threads = 1;
    if (threads > MOST)
        threads = MOST;
    return (size_t)threads > left ? (int)left : (int)threads;
}

neuromc_status nmc_solver_run(struct nmc_solver *solver, neuromc_diags *diags) {
    pthread_t others[256];
    struct work work = {.solver = solver, .next = solver->solved, .first = solver->solved};
    int started = 0, threads = threads_of(solver);
    pthread_mutex_init(&work.lock, NULL);
    /* One thread is this one; a thread that cannot start leaves its work to the others. */
    while (started + 1 < threads && pthread_create(&others[started], NULL, labour, &work) == 0)
        started++;
    labour(&work);
    for (int i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    pthread_mutex_destroy(&work.lock);
    neuromc_status status = NEUROMC_OK;
    for (size_t i = solver->solved; i < solver->count; i++)
        if (solver->solutions[i]->status != NEUROMC_OK)
            status = nmc_out_of_memory(diags);
    solver->solved = solver->count;
    return status;
}
