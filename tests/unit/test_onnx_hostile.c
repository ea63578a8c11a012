/* Files made to hurt: cut short, mutated, nested, huge, contradictory. Never a crash, and always
 * a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "onnx_case.h"
#include "proto_bytes.h"

/* Whatever the bytes, the answer is a net, or a status and a message. */
static neuromc_status survive(const void *data, size_t size) {
    struct onnx_case c = onnx_parse(data, size);
    assert_true(c.status == NEUROMC_OK || c.status == NEUROMC_BAD_INPUT);
    if (c.status)
        assert_true(neuromc_diags_count(c.diags) > 0);
    neuromc_status status = c.status;
    onnx_unload(&c);
    return status;
}

/* The model (released) is refused, for one reason that holds `message`. */
static void refused(struct nmc_strbuf *model, const char *where, const char *message) {
    struct onnx_case c = onnx_parse(model->text, model->length);
    assert_int_equal(c.status, NEUROMC_BAD_INPUT);
    const neuromc_diag *diag = onnx_only_diag(&c);
    if (!strstr(diag->message, message))
        fail_msg("\"%s\" is not in \"%s\"", message, diag->message);
    if (where && !strstr(diag->where, where))
        fail_msg("\"%s\" is not in \"%s\"", where, diag->where);
    onnx_unload(&c);
    nmc_strbuf_release(model);
}

static struct nmc_strbuf empty(void) {
    struct nmc_strbuf bytes;
    nmc_strbuf_init(&bytes);
    return bytes;
}

/* A graph of one Relu, for more to be put into. */
static struct nmc_strbuf relu_graph(void) {
    struct nmc_strbuf graph = empty(), node = proto_node("Relu", "x", "y");
    struct nmc_strbuf x = proto_info("x"), y = proto_info("y");
    proto_put(&graph, 1, &node);
    proto_put(&graph, 11, &x);
    proto_put(&graph, 12, &y);
    return graph;
}

static struct nmc_file open_case(const char *name) {
    struct nmc_file file;
    char path[512];
    snprintf(path, sizeof path, "%s/%s.onnx", NMC_TEST_DATA, name);
    assert_int_equal(nmc_file_open(&file, path, SIZE_MAX, NULL), NEUROMC_OK);
    return file;
}

static const char *const victims[] = {
    "inputs/onnx/conv_ir3_init_in_inputs",
    "inputs/onnx/loop_static_5",
    "onnx/function_subgraph",
    "onnx/types",
    "onnx/attributes",
};

static void cut_anywhere(void **state) {
    (void)state;
    for (size_t v = 0; v < sizeof victims / sizeof *victims; v++) {
        struct nmc_file file = open_case(victims[v]);
        for (size_t size = 0; size < file.size; size++) {
            /* an allocation of exactly this size shows a sanitizer every read past it */
            unsigned char *copy = nmc_malloc(size);
            memcpy(copy, file.data, size);
            survive(copy, size);
            nmc_free(copy);
        }
        nmc_file_close(&file);
    }
}

static void mutated_anywhere(void **state) {
    (void)state;
    static const unsigned char flips[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff};
    for (size_t v = 0; v < sizeof victims / sizeof *victims; v++) {
        struct nmc_file file = open_case(victims[v]);
        unsigned char *copy = nmc_malloc(file.size);
        memcpy(copy, file.data, file.size);
        for (size_t at = 0; at < file.size; at++)
            for (size_t f = 0; f < sizeof flips; f++) {
                copy[at] ^= flips[f];
                survive(copy, file.size);
                copy[at] ^= flips[f];
            }
        nmc_free(copy);
        nmc_file_close(&file);
    }
}

static void random_bytes(void **state) {
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int round = 0; round < 20000; round++) {
        unsigned char bytes[64];
        for (size_t i = 0; i < sizeof bytes; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17; /* xorshift, Marsaglia */
            bytes[i] = (unsigned char)(round % 2 ? seed & 0x3f : seed);
        }
        bytes[0] = 0x3a; /* a graph, so that some get in */
        survive(bytes, sizeof bytes);
    }
}

/* Every field number of every message, in every wire type. */
static void wrong_wire_types(void **state) {
    (void)state;
    static const uint32_t paths[][4] = {{0}, {7}, {7, 1}, {7, 5}, {7, 11}, {7, 1, 5}, {25}, {8}};
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++)
        for (uint32_t number = 1; number <= 26; number++)
            for (int type = 0; type < 8; type++) {
                struct nmc_strbuf bytes = empty();
                proto_tag(&bytes, number, type);
                nmc_strbuf_add(&bytes, "\3\1\1\1\1\1\1\1", type == 1 ? 8 : type == 0 ? 1 : 4);
                for (int level = 3; level >= 0; level--)
                    if (paths[p][level]) {
                        struct nmc_strbuf outer = empty();
                        proto_put(&outer, paths[p][level], &bytes);
                        bytes = outer;
                    }
                survive(bytes.text, bytes.length);
                nmc_strbuf_release(&bytes);
            }
}

