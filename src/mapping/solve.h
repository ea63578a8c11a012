/*
 * solve.h - mappings for all the layers of a network: each distinct one is searched once, several
 * at a time.
 */
#ifndef NMC_SOLVE_H
#define NMC_SOLVE_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/strmap.h"
#include "mapping/problem.h"
#include "mapping/search.h"

/* One distinct problem and its best mapping. */
struct nmc_solution {
    size_t number; /* in the solver */
    struct nmc_problem problem;
    enum nmc_core core;
    const struct nmc_map_limits *limits;
    const struct nmc_map_plan *given; /* NULL: to be searched */
    struct nmc_search_result result;
    struct nmc_map_counts counts; /* if found */
    struct nmc_misfit misfit;     /* if not found, and a level is too small */
    bool too_small;
    const char *reason; /* why there is no mapping, once somebody said so */
    neuromc_status status;
};

struct nmc_solver_options {
    enum nmc_map_objective objective;
    int64_t steps;            /* as nmc_search_options */
    int threads;              /* 0: as many as there are processors */
    const volatile int *stop; /* may be NULL; nonzero ends all searches with what they have */
    /* Told after each solution, from any thread, never two at a time. May be NULL. */
    void (*progress)(void *user, size_t done, size_t total);
    void *user;
};

struct nmc_solver {
    const struct neuromc_preset *preset; /* with a machine; must outlive the solver */
    struct nmc_solver_options options;
    struct nmc_arena arena;
    struct nmc_strmap index;
    struct nmc_strbuf key; /* of the problem being added */
    struct nmc_solution **solutions;
    size_t count, capacity, solved;
};

void nmc_solver_init(struct nmc_solver *solver, const struct neuromc_preset *preset,
                     const struct nmc_solver_options *options);
void nmc_solver_release(struct nmc_solver *solver);

/* The problem of a fragment, solved or to be solved by nmc_solver_run; `groups` of it are the
 * fragment. limits may be NULL, and else must outlive the solver. NULL when memory runs out. */
struct nmc_solution *nmc_solver_add(struct nmc_solver *solver, const struct nmc_fragment *fragment,
                                    const struct nmc_map_limits *limits, int64_t *groups);

/* The same with its mapping: it is counted, not searched. The loops of the plan must be those of
 * the problem; it must outlive the solver. */
struct nmc_solution *nmc_solver_give(struct nmc_solver *solver, const struct nmc_fragment *fragment,
                                     const struct nmc_map_plan *plan, int64_t *groups);

/* Solves everything that was added since the last run. */
neuromc_status nmc_solver_run(struct nmc_solver *solver, neuromc_diags *diags);

/* The machine and the nest of a solution that was found. */
void nmc_solution_nest(const struct nmc_solver *solver, const struct nmc_solution *solution,
                       struct nmc_machine *machine, struct nmc_nest *nest);

#endif
