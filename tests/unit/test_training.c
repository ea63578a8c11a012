/* Flow of gradient, backward fragments, the optimizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "graph/gradient.h"
#include "model/lower.h"
#include "net_builder.h"

enum { ALL = NEUROMC_STAGE_FORWARD | NEUROMC_STAGE_BACKWARD | NEUROMC_STAGE_OPTIMIZER };

/* Collects "stage op node [dims] core" lines of what is emitted. */
struct collected {
    struct nmc_strbuf backward; /* "op node;" in order */
    struct nmc_strbuf warnings;
    struct nmc_fragment optimizer[4];
    int optimizer_count;
    int64_t backward_macs;
};

static neuromc_status on_fragment(void *user, const struct nmc_fragment *f) {
    struct collected *c = user;
    if (f->phase == NMC_BACKWARD) {
        nmc_strbuf_printf(&c->backward, "%s %s %s;", f->op, f->node, nmc_core_names[f->core]);
        c->backward_macs += f->macs;
    }
    if (f->phase == NMC_OPTIMIZER && c->optimizer_count < 4)
        c->optimizer[c->optimizer_count++] = *f;
    return NEUROMC_OK;
}

static neuromc_status on_coverage(void *user, const char *op, enum nmc_coverage_kind kind,
                                  int64_t elements) {
    (void)user, (void)op, (void)kind, (void)elements;
    return NEUROMC_OK;
}

static neuromc_status on_warning(void *user, const char *text) {
    nmc_strbuf_puts(&((struct collected *)user)->warnings, text);
    return NEUROMC_OK;
}

static neuromc_status train(struct net_builder *b, const neuromc_estimate_options *options,
                            struct collected *out) {
    neuromc_preset *preset;
    const neuromc_preset_options where = {.search_path = NMC_SOURCE_DIR "/configs/memory_presets"};
    assert_int_equal(neuromc_preset_load("neuromc_like_v1", &where, &preset, NULL), NEUROMC_OK);
    *out = (struct collected){0};
    nmc_strbuf_init(&out->backward);
    nmc_strbuf_init(&out->warnings);
    struct nmc_work_sink sink = {
        .user = out, .fragment = on_fragment, .coverage = on_coverage, .warning = on_warning};
    neuromc_status status = nmc_lower_net(b->net, preset, options, &sink, b->diags);
    neuromc_preset_free(preset);
    return status;
}

static void release(struct collected *c) {
    nmc_strbuf_release(&c->backward);
    nmc_strbuf_release(&c->warnings);
}

/* x -> conv1 -> bn -> Relu -> conv2 -> Flatten -> fc */
static void build_convnet(struct net_builder *b) {
    nb_init(b, 13);
    struct nmc_tensor *x = nb_input(b, "x", "2,3,6,6");
    x = nb_op(b, "Conv", "conv1", x, nb_weight(b, "w1", "4,3,3,3"), nb_weight(b, "b1", "4"));
    struct nmc_tensor *bn[5] = {x, nb_weight(b, "scale", "4"), nb_weight(b, "shift", "4"),
                                nb_weight(b, "mean", "4"), nb_weight(b, "var", "4")};
    x = nb_node(b, "BatchNormalization", "bn", 5, bn, 1)->outputs[0];
    x = nb_op(b, "Relu", "relu", x, NULL, NULL);
    x = nb_op(b, "Conv", "conv2", x, nb_weight(b, "w2", "5,4,3,3"), NULL);
    x = nb_op(b, "Flatten", "flatten", x, NULL, NULL);
    x = nb_op(b, "Gemm", "fc", x, nb_weight(b, "w3", "20,7"), nb_weight(b, "b3", "7"));
    nb_output(b, x);
    assert_int_equal(nb_infer(b, NULL), NEUROMC_OK);
}

