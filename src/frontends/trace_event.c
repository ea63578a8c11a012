/* One line of a trace becomes an event: finds the top-level keys, then reads those it needs. */
#include <string.h>

#include "base/limits.h"
#include "frontends/trace_read.h"

/* Where the values of the known keys are; NULL if a key is not there. */
struct places {
    const char *event, *stage, *op, *args, *out, *module;
    const char *input, *output, *grad_input, *grad_output, *optimizer, *groups;
};

static neuromc_status note_place(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                 const char **at, void *out) {
    (void)trace;
    (void)key;
    *(const char **)out = *at;
    return NEUROMC_OK;
}

static neuromc_status find_places(struct nmc_trace *trace, struct places *out) {
#define PLACE(name) NMC_TRACE_FIELD(#name, note_place, struct places, name, false)
    static const struct nmc_trace_field fields[] = {
        PLACE(event),  PLACE(stage),      PLACE(op),          PLACE(args),
        PLACE(out),    PLACE(module),     PLACE(input),       PLACE(output),
        PLACE(groups), PLACE(grad_input), PLACE(grad_output), PLACE(optimizer),
    };
#undef PLACE
    *out = (struct places){0};
    return nmc_trace_read_line(trace, fields, sizeof fields / sizeof *fields, out);
}

/* Reads the value of a top-level key, which must be there. */
static neuromc_status read_key(struct nmc_trace *trace, const char *name, const char *at,
                               nmc_trace_read *read, void *out) {
    struct nmc_trace_key key = {.name = name};
    if (!at)
        return nmc_trace_read_error(trace, &key, NULL, NULL, "missing");
    return read(trace, &key, &at, out);
}

static neuromc_status read_name(struct nmc_trace *trace, const char *key, const char *at,
                                struct nmc_strmap *map, struct nmc_trace_name **out, bool *added) {
    struct nmc_scan_span span = {0};
    neuromc_status status = read_key(trace, key, at, nmc_trace_read_text, &span);
    if (status)
        return status;
    return nmc_trace_read_intern(trace, &(struct nmc_trace_key){.name = key}, map, span, out,
                                 added);
}

static enum nmc_aten_kind classify(const char *op) {
    static const struct {
        const char *name;
        size_t compared; /* a prefix, or the name with its NUL */
        enum nmc_aten_kind kind;
    } rows[] = {
#define ATEN(name, kind)    {name, sizeof(name), NMC_ATEN_##kind},
#define PREFIX(start, kind) {start, sizeof(start) - 1, NMC_ATEN_##kind},
#include "frontends/trace_aten.def"
#undef ATEN
#undef PREFIX
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(op, rows[i].name, rows[i].compared) == 0)
            return rows[i].kind;
    return NMC_ATEN_UNKNOWN;
}

static neuromc_status read_aten(struct nmc_trace *trace, const struct places *at,
                                struct nmc_trace_event *event) {
    struct nmc_trace_name *op;
    bool added;
    neuromc_status status = read_name(trace, "op", at->op, &trace->operators, &op, &added);
    if (status)
        return status;
    if (added)
        op->aten = classify(op->text);
    event->op = op;
    /* What is not needed must still be there, as the format says. */
    const char *ignored;
    if (op->aten == NMC_ATEN_FREE || op->aten == NMC_ATEN_UNKNOWN)
        status = read_key(trace, "args", at->args, note_place, &ignored);
    else
        status = read_key(trace, "args", at->args, nmc_trace_read_args, &event->args);
    if (status)
        return status;
    if (op->aten == NMC_ATEN_FREE)
        return read_key(trace, "out", at->out, note_place, &ignored);
    return read_key(trace, "out", at->out, nmc_trace_read_value, &event->out);
}

static neuromc_status read_forward(struct nmc_trace *trace, const struct places *at,
                                   struct nmc_trace_event *event) {
    neuromc_status status =
        read_key(trace, "module", at->module, nmc_trace_read_module, &event->module);
    if (!status)
        status = read_key(trace, "input", at->input, nmc_trace_read_tensor, &event->input);
    if (!status)
        status = read_key(trace, "output", at->output, nmc_trace_read_tensor, &event->output);
    const struct nmc_trace_module *module = &event->module;
    if (!status)
        status = nmc_trace_check_features(trace, "input", module, &event->input, module->in);
    return status ? status
                  : nmc_trace_check_features(trace, "output", module, &event->output, module->out);
}

