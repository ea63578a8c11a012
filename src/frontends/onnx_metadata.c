#include "frontends/onnx_metadata.h"

#include <inttypes.h>
#include <string.h>

#include "base/diag.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/sink.h"
#include "base/utf8.h"
#include "frontends/onnx_outside_walk.h"

/* ONNX's published field numbers. */
enum { MODEL_METADATA = 14, NODE_METADATA = 9, ENTRY_KEY = 1, ENTRY_VALUE = 2 };

enum { AT_ONCE = 1 << 20 }; /* bytes that are copied before their pages are let go */

/* A message that holds nodes somewhere, or is one. */
struct frame {
    enum nmc_holder kind;
    size_t from, end; /* its bytes in the file */
    unsigned number;  /* its field in the message around */
    size_t size;      /* index of its new length */
};

/* Two passes over the same messages: the first finds their new lengths, the second writes. */
struct copying {
    const struct nmc_file *file;
    const char *name;
    const struct nmc_metadata_source *source;
    neuromc_diags *diags;
    struct nmc_wire wire;
    struct frame frames[NMC_LIMIT_PROTO_DEPTH];
    int depth;
    uint64_t *sizes; /* of messages, in the order in which they start */
    size_t size_count, size_capacity;
    size_t started;   /* messages so far in this pass */
    uint64_t written; /* bytes */
    struct nmc_metadata metadata;
    struct nmc_sink *sink; /* NULL in the first pass */
};

/* ---- bytes ---- */

static size_t put_varint(struct nmc_strbuf *out, uint64_t value) {
    unsigned char bytes[NMC_WIRE_VARINT_SIZE];
    size_t size = nmc_wire_put_varint(bytes, value);
    if (out)
        nmc_strbuf_add(out, (const char *)bytes, size);
    return size;
}

/* Tag and length of a bytes field; out may be NULL. */
static size_t put_head(struct nmc_strbuf *out, unsigned number, uint64_t length) {
    size_t size = put_varint(out, (uint64_t)number << 3 | NMC_WIRE_BYTES);
    return size + put_varint(out, length);
}

/* Readers of protobuf insist on UTF-8, which names in files need not be. */
static void put_text(struct nmc_strbuf *out, const char *text, size_t length) {
    if (nmc_utf8_valid(text, length)) {
        nmc_strbuf_add(out, text, length);
        return;
    }
    for (const char *end = text + length; text < end;) {
        size_t width = nmc_utf8_width((const unsigned char *)text);
        nmc_strbuf_add(out, width ? text : "?", width ? width : 1);
        text += width ? width : 1;
    }
}

void nmc_metadata_put(struct nmc_metadata *metadata, const char *key, const char *value) {
    const size_t key_length = strlen(key), value_length = strlen(value);
    struct nmc_strbuf *out = &metadata->bytes;
    put_head(out, metadata->field,
             put_head(NULL, ENTRY_KEY, key_length) + key_length +
                 put_head(NULL, ENTRY_VALUE, value_length) + value_length);
    put_head(out, ENTRY_KEY, key_length);
    put_text(out, key, key_length);
    put_head(out, ENTRY_VALUE, value_length);
    put_text(out, value, value_length);
}

static void put(struct copying *c, const char *data, size_t size) {
    nmc_sink_add(c->sink, data, size);
    c->written += size;
}

/* Bytes of the file as they are. */
static void copy_range(struct copying *c, size_t from, size_t to) {
    if (!c->sink) {
        c->sizes[c->frames[c->depth - 1].size] += to - from;
        return;
    }
    while (from < to && !c->sink->failed) {
        size_t size = to - from < AT_ONCE ? to - from : AT_ONCE;
        put(c, (const char *)c->file->data + from, size);
        if (size == AT_ONCE)
            nmc_file_forget(c->file, from, from + size);
        from += size;
    }
}

/* ---- entries that are there already ---- */

static unsigned metadata_field(enum nmc_holder kind) {
    return kind == NMC_HOLDS_MODEL ? MODEL_METADATA : kind == NMC_HOLDS_NODE ? NODE_METADATA : 0;
}

/* Whether a field is an entry of metadata whose key has the prefix. */
static bool is_ours(const struct copying *c, const struct nmc_wire_field *field) {
    const size_t length = strlen(c->source->prefix);
    if (field->number != metadata_field(c->frames[c->depth - 1].kind) ||
        field->type != NMC_WIRE_BYTES)
        return false;
    struct nmc_wire entry = {c->file->data, field->from, field->from + (size_t)field->value};
    struct nmc_wire_field part;
    while (entry.at < entry.end && !nmc_wire_next(&entry, &part))
        if (part.number == ENTRY_KEY && part.type == NMC_WIRE_BYTES && part.value >= length &&
            memcmp(c->file->data + part.from, c->source->prefix, length) == 0)
            return true;
    return false;
}

/* ---- messages in messages ---- */

static neuromc_status malformed(const struct copying *c) {
    return nmc_error(c->diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = c->name}, NULL,
                     "not a valid ONNX file: malformed at byte %zu", c->wire.at);
}

