/* What a lowering knows only at the end of the trace: which operators are left, and which are not
 * modelled. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/strbuf.h"
#include "model/trace_lowering.h"

/* ---- what is left ------------------------------------------------------------------------- */

/* Whether the runtime accounting counts it: the reference has it, and no module call of the
 * whole trace looks the same. */
static bool runtime_counts(const struct nmc_lowering *l, const struct nmc_unit *unit) {
    if (!unit->has_runtime)
        return false;
    int64_t words[NMC_SIGNATURE_WORDS];
    nmc_signature(&unit->runtime, unit->stage, words);
    return !nmc_keys_has(&l->signatures, words, NMC_SIGNATURE_WORDS);
}

static neuromc_status emit_times(struct nmc_lowering *l, const struct nmc_fragment *fragment,
                                 int64_t times) {
    neuromc_status status = NEUROMC_OK;
    for (int64_t i = 0; i < times && !status; i++)
        status = nmc_lowering_emit(l, fragment);
    return status;
}

static neuromc_status differ_times(struct nmc_lowering *l, int rule,
                                   const struct nmc_fragment *runtime,
                                   const struct nmc_fragment *corrected, int64_t times) {
    struct nmc_fragment copies[2] = {runtime ? *runtime : *corrected,
                                     corrected ? *corrected : *runtime};
    copies[0].times = copies[1].times = times;
    if (!times)
        return NEUROMC_OK;
    return nmc_lowering_differ(l, rule, runtime ? &copies[0] : NULL, corrected ? &copies[1] : NULL);
}

static neuromc_status explain_unit(struct nmc_lowering *l, const struct nmc_unit_count *counted,
                                   bool in_runtime) {
    const struct nmc_unit *unit = &counted->unit;
    int64_t left = counted->total - counted->claimed;
    if (!in_runtime)
        return differ_times(l, unit->has_runtime ? NMC_RULE_ONCE : NMC_RULE_MORE, NULL,
                            &unit->corrected, left);
    neuromc_status status = differ_times(l, NMC_RULE_ONCE, &unit->runtime, NULL, counted->claimed);
    if (!status && !nmc_lowering_same(&unit->runtime, &unit->corrected))
        status = differ_times(l, unit->rule, &unit->runtime, &unit->corrected, left);
    return status;
}

/* What is left of an operator after the calls took theirs stands in the coverage, once. */
static neuromc_status cover_unit(struct nmc_lowering *l, const struct nmc_unit_count *counted,
                                 int64_t costed) {
    const struct nmc_unit *unit = &counted->unit;
    int64_t left = counted->total - counted->claimed;
    bool modelled = !l->runtime || unit->has_runtime;
    int64_t calls = modelled ? costed : left;
    neuromc_status status = NEUROMC_OK;
    for (int64_t i = 0; i < calls && unit->first && !status; i++)
        status = nmc_lowering_cover(l, unit->corrected.op,
                                    modelled ? NMC_COVER_COSTED : NMC_COVER_UNMODELLED,
                                    unit->corrected.output_elements);
    return status;
}

static neuromc_status finish_unit(void *user, const struct nmc_unit_count *counted) {
    struct nmc_lowering *l = user;
    const struct nmc_unit *unit = &counted->unit;
    bool in_runtime = runtime_counts(l, unit);
    int64_t left = counted->total - counted->claimed;
    int64_t times = !l->runtime ? left : in_runtime ? counted->total : 0;
    neuromc_status status = emit_times(l, l->runtime ? &unit->runtime : &unit->corrected, times);
    if (!status)
        status = cover_unit(l, counted, times);
    if (!status)
        status = explain_unit(l, counted, in_runtime);
    return status;
}

/* ---- what is refused ---------------------------------------------------------------------- */

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_refused(const struct nmc_lowering *l, enum nmc_aten_kind kind) {
    switch (kind) {
    case NMC_ATEN_UNKNOWN: return true;
    case NMC_ATEN_CONVOLUTION_BACKWARD:
    case NMC_ATEN_BATCH_NORM_MORE:
    case NMC_ATEN_BATCH_NORM_BACKWARD_MORE:
    case NMC_ATEN_BMM_MORE:
    case NMC_ATEN_MV_MORE:
    case NMC_ATEN_DOT_MORE: return l->runtime;
    default: return false;
    }
}

/* "aten.relu.default (calls=3)", ... sorted as the reference sorts them, the first thirty. */
static neuromc_status list_refused(const struct nmc_lowering *l, struct nmc_arena *arena,
                                   struct nmc_strbuf *out) {
    enum { SHOWN = 30 };
    char **items = nmc_arena_array(arena, l->op_count, sizeof *items);
    size_t count = 0;
    if (!items)
        return nmc_out_of_memory(l->diags);
    for (size_t i = 0; i < l->op_count; i++)
        if (is_refused(l, l->ops[i].op->aten))
            items[count++] = nmc_arena_printf(arena, "%s (calls=%lld)", l->ops[i].op->text,
                                              (long long)l->ops[i].calls);
    if (arena->failed)
        return nmc_out_of_memory(l->diags);
    qsort(items, count, sizeof *items, by_text);
    for (size_t i = 0; i < count && i < SHOWN; i++)
        nmc_strbuf_printf(out, i ? ", %s" : "%s", items[i]);
    return out->failed ? nmc_out_of_memory(l->diags) : NEUROMC_OK;
}

static neuromc_status report_refused(struct nmc_lowering *l, const char *list) {
    if (!*list)
        return NEUROMC_OK;
    if (l->strict)
        return nmc_trace_error(
            l->trace, NEUROMC_UNSUPPORTED, NULL, "without --strict they are listed and not counted",
            l->runtime ? "Exact NeuroMC runtime does not support these aten ops: %s"
                       : "these aten ops are not modelled: %s",
            list);
    if (!l->runtime)
        return NEUROMC_OK; /* coverage lists them */
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    nmc_strbuf_printf(&text, "the reference does not support these aten ops: %s", list);
    neuromc_status status =
        text.failed ? nmc_out_of_memory(l->diags) : l->sink->warning(l->sink->user, text.text);
    nmc_strbuf_release(&text);
    return status;
}

static neuromc_status check_refused(struct nmc_lowering *l) {
    struct nmc_arena arena;
    struct nmc_strbuf list;
    nmc_arena_init(&arena, NMC_LIMIT_MODEL_BYTES);
    nmc_strbuf_init(&list);
    neuromc_status status = list_refused(l, &arena, &list);
    if (!status)
        status = report_refused(l, list.text);
    nmc_strbuf_release(&list);
    nmc_arena_release(&arena);
    return status;
}

neuromc_status nmc_lowering_finish(struct nmc_lowering *l) {
    neuromc_status status = check_refused(l);
    if (!status)
        status = nmc_units_each(&l->units, finish_unit, l);
    if (status || l->any)
        return status;
    return nmc_trace_error(l->trace, NEUROMC_UNSUPPORTED, NULL, NULL,
                           "no event of this trace is work that can be counted");
}
