#include "onnx_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct onnx_case onnx_load_with(const char *name, const struct nmc_onnx_options *options) {
    struct onnx_case c = {.diags = neuromc_diags_new()};
    char path[512];
    snprintf(path, sizeof path, "%s/%s.onnx", NMC_TEST_DATA, name);
    c.status = nmc_onnx_load_with(path, options, &c.net, c.diags);
    assert_int_equal(c.status == NEUROMC_OK, c.net != NULL);
    return c;
}

struct onnx_case onnx_load(const char *name) {
    return onnx_load_with(name, NULL);
}

struct onnx_case onnx_parse(const void *data, size_t size) {
    struct onnx_case c = {.diags = neuromc_diags_new()};
    c.status = nmc_onnx_parse(data, size, "test.onnx", &c.net, c.diags);
    assert_int_equal(c.status == NEUROMC_OK, c.net != NULL);
    return c;
}

void onnx_unload(struct onnx_case *c) {
    nmc_net_free(c->net);
    neuromc_diags_free(c->diags);
}

const neuromc_diag *onnx_only_diag(const struct onnx_case *c) {
    assert_int_equal(neuromc_diags_count(c->diags), 1);
    return neuromc_diags_at(c->diags, 0);
}

void onnx_refused(const char *name, const char *where, const char *message) {
    struct onnx_case c = onnx_load(name);
    assert_int_equal(c.status, NEUROMC_BAD_INPUT);
    const neuromc_diag *diag = onnx_only_diag(&c);
    assert_int_equal(diag->severity, NEUROMC_ERROR);
    if (!strstr(diag->message, message))
        fail_msg("%s: \"%s\" is not in \"%s\"", name, message, diag->message);
    if (where)
        assert_string_equal(diag->where, where);
    else
        assert_null(diag->where);
    assert_non_null(strstr(diag->file, name));
    onnx_unload(&c);
}

struct nmc_tensor *onnx_tensor(const struct onnx_case *c, const char *name) {
    for (uint32_t i = 0; i < c->net->tensor_count; i++)
        if (strcmp(c->net->tensors[i]->name, name) == 0)
            return c->net->tensors[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

struct nmc_node *onnx_node(const struct onnx_case *c, const char *name) {
    for (uint32_t i = 0; i < c->net->node_count; i++)
        if (strcmp(c->net->nodes[i]->name, name) == 0)
            return c->net->nodes[i];
    fail_msg("no node %s", name);
    return NULL;
}

void onnx_assert_shape(const struct onnx_case *c, const struct nmc_shape *shape, const char *text) {
    assert_string_equal(nmc_shape_text(c->net, shape), text);
}