static neuromc_status enter(struct copying *c, enum nmc_holder kind, unsigned number, size_t from,
                            size_t end) {
    if (c->depth == NMC_LIMIT_PROTO_DEPTH)
        return malformed(c);
    struct frame *frame = &c->frames[c->depth];
    *frame = (struct frame){
        .kind = kind, .number = number, .from = from, .end = end, .size = c->started++};
    if (!c->sink) {
        if (!nmc_grow(&c->sizes, &c->size_capacity, c->size_count + 1, sizeof *c->sizes))
            return nmc_out_of_memory(c->diags);
        c->sizes[c->size_count++] = 0;
    } else if (c->depth) {
        struct nmc_strbuf *head = &c->metadata.bytes;
        nmc_strbuf_clear(head);
        put_head(head, number, c->sizes[frame->size]);
        put(c, head->text, head->length);
    }
    c->depth++;
    c->wire.at = from;
    c->wire.end = end;
    return NEUROMC_OK;
}

/* What is put in goes to the end of the message; its length, tag and all, to the one around. */
static neuromc_status leave(struct copying *c) {
    const struct frame *frame = &c->frames[c->depth - 1];
    struct nmc_metadata *metadata = &c->metadata;
    nmc_strbuf_clear(&metadata->bytes);
    metadata->field = metadata_field(frame->kind);
    if (metadata->field)
        c->source->put(c->source->user, frame->kind == NMC_HOLDS_MODEL ? 0 : frame->from, metadata);
    if (metadata->bytes.failed)
        return nmc_out_of_memory(c->diags);
    c->depth--;
    if (c->depth)
        c->wire.end = c->frames[c->depth - 1].end;
    if (c->sink) {
        put(c, metadata->bytes.text, metadata->bytes.length);
        return NEUROMC_OK;
    }
    uint64_t size = c->sizes[frame->size] += metadata->bytes.length;
    if (c->depth)
        c->sizes[c->frames[c->depth - 1].size] += put_head(NULL, frame->number, size) + size;
    return NEUROMC_OK;
}

/* ---- the walk ---- */

/* Messages inside that have nodes; a tensor has none. */
static enum nmc_holder holder_in(const struct frame *frame, const struct nmc_wire_field *field) {
    enum nmc_holder kind = nmc_holder_in(frame->kind, field);
    return kind == NMC_IS_TENSOR ? NMC_NO_HOLDER : kind;
}

static neuromc_status take_field(struct copying *c) {
    struct nmc_wire_field field;
    if (nmc_wire_next(&c->wire, &field))
        return malformed(c);
    enum nmc_holder kind = holder_in(&c->frames[c->depth - 1], &field);
    if (kind)
        return enter(c, kind, field.number, field.from, c->wire.at);
    if (!is_ours(c, &field))
        copy_range(c, field.start, c->wire.at);
    return NEUROMC_OK;
}

/* Whether the walk came to its end is in its status, what became of the writing in the sink. */
static neuromc_status pass(struct copying *c, struct nmc_sink *sink) {
    c->sink = sink;
    c->started = 0;
    c->wire = (struct nmc_wire){.data = c->file->data};
    neuromc_status status = enter(c, NMC_HOLDS_MODEL, 0, 0, c->file->size);
    while (status == NEUROMC_OK && c->depth && !(sink && sink->failed))
        status = c->wire.at == c->wire.end ? leave(c) : take_field(c);
    return status;
}

/* A file that is too large already is no worse for it. */
static neuromc_status check_size(const struct copying *c) {
    if (c->sizes[0] <= INT32_MAX || c->file->size > INT32_MAX)
        return NEUROMC_OK;
    return nmc_error(c->diags, NEUROMC_UNSUPPORTED, (struct nmc_place){.file = c->name},
                     "store its weights outside the file",
                     "with its metadata the file would have %" PRIu64
                     " bytes; protobuf holds 2 GiB",
                     c->sizes[0]);
}

static neuromc_status copy(struct copying *c, neuromc_write_fn write, void *to) {
    struct nmc_sink sink;
    neuromc_status status = pass(c, NULL);
    if (status == NEUROMC_OK)
        status = check_size(c);
    if (status != NEUROMC_OK)
        return status;
    nmc_sink_init(&sink, write, to);
    status = pass(c, &sink);
    neuromc_status written = nmc_sink_finish(&sink, status ? NULL : c->diags);
    if (status || written)
        return status ? status : written;
    if (c->written == c->sizes[0])
        return NEUROMC_OK;
    return nmc_error(c->diags, NEUROMC_IO, (struct nmc_place){.file = c->name}, "try again",
                     "the file changed while it was read");
}

neuromc_status nmc_onnx_with_metadata(const struct nmc_file *file, const char *name,
                                      const struct nmc_metadata_source *source,
                                      neuromc_write_fn write, void *to, neuromc_diags *diags) {
    struct copying *c = nmc_malloc(sizeof *c);
    if (!c)
        return nmc_out_of_memory(diags);
    *c = (struct copying){.file = file, .name = name, .source = source, .diags = diags};
    nmc_strbuf_init(&c->metadata.bytes);
    neuromc_status status = copy(c, write, to);
    nmc_strbuf_release(&c->metadata.bytes);
    nmc_free(c->sizes);
    nmc_free(c);
    return status;
}
