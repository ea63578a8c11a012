#include "model/count.h"

#include <string.h>

#include "base/checked.h"

struct counter {
    const struct neuromc_preset *preset;
    const struct nmc_fragment *fragment;
    int64_t *quantities;
    int resources;
    nmc_count_watch *watch; /* or NULL */
    void *user;
    struct nmc_count_step step; /* what is being counted */
};

static void show(struct counter *c, enum nmc_part part, int resource, int64_t quantity) {
    c->step.part = part;
    c->step.resource = resource;
    c->step.quantity = quantity;
    c->watch(c->user, &c->step);
}

static bool add(struct counter *c, enum nmc_part part, int resource, int64_t quantity) {
    int64_t *at = &c->quantities[(int)part * c->resources + resource];
    if (c->watch && quantity)
        show(c, part, resource, quantity);
    return nmc_add(*at, quantity, at);
}

bool nmc_class_elements(const struct nmc_fragment *fragment, enum nmc_class per, int64_t *out) {
    static const unsigned char factors[NMC_CLASSES][NMC_LOOPS] = {
        [NMC_OYOXKBT] = {[NMC_OY] = 1, [NMC_OX] = 1, [NMC_K] = 1, [NMC_B] = 1, [NMC_T] = 1},
        [NMC_OYOXCBT] = {[NMC_OY] = 1, [NMC_OX] = 1, [NMC_C] = 1, [NMC_B] = 1, [NMC_T] = 1},
        [NMC_KT] = {[NMC_K] = 1, [NMC_T] = 1},
        [NMC_CT] = {[NMC_C] = 1, [NMC_T] = 1},
        [NMC_FYFXKC] = {[NMC_FY] = 1, [NMC_FX] = 1, [NMC_K] = 1, [NMC_C] = 1},
    };
    const int64_t *d = fragment->dims;
    bool optimizer = fragment->process == NMC_WITH_OPT;
    if (per == NMC_PARAMS)
        return nmc_product((int64_t[]){d[NMC_FX], d[NMC_FY], d[NMC_C]}, 3, out) &&
               nmc_add(*out, d[NMC_K], out);
    *out = 1;
    for (int i = 0; i < NMC_LOOPS; i++) {
        /* The optimizer has K for parameters of rank <= 1 and FX for the others, side by side. */
        bool apart = optimizer && ((per == NMC_FYFXKC && i == NMC_K) || i == NMC_T);
        if (factors[per][i] && !apart && !nmc_mul(*out, d[i], out))
            return false;
    }
    return true;
}

static bool happens(const struct nmc_fragment *fragment, enum nmc_when when) {
    switch (when) {
    case NMC_WHEN_MOMENTUM: return fragment->momentum;
    case NMC_WHEN_MOMENTUM_BUFFER: return fragment->momentum && fragment->momentum_buffer;
    case NMC_WHEN_WEIGHT_DECAY: return fragment->weight_decay;
    case NMC_WHEN_BN_ARITHMETIC: return !fragment->without_bn_arithmetic;
    default: return true;
    }
}

static bool level_counts(const struct neuromc_preset *preset, enum nmc_level level) {
    return (level != NMC_DRAM || preset->count_dram) && (level != NMC_NOC || preset->count_noc);
}

static bool add_memory(struct counter *c, enum nmc_part part, int memory,
                       enum nmc_direction direction, int64_t bits) {
    if (memory < 0 || !level_counts(c->preset, c->preset->memories[memory].level))
        return true;
    return add(c, part, nmc_resource_memory(memory, direction), bits);
}

/* An operand passes its register and its SRAM once. */
static bool add_operand(struct counter *c, enum nmc_operand_role role, enum nmc_direction direction,
                        int64_t elements, int64_t bits) {
    struct nmc_operand operand = c->preset->operands[c->fragment->core][role];
    int64_t total;
    c->step = (struct nmc_count_step){.kind = NMC_COUNT_OPERAND,
                                      .name = nmc_operand_names[role],
                                      .elements = elements,
                                      .each = bits,
                                      .repeat = 1};
    return nmc_mul(elements, bits, &total) &&
           add_memory(c, NMC_PART_BASE_MEMORY, operand.reg, direction, total) &&
           add_memory(c, NMC_PART_BASE_MEMORY, operand.sram, direction, total);
}

/* Weights that fit their SRAM stay there for later positions of a batch or time loop. */
static bool weights_stay(const struct counter *c) {
    const struct nmc_fragment *f = c->fragment;
    int sram = c->preset->operands[f->core][NMC_I2].sram;
    int64_t bits;
    return (f->b_position > 0 || f->t_position > 0) && sram >= 0 &&
           nmc_mul(f->weight_elements, f->weight_bits, &bits) &&
           bits <= c->preset->memories[sram].size_bits;
}

static bool count_weights(struct counter *c) {
    const struct nmc_fragment *f = c->fragment;
    if (!weights_stay(c))
        return add_operand(c, NMC_I2, NMC_RH2L, f->weight_elements, f->weight_bits);
    c->step = (struct nmc_count_step){.kind = NMC_COUNT_KEPT};
    if (c->watch)
        show(c, NMC_PART_BASE_MEMORY,
             nmc_resource_memory(c->preset->operands[f->core][NMC_I2].sram, NMC_RH2L), 0);
    return true;
}