static void lengths(void **state) {
    (void)state;
    static const uint64_t lies[] = {8, INT32_MAX, UINT32_MAX, UINT64_C(1) << 63, UINT64_MAX};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct nmc_strbuf model = empty();
        proto_tag(&model, 7, 2);
        proto_varint(&model, lies[i]);
        nmc_strbuf_puts(&model, "short");
        refused(&model, "byte 0", "exceeds the file");
    }
    /* a node longer than the graph around it, but not than the file */
    struct nmc_strbuf graph = empty();
    proto_tag(&graph, 1, 2);
    proto_varint(&graph, 20);
    struct nmc_strbuf model = empty();
    proto_put(&model, 7, &graph);
    proto_text(&model, 2, "a producer with a long enough name");
    refused(&model, "graph, byte 2", "exceeds the message around it");
}

/* The place is a path however deep; only a very deep one has its middle left out. */
static void places(void **state) {
    (void)state;
    static const uint32_t fields[] = {5, 5, 1,
                                      6, 5, 1}; /* t, attribute, node, g, attribute, node */
    struct nmc_strbuf bytes = empty();
    proto_bytes(&bytes, 1, "\xff", 1); /* dims cut off */
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct nmc_strbuf outer = empty();
        proto_put(&outer, fields[i], &bytes);
        bytes = outer;
    }
    struct nmc_strbuf model = proto_model(&bytes);
    refused(&model, "graph.node[0].attribute[0].g.node[0].attribute[0].t, byte ", "in a field");
}

/* Written from the inside out: each level wraps the one before. Lengths are known beforehand, so
 * the levels are written backwards into one buffer. */
static struct nmc_strbuf nested(uint32_t number, int levels) {
    enum { ROOM = 16 };
    size_t size = (size_t)levels * ROOM, at = size;
    char *bytes = nmc_malloc(size);
    for (int i = 0; i < levels; i++) {
        struct nmc_strbuf head = empty();
        proto_tag(&head, number, 2);
        proto_varint(&head, size - at);
        at -= head.length;
        memcpy(bytes + at, head.text, head.length);
        nmc_strbuf_release(&head);
    }
    struct nmc_strbuf all = empty();
    nmc_strbuf_add(&all, bytes + at, size - at);
    nmc_free(bytes);
    return all;
}

static void deep(void **state) {
    (void)state;
    /* TypeProto.sequence_type and Sequence.elem_type are fields 4 and 1; optional_type is 9. A
     * chain of field 1 alone ends at the tensor type, which has a number there. */
    struct nmc_strbuf graph = relu_graph(), info = empty(), type = empty();
    for (int i = 0; i < 300; i++) {
        struct nmc_strbuf sequence = empty(), outer = empty();
        proto_put(&sequence, 1, &type);
        proto_put(&outer, 4, &sequence);
        type = outer;
    }
    proto_put(&info, 2, &type);
    proto_put(&graph, 13, &info);
    struct nmc_strbuf model = proto_model(&graph);
    refused(&model, "graph.value_info[0].type", "NMC_LIMIT_PROTO_DEPTH");

    /* 100,000 levels of graphs in graphs are 3 fields each: node 1, attribute 5, g 6 */
    static const uint32_t fields[] = {6, 5, 1};
    size_t size = 4u << 20, at = size;
    char *bytes = nmc_malloc(size);
    for (int i = 0; i < 300000; i++) {
        struct nmc_strbuf head = empty();
        proto_tag(&head, fields[i % 3], 2);
        proto_varint(&head, size - at);
        at -= head.length;
        memcpy(bytes + at, head.text, head.length);
        nmc_strbuf_release(&head);
    }
    graph = empty();
    nmc_strbuf_add(&graph, bytes + at, size - at);
    nmc_free(bytes);
    model = proto_model(&graph);
    refused(&model, "graph.node[0].attribute[0].g.node[0]", "NMC_LIMIT_GRAPH_DEPTH");

    /* unknown fields may nest as they like: nobody looks inside */
    struct nmc_strbuf unknown = nested(99, 100000);
    graph = relu_graph();
    nmc_strbuf_add(&graph, unknown.text, unknown.length);
    nmc_strbuf_release(&unknown);
    model = proto_model(&graph);
    assert_int_equal(survive(model.text, model.length), NEUROMC_OK);
    nmc_strbuf_release(&model);
}

static void millions(void **state) {
    (void)state;
    struct nmc_strbuf graph = empty();
    for (int i = 0; i <= NMC_LIMIT_NODES; i++)
        nmc_strbuf_add(&graph, "\x0a\x00", 2);
    struct nmc_strbuf model = proto_model(&graph);
    refused(&model, "graph", "NMC_LIMIT_NODES");

    graph = relu_graph();
    for (int i = 0; i < 1000000; i++)
        nmc_strbuf_add(&graph, "\x6a\x00", 2); /* value_info */
    model = proto_model(&graph);
    assert_int_equal(survive(model.text, model.length), NEUROMC_OK);
    nmc_strbuf_release(&model);

    struct nmc_strbuf node = proto_node("Relu", "x", "z");
    for (int i = 0; i < 100000; i++)
        nmc_strbuf_add(&node, "\x2a\x00", 2); /* attribute */
    graph = relu_graph();
    proto_put(&graph, 1, &node);
    model = proto_model(&graph);
    assert_int_equal(survive(model.text, model.length), NEUROMC_OK);
    nmc_strbuf_release(&model);
}

