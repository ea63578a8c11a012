/* What traces come to, rule by rule: quirks of the reference, and what corrected makes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "trace_text.h"

#define T(shape, spike, grad) "{\"shape\":" shape ",\"spike\":" spike ",\"requires_grad\":" grad "}"
#define DENSE(shape)          T(shape, "false", "false")
#define SPIKES(shape)         T(shape, "true", "false")
#define WEIGHT(shape)         T(shape, "false", "true")
#define EVENT(kind, stage)    "{\"event\":\"" kind "\",\"stage\":\"" stage "\","
#define ATEN(stage, op, args, out)                                                                 \
    EVENT("aten", stage) "\"op\":\"aten." op ".default\",\"args\":[" args "],\"out\":" out "}\n"
#define FORWARD(stage, module, input, output)                                                      \
    EVENT("module.forward", stage)                                                                 \
    "\"module\":" module ",\"input\":" input ",\"output\":" output "}\n"
#define BACKWARD(stage, module, grad_input, grad_output)                                           \
    EVENT("module.backward", stage)                                                                \
    "\"module\":" module ",\"grad_input\":" grad_input ",\"grad_output\":" grad_output "}\n"
#define LINEAR(mode)                                                                               \
    "{\"type\":\"linear\",\"name\":\"l\",\"step_mode\":\"" mode "\",\"in_features\":3,"            \
    "\"out_features\":4,\"weight\":{\"shape\":[4,3],\"requires_grad\":true}}"
#define CONV(groups, deep)                                                                         \
    "{\"type\":\"conv2d\",\"name\":\"c\",\"in_channels\":4,\"out_channels\":6,"                    \
    "\"kernel_size\":[3,2],\"groups\":" groups ","                                                 \
    "\"weight\":{\"shape\":[6," deep ",3,2],\"requires_grad\":true}}"
#define SOMA(mode)                    "{\"type\":\"soma\",\"name\":\"s\",\"step_mode\":\"" mode "\"}"
#define CONV_ARGS(transposed, groups) "[1,1],[0,0],[1,1]," transposed ",[0,0]," groups

static struct trace_result lower(const char *events, neuromc_accounting accounting, bool strict) {
    char text[16384] = TRACE_HEADER;
    neuromc_estimate_options options = {.accounting = accounting, .strict = strict};
    assert_true(strlen(events) + strlen(text) < sizeof text);
    strcat(text, events);
    return trace_lower(text, strlen(text), &options);
}

/* The MACs of all fragments, and how many there are. */
static int64_t total_macs(const char *events, neuromc_accounting accounting, size_t fragments) {
    struct trace_result r = lower(events, accounting, false);
    int64_t sum = 0;
    if (r.status != NEUROMC_OK)
        fail_msg("%s", trace_error(&r)->message);
    for (size_t i = 0; i < r.count; i++)
        sum += r.fragments[i].macs;
    assert_int_equal(r.count, fragments);
    trace_release(&r);
    return sum;
}

static void same_macs(const char *events, size_t runtime_count, int64_t runtime,
                      size_t corrected_count, int64_t corrected) {
    assert_true(total_macs(events, NEUROMC_RUNTIME, runtime_count) == runtime);
    assert_true(total_macs(events, NEUROMC_CORRECTED, corrected_count) == corrected);
}

/* The difference between the accountings is told under this rule alone. */
static void explained(const char *events, int rule, int64_t runtime, int64_t corrected) {
    for (int a = 0; a < 2; a++) {
        struct trace_result r = lower(events, a ? NEUROMC_RUNTIME : NEUROMC_CORRECTED, false);
        assert_int_equal(r.status, NEUROMC_OK);
        for (int i = 0; i < 8; i++)
            assert_int_equal(r.differences[i] > 0, i == rule);
        assert_true(r.runtime_macs[rule] == runtime);
        assert_true(r.corrected_macs[rule] == corrected);
        trace_release(&r);
    }
}

