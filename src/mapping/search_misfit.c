/* Why nothing fits. */
#include "mapping/search.h"

bool nmc_search_misfit(const struct nmc_problem *problem, const struct nmc_machine *machine,
                       struct nmc_misfit *out) {
    for (int i = 0; i < machine->level_count; i++) {
        const struct nmc_machine_level *level = &machine->levels[i];
        *out =
            (struct nmc_misfit){.level = i, .operands = level->can_keep, .available = level->size};
        for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
            int64_t words = 1, bits;
            if (!(level->can_keep & 1u << o))
                continue;
            if (i == 0 &&
                !nmc_problem_words(problem, (enum nmc_map_operand)o, problem->size, &words))
                words = INT64_MAX / 1024;
            if (__builtin_mul_overflow(words, problem->word[o], &bits) ||
                __builtin_add_overflow(out->needed, bits, &out->needed))
                out->needed = INT64_MAX;
        }
        if (level->size && out->needed > level->size)
            return true;
    }
    return false;
}
