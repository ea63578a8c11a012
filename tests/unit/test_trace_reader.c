/* What the reader of traces says to malformed ones: line, key path, message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/memory.h"
#include "trace_text.h"

#define TENSOR        "{\"shape\":[2,3],\"dtype\":\"float32\",\"spike\":false,\"requires_grad\":true}"
#define SHAPED(shape) "{\"shape\":" shape ",\"spike\":false,\"requires_grad\":true}"
#define EVENT(kind)   "{\"event\":\"" kind "\",\"stage\":\"forward\","
#define LINEAR                                                                                     \
    "{\"type\":\"linear\",\"name\":\"l\",\"step_mode\":\"s\",\"in_features\":3,"                   \
    "\"out_features\":4,\"weight\":{\"shape\":[4,3],\"requires_grad\":true}}"
#define FORWARD(module, input)                                                                     \
    EVENT("module.forward")                                                                        \
    "\"module\":" module ",\"input\":" input ",\"output\":" SHAPED("[2,4]") "}\n"
#define MM(x, y)                                                                                   \
    EVENT("aten") "\"op\":\"aten.mm.default\",\"args\":[" x "," y "],\"out\":" TENSOR "}\n"
#define GOOD FORWARD(LINEAR, TENSOR)

static void refused_text(const char *text, size_t size, neuromc_status status, bool strict,
                         int line, const char *where, const char *message) {
    neuromc_estimate_options options = {.strict = strict};
    struct trace_result r = trace_lower(text, size, &options);
    const neuromc_diag *diag = trace_error(&r);
    if (!diag)
        fail_msg("no error where \"%s\" is wanted", message);
    if (!strstr(diag->message, message))
        fail_msg("\"%s\" is not in \"%s\"", message, diag->message);
    assert_int_equal(r.status, status);
    assert_int_equal(diag->status, status);
    assert_int_equal(diag->line, line);
    assert_non_null(diag->file);
    if (where && diag->where)
        assert_string_equal(diag->where, where);
    else if (where || diag->where)
        fail_msg("where: wanted %s, got %s", where ? where : "none",
                 diag->where ? diag->where : "none");
    trace_release(&r);
}

/* A second line that is refused. */
static void refused(const char *event, const char *where, const char *message) {
    char *text = malloc(strlen(event) + 200);
    assert_non_null(text);
    strcpy(text, TRACE_HEADER);
    strcat(text, event);
    refused_text(text, strlen(text), NEUROMC_BAD_INPUT, false, 2, where, message);
    free(text);
}

static void header_refused(const char *text, const char *where, const char *message) {
    refused_text(text, strlen(text), NEUROMC_BAD_INPUT, false, 1, where, message);
}

static void headers(void **state) {
    (void)state;
    refused_text("", 0, NEUROMC_BAD_INPUT, false, 0, NULL, "empty");
    refused_text("\n \n", 3, NEUROMC_BAD_INPUT, false, 0, NULL, "empty");
    header_refused("{}", "format", "missing");
    header_refused("{\"format\":\"neuromc-trace\"}", "version", "missing");
    header_refused("{\"format\":\"other\",\"version\":1}", "format", "expected \"neuromc-trace\"");
    header_refused("{\"format\":1,\"version\":1}", "format", "expected a string, got a number");
    header_refused("{\"format\":\"neuromc-trace\",\"version\":2}", "version", "version 2");
    header_refused("{\"format\":\"neuromc-trace\",\"version\":1.0}", "version", "integer");
    header_refused("{\"format\":\"neuromc-trace\",\"version\":1,\"core_type\":\"fp_somma\"}",
                   "core_type", "unknown core type");
    header_refused("{\"format\":\"neuromc-trace\",\"version\":1,\"version\":1}", "version",
                   "twice");
    header_refused("[]", NULL, "an object expected");
    header_refused("\xEF\xBB\xBF" TRACE_HEADER, NULL, "an object expected");
}

