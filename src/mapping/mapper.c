#include "mapping/mapper.h"

#include <string.h>

#include "base/checked.h"
#include "mapping/limits.h"
#include "mapping/triples.h"

const char *const nmc_map_objective_names[NMC_MAP_OBJECTIVES] = {"energy", "latency", "edp"};

static neuromc_status check_preset(const struct neuromc_preset *preset, neuromc_diags *diags) {
    if (preset->has_machine)
        return NEUROMC_OK;
    return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = preset->file},
                     "tpu_like, eyeriss_like, eyeriss_timeloop and neuromc_like_v1_mapped do",
                     "the preset %s describes no machine to map to", preset->name);
}

static void start_solver(struct nmc_mapper *mapper, const neuromc_map_options *options) {
    const struct nmc_solver_options solver = {
        .objective = (enum nmc_map_objective)options->objective,
        .steps = options->steps,
        .threads = options->jobs,
        .stop = options->stop,
        .progress = options->progress,
        .user = options->progress_user,
    };
    nmc_solver_init(&mapper->solver, mapper->preset, &solver);
}

neuromc_status nmc_mapper_init(struct nmc_mapper *mapper, const struct neuromc_preset *preset,
                               const neuromc_map_options *options, neuromc_diags *diags) {
    static const neuromc_map_options defaults = {.objective = NEUROMC_MAP_ENERGY};
    options = options ? options : &defaults;
    *mapper = (struct nmc_mapper){.preset = preset};
    start_solver(mapper, options);
    neuromc_status status = check_preset(preset, diags);
    if (status == NEUROMC_OK)
        status = nmc_map_limits_read(&mapper->limits, options, preset, &mapper->limited, diags);
    if (status == NEUROMC_OK && options->mapping)
        status = nmc_mapping_file_read(&mapper->file, options->mapping, preset, diags);
    if (status != NEUROMC_OK)
        return status;
    size_t resources = (size_t)nmc_resource_count(preset);
    mapper->bits = nmc_arena_array(&mapper->solver.arena, resources, sizeof *mapper->bits);
    return mapper->bits ? NEUROMC_OK : nmc_out_of_memory(diags);
}

void nmc_mapper_release(struct nmc_mapper *mapper) {
    nmc_solver_release(&mapper->solver);
    nmc_mapping_file_release(&mapper->file);
    mapper->bits = NULL;
}

neuromc_status nmc_mapper_add(struct nmc_mapper *mapper, const struct nmc_fragment *fragment,
                              struct nmc_mapped *out, neuromc_diags *diags) {
    const struct nmc_map_plan *given = NULL;
    if (mapper->file.first) {
        struct nmc_problem problem;
        nmc_problem_of(fragment, mapper->preset, &problem, &out->groups);
        neuromc_status status = nmc_mapping_file_find(&mapper->file, fragment->op, fragment->node,
                                                      &problem, &given, diags);
        if (status != NEUROMC_OK)
            return status;
    }
    const struct nmc_map_limits *limits = mapper->limited ? &mapper->limits : NULL;
    out->solution = given ? nmc_solver_give(&mapper->solver, fragment, given, &out->groups)
                          : nmc_solver_add(&mapper->solver, fragment, limits, &out->groups);
    return out->solution ? NEUROMC_OK : nmc_out_of_memory(diags);
}

neuromc_status nmc_mapper_run(struct nmc_mapper *mapper, neuromc_diags *diags) {
    bool anything = mapper->solver.solved < mapper->solver.count;
    return anything ? nmc_solver_run(&mapper->solver, diags) : NEUROMC_OK;
}

neuromc_status nmc_mapper_finish(struct nmc_mapper *mapper, neuromc_diags *diags) {
    return nmc_mapping_file_check_names(&mapper->file, diags);
}

/* ---- quantities --------------------------------------------------------------------------- */

struct moving {
    int64_t *bits;
    int64_t groups;
};

static bool add(const struct moving *m, int memory, enum nmc_direction direction, int64_t accesses,
                int64_t width) {
    int64_t bits, *at = &m->bits[nmc_resource_memory(memory, direction)];
    return nmc_product((int64_t[]){accesses, width, m->groups}, 3, &bits) && nmc_add(*at, bits, at);
}

static bool add_level(const struct moving *m, const struct nmc_machine_level *level,
                      const struct nmc_traffic *traffic) {
    for (int d = 0; d < NMC_DIRECTIONS; d++) {
        bool read = d == NMC_RH2L || d == NMC_RL2H;
        if (!add(m, level->memory, (enum nmc_direction)d, traffic->accesses[d],
                 read ? level->read_width : level->write_width))
            return false;
    }
    return true;
}

static bool add_network(const struct moving *m, const struct nmc_machine_level *level, int64_t down,
                        int64_t up) {
    return level->network < 0 || (add(m, level->network, NMC_RH2L, down, level->down_width) &&
                                  add(m, level->network, NMC_WL2H, up, level->up_width));
}

bool nmc_mapper_moved(struct nmc_mapper *mapper, const struct nmc_mapped *mapped,
                      struct nmc_moved *out) {
    const struct nmc_solution *solution = mapped->solution;
    const struct nmc_map_counts *counts = &solution->counts;
    const struct moving moving = {.bits = mapper->bits, .groups = mapped->groups};
    struct nmc_machine machine;
    nmc_machine_of(mapper->preset, solution->core, &machine);
    *out = (struct nmc_moved){.mapping = solution->number, .groups = mapped->groups};
    if (!solution->result.found)
        return true;
    memset(mapper->bits, 0, (size_t)nmc_resource_count(mapper->preset) * sizeof *mapper->bits);
    for (int i = 0; i < machine.level_count; i++)
        for (int o = 0; o < NMC_MAP_OPERANDS; o++)
            if (!add_level(&moving, &machine.levels[i], &counts->traffic[i][o]) ||
                !add_network(&moving, &machine.levels[i], counts->down[i][o], counts->up[i][o]))
                return false;
    out->bits = mapper->bits;
    return nmc_mul(counts->cycles, mapped->groups, &out->cycles);
}

/* ---- reasons ------------------------------------------------------------------------------ */

/* The widest word of what a level keeps. */
static int64_t widest(const struct nmc_problem *problem, unsigned operands) {
    int64_t most = 1;
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        if ((operands & 1u << o) && problem->word[o] > most)
            most = problem->word[o];
    return most;
}

void nmc_mapper_reason(const struct nmc_mapper *mapper, const struct nmc_solution *solution,
                       struct nmc_strbuf *out) {
    struct nmc_machine machine;
    if (!solution->too_small) {
        bool all = solution->result.reach != NMC_REACH_BOUND;
        nmc_strbuf_puts(out, !all ? "search found none in its steps; --steps gives it more"
                             : mapper->limited ? "no mapping meets the constraints"
                                               : "search found no mapping");
        return;
    }
    nmc_machine_of(mapper->preset, solution->core, &machine);
    nmc_misfit_text(&machine, &solution->misfit,
                    widest(&solution->problem, solution->misfit.operands), out);
}
