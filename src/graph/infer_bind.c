/* Symbols: one name is one size; --dim, --batch and inference itself bind them. */
#include <string.h>

#include "base/limits.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "base/strmap.h"
#include "base/suggest.h"
#include "graph/infer_net.h"

static nmc_dim resolve(const struct nmc_infer *infer, nmc_dim d) {
    while (!nmc_dim_known(d) && nmc_dim_id(d) < infer->bound_count) {
        nmc_dim to = infer->bound[nmc_dim_id(d)];
        if (to == d)
            break;
        d = to;
    }
    return d;
}

static bool bindable(const struct nmc_infer *infer, nmc_dim d) {
    return !nmc_dim_known(d) && nmc_dim_id(d) < infer->bound_count;
}

bool nmc_unify(struct nmc_infer *infer, nmc_dim a, nmc_dim b) {
    a = resolve(infer, a);
    b = resolve(infer, b);
    if (a == b)
        return true;
    if (nmc_dim_known(a) && nmc_dim_known(b))
        return false;
    nmc_dim symbol = nmc_dim_known(a) ? b : a, other = nmc_dim_known(a) ? a : b;
    bool binds = bindable(infer, symbol) && (nmc_dim_known(other) || bindable(infer, other));
    if (binds && !infer->assuming) {
        infer->bound[nmc_dim_id(symbol)] = other;
        infer->unified = true;
    }
    return true;
}

/* ---- names ---- */

/* The open dims of inputs come first, so that one of them stands for its name. */
static bool unify_names(struct nmc_infer *infer) {
    struct nmc_net *net = infer->net;
    struct nmc_strmap first = {0};
    bool ok = true;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; ok && i < infer->bound_count; i++) {
            struct nmc_symbol *symbol = &net->symbols[i];
            if (!symbol->name || (symbol->input != NULL) != (pass == 0))
                continue;
            const struct nmc_symbol *same = nmc_strmap_get(&first, symbol->name);
            if (same)
                infer->bound[i] = nmc_dim_symbol((uint32_t)(same - net->symbols));
            else
                ok = nmc_strmap_put(&first, symbol->name, symbol);
        }
    nmc_strmap_release(&first);
    return ok;
}

/* How a user can name an open dim: its symbol, or INPUT:AXIS. NULL if there is no way. */
static const char *open_name(struct nmc_infer *infer, uint32_t id) {
    const struct nmc_symbol *symbol = &infer->net->symbols[id];
    if (resolve(infer, nmc_dim_symbol(id)) != nmc_dim_symbol(id))
        return NULL;
    if (symbol->name || !symbol->input)
        return symbol->name;
    return nmc_arena_printf(&infer->net->arena, "%s:%d", symbol->input->name, symbol->axis);
}

/* Dims of the inputs; those named in the middle of the graph are mostly an exporter's. */
static int list_open_dims(struct nmc_infer *infer, struct nmc_suggest *near,
                          struct nmc_strbuf *list) {
    enum { MOST_LISTED = 12 };
    int listed = 0;
    for (uint32_t i = 0; i < infer->bound_count; i++) {
        const char *open = open_name(infer, i);
        if (open)
            nmc_suggest_offer(near, open);
        if (open && infer->net->symbols[i].input && listed++ < MOST_LISTED)
            nmc_strbuf_printf(list, "%s%s", listed > 1 ? ", " : "", open);
    }
    if (listed > MOST_LISTED)
        nmc_strbuf_printf(list, " and %d more", listed - MOST_LISTED);
    return listed;
}

static neuromc_status no_such_dim(struct nmc_infer *infer, const char *name) {
    struct nmc_suggest near;
    struct nmc_strbuf list, hint;
    nmc_suggest_init(&near, name);
    nmc_strbuf_init(&list);
    nmc_strbuf_init(&hint);
    int listed = list_open_dims(infer, &near, &list);
    if (near.best)
        nmc_strbuf_printf(&hint, "did you mean \"%s\"? ", near.best);
    nmc_strbuf_printf(&hint, "%s%s",
                      listed ? "open dims: " : "every dim of the model's inputs is a number",
                      list.text);
    neuromc_status status =
        nmc_error(infer->diags, NEUROMC_USAGE, (struct nmc_place){.file = infer->net->file},
                  hint.text, "no dim is called \"%s\"", name);
    nmc_strbuf_release(&list);
    nmc_strbuf_release(&hint);
    return status;
}

