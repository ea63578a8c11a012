/* Graphs as text. */
#include "net_text.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"

enum { MOST_LINES = 400, MOST_WORDS = 24, MOST_NAMES = 600, MOST_NODE_ATTRS = 8 };

struct line {
    char *words[MOST_WORDS];
    int count;
};

/* One text is built at a time. */
static struct {
    struct net_builder *b;
    unsigned variant;
    struct line lines[MOST_LINES];
    int line_count;
    const char *names[MOST_NAMES];
    struct nmc_tensor *tensors[MOST_NAMES];
    int name_count, fresh;
} t;

/* ---- words ---- */

static void split_lines(const char *text) {
    char *copy = nmc_arena_strdup(&t.b->net->arena, text), *end = NULL;
    assert_non_null(copy);
    t.line_count = 0;
    for (char *row = strtok_r(copy, "\n", &end); row; row = strtok_r(NULL, "\n", &end)) {
        char *stop = NULL;
        struct line *line = &t.lines[t.line_count];
        line->count = 0;
        for (char *word = strtok_r(row, " ", &stop); word; word = strtok_r(NULL, " ", &stop)) {
            assert_true(line->count < MOST_WORDS);
            line->words[line->count++] = word;
        }
        t.line_count += line->count > 0;
        assert_true(t.line_count < MOST_LINES);
    }
}

static const char *label(const char *name) {
    if (!(t.variant & NT_RENAMED))
        return nmc_arena_strdup(&t.b->net->arena, name);
    return nmc_arena_printf(&t.b->net->arena, "%d", t.fresh++);
}

/* ---- tensors ---- */

static struct nmc_tensor *find(const char *name) {
    for (int i = 0; i < t.name_count; i++)
        if (strcmp(t.names[i], name) == 0)
            return t.tensors[i];
    return NULL;
}

static struct nmc_tensor *add(struct nmc_graph *graph, const char *name) {
    struct nmc_tensor *tensor = nmc_tensor_new(t.b->net, graph, label(name));
    assert_non_null(tensor);
    assert_true(t.name_count < MOST_NAMES);
    assert_null(find(name));
    t.names[t.name_count] = name;
    t.tensors[t.name_count++] = tensor;
    return tensor;
}

