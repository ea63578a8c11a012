/*
 * nest_json.h - a problem and its loop nest in JSON, as `map` and mapped reports write them.
 */
#ifndef NMC_NEST_JSON_H
#define NMC_NEST_JSON_H

#include "base/json_write.h"
#include "mapping/solve.h"

/* Key "problem": role, sizes, slides, widths. */
void nmc_problem_json(struct nmc_json *json, const struct nmc_problem *problem);
/* Key "mapping": one run of a mapping that was found, one group and one iteration. */
void nmc_nest_json(struct nmc_json *json, const struct nmc_solution *solution,
                   const struct nmc_machine *machine);

#endif