static struct nmc_tensor *find_input(struct nmc_infer *infer, const char *name, size_t length) {
    struct nmc_graph *main = infer->net->main;
    for (int i = 0; i < main->input_count; i++) {
        struct nmc_tensor *input = main->inputs[i];
        if (strlen(input->name) == length && memcmp(input->name, name, length) == 0)
            return input;
    }
    return NULL;
}

/* The dim that a name stands for: a symbol of the file, or INPUT:AXIS. */
static bool find_dim(struct nmc_infer *infer, const char *name, nmc_dim *out) {
    for (uint32_t i = 0; i < infer->bound_count; i++)
        if (infer->net->symbols[i].name && strcmp(infer->net->symbols[i].name, name) == 0) {
            *out = nmc_dim_symbol(i);
            return true;
        }
    const char *colon = strrchr(name, ':');
    int64_t axis;
    if (!colon || !nmc_integer_parse(colon + 1, strlen(colon + 1), &axis))
        return false;
    const struct nmc_tensor *input = find_input(infer, name, (size_t)(colon - name));
    if (!input || axis < 0 || axis >= input->shape.rank)
        return false;
    *out = input->shape.dims[axis];
    return true;
}

static neuromc_status bind_dim(struct nmc_infer *infer, const neuromc_dim_binding *binding) {
    struct nmc_place place = {.file = infer->net->file};
    nmc_dim d;
    if (binding->value < 1)
        return nmc_error(infer->diags, NEUROMC_USAGE, place, NULL,
                         "dim \"%s\" cannot be %lld: a size is at least 1", binding->name,
                         (long long)binding->value);
    if (!find_dim(infer, binding->name, &d))
        return no_such_dim(infer, binding->name);
    d = resolve(infer, d);
    if (!nmc_unify(infer, d, binding->value))
        return nmc_error(infer->diags, NEUROMC_USAGE, place, NULL,
                         "dim \"%s\" is %lld and cannot be %lld as well", binding->name,
                         (long long)d, (long long)binding->value);
    return NEUROMC_OK;
}

/* ---- batch ---- */

/* Whether input `index` of a node holds a parameter rather than data. */
static bool weight_position(const struct nmc_node *node, int index, int rank) {
    switch (node->op ? node->op->work : NMC_WORK_NONE) {
    case NMC_WORK_CONV:
    case NMC_WORK_CONV_TRANSPOSE:
    case NMC_WORK_BATCH_NORM: return index >= 1;
    case NMC_WORK_GEMM:
    case NMC_WORK_MATMUL: return index >= 1 && rank <= 2;
    case NMC_WORK_RNN: return index >= 1 && index <= 3;
    case NMC_WORK_CONV_GRAD: return index == 2;
    case NMC_WORK_OPTIMIZER: return true;
    default: return false;
    }
}

/* Training graphs have their weights as inputs; a batch does not change those. */
static bool feeds_weights_only(const struct nmc_tensor *tensor) {
    for (int c = 0; c < tensor->consumer_count; c++) {
        const struct nmc_node *node = tensor->consumers[c];
        for (int i = 0; i < node->input_count; i++)
            if (node->inputs[i] == tensor && !weight_position(node, i, tensor->shape.rank))
                return false;
    }
    return tensor->consumer_count > 0;
}

