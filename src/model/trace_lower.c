/* The loop over a trace's events: calls and steps are emitted, operators are kept. */
#include "model/trace_lower.h"

#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "model/rates.h"
#include "model/trace_lowering.h"

/* ---- the sink ----------------------------------------------------------------------------- */

/* Only products of which one operand is spikes; backward that is the gradient of the weight. */
static bool is_driven(const struct nmc_fragment *fragment) {
    return fragment->process == NMC_WITH_NOTHING &&
           (fragment->core == NMC_CORE_FP_SOMA || fragment->core == NMC_CORE_WG);
}

static struct nmc_fragment with_rate(const struct nmc_lowering *l,
                                     const struct nmc_fragment *fragment) {
    struct nmc_fragment copy = *fragment;
    copy.spike_rate = is_driven(fragment) ? l->spike_rate : 1;
    return copy;
}

neuromc_status nmc_lowering_emit(struct nmc_lowering *l, const struct nmc_fragment *fragment) {
    struct nmc_fragment rated = with_rate(l, fragment);
    l->any = true;
    l->driving |= is_driven(fragment);
    return l->sink->fragment(l->sink->user, &rated);
}

neuromc_status nmc_lowering_cover(struct nmc_lowering *l, const char *op,
                                  enum nmc_coverage_kind kind, int64_t elements) {
    return l->sink->coverage(l->sink->user, op, kind, elements);
}

neuromc_status nmc_lowering_differ(struct nmc_lowering *l, int rule,
                                   const struct nmc_fragment *runtime,
                                   const struct nmc_fragment *corrected) {
    struct nmc_fragment rated[2];
    if (!l->sink->difference)
        return NEUROMC_OK;
    if (runtime)
        rated[0] = with_rate(l, runtime);
    if (corrected)
        rated[1] = with_rate(l, corrected);
    return l->sink->difference(l->sink->user, rule, runtime ? &rated[0] : NULL,
                               corrected ? &rated[1] : NULL);
}

/* ---- tables by id ------------------------------------------------------------------------- */

/* Ids are dense: the next new one is the count. */
static const struct nmc_trace_stage *find_stage(struct nmc_lowering *l,
                                                const struct nmc_trace_name *name) {
    if (name->id >= l->stage_count) {
        if (!nmc_grow(&l->stages, &l->stage_capacity, name->id + 1, sizeof *l->stages))
            return NULL;
        l->stages[name->id] = nmc_trace_stage_of(name->text, name->id);
        l->stage_count = name->id + 1;
    }
    return &l->stages[name->id];
}

static struct nmc_last_input *find_input(struct nmc_lowering *l, uint32_t id) {
    if (id >= l->input_count) {
        if (!nmc_grow(&l->inputs, &l->input_capacity, id + 1, sizeof *l->inputs))
            return NULL;
        l->inputs[id] = (struct nmc_last_input){0};
        l->input_count = id + 1;
    }
    return &l->inputs[id];
}

static bool count_call(struct nmc_lowering *l, const struct nmc_trace_name *op) {
    if (op->id >= l->op_count) {
        if (!nmc_grow(&l->ops, &l->op_capacity, op->id + 1, sizeof *l->ops))
            return false;
        l->ops[op->id] = (struct nmc_op_calls){.op = op};
        l->op_count = op->id + 1;
    }
    l->ops[op->id].calls++;
    return true;
}

static neuromc_status note_refusal(struct nmc_lowering *l, const char *reason) {
    if (l->runtime)
        return nmc_trace_error(l->trace, NEUROMC_UNSUPPORTED, NULL, NULL,
                               "the runtime accounting refuses this trace because %s", reason);
    if (!l->summary->runtime_refusal)
        l->summary->runtime_refusal = reason;
    return NEUROMC_OK;
}

/* ---- module calls ------------------------------------------------------------------------- */

bool nmc_lowering_same(const struct nmc_fragment *a, const struct nmc_fragment *b) {
    return memcmp(a->dims, b->dims, sizeof a->dims) == 0;
}

/* Applies the rules one after the other, so that each answers for its own part. */
static neuromc_status explain_call(struct nmc_lowering *l, const struct nmc_trace_work *work,
                                   const struct nmc_last_input *last,
                                   const struct nmc_fragment *runtime, int count) {
    static const int order[] = {NMC_RULE_GROUPS, NMC_RULE_ROWS, NMC_RULE_UNBATCHED};
    struct nmc_fragment before[NMC_CALL_FRAGMENTS], after[NMC_CALL_FRAGMENTS];
    unsigned rules = 0;
    memcpy(before, runtime, sizeof before);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        rules |= NMC_RULE_BIT(order[i]);
        neuromc_status status = nmc_call_fragments(work, last, rules, after, &count);
        for (int f = 0; f < count && !status; f++)
            if (!nmc_lowering_same(&before[f], &after[f]))
                status = nmc_lowering_differ(l, order[i], &before[f], &after[f]);
        if (status)
            return status;
        memcpy(before, after, sizeof before);
    }
    return NEUROMC_OK;
}

