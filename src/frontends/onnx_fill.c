/* A copy of an ONNX file with values for tensors that had none: once for sizes, once for bytes. */
#include <string.h>

#include "base/checked.h"
#include "frontends/onnx_outside_walk.h"

struct copying {
    struct nmc_outside_walk walk;
    nmc_outside_fill *fill;
    void *user;
    neuromc_write_fn write;
    void *to;
};

static size_t varint_size(uint64_t value) {
    unsigned char bytes[NMC_WIRE_VARINT_SIZE];
    return nmc_wire_put_varint(bytes, value);
}

static uint64_t tag_of(const struct nmc_wire_field *field) {
    return (uint64_t)field->number << 3 | NMC_WIRE_BYTES;
}

static neuromc_status put(struct copying *c, const void *data, size_t size) {
    if (!size || c->write(c->to, data, size))
        return NEUROMC_OK;
    return nmc_error(c->walk.diags, NEUROMC_IO, (struct nmc_place){0}, NULL,
                     "cannot write the model with made-up weights");
}

static neuromc_status put_head(struct copying *c, uint64_t tag, uint64_t length) {
    unsigned char bytes[2 * NMC_WIRE_VARINT_SIZE];
    size_t size = nmc_wire_put_varint(bytes, tag);
    size += nmc_wire_put_varint(bytes + size, length);
    return put(c, bytes, size);
}

/* Which fields of a tensor that is filled stay as they are. */
static bool stays(const struct nmc_wire_field *field) {
    return field->number != NMC_TENSOR_EXTERNAL && field->number != NMC_TENSOR_LOCATION &&
           field->number != NMC_TENSOR_RAW;
}

static const struct nmc_wire_field raw_field = {.number = NMC_TENSOR_RAW};

/* NOLINTNEXTLINE(misc-no-recursion): as above */
static neuromc_status new_size(struct copying *c, enum nmc_holder kind, size_t from, size_t end,
                               int64_t *out);

static neuromc_status new_tensor_size(struct copying *c, size_t from, size_t end, int64_t *out) {
    struct nmc_outside tensor;
    bool outside;
    uint64_t before = c->walk.found;
    neuromc_status status = nmc_outside_tensor(&c->walk, from, end, &tensor, &outside);
    c->walk.found = before; /* sizes are asked for more than once */
    *out = (int64_t)(end - from);
    if (status != NEUROMC_OK || !outside)
        return status;
    struct nmc_wire w = {c->walk.file->data, from, end};
    struct nmc_wire_field field;
    *out = (int64_t)(varint_size(tag_of(&raw_field)) + varint_size((uint64_t)tensor.bytes));
    while (w.at < w.end && !nmc_wire_next(&w, &field))
        *out += stays(&field) ? (int64_t)(w.at - field.start) : 0;
    if (!nmc_add(*out, tensor.bytes, out))
        return nmc_outside_malformed(&c->walk, from);
    return NEUROMC_OK;
}

/* NOLINTNEXTLINE(misc-no-recursion): as above */
static neuromc_status new_size(struct copying *c, enum nmc_holder kind, size_t from, size_t end,
                               int64_t *out) {
    if (kind == NMC_IS_TENSOR)
        return new_tensor_size(c, from, end, out);
    struct nmc_wire w = {c->walk.file->data, from, end};
    *out = 0;
    while (w.at < w.end) {
        struct nmc_wire_field field;
        if (nmc_wire_next(&w, &field))
            return nmc_outside_malformed(&c->walk, w.at);
        enum nmc_holder child = nmc_holder_in(kind, &field);
        int64_t size = (int64_t)(w.at - field.start);
        neuromc_status status = child ? new_size(c, child, field.from, w.at, &size) : NEUROMC_OK;
        if (child)
            size += (int64_t)(varint_size(tag_of(&field)) + varint_size((uint64_t)size));
        if (status != NEUROMC_OK || !nmc_add(*out, size, out))
            return status ? status : nmc_outside_malformed(&c->walk, from);
    }
    return NEUROMC_OK;
}

static neuromc_status put_values(struct copying *c, const struct nmc_outside *tensor) {
    enum { AT_ONCE = 4096, WIDEST = 16 };
    unsigned char data[AT_ONCE * WIDEST];
    int bits = nmc_elem_bits(tensor->type);
    neuromc_status status = put_head(c, tag_of(&raw_field), (uint64_t)tensor->bytes);
    for (int64_t first = 0; status == NEUROMC_OK && first < tensor->elements; first += AT_ONCE) {
        int64_t rest = tensor->elements - first, count = rest < AT_ONCE ? rest : AT_ONCE;
        size_t size = (size_t)(count * bits + 7) / 8;
        memset(data, 0, size);
        c->fill(c->user, tensor, first, count, data);
        status = put(c, data, size);
    }
    return status;
}

static neuromc_status copy_tensor(struct copying *c, size_t from, size_t end) {
    struct nmc_outside tensor;
    bool outside;
    struct nmc_wire w = {c->walk.file->data, from, end};
    neuromc_status status = nmc_outside_tensor(&c->walk, from, end, &tensor, &outside);
    if (status != NEUROMC_OK || !outside)
        return status ? status : put(c, c->walk.file->data + from, end - from);
    struct nmc_wire_field field;
    while (status == NEUROMC_OK && w.at < w.end && !nmc_wire_next(&w, &field))
        if (stays(&field))
            status = put(c, c->walk.file->data + field.start, w.at - field.start);
    return status == NEUROMC_OK ? put_values(c, &tensor) : status;
}

/* NOLINTNEXTLINE(misc-no-recursion): as above */
static neuromc_status copy(struct copying *c, enum nmc_holder kind, size_t from, size_t end) {
    if (kind == NMC_IS_TENSOR)
        return copy_tensor(c, from, end);
    struct nmc_wire w = {c->walk.file->data, from, end};
    neuromc_status status = NEUROMC_OK;
    while (status == NEUROMC_OK && w.at < w.end) {
        struct nmc_wire_field field;
        if (nmc_wire_next(&w, &field))
            return nmc_outside_malformed(&c->walk, w.at);
        enum nmc_holder child = nmc_holder_in(kind, &field);
        int64_t size = 0;
        if (!child) {
            status = put(c, c->walk.file->data + field.start, w.at - field.start);
            continue;
        }
        status = new_size(c, child, field.from, w.at, &size);
        if (status == NEUROMC_OK)
            status = put_head(c, tag_of(&field), (uint64_t)size);
        if (status == NEUROMC_OK)
            status = copy(c, child, field.from, w.at);
    }
    return status;
}

static neuromc_status nothing(void *user, const struct nmc_outside *tensor) {
    (void)user;
    (void)tensor;
    return NEUROMC_OK;
}

neuromc_status nmc_onnx_fill(const struct nmc_file *file, const char *name, nmc_outside_fill *fill,
                             void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    struct copying c = {.walk = {.file = file, .name = name, .diags = diags},
                        .fill = fill,
                        .user = user,
                        .write = write,
                        .to = to};
    int64_t size = 0;
    /* Depth and sizes are looked at here, and hold below. */
    neuromc_status status = nmc_onnx_outside(file, name, nothing, NULL, diags);
    if (status == NEUROMC_OK)
        status = new_size(&c, NMC_HOLDS_MODEL, 0, file->size, &size);
    if (status == NEUROMC_OK && size > INT32_MAX)
        return nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){.file = name}, NULL,
                         "with its weights the file would have %lld bytes; protobuf holds 2 GiB",
                         (long long)size);
    return status == NEUROMC_OK ? copy(&c, NMC_HOLDS_MODEL, 0, file->size) : status;
}
