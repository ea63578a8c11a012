/* Units by value: a table of the distinct ones, and their order if it is wanted. */
#include "model/trace_units.h"

#include <string.h>

#include "base/memory.h"

struct nmc_unit_seen {
    uint32_t distinct;
    bool claimed;
};

void nmc_signature(const struct nmc_fragment *f, uint32_t stage,
                   int64_t words[NMC_SIGNATURE_WORDS]) {
    const int64_t signature[NMC_SIGNATURE_WORDS] = {
        stage,
        f->phase,
        f->core,
        f->process,
        f->dims[NMC_B] * f->dims[NMC_T],
        f->dims[NMC_C],
        f->dims[NMC_K],
        f->dims[NMC_OY],
        f->dims[NMC_OX],
        f->dims[NMC_FY],
        f->dims[NMC_FX],
        f->input_bits,
        f->weight_bits,
        f->output_bits,
        f->input_elements,
        f->weight_elements,
        f->output_elements,
        f->macs,
        f->without_bn_arithmetic,
        f->b_position,
        f->t_position,
    };
    memcpy(words, signature, sizeof signature);
}

void nmc_units_release(struct nmc_units *units) {
    nmc_keys_release(&units->keys);
    nmc_free(units->distinct);
    nmc_free(units->order);
    *units = (struct nmc_units){.in_order = units->in_order};
}

/* Operators are told apart by the address of their interned name. */
static bool number(struct nmc_units *units, const struct nmc_unit *unit, uint32_t *out,
                   bool *added) {
    int64_t words[4 + 2 * NMC_SIGNATURE_WORDS];
    words[0] = unit->has_runtime;
    words[1] = unit->first;
    words[2] = unit->rule;
    words[3] = (int64_t)(intptr_t)unit->corrected.op;
    nmc_signature(&unit->corrected, unit->stage, words + 4);
    nmc_signature(&unit->runtime, unit->stage, words + 4 + NMC_SIGNATURE_WORDS);
    return nmc_keys_number(&units->keys, words, sizeof words / sizeof *words, out, added);
}

bool nmc_units_add(struct nmc_units *units, const struct nmc_unit *unit, uint32_t *handle) {
    uint32_t distinct;
    bool added;
    if (!nmc_grow(&units->distinct, &units->capacity, units->keys.count + 1,
                  sizeof *units->distinct) ||
        !number(units, unit, &distinct, &added))
        return false;
    if (added)
        units->distinct[distinct] = (struct nmc_unit_count){.unit = *unit};
    units->distinct[distinct].total++;
    *handle = distinct;
    if (!units->in_order)
        return true;
    if (units->order_count >= UINT32_MAX || !nmc_grow(&units->order, &units->order_capacity,
                                                      units->order_count + 1, sizeof *units->order))
        return false;
    *handle = (uint32_t)units->order_count;
    units->order[units->order_count++] = (struct nmc_unit_seen){.distinct = distinct};
    return true;
}

void nmc_units_claim(struct nmc_units *units, uint32_t handle) {
    if (units->in_order)
        units->order[handle].claimed = true;
    else
        units->distinct[handle].claimed++;
}

neuromc_status nmc_units_each(const struct nmc_units *units, nmc_units_visit *visit, void *user) {
    neuromc_status status = NEUROMC_OK;
    if (!units->in_order) {
        for (size_t i = 0; i < units->keys.count && !status; i++)
            status = visit(user, &units->distinct[i]);
        return status;
    }
    for (size_t i = 0; i < units->order_count && !status; i++) {
        const struct nmc_unit_seen *seen = &units->order[i];
        struct nmc_unit_count one = {
            .unit = units->distinct[seen->distinct].unit, .total = 1, .claimed = seen->claimed};
        status = visit(user, &one);
    }
    return status;
}