static void not_json(void **state) {
    (void)state;
    refused(EVENT("aten") "\"op\":", NULL, "the text ends too early");
    refused("{\"event\":\"at", NULL, "the text ends too early");
    refused("{\"event\":\"aten\"", NULL, "the text ends too early");
    refused("{\"event\":\"aten\"} {}", NULL, "goes on");
    refused("{\"event\":tru}", NULL, "a value expected");
    refused("{\"event\" 1}", NULL, "':' expected");
    refused("{\"event\":1 2}", NULL, "',' or '}' expected");
    refused("{\"event\":[1 2]}", NULL, "',' or ']' expected");
    refused("{\"event\":[1,]}", NULL, "a value expected");
    refused("{\"a\":1,}", NULL, "a key in double quotes expected");
    refused("{'event':1}", NULL, "a key in double quotes expected");
    refused("{\"a\":01}", NULL, "must not start with 0");
    refused("{\"a\":-}", NULL, "a digit expected");
    refused("{\"a\":1.}", NULL, "a digit expected");
    refused("{\"a\":1e}", NULL, "a digit expected");
    refused("{\"a\":+1}", NULL, "a value expected");
    refused("{\"a\":NaN}", NULL, "a value expected");
    refused("{\"a\":-Infinity}", NULL, "a digit expected");
    refused("{\"a\":\"\\x\"}", NULL, "no such escape");
    refused("{\"a\":\"\\u12g4\"}", NULL, "four hexadecimal digits");
    refused("{\"a\":\"\t\"}", NULL, "control character");
    refused("{\"a\":\"\xC0\x80\"}", NULL, "not UTF-8");
    refused("{\"a\":\"\xED\xA0\x80\"}", NULL, "not UTF-8");
    refused("{\"a\":\"\xE2\x82\"}", NULL, "not UTF-8");
    refused("{\"a\":\xE2\x82\xAC}", NULL, "a value expected");
}

static void bytes_of_zero(void **state) {
    (void)state;
    static const char outside[] = TRACE_HEADER "{\"event\":\"aten\"\0}\n";
    static const char inside[] = TRACE_HEADER "{\"event\":\"at\0en\"}\n";
    static const char alone[] = TRACE_HEADER "\0\n";
    refused_text(outside, sizeof outside - 1, NEUROMC_BAD_INPUT, false, 2, NULL, "NUL");
    refused_text(inside, sizeof inside - 1, NEUROMC_BAD_INPUT, false, 2, NULL, "NUL");
    refused_text(alone, sizeof alone - 1, NEUROMC_BAD_INPUT, false, 2, NULL, "NUL");
    refused("{\"event\":\"aten\",\"stage\":\"a\\u0000b\",\"op\":\"x\",\"args\":[],\"out\":null}",
            "stage", "NUL");
    refused("{\"event\":\"aten\",\"stage\":\"\\ud800\",\"op\":\"x\",\"args\":[],\"out\":null}",
            "stage", "surrogate");
}

static void nesting(void **state) {
    (void)state;
    char text[4096] = TRACE_HEADER "{\"a\":";
    for (int i = 0; i < 1000; i++)
        strcat(text, "[");
    refused_text(text, strlen(text), NEUROMC_BAD_INPUT, false, 2, NULL, "nested too deeply");
}

static void too_many_keys(void **state) {
    (void)state;
    char text[4096] = TRACE_HEADER "{\"event\":\"x\"";
    for (int i = 0; i < NMC_LIMIT_EVENT_KEYS; i++)
        strcat(text, ",\"a\":1");
    strcat(text, "}\n");
    refused_text(text, strlen(text), NEUROMC_BAD_INPUT, false, 2, NULL, "too many keys");
}

