/* json_mapping.c - what mapping came to: in all, and each loop nest once. */
#include "report/json.h"
#include "report/nest_json.h"

void nmc_json_mapping(struct nmc_json *json, const struct neuromc_report *report) {
    const struct nmc_mapping_summary *m = &report->mapping;
    nmc_json_key(json, "mapping");
    nmc_json_begin(json, '{');
    nmc_json_key_text(json, "counting", nmc_counting_names[m->counting]);
    nmc_json_key_text(json, "objective", nmc_map_objective_names[m->objective]);
    nmc_json_key_integer(json, "mac_units", m->mac_units);
    nmc_json_key_integer(json, "cycles", report->total.cycles);
    nmc_json_key_number(json, "utilization", nmc_mac_utilization(report, &report->total));
    nmc_json_key_integer(json, "shapes", m->problems);
    nmc_json_key_integer(json, "unmapped", m->unmapped);
    nmc_json_key(json, "reach");
    nmc_json_begin_flat(json, '{');
    for (int r = 0; r < NMC_REACHES; r++)
        nmc_json_key_integer(json, nmc_map_reach_keys[r], m->reach[r]);
    nmc_json_end(json, '}');
    nmc_json_end(json, '}');
}

static void write_solution(struct nmc_json *json, const struct neuromc_report *report,
                           const struct nmc_solution *solution) {
    nmc_json_begin(json, '{');
    nmc_problem_json(json, &solution->problem);
    nmc_json_key_text(json, "core_type", nmc_core_names[solution->core]);
    nmc_json_key_bool(json, "found", solution->result.found);
    if (solution->result.found) {
        nmc_json_key_text(json, "reach", nmc_map_reach_keys[solution->result.reach]);
        nmc_json_key_integer(json, "steps", solution->result.steps);
        nmc_nest_json(json, solution, report->machines[solution->core]);
    } else {
        nmc_json_key_text(json, "reason", solution->reason);
    }
    nmc_json_end(json, '}');
}

void nmc_json_mappings(struct nmc_json *json, const struct neuromc_report *report) {
    const struct nmc_solver *solver = &report->mapper.solver;
    nmc_json_key(json, "mappings");
    nmc_json_begin(json, '[');
    for (size_t i = 0; !report->no_mapping && i < solver->count; i++)
        write_solution(json, report, solver->solutions[i]);
    nmc_json_end(json, ']');
}
