/* The copy of an ONNX file with other metadata, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "frontends/onnx_metadata.h"
#include "proto_bytes.h"

enum { NODE_METADATA = 9, MODEL_METADATA = 14 };

/* ---- files ---- */

static void put_entry(struct nmc_strbuf *out, uint32_t number, const char *key, const char *value) {
    struct nmc_strbuf entry;
    nmc_strbuf_init(&entry);
    proto_text(&entry, 1, key);
    proto_text(&entry, 2, value);
    proto_put(out, number, &entry);
}

/* A node with a subgraph with a node, each with what it is given. */
static void put_nodes(struct nmc_strbuf *graph, void (*inner)(struct nmc_strbuf *node),
                      void (*outer)(struct nmc_strbuf *node)) {
    struct nmc_strbuf node = proto_node("If", "c", "y"), below = proto_node("Relu", "x", "z");
    struct nmc_strbuf attribute, body;
    nmc_strbuf_init(&attribute);
    nmc_strbuf_init(&body);
    inner(&below);
    proto_put(&body, 1, &below);
    proto_text(&body, 2, "body");
    proto_text(&attribute, 1, "then_branch");
    proto_put(&attribute, 6, &body);
    proto_put(&node, 5, &attribute);
    outer(&node);
    proto_put(graph, 1, &node);
}

static struct nmc_strbuf model_with(void (*inner)(struct nmc_strbuf *node),
                                    void (*outer)(struct nmc_strbuf *node),
                                    void (*whole)(struct nmc_strbuf *model)) {
    struct nmc_strbuf graph;
    nmc_strbuf_init(&graph);
    put_nodes(&graph, inner, outer);
    proto_text(&graph, 2, "graph");
    struct nmc_strbuf model = proto_model(&graph);
    whole(&model);
    return model;
}

static void nothing(struct nmc_strbuf *out) {
    (void)out;
}

static void wanted_inner(struct nmc_strbuf *out) {
    put_entry(out, NODE_METADATA, "our.op", "inner");
}

static void wanted_outer(struct nmc_strbuf *out) {
    put_entry(out, NODE_METADATA, "our.op", "outer");
    put_entry(out, NODE_METADATA, "our.more", "");
}

static void wanted_whole(struct nmc_strbuf *out) {
    put_entry(out, MODEL_METADATA, "our.model", "whole");
}

static void foreign_node(struct nmc_strbuf *out) {
    put_entry(out, NODE_METADATA, "their.op", "stays");
}

/* A key that only begins like the prefix, an entry without a key, and one that is malformed. */
static void odd_node(struct nmc_strbuf *out) {
    put_entry(out, NODE_METADATA, "ou", "stays");
    proto_bytes(out, NODE_METADATA, "\x12\x01x", 3);
    proto_bytes(out, NODE_METADATA, "\x0a\x7f", 2);
    proto_int(out, NODE_METADATA, 7);
}

static void old_node(struct nmc_strbuf *out) {
    put_entry(out, NODE_METADATA, "our.old", "goes");
    foreign_node(out);
}

static void foreign_then(struct nmc_strbuf *out) {
    foreign_node(out);
    wanted_outer(out);
}

static void foreign_then_inner(struct nmc_strbuf *out) {
    foreign_node(out);
    wanted_inner(out);
}

static void old_model(struct nmc_strbuf *out) {
    put_entry(out, MODEL_METADATA, "our.old", "goes");
}

static void odd_then_inner(struct nmc_strbuf *out) {
    odd_node(out);
    wanted_inner(out);
}

/* ---- copying ---- */

static struct nmc_strbuf copied;

static bool keep(void *user, const char *data, size_t size) {
    (void)user;
    nmc_strbuf_add(&copied, data, size);
    return true;
}

static bool refuse(void *user, const char *data, size_t size) {
    (void)user, (void)data, (void)size;
    return false;
}

static void put(void *user, size_t file_at, struct nmc_metadata *out) {
    const struct nmc_strbuf *file = user;
    if (file_at == 0) {
        nmc_metadata_put(out, "our.model", "whole");
        return;
    }
    /* input "c" of the outer node is the first thing in its message */
    if (memcmp(file->text + file_at,
               "\x0a\x01"
               "c",
               3) == 0) {
        nmc_metadata_put(out, "our.op", "outer");
        nmc_metadata_put(out, "our.more", "");
    } else {
        nmc_metadata_put(out, "our.op", "inner");
    }
}

static neuromc_status copy_to(struct nmc_strbuf *file, neuromc_write_fn write,
                              neuromc_diags *diags) {
    const struct nmc_metadata_source source = {.prefix = "our.", .put = put, .user = file};
    const struct nmc_file bytes = {.data = (const unsigned char *)file->text, .size = file->length};
    nmc_strbuf_clear(&copied);
    return nmc_onnx_with_metadata(&bytes, "m.onnx", &source, write, NULL, diags);
}

/* The file is copied to `want`, and so is the copy. Both are released. */
static void check_copy(struct nmc_strbuf file, struct nmc_strbuf want) {
    for (int round = 0; round < 2; round++) {
        assert_int_equal(copy_to(&file, keep, NULL), NEUROMC_OK);
        assert_int_equal(copied.length, want.length);
        assert_memory_equal(copied.text, want.text, want.length);
        nmc_strbuf_clear(&file);
        nmc_strbuf_add(&file, copied.text, copied.length);
    }
    nmc_strbuf_release(&file);
    nmc_strbuf_release(&want);
    nmc_strbuf_release(&copied);
}

static void puts_in(void **state) {
    (void)state;
    check_copy(model_with(nothing, nothing, nothing),
               model_with(wanted_inner, wanted_outer, wanted_whole));
}