static void a_line_over_the_limit(void **state) {
    (void)state;
    size_t header = strlen(TRACE_HEADER), size = header + NMC_LIMIT_TRACE_LINE_BYTES + (2 << 20);
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size);
    memcpy(text, TRACE_HEADER, header);
    refused_text(text, size, NEUROMC_BAD_INPUT, false, 2, NULL, "longer than");
    free(text);
}

static void events(void **state) {
    (void)state;
    refused("{}\n", "event", "missing");
    refused("{\"event\":1}\n", "event", "expected a string");
    refused("{\"event\":\"aten\"}\n", "stage", "missing");
    refused("{\"event\":\"aten\",\"stage\":null}\n", "stage", "expected a string, got null");
    refused(EVENT("aten") "\"args\":[],\"out\":null}\n", "op", "missing");
    refused(EVENT("aten") "\"op\":\"aten.view.default\",\"out\":null}\n", "args", "missing");
    refused(EVENT("aten") "\"op\":\"aten.relu.default\",\"args\":[]}\n", "out", "missing");
    refused(EVENT("aten") "\"stage\":\"b\",\"op\":\"x\",\"args\":[],\"out\":null}\n", "stage",
            "twice");
    refused(EVENT("module.forward") "\"input\":null}\n", "module", "missing");
    refused(EVENT("module.forward") "\"module\":" LINEAR ",\"output\":" TENSOR "}\n", "input",
            "missing");
    refused(EVENT("module.backward") "\"module\":" LINEAR ",\"grad_output\":" TENSOR "}\n",
            "grad_input", "missing");
    refused(FORWARD(LINEAR, "null"), "input", "got null");
}

static void tensors(void **state) {
    (void)state;
    refused(FORWARD(LINEAR, "{\"spike\":false,\"requires_grad\":true}"), "input.shape", "missing");
    refused(FORWARD(LINEAR, "{\"shape\":[1],\"requires_grad\":true}"), "input.spike", "missing");
    refused(FORWARD(LINEAR, "{\"shape\":[1],\"spike\":false}"), "input.requires_grad", "missing");
    refused(FORWARD(LINEAR, "[]"), "input", "expected an object, got a list");
    refused(FORWARD(LINEAR, SHAPED("3")), "input.shape", "expected a list, got a number");
    refused(FORWARD(LINEAR, SHAPED("[2,\"3\"]")), "input.shape[1]", "expected a number");
    refused(FORWARD(LINEAR, SHAPED("[2,-3]")), "input.shape[1]", "must not be negative");
    refused(FORWARD(LINEAR, SHAPED("[2.5]")), "input.shape[0]", "expected an integer");
    refused(FORWARD(LINEAR, SHAPED("[1e3]")), "input.shape[0]", "expected an integer");
    refused(FORWARD(LINEAR, SHAPED("[9223372036854775808]")), "input.shape[0]", "too large");
    refused(FORWARD(LINEAR, SHAPED("[4294967296,4294967296]")), "input.shape", "2^63");
    refused(FORWARD(LINEAR, "{\"shape\":[1],\"shape\":[1]}"), "input.shape", "twice");
    refused(FORWARD(LINEAR, "{\"shape\":[1],\"spike\":1,\"requires_grad\":true}"), "input.spike",
            "expected true or false");
    refused(MM(TENSOR, SHAPED("[0,-1]")), "args[1].shape[1]", "must not be negative");
    refused(MM(TENSOR, "3"), "args[1]", "expected a tensor");
    refused(MM(TENSOR, SHAPED("[3]")), "args[1]", "expected a tensor of 2 dims");
    refused(EVENT("aten") "\"op\":\"aten.mm.default\",\"args\":[" TENSOR "],\"out\":" TENSOR "}\n",
            "args[0]", "expected a tensor of 2 dims");
    refused(EVENT("aten") "\"op\":\"aten.mm.default\",\"args\":{},\"out\":null}\n", "args",
            "expected a list");
    refused(EVENT("aten") "\"op\":\"aten.mm.default\",\"args\":[" TENSOR "," TENSOR
                          "],\"out\":[]}\n",
            "out", "expected a tensor");
    refused(
        EVENT("aten") "\"op\":\"aten.relu.default\",\"args\":[],\"out\":[{\"shape\":[true]}]}\n",
        "out[0].shape[0]", "expected a number, got true or false");
    refused(EVENT("aten") "\"op\":\"aten.mm.default\",\"args\":[1e999],\"out\":null}\n", "args[0]",
            "out of range");
}