static void a_convolutional_network(void **state) {
    (void)state;
    struct net_builder b;
    struct collected c;
    build_convnet(&b);
    const neuromc_estimate_options options = {.stages = ALL, .optimizer = NEUROMC_ADAM};
    assert_int_equal(train(&b, &options, &c), NEUROMC_OK);
    /* nothing upstream of conv1 trains: no gradient of its input */
    assert_string_equal(c.backward.text, "linear.backward.grad_input fc ann_be;"
                                         "linear.backward.grad_weight fc ann_we;"
                                         "conv.backward.grad_input conv2 ann_be;"
                                         "conv.backward.grad_weight conv2 ann_we;"
                                         "bn.backward bn ann_bn_bp;"
                                         "conv.backward.grad_weight conv1 ann_we;");
    int64_t conv1 = 2 * 3 * 4 * 16 * 9, conv2 = 2 * 4 * 5 * 4 * 9, fc = 2 * 20 * 7;
    assert_int_equal(c.backward_macs, conv1 + 2 * conv2 + 2 * fc);
    assert_int_equal(c.optimizer_count, 1);
    assert_string_equal(c.optimizer[0].op, "adam");
    assert_int_equal(c.optimizer[0].dims[NMC_K], 4 + 4 + 4 + 7); /* b1 scale shift b3 */
    assert_int_equal(c.optimizer[0].dims[NMC_FX], 4 * 27 + 5 * 36 + 20 * 7);
    release(&c);
    nb_free(&b);
}

static void a_gradient_asked_for_at_an_input(void **state) {
    (void)state;
    struct net_builder b;
    struct collected c;
    const char *input = "x", *misspelt = "xx";
    build_convnet(&b);
    neuromc_estimate_options options = {
        .stages = ALL, .optimizer = NEUROMC_ADAM, .input_grads = &input, .input_grad_count = 1};
    assert_int_equal(train(&b, &options, &c), NEUROMC_OK);
    assert_non_null(strstr(c.backward.text, "conv.backward.grad_input conv1 ann_be;"));
    release(&c);
    options.input_grads = &misspelt;
    assert_int_equal(train(&b, &options, &c), NEUROMC_USAGE);
    assert_string_equal(neuromc_diags_at(b.diags, 0)->hint, "did you mean \"x\"?");
    release(&c);
    nb_free(&b);
}

static void frozen_parameters(void **state) {
    (void)state;
    struct net_builder b;
    struct collected c;
    const char *globs[] = {"w1", "b1", "s*"}, *nothing = "z*";
    build_convnet(&b);
    neuromc_estimate_options options = {
        .stages = ALL, .optimizer = NEUROMC_ADAMW, .freeze = globs, .freeze_count = 3};
    assert_int_equal(train(&b, &options, &c), NEUROMC_OK);
    assert_string_equal(c.backward.text, "linear.backward.grad_input fc ann_be;"
                                         "linear.backward.grad_weight fc ann_we;"
                                         "conv.backward.grad_weight conv2 ann_we;");
    assert_string_equal(c.optimizer[0].op, "adamw");
    assert_int_equal(c.optimizer[0].dims[NMC_K], 7);
    release(&c);
    options.freeze = &nothing;
    options.freeze_count = 1;
    assert_int_equal(train(&b, &options, &c), NEUROMC_USAGE);
    release(&c);
    nb_free(&b);
}

static void sgd_in_its_buckets(void **state) {
    (void)state;
    struct net_builder b;
    struct collected c;
    build_convnet(&b);
    neuromc_estimate_options options = {.stages = NEUROMC_STAGE_OPTIMIZER,
                                        .optimizer = NEUROMC_SGD,
                                        .momentum = 0.9,
                                        .weight_decay = 1e-4};
    assert_int_equal(train(&b, &options, &c), NEUROMC_OK);
    assert_string_equal(c.backward.text, "");
    assert_int_equal(c.optimizer_count, 2);
    assert_int_equal(c.optimizer[0].dims[NMC_K], 19);
    assert_int_equal(c.optimizer[0].dims[NMC_FX], 0);
    assert_int_equal(c.optimizer[1].dims[NMC_K], 0);
    assert_true(c.optimizer[1].momentum && c.optimizer[1].momentum_buffer);
    assert_true(c.optimizer[1].weight_decay);
    release(&c);
    options.first_step = true;
    assert_int_equal(train(&b, &options, &c), NEUROMC_OK);
    assert_true(c.optimizer[0].momentum && !c.optimizer[0].momentum_buffer);
    release(&c);
    nb_free(&b);
}

