/*
 * time_rule.h - how one operator hands the time axis on, downstream and upstream.
 */
#ifndef NMC_TIME_RULE_H
#define NMC_TIME_RULE_H

#include "graph/graph.h"

struct nmc_timing {
    enum nmc_time time;
    int64_t steps; /* 0 unless SPLIT or MERGED */
};

static inline struct nmc_timing nmc_timing_of(const struct nmc_tensor *tensor) {
    return (struct nmc_timing){tensor->time, tensor->steps};
}

/* What the output `index` of a node must be, given one input that is known; UNKNOWN if the input
 * does not say. */
struct nmc_timing nmc_time_down(const struct nmc_node *node, int input, int output);
/* What the input must be, given the output. */
struct nmc_timing nmc_time_up(const struct nmc_node *node, int output, int input);

/* Tile or Expand that repeats its input T times in front: false if this is none; else *timing is
 * that of its output. */
bool nmc_time_creates(const struct nmc_node *node, struct nmc_timing *timing);

#endif