static void rule_1_groups(void **state) {
    (void)state;
    static const char module[] =
        FORWARD("forward", CONV("2", "2"), DENSE("[1,4,5,5]"), DENSE("[1,6,3,4]"));
    static const char functional[] =
        ATEN("forward", "convolution",
             DENSE("[1,4,5,5]") "," WEIGHT("[6,2,3,2]") ",null," CONV_ARGS("false", "2"),
             DENSE("[1,6,3,4]"));
    same_macs(module, 1, 4 * 6 * 12 * 6, 1, 2 * 6 * 12 * 6);
    same_macs(functional, 1, 4 * 6 * 12 * 6, 1, 2 * 6 * 12 * 6);
    explained(module, 1, 4 * 6 * 12 * 6, 2 * 6 * 12 * 6);
    explained(functional, 1, 4 * 6 * 12 * 6, 2 * 6 * 12 * 6);
}

static void rule_2_rows(void **state) {
    (void)state;
    static const char sequence[] =
        FORWARD("forward", LINEAR("s"), DENSE("[2,5,7,3]"), DENSE("[2,5,7,4]"));
    static const char steps[] =
        FORWARD("forward", LINEAR("m"), DENSE("[2,5,7,3]"), DENSE("[2,5,7,4]"));
    static const char back[] = FORWARD("forward", LINEAR("s"), SPIKES("[2,5,3]"), DENSE("[2,5,4]"))
        BACKWARD("backward", LINEAR("s"), DENSE("[2,5,3]"), DENSE("[2,5,4]"));
    same_macs(sequence, 1, 2 * 12, 1, 70 * 12);
    same_macs(steps, 1, 10 * 12, 1, 70 * 12);
    same_macs(back, 3, 3 * 2 * 12, 3, 3 * 10 * 12);
    explained(sequence, 2, 2 * 12, 70 * 12);
    struct trace_result r = lower(steps, NEUROMC_CORRECTED, false);
    assert_int_equal(r.fragments[0].dims[NMC_T], 2);
    assert_int_equal(r.fragments[0].dims[NMC_B], 35);
    trace_release(&r);
}

static void rule_4_transposed(void **state) {
    (void)state;
    static const char events[] =
        ATEN("forward", "convolution",
             DENSE("[1,32,1,1]") "," WEIGHT("[32,1,3,3]") ",null," CONV_ARGS("true", "1"),
             DENSE("[1,1,3,3]"));
    same_macs(events, 1, 2592, 1, 288);
    explained(events, 4, 2592, 288);
}

static void rule_5_more_operators(void **state) {
    (void)state;
    static const char gradients[] =
        ATEN("backward", "convolution_backward",
             DENSE("[2,6,3,4]") "," SPIKES("[2,4,5,5]") "," WEIGHT("[6,4,3,2]") ",[6]," CONV_ARGS(
                 "false", "1") ",[true,true,true]",
             "[" DENSE("[2,4,5,5]") "," DENSE("[6,4,3,2]") "," DENSE("[6]") "]");
    static const char weight_only[] =
        ATEN("backward", "convolution_backward",
             DENSE("[2,6,3,4]") "," SPIKES("[2,4,5,5]") "," WEIGHT("[6,4,3,2]") ",[6]," CONV_ARGS(
                 "false", "1") ",[false,true,false]",
             "[null," DENSE("[6,4,3,2]") ",null]");
    static const char products[] =
        ATEN("forward", "baddbmm", DENSE("[4]") "," DENSE("[2,3,5]") "," DENSE("[2,5,4]"),
             DENSE("[2,3,4]"))
            ATEN("forward", "mv", WEIGHT("[7,5]") "," SPIKES("[5]"), DENSE("[7]"))
                ATEN("forward", "dot", DENSE("[9]") "," DENSE("[9]"), DENSE("[]"));
    int64_t one = 2 * 4 * 6 * 12 * 6;
    assert_true(total_macs(gradients, NEUROMC_CORRECTED, 2) == 2 * one);
    assert_true(total_macs(weight_only, NEUROMC_CORRECTED, 1) == one);
    assert_true(total_macs(products, NEUROMC_CORRECTED, 3) == 120 + 35 + 9);
    struct trace_result r = lower(gradients, NEUROMC_CORRECTED, true);
    assert_int_equal(r.fragments[0].core, NMC_CORE_BP_GRAD);
    assert_int_equal(r.fragments[1].core, NMC_CORE_WG);
    assert_int_equal(r.fragments[1].input_bits, 1);
    assert_int_equal(r.differences[5], 2);
    assert_int_equal(r.costed, 1);
    trace_release(&r);
    r = lower(products, NEUROMC_CORRECTED, false);
    assert_int_equal(r.fragments[1].core, NMC_CORE_FP_SOMA);
    trace_release(&r);
}

