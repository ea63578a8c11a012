/* preset.c - names of the model's enums, look-ups in a loaded preset. */
#include "model/preset.h"

#include <string.h>

#include "base/memory.h"

const char *const nmc_primitive_names[NMC_PRIMITIVES] = {"mux", "add", "mul", "comp", "sqrt"};

const char *const nmc_level_names[NMC_LEVELS] = {"dram", "noc", "sram", "reg"};

const char *const nmc_direction_names[NMC_DIRECTIONS] = {"rh2l", "wl2h", "rl2h", "wh2l"};

const char *const nmc_operand_names[NMC_OPERANDS] = {"i1", "i2", "o"};

const char *const nmc_class_names[NMC_CLASSES] = {
    "OYOXKBT", "OYOXCBT", "KT", "CT", "FYFXKC", "PARAMS",
};

const char *const nmc_when_names[NMC_WHENS] = {
    "always", "momentum", "momentum_buffer", "weight_decay", "bn_arithmetic",
};

const struct nmc_process_work *nmc_preset_work(const struct neuromc_preset *preset,
                                               enum nmc_process process, enum nmc_phase phase,
                                               const char *optimizer) {
    for (int i = 0; i < preset->work_count; i++) {
        const struct nmc_process_work *work = &preset->works[i];
        if (work->process == process && work->phase == phase &&
            (!work->optimizer || (optimizer && strcmp(work->optimizer, optimizer) == 0)))
            return work->arithmetic_count || work->state_count ? work : NULL;
    }
    return NULL;
}

void neuromc_preset_free(neuromc_preset *preset) {
    if (!preset)
        return;
    nmc_arena_release(&preset->arena);
    nmc_free(preset);
}

bool neuromc_preset_maps(const neuromc_preset *preset) {
    return preset->access_model == NMC_ACCESS_MAPPED;
}
