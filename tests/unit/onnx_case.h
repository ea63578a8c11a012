/*
 * onnx_case.h - one ONNX file loaded by a test, and what came of it.
 */
#ifndef ONNX_CASE_H
#define ONNX_CASE_H

#include "frontends/onnx.h"

struct onnx_case {
    struct nmc_net *net;
    neuromc_diags *diags;
    neuromc_status status;
};

/* name is a path under tests/data without ".onnx". */
struct onnx_case onnx_load(const char *name);
struct onnx_case onnx_load_with(const char *name, const struct nmc_onnx_options *options);
struct onnx_case onnx_parse(const void *data, size_t size);
void onnx_unload(struct onnx_case *c);

/* The one message there is. */
const neuromc_diag *onnx_only_diag(const struct onnx_case *c);
/* The file is bad, for one reason, at `where` (NULL: none), which `message` is part of. */
void onnx_refused(const char *name, const char *where, const char *message);

/* The tensor or node so named; a test failure if there is none. */
struct nmc_tensor *onnx_tensor(const struct onnx_case *c, const char *name);
struct nmc_node *onnx_node(const struct onnx_case *c, const char *name);
/* "float32 [1, N]" */
void onnx_assert_shape(const struct onnx_case *c, const struct nmc_shape *shape, const char *text);

#endif