static void twice(void **state) {
    (void)state;
    struct nmc_strbuf graph = relu_graph(), again = relu_graph();
    struct nmc_strbuf model = proto_model(&graph);
    proto_put(&model, 7, &again);
    refused(&model, "byte", "field graph comes twice");
}

static void names_with_nul(void **state) {
    (void)state;
    struct nmc_strbuf graph = relu_graph();
    proto_bytes(&graph, 2, "a\0b", 3);
    struct nmc_strbuf model = proto_model(&graph);
    refused(&model, "graph", "field name holds a NUL byte");
}

static void put_tensor(struct nmc_strbuf *graph, struct nmc_strbuf *tensor) {
    proto_text(tensor, 8, "w");
    proto_put(graph, 5, tensor);
}

static void bad_tensors(void **state) {
    (void)state;
    struct nmc_strbuf tensor = empty(), graph = relu_graph();
    proto_bytes(&tensor, 1, "\xff\xff", 2); /* dims: a varint cut off */
    put_tensor(&graph, &tensor);
    struct nmc_strbuf model = proto_model(&graph);
    refused(&model, "graph.initializer[0]", "not a valid ONNX file");

    tensor = empty();
    graph = relu_graph();
    proto_int(&tensor, 1, 2);
    proto_int(&tensor, 2, 1);
    proto_bytes(&tensor, 4, "12345", 5); /* float_data of five quarters */
    put_tensor(&graph, &tensor);
    model = proto_model(&graph);
    refused(&model, "graph.initializer[0]", "float_data is badly packed");

    tensor = empty();
    graph = relu_graph();
    for (int i = 0; i <= NMC_LIMIT_RANK; i++)
        proto_int(&tensor, 1, 1);
    put_tensor(&graph, &tensor);
    model = proto_model(&graph);
    refused(&model, NULL, "initializer \"w\": 65 axes, more than 64 (NMC_LIMIT_RANK)");

    tensor = empty();
    graph = relu_graph();
    for (int i = 0; i < 3; i++)
        proto_int(&tensor, 1, i < 2 ? UINT64_C(1) << 40 : 0);
    proto_int(&tensor, 2, 1);
    put_tensor(&graph, &tensor);
    model = proto_model(&graph);
    assert_int_equal(survive(model.text, model.length), NEUROMC_OK); /* it is empty */
    nmc_strbuf_release(&model);
}

/* The walk's own field number, in a file, means nothing. */
static void forged_size(void **state) {
    (void)state;
    struct nmc_strbuf tensor = empty(), graph = relu_graph();
    proto_int(&tensor, 1, 2);
    proto_int(&tensor, 2, 7);
    proto_bytes(&tensor, 9, "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 16);
    proto_int(&tensor, 50000, 3);
    put_tensor(&graph, &tensor);
    struct nmc_strbuf model = proto_model(&graph);
    struct onnx_case c = onnx_parse(model.text, model.length);
    assert_int_equal(neuromc_diags_count(c.diags), 0);
    assert_int_equal(onnx_tensor(&c, "w")->ints[1], 2);
    onnx_unload(&c);
    nmc_strbuf_release(&model);
}

static void no_operator(void **state) {
    (void)state;
    struct nmc_strbuf graph = relu_graph(), node = proto_node("", "x", "z");
    proto_put(&graph, 1, &node);
    struct nmc_strbuf model = proto_model(&graph);
    refused(&model, NULL, "does not say which operator it is");
}

/* Each allocation in turn fails; the answer is a clean refusal every time. */
static void memory_runs_out(void **state) {
    (void)state;
    for (size_t v = 0; v < sizeof victims / sizeof *victims; v++) {
        struct nmc_file file = open_case(victims[v]);
        neuromc_status status = NEUROMC_IO;
        for (size_t n = 1; status != NEUROMC_OK; n++) {
            neuromc_diags *diags = neuromc_diags_new();
            struct nmc_net *net;
            nmc_memory_fail_at(n);
            status = nmc_onnx_parse(file.data, file.size, "test.onnx", &net, diags);
            nmc_memory_fail_at(0);
            assert_true(status == NEUROMC_OK || status == NEUROMC_IO);
            assert_int_equal(net == NULL, status != NEUROMC_OK);
            if (status)
                assert_true(neuromc_diags_count(diags) > 0);
            nmc_net_free(net);
            neuromc_diags_free(diags);
            assert_true(n < 10000);
        }
        nmc_file_close(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_anywhere), cmocka_unit_test(mutated_anywhere),
        cmocka_unit_test(random_bytes), cmocka_unit_test(wrong_wire_types),
        cmocka_unit_test(lengths),      cmocka_unit_test(deep),
        cmocka_unit_test(millions),     cmocka_unit_test(twice),
        cmocka_unit_test(places),       cmocka_unit_test(names_with_nul),
        cmocka_unit_test(bad_tensors),  cmocka_unit_test(forged_size),
        cmocka_unit_test(no_operator),  cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
