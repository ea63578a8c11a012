/*
 * trace_stage.h - what the name of a stage says: phase, batch and time position.
 */
#ifndef NMC_TRACE_STAGE_H
#define NMC_TRACE_STAGE_H

#include "model/fragment.h"

struct nmc_trace_stage {
    const char *name;
    uint32_t id;
    enum nmc_phase phase;
    int b_position, t_position; /* 0 if the name has none */
    bool without_bp_bn;
};

struct nmc_trace_stage nmc_trace_stage_of(const char *name, uint32_t id);

#endif
