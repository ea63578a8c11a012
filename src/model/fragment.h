/*
 * fragment.h - one unit of work of one operator in one stage.
 *
 * Loop dims are B T C K OY OX FY FX, each >= 1 (K and FX of an optimizer fragment may be 0);
 * MACs = B*T*C*K*OY*OX*FY*FX, with C the channels of one group. Element counts are those of the
 * tensors the fragment reads and writes: input (operand i1), weight (i2), output (o).
 * Source: the reference profiler's _Fragment.
 */
#ifndef NMC_FRAGMENT_H
#define NMC_FRAGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "neuromc.h"

enum nmc_loop { NMC_B, NMC_T, NMC_C, NMC_K, NMC_OY, NMC_OX, NMC_FY, NMC_FX, NMC_LOOPS };

enum nmc_phase { NMC_FORWARD, NMC_BACKWARD, NMC_OPTIMIZER, NMC_PHASES };

/* ann_*: dense input; fp_soma, bp_grad, wg: spike input. Order and names are the reference's. */
enum nmc_core {
    NMC_CORE_FP_SOMA,
    NMC_CORE_FP_BN,
    NMC_CORE_BP_GRAD,
    NMC_CORE_BP_BN,
    NMC_CORE_BP_GRAD_OPT,
    NMC_CORE_WG,
    NMC_CORE_ANN_FE,
    NMC_CORE_ANN_BE,
    NMC_CORE_ANN_WE,
    NMC_CORE_ANN_BN,
    NMC_CORE_ANN_BN_BP,
    NMC_CORES
};

enum nmc_process {
    NMC_WITH_NOTHING, /* a GEMM or convolution */
    NMC_WITH_SG,      /* soma; backward its surrogate gradient */
    NMC_WITH_BN,
    NMC_WITH_OPT,
    NMC_PROCESSES
};

/* Arithmetic that has a price of its own. */
enum nmc_primitive { NMC_MUX, NMC_ADD, NMC_MUL, NMC_COMP, NMC_SQRT, NMC_PRIMITIVES };

enum nmc_source { NMC_FROM_MODULE, NMC_FROM_TRACE, NMC_FROM_OPTIMIZER, NMC_SOURCES };

extern const char *const nmc_loop_names[NMC_LOOPS];
extern const char *const nmc_phase_names[NMC_PHASES];
extern const char *const nmc_core_names[NMC_CORES];
extern const char *const nmc_process_names[NMC_PROCESSES];
extern const char *const nmc_source_names[NMC_SOURCES];

struct nmc_fragment {
    const char *stage;    /* "forward", or a trace's own name for it */
    const char *op;       /* "conv.forward", "linear.backward.grad_input", "adam", ... */
    const char *node;     /* name of the ONNX node or module; "" if it has none */
    uint32_t node_number; /* id + 1 of the graph's node that it is work of; 0: of none */
    enum nmc_phase phase;
    enum nmc_core core;
    enum nmc_process process;
    enum nmc_source source;
    int64_t dims[NMC_LOOPS];
    int64_t macs;
    int input_bits, weight_bits, output_bits; /* precision of one element */
    int64_t input_elements, weight_elements, output_elements;
    int b_position, t_position; /* > 0: weights that fit their SRAM are reused, not read again */
    int64_t groups;             /* of a convolution; 1 otherwise */
    double spike_rate;          /* scales the arithmetic of spike-driven MACs alone; 1: all */
    bool without_bn_arithmetic; /* the stage says without_bp_bn */
    bool momentum, weight_decay, momentum_buffer; /* sgd */
    bool elementwise;                   /* no MACs; `primitives` and operands i1 and o instead */
    int64_t primitives[NMC_PRIMITIVES]; /* of an elementwise fragment, one iteration */
    /* How a convolution slides, for loop nests (mapping/problem.h): along Y and X the steps of its
     * window and of the window's taps, and the size of the tensor it slides over. 0: not known. */
    int64_t stride[2], dilation[2], extent[2];
    bool transposed;      /* it slides over its output; OY and OX are positions of its input */
    bool second_gradient; /* of a product of two activations: the gradient of its second */
    /* A fragment of a node in a Loop or Scan happens this often; dims and elements are those of
     * one iteration, counts and energies those of all. >= 1 */
    int64_t times;
};

/* A fragment with every loop dim and count at its neutral value. */
struct nmc_fragment nmc_fragment_new(void);

/* How a convolution of so many axes slides over a tensor with these spatial dims; any may be NULL,
 * or 0 in an entry: not known. Of the axes folded in Y the innermost one speaks. */
void nmc_fragment_slide(struct nmc_fragment *fragment, int axes, const int64_t *stride,
                        const int64_t *dilation, const int64_t *wide);

/* Sets macs from dims; false if the product overflows. */
bool nmc_fragment_set_macs(struct nmc_fragment *fragment);

/* What is not work of a fragment, for coverage. Names live as long as what produced them. */
enum nmc_coverage_kind { NMC_COVER_COSTED, NMC_COVER_FREE, NMC_COVER_UNMODELLED };

struct nmc_dram_use;
struct nmc_layers;

/* Receives work in report order. Frontends' lowering calls these; the engine implements them.
 * Each returns NEUROMC_OK to go on. Texts are copied (interned) by the receiver. */
struct nmc_work_sink {
    void *user;
    neuromc_status (*fragment)(void *user, const struct nmc_fragment *fragment);
    /* One operator call of type `op`: costed, free by rule, or not modelled; elements is the
     * size of its first output, or -1 if that is not known. */
    neuromc_status (*coverage)(void *user, const char *op, enum nmc_coverage_kind kind,
                               int64_t elements);
    neuromc_status (*warning)(void *user, const char *text);
    /* A node touches a tensor (dram.h), in execution order. NULL: DRAM is not counted. */
    neuromc_status (*touch)(void *user, const struct nmc_dram_use *use);
    /* Where the two accountings differ: what the runtime profiler would count (or NULL) against
     * what corrected counting has (or NULL), by the rule's number in accounting.md (1 to 7). It
     * is priced for the accounting notes and enters no total. May be NULL: not asked for. */
    neuromc_status (*difference)(void *user, int rule, const struct nmc_fragment *runtime,
                                 const struct nmc_fragment *corrected);
    /* The network that all of it came from, after it. May be NULL: not asked for. */
    neuromc_status (*network)(void *user, const struct nmc_layers *layers);
};

#endif