/* On a GPU the operator inside a batch norm has another name. */
static void batch_norm_by_other_names(void **state) {
    (void)state;
    static const char events[] =
        ATEN("forward", "cudnn_batch_norm", DENSE("[2,3,4]"), "[" DENSE("[2,3,4]") ",null]")
            FORWARD("forward", "{\"type\":\"batch_norm1d\",\"name\":\"n\"}", DENSE("[2,3,4]"),
                    DENSE("[2,3,4]")) ATEN("backward", "cudnn_batch_norm_backward",
                                           DENSE("[2,3,4]"), "[" DENSE("[2,3,4]") ",null]");
    struct trace_result r = lower(events, NEUROMC_CORRECTED, true);
    assert_int_equal(r.status, NEUROMC_OK);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.differences[5], 1);
    assert_int_equal(r.fragments[1].core, NMC_CORE_ANN_BN_BP);
    trace_release(&r);
    r = lower(events, NEUROMC_RUNTIME, false);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.warnings, 1);
    trace_release(&r);
}

static void what_is_not_modelled(void **state) {
    (void)state;
    static const char events[] = FORWARD("forward", LINEAR("s"), DENSE("[2,3]"), DENSE("[2,4]"))
        ATEN("forward", "relu", "", DENSE("[2,4]"))
            ATEN("forward", "topk", "", "[" DENSE("[5]") "]")
                ATEN("forward", "add.Tensor\",\"x\":\"", "", DENSE("[2,4]"));
    struct trace_result r = lower(events, NEUROMC_CORRECTED, false);
    assert_int_equal(r.status, NEUROMC_OK);
    assert_int_equal(r.unmodelled, 2);
    assert_int_equal(r.unmodelled_elements, 13);
    assert_int_equal(r.free, 1);
    assert_int_equal(r.costed, 1);
    assert_int_equal(r.warnings, 0);
    trace_release(&r);
    r = lower(events, NEUROMC_RUNTIME, false);
    assert_int_equal(r.warnings, 1);
    trace_release(&r);
    for (int a = 0; a < 2; a++) {
        r = lower(events, a ? NEUROMC_RUNTIME : NEUROMC_CORRECTED, true);
        assert_int_equal(r.status, NEUROMC_UNSUPPORTED);
        assert_non_null(strstr(trace_error(&r)->message,
                               ": aten.relu.default (calls=1), aten.topk.default (calls=1)"));
        trace_release(&r);
    }
}

static void rule_6_no_batch(void **state) {
    (void)state;
    static const char linear[] = FORWARD("forward", LINEAR("s"), DENSE("[3]"), DENSE("[4]"));
    static const char conv[] =
        FORWARD("forward", CONV("1", "4"), DENSE("[4,5,5]"), DENSE("[6,3,4]"));
    static const char soma[] = FORWARD("forward", SOMA("s"), DENSE("[9]"), SPIKES("[9]"));
    same_macs(linear, 1, 3 * 12, 1, 12);
    explained(linear, 6, 3 * 12, 12);
    same_macs(conv, 1, 4 * 4 * 6 * 4 * 6, 1, 4 * 6 * 12 * 6);
    explained(conv, 6, 4 * 4 * 6 * 4 * 6, 4 * 6 * 12 * 6);
    struct trace_result r = lower(soma, NEUROMC_RUNTIME, false);
    assert_int_equal(r.fragments[0].dims[NMC_B], 9);
    assert_int_equal(r.fragments[0].dims[NMC_K], 9);
    trace_release(&r);
    r = lower(soma, NEUROMC_CORRECTED, false);
    assert_int_equal(r.fragments[0].dims[NMC_B], 1);
    assert_int_equal(r.differences[6], 1);
    trace_release(&r);
}