static void keeps_and_replaces(void **state) {
    (void)state;
    check_copy(model_with(old_node, foreign_node, old_model),
               model_with(foreign_then_inner, foreign_then, wanted_whole));
    check_copy(model_with(odd_node, nothing, nothing),
               model_with(odd_then_inner, wanted_outer, wanted_whole));
}

/* A function with a node, and another in the graph that an attribute of it has by default. */
static struct nmc_strbuf function_with(void (*node)(struct nmc_strbuf *node),
                                       void (*whole)(struct nmc_strbuf *model)) {
    struct nmc_strbuf file, function, attribute, body;
    struct nmc_strbuf plain = proto_node("Relu", "x", "y"), below = proto_node("Relu", "x", "z");
    nmc_strbuf_init(&file);
    nmc_strbuf_init(&function);
    nmc_strbuf_init(&attribute);
    nmc_strbuf_init(&body);
    node(&plain);
    node(&below);
    proto_text(&function, 1, "f");
    proto_put(&function, 7, &plain);
    proto_put(&body, 1, &below);
    proto_text(&attribute, 1, "branch");
    proto_put(&attribute, 6, &body);
    proto_put(&function, 11, &attribute);
    proto_put(&file, 25, &function);
    whole(&file);
    return file;
}

static void functions(void **state) {
    (void)state;
    check_copy(function_with(nothing, old_model), function_with(wanted_inner, wanted_whole));
}

/* Lengths of the shortest form come out, whatever went in. */
static void long_lengths(void **state) {
    (void)state;
    struct nmc_strbuf graph, file, want;
    nmc_strbuf_init(&graph);
    nmc_strbuf_init(&file);
    nmc_strbuf_init(&want);
    proto_text(&graph, 2, "graph");
    nmc_strbuf_add(&file, "\x3a\x87\x80\x00", 4);
    nmc_strbuf_add(&file, graph.text, graph.length);
    assert_int_equal(graph.length, 7);
    proto_put(&want, 7, &graph);
    wanted_whole(&want);
    check_copy(file, want);
}

static void damaged(void **state) {
    (void)state;
    struct nmc_strbuf whole = model_with(old_node, foreign_node, old_model);
    neuromc_diags *diags = neuromc_diags_new();
    for (size_t size = 0; size < whole.length; size++) {
        struct nmc_strbuf part = whole;
        part.length = size;
        neuromc_diags_clear(diags);
        neuromc_status status = copy_to(&part, keep, diags);
        assert_true(status == NEUROMC_OK || status == NEUROMC_BAD_INPUT);
        assert_int_equal(neuromc_diags_count(diags), status != NEUROMC_OK);
        assert_true(status == NEUROMC_OK || copied.length == 0); /* found before anything is out */
    }
    neuromc_diags_free(diags);
    nmc_strbuf_release(&whole);
    nmc_strbuf_release(&copied);
}

static void too_deep(void **state) {
    (void)state;
    struct nmc_strbuf inner;
    nmc_strbuf_init(&inner);
    for (int i = 0; i < 100; i++) { /* graph, node, attribute, graph ... */
        static const uint32_t path[] = {6, 5, 1};
        for (int k = 0; k < 3; k++) {
            struct nmc_strbuf around;
            nmc_strbuf_init(&around);
            proto_put(&around, path[k], &inner);
            inner = around;
        }
    }
    struct nmc_strbuf file = proto_model(&inner);
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(copy_to(&file, keep, diags), NEUROMC_BAD_INPUT);
    assert_int_equal(neuromc_diags_count(diags), 1);
    neuromc_diags_free(diags);
    nmc_strbuf_release(&file);
}

static void failures(void **state) {
    (void)state;
    struct nmc_strbuf file = model_with(old_node, foreign_node, old_model);
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(copy_to(&file, refuse, diags), NEUROMC_IO);
    assert_int_equal(neuromc_diags_count(diags), 1);
    assert_int_equal(copy_to(&file, keep, NULL), NEUROMC_OK);
    nmc_strbuf_release(&copied);
    nmc_memory_fail_at(0);
    assert_int_equal(copy_to(&file, keep, NULL), NEUROMC_OK);
    const size_t count = nmc_memory_fail_at(0);
    assert_true(count > 3);
    for (size_t n = 1; n <= count; n++) {
        nmc_strbuf_release(&copied);
        neuromc_diags_clear(diags);
        nmc_memory_fail_at(n);
        neuromc_status status = copy_to(&file, keep, diags);
        nmc_memory_fail_at(0);
        assert_true(copied.failed || status == NEUROMC_IO); /* it may be the test's own */
        assert_true(copied.failed || neuromc_diags_count(diags) == 1);
        copied.failed = false;
    }
    neuromc_diags_free(diags);
    nmc_strbuf_release(&file);
    nmc_strbuf_release(&copied);
}

static void text_is_utf8(void **state) {
    (void)state;
    struct nmc_metadata metadata = {.field = NODE_METADATA};
    nmc_strbuf_init(&metadata.bytes);
    nmc_metadata_put(&metadata, "k", "a\xff\xc3\xa9\xc3");
    static const char want[] = "\x4a\x0a\x0a\x01k\x12\x05"
                               "a?\xc3\xa9?";
    assert_int_equal(metadata.bytes.length, sizeof want - 1);
    assert_memory_equal(metadata.bytes.text, want, sizeof want - 1);
    nmc_strbuf_release(&metadata.bytes);
}

int main(void) {
    nmc_strbuf_init(&copied);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_in),      cmocka_unit_test(keeps_and_replaces),
        cmocka_unit_test(long_lengths), cmocka_unit_test(damaged),
        cmocka_unit_test(too_deep),     cmocka_unit_test(failures),
        cmocka_unit_test(text_is_utf8), cmocka_unit_test(functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
