/* What inference warns of once the walk is over: declared shapes that contradict it, branches and
 * trip counts that had to be assumed. */
#include "graph/infer_net.h"

/* Beyond these, warnings of one kind are only counted. */
enum { MOST_IN_DETAIL = 5 };

/* About the MACs of a node, enough to tell which of two branches is the larger one: output
 * elements times the elements of a weight that meet one of them. At least 1, also where shapes are
 * open. */
static double node_work(const struct nmc_node *node) {
    int64_t out = 1, weight = 1;
    const struct nmc_tensor *y = node->output_count ? node->outputs[0] : NULL;
    const struct nmc_tensor *w = nmc_in(node, 1);
    if (y && nmc_shape_elements(&y->shape, &out) && w && w->shape.rank > 0 &&
        nmc_shape_elements(&w->shape, &weight)) {
        bool product = node->op->work == NMC_WORK_GEMM || node->op->work == NMC_WORK_MATMUL;
        int64_t apart = w->shape.dims[product ? w->shape.rank - 1 : 0];
        return 1 + (double)out * (double)(apart > 0 ? weight / apart : weight);
    }
    return 1 + (double)out;
}

double nmc_graph_work(const struct nmc_graph *graph) {
    double work = 0;
    for (int n = 0; n < graph->node_count; n++) {
        const struct nmc_node *node = graph->nodes[n];
        if (node->dead)
            continue;
        if (node->op && node->op->work != NMC_WORK_NONE)
            work += node_work(node);
        if (node->body)
            work += nmc_graph_work(node->body) * (node->trips > 0 ? (double)node->trips : 1);
    }
    return work;
}

static bool contradicts(const struct nmc_shape *inferred, const struct nmc_shape *declared) {
    if (inferred->rank < 0 || declared->rank < 0)
        return false;
    if (inferred->rank != declared->rank)
        return true;
    for (int i = 0; i < inferred->rank; i++) {
        nmc_dim a = inferred->dims[i], b = declared->dims[i];
        if (nmc_dim_known(a) && nmc_dim_known(b) && a != b)
            return true;
    }
    return false;
}

static void warn_of_declared(struct nmc_infer *infer) {
    struct nmc_net *net = infer->net;
    int64_t found = 0;
    for (uint32_t t = 0; t < net->tensor_count; t++) {
        const struct nmc_tensor *tensor = net->tensors[t];
        if (!tensor->producer || tensor->producer->dead ||
            !contradicts(&tensor->shape, &tensor->declared) || found++ >= MOST_IN_DETAIL)
            continue;
        nmc_warning(infer->diags, nmc_node_place(net, tensor->producer), NULL,
                    "output \"%s\" is %s, though the file declares %s; the former is used",
                    tensor->name, nmc_shape_text(net, &tensor->shape),
                    nmc_shape_text(net, &tensor->declared));
    }
    if (found > MOST_IN_DETAIL)
        nmc_warning(infer->diags, (struct nmc_place){.file = net->file}, NULL,
                    "%lld more tensors have another shape than the file declares",
                    (long long)(found - MOST_IN_DETAIL));
}

static const char *branch_name(const struct nmc_node *node) {
    for (int a = 0; a < node->attr_count; a++)
        if (node->attrs[a].graphs && node->attrs[a].graphs[0] == node->body)
            return node->attrs[a].name;
    return "one branch";
}

static void warn_of(struct nmc_infer *infer, const struct nmc_node *node) {
    struct nmc_place place = nmc_node_place(infer->net, node);
    unsigned char remarks = infer->remarks[node->id];
    if (remarks & NMC_REMARK_BRANCH)
        nmc_warning(infer->diags, place, NULL,
                    "its condition is not known before the model runs; %s is counted, which holds "
                    "the more work",
                    branch_name(node));
    if (remarks & NMC_REMARK_TRIPS)
        nmc_warning(infer->diags, place, "state the count with --trip NODE=N",
                    "its condition may end it early; all of its %lld iterations are counted",
                    (long long)node->trips);
}

void nmc_infer_warn(struct nmc_infer *infer) {
    for (uint32_t n = 0; n < infer->net->node_count; n++)
        if (infer->remarks[n] && !infer->net->nodes[n]->dead)
            warn_of(infer, infer->net->nodes[n]);
    if (!infer->batch_bound)
        warn_of_declared(infer);
}
