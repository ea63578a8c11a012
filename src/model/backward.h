/*
 * backward.h - the backward and optimizer stages of a network, from its forward layers and the
 * flow of gradient.
 */
#ifndef NMC_BACKWARD_H
#define NMC_BACKWARD_H

#include "graph/gradient.h"
#include "model/layer.h"
#include "model/preset.h"
#include "model/rates.h"

/* Layers in reverse order: for convolutions and products the gradient of the input, then of the
 * weight, each if it is wanted; for batch norm and neurons one fragment. */
neuromc_status nmc_emit_backward(const struct nmc_layers *layers, const struct nmc_gradient *g,
                                 const struct nmc_precision *precision, struct nmc_rates *rates,
                                 struct nmc_work_sink *sink, neuromc_diags *diags);

/* Parameters that get a gradient: those of rank <= 1 in K, the others in FX. Adam is one
 * fragment; SGD one for each of the two that is not empty (reference: _optimizer_fragments). */
neuromc_status nmc_emit_optimizer(const struct nmc_net *net, const struct nmc_gradient *g,
                                  const neuromc_estimate_options *options, int bits,
                                  struct nmc_work_sink *sink, neuromc_diags *diags);

/* A step over so many elements of rank <= 1 and of higher rank; op is the optimizer's name. */
struct nmc_fragment nmc_optimizer_fragment(const char *op, const char *node, int64_t vectors,
                                           int64_t matrices, int bits);

/* NEUROMC_UNSUPPORTED for what the reference refuses, NEUROMC_USAGE for what contradicts. */
neuromc_status nmc_check_optimizer(const neuromc_estimate_options *options, neuromc_diags *diags);

#endif
