#include "frontends/json_doc.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/strbuf.h"

/* ---- errors ------------------------------------------------------------------------------- */

static void put_path(struct nmc_strbuf *out, const struct nmc_doc_key *key) {
    if (!key)
        return;
    put_path(out, key->up);
    if (!key->name)
        nmc_strbuf_printf(out, "[%zu]", key->index);
    else
        nmc_strbuf_printf(out, out->length ? ".%s" : "%s", key->name);
}

static struct nmc_place place_at(const struct nmc_doc *doc, const char *at) {
    struct nmc_place place = {.file = doc->file, .line = 1, .column = 1};
    for (const char *c = doc->text; c < at; c++) {
        if (*c == '\n' && place.line < INT_MAX) {
            place.line++;
            place.column = 0;
        }
        if (place.column < INT_MAX)
            place.column++;
    }
    return place;
}

neuromc_status nmc_doc_error(struct nmc_doc *doc, const struct nmc_doc_key *key, const char *at,
                             const char *hint, const char *format, ...) {
    struct nmc_strbuf path, message;
    nmc_strbuf_init(&path);
    nmc_strbuf_init(&message);
    put_path(&path, key);
    va_list args;
    va_start(args, format);
    nmc_strbuf_vprintf(&message, format, args);
    va_end(args);
    struct nmc_place place = place_at(doc, at);
    place.where = path.length ? path.text : NULL;
    nmc_error(doc->diags, NEUROMC_BAD_INPUT, place, hint, "%s", message.text);
    nmc_strbuf_release(&path);
    nmc_strbuf_release(&message);
    return NEUROMC_BAD_INPUT;
}

neuromc_status nmc_doc_expect(struct nmc_doc *doc, const struct nmc_doc_key *key, const char *at,
                              enum nmc_scan_kind kind) {
    enum nmc_scan_kind got = nmc_scan_kind(at);
    if (got == kind)
        return NEUROMC_OK;
    return nmc_doc_error(doc, key, at, NULL, "expected %s, got %s", nmc_scan_kind_names[kind],
                         nmc_scan_kind_names[got]);
}

/* ---- the document ------------------------------------------------------------------------- */

static neuromc_status check(struct nmc_doc *doc, size_t length) {
    struct nmc_scan_members members;
    const char *at;
    const char *wrong = nmc_scan_check(doc->text, length, &members, &at);
    return wrong ? nmc_doc_error(doc, NULL, at, NULL, "not JSON: %s", wrong) : NEUROMC_OK;
}

/* A copy of the file, with the NUL that scanning needs. */
static neuromc_status take(struct nmc_doc *doc, const struct nmc_file *file) {
    char *text = nmc_malloc(file->size + 1);
    if (!text)
        return nmc_out_of_memory(doc->diags);
    if (file->size)
        memcpy(text, file->data, file->size);
    text[file->size] = 0;
    doc->text = text;
    return check(doc, file->size);
}

neuromc_status nmc_doc_open_peeked(struct nmc_doc *doc, const char *path,
                                   const struct nmc_peek *peek, size_t cap, neuromc_diags *diags) {
    struct nmc_file file;
    *doc =
        (struct nmc_doc){.file = strcmp(path, "-") == 0 ? "standard input" : path, .diags = diags};
    nmc_arena_init(&doc->arena, cap);
    neuromc_status status = nmc_file_open_peeked(&file, path, peek, cap, diags);
    if (status != NEUROMC_OK)
        return status;
    if (file.size > cap)
        status = nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = doc->file}, NULL,
                           "longer than %zu bytes", cap);
    else
        status = take(doc, &file);
    nmc_file_close(&file);
    return status;
}

neuromc_status nmc_doc_open(struct nmc_doc *doc, const char *path, size_t cap,
                            neuromc_diags *diags) {
    return nmc_doc_open_peeked(doc, path, NULL, cap, diags);
}

void nmc_doc_release(struct nmc_doc *doc) {
    nmc_arena_release(&doc->arena);
    nmc_free(doc->text);
    doc->text = NULL;
}

/* ---- values ------------------------------------------------------------------------------- */