static void what_the_reference_refuses(void **state) {
    (void)state;
    const neuromc_estimate_options refused[] = {
        {.stages = ALL, .optimizer = NEUROMC_SGD, .momentum = 0.9, .nesterov = true},
        {.stages = ALL, .optimizer = NEUROMC_SGD, .momentum = 0.9, .dampening = 0.1},
        {.stages = ALL, .optimizer = NEUROMC_SGD, .maximize = true},
    };
    const neuromc_estimate_options contradictory = {
        .stages = ALL, .optimizer = NEUROMC_ADAM, .momentum = 0.9};
    for (size_t i = 0; i < 4; i++) {
        struct net_builder b;
        struct collected c;
        build_convnet(&b);
        assert_int_equal(train(&b, i < 3 ? &refused[i] : &contradictory, &c),
                         i < 3 ? NEUROMC_UNSUPPORTED : NEUROMC_USAGE);
        release(&c);
        nb_free(&b);
    }
}

static void gradient_stops_where_values_are_not_smooth(void **state) {
    (void)state;
    struct net_builder b;
    struct collected c;
    nb_init(&b, 13);
    struct nmc_tensor *x = nb_input(&b, "x", "2,8");
    struct nmc_tensor *y = nb_op(&b, "MatMul", "fc1", x, nb_weight(&b, "w1", "8,4"), NULL);
    struct nmc_node *argmax = nb_node(&b, "ArgMax", "argmax", 1, &y, 1);
    nb_attr_int(&b, argmax, "axis", 1);
    struct nmc_node *cast = nb_node(&b, "Cast", "cast", 1, &argmax->outputs[0], 1);
    nb_attr_int(&b, cast, "to", 1);
    struct nmc_tensor *z =
        nb_op(&b, "MatMul", "fc2", cast->outputs[0], nb_weight(&b, "w2", "1,3"), NULL);
    nb_output(&b, z);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    const neuromc_estimate_options options = {.stages = ALL, .optimizer = NEUROMC_ADAM};
    assert_int_equal(train(&b, &options, &c), NEUROMC_OK);
    /* w1 gets no gradient: ArgMax and the integers behind it stop it */
    assert_string_equal(c.backward.text, "linear.backward.grad_weight fc2 ann_we;");
    assert_int_equal(c.optimizer[0].dims[NMC_FX], 3);
    release(&c);
    nb_free(&b);
}

static void branches_that_lead_nowhere(void **state) {
    (void)state;
    struct net_builder b;
    struct collected c;
    nb_init(&b, 13);
    struct nmc_tensor *x = nb_input(&b, "x", "2,8");
    struct nmc_tensor *y = nb_op(&b, "MatMul", "used", x, nb_weight(&b, "w1", "8,4"), NULL);
    nb_op(&b, "MatMul", "unused", y, nb_weight(&b, "w2", "4,3"), NULL);
    nb_output(&b, y);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    const neuromc_estimate_options options = {.stages = ALL, .optimizer = NEUROMC_ADAM};
    assert_int_equal(train(&b, &options, &c), NEUROMC_OK);
    assert_string_equal(c.backward.text, "linear.backward.grad_weight used ann_we;");
    assert_int_equal(c.optimizer[0].dims[NMC_FX], 32);
    release(&c);
    nb_free(&b);
}

