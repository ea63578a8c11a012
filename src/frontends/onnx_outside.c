#include "frontends/onnx_outside.h"

#include <string.h>

#include "base/checked.h"
#include "base/number.h"
#include "frontends/onnx_outside_walk.h"
#include "frontends/onnx_payload.h"

/* ONNX's published field numbers. */
enum {
    TENSOR_DIMS = 1,
    TENSOR_TYPE = 2,
    TENSOR_STRINGS = 6,
    TENSOR_NAME = 8,
    ENTRY_KEY = 1,
    ENTRY_VALUE = 2
};

/* Where tensors are found. */
static const struct {
    enum nmc_holder parent;
    uint32_t field;
    enum nmc_holder child;
} children[] = {
    {NMC_HOLDS_MODEL, 7, NMC_HOLDS_GRAPH},         {NMC_HOLDS_MODEL, 25, NMC_HOLDS_FUNCTION},
    {NMC_HOLDS_GRAPH, 1, NMC_HOLDS_NODE},          {NMC_HOLDS_GRAPH, 5, NMC_IS_TENSOR},
    {NMC_HOLDS_FUNCTION, 7, NMC_HOLDS_NODE},       {NMC_HOLDS_NODE, 5, NMC_HOLDS_ATTRIBUTE},
    {NMC_HOLDS_FUNCTION, 11, NMC_HOLDS_ATTRIBUTE}, {NMC_HOLDS_ATTRIBUTE, 5, NMC_IS_TENSOR},
    {NMC_HOLDS_ATTRIBUTE, 6, NMC_HOLDS_GRAPH},     {NMC_HOLDS_ATTRIBUTE, 10, NMC_IS_TENSOR},
    {NMC_HOLDS_ATTRIBUTE, 11, NMC_HOLDS_GRAPH},
};

neuromc_status nmc_outside_malformed(const struct nmc_outside_walk *walk, size_t at) {
    return nmc_error(walk->diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = walk->name}, NULL,
                     "not a valid ONNX file: malformed at byte %zu", at);
}

enum nmc_holder nmc_holder_in(enum nmc_holder parent, const struct nmc_wire_field *field) {
    for (size_t i = 0; field->type == NMC_WIRE_BYTES && i < sizeof children / sizeof *children; i++)
        if (children[i].parent == parent && children[i].field == field->number)
            return children[i].child;
    return NMC_NO_HOLDER;
}

/* ---- one tensor ---- */

static void copy_text(char *out, size_t room, const struct nmc_wire *w,
                      const struct nmc_wire_field *field) {
    size_t length = field->value < room ? (size_t)field->value : room - 1;
    memcpy(out, w->data + field->from, length);
    out[length] = '\0';
}

static enum nmc_wire_fault take_dims(struct nmc_outside *t, const struct nmc_wire *w,
                                     const struct nmc_wire_field *field) {
    struct nmc_wire packed = {w->data, field->from, field->from + (size_t)field->value};
    bool alone = field->type == NMC_WIRE_VARINT;
    while (alone || packed.at < packed.end) {
        uint64_t dim = field->value;
        enum nmc_wire_fault fault = alone ? NMC_WIRE_OK : nmc_wire_varint(&packed, &dim);
        if (fault || t->rank == NMC_LIMIT_RANK)
            return fault ? fault : NMC_WIRE_LENGTH;
        t->dims[t->rank++] = (int64_t)dim;
        if (alone)
            break;
    }
    return NMC_WIRE_OK;
}

/* One key and value of external_data. */
static enum nmc_wire_fault take_entry(struct nmc_outside *t, const struct nmc_wire *w,
                                      const struct nmc_wire_field *around) {
    char key[16] = "", value[sizeof t->location] = "";
    struct nmc_wire inner = {w->data, around->from, around->from + (size_t)around->value};
    while (inner.at < inner.end) {
        struct nmc_wire_field field;
        enum nmc_wire_fault fault = nmc_wire_next(&inner, &field);
        if (fault)
            return fault;
        if (field.type == NMC_WIRE_BYTES && field.number == ENTRY_KEY)
            copy_text(key, sizeof key, w, &field);
        if (field.type == NMC_WIRE_BYTES && field.number == ENTRY_VALUE)
            copy_text(value, sizeof value, w, &field);
    }
    if (strcmp(key, "location") == 0)
        memcpy(t->location, value, sizeof value);
    if (strcmp(key, "offset") == 0 && !nmc_integer_parse(value, strlen(value), &t->offset))
        t->offset = -1;
    if (strcmp(key, "length") == 0 && !nmc_integer_parse(value, strlen(value), &t->length))
        t->length = -1;
    return NMC_WIRE_OK;
}

