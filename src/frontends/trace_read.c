/* Objects by tables of fields, scalars, names; and the errors that walk the key path. */
#include "frontends/trace_read.h"

#include <limits.h>
#include <string.h>

#include "base/number.h"
#include "base/strbuf.h"

/* ---- errors ------------------------------------------------------------------------------- */

static void put_path(struct nmc_strbuf *out, const struct nmc_trace_key *key) {
    if (!key)
        return;
    put_path(out, key->up);
    if (!key->name)
        nmc_strbuf_printf(out, "[%zu]", key->index);
    else
        nmc_strbuf_printf(out, out->length ? ".%s" : "%s", key->name);
}

/* At the end of the trace no line is to blame. */
static struct nmc_place place_at(const struct nmc_trace *trace, const char *at) {
    struct nmc_place place = {.file = trace->lines.name};
    if (!trace->line)
        return place;
    size_t line = trace->lines.number;
    place.line = line > INT_MAX ? INT_MAX : (int)line;
    place.column = at ? (int)(at - trace->line) + 1 : 0;
    return place;
}

static neuromc_status error_at(struct nmc_trace *trace, neuromc_status status,
                               struct nmc_place place, const char *hint, const char *format,
                               va_list args) {
    struct nmc_strbuf message;
    nmc_strbuf_init(&message);
    nmc_strbuf_vprintf(&message, format, args);
    nmc_error(trace->diags, status, place, hint, "%s", message.text);
    nmc_strbuf_release(&message);
    return status;
}

neuromc_status nmc_trace_read_error(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                    const char *at, const char *hint, const char *format, ...) {
    struct nmc_strbuf path;
    nmc_strbuf_init(&path);
    put_path(&path, key);
    struct nmc_place place = place_at(trace, at);
    place.where = path.length ? path.text : NULL;
    va_list args;
    va_start(args, format);
    error_at(trace, NEUROMC_BAD_INPUT, place, hint, format, args);
    va_end(args);
    nmc_strbuf_release(&path);
    return NEUROMC_BAD_INPUT;
}

neuromc_status nmc_trace_error(struct nmc_trace *trace, neuromc_status status, const char *where,
                               const char *hint, const char *format, ...) {
    struct nmc_place place = place_at(trace, NULL);
    place.where = where;
    va_list args;
    va_start(args, format);
    error_at(trace, status, place, hint, format, args);
    va_end(args);
    return status;
}

void nmc_trace_read_warning(struct nmc_trace *trace, const char *where, const char *hint,
                            const char *format, ...) {
    struct nmc_strbuf message;
    nmc_strbuf_init(&message);
    va_list args;
    va_start(args, format);
    nmc_strbuf_vprintf(&message, format, args);
    va_end(args);
    struct nmc_place place = place_at(trace, NULL);
    place.where = where;
    nmc_warning(trace->diags, place, hint, "%s", message.text);
    nmc_strbuf_release(&message);
}

neuromc_status nmc_trace_read_expect(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     const char *at, enum nmc_scan_kind kind) {
    enum nmc_scan_kind got = nmc_scan_kind(at);
    if (got == kind)
        return NEUROMC_OK;
    return nmc_trace_read_error(trace, key, at, NULL, "expected %s, got %s",
                                nmc_scan_kind_names[kind], nmc_scan_kind_names[got]);
}

/* ---- objects ------------------------------------------------------------------------------ */

static const struct nmc_trace_field *find_field(const struct nmc_trace_field *fields, int count,
                                                struct nmc_scan_span name) {
    for (int i = 0; i < count; i++)
        if (nmc_scan_equals(name, fields[i].name, fields[i].length))
            return &fields[i];
    return NULL;
}

static neuromc_status check_required(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     const char *at, const struct nmc_trace_field *fields,
                                     int count, unsigned seen) {
    for (int i = 0; i < count; i++)
        if (fields[i].required && !(seen & 1u << i))
            return nmc_trace_read_error(trace,
                                        &(struct nmc_trace_key){.up = key, .name = fields[i].name},
                                        at, NULL, "missing");
    return NEUROMC_OK;
}

/* One key and its value at *at, if the key is known. */
static neuromc_status read_member(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                  struct nmc_scan_span name, const char **at,
                                  const struct nmc_trace_field *fields, int count, unsigned *seen,
                                  void *out) {
    const struct nmc_trace_field *field = find_field(fields, count, name);
    if (!field) {
        *at = nmc_scan_skip(*at);
        return NEUROMC_OK;
    }
    struct nmc_trace_key inner = {.up = key, .name = field->name};
    unsigned bit = 1u << (field - fields);
    if (*seen & bit)
        return nmc_trace_read_error(trace, &inner, name.start - 1, NULL, "the key is there twice");
    *seen |= bit;
    return field->read(trace, &inner, at, (char *)out + field->offset);
}

neuromc_status nmc_trace_read_object(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     const char **at, const struct nmc_trace_field *fields,
                                     int count, void *out) {
    const char *start = *at;
    neuromc_status status = nmc_trace_read_expect(trace, key, start, NMC_SCAN_OBJECT);
    if (status)
        return status;
    unsigned seen = 0;
    for (bool more = nmc_scan_enter(at); more; more = nmc_scan_next(at)) {
        struct nmc_scan_span name = nmc_scan_key(at);
        status = read_member(trace, key, name, at, fields, count, &seen, out);
        if (status)
            return status;
    }
    return check_required(trace, key, start, fields, count, seen);
}

