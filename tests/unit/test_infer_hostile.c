/* Every operator of the table on nodes that make no sense: inference and folding must answer with
 * a shape, with nothing, or with an error that has a place, and never crash. The nodes are drawn
 * from a fixed sequence of pseudo-random numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "op_fixture.h"

enum { NODES_PER_OPERATOR = 150, MOST_INPUTS = 7, MOST_OUTPUTS = 4, MOST_ATTRS = 5 };

static uint64_t state;

static int draw(int below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)below);
}

#define PICK(list) list[draw((int)(sizeof list / sizeof *list))]

static const int64_t sizes[] = {0, 1, 1, 2, 3, 4, 5, 8, 64, 4096, INT64_C(1) << 40, INT64_MAX};
static const int64_t numbers[] = {-2,        -1,
                                  -1,        0,
                                  0,         1,
                                  1,         2,
                                  3,         4,
                                  5,         63,
                                  64,        100000,
                                  INT32_MAX, INT64_C(1) << 62,
                                  INT64_MAX, NMC_DIM_LEAST};
static const double reals[] = {0, 0.5, 1, -1, 2, 3.7, 1e-300, 1e30, 1e300};
static const enum nmc_elem types[] = {NMC_ELEM_float32, NMC_ELEM_int64,    NMC_ELEM_bool,
                                      NMC_ELEM_int32,   NMC_ELEM_uint8,    NMC_ELEM_float16,
                                      NMC_ELEM_string,  NMC_ELEM_undefined};
static const char *const int_attrs[] = {"axis",
                                        "keepdims",
                                        "allowzero",
                                        "start",
                                        "end",
                                        "to",
                                        "k",
                                        "num_outputs",
                                        "blocksize",
                                        "batch_dims",
                                        "onesided",
                                        "inverse",
                                        "new_axis",
                                        "dtype",
                                        "group",
                                        "ceil_mode",
                                        "hidden_size",
                                        "num_heads",
                                        "sample_size",
                                        "noop_with_empty_axes",
                                        "value_int",
                                        "is_test",
                                        "fmod",
                                        "input_as_shape",
                                        "training_mode",
                                        "layout",
                                        "transA",
                                        "transB",
                                        "kv_num_heads",
                                        "output_datatype",
                                        "stash_type",
                                        "K",
                                        "N",
                                        "bits",
                                        "block_size",
                                        "qk_matmul_output_mode",
                                        "q_num_heads",
                                        "output_height",
                                        "output_width"};
static const char *const list_attrs[] = {
    "axes",          "perm",         "starts",          "ends",
    "shape",         "pads",         "split",           "scale",
    "border",        "kernel_shape", "strides",         "dilations",
    "paddings",      "extra_shape",  "output_shape",    "output_padding",
    "ngram_indexes", "value_ints",   "qkv_hidden_sizes"};
static const char *const text_attrs[] = {"mode",         "auto_pad",  "reduction",
                                         "equation",     "direction", "keep_aspect_ratio_policy",
                                         "pixel_format", "to"};
static const char *const texts[] = {"",           "none",        "add",    "SAME_UPPER",
                                    "VALID",      "ij,jk->ik",   "...i,i", "bidirectional",
                                    "not_larger", "not_smaller", "FLOAT",  "->"};

static nmc_dim some_dim(struct fixture *f) {
    return draw(4) ? PICK(sizes) : nmc_dim_symbol((uint32_t)draw((int)f->net->symbol_count));
}

static int some_shape(struct fixture *f, nmc_dim dims[]) {
    int rank = draw(10) ? draw(6) : NMC_LIMIT_RANK - draw(2);
    for (int i = 0; i < rank; i++)
        dims[i] = some_dim(f);
    return rank;
}

static void give_value(struct fixture *f, struct nmc_tensor *tensor) {
    int count = draw(6);
    nmc_dim size = draw(8) ? count : count + 1;
    tensor->value_count = count;
    nmc_shape_set(f->net, &tensor->shape, draw(3) ? 1 : 0, &size);
    if (nmc_elem_kind(tensor->type) == 'f') {
        tensor->reals = nmc_arena_array(&f->net->arena, (size_t)count, sizeof *tensor->reals);
        for (int i = 0; i < count; i++)
            tensor->reals[i] = PICK(reals);
        return;
    }
    tensor->ints = nmc_arena_array(&f->net->arena, (size_t)count, sizeof *tensor->ints);
    for (int i = 0; i < count; i++)
        tensor->ints[i] = draw(6) ? PICK(numbers) : some_dim(f);
}

static struct nmc_tensor *some_tensor(struct fixture *f) {
    if (draw(12) == 0)
        return NULL;
    struct nmc_tensor *tensor = nmc_tensor_new(f->net, f->net->main, "x");
    nmc_dim dims[NMC_LIMIT_RANK];
    tensor->type = PICK(types);
    if (draw(10) == 0)
        tensor->holds = NMC_HOLDS_SEQUENCE;
    if (draw(8) == 0)
        return tensor;
    if (draw(5) < 2) {
        give_value(f, tensor);
        return tensor;
    }
    int rank = some_shape(f, dims);
    nmc_shape_set(f->net, &tensor->shape, rank, dims);
    return tensor;
}

static void some_attr(struct fixture *f, struct nmc_attr *attr) {
    int64_t *ints = nmc_arena_array(&f->net->arena, 6, sizeof *ints);
    for (int i = 0; i < 6; i++)
        ints[i] = draw(12) ? PICK(numbers) : INT64_MIN;
    switch (draw(8)) {
    case 0:
        *attr = (struct nmc_attr){.name = PICK(text_attrs), .kind = NMC_ATTR_STRING};
        attr->s = PICK(texts);
        attr->count = (int64_t)strlen(attr->s);
        return;
    case 1:
        *attr = (struct nmc_attr){.name = "value", .kind = NMC_ATTR_TENSOR};
        do
            attr->tensor = some_tensor(f);
        while (!attr->tensor);
        return;
    case 2:
        *attr = (struct nmc_attr){.name = "scales", .kind = NMC_ATTR_FLOATS, .count = draw(9)};
        attr->floats = reals;
        return;
    case 3:
    case 4:
    case 5:
        *attr = (struct nmc_attr){.name = PICK(int_attrs), .kind = NMC_ATTR_INT, .i = ints[0]};
        return;
    default:
        *attr = (struct nmc_attr){.name = PICK(list_attrs), .kind = NMC_ATTR_INTS};
        attr->ints = ints;
        attr->count = draw(6);
    }
}

static struct nmc_node *some_node(struct fixture *f, const struct nmc_op *op) {
    int most = op->max_inputs >= 0 && op->max_inputs < MOST_INPUTS ? op->max_inputs : MOST_INPUTS;
    int inputs =
        most > op->min_inputs ? op->min_inputs + draw(most - op->min_inputs + 1) : op->min_inputs;
    struct nmc_node *node = nmc_node_new(f->net, f->net->main, op->domain, op->name, inputs,
                                         draw(MOST_OUTPUTS + 1), draw(MOST_ATTRS + 1));
    for (int i = 0; i < inputs; i++)
        node->inputs[i] = some_tensor(f);
    for (int i = 0; i < node->output_count; i++)
        if (draw(10))
            nmc_node_set_output(node, i, nmc_tensor_new(f->net, f->net->main, "y"));
    for (int i = 0; i < node->attr_count; i++)
        some_attr(f, &node->attrs[i]);
    node->opset = draw(24);
    return node;
}

/* What inference promises of any output. */
static void check_output(const struct fixture *f, const struct nmc_tensor *tensor) {
    assert_true(tensor->shape.rank >= -1 && tensor->shape.rank <= NMC_LIMIT_RANK);
    for (int i = 0; i < tensor->shape.rank; i++) {
        nmc_dim d = tensor->shape.dims[i];
        assert_true(nmc_dim_known(d) ? d >= 0 : nmc_dim_id(d) < f->net->symbol_count);
    }
    for (int64_t i = 0; tensor->ints && i < tensor->value_count; i++)
        assert_true(nmc_dim_known(tensor->ints[i]) ||
                    nmc_dim_id(tensor->ints[i]) < f->net->symbol_count);
    assert_true(tensor->value_count <= NMC_LIMIT_FOLD_ELEMENTS);
}

