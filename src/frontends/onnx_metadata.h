/*
 * onnx_metadata.h - a copy of an ONNX file with other metadata on its nodes and on the model.
 *
 * The copy is made from the wire format: what is not metadata goes over byte for byte, so memory
 * grows with the number of nodes and never with weights. Entries whose key has the prefix are
 * taken out wherever they stand; what is put in stands last in its message. So a copy of a copy is
 * the same file.
 */
#ifndef NMC_ONNX_METADATA_H
#define NMC_ONNX_METADATA_H

#include "base/file.h"
#include "base/strbuf.h"

/* The metadata of one message, as it will stand in the file. */
struct nmc_metadata {
    struct nmc_strbuf bytes;
    unsigned field; /* the number of metadata_props */
};

/* Adds an entry; a failure stays in `bytes`. */
void nmc_metadata_put(struct nmc_metadata *metadata, const char *key, const char *value);

struct nmc_metadata_source {
    const char *prefix;
    /* Puts what belongs to the node whose message starts at this byte, or, at 0, to the model.
     * Called twice for each, and must put the same. */
    void (*put)(void *user, size_t file_at, struct nmc_metadata *out);
    void *user;
};

/* Writes the copy. The file has been read as a model before: what is malformed is found there with
 * its place, here without. NEUROMC_UNSUPPORTED: the copy would be larger than protobuf can read,
 * and the file is not. */
neuromc_status nmc_onnx_with_metadata(const struct nmc_file *file, const char *name,
                                      const struct nmc_metadata_source *source,
                                      neuromc_write_fn write, void *to, neuromc_diags *diags);

#endif
