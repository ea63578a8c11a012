/*
 * onnx_function.h - model-local functions and their calls.
 */
#ifndef NMC_ONNX_FUNCTION_H
#define NMC_ONNX_FUNCTION_H

#include "frontends/onnx_build.h"

struct nmc_function {
    const Onnx__FunctionProto *proto;
    const char *label; /* "domain::name", with ":overload" if it has one: the key it is known by */
    struct nmc_imports imports;

    /* Known once it has been looked through. */
    enum { NMC_FUNCTION_NEW, NMC_FUNCTION_BUSY, NMC_FUNCTION_KNOWN } state;
    int64_t nodes; /* and calls, all inlined; stops just above NMC_LIMIT_NODES */
    bool works;    /* some operator inside has MACs or other work (see ops.h) */
};

neuromc_status nmc_functions_read(struct nmc_loader *loader, const Onnx__ModelProto *model);

/* *out becomes the function a node calls if the call is to be inlined, else NULL. A recursion is
 * an error. */
neuromc_status nmc_function_called(struct nmc_loader *loader, const Onnx__NodeProto *call,
                                   struct nmc_function **out);

/* Puts the function's nodes in place of the call (onnx_call.c). */
neuromc_status nmc_build_call(struct nmc_loader *loader, struct nmc_scope *scope,
                              const Onnx__NodeProto *call, const struct nmc_function *function);

#endif