static neuromc_status read_backward(struct nmc_trace *trace, const struct places *at,
                                    struct nmc_trace_event *event) {
    neuromc_status status =
        read_key(trace, "module", at->module, nmc_trace_read_module, &event->module);
    if (!status)
        status = read_key(trace, "grad_input", at->grad_input, nmc_trace_read_tensor,
                          &event->grad_input);
    if (!status)
        status = read_key(trace, "grad_output", at->grad_output, nmc_trace_read_tensor,
                          &event->grad_output);
    const struct nmc_trace_module *module = &event->module;
    if (!status)
        status =
            nmc_trace_check_features(trace, "grad_input", module, &event->grad_input, module->in);
    return status ? status
                  : nmc_trace_check_features(trace, "grad_output", module, &event->grad_output,
                                             module->out);
}

static neuromc_status read_step(struct nmc_trace *trace, const struct places *at,
                                struct nmc_trace_event *event) {
    struct nmc_scan_span span = {0};
    struct nmc_trace_key key = {.name = "optimizer"};
    neuromc_status status = read_key(trace, key.name, at->optimizer, nmc_trace_read_text, &span);
    if (!status)
        status = nmc_trace_read_string(trace, &key, span, &trace->scratch, &event->optimizer);
    if (!status)
        status = read_key(trace, "groups", at->groups, nmc_trace_read_groups, event);
    return status;
}

/* Unknown events are warned of once per name, and a few names at most. */
static neuromc_status unknown_event(struct nmc_trace *trace, struct nmc_scan_span span) {
    static const char hint[] = "known are module.forward, module.backward, aten and optimizer.step";
    struct nmc_trace_key key = {.name = "event"};
    struct nmc_trace_name *name;
    bool added;
    if (trace->unknown_events.count >= NMC_LIMIT_UNKNOWN_EVENTS && !trace->strict)
        return NEUROMC_OK;
    neuromc_status status =
        nmc_trace_read_intern(trace, &key, &trace->unknown_events, span, &name, &added);
    if (status)
        return status;
    if (trace->strict)
        return nmc_trace_error(trace, NEUROMC_UNSUPPORTED, "event", hint, "unknown event \"%.80s\"",
                               name->text);
    if (added)
        nmc_trace_read_warning(trace, "event", hint, "unknown event \"%.80s\" ignored", name->text);
    return NEUROMC_OK;
}

typedef neuromc_status read_event(struct nmc_trace *, const struct places *,
                                  struct nmc_trace_event *);

neuromc_status nmc_trace_read_event(struct nmc_trace *trace, struct nmc_trace_event *event,
                                    bool *known) {
    static const struct {
        const char *name;
        size_t length;
        read_event *read;
    } kinds[] = {
        [NMC_TRACE_FORWARD] = {"module.forward", 14, read_forward},
        [NMC_TRACE_BACKWARD] = {"module.backward", 15, read_backward},
        [NMC_TRACE_ATEN] = {"aten", 4, read_aten},
        [NMC_TRACE_STEP] = {"optimizer.step", 14, read_step},
    };
    struct places at;
    struct nmc_scan_span kind = {0};
    neuromc_status status = find_places(trace, &at);
    if (!status)
        status = read_key(trace, "event", at.event, nmc_trace_read_text, &kind);
    if (status)
        return status;
    *event = (struct nmc_trace_event){0};
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++) {
        if (!nmc_scan_equals(kind, kinds[i].name, kinds[i].length))
            continue;
        struct nmc_trace_name *stage;
        bool added;
        *known = true;
        event->kind = (enum nmc_trace_kind)i;
        status = read_name(trace, "stage", at.stage, &trace->stages, &stage, &added);
        if (status)
            return status;
        event->stage = stage;
        return kinds[i].read(trace, &at, event);
    }
    *known = false;
    return unknown_event(trace, kind);
}
