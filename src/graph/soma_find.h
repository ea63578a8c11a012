/*
 * soma_find.h - what the files of neuron detection share.
 *
 * A candidate is a node that can fire: a comparison, Sign, Floor. From it the search goes
 * upstream through elementwise operators (soma_trace.c) and asks whether an incoming tensor is
 * added to a state (soma_state.c). From the potential so found it goes downstream
 * (soma_region.c) over what depends on these neurons alone, and asks where spikes leave
 * (soma_fire.c). Only then it is a neuron, made in soma_make.c.
 */
#ifndef NMC_SOMA_FIND_H
#define NMC_SOMA_FIND_H

#include "base/limits.h"
#include "graph/soma.h"

enum nmc_part {
    NMC_PART_NONE,
    NMC_PART_SUM,
    NMC_PART_DIFFERENCE,
    NMC_PART_SCALE,    /* product or quotient */
    NMC_PART_FUNCTION, /* a curve */
    NMC_PART_LIMIT,    /* the input or a bound */
    NMC_PART_NEGATION,
    NMC_PART_ABOVE, /* fires where the first operand is the greater one */
    NMC_PART_BELOW, /* ... where the second is */
    NMC_PART_SIGN,
    NMC_PART_STEP, /* whole numbers out of real ones */
    NMC_PART_LOGIC,
    NMC_PART_CHOICE, /* Where */
    NMC_PART_CAST,
    NMC_PART_VIEW
};

/* Whether an operator of this part turns a potential into spikes. */
static inline bool nmc_part_fires(enum nmc_part part) {
    return part >= NMC_PART_ABOVE && part <= NMC_PART_STEP;
}

/* By what it does: a Cast of reals to integers is a STEP, to booleans ABOVE. */
enum nmc_part nmc_part_of(const struct nmc_node *node);

/* What is known of a traced tensor; 0: it is the same at every step. */
enum {
    NMC_TRACE_INCOMING = 1, /* depends on what comes from outside of the neuron */
    NMC_TRACE_STATE = 2,    /* depends on what was before */
    NMC_TRACE_JOINED = 4,   /* the two were added */
    NMC_TRACE_FULL = 8      /* ... and the state is more than a number 0 */
};

/* The elementwise operators upstream of a candidate. */
struct nmc_trace {
    struct nmc_node *nodes[NMC_LIMIT_SOMA_NODES]; /* inputs before users */
    struct nmc_tensor *leaves[2 * NMC_LIMIT_SOMA_NODES];
    int node_count, leaf_count, entered;
    const struct nmc_node *joint; /* the first that adds incoming to state */
    struct nmc_tensor *input;     /* its incoming operand */
    struct nmc_tensor *constant;  /* its other operand, if that is a constant */
};

/* Values a tensor can have: lo + k * step up to hi; step 0: any in between. */
struct nmc_span {
    double lo, hi, step;
};

bool nmc_span_is_binary(struct nmc_span span);
/* Of a value known beforehand; (-inf, inf) if it is not. */
struct nmc_span nmc_span_of(const struct nmc_tensor *tensor);
/* Of a node's output, from those of its inputs. */
struct nmc_span nmc_span_through(const struct nmc_node *node, enum nmc_part part,
                                 const struct nmc_span *inputs, int count);

/* A tensor that depends on the potential of one layer of neurons and on constants alone. */
struct nmc_item {
    struct nmc_tensor *tensor;
    struct nmc_node *node; /* that makes it; NULL: where the region starts */
    bool spikes;           /* depends on the potential by firing alone */
    bool shaped;           /* a potential bent by a curve: not what a reset hands on */
    bool gated;            /* a potential times spikes */
    bool reset;            /* a potential that firing lowers */
    int sense;             /* grows with firing (1) or falls (-1); 0: neither is sure */
    struct nmc_span span;
};

struct nmc_region {
    struct nmc_item items[NMC_LIMIT_SOMA_NODES];
    int count;
};

struct nmc_finder {
    struct nmc_net *net;
    unsigned char *part;       /* enum nmc_part by node id */
    uint32_t *place;           /* execution order by node id */
    bool *is_result;           /* by tensor id: an output of its graph */
    struct nmc_soma **soma_of; /* by tensor id: whose potential or spikes it holds */
    bool *is_spikes;           /* ... and which of the two */

    int64_t looks; /* at nodes, that are left before searches are cut short */

    /* By tensor id: of the latest trace, search and region if it holds its number. */
    uint32_t round, walk, listing;
    uint32_t *traced, *walked, *listed;
    unsigned char *flags;
    int *item_of;
    struct nmc_tensor *queue[NMC_LIMIT_SOMA_REACH];
    int queue_count;
    struct nmc_trace trace;
    struct nmc_region region;
};

/* ---- soma_trace.c ---- */

/* Walks upstream from the inputs of a node. */
void nmc_trace_back(struct nmc_finder *f, const struct nmc_node *candidate);
/* 0 if it was not traced. */
unsigned nmc_trace_flags(const struct nmc_finder *f, const struct nmc_tensor *tensor);

/* ---- soma_state.c ---- */

/* Both known, and equal dim by dim. */
bool nmc_same_shape(const struct nmc_shape *a, const struct nmc_shape *b);
/* Whether all elements are 0, whatever the input. */
bool nmc_is_zero(const struct nmc_tensor *tensor);
/* Whether a constant can be what `sum` accumulates onto; *full: it has the sum's shape. */
bool nmc_state_constant(const struct nmc_tensor *tensor, const struct nmc_tensor *sum, bool *full);
/* Whether a tensor nobody makes is a state, and not what comes in. */
bool nmc_is_own_state(struct nmc_finder *f, struct nmc_tensor *leaf);
/* Sets the flags of every leaf of the trace. */
void nmc_state_leaves(struct nmc_finder *f);

/* ---- soma_region.c ---- */

/* Everything downstream of the trace's potentials, or of one tensor taken as a potential. */
void nmc_region_from_trace(struct nmc_finder *f);
void nmc_region_from(struct nmc_finder *f, struct nmc_tensor *potential);
/* NULL if the tensor is not in the region. */
struct nmc_item *nmc_region_item(struct nmc_finder *f, const struct nmc_tensor *tensor);

/* ---- soma_fire.c ---- */

/* The tensor that carries spikes out of the region, or NULL. */
struct nmc_item *nmc_spikes_leave(struct nmc_finder *f);
/* Where spikes stay inside: those that reset a potential which lives on. NULL: there are none. */
struct nmc_item *nmc_spikes_reset(struct nmc_finder *f);
/* Whether a tensor of the region is used by a node that is not part of it, or ends there. */
bool nmc_item_leaves(struct nmc_finder *f, const struct nmc_item *item);

/* ---- soma_make.c ---- */

/* A neuron out of trace and region. False: out of memory. */
bool nmc_soma_make(struct nmc_finder *f, const struct nmc_node *candidate,
                   const struct nmc_item *output);
bool nmc_soma_make_named(struct nmc_finder *f, struct nmc_node *node);

/* ---- soma_finish.c ---- */

/* Gives the neurons what is theirs alone upstream, says of what kind they are, lists nodes. */
bool nmc_somas_finish(struct nmc_finder *f);

#endif