static void set_shape(struct nmc_tensor *tensor, const char *text) {
    nmc_dim dims[NMC_LIMIT_RANK];
    int rank = 0;
    for (const char *at = text; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        dims[rank++] = strtoll(at, NULL, 10);
    assert_true(nmc_shape_set(t.b->net, &tensor->shape, rank, dims));
}

static struct nmc_tensor *constant(enum nmc_elem type, const char *shape) {
    struct nmc_tensor *tensor = nmc_tensor_new(t.b->net, t.b->net->main, label("constant"));
    assert_non_null(tensor);
    tensor->type = type;
    tensor->is_initializer = tensor->is_constant = true;
    set_shape(tensor, shape);
    assert_true(nmc_shape_elements(&tensor->shape, &tensor->value_count));
    return tensor;
}

static struct nmc_tensor *reals(double value, const char *shape) {
    struct nmc_tensor *tensor = constant(NMC_ELEM_float32, shape);
    if (tensor->value_count > NMC_LIMIT_FOLD_ELEMENTS)
        return tensor;
    tensor->reals = nmc_arena_array(&t.b->net->arena, (size_t)tensor->value_count, sizeof(double));
    for (int64_t i = 0; i < tensor->value_count; i++)
        tensor->reals[i] = value;
    return tensor;
}

static struct nmc_tensor *ints(enum nmc_elem type, const char *text, bool vector) {
    nmc_dim values[NMC_LIMIT_RANK];
    int64_t count = 0;
    for (const char *at = text; *at && *at != ']'; at++)
        if (isdigit((unsigned char)*at) || *at == '-') {
            char *end;
            values[count++] = strtoll(at, &end, 10);
            at = end - 1;
        }
    char shape[24];
    snprintf(shape, sizeof shape, "%lld", (long long)count);
    struct nmc_tensor *tensor = constant(type, vector ? shape : "");
    tensor->ints = nmc_arena_copy(&t.b->net->arena, values, (size_t)count * sizeof *values);
    return tensor;
}

static struct nmc_tensor *operand(const char *word) {
    bool number =
        isdigit((unsigned char)*word) || (*word == '-' && isdigit((unsigned char)word[1]));
    if (strcmp(word, "-") == 0)
        return NULL;
    if (find(word))
        return find(word);
    if (*word == '[')
        return ints(NMC_ELEM_int64, word, true);
    if (number && strchr(word, '.'))
        return reals(strtod(word, NULL), "");
    if (number)
        return ints(NMC_ELEM_int64, word, false);
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        return ints(NMC_ELEM_bool, *word == 't' ? "1" : "0", false);
    if (strncmp(word, "zeros:", 6) == 0)
        return reals(0, word + 6);
    if (strncmp(word, "fill:", 5) == 0)
        return reals(strtod(word + 5, NULL), strchr(word + 5, ':') + 1);
    if (strncmp(word, "weight:", 7) == 0)
        return constant(NMC_ELEM_float32, word + 7);
    fail_msg("no tensor \"%s\"", word);
    return NULL;
}

/* ---- nodes ---- */

static bool is_node(const struct line *line, int *equals) {
    for (*equals = 0; *equals < line->count; ++*equals)
        if (strcmp(line->words[*equals], "=") == 0)
            return true;
    return false;
}

static bool is_attribute(const char *word) {
    return isalpha((unsigned char)*word) && strchr(word, '=');
}

static void set_attribute(struct nmc_node *node, char *word) {
    char *value = strchr(word, '=');
    struct nmc_attr *attr = &node->attrs[node->attr_count++];
    *value++ = 0;
    *attr = (struct nmc_attr){.name = word, .kind = NMC_ATTR_STRING, .s = value};
    if (*value == '[') {
        const struct nmc_tensor *list = ints(NMC_ELEM_int64, value, true);
        *attr = (struct nmc_attr){
            .name = word, .kind = NMC_ATTR_INTS, .ints = list->ints, .count = list->value_count};
    } else if (strchr(value, '.')) {
        *attr = (struct nmc_attr){.name = word, .kind = NMC_ATTR_FLOAT, .f = strtod(value, NULL)};
    } else if (isdigit((unsigned char)*value) || *value == '-') {
        *attr =
            (struct nmc_attr){.name = word, .kind = NMC_ATTR_INT, .i = strtoll(value, NULL, 10)};
    }
}

static struct nmc_node *make_node(struct nmc_graph *graph, struct line *line, int equals) {
    struct nmc_arena *arena = &t.b->net->arena;
    char *op = line->words[equals + 1], *colons = strstr(op, "::");
    int first = equals + 2, inputs = 0;
    while (first + inputs < line->count && !is_attribute(line->words[first + inputs]) &&
           strcmp(line->words[first + inputs], "{") != 0)
        inputs++;
    if (colons)
        *colons = 0;
    struct nmc_node *node = nmc_node_new(t.b->net, graph, colons ? op : "",
                                         colons ? colons + 2 : op, inputs, equals, MOST_NODE_ATTRS);
    assert_non_null(node);
    node->attr_count = 0;
    node->opset = t.b->opset;
    node->name = t.variant & NT_RENAMED ? "" : nmc_arena_strdup(arena, line->words[0]);
    for (int i = 0; i < inputs; i++)
        node->inputs[i] = operand(line->words[first + i]);
    for (int i = 0; i < equals; i++)
        nmc_node_set_output(node, i, find(line->words[i]));
    for (int i = first + inputs; i < line->count; i++)
        if (is_attribute(line->words[i]))
            set_attribute(node, line->words[i]);
    return node;
}

static void add_body(struct nmc_node *node, struct nmc_graph *body) {
    struct nmc_attr *attr = &node->attrs[node->attr_count++];
    *attr = (struct nmc_attr){.name = "body", .kind = NMC_ATTR_GRAPH, .count = 1};
    attr->graphs = nmc_arena_copy(&t.b->net->arena, &body, sizeof(void *));
    body->owner = node;
}

/* ---- graphs ---- */

static void declare(struct nmc_graph *graph, const struct line *line) {
    bool main = graph == t.b->net->main;
    for (int i = 1; i < line->count; i += main ? 2 : 1) {
        struct nmc_tensor *tensor = add(graph, line->words[i]);
        if (main) {
            tensor->type = NMC_ELEM_float32;
            set_shape(tensor, line->words[i + 1]);
        }
        tensor->is_input = main;
        tensor->is_body_input = !main;
        assert_true(nmc_graph_add_input(t.b->net, graph, tensor));
    }
}

static int end_of(int from) {
    int depth = 1;
    while (depth > 0) {
        assert_true(from < t.line_count);
        const struct line *line = &t.lines[from++];
        depth += strcmp(line->words[line->count - 1], "{") == 0;
        depth -= strcmp(line->words[0], "}") == 0;
    }
    return from - 1;
}

/* Names first, since nodes may stand in any order. */
static void declare_all(struct nmc_graph *graph, struct nmc_graph **bodies, int from, int to) {
    for (int l = from; l < to; l++) {
        const struct line *line = &t.lines[l];
        int equals;
        if (strcmp(line->words[0], "in") == 0)
            declare(graph, line);
        for (int i = 0; is_node(line, &equals) && i < equals; i++)
            add(graph, line->words[i]);
        if (strcmp(line->words[line->count - 1], "{") == 0) {
            int end = end_of(l + 1);
            bodies[l] = nmc_graph_new(t.b->net, "body", graph);
            declare_all(bodies[l], bodies, l + 1, end);
            l = end;
        }
    }
}

static void build(struct nmc_graph *graph, struct nmc_graph **bodies, int from, int to);

static void build_line(struct nmc_graph *graph, struct nmc_graph **bodies, int l) {
    struct line *line = &t.lines[l];
    int equals;
    if (strcmp(line->words[0], "out") == 0) {
        for (int i = 1; i < line->count; i++) {
            struct nmc_tensor *tensor = operand(line->words[i]);
            tensor->is_output |= graph == t.b->net->main;
            assert_true(nmc_graph_add_output(t.b->net, graph, tensor));
        }
    } else if (is_node(line, &equals)) {
        struct nmc_node *node = make_node(graph, line, equals);
        if (!bodies[l])
            return;
        add_body(node, bodies[l]);
        build(bodies[l], bodies, l + 1, end_of(l + 1));
    }
}

static int next_line(int l) {
    const struct line *line = &t.lines[l];
    return strcmp(line->words[line->count - 1], "{") == 0 ? end_of(l + 1) + 1 : l + 1;
}

static void build(struct nmc_graph *graph, struct nmc_graph **bodies, int from, int to) {
    int starts[MOST_LINES], count = 0;
    for (int l = from; l < to; l = next_line(l))
        starts[count++] = l;
    for (int i = 0; i < count; i++)
        build_line(graph, bodies, starts[t.variant & NT_REVERSED ? count - 1 - i : i]);
}

void nt_build(struct net_builder *b, int opset, unsigned variant, const char *text) {
    static struct nmc_graph *bodies[MOST_LINES];
    nb_init(b, opset);
    t.b = b;
    t.variant = variant;
    t.name_count = t.fresh = 0;
    memset(bodies, 0, sizeof bodies);
    split_lines(text);
    declare_all(b->net->main, bodies, 0, t.line_count);
    build(b->net->main, bodies, 0, t.line_count);
    neuromc_status status = nb_infer(b, NULL);
    if (status != NEUROMC_OK)
        fail_msg("%s", nb_error(b));
}

struct nmc_tensor *nt_tensor(struct net_builder *b, const char *name) {
    (void)b;
    struct nmc_tensor *tensor = find(name);
    if (!tensor)
        fail_msg("no tensor \"%s\"", name);
    return tensor;
}