static void huge_ranks(void **state) {
    (void)state;
    char text[2048] =
        EVENT("aten") "\"op\":\"aten.relu.default\",\"args\":[],\"out\":{\"shape\":[1";
    for (int i = 0; i < NMC_LIMIT_RANK; i++)
        strcat(text, ",1");
    strcat(text, "]}}\n");
    refused(text, "out.shape", "65 dims; the limit is 64");
}

#define MODULE(body) FORWARD("{" body "}", TENSOR)
#define CONV                                                                                       \
    "\"type\":\"conv2d\",\"name\":\"c\",\"weight\":{\"shape\":[4,2],\"requires_grad\":true},"      \
    "\"in_channels\":4,\"out_channels\":4,"

#define WIDE "\"type\":\"linear\",\"name\":\"l\",\"in_features\":3,\"out_features\":4,\"weight\":"

static void modules(void **state) {
    (void)state;
    refused(MODULE("\"name\":\"l\""), "module.type", "missing");
    refused(MODULE("\"type\":\"linear\""), "module.name", "missing");
    refused(MODULE("\"type\":\"liner\",\"name\":\"l\""), "module.type",
            "unknown module type \"liner\"");
    refused(MODULE("\"type\":\"soma\",\"name\":\"s\",\"step_mode\":\"x\""), "module.step_mode",
            "expected \"s\" or \"m\"");
    refused(MODULE("\"type\":\"linear\",\"name\":\"l\""), "module.in_features", "missing");
    refused(MODULE("\"type\":\"linear\",\"name\":\"l\",\"in_features\":3"), "module.out_features",
            "missing");
    refused(MODULE("\"type\":\"linear\",\"name\":\"l\",\"in_features\":3,\"out_features\":4"),
            "module.weight", "missing");
    refused(MODULE(WIDE "{\"shape\":[4,4],\"requires_grad\":true}"), "module.weight",
            "axis 1 is 4 long, but the module says 3");
    refused(MODULE(WIDE "{\"shape\":[4],\"requires_grad\":true}"), "module.weight",
            "has 1 axes, not 2");
    refused(FORWARD(LINEAR, SHAPED("[3,2]")), "input", "axis 1 is 2 long, but the module says 3");
    refused(FORWARD(LINEAR, SHAPED("[]")), "input", "has 0 axes, too few for a linear");
    refused(MODULE("\"type\":\"linear\",\"name\":\"l\",\"weight\":{\"shape\":[4,3]}"),
            "module.weight.requires_grad", "missing");
    refused(MODULE(CONV "\"groups\":1"), "module.kernel_size", "missing");
    refused(MODULE(CONV "\"groups\":1,\"kernel_size\":3"), "module.kernel_size", "expected a list");
    refused(MODULE(CONV "\"groups\":1,\"kernel_size\":[3]"), "module.kernel_size",
            "expected 2 sizes, got 1");
    refused(MODULE(CONV "\"groups\":1,\"kernel_size\":[3,-1]"), "module.kernel_size[1]",
            "must not be negative");
    refused(MODULE(CONV "\"groups\":0,\"kernel_size\":[3,3]"), "module.groups", "do not divide");
    refused(MODULE(CONV "\"groups\":3,\"kernel_size\":[3,3]"), "module.groups", "do not divide");
}

#define STEP(groups) EVENT("optimizer.step") "\"optimizer\":\"sgd\",\"groups\":" groups "}\n"