static void two_rules_at_once(void **state) {
    (void)state;
    static const char events[] =
        FORWARD("forward", CONV("2", "2"), DENSE("[4,5,5]"), DENSE("[6,3,4]"));
    struct trace_result r = lower(events, NEUROMC_CORRECTED, false);
    int64_t runtime = 4 * 4 * 6 * 4 * 6, between = runtime / 2, corrected = 2 * 6 * 12 * 6;
    assert_true(r.runtime_macs[1] == runtime && r.corrected_macs[1] == between);
    assert_true(r.runtime_macs[6] == between && r.corrected_macs[6] == corrected);
    trace_release(&r);
}

#define LINEAR_CALL          FORWARD("forward", LINEAR("s"), DENSE("[2,3]"), DENSE("[2,4]"))
#define MM(stage, x, y, out) ATEN(stage, "mm", x "," y, out)

/* Rule 3: the shape decides who claims what. */
static void rule_3_claims(void **state) {
    (void)state;
    static const char reversed[] =
        MM("forward", DENSE("[4,3]"), DENSE("[3,2]"), DENSE("[4,2]")) LINEAR_CALL;
    static const char spiking[] =
        MM("forward", SPIKES("[2,3]"), WEIGHT("[3,4]"), DENSE("[2,4]")) LINEAR_CALL;
    static const char twice[] = MM("forward", DENSE("[2,3]"), WEIGHT("[3,4]"), DENSE("[2,4]"))
        MM("forward", DENSE("[2,3]"), WEIGHT("[3,4]"), DENSE("[2,4]")) LINEAR_CALL;
    static const char elsewhere[] =
        MM("other", DENSE("[2,3]"), WEIGHT("[3,4]"), DENSE("[2,4]")) LINEAR_CALL;
    static const char inner[] =
        MM("forward", DENSE("[3,2]"), DENSE("[2,4]"), DENSE("[3,4]")) LINEAR_CALL;
    static const char batched[] =
        ATEN("forward", "bmm", DENSE("[2,5,3]") "," WEIGHT("[2,3,4]"), DENSE("[2,5,4]"))
            FORWARD("forward", LINEAR("s"), DENSE("[2,5,3]"), DENSE("[2,5,4]"));
    same_macs(reversed, 2, 48, 1, 24);
    explained(reversed, 3, 24, 0);
    same_macs(spiking, 2, 48, 1, 24);
    same_macs(twice, 1, 24, 2, 48); /* the reference sees one signature and drops both */
    explained(twice, 3, 0, 24);
    same_macs(elsewhere, 2, 48, 2, 48);
    same_macs(inner, 2, 48, 2, 48); /* a product of 3 x 2 by 2 x 4 is none of 2 x 3 by 3 x 4 */
    same_macs(batched, 2, 24 + 120, 1, 120);
}

/* The nearest earlier one first, then the nearest later one: told apart by spikes. */
static void claims_go_back_first(void **state) {
    (void)state;
    static const char events[] = MM("forward", SPIKES("[2,3]"), WEIGHT("[3,4]"), DENSE("[2,4]"))
        MM("forward", DENSE("[4,3]"), WEIGHT("[3,2]"), DENSE("[4,2]"))
            LINEAR_CALL MM("forward", DENSE("[2,3]"), WEIGHT("[3,4]"), DENSE("[2,4]"));
    struct trace_result r = lower(events, NEUROMC_CORRECTED, false);
    assert_int_equal(r.count, 3);
    assert_int_equal(r.fragments[1].core, NMC_CORE_FP_SOMA);
    assert_int_equal(r.fragments[2].core, NMC_CORE_ANN_FE);
    assert_int_equal(r.fragments[2].dims[NMC_B], 2);
    trace_release(&r);
    static const char later[] =
        LINEAR_CALL MM("forward", SPIKES("[2,3]"), WEIGHT("[3,4]"), DENSE("[2,4]"))
            MM("forward", DENSE("[2,3]"), WEIGHT("[3,4]"), DENSE("[2,4]"));
    r = lower(later, NEUROMC_CORRECTED, false);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.fragments[1].core, NMC_CORE_ANN_FE);
    trace_release(&r);
}

