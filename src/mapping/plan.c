#include "mapping/plan.h"

static void add(struct nmc_loops *loops, int dim, int64_t count) {
    if (count > 1)
        loops->items[loops->count++] =
            (struct nmc_nest_loop){.dim = (enum nmc_map_dim)dim, .count = count};
}

void nmc_plan_nest(const struct nmc_map_plan *plan, const struct nmc_machine *machine,
                   struct nmc_nest *nest) {
    for (int i = 0; i < machine->level_count; i++) {
        struct nmc_nest_level *level = &nest->levels[i];
        level->keep = machine->levels[i].can_keep;
        level->temporal.count = 0;
        for (int k = 0; k < plan->order[i].count; k++) {
            int dim = plan->order[i].dims[k];
            add(&level->temporal, dim, plan->temporal[i][dim]);
        }
        for (int m = 0; m < NMC_MESHES; m++) {
            level->spatial[m].count = 0;
            for (int d = 0; d < NMC_MAP_DIMS; d++)
                add(&level->spatial[m], d, plan->unrolling.count[i][m][d]);
        }
    }
}
