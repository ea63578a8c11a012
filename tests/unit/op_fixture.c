/* Hand-built nodes for tests of single operators. */
#include "op_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

char fx_end;

int fixture_setup(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    static const struct nmc_infer_options options;
    f->net = nmc_net_new("test.onnx");
    f->diags = neuromc_diags_new();
    f->infer = (struct nmc_infer){.net = f->net, .options = &options, .diags = f->diags};
    f->opset = 17;
    *state = f;
    return f->net && f->diags ? 0 : -1;
}

int fixture_teardown(void **state) {
    struct fixture *f = *state;
    nmc_net_free(f->net);
    neuromc_diags_free(f->diags);
    free(f);
    return 0;
}

/* ---- text ---- */

static nmc_dim symbol(struct fixture *f, const char *name) {
    for (uint32_t i = 0; i < f->net->symbol_count; i++)
        if (f->net->symbols[i].name && strcmp(f->net->symbols[i].name, name) == 0)
            return nmc_dim_symbol(i);
    /* Symbols in tests are sizes of some graph input. */
    struct nmc_tensor *input = nmc_tensor_new(f->net, f->net->main, name);
    return nmc_symbol_new(f->net, nmc_arena_strdup(&f->net->arena, name), input, 0, NULL);
}

/* Splits at commas; *count of them. */
static char **words(struct fixture *f, const char *text, int *count) {
    char *copy = nmc_arena_strdup(&f->net->arena, text);
    char **list = nmc_arena_array(&f->net->arena, strlen(text) + 1, sizeof *list);
    *count = 0;
    for (char *word = strtok(copy, ", "); word; word = strtok(NULL, ", "))
        list[(*count)++] = word;
    return list;
}

static nmc_dim *dims(struct fixture *f, const char *text, int *count) {
    char **list = words(f, text, count);
    nmc_dim *out = nmc_arena_array(&f->net->arena, (size_t)*count, sizeof *out);
    for (int i = 0; i < *count; i++) {
        char *end;
        long long number = strtoll(list[i], &end, 10);
        out[i] = *end ? symbol(f, list[i]) : nmc_dim_clamp(number);
    }
    return out;
}

static double *doubles(struct fixture *f, const char *text, int *count) {
    char **list = words(f, text, count);
    double *out = nmc_arena_array(&f->net->arena, (size_t)*count, sizeof *out);
    for (int i = 0; i < *count; i++)
        out[i] = strtod(list[i], NULL);
    return out;
}

/* ---- tensors ---- */

struct nmc_tensor *fx_tensor(struct fixture *f, enum nmc_elem type, const char *shape) {
    struct nmc_tensor *tensor = nmc_tensor_new(f->net, f->net->main, "x");
    int rank;
    tensor->type = type;
    if (strcmp(shape, "?") != 0) {
        nmc_dim *sizes = dims(f, shape, &rank);
        nmc_shape_set(f->net, &tensor->shape, rank, sizes);
    }
    return tensor;
}

struct nmc_tensor *fx_float(struct fixture *f, const char *shape) {
    return fx_tensor(f, NMC_ELEM_float32, shape);
}

static struct nmc_tensor *constant(struct fixture *f, enum nmc_elem type, const char *values,
                                   bool scalar) {
    struct nmc_tensor *tensor = nmc_tensor_new(f->net, f->net->main, "c");
    int count;
    tensor->type = type;
    tensor->is_constant = true;
    if (nmc_elem_kind(type) == 'f')
        tensor->reals = doubles(f, values, &count);
    else
        tensor->ints = dims(f, values, &count);
    tensor->value_count = count;
    nmc_dim size = count;
    nmc_shape_set(f->net, &tensor->shape, scalar ? 0 : 1, &size);
    return tensor;
}

struct nmc_tensor *fx_ints(struct fixture *f, const char *values) {
    return constant(f, NMC_ELEM_int64, values, false);
}

struct nmc_tensor *fx_int(struct fixture *f, const char *value) {
    return constant(f, NMC_ELEM_int64, value, true);
}

struct nmc_tensor *fx_reals(struct fixture *f, const char *values) {
    return constant(f, NMC_ELEM_float32, values, false);
}

struct nmc_tensor *fx_real(struct fixture *f, const char *value) {
    return constant(f, NMC_ELEM_float32, value, true);
}

struct nmc_tensor *fx_bools(struct fixture *f, const char *values) {
    return constant(f, NMC_ELEM_bool, values, false);
}

struct nmc_tensor *fx_shaped(struct fixture *f, struct nmc_tensor *tensor, const char *shape) {
    int rank;
    nmc_dim *sizes = dims(f, shape, &rank);
    nmc_shape_set(f->net, &tensor->shape, rank, sizes);
    return tensor;
}

/* ---- nodes ---- */

enum { MOST_INPUTS = 16, MOST_ATTRS = 8 };

