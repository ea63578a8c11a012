/*
 * ops.h - the operator table: one row per operator in ops.def, read by shape inference, spike
 * inference, lowering, coverage, `neuromc ops` and the docs. Nothing else lists operators.
 */
#ifndef NMC_OPS_H
#define NMC_OPS_H

#include "graph/graph.h"

struct nmc_infer;

/* What lowering makes of an operator. */
enum nmc_work {
    NMC_WORK_NONE,
    NMC_WORK_CONV,           /* X, W */
    NMC_WORK_CONV_TRANSPOSE, /* X, W */
    NMC_WORK_GEMM,           /* A, B with transA, transB */
    NMC_WORK_MATMUL,         /* A, B with broadcasting */
    NMC_WORK_EINSUM,
    NMC_WORK_RNN,       /* RNN, GRU, LSTM */
    NMC_WORK_ATTENTION, /* fused attention */
    NMC_WORK_CONV_GRAD, /* com.microsoft::ConvGrad: dY, X, W */
    NMC_WORK_BATCH_NORM,
    NMC_WORK_SOMA,
    NMC_WORK_OPTIMIZER
};

/* What an operator costs where it has no work. */
enum nmc_cost {
    NMC_COST_WORK,      /* see nmc_work */
    NMC_COST_VIEW,      /* free: the same elements under another shape or order, or a part */
    NMC_COST_SHAPE,     /* free: arithmetic on shapes (Shape, Size, ...) or a constant */
    NMC_COST_CONTROL,   /* free itself; its bodies are costed */
    NMC_COST_UNMODELLED /* elementwise, pooling, normalisation, ...: listed, not costed */
};

/* How 0/1 values pass from inputs to output 0 (accounting.md, "spike tensor"). */
enum nmc_spike_rule {
    NMC_SPIKE_ENDS,    /* sums, averages, anything else */
    NMC_SPIKE_KEEPS,   /* spike if input 0 is (reshape, slice, max pooling, ...) */
    NMC_SPIKE_ALL,     /* spike if all inputs are (concat, and, product of spikes) */
    NMC_SPIKE_BOOL,    /* the output is boolean, or 0 and 1 whatever the input */
    NMC_SPIKE_CAST,    /* keeps, from boolean too */
    NMC_SPIKE_SELECT,  /* Where: both branches */
    NMC_SPIKE_AVERAGE, /* keeps if each window holds one element */
    NMC_SPIKE_PAD,     /* keeps if the padding value is 0 or 1 */
    NMC_SPIKE_DROPOUT, /* keeps at inference */
    NMC_SPIKE_SCATTER, /* inputs 0 and 2, data and updates, unless updates are summed */
    NMC_SPIKE_INSERT,  /* inputs 0 and 1, sequence and element; an empty sequence does not count */
    NMC_SPIKE_NEAREST  /* keeps if mode is nearest (resampling that copies elements) */
};

typedef neuromc_status nmc_infer_fn(struct nmc_infer *infer, struct nmc_node *node);

struct nmc_op {
    const char *domain; /* "" is ai.onnx */
    const char *name;
    int min_inputs, max_inputs; /* max -1: any number */
    nmc_infer_fn *infer;        /* never NULL: nmc_infer_none leaves outputs as declared */
    nmc_infer_fn *fold;         /* computes output values from folded inputs */
    enum nmc_work work;
    enum nmc_cost cost;
    enum nmc_spike_rule spike;
    const char *doc; /* one line for `neuromc ops` */
};

/* Which input of an operator with work is its weight: W of a convolution, B of a product. Quantised
 * forms have scale and zero point of the first operand between. */
int nmc_weight_index(const struct nmc_node *node);

/* Whether that weight is stored packed, so that its shape says nothing: K rows and N columns are
 * attributes (MatMulNBits). */
bool nmc_weight_is_packed(const struct nmc_node *node);

/* NULL if the operator is not in the table. Case matters. */
const struct nmc_op *nmc_op_find(const char *domain, const char *name);
size_t nmc_op_count(void);
const struct nmc_op *nmc_op_at(size_t index); /* sorted by domain, then name */

#endif