static neuromc_status note_signature(struct nmc_lowering *l, const struct nmc_trace_stage *stage,
                                     const struct nmc_fragment *fragment) {
    int64_t words[NMC_SIGNATURE_WORDS];
    uint32_t number;
    bool added;
    nmc_signature(fragment, stage->id, words);
    if (!nmc_keys_number(&l->signatures, words, NMC_SIGNATURE_WORDS, &number, &added))
        return nmc_out_of_memory(l->diags);
    return NEUROMC_OK;
}

static neuromc_status claim(struct nmc_lowering *l, const struct nmc_trace_work *work,
                            const struct nmc_fragment *fragment) {
    struct nmc_claim_key key = nmc_claim_of_call(work->stage, &work->event->module, fragment);
    uint32_t handle;
    bool found;
    if (!nmc_claims_take(&l->claims, &key, &found, &handle))
        return nmc_out_of_memory(l->diags);
    if (found)
        nmc_units_claim(&l->units, handle);
    return NEUROMC_OK;
}

static neuromc_status lower_call(struct nmc_lowering *l, const struct nmc_trace_work *work) {
    const struct nmc_trace_event *event = work->event;
    struct nmc_last_input *last = find_input(l, event->module.id);
    if (!last)
        return nmc_out_of_memory(l->diags);
    struct nmc_fragment runtime[NMC_CALL_FRAGMENTS] = {0}, corrected[NMC_CALL_FRAGMENTS] = {0};
    int count = 0;
    neuromc_status status = NEUROMC_OK;
    if (event->module.type == NMC_MODULE_CONV3D)
        status = note_refusal(l, "it has a Conv3d, which the reference does not model");
    if (!status)
        status = nmc_call_fragments(work, last, 0, runtime, &count);
    if (!status)
        status = nmc_call_fragments(work, last, NMC_RULES_CORRECTED, corrected, &count);
    bool differs = false;
    for (int i = 0; i < count && !status; i++) {
        const struct nmc_fragment *chosen = l->runtime ? &runtime[i] : &corrected[i];
        status = note_signature(l, work->stage, &runtime[i]);
        if (!status)
            status = claim(l, work, &corrected[i]);
        if (!status)
            status = nmc_lowering_emit(l, chosen);
        if (!status)
            status = nmc_lowering_cover(l, chosen->op, NMC_COVER_COSTED, chosen->output_elements);
        differs |= !nmc_lowering_same(&runtime[i], &corrected[i]);
    }
    if (!status && differs && l->sink->difference)
        status = explain_call(l, work, last, runtime, count);
    if (event->kind == NMC_TRACE_FORWARD)
        *last = (struct nmc_last_input){event->input.elements,
                                        event->input.spike,
                                        {corrected[0].extent[0], corrected[0].extent[1]}};
    return status;
}

/* ---- optimizer steps ---------------------------------------------------------------------- */

static neuromc_status lower_step(struct nmc_lowering *l, const struct nmc_trace_work *work) {
    struct nmc_fragment fragments[NMC_STEP_FRAGMENTS];
    int count;
    neuromc_status status = nmc_step_fragments(work, fragments, &count);
    for (int i = 0; i < count && !status; i++) {
        status = nmc_lowering_emit(l, &fragments[i]);
        if (!status)
            status = nmc_lowering_cover(l, fragments[i].op, NMC_COVER_COSTED,
                                        fragments[i].output_elements);
    }
    return status;
}

/* ---- aten operators ----------------------------------------------------------------------- */

/* Elements of the first tensor of a result; -1 if there is none. */
static int64_t first_elements(const struct nmc_trace_value *value) {
    while (value->kind == NMC_VALUE_LIST && value->as.list.count)
        value = &value->as.list.items[0];
    return value->kind == NMC_VALUE_TENSOR && value->as.tensor.rank >= 0 ? value->as.tensor.elements
                                                                         : -1;
}

static neuromc_status keep_unit(struct nmc_lowering *l, const struct nmc_unit *unit) {
    uint32_t handle;
    bool claimed;
    if (!nmc_units_add(&l->units, unit, &handle) ||
        !nmc_claims_offer(&l->claims, &unit->key, handle, &claimed))
        return nmc_out_of_memory(l->diags);
    if (claimed)
        nmc_units_claim(&l->units, handle);
    return NEUROMC_OK;
}