static neuromc_status bind_batch(struct nmc_infer *infer, struct nmc_tensor *input) {
    int64_t batch = infer->options->batch;
    nmc_dim lead = resolve(infer, input->shape.dims[0]);
    if (lead == batch)
        return NEUROMC_OK;
    if (!nmc_dim_known(lead)) {
        nmc_unify(infer, lead, batch);
        return NEUROMC_OK;
    }
    if (!nmc_dim_known(input->shape.dims[0]))
        return nmc_error(infer->diags, NEUROMC_USAGE, (struct nmc_place){.file = infer->net->file},
                         NULL, "batch %lld contradicts axis 0 of input \"%s\", bound to %lld",
                         (long long)batch, input->name, (long long)lead);
    infer->old_batch = lead;
    infer->batch_bound = true;
    input->shape.dims[0] = batch;
    return NEUROMC_OK;
}

static neuromc_status bind_batches(struct nmc_infer *infer) {
    struct nmc_graph *main = infer->net->main;
    if (infer->options->batch < 0)
        return nmc_error(infer->diags, NEUROMC_USAGE, (struct nmc_place){.file = infer->net->file},
                         NULL, "batch must be at least 1");
    for (int i = 0; infer->options->batch && i < main->input_count; i++) {
        struct nmc_tensor *input = main->inputs[i];
        if (!input->is_input || input->shape.rank < 1 || feeds_weights_only(input))
            continue;
        neuromc_status status = bind_batch(infer, input);
        if (status != NEUROMC_OK)
            return status;
    }
    return NEUROMC_OK;
}

/* ---- trips ---- */

static bool has_trips(const struct nmc_node *node) {
    return nmc_node_is(node, "Loop") || nmc_node_is(node, "Scan") ||
           nmc_node_is(node, "SequenceMap");
}

static neuromc_status check_trips(struct nmc_infer *infer, const neuromc_dim_binding *trips) {
    struct nmc_net *net = infer->net;
    struct nmc_suggest near;
    nmc_suggest_init(&near, trips->name);
    for (uint32_t n = 0; n < net->node_count; n++) {
        if (!has_trips(net->nodes[n]))
            continue;
        if (strcmp(net->nodes[n]->name, trips->name) == 0)
            return trips->value >= 0
                       ? NEUROMC_OK
                       : nmc_error(infer->diags, NEUROMC_USAGE, nmc_node_place(net, net->nodes[n]),
                                   NULL, "trip count %lld is negative", (long long)trips->value);
        nmc_suggest_offer(&near, net->nodes[n]->name);
    }
    const char *hint =
        near.best ? nmc_arena_printf(&net->arena, "did you mean \"%s\"?", near.best) : NULL;
    return nmc_error(infer->diags, NEUROMC_USAGE, (struct nmc_place){.file = net->file}, hint,
                     "no Loop, Scan or SequenceMap node is called \"%s\"", trips->name);
}

/* ---- all of it ---- */

neuromc_status nmc_bind_options(struct nmc_infer *infer) {
    const struct nmc_infer_options *options = infer->options;
    uint32_t count = infer->net->symbol_count;
    infer->bound = nmc_malloc((count + (size_t)1) * sizeof *infer->bound);
    if (!infer->bound)
        return nmc_out_of_memory(infer->diags);
    infer->bound_count = count;
    for (uint32_t i = 0; i < count; i++)
        infer->bound[i] = nmc_dim_symbol(i);
    if (!unify_names(infer))
        return nmc_out_of_memory(infer->diags);
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; status == NEUROMC_OK && i < options->dim_count; i++)
        status = bind_dim(infer, &options->dims[i]);
    for (size_t i = 0; status == NEUROMC_OK && i < options->trip_count; i++)
        status = check_trips(infer, &options->trips[i]);
    return status == NEUROMC_OK ? bind_batches(infer) : status;
}

static void apply_to(const struct nmc_infer *infer, nmc_dim *dims, int64_t count) {
    for (int64_t i = 0; dims && i < count; i++)
        dims[i] = resolve(infer, dims[i]);
}

void nmc_bind_apply(struct nmc_infer *infer) {
    for (uint32_t t = 0; t < infer->net->tensor_count; t++) {
        struct nmc_tensor *tensor = infer->net->tensors[t];
        apply_to(infer, tensor->shape.dims, tensor->shape.rank);
        apply_to(infer, tensor->declared.dims, tensor->declared.rank);
        apply_to(infer, tensor->ints, tensor->value_count);
    }
}