static bool count_operands(struct counter *c) {
    const struct nmc_fragment *f = c->fragment;
    if (!c->preset->has_operands[f->core] || f->macs == 0)
        return true;
    return add_operand(c, NMC_I1, NMC_RH2L, f->input_elements, f->input_bits) && count_weights(c) &&
           add_operand(c, NMC_O, NMC_WL2H, f->output_elements, f->output_bits);
}

static bool count_arithmetic(struct counter *c, const struct nmc_arithmetic *item) {
    int64_t elements, operations;
    if (!happens(c->fragment, item->when))
        return true;
    if (!nmc_class_elements(c->fragment, item->per, &elements))
        return false;
    for (int p = 0; p < NMC_PRIMITIVES; p++) {
        c->step = (struct nmc_count_step){.kind = NMC_COUNT_ARITHMETIC,
                                          .name = item->name,
                                          .per = item->per,
                                          .elements = elements,
                                          .each = item->count[p],
                                          .repeat = 1};
        if (!nmc_mul(elements, item->count[p], &operations) ||
            !add(c, NMC_PART_EXTRA_COMPUTE, nmc_resource_primitive((enum nmc_primitive)p),
                 operations))
            return false;
    }
    return true;
}

/* A state variable passes its memory `repeat` times in one direction. */
static bool add_state(struct counter *c, const struct nmc_state *state,
                      enum nmc_direction direction, int64_t elements, int64_t repeat) {
    int64_t bits, moved;
    c->step = (struct nmc_count_step){.kind = NMC_COUNT_STATE,
                                      .name = state->name,
                                      .per = state->per,
                                      .elements = elements,
                                      .each = state->bits,
                                      .repeat = repeat};
    return nmc_mul(elements, state->bits, &bits) && nmc_mul(bits, repeat, &moved) &&
           add_memory(c, NMC_PART_EXTRA_MEMORY, state->memory, direction, moved);
}

static bool count_state(struct counter *c, const struct nmc_state *state) {
    int64_t elements;
    if (!happens(c->fragment, state->when))
        return true;
    return nmc_class_elements(c->fragment, state->per, &elements) &&
           add_state(c, state, NMC_RH2L, elements, state->reads) &&
           add_state(c, state, NMC_WL2H, elements, state->writes);
}

/* Arithmetic that lowering counted itself; its operands pass where those of a dense MAC would. */
static bool count_elementwise(struct counter *c) {
    const struct nmc_fragment *f = c->fragment;
    bool fits = true;
    c->step = (struct nmc_count_step){.kind = NMC_COUNT_ELEMENTWISE, .each = 1, .repeat = 1};
    for (int p = 0; fits && p < NMC_PRIMITIVES; p++)
        fits = add(c, NMC_PART_EXTRA_COMPUTE, nmc_resource_primitive((enum nmc_primitive)p),
                   f->primitives[p]);
    if (!fits || !c->preset->has_operands[f->core])
        return fits;
    return add_operand(c, NMC_I1, NMC_RH2L, f->input_elements, f->input_bits) &&
           add_operand(c, NMC_O, NMC_WL2H, f->output_elements, f->output_bits);
}

static bool count_process(struct counter *c) {
    const struct nmc_fragment *f = c->fragment;
    const struct nmc_process_work *work = nmc_preset_work(c->preset, f->process, f->phase, f->op);
    for (int i = 0; work && i < work->arithmetic_count; i++)
        if (!count_arithmetic(c, &work->arithmetic[i]))
            return false;
    for (int i = 0; work && i < work->state_count; i++)
        if (!count_state(c, &work->states[i]))
            return false;
    return true;
}

bool nmc_count_watched(const struct neuromc_preset *preset, const struct nmc_fragment *fragment,
                       int64_t *quantities, int resources, nmc_count_watch *watch, void *user) {
    struct counter c = {preset,
                        fragment,
                        quantities,
                        resources,
                        watch,
                        user,
                        .step = {.kind = NMC_COUNT_MACS, .each = 1, .repeat = 1}};
    memset(quantities, 0, sizeof *quantities * NMC_PARTS * (size_t)resources);
    if (fragment->elementwise)
        return count_elementwise(&c);
    return add(&c, NMC_PART_MAC, nmc_resource_mac(fragment->core), fragment->macs) &&
           count_operands(&c) && count_process(&c);
}

void nmc_count_macs(const struct nmc_fragment *fragment, int64_t *quantities, int resources) {
    memset(quantities, 0, sizeof *quantities * NMC_PARTS * (size_t)resources);
    quantities[NMC_PART_MAC * resources + nmc_resource_mac(fragment->core)] = fragment->macs;
}

bool nmc_count_fragment(const struct neuromc_preset *preset, const struct nmc_fragment *fragment,
                        int64_t *quantities, int resources) {
    return nmc_count_watched(preset, fragment, quantities, resources, NULL, NULL);
}