neuromc_status nmc_trace_read_line(struct nmc_trace *trace, const struct nmc_trace_field *fields,
                                   int count, void *out) {
    unsigned seen = 0;
    for (size_t i = 0; i < trace->members.count; i++) {
        const char *key = trace->members.items[i].key, *at = trace->members.items[i].value;
        struct nmc_scan_span name = nmc_scan_take(&key);
        neuromc_status status = read_member(trace, NULL, name, &at, fields, count, &seen, out);
        if (status)
            return status;
    }
    return check_required(trace, NULL, NULL, fields, count, seen);
}

/* ---- scalars ------------------------------------------------------------------------------ */

neuromc_status nmc_trace_read_place(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                    const char **at, void *out) {
    (void)trace;
    (void)key;
    *(const char **)out = *at;
    *at = nmc_scan_skip(*at);
    return NEUROMC_OK;
}

neuromc_status nmc_trace_read_bool(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                   const char **at, void *out) {
    *(bool *)out = **at == 't';
    neuromc_status status = nmc_trace_read_expect(trace, key, *at, NMC_SCAN_BOOL);
    *at = nmc_scan_skip(*at);
    return status;
}

neuromc_status nmc_trace_read_count(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                    const char **at, void *out) {
    const char *start = *at;
    neuromc_status status = nmc_trace_read_expect(trace, key, start, NMC_SCAN_NUMBER);
    if (status)
        return status;
    struct nmc_scan_span span = nmc_scan_take(at);
    int64_t value = 0;
    int shown = span.length > 40 ? 40 : (int)span.length;
    if (memchr(span.start, '.', span.length) || memchr(span.start, 'e', span.length) ||
        memchr(span.start, 'E', span.length))
        return nmc_trace_read_error(trace, key, start, NULL, "expected an integer, got %.*s", shown,
                                    span.start);
    if (*span.start == '-' && span.start[1] != '0')
        return nmc_trace_read_error(trace, key, start, NULL, "must not be negative, got %.*s",
                                    shown, span.start);
    if (!nmc_integer_parse(span.start, span.length, &value))
        return nmc_trace_read_error(trace, key, start, NULL, "%.*s is too large; the limit is %lld",
                                    shown, span.start, (long long)INT64_MAX);
    *(int64_t *)out = value;
    return NEUROMC_OK;
}

neuromc_status nmc_trace_read_real(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                   const char **at, void *out) {
    const char *start = *at;
    neuromc_status status = nmc_trace_read_expect(trace, key, start, NMC_SCAN_NUMBER);
    if (status)
        return status;
    struct nmc_scan_span span = nmc_scan_take(at);
    if (!nmc_number_parse(span.start, span.length, out))
        return nmc_trace_read_error(trace, key, start, NULL, "the number is out of range");
    return NEUROMC_OK;
}

neuromc_status nmc_trace_read_text(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                   const char **at, void *out) {
    neuromc_status status = nmc_trace_read_expect(trace, key, *at, NMC_SCAN_TEXT);
    if (!status)
        *(struct nmc_scan_span *)out = nmc_scan_take(at);
    return status;
}

/* ---- names -------------------------------------------------------------------------------- */

neuromc_status nmc_trace_read_string(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     struct nmc_scan_span span, struct nmc_arena *arena,
                                     const char **out) {
    char *text = nmc_arena_alloc(arena, span.length + 1);
    if (!text)
        return nmc_out_of_memory(trace->diags);
    *out = text;
    if (!span.escaped)
        memcpy(text, span.start, span.length);
    else if (!nmc_scan_unescape(span, text))
        return nmc_trace_read_error(trace, key, span.start - 1, NULL,
                                    "holds a NUL or half of a surrogate pair");
    return NEUROMC_OK;
}

static struct nmc_trace_name *add_name(struct nmc_trace *trace, struct nmc_strmap *map,
                                       const char *text) {
    struct nmc_trace_name *name = nmc_arena_alloc(&trace->names, sizeof *name);
    const char *copy = nmc_arena_strdup(&trace->names, text);
    if (!name || !copy || !nmc_strmap_put(map, copy, name))
        return NULL;
    name->text = copy;
    name->id = (uint32_t)map->count - 1;
    return name;
}

neuromc_status nmc_trace_read_intern(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     struct nmc_strmap *map, struct nmc_scan_span span,
                                     struct nmc_trace_name **out, bool *added) {
    char plain[256]; /* nearly every name fits, and most were seen before */
    const char *text = plain;
    if (!span.escaped && span.length < sizeof plain) {
        memcpy(plain, span.start, span.length);
        plain[span.length] = 0;
    } else {
        neuromc_status status = nmc_trace_read_string(trace, key, span, &trace->scratch, &text);
        if (status)
            return status;
    }
    *out = nmc_strmap_get(map, text);
    *added = !*out;
    if (*added)
        *out = add_name(trace, map, text);
    return *out ? NEUROMC_OK : nmc_out_of_memory(trace->diags);
}