static void steps(void **state) {
    (void)state;
    refused(EVENT("optimizer.step") "\"groups\":[]}\n", "optimizer", "missing");
    refused(EVENT("optimizer.step") "\"optimizer\":\"sgd\"}\n", "groups", "missing");
    refused(STEP("{}"), "groups", "expected a list");
    refused(STEP("[{}]"), "groups[0].params", "missing");
    refused(STEP("[{\"params\":[]},{\"momentum\":\"0\",\"params\":[]}]"), "groups[1].momentum",
            "expected a number");
    refused(STEP("[{\"momentum\":1e999,\"params\":[]}]"), "groups[0].momentum", "out of range");
    refused(STEP("[{\"nesterov\":0,\"params\":[]}]"), "groups[0].nesterov",
            "expected true or false");
    refused(STEP("[{\"params\":[{\"has_grad\":true}]}]"), "groups[0].params[0].shape", "missing");
    refused(STEP("[{\"params\":[{\"shape\":[1]}]}]"), "groups[0].params[0].has_grad", "missing");
    refused(STEP("[{\"params\":[{\"shape\":[1],\"has_grad\":true},"
                 "{\"shape\":[1.5],\"has_grad\":true}]}]"),
            "groups[0].params[1].shape[0]", "expected an integer");
    refused(STEP("[{\"params\":[{\"shape\":[9223372036854775807],\"has_grad\":true},"
                 "{\"shape\":[1],\"has_grad\":true}]}]"),
            "groups", "do not fit");
}

static void work_that_does_not_fit(void **state) {
    (void)state;
    refused(MM(SHAPED("[3037000500,3037000499]"), SHAPED("[3037000499,3]")), "args",
            "does not fit 63 bits");
    refused(FORWARD("{\"type\":\"linear\",\"name\":\"l\",\"in_features\":4294967296,"
                    "\"out_features\":4,"
                    "\"weight\":{\"shape\":[4,4294967296],\"requires_grad\":true}}",
                    SHAPED("[1073741824,4294967296]")),
            "input", "does not fit 63 bits");
}

static struct trace_result lower(const char *text, bool strict) {
    neuromc_estimate_options options = {.strict = strict};
    return trace_lower(text, strlen(text), &options);
}

/* What a careful reader must not refuse. */
static void accepted(void **state) {
    (void)state;
    static const char *const texts[] = {
        TRACE_HEADER GOOD,
        "\n" TRACE_HEADER "\r\n  \n" GOOD "\n",                              /* blank lines */
        " {\"version\":1,\"x\":{},\"format\":\"neuromc-trace\"}\t\r\n" GOOD, /* any order */
        "{\"\\u0066ormat\":\"neuromc-tr\\u0061ce\",\"version\":1}\n" GOOD,
        TRACE_HEADER
        "{\"out\":null,\"args\":[{\"free\":[\"of\",1e999,{}]}],"
        "\"stage\":\"\\ud83d\\ude00\",\"op\":\"aten.add.Tensor\",\"event\":\"aten\"}\n" GOOD,
        TRACE_HEADER FORWARD(LINEAR, SHAPED("[0,9223372036854775807,3]")),
        TRACE_HEADER FORWARD("{\"type\":\"soma\",\"name\":\"\",\"weight\":null}", TENSOR),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct trace_result r = lower(texts[i], true);
        if (r.status != NEUROMC_OK)
            fail_msg("text %zu: %s", i, trace_error(&r)->message);
        assert_int_equal(r.count, 1);
        trace_release(&r);
    }
}

static void no_newline_at_the_end(void **state) {
    (void)state;
    struct trace_result r = lower(TRACE_HEADER GOOD, false);
    struct trace_result cut = trace_lower(TRACE_HEADER GOOD, strlen(TRACE_HEADER GOOD) - 1, NULL);
    assert_int_equal(cut.status, NEUROMC_OK);
    assert_int_equal(cut.count, r.count);
    trace_release(&r);
    trace_release(&cut);
}

