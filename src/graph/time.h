/*
 * time.h - the time axis of a spiking network: which tensors hold one step, which hold all steps
 * in front, as [T, B, ...] or merged as [T*B, ...].
 *
 * Neurons that are unrolled or in a loop handle a step each; from them the axis is followed both
 * ways through the operators, and turns up where steps are gathered from a sequence or stacked to
 * one. A caller who says T says it of every tensor that this does not reach.
 */
#ifndef NMC_TIME_H
#define NMC_TIME_H

#include "graph/graph.h"

/* Sets time and steps of every tensor; neurons are found. steps 0: not stated. Steps that
 * contradict the graph's own are NEUROMC_USAGE. */
neuromc_status nmc_time_infer(struct nmc_net *net, int64_t steps, neuromc_diags *diags);

#endif