static void attention_has_a_gradient_for_each_operand(void **state) {
    (void)state;
    struct net_builder b;
    struct collected c;
    nb_init(&b, 13);
    struct nmc_tensor *x = nb_input(&b, "x", "1,5,8");
    struct nmc_tensor *q = nb_op(&b, "MatMul", "q", x, nb_weight(&b, "wq", "8,8"), NULL);
    struct nmc_tensor *k = nb_op(&b, "MatMul", "k", x, nb_weight(&b, "wk", "8,8"), NULL);
    struct nmc_node *t = nb_node(&b, "Transpose", "kt", 1, &k, 1);
    nb_attr_ints(&b, t, "perm", "0,2,1");
    nb_output(&b, nb_op(&b, "MatMul", "qk", q, t->outputs[0], NULL));
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    const neuromc_estimate_options options = {.stages = ALL};
    assert_int_equal(train(&b, &options, &c), NEUROMC_OK);
    assert_string_equal(c.backward.text, "matmul.backward.grad_input qk ann_be;"
                                         "matmul.backward.grad_input qk ann_be;"
                                         "linear.backward.grad_weight k ann_we;"
                                         "linear.backward.grad_weight q ann_we;");
    assert_non_null(strstr(c.warnings.text, "adam is assumed"));
    release(&c);
    nb_free(&b);
}

static void copies_of_a_stored_weight_are_parameters_of_their_own(void **state) {
    (void)state;
    struct net_builder b;
    struct collected c;
    nb_init(&b, 13);
    struct nmc_tensor *x = nb_input(&b, "x", "2,4"), *w = nb_weight(&b, "w", "4,4");
    struct nmc_tensor *copy = nb_op(&b, "Identity", "copy", w, NULL, NULL);
    x = nb_op(&b, "MatMul", "first", x, w, NULL);
    x = nb_op(&b, "MatMul", "second", x, copy, NULL);
    nb_output(&b, x);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    const neuromc_estimate_options options = {.stages = ALL, .optimizer = NEUROMC_ADAM};
    assert_int_equal(train(&b, &options, &c), NEUROMC_OK);
    assert_int_equal(c.optimizer[0].dims[NMC_FX], 32);
    release(&c);
    nb_free(&b);
}

static void weights_that_are_graph_inputs_train(void **state) {
    (void)state;
    struct net_builder b;
    struct collected c;
    nb_init(&b, 13);
    struct nmc_tensor *x = nb_input(&b, "x", "1,3,6,6"), *w = nb_input(&b, "w", "4,3,3,3");
    nb_output(&b, nb_op(&b, "Conv", "conv", x, w, NULL));
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    const neuromc_estimate_options options = {.stages = ALL, .optimizer = NEUROMC_ADAM};
    assert_int_equal(train(&b, &options, &c), NEUROMC_OK);
    assert_string_equal(c.backward.text, "conv.backward.grad_weight conv ann_we;");
    assert_int_equal(c.optimizer[0].dims[NMC_FX], 108);
    release(&c);
    nb_free(&b);
}

static void nothing_to_train_is_said(void **state) {
    (void)state;
    struct net_builder b;
    struct collected c;
    nb_init(&b, 13);
    nb_output(&b, nb_op(&b, "Relu", "relu", nb_input(&b, "x", "2,4"), NULL, NULL));
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    const neuromc_estimate_options options = {.stages = ALL, .optimizer = NEUROMC_ADAM};
    assert_int_equal(train(&b, &options, &c), NEUROMC_OK);
    assert_int_equal(c.optimizer_count, 0);
    assert_non_null(strstr(c.warnings.text, "no parameter gets a gradient"));
    release(&c);
    nb_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_convolutional_network),
        cmocka_unit_test(a_gradient_asked_for_at_an_input),
        cmocka_unit_test(frozen_parameters),
        cmocka_unit_test(sgd_in_its_buckets),
        cmocka_unit_test(what_the_reference_refuses),
        cmocka_unit_test(gradient_stops_where_values_are_not_smooth),
        cmocka_unit_test(branches_that_lead_nowhere),
        cmocka_unit_test(attention_has_a_gradient_for_each_operand),
        cmocka_unit_test(copies_of_a_stored_weight_are_parameters_of_their_own),
        cmocka_unit_test(weights_that_are_graph_inputs_train),
        cmocka_unit_test(nothing_to_train_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