/* Reads a tensor; *outside says whether it has elements but no values here. */
static enum nmc_wire_fault read_tensor(struct nmc_outside *t, struct nmc_wire *w, bool *outside) {
    uint64_t location = 0, inside = 0;
    *t = (struct nmc_outside){.length = -1};
    while (w->at < w->end) {
        struct nmc_wire_field field;
        enum nmc_wire_fault fault = nmc_wire_next(w, &field);
        bool bytes = field.type == NMC_WIRE_BYTES;
        if (!fault && field.number == TENSOR_DIMS && (bytes || field.type == NMC_WIRE_VARINT))
            fault = take_dims(t, w, &field);
        else if (!fault && bytes && field.number == NMC_TENSOR_EXTERNAL)
            fault = take_entry(t, w, &field);
        if (fault)
            return fault;
        if (field.number == TENSOR_TYPE)
            t->type = (enum nmc_elem)field.value;
        else if (field.number == NMC_TENSOR_LOCATION)
            location = field.value;
        else if (bytes && field.number == TENSOR_NAME)
            copy_text(t->name, sizeof t->name, w, &field);
        else if (nmc_payload_is(field.number) || field.number == TENSOR_STRINGS)
            inside += bytes ? field.value : 1;
    }
    if (!nmc_product(t->dims, t->rank, &t->elements))
        t->elements = -1;
    *outside = location == 1 || (inside == 0 && t->elements != 0);
    return NMC_WIRE_OK;
}

neuromc_status nmc_outside_tensor(struct nmc_outside_walk *walk, size_t from, size_t end,
                                  struct nmc_outside *t, bool *outside) {
    struct nmc_wire w = {walk->file->data, from, end};
    if (read_tensor(t, &w, outside))
        return nmc_outside_malformed(walk, w.at);
    if (!*outside)
        return NEUROMC_OK;
    t->index = walk->found++;
    int64_t bits = nmc_elem_bits(t->type), total = 0;
    bool fits = t->elements >= 0 && bits > 0 && nmc_mul(t->elements, bits, &total) &&
                nmc_add(total, 7, &total);
    for (int i = 0; i < t->rank; i++)
        fits &= t->dims[i] >= 0;
    t->bytes = total / 8;
    if (fits)
        return NEUROMC_OK;
    return nmc_error(walk->diags, NEUROMC_UNSUPPORTED,
                     (struct nmc_place){.file = walk->name, .where = *t->name ? t->name : NULL},
                     NULL, "a tensor of type %s and this size cannot be stored outside the file",
                     nmc_elem_name(t->type));
}

/* ---- visiting ---- */

struct visiting {
    struct nmc_outside_walk walk;
    neuromc_status (*visit)(void *user, const struct nmc_outside *tensor);
    void *user;
};

/* NOLINTNEXTLINE(misc-no-recursion): as deep as messages are nested, at most
 * NMC_LIMIT_PROTO_DEPTH */
static neuromc_status visit(struct visiting *v, enum nmc_holder kind, size_t from, size_t end,
                            int depth) {
    struct nmc_wire w = {v->walk.file->data, from, end};
    if (depth == NMC_LIMIT_PROTO_DEPTH)
        return nmc_outside_malformed(&v->walk, from);
    if (kind == NMC_IS_TENSOR) {
        struct nmc_outside tensor;
        bool outside;
        neuromc_status status = nmc_outside_tensor(&v->walk, from, end, &tensor, &outside);
        return status == NEUROMC_OK && outside ? v->visit(v->user, &tensor) : status;
    }
    neuromc_status status = NEUROMC_OK;
    while (status == NEUROMC_OK && w.at < w.end) {
        struct nmc_wire_field field;
        if (nmc_wire_next(&w, &field))
            return nmc_outside_malformed(&v->walk, w.at);
        enum nmc_holder child = nmc_holder_in(kind, &field);
        if (child)
            status = visit(v, child, field.from, w.at, depth + 1);
    }
    return status;
}

neuromc_status nmc_onnx_outside(const struct nmc_file *file, const char *name,
                                neuromc_status (*visitor)(void *user, const struct nmc_outside *t),
                                void *user, neuromc_diags *diags) {
    struct visiting v = {
        .walk = {.file = file, .name = name, .diags = diags}, .visit = visitor, .user = user};
    return visit(&v, NMC_HOLDS_MODEL, 0, file->size, 0);
}
