#include "frontends/onnx_walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/strbuf.h"

/* "graph.node[12].attribute[0]"; the middle of a very deep path is left out. */
static void add_path(const struct nmc_walk *w, struct nmc_strbuf *path) {
    enum { ENDS = 6 };
    for (int i = 1; i < w->depth; i++) {
        if (i == ENDS && w->depth > 2 * ENDS) {
            nmc_strbuf_puts(path, " ... ");
            i = w->depth - ENDS;
        } else if (i > 1) {
            nmc_strbuf_putc(path, '.');
        }
        const struct nmc_frame *frame = &w->frames[i];
        nmc_strbuf_puts(path, frame->via->name);
        if (frame->via->label == PROTOBUF_C_LABEL_REPEATED)
            nmc_strbuf_printf(path, "[%u]", frame->index);
    }
}

neuromc_status nmc_walk_refuse(const struct nmc_walk *w, const char *hint, const char *format,
                               ...) {
    struct nmc_strbuf path;
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    nmc_strbuf_init(&path);
    add_path(w, &path);
    nmc_strbuf_printf(&path, "%sbyte %zu", path.length ? ", " : "", w->wire.at);
    struct nmc_place place = {.file = w->name, .where = path.text};
    neuromc_status status = nmc_error(w->diags, NEUROMC_BAD_INPUT, place, hint, "%s", text);
    nmc_strbuf_release(&path);
    return status;
}

static const char truncated[] = "the file may be truncated: compare its size with the original";

static neuromc_status refuse_length(const struct nmc_walk *w, const struct nmc_wire_field *field) {
    bool beyond_file = w->depth == 1 || field->value > w->file->size - w->wire.at;
    return nmc_walk_refuse(w, beyond_file ? truncated : NULL,
                           "not a valid ONNX file: declared length %" PRIu64 " exceeds the %s",
                           field->value, beyond_file ? "file" : "message around it");
}

neuromc_status nmc_walk_refuse_fault(const struct nmc_walk *w, enum nmc_wire_fault fault,
                                     const struct nmc_wire_field *field) {
    switch (fault) {
    case NMC_WIRE_TRUNCATED:
        return w->wire.end < w->file->size
                   ? nmc_walk_refuse(w, NULL, "not a valid ONNX file: a message ends in a field")
                   : nmc_walk_refuse(w, truncated, "not a valid ONNX file: it ends in a field");
    case NMC_WIRE_BAD_VARINT:
        return nmc_walk_refuse(w, NULL, "not a valid ONNX file: malformed varint");
    case NMC_WIRE_FIELD_NUMBER:
        return nmc_walk_refuse(w, NULL, "not a valid ONNX file: field number 0 is not valid");
    case NMC_WIRE_LENGTH: return refuse_length(w, field);
    default:
        return nmc_walk_refuse(w, NULL, "not a valid ONNX file: field %" PRIu32 " has wire type %d",
                               field->number, field->type);
    }
}

neuromc_status nmc_walk_refuse_field(const struct nmc_walk *w,
                                     const ProtobufCFieldDescriptor *field, const char *what) {
    return nmc_walk_refuse(w, NULL, "not a valid ONNX file: field %s %s", field->name, what);
}
