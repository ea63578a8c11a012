/* Graphs by hand. */
#include "net_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"

enum { MOST_ATTRS = 12 };

void nb_init(struct net_builder *b, int opset) {
    b->net = nmc_net_new("test.onnx");
    b->diags = neuromc_diags_new();
    assert_non_null(b->net);
    assert_non_null(b->diags);
    b->graph = b->net->main;
    b->opset = b->net->opset = opset;
}

void nb_free(struct net_builder *b) {
    nmc_net_free(b->net);
    neuromc_diags_free(b->diags);
}

/* ---- shapes ---- */

static nmc_dim named(struct net_builder *b, const char *name, const struct nmc_tensor *input,
                     int axis) {
    for (uint32_t i = 0; i < b->net->symbol_count; i++)
        if (b->net->symbols[i].name && strcmp(b->net->symbols[i].name, name) == 0)
            return nmc_dim_symbol(i);
    return nmc_symbol_new(b->net, name, input, axis, NULL);
}

static nmc_dim parse_dim(struct net_builder *b, const char *text, size_t length,
                         const struct nmc_tensor *input, int axis) {
    char *word = nmc_arena_strndup(&b->net->arena, text, length);
    assert_non_null(word);
    if (strcmp(word, "?") == 0)
        return nmc_symbol_new(b->net, NULL, input, axis, NULL);
    if ((*word >= '0' && *word <= '9') || *word == '-')
        return strtoll(word, NULL, 10);
    return named(b, word, input, axis);
}

static void set_shape(struct net_builder *b, struct nmc_shape *shape, const char *text,
                      const struct nmc_tensor *input) {
    nmc_dim dims[NMC_LIMIT_RANK];
    int rank = 0;
    while (text && *text) {
        size_t length = strcspn(text, ",");
        dims[rank] = parse_dim(b, text, length, input, rank);
        rank++;
        text += length + (text[length] == ',');
    }
    assert_true(nmc_shape_set(b->net, shape, text ? rank : -1, dims));
}

/* ---- tensors ---- */

static struct nmc_tensor *tensor(struct net_builder *b, const char *name, enum nmc_elem type) {
    struct nmc_tensor *t = nmc_tensor_new(b->net, b->graph, name);
    assert_non_null(t);
    t->type = type;
    return t;
}

struct nmc_tensor *nb_input(struct net_builder *b, const char *name, const char *shape) {
    struct nmc_tensor *t = tensor(b, name, NMC_ELEM_float32);
    set_shape(b, &t->shape, shape, t);
    t->is_input = b->graph == b->net->main;
    assert_true(nmc_graph_add_input(b->net, b->graph, t));
    return t;
}

struct nmc_tensor *nb_weight(struct net_builder *b, const char *name, const char *shape) {
    struct nmc_tensor *t = tensor(b, name, NMC_ELEM_float32);
    set_shape(b, &t->shape, shape, NULL);
    t->is_initializer = t->is_constant = true;
    return t;
}

static struct nmc_tensor *constant(struct net_builder *b, const char *name, enum nmc_elem type,
                                   int rank, int64_t count, const int64_t *values) {
    struct nmc_tensor *t = tensor(b, name, type);
    assert_true(nmc_shape_set(b->net, &t->shape, rank, &count));
    t->is_initializer = t->is_constant = true;
    t->ints = nmc_arena_copy(&b->net->arena, values, (size_t)count * sizeof *values);
    assert_non_null(t->ints);
    t->value_count = count;
    return t;
}

struct nmc_tensor *nb_ints(struct net_builder *b, const char *name, int count,
                           const int64_t *values) {
    return constant(b, name, NMC_ELEM_int64, 1, count, values);
}

struct nmc_tensor *nb_int(struct net_builder *b, const char *name, int64_t value) {
    return constant(b, name, NMC_ELEM_int64, 0, 1, &value);
}

struct nmc_tensor *nb_bool(struct net_builder *b, const char *name, bool value) {
    return constant(b, name, NMC_ELEM_bool, 0, 1, &(int64_t){value});
}

void nb_declare(struct net_builder *b, struct nmc_tensor *t, const char *shape) {
    set_shape(b, &t->declared, shape, NULL);
}

void nb_output(struct net_builder *b, struct nmc_tensor *t) {
    t->is_output = b->graph == b->net->main;
    assert_true(nmc_graph_add_output(b->net, b->graph, t));
}