static void unknown_events(void **state) {
    (void)state;
    static const char text[] = TRACE_HEADER "{\"event\":\"note\"}\n{\"event\":\"note\"}\n"
                                            "{\"event\":\"other\",\"stage\":3}\n" GOOD;
    struct trace_result r = lower(text, false);
    assert_int_equal(r.status, NEUROMC_OK);
    assert_int_equal(r.count, 1);
    assert_int_equal(neuromc_diags_count(r.diags), 2);
    assert_int_equal(neuromc_diags_at(r.diags, 0)->line, 2);
    assert_int_equal(neuromc_diags_at(r.diags, 1)->line, 4);
    assert_int_equal(neuromc_diags_at(r.diags, 1)->severity, NEUROMC_WARNING);
    trace_release(&r);
    refused_text(text, strlen(text), NEUROMC_UNSUPPORTED, true, 2, "event",
                 "unknown event \"note\"");
}

static void many_unknown_events(void **state) {
    (void)state;
    char text[8192] = TRACE_HEADER, *end = text + strlen(text);
    for (int i = 0; i < 100; i++)
        end += sprintf(end, "{\"event\":\"e%d\"}\n", i);
    strcat(text, GOOD);
    struct trace_result r = lower(text, false);
    assert_int_equal(r.status, NEUROMC_OK);
    assert_int_equal(neuromc_diags_count(r.diags), NMC_LIMIT_UNKNOWN_EVENTS);
    trace_release(&r);
}

static void no_file(void **state) {
    (void)state;
    neuromc_diags *diags = neuromc_diags_new();
    static const struct nmc_precision precision;
    struct nmc_work_sink sink = {0};
    struct nmc_trace_summary summary;
    assert_int_equal(
        nmc_trace_lower("/nowhere/x.jsonl", NULL, &precision, NULL, &sink, &summary, diags),
        NEUROMC_IO);
    assert_int_equal(nmc_trace_lower("/", NULL, &precision, NULL, &sink, &summary, diags),
                     NEUROMC_IO);
    neuromc_diags_free(diags);
}

/* Every allocation fails once: an error, and nothing leaks (make san). */
static void memory_runs_out(void **state) {
    (void)state;
    static const char text[] = TRACE_HEADER GOOD MM(TENSOR, TENSOR) MM(SHAPED("[2,2]"), TENSOR)
        EVENT("aten") "\"op\":\"aten.relu.default\",\"args\":[],\"out\":" TENSOR
                      "}\n" STEP("[{\"params\":[{\"shape\":[1],\"has_grad\":true}]}]") GOOD;
    nmc_memory_fail_at(0);
    struct trace_result whole = lower(text, false);
    size_t asked = nmc_memory_fail_at(0);
    assert_int_equal(whole.status, NEUROMC_OK);
    trace_release(&whole);
    assert_true(asked > 20);
    for (size_t number = 3; number <= asked; number++) { /* 1 and 2 are the list of messages */
        nmc_memory_fail_at(number);
        struct trace_result r = lower(text, false);
        nmc_memory_fail_at(0);
        assert_int_equal(r.status, NEUROMC_IO);
        trace_release(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers),        cmocka_unit_test(not_json),
        cmocka_unit_test(bytes_of_zero),  cmocka_unit_test(nesting),
        cmocka_unit_test(too_many_keys),  cmocka_unit_test(a_line_over_the_limit),
        cmocka_unit_test(events),         cmocka_unit_test(tensors),
        cmocka_unit_test(huge_ranks),     cmocka_unit_test(modules),
        cmocka_unit_test(steps),          cmocka_unit_test(work_that_does_not_fit),
        cmocka_unit_test(accepted),       cmocka_unit_test(no_newline_at_the_end),
        cmocka_unit_test(unknown_events), cmocka_unit_test(many_unknown_events),
        cmocka_unit_test(no_file),        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