/* An input gradient takes the flag of the forward GEMM it mirrors, the last one in first; mm and
 * addmm stand in for each other. */
static void spike_flags_are_a_stack(void **state) {
    (void)state;
    static const char events[] = ATEN(
        "forward", "addmm", DENSE("[4]") "," DENSE("[2,3]") "," WEIGHT("[3,4]"), DENSE("[2,4]"))
        ATEN("forward", "addmm", DENSE("[4]") "," SPIKES("[2,3]") "," WEIGHT("[3,4]"),
             DENSE("[2,4]")) MM("backward", DENSE("[2,4]"), WEIGHT("[4,3]"), DENSE("[2,3]"))
            MM("backward", DENSE("[2,4]"), WEIGHT("[4,3]"), DENSE("[2,3]"))
                MM("backward", DENSE("[2,4]"), WEIGHT("[4,3]"), DENSE("[2,3]"))
                    MM("backward", T("[3,2]", "true", "true"), DENSE("[2,4]"), DENSE("[3,4]"));
    static const enum nmc_core cores[] = {NMC_CORE_ANN_FE, NMC_CORE_FP_SOMA, NMC_CORE_BP_GRAD,
                                          NMC_CORE_ANN_BE, NMC_CORE_ANN_BE,  NMC_CORE_WG};
    struct trace_result r = lower(events, NEUROMC_RUNTIME, false);
    assert_int_equal(r.count, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(r.fragments[i].core, cores[i]);
    trace_release(&r);
}

/* 64 flags and more. */
static void many_spike_flags(void **state) {
    (void)state;
    static char text[400 * 130];
    strcpy(text, TRACE_HEADER);
    char *end = text + strlen(text);
    enum { PAIRS = 130 };
    for (int i = 0; i < PAIRS; i++) {
        const char *event = i % 3 ? MM("forward", DENSE("[2,3]"), WEIGHT("[3,4]"), DENSE("[2,4]"))
                                  : MM("forward", SPIKES("[2,3]"), WEIGHT("[3,4]"), DENSE("[2,4]"));
        if (i >= PAIRS - 30 || i < 30)
            end = stpcpy(end, event);
    }
    for (int i = 0; i < 4; i++)
        end = stpcpy(end, MM("backward", DENSE("[2,4]"), WEIGHT("[4,3]"), DENSE("[2,3]")));
    neuromc_estimate_options options = {.accounting = NEUROMC_RUNTIME};
    struct trace_result r = trace_lower(text, strlen(text), &options);
    assert_int_equal(r.status, NEUROMC_OK);
    assert_int_equal(r.count, 64);
    for (int i = 0; i < 4; i++)
        assert_int_equal(r.fragments[60 + i].core,
                         (PAIRS - 1 - i) % 3 ? NMC_CORE_ANN_BE : NMC_CORE_BP_GRAD);
    trace_release(&r);
}

static void stages_carry_positions(void **state) {
    (void)state;
    static const char events[] =
        FORWARD("Fwd_B3 (t12)", LINEAR("s"), DENSE("[2,3]"),
                DENSE("[2,4]")) BACKWARD("backward_b1", LINEAR("s"), DENSE("[2,3]"), DENSE("[2,4]"))
            FORWARD("b t b1x 2t3 xb4 b7", LINEAR("s"), DENSE("[2,3]"), DENSE("[2,4]"))
                MM("update b99999999999999999999", DENSE("[5,3]"), DENSE("[3,4]"), DENSE("[5,4]"));
    struct trace_result r = lower(events, NEUROMC_RUNTIME, false);
    assert_int_equal(r.count, 5);
    assert_int_equal(r.fragments[0].b_position, 3);
    assert_int_equal(r.fragments[0].t_position, 12);
    assert_int_equal(r.fragments[1].b_position, 0);
    assert_int_equal(r.fragments[3].b_position, 7);
    assert_int_equal(r.fragments[3].t_position, 0);
    assert_int_equal(r.fragments[4].b_position, INT32_MAX);
    assert_int_equal(r.fragments[4].phase, NMC_OPTIMIZER);
    trace_release(&r);
}

static void refused(const char *events, const char *reason) {
    for (int a = 0; a < 2; a++) {
        struct trace_result r = lower(events, a ? NEUROMC_RUNTIME : NEUROMC_CORRECTED, false);
        assert_int_equal(r.status, NEUROMC_UNSUPPORTED);
        if (!strstr(trace_error(&r)->message, reason))
            fail_msg("%s", trace_error(&r)->message);
        trace_release(&r);
    }
}

#define STEP(optimizer, keys)                                                                      \
    EVENT("optimizer.step", "optimizer")                                                           \
    "\"optimizer\":\"" optimizer "\",\"groups\":[{" keys "\"params\":[{\"shape\":[3],"             \
    "\"has_grad\":true}]}]}\n"

static void what_the_reference_refuses(void **state) {
    (void)state;
    refused(STEP("sgd", "\"nesterov\":true,"), "nesterov=false");
    refused(STEP("sgd", "\"dampening\":0.1,"), "dampening=0");
    refused(STEP("sgd", "\"maximize\":true,"), "maximize=false");
    refused(STEP("rmsprop", ""), "not \"rmsprop\"");
    refused(FORWARD("forward", SOMA("m"), DENSE("[2,3]"), DENSE("[2,3]")), "got 2 dims");
    refused(FORWARD("forward", LINEAR("m"), DENSE("[2,3]"), DENSE("[2,4]")), "got 2 dims");
    refused("", "can be counted");
    refused(ATEN("forward", "relu", "", DENSE("[2]")), "can be counted");
}

static void refused_by_runtime_alone(const char *events, size_t count, int64_t macs) {
    struct trace_result r = lower(events, NEUROMC_RUNTIME, false);
    assert_int_equal(r.status, NEUROMC_UNSUPPORTED);
    trace_release(&r);
    assert_true(total_macs(events, NEUROMC_CORRECTED, count) == macs);
    r = lower(events, NEUROMC_CORRECTED, false);
    assert_non_null(r.summary.runtime_refusal);
    trace_release(&r);
}

static void volumes(void **state) {
    (void)state;
    static const char operator[] =
        ATEN("forward", "convolution",
             DENSE("[1,2,3,4,5]") "," WEIGHT("[4,2,3,2,1]") ",null," CONV_ARGS("false", "1"),
             DENSE("[1,4,1,3,5]"));
    static const char call[] = FORWARD(
        "forward",
        "{\"type\":\"conv3d\",\"name\":\"c\",\"in_channels\":2,\"out_channels\":4,\"groups\":1,"
        "\"kernel_size\":[3,2,1],\"weight\":{\"shape\":[4,2,3,2,1],\"requires_grad\":true}}",
        DENSE("[1,2,3,4,5]"), DENSE("[1,4,1,3,5]"));
    char both[2048];
    snprintf(both, sizeof both, "%s%s", operator, call);
    refused_by_runtime_alone(operator, 1, 2 * 4 * 15 * 6);
    refused_by_runtime_alone(call, 1, 2 * 4 * 15 * 6);
    refused_by_runtime_alone(both, 1, 2 * 4 * 15 * 6);
}

/* Only the fallback for operators refuses it: with a module it can be counted. */
static void batch_norm_of_volumes(void **state) {
    (void)state;
    static const char events[] =
        ATEN("forward", "native_batch_norm", DENSE("[2,3,4,4,4]"), "[" DENSE("[2,3,4,4,4]") "]")
            FORWARD("forward", "{\"type\":\"batch_norm3d\",\"name\":\"n\"}", DENSE("[2,3,4,4,4]"),
                    DENSE("[2,3,4,4,4]"));
    struct trace_result r = lower(events, NEUROMC_RUNTIME, false);
    assert_int_equal(r.status, NEUROMC_UNSUPPORTED);
    trace_release(&r);
    r = lower(events, NEUROMC_CORRECTED, false);
    assert_int_equal(r.status, NEUROMC_OK);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.fragments[0].dims[NMC_OY], 64);
    assert_non_null(r.summary.runtime_refusal);
    trace_release(&r);
}

