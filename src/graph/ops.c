/* The operator table, looked up by domain and name. */
#include "graph/ops.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "graph/infer.h"

static const struct nmc_op ops[] = {
#define OP(domain, name, least, most, infer, fold, work, cost, spike, doc)                         \
    {domain,                                                                                       \
     #name,                                                                                        \
     least,                                                                                        \
     most,                                                                                         \
     nmc_infer_##infer,                                                                            \
     nmc_fold_##fold,                                                                              \
     NMC_WORK_##work,                                                                              \
     NMC_COST_##cost,                                                                              \
     NMC_SPIKE_##spike,                                                                            \
     doc},
#include "graph/ops.def"
#undef OP
};

enum { OP_COUNT = sizeof ops / sizeof *ops };

/* The rows are grouped by family for people; look-ups go through this order. */
static const struct nmc_op *sorted[OP_COUNT];
static pthread_once_t sorted_once = PTHREAD_ONCE_INIT;

static int compare(const void *a, const void *b) {
    const struct nmc_op *x = *(const struct nmc_op *const *)a;
    const struct nmc_op *y = *(const struct nmc_op *const *)b;
    int domain = strcmp(x->domain, y->domain);
    return domain ? domain : strcmp(x->name, y->name);
}

static void sort(void) {
    for (size_t i = 0; i < OP_COUNT; i++)
        sorted[i] = &ops[i];
    qsort(sorted, OP_COUNT, sizeof *sorted, compare);
}

const struct nmc_op *nmc_op_find(const char *domain, const char *name) {
    pthread_once(&sorted_once, sort);
    const struct nmc_op wanted = {.domain = domain, .name = name}, *key = &wanted;
    const struct nmc_op **found = bsearch(&key, sorted, OP_COUNT, sizeof *sorted, compare);
    return found ? *found : NULL;
}

size_t nmc_op_count(void) {
    return OP_COUNT;
}

const struct nmc_op *nmc_op_at(size_t index) {
    pthread_once(&sorted_once, sort);
    return index < OP_COUNT ? sorted[index] : NULL;
}

int nmc_weight_index(const struct nmc_node *node) {
    nmc_infer_fn *infer = node->op ? node->op->infer : NULL;
    bool quantized = infer == nmc_infer_qlinear_conv || infer == nmc_infer_qlinear_matmul ||
                     infer == nmc_infer_qgemm;
    return quantized ? 3 : 1;
}

bool nmc_weight_is_packed(const struct nmc_node *node) {
    return node->op && node->op->infer == nmc_infer_matmul_packed;
}