/* ---- nodes ---- */

struct nmc_node *nb_node(struct net_builder *b, const char *op_type, const char *name, int inputs,
                         struct nmc_tensor *const *input, int outputs) {
    struct nmc_arena *arena = &b->net->arena;
    const char *colons = strstr(op_type, "::");
    const char *domain =
        colons ? nmc_arena_strndup(arena, op_type, (size_t)(colons - op_type)) : "";
    struct nmc_node *node = nmc_node_new(b->net, b->graph, domain, colons ? colons + 2 : op_type,
                                         inputs, outputs, MOST_ATTRS);
    assert_non_null(node);
    node->attr_count = 0;
    node->name = nmc_arena_strdup(arena, name);
    node->opset = b->opset;
    for (int i = 0; i < inputs; i++)
        node->inputs[i] = input[i];
    for (int i = 0; i < outputs; i++)
        nmc_node_set_output(
            node, i, tensor(b, nmc_arena_printf(arena, "%s.%d", name, i), NMC_ELEM_undefined));
    return node;
}

struct nmc_tensor *nb_op(struct net_builder *b, const char *op_type, const char *name,
                         struct nmc_tensor *x, struct nmc_tensor *y, struct nmc_tensor *z) {
    int inputs = z ? 3 : y ? 2 : x ? 1 : 0;
    return nb_node(b, op_type, name, inputs, (struct nmc_tensor *[]){x, y, z}, 1)->outputs[0];
}

static struct nmc_attr *attr(struct nmc_node *node, const char *name, enum nmc_attr_kind kind) {
    assert_true(node->attr_count < MOST_ATTRS);
    struct nmc_attr *a = &node->attrs[node->attr_count++];
    *a = (struct nmc_attr){.name = name, .kind = kind};
    return a;
}

struct nmc_attr *nb_attr_int(struct net_builder *b, struct nmc_node *node, const char *name,
                             int64_t value) {
    (void)b;
    struct nmc_attr *a = attr(node, name, NMC_ATTR_INT);
    a->i = value;
    return a;
}

struct nmc_attr *nb_attr_float(struct net_builder *b, struct nmc_node *node, const char *name,
                               double value) {
    (void)b;
    struct nmc_attr *a = attr(node, name, NMC_ATTR_FLOAT);
    a->f = value;
    return a;
}

struct nmc_attr *nb_attr_ints(struct net_builder *b, struct nmc_node *node, const char *name,
                              const char *values) {
    struct nmc_shape shape = {.rank = -1};
    set_shape(b, &shape, values, NULL);
    struct nmc_attr *a = attr(node, name, NMC_ATTR_INTS);
    a->ints = shape.dims;
    a->count = shape.rank;
    return a;
}

struct nmc_attr *nb_attr_text(struct net_builder *b, struct nmc_node *node, const char *name,
                              const char *text) {
    (void)b;
    struct nmc_attr *a = attr(node, name, NMC_ATTR_STRING);
    a->s = text;
    a->count = (int64_t)strlen(text);
    return a;
}

struct nmc_graph *nb_body(struct net_builder *b, struct nmc_node *owner, const char *name) {
    struct nmc_attr *a = attr(owner, name, NMC_ATTR_GRAPH);
    struct nmc_graph *body = nmc_graph_new(b->net, name, b->graph);
    assert_non_null(body);
    body->owner = owner;
    a->graphs = nmc_arena_copy(&b->net->arena, &body, sizeof(void *));
    assert_non_null(a->graphs);
    a->count = 1;
    b->graph = body;
    return body;
}

void nb_end_body(struct net_builder *b) {
    b->graph = b->graph->outer;
}

/* ---- results ---- */

neuromc_status nb_infer(struct net_builder *b, const struct nmc_infer_options *options) {
    neuromc_status status = nmc_net_finish(b->net, b->diags);
    return status == NEUROMC_OK ? nmc_infer_net(b->net, options, b->diags) : status;
}

static const neuromc_diag *first(const struct net_builder *b, neuromc_severity severity) {
    for (size_t i = 0; i < neuromc_diags_count(b->diags); i++)
        if (neuromc_diags_at(b->diags, i)->severity == severity)
            return neuromc_diags_at(b->diags, i);
    return NULL;
}

const char *nb_error(const struct net_builder *b) {
    const neuromc_diag *d = first(b, NEUROMC_ERROR);
    return d ? d->message : "";
}