static void spike_rate_scales_spike_driven_macs(void **state) {
    (void)state;
    static const char text[] =
        TRACE_HEADER FORWARD("forward", LINEAR("s"), SPIKES("[2,3]"), DENSE("[2,4]"))
            FORWARD("forward", SOMA("s"), DENSE("[2,4]"), SPIKES("[2,4]"))
                BACKWARD("backward", LINEAR("s"), DENSE("[2,3]"), DENSE("[2,4]"));
    neuromc_estimate_options options = {.spike_rate = "0.25"};
    struct trace_result r = trace_lower(text, strlen(text), &options);
    assert_int_equal(r.status, NEUROMC_OK);
    assert_int_equal(r.count, 4);
    assert_true(r.fragments[0].spike_rate == 0.25);
    assert_true(r.fragments[1].spike_rate == 1);
    assert_true(r.fragments[2].spike_rate == 1);
    assert_true(r.fragments[3].spike_rate == 0.25);
    trace_release(&r);
    options.accounting = NEUROMC_RUNTIME;
    r = trace_lower(text, strlen(text), &options);
    assert_int_equal(r.status, NEUROMC_USAGE);
    trace_release(&r);
}

static void same_bits(const struct nmc_fragment *fragment, int input, int weight, int output) {
    assert_int_equal(fragment->input_bits, input);
    assert_int_equal(fragment->weight_bits, weight);
    assert_int_equal(fragment->output_bits, output);
}

