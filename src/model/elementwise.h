/*
 * elementwise.h - what activations, pooling, normalisation and residual additions cost, for those
 * who ask (--elementwise count). The reference counts none of it.
 *
 * Arithmetic by elementwise.def; traffic: every input that is not a constant passes the register
 * and SRAM of operand i1 once, the output those of operand o.
 */
#ifndef NMC_ELEMENTWISE_H
#define NMC_ELEMENTWISE_H

#include "graph/graph.h"
#include "model/preset.h"

/* Whether the table has the node's operator. */
bool nmc_is_elementwise(const struct nmc_node *node);

/* What the table says of an operator, such as "1 add/window, 1 mul/output"; "" if it has none. */
struct nmc_op;
void nmc_elementwise_text(const struct nmc_op *op, char out[128]);

/* Emits a forward fragment for each such node that is live, not free and not part of a neuron. */
neuromc_status nmc_emit_elementwise(struct nmc_net *net, const struct nmc_precision *precision,
                                    struct nmc_work_sink *sink, neuromc_diags *diags);

#endif
