#include "frontends/onnx_sniff.h"

#include <stdbool.h>
#include <string.h>

#include "base/diag.h"
#include "base/utf8.h"
#include "frontends/own_files.h"

/* No ONNX file starts like any of these: the first byte of a message is a field number times 8
 * plus a wire type, and ModelProto has no such fields. */
#define EXPORT                                                                                     \
    "torch.onnx.export, tf2onnx and their like write one; tools/neuromc_trace.py records a trace"

static const struct signature {
    size_t at;
    const char *bytes;
    const char *what, *hint;
} signatures[] = {
    {0, "version https://git-lfs", "a Git LFS pointer, not a model",
     "fetch the file itself: git lfs pull"},
    {0, "{", "JSON text, not an ONNX protobuf",
     "a trace starts with {\"format\": \"neuromc-trace\""},
    {0, "<", "HTML or XML text, not an ONNX protobuf",
     "a web page may have been saved in place of the file"},
    {0, "PK\x03\x04", "a ZIP archive, not an ONNX protobuf",
     "unpack it; a PyTorch checkpoint has to be exported with torch.onnx.export"},
    {0, "\x1f\x8b", "gzip data, not an ONNX protobuf", "unpack it with gunzip"},
    {0,
     "\xfd"
     "7zXZ",
     "xz data, not an ONNX protobuf", "unpack it with unxz"},
    {0, "\x28\xb5\x2f\xfd", "Zstandard data, not an ONNX protobuf", "unpack it with unzstd"},
    {0, "\x80\x02", "a Python pickle, not an ONNX protobuf",
     "export the model with torch.onnx.export"},
    {0, "\x89HDF", "an HDF5 file, not an ONNX protobuf", "convert it with tf2onnx"},
    {0, "\x89PNG", "a PNG image, not an ONNX protobuf", EXPORT},
    {0, "\xff\xd8\xff", "a JPEG image, not an ONNX protobuf", EXPORT},
    {0, "%PDF", "a PDF document, not an ONNX protobuf", EXPORT},
    {0, "\x93NUMPY", "a NumPy array, not an ONNX protobuf", EXPORT},
    {0, "GGUF", "a GGUF file, not an ONNX protobuf", EXPORT},
    {0,
     "\x7f"
     "ELF",
     "an ELF program, not an ONNX protobuf", EXPORT},
    {4, "TFL3", "a TensorFlow Lite model, not an ONNX protobuf", "convert it with tf2onnx"},
    {4, "ORTM", "an ORT format model, not an ONNX protobuf", "use the ONNX file it was made from"},
    {8, "{\"", "a safetensors file, not an ONNX protobuf",
     "it holds weights alone; export the model itself"},
};

static bool matches(const struct nmc_file *file, const struct signature *signature) {
    size_t length = strlen(signature->bytes);
    return file->size >= signature->at + length &&
           memcmp(file->data + signature->at, signature->bytes, length) == 0;
}

/* A message cannot be all text: it would need a length or number below 32 somewhere early. */
static bool is_text(const struct nmc_file *file) {
    char start[257] = {0};
    size_t size = file->size < 256 ? file->size : 256, at = 0;
    memcpy(start, file->data, size);
    while (at < size) {
        unsigned char c = (unsigned char)start[at];
        size_t width = nmc_utf8_width((const unsigned char *)start + at);
        if (width == 0)
            return at + 4 > size && file->size > size; /* a character cut off by the window */
        if ((c < ' ' && !strchr("\t\n\r\f", c)) || c == 0x7f)
            return false;
        at += width;
    }
    return true;
}

neuromc_status nmc_onnx_sniff(const struct nmc_file *file, const char *name, neuromc_diags *diags) {
    struct nmc_place place = {.file = name};
    if (file->size == 0)
        return nmc_error(diags, NEUROMC_BAD_INPUT, place, "was it copied or downloaded whole?",
                         "the file is empty: it holds no graph");
    if (file->data[0] == 0)
        return nmc_error(diags, NEUROMC_BAD_INPUT, place, "was it copied or downloaded whole?",
                         "starts with a zero byte, as no ONNX file does");
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (matches(file, &signatures[i]))
            return nmc_error(diags, NEUROMC_BAD_INPUT, place, signatures[i].hint, "%s",
                             signatures[i].what);
    enum { ENOUGH = 1 << 16 };
    const struct nmc_own_file *own =
        nmc_own_file((const char *)file->data, file->size < ENOUGH ? file->size : ENOUGH);
    if (is_text(file) && own)
        return nmc_error(diags, NEUROMC_BAD_INPUT, place, own->where_to, "%s, not a model",
                         own->what);
    if (is_text(file))
        return nmc_error(diags, NEUROMC_BAD_INPUT, place, EXPORT, "text, not an ONNX protobuf");
    return NEUROMC_OK;
}