static void precision_is_the_presets(void **state) {
    (void)state;
    const struct nmc_precision before = trace_precision;
    trace_precision = (struct nmc_precision){.spike_bits = 2,
                                             .activation_bits = 3,
                                             .weight_bits = 5,
                                             .output_bits = 7,
                                             .gradient_bits = 11,
                                             .optimizer_bits = 13};
    struct trace_result r =
        lower(FORWARD("forward", LINEAR("s"), DENSE("[2,3]"), DENSE("[2,4]"))
                  BACKWARD("backward", LINEAR("s"), DENSE("[2,3]"), DENSE("[2,4]"))
                      FORWARD("forward", LINEAR("s"), SPIKES("[2,3]"), DENSE("[2,4]"))
                          BACKWARD("backward", LINEAR("s"), DENSE("[2,3]"), DENSE("[2,4]"))
                              FORWARD("forward", SOMA("s"), DENSE("[2,4]"), SPIKES("[2,4]"))
                                  BACKWARD("backward", SOMA("s"), DENSE("[2,4]"), DENSE("[2,4]"))
                                      STEP("adam", ""),
              NEUROMC_RUNTIME, false);
    trace_precision = before;
    assert_int_equal(r.count, 9);
    same_bits(&r.fragments[0], 3, 5, 7);
    same_bits(&r.fragments[1], 11, 5, 11);
    same_bits(&r.fragments[2], 3, 11, 5);
    same_bits(&r.fragments[3], 2, 5, 7);
    same_bits(&r.fragments[4], 11, 5, 11);
    same_bits(&r.fragments[5], 2, 11, 5);
    same_bits(&r.fragments[6], 3, 5, 2);
    same_bits(&r.fragments[7], 11, 5, 11);
    same_bits(&r.fragments[8], 13, 13, 13);
    trace_release(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_1_groups),
        cmocka_unit_test(rule_2_rows),
        cmocka_unit_test(rule_3_claims),
        cmocka_unit_test(claims_go_back_first),
        cmocka_unit_test(rule_4_transposed),
        cmocka_unit_test(rule_5_more_operators),
        cmocka_unit_test(rule_6_no_batch),
        cmocka_unit_test(two_rules_at_once),
        cmocka_unit_test(batch_norm_by_other_names),
        cmocka_unit_test(what_is_not_modelled),
        cmocka_unit_test(spike_flags_are_a_stack),
        cmocka_unit_test(many_spike_flags),
        cmocka_unit_test(stages_carry_positions),
        cmocka_unit_test(what_the_reference_refuses),
        cmocka_unit_test(volumes),
        cmocka_unit_test(batch_norm_of_volumes),
        cmocka_unit_test(precision_is_the_presets),
        cmocka_unit_test(spike_rate_scales_spike_driven_macs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
