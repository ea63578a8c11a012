#include "model/dram.h"

#include <string.h>

#include "base/checked.h"
#include "base/memory.h"

const char *const nmc_dram_cause_names[NMC_DRAM_CAUSES] = {"compulsory", "stream", "spill"};

void nmc_dram_release(struct nmc_dram *dram) {
    nmc_free(dram->uses);
    *dram = (struct nmc_dram){0};
}

bool nmc_dram_touch(struct nmc_dram *dram, const struct nmc_dram_use *use) {
    if (!nmc_grow(&dram->uses, &dram->capacity, dram->count + 1, sizeof *use))
        return false;
    dram->uses[dram->count++] = *use;
    return true;
}

bool nmc_dram_same_node(const struct nmc_dram_use *a, const struct nmc_dram_use *b) {
    return a->node_number == b->node_number && a->node == b->node && a->stage == b->stage;
}

/* A Fenwick tree (1994) over touches: at each tensor's last touch stand its bits, so a range sum
 * is the size of the distinct tensors touched in it. Sums saturate: a distance beyond 2^62 bits
 * exceeds every capacity alike. */
struct tree {
    int64_t *sums;
    size_t size;
};

static int64_t saturate(int64_t a, int64_t b) {
    const int64_t most = INT64_C(1) << 62;
    int64_t sum;
    return nmc_add(a, b, &sum) && sum < most ? sum : most;
}

static void tree_add(struct tree *tree, size_t at, int64_t bits) {
    for (size_t i = at + 1; i <= tree->size; i += i & (~i + 1))
        tree->sums[i - 1] += bits;
}

static int64_t tree_prefix(const struct tree *tree, size_t end) {
    int64_t sum = 0;
    for (size_t i = end; i > 0; i -= i & (~i + 1))
        sum += tree->sums[i - 1];
    return sum;
}

static uint32_t largest_id(const struct nmc_dram *dram) {
    uint32_t largest = 0;
    for (size_t i = 0; i < dram->count; i++)
        if (dram->uses[i].tensor_id > largest)
            largest = dram->uses[i].tensor_id;
    return largest;
}

/* Bits of all touches together bound every sum in the tree. */
static bool sums_fit(const struct nmc_dram *dram) {
    int64_t sum = 0;
    for (size_t i = 0; i < dram->count; i++) {
        int64_t bits;
        if (!nmc_mul(dram->uses[i].bits, dram->uses[i].times, &bits))
            return false;
        sum = saturate(sum, bits);
    }
    return sum < INT64_C(1) << 62;
}

static void measure(struct nmc_dram *dram, struct tree *tree, size_t *last) {
    for (size_t now = 0; now < dram->count; now++) {
        struct nmc_dram_use *use = &dram->uses[now];
        size_t before = last[use->tensor_id];
        use->distance = -1;
        if (before) {
            int64_t old = dram->uses[before - 1].bits;
            int64_t between = tree_prefix(tree, now) - tree_prefix(tree, before);
            use->distance = between + use->bits;
            tree_add(tree, before - 1, -old);
        }
        tree_add(tree, now, use->bits);
        last[use->tensor_id] = now + 1;
    }
}

neuromc_status nmc_dram_measure(struct nmc_dram *dram, neuromc_diags *diags) {
    if (!sums_fit(dram))
        return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){0}, NULL,
                         "the tensors touched together exceed 2^62 bits");
    size_t ids = (size_t)largest_id(dram) + 1;
    struct tree tree = {.size = dram->count};
    tree.sums = nmc_malloc((dram->count + 1) * sizeof *tree.sums);
    size_t *last = nmc_malloc(ids * sizeof *last);
    neuromc_status status = NEUROMC_OK;
    if (tree.sums && last) {
        memset(tree.sums, 0, (dram->count + 1) * sizeof *tree.sums);
        memset(last, 0, ids * sizeof *last);
        measure(dram, &tree, last);
    } else {
        status = nmc_out_of_memory(diags);
    }
    nmc_free(tree.sums);
    nmc_free(last);
    return status;
}

/* Walking backwards, a tensor's later miss is known when the touch that made it is reached. */
struct nmc_dram_traffic *nmc_dram_at(const struct nmc_dram *dram, int64_t capacity_bits) {
    size_t ids = (size_t)largest_id(dram) + 1;
    struct nmc_dram_traffic *traffic = nmc_malloc((dram->count + 1) * sizeof *traffic);
    unsigned char *missed = nmc_malloc(ids); /* 0: no, else 1 + cause of the next miss */
    if (!traffic || !missed) {
        nmc_free(traffic);
        nmc_free(missed);
        return NULL;
    }
    memset(missed, 0, ids);
    for (size_t i = dram->count; i-- > 0;) {
        const struct nmc_dram_use *use = &dram->uses[i];
        enum nmc_dram_cause cause = use->bits > capacity_bits ? NMC_STREAM : NMC_SPILL;
        traffic[i] = (struct nmc_dram_traffic){.cause = cause};
        if (use->made) {
            if (use->output || missed[use->tensor_id])
                traffic[i].written_bits = use->bits * use->times;
            if (use->output)
                traffic[i].cause = NMC_COMPULSORY;
            missed[use->tensor_id] = 0;
        } else if (use->distance < 0 || use->distance > capacity_bits) {
            traffic[i].read_bits = use->bits * use->times;
            if (use->distance < 0)
                traffic[i].cause = NMC_COMPULSORY;
            missed[use->tensor_id] = 1;
        }
    }
    nmc_free(missed);
    return traffic;
}
