/*
 * What clang's analyzer cannot see from one file: a function that reports an error never returns
 * NEUROMC_OK. `make lint` includes this in front of every file but those that define them.
 */
#include "base/diag.h"
#ifdef LINT_GRAPH
#include "graph/infer.h"
#define nmc_node_error(...) (nmc_node_error(__VA_ARGS__), NEUROMC_BAD_INPUT)
#endif

#define nmc_error(diags, status, ...) (nmc_error(diags, status, __VA_ARGS__), (status))
#define nmc_out_of_memory(diags)      (nmc_out_of_memory(diags), NEUROMC_IO)