struct nmc_node *fx_node_n(struct fixture *f, const char *domain, const char *op, int outputs,
                           ...) {
    struct nmc_node *node =
        nmc_node_new(f->net, f->net->main, domain, op, MOST_INPUTS, outputs, MOST_ATTRS);
    va_list inputs;
    va_start(inputs, outputs);
    node->input_count = node->attr_count = 0;
    for (;;) {
        struct nmc_tensor *input = va_arg(inputs, struct nmc_tensor *);
        if (input == FX_END)
            break;
        node->inputs[node->input_count++] = input;
    }
    va_end(inputs);
    for (int i = 0; i < outputs; i++)
        nmc_node_set_output(node, i, nmc_tensor_new(f->net, f->net->main, "y"));
    node->opset = f->opset;
    if (!node->op)
        fail_msg("%s is not in the operator table", op);
    return node;
}

static struct nmc_attr *attr(struct fixture *f, struct nmc_node *node, const char *name,
                             enum nmc_attr_kind kind) {
    struct nmc_attr *a = &node->attrs[node->attr_count++];
    a->name = nmc_arena_strdup(&f->net->arena, name);
    a->kind = kind;
    return a;
}

void fx_attr_int(struct fixture *f, struct nmc_node *node, const char *name, int64_t value) {
    attr(f, node, name, NMC_ATTR_INT)->i = value;
}

void fx_attr_float(struct fixture *f, struct nmc_node *node, const char *name, double value) {
    attr(f, node, name, NMC_ATTR_FLOAT)->f = value;
}

void fx_attr_ints(struct fixture *f, struct nmc_node *node, const char *name, const char *values) {
    struct nmc_attr *a = attr(f, node, name, NMC_ATTR_INTS);
    int count;
    char **list = words(f, values, &count);
    int64_t *out = nmc_arena_array(&f->net->arena, (size_t)count, sizeof *out);
    for (int i = 0; i < count; i++)
        out[i] = strtoll(list[i], NULL, 10);
    a->ints = out;
    a->count = count;
}

void fx_attr_floats(struct fixture *f, struct nmc_node *node, const char *name,
                    const char *values) {
    struct nmc_attr *a = attr(f, node, name, NMC_ATTR_FLOATS);
    int count;
    a->floats = doubles(f, values, &count);
    a->count = count;
}

void fx_attr_string(struct fixture *f, struct nmc_node *node, const char *name, const char *text) {
    struct nmc_attr *a = attr(f, node, name, NMC_ATTR_STRING);
    a->s = nmc_arena_strdup(&f->net->arena, text);
    a->count = (int64_t)strlen(text);
}

void fx_attr_tensor(struct fixture *f, struct nmc_node *node, const char *name,
                    struct nmc_tensor *value) {
    attr(f, node, name, NMC_ATTR_TENSOR)->tensor = value;
}

static neuromc_status run(struct fixture *f, struct nmc_node *node) {
    neuromc_status status = node->op->infer(&f->infer, node);
    return status == NEUROMC_OK ? node->op->fold(&f->infer, node) : status;
}

static const neuromc_diag *last_diag(struct fixture *f) {
    size_t count = neuromc_diags_count(f->diags);
    return count ? neuromc_diags_at(f->diags, count - 1) : NULL;
}

struct nmc_tensor *fx_run(struct fixture *f, struct nmc_node *node) {
    if (run(f, node) != NEUROMC_OK)
        fail_msg("%s: %s", node->op_type, last_diag(f) ? last_diag(f)->message : "no message");
    assert_false(f->net->arena.failed);
    return node->outputs[0];
}

void fx_fails(struct fixture *f, struct nmc_node *node, const char *text) {
    neuromc_status status = run(f, node);
    const neuromc_diag *diag = last_diag(f);
    assert_int_equal(status, NEUROMC_BAD_INPUT);
    assert_non_null(diag);
    assert_non_null(diag->where);
    if (!strstr(diag->message, text))
        fail_msg("%s: \"%s\" does not hold \"%s\"", node->op_type, diag->message, text);
}

/* ---- what came out ---- */

void assert_shape(struct fixture *f, const struct nmc_tensor *tensor, const char *shape) {
    assert_string_equal(nmc_shape_text(f->net, &tensor->shape), shape);
}

void assert_out(struct fixture *f, struct nmc_node *node, int output, enum nmc_elem type,
                const char *shape) {
    assert_string_equal(nmc_elem_name(node->outputs[output]->type), nmc_elem_name(type));
    assert_shape(f, node->outputs[output], shape);
}

static void put_real(struct nmc_strbuf *out, double value) {
    if (isnan(value))
        nmc_strbuf_puts(out, "?");
    else
        nmc_strbuf_printf(out, "%.9g", value);
}

void assert_value(struct fixture *f, const struct nmc_tensor *tensor, const char *values) {
    if (!tensor->ints && !tensor->reals) {
        assert_string_equal("none", values);
        return;
    }
    if (tensor->ints) {
        const struct nmc_shape list = {(int)tensor->value_count, tensor->ints};
        assert_string_equal(nmc_shape_text(f->net, &list), values);
        return;
    }
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    nmc_strbuf_putc(&text, '[');
    for (int64_t i = 0; i < tensor->value_count; i++) {
        nmc_strbuf_puts(&text, i ? ", " : "");
        put_real(&text, tensor->reals[i]);
    }
    nmc_strbuf_putc(&text, ']');
    char *copy = nmc_arena_strdup(&f->net->arena, text.text);
    nmc_strbuf_release(&text);
    assert_string_equal(copy, values);
}
