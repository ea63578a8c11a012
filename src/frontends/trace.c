/* Opens a trace, reads its header, hands out its events. */
#include "frontends/trace.h"

#include <string.h>

#include "base/limits.h"
#include "base/memory.h"
#include "frontends/trace_read.h"

/* The next line that is not blank, checked as JSON; *text NULL at the end. */
static neuromc_status next_line(struct nmc_trace *trace, char **text) {
    size_t length = 0;
    do {
        trace->line = NULL;
        neuromc_status status = nmc_lines_next(&trace->lines, text, &length, trace->diags);
        if (status || !*text)
            return status;
    } while (nmc_scan_blanks(*text) == *text + length);
    trace->line = *text;
    const char *at;
    const char *wrong = nmc_scan_check(*text, length, &trace->members, &at);
    if (!wrong)
        return NEUROMC_OK;
    return nmc_trace_read_error(trace, NULL, at, NULL, "not JSON: %s", wrong);
}

/* ---- the header --------------------------------------------------------------------------- */

struct header_keys {
    struct nmc_scan_span format, producer, core_type;
    int64_t version;
};

static const char *header_text(struct nmc_trace *trace, const char *name, struct nmc_scan_span span,
                               const char *absent, neuromc_status *status) {
    const char *text = absent;
    if (!*status && span.start)
        *status = nmc_trace_read_string(trace, &(struct nmc_trace_key){.name = name}, span,
                                        &trace->names, &text);
    return text;
}

static neuromc_status read_header(struct nmc_trace *trace) {
    static const struct nmc_trace_field fields[] = {
        NMC_TRACE_FIELD("format", nmc_trace_read_text, struct header_keys, format, true),
        NMC_TRACE_FIELD("version", nmc_trace_read_count, struct header_keys, version, true),
        NMC_TRACE_FIELD("producer", nmc_trace_read_text, struct header_keys, producer, false),
        NMC_TRACE_FIELD("core_type", nmc_trace_read_text, struct header_keys, core_type, false),
    };
    static const char format[] = "neuromc-trace";
    struct header_keys keys = {0};
    char *line;
    neuromc_status status = next_line(trace, &line);
    if (status)
        return status;
    if (!line)
        return nmc_trace_read_error(
            trace, NULL, NULL, "the first line is {\"format\": \"neuromc-trace\", \"version\": 1}",
            "the trace is empty");
    status = nmc_trace_read_line(trace, fields, 4, &keys);
    if (status)
        return status;
    if (!nmc_scan_equals(keys.format, format, sizeof format - 1))
        return nmc_trace_read_error(trace, &(struct nmc_trace_key){.name = "format"},
                                    keys.format.start - 1, NULL, "expected \"%s\"", format);
    if (keys.version != 1)
        return nmc_trace_read_error(trace, &(struct nmc_trace_key){.name = "version"}, NULL, NULL,
                                    "version %lld is not known; this program reads version 1",
                                    (long long)keys.version);
    trace->header.producer = header_text(trace, "producer", keys.producer, "", &status);
    trace->header.core_type = header_text(trace, "core_type", keys.core_type, "fp_soma", &status);
    return status;
}

/* ---- the stream --------------------------------------------------------------------------- */

neuromc_status nmc_trace_open(struct nmc_trace **out, const char *path, const struct nmc_peek *peek,
                              bool strict, neuromc_diags *diags) {
    *out = NULL;
    struct nmc_trace *trace = nmc_malloc(sizeof *trace);
    if (!trace)
        return nmc_out_of_memory(diags);
    *trace = (struct nmc_trace){.strict = strict, .diags = diags};
    nmc_arena_init(&trace->names, NMC_LIMIT_MODEL_BYTES);
    nmc_arena_init(&trace->scratch, NMC_LIMIT_TRACE_EVENT_BYTES);
    neuromc_status status = nmc_lines_open(&trace->lines, path, peek, diags);
    if (!status)
        status = read_header(trace);
    if (status) {
        nmc_trace_close(trace);
        return status;
    }
    *out = trace;
    return NEUROMC_OK;
}

void nmc_trace_close(struct nmc_trace *trace) {
    if (!trace)
        return;
    nmc_lines_close(&trace->lines);
    nmc_strmap_release(&trace->stages);
    nmc_strmap_release(&trace->operators);
    nmc_strmap_release(&trace->modules);
    nmc_strmap_release(&trace->unknown_events);
    nmc_arena_release(&trace->scratch);
    nmc_arena_release(&trace->names);
    nmc_free(trace);
}

const struct nmc_trace_header *nmc_trace_header(const struct nmc_trace *trace) {
    return &trace->header;
}

neuromc_status nmc_trace_no_memory(struct nmc_trace *trace) {
    return nmc_out_of_memory(trace->diags);
}

neuromc_status nmc_trace_next(struct nmc_trace *trace, const struct nmc_trace_event **event) {
    *event = NULL;
    bool known = false;
    do {
        char *line;
        neuromc_status status = next_line(trace, &line);
        if (status || !line)
            return status;
        if (trace->scratch.head)
            nmc_arena_release(&trace->scratch);
        status = nmc_trace_read_event(trace, &trace->event, &known);
        if (status)
            return status;
    } while (!known);
    *event = &trace->event;
    return NEUROMC_OK;
}
