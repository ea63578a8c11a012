/* The optimizer stage: what is trained, and by which rule. */
#include "base/checked.h"
#include "model/backward.h"

neuromc_status nmc_check_optimizer(const neuromc_estimate_options *o, neuromc_diags *diags) {
    const struct nmc_place place = {.where = "optimizer"};
    const char *refusal = o->nesterov         ? "nesterov=False"
                          : o->dampening != 0 ? "dampening=0"
                          : o->maximize       ? "maximize=False"
                                              : NULL;
    if (refusal)
        return nmc_error(diags, NEUROMC_UNSUPPORTED, place, NULL,
                         "SGD is modelled only with %s, as in the reference", refusal);
    if (o->optimizer != NEUROMC_SGD && (o->momentum != 0 || o->weight_decay != 0 || o->first_step))
        return nmc_error(diags, NEUROMC_USAGE, place, "add --optimizer sgd",
                         "momentum, weight decay and first step are options of sgd");
    return NEUROMC_OK;
}

/* Elements of the parameters that get a gradient, by rank. */
static bool count_parameters(const struct nmc_net *net, const struct nmc_gradient *g,
                             int64_t *vectors, int64_t *matrices) {
    *vectors = *matrices = 0;
    for (uint32_t t = 0; t < net->tensor_count; t++) {
        const struct nmc_tensor *tensor = net->tensors[t];
        int64_t elements;
        if (!g->is_parameter[t] || !nmc_has_gradient(g, tensor))
            continue;
        int64_t *to = tensor->shape.rank <= 1 ? vectors : matrices;
        if (!nmc_shape_elements(&tensor->shape, &elements) || !nmc_add(*to, elements, to))
            return false;
    }
    return true;
}

struct nmc_fragment nmc_optimizer_fragment(const char *op, const char *node, int64_t vectors,
                                           int64_t matrices, int bits) {
    struct nmc_fragment f = nmc_fragment_new();
    f.stage = "optimizer";
    f.node = node;
    f.op = op;
    f.phase = NMC_OPTIMIZER;
    f.core = NMC_CORE_BP_GRAD_OPT;
    f.process = NMC_WITH_OPT;
    f.source = NMC_FROM_OPTIMIZER;
    f.dims[NMC_K] = f.input_elements = vectors;
    f.dims[NMC_FX] = f.weight_elements = matrices;
    f.output_elements = vectors + matrices;
    f.input_bits = f.weight_bits = f.output_bits = bits;
    return f;
}

static neuromc_status emit(const neuromc_estimate_options *o, int64_t vectors, int64_t matrices,
                           int bits, struct nmc_work_sink *sink) {
    static const char *const names[] = {"adam", "adam", "adamw", "sgd"};
    struct nmc_fragment f =
        nmc_optimizer_fragment(names[o->optimizer], "optimizer", vectors, matrices, bits);
    if (o->optimizer == NEUROMC_SGD) {
        f.momentum = o->momentum > 0;
        f.weight_decay = o->weight_decay > 0;
        f.momentum_buffer = f.momentum && !o->first_step;
    }
    return sink->fragment(sink->user, &f);
}

neuromc_status nmc_emit_optimizer(const struct nmc_net *net, const struct nmc_gradient *g,
                                  const neuromc_estimate_options *options, int bits,
                                  struct nmc_work_sink *sink, neuromc_diags *diags) {
    int64_t vectors, matrices, all;
    if (!count_parameters(net, g, &vectors, &matrices) || !nmc_add(vectors, matrices, &all))
        return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = net->file}, NULL,
                         "its parameters cannot be counted in 64 bits");
    if (!all)
        return sink->warning(sink->user,
                             "no parameter gets a gradient: the optimizer does nothing");
    if (options->optimizer == NEUROMC_OPTIMIZER_DEFAULT) {
        neuromc_status status =
            sink->warning(sink->user, "no optimizer was named: adam is assumed (--optimizer)");
        if (status != NEUROMC_OK)
            return status;
    }
    if (options->optimizer != NEUROMC_SGD)
        return emit(options, vectors, matrices, bits, sink);
    neuromc_status status = vectors ? emit(options, vectors, 0, bits, sink) : NEUROMC_OK;
    return status == NEUROMC_OK && matrices ? emit(options, 0, matrices, bits, sink) : status;
}
