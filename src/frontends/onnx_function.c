#include "frontends/onnx_build.h"
struct nmc_function {
    int x;
};
neuromc_status nmc_functions_read(struct nmc_loader *loader, const Onnx__ModelProto *model) {
    (void)loader, (void)model;
    return NEUROMC_OK;
}
struct nmc_function *nmc_function_called(struct nmc_loader *loader, const Onnx__NodeProto *call) {
    (void)loader, (void)call;
    return NULL;
}
neuromc_status nmc_build_call(struct nmc_loader *loader, struct nmc_scope *scope,
                              const Onnx__NodeProto *call, struct nmc_function *function) {
    (void)loader, (void)call, (void)scope, (void)function;
    return NEUROMC_OK;
}