static neuromc_status run(struct fixture *f, struct nmc_node *node) {
    neuromc_status status = node->op->infer(&f->infer, node);
    return status == NEUROMC_OK ? node->op->fold(&f->infer, node) : status;
}

static struct nmc_node *set_up(void **fixture, const struct nmc_op *op) {
    assert_int_equal(fixture_setup(fixture), 0);
    struct fixture *f = *fixture;
    nmc_symbol_new(f->net, "N", NULL, 0, NULL);
    nmc_symbol_new(f->net, NULL, NULL, 0, NULL);
    return some_node(f, op);
}

static void try(const struct nmc_op *op) {
    void *fixture;
    struct nmc_node *node = set_up(&fixture, op);
    struct fixture *f = fixture;
    neuromc_status status = run(f, node);
    assert_true(status == NEUROMC_OK || status == NEUROMC_BAD_INPUT);
    assert_true((status == NEUROMC_OK) == (neuromc_diags_count(f->diags) == 0));
    assert_false(f->net->arena.failed);
    assert_true(f->net->arena.used < 4000000);
    for (int i = 0; status == NEUROMC_OK && i < node->output_count; i++)
        if (node->outputs[i])
            check_output(f, node->outputs[i]);
    fixture_teardown(&fixture);
}

/* The same with one allocation that fails. */
static void try_without_memory(const struct nmc_op *op) {
    void *fixture;
    struct nmc_node *node = set_up(&fixture, op);
    nmc_memory_fail_at(1 + (size_t)draw(4));
    neuromc_status status = run(fixture, node);
    nmc_memory_fail_at(0);
    assert_true(status == NEUROMC_OK || status == NEUROMC_BAD_INPUT || status == NEUROMC_IO);
    fixture_teardown(&fixture);
}

/* Bodies of control flow are tested with whole graphs. */
static void each_operator(int times, void (*visit)(const struct nmc_op *op)) {
    state = UINT64_C(88172645463325252);
    for (size_t i = 0; i < nmc_op_count(); i++) {
        const struct nmc_op *op = nmc_op_at(i);
        for (int n = 0; op->cost != NMC_COST_CONTROL && n < times; n++)
            visit(op);
    }
}

static void test_no_operator_crashes(void **unused) {
    (void)unused;
    each_operator(NODES_PER_OPERATOR, try);
}

static void test_lost_memory(void **unused) {
    (void)unused;
    each_operator(NODES_PER_OPERATOR / 3, try_without_memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_operator_crashes),
                                       cmocka_unit_test(test_lost_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
