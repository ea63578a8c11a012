/*
 * soma.h - spiking neurons.
 */
#ifndef NMC_SOMA_H
#define NMC_SOMA_H

#include <stdbool.h>
#include <stddef.h>

/* Whether an operator or function so named is a neuron, in whatever domain: "LIF", "IFNode",
 * "lif_stateful". Case does not matter, except that "If" is ONNX's operator with two branches. */
bool nmc_soma_name(const char *op_type);

/* The same, with the user's own names (--soma-op) beside the built-in ones. */
bool nmc_soma_named(const char *op_type, const char *const *more, size_t count);

#endif