static neuromc_status lower_aten(struct nmc_lowering *l, const struct nmc_trace_work *work) {
    const struct nmc_trace_event *event = work->event;
    const struct nmc_trace_name *op = event->op;
    if (!count_call(l, op))
        return nmc_out_of_memory(l->diags);
    if (op->aten == NMC_ATEN_FREE)
        return nmc_lowering_cover(l, op->text, NMC_COVER_FREE, -1);
    struct nmc_unit units[NMC_OPERATOR_UNITS];
    int count;
    const char *refused;
    neuromc_status status = nmc_operator_units(work, &l->spikes, units, &count, &refused);
    if (!status && !count)
        return nmc_lowering_cover(l, op->text, NMC_COVER_UNMODELLED, first_elements(&event->out));
    if (!status && refused)
        status = note_refusal(l, refused);
    for (int i = 0; i < count && !status; i++)
        status = keep_unit(l, &units[i]);
    return status;
}

/* ---- entry -------------------------------------------------------------------------------- */

static neuromc_status lower_event(struct nmc_lowering *l, const struct nmc_trace_event *event) {
    const struct nmc_trace_stage *stage = find_stage(l, event->stage);
    if (!stage)
        return nmc_out_of_memory(l->diags);
    struct nmc_trace_work work = {
        .trace = l->trace, .event = event, .stage = stage, .precision = l->precision};
    l->summary->events++;
    switch (event->kind) {
    case NMC_TRACE_ATEN: return lower_aten(l, &work);
    case NMC_TRACE_STEP: return lower_step(l, &work);
    default: return lower_call(l, &work);
    }
}

static neuromc_status find_core_type(struct nmc_lowering *l, enum nmc_core *out) {
    const char *name = nmc_trace_header(l->trace)->core_type;
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, name);
    for (int i = 0; i < NMC_CORES; i++) {
        *out = (enum nmc_core)i;
        if (strcmp(name, nmc_core_names[i]) == 0)
            return NEUROMC_OK;
        nmc_suggest_offer(&suggest, nmc_core_names[i]);
    }
    return nmc_trace_error(l->trace, NEUROMC_BAD_INPUT, "core_type", suggest.best,
                           "unknown core type \"%.80s\"", name);
}

static neuromc_status lower_all(struct nmc_lowering *l) {
    neuromc_status status = find_core_type(l, &l->summary->core_type);
    while (!status) {
        const struct nmc_trace_event *event;
        status = nmc_trace_next(l->trace, &event);
        if (!status && !event)
            return nmc_lowering_finish(l);
        if (!status)
            status = lower_event(l, event);
    }
    return status;
}

static neuromc_status read_rate(const neuromc_estimate_options *options, double *out,
                                neuromc_diags *diags) {
    struct nmc_rates rates;
    neuromc_status status = nmc_rates_read(&rates, options->spike_rate, diags);
    *out = rates.everywhere;
    if (!status && rates.count)
        status = nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0}, "give one number",
                           "the tensors of a trace have no names to look up rates by");
    if (!status && options->spike_rate && options->accounting == NEUROMC_RUNTIME)
        status = nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0},
                           "leave out the spike rate, or --accounting runtime",
                           "the runtime accounting charges every spike-driven MAC");
    nmc_rates_release(&rates);
    return status;
}

neuromc_status nmc_trace_lower(const char *path, const struct nmc_peek *peek,
                               const struct nmc_precision *precision,
                               const neuromc_estimate_options *options, struct nmc_work_sink *sink,
                               struct nmc_trace_summary *summary, neuromc_diags *diags) {
    static const neuromc_estimate_options defaults = {0};
    if (!options)
        options = &defaults;
    struct nmc_lowering l = {
        .precision = precision,
        .sink = sink,
        .summary = summary,
        .diags = diags,
        .runtime = options->accounting == NEUROMC_RUNTIME,
        .strict = options->strict,
        .units.in_order = !options->no_mapping,
    };
    *summary = (struct nmc_trace_summary){0};
    neuromc_status status = read_rate(options, &l.spike_rate, diags);
    if (!status)
        status = nmc_trace_open(&l.trace, path, peek, options->strict, diags);
    if (!status)
        status = lower_all(&l);
    if (!status && options->spike_rate && !l.driving)
        nmc_rates_idle(path, diags);
    nmc_free(l.stages);
    nmc_free(l.inputs);
    nmc_free(l.ops);
    nmc_keys_release(&l.signatures);
    nmc_spike_stacks_release(&l.spikes);
    nmc_claims_release(&l.claims);
    nmc_units_release(&l.units);
    nmc_trace_close(l.trace);
    return status;
}