const char *nb_warning(const struct net_builder *b) {
    const neuromc_diag *d = first(b, NEUROMC_WARNING);
    return d ? d->message : "";
}

void nb_assert_shape(struct net_builder *b, const struct nmc_tensor *t, const char *shape) {
    struct nmc_shape wanted = {.rank = -1};
    set_shape(b, &wanted, shape, NULL);
    assert_string_equal(nmc_shape_text(b->net, &t->shape), nmc_shape_text(b->net, &wanted));
}

void nb_assert_fails(struct net_builder *b, const char *where, const char *message) {
    assert_int_equal(nb_infer(b, NULL), NEUROMC_BAD_INPUT);
    assert_string_equal(nb_error(b), message);
    assert_string_equal(first(b, NEUROMC_ERROR)->where, where);
}

/* ---- one node in a sentence ---- */

enum { MOST_WORDS = 16 };

/* Cuts a copy of text at a separator; blanks around words go. Returns how many words. */
static int split(struct net_builder *b, const char *text, char separator,
                 const char *words[MOST_WORDS]) {
    char *copy = nmc_arena_strdup(&b->net->arena, text);
    assert_non_null(copy);
    int count = 0;
    for (char *at = copy; at && *at; count++) {
        assert_true(count < MOST_WORDS);
        at += strspn(at, " ");
        char *end = strchr(at, separator);
        if (end)
            *end = '\0';
        for (size_t length = strlen(at); length && at[length - 1] == ' ';)
            at[--length] = '\0';
        words[count] = at;
        at = end ? end + 1 : NULL;
    }
    return count;
}

static const char *shape_word(const char *word) {
    return strcmp(word, "*") == 0 ? NULL : strcmp(word, "()") == 0 ? "" : word;
}

static void set_attribute(struct net_builder *b, struct nmc_node *node, const char *word) {
    const char *parts[MOST_WORDS];
    assert_int_equal(split(b, word, '=', parts), 2);
    const char *name = parts[0], *value = parts[1];
    if (*value == '[') {
        size_t length = strlen(value);
        nb_attr_ints(b, node, name, nmc_arena_strndup(&b->net->arena, value + 1, length - 2));
    } else if (strspn(value, "-0123456789") == strlen(value)) {
        nb_attr_int(b, node, name, strtoll(value, NULL, 10));
    } else if (strspn(value, "-.0123456789") == strlen(value)) {
        nb_attr_float(b, node, name, strtod(value, NULL));
    } else {
        nb_attr_text(b, node, name, value);
    }
}

void nb_attributes(struct net_builder *b, struct nmc_node *node, const char *attributes) {
    const char *words[MOST_WORDS];
    int count = split(b, attributes, ' ', words);
    for (int i = 0; i < count; i++)
        set_attribute(b, node, words[i]);
}

static struct nmc_node *sentence(struct net_builder *b, const char *op_type, const char *inputs,
                                 const char *attributes, int outputs) {
    const char *words[MOST_WORDS];
    struct nmc_tensor *tensors[MOST_WORDS] = {NULL};
    int count = split(b, inputs, '|', words);
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], "-") != 0)
            tensors[i] = nb_input(b, "x", shape_word(words[i]));
    struct nmc_node *node = nb_node(b, op_type, "n", count, tensors, outputs);
    nb_attributes(b, node, attributes);
    return node;
}

void nb_gives(int opset, const char *op_type, const char *inputs, const char *attributes,
              const char *outputs) {
    struct net_builder b;
    const char *words[MOST_WORDS];
    nb_init(&b, opset);
    int count = split(&b, outputs, '|', words);
    struct nmc_node *node = sentence(&b, op_type, inputs, attributes, count);
    neuromc_status status = nb_infer(&b, NULL);
    assert_string_equal(nb_error(&b), "");
    assert_int_equal(status, NEUROMC_OK);
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], "-") != 0)
            nb_assert_shape(&b, node->outputs[i], shape_word(words[i]));
    nb_free(&b);
}

void nb_refuses(int opset, const char *op_type, const char *inputs, const char *attributes,
                const char *message) {
    struct net_builder b;
    nb_init(&b, opset);
    sentence(&b, op_type, inputs, attributes, 1);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_BAD_INPUT);
    assert_string_equal(nb_error(&b), message);
    nb_free(&b);
}