static int find_field(const struct nmc_doc_field *fields, int count, struct nmc_scan_span name) {
    for (int i = 0; i < count; i++)
        if (nmc_scan_equals(name, fields[i].name, strlen(fields[i].name)))
            return i;
    return -1;
}

static neuromc_status read_member(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                  const char **at, const struct nmc_doc_field *fields, int count,
                                  unsigned *seen, void *out) {
    const char *start = *at;
    int f = find_field(fields, count, nmc_scan_key(at));
    if (f < 0) {
        *at = nmc_scan_skip(*at);
        return NEUROMC_OK;
    }
    struct nmc_doc_key inner = {.up = key, .name = fields[f].name};
    if (*seen & 1u << f)
        return nmc_doc_error(doc, &inner, start, NULL, "the key is there twice");
    *seen |= 1u << f;
    return fields[f].read(doc, &inner, at, (char *)out + fields[f].offset);
}

neuromc_status nmc_doc_object(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                              const struct nmc_doc_field *fields, int count, void *out) {
    const char *start = *at;
    unsigned seen = 0;
    neuromc_status status = nmc_doc_expect(doc, key, start, NMC_SCAN_OBJECT);
    if (status != NEUROMC_OK)
        return status;
    for (bool more = nmc_scan_enter(at); more; more = nmc_scan_next(at)) {
        status = read_member(doc, key, at, fields, count, &seen, out);
        if (status != NEUROMC_OK)
            return status;
    }
    for (int f = 0; f < count; f++)
        if (fields[f].required && !(seen & 1u << f))
            return nmc_doc_error(doc, &(struct nmc_doc_key){.up = key, .name = fields[f].name},
                                 start, NULL, "missing");
    return NEUROMC_OK;
}

static neuromc_status integer(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                              int64_t least, int64_t *value) {
    const char *start = *at;
    neuromc_status status = nmc_doc_expect(doc, key, start, NMC_SCAN_NUMBER);
    if (status != NEUROMC_OK)
        return status;
    struct nmc_scan_span span = nmc_scan_take(at);
    if (!nmc_integer_parse(span.start, span.length, value) || *value < least)
        return nmc_doc_error(doc, key, start, NULL,
                             "expected an integer from %d to 2^63 - 1, got %.*s", (int)least,
                             span.length > 40 ? 40 : (int)span.length, span.start);
    return NEUROMC_OK;
}

neuromc_status nmc_doc_positive(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                                void *out) {
    return integer(doc, key, at, 1, out);
}

neuromc_status nmc_doc_count(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                             void *out) {
    return integer(doc, key, at, 0, out);
}

neuromc_status nmc_doc_real(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                            void *out) {
    const char *start = *at;
    double *value = out;
    neuromc_status status = nmc_doc_expect(doc, key, start, NMC_SCAN_NUMBER);
    if (status != NEUROMC_OK)
        return status;
    struct nmc_scan_span span = nmc_scan_take(at);
    if (!nmc_number_parse(span.start, span.length, value) || !isfinite(*value) || *value < 0)
        return nmc_doc_error(doc, key, start, NULL,
                             "expected a finite number, at least 0, got %.*s",
                             span.length > 40 ? 40 : (int)span.length, span.start);
    return NEUROMC_OK;
}

neuromc_status nmc_doc_text(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                            void *out) {
    const char *start = *at;
    neuromc_status status = nmc_doc_expect(doc, key, start, NMC_SCAN_TEXT);
    if (status != NEUROMC_OK)
        return status;
    struct nmc_scan_span span = nmc_scan_take(at);
    char *text = nmc_arena_alloc(&doc->arena, span.length + 1);
    if (!text)
        return nmc_out_of_memory(doc->diags);
    if (!nmc_scan_unescape(span, text))
        return nmc_doc_error(doc, key, start, NULL, "a NUL or half a character in a string");
    *(const char **)out = text;
    return NEUROMC_OK;
}

neuromc_status nmc_doc_place(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                             void *out) {
    (void)doc;
    (void)key;
    *(const char **)out = *at;
    *at = nmc_scan_skip(*at);
    return NEUROMC_OK;
}
