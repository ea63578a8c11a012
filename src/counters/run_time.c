/* A run for a person: warm-up, windows, time per inference, MACs per second. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/number.h"
#include "counters/runner.h"

enum {
    WINDOWS = 7,
    MOST_WINDOWS = 1000,
    WINDOW_NS = 200000000, /* what the clock resolves a million times over */
    WARM_NS = 50000000     /* first touches of memory, and the clock frequency on its way up */
};

struct timing {
    int64_t windows, inferences;
    int64_t first_ns; /* of the first inference, cold */
    double each_ns[MOST_WINDOWS];
};

static neuromc_status warm_up(neuromc_runner *runner, struct timing *t, neuromc_diags *diags) {
    int64_t total = 0, one = 0, runs = 0;
    neuromc_status status = neuromc_runner_run(runner, 1, &t->first_ns, diags);
    while (status == NEUROMC_OK && total < WARM_NS) {
        status = neuromc_runner_run(runner, 1, &one, diags);
        total += one + 1;
        runs++;
    }
    if (status == NEUROMC_OK && !t->inferences)
        t->inferences = (int64_t)((double)WINDOW_NS * (double)runs / (double)total) + 1;
    return status;
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static neuromc_status measure(neuromc_runner *runner, struct timing *t, neuromc_diags *diags) {
    neuromc_status status = warm_up(runner, t, diags);
    for (int64_t w = 0; status == NEUROMC_OK && w < t->windows; w++) {
        int64_t wall = 0;
        status = neuromc_runner_run(runner, t->inferences, &wall, diags);
        t->each_ns[w] = (double)wall / (double)t->inferences;
    }
    qsort(t->each_ns, (size_t)t->windows, sizeof *t->each_ns, by_value);
    return status;
}

static double median_ns(const struct timing *t) {
    int64_t middle = t->windows / 2;
    return t->windows % 2 ? t->each_ns[middle] : (t->each_ns[middle - 1] + t->each_ns[middle]) / 2;
}

static double macs_per_second(const neuromc_runner *runner, const struct timing *t) {
    double each = median_ns(t);
    return runner->macs < 0 || each <= 0 ? 0 : (double)runner->macs / each * 1e9;
}

static const char *const input_names[] = {"zeros", "random", "spikes"};

/* ---- JSON ---- */

static void write_json(const neuromc_runner *runner, const struct timing *t,
                       struct nmc_sink *sink) {
    struct nmc_json json;
    nmc_json_init(&json, sink);
    nmc_json_begin(&json, '{');
    nmc_json_key_text(&json, "schema", "neuromc-run/1");
    nmc_json_key_text(&json, "model", runner->path);
    nmc_json_key_text(&json, "runtime", "onnxruntime");
    nmc_json_key_text(&json, "runtime_version", runner->ort.version);
    nmc_json_key_integer(&json, "threads", runner->threads);
    nmc_json_key_text(&json, "inputs", input_names[runner->values.kind]);
    nmc_json_key(&json, "seed");
    if (runner->values.kind == NEUROMC_INPUTS_ZEROS)
        nmc_json_text(&json, NULL);
    else
        nmc_json_integer(&json, (int64_t)runner->values.seed);
    if (runner->values.kind == NEUROMC_INPUTS_SPIKES)
        nmc_json_key_number(&json, "spike_rate", runner->values.rate);
    nmc_json_key_bool(&json, "random_weights", runner->random_weights);
    if (runner->random_weights) {
        nmc_json_key_integer(&json, "weight_seed", (int64_t)runner->weight_seed);
        nmc_json_key_integer(&json, "random_weight_tensors", runner->made_up.tensors);
        nmc_json_key_integer(&json, "random_weight_elements", runner->made_up.elements);
    }
    nmc_json_key_number(&json, "load_s", (double)runner->load_ns / 1e9);
    nmc_json_key_number(&json, "first_inference_s", (double)t->first_ns / 1e9);
    nmc_json_key_integer(&json, "windows", t->windows);
    nmc_json_key_integer(&json, "inferences_per_window", t->inferences);
    nmc_json_key_number(&json, "seconds_per_inference", median_ns(t) / 1e9);
    nmc_json_key_number(&json, "seconds_least", t->each_ns[0] / 1e9);
    nmc_json_key_number(&json, "seconds_most", t->each_ns[t->windows - 1] / 1e9);
    nmc_json_key(&json, "macs");
    if (runner->macs < 0)
        nmc_json_text(&json, NULL);
    else
        nmc_json_integer(&json, runner->macs);
    nmc_json_key(&json, "macs_per_second");
    if (runner->macs < 0)
        nmc_json_text(&json, NULL);
    else
        nmc_json_number(&json, macs_per_second(runner, t));
    nmc_json_end(&json, '}');
    nmc_sink_puts(sink, "\n");
}

/* ---- text ---- */

struct scale {
    double from;
    const char *unit;
};

/* "35.21 ms" by the largest unit that is not above the value; scales start with the largest. */
static void put_scaled(struct nmc_sink *sink, double value, const struct scale *scales) {
    char number[NMC_NUMBER_SIZE];
    while (value < scales->from && scales[1].unit)
        scales++;
    nmc_short_format(number, value / scales->from);
    nmc_sink_printf(sink, "%s %s", number, scales->unit);
}

static const struct scale seconds[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}, {0, NULL}};
static const struct scale rates[] = {{1e12, "TMAC/s"}, {1e9, "GMAC/s"}, {1e6, "MMAC/s"},
                                     {1e3, "kMAC/s"},  {1, "MAC/s"},    {0, NULL}};

static void write_head(const neuromc_runner *runner, struct nmc_sink *sink) {
    char number[NMC_NUMBER_SIZE];
    nmc_sink_printf(sink, "%s, ONNX Runtime %s, %d thread%s\n\n", runner->path, runner->ort.version,
                    runner->threads, runner->threads == 1 ? "" : "s");
    if (runner->random_weights) {
        nmc_count_format(number, runner->made_up.elements);
        nmc_sink_printf(sink, "  weights         made up: %s in %lld tensors, seed %llu\n", number,
                        (long long)runner->made_up.tensors,
                        (unsigned long long)runner->weight_seed);
    }
    nmc_sink_printf(sink, "  inputs          %s", input_names[runner->values.kind]);
    if (runner->values.kind == NEUROMC_INPUTS_SPIKES) {
        nmc_number_format(number, runner->values.rate);
        nmc_sink_printf(sink, " at a rate of %s", number);
    }
    if (runner->values.kind != NEUROMC_INPUTS_ZEROS)
        nmc_sink_printf(sink, ", seed %llu", (unsigned long long)runner->values.seed);
    nmc_sink_puts(sink, "\n  load            ");
    put_scaled(sink, (double)runner->load_ns, seconds);
    nmc_sink_puts(sink, "\n");
}

static void write_text(const neuromc_runner *runner, const struct timing *t,
                       struct nmc_sink *sink) {
    char number[NMC_NUMBER_SIZE];
    write_head(runner, sink);
    nmc_sink_puts(sink, "  first inference ");
    put_scaled(sink, (double)t->first_ns, seconds);
    nmc_sink_puts(sink, "\n  an inference    ");
    put_scaled(sink, median_ns(t), seconds);
    nmc_sink_puts(sink, " (");
    put_scaled(sink, t->each_ns[0], seconds);
    nmc_sink_puts(sink, " to ");
    put_scaled(sink, t->each_ns[t->windows - 1], seconds);
    nmc_sink_printf(sink, "; median of %lld windows of %lld)\n", (long long)t->windows,
                    (long long)t->inferences);
    if (runner->macs < 0) {
        nmc_sink_puts(sink, "  MACs            not known: see `neuromc inspect`\n");
        return;
    }
    nmc_count_format(number, runner->macs);
    nmc_sink_printf(sink, "  MACs            %s, ", number);
    put_scaled(sink, macs_per_second(runner, t), rates);
    nmc_sink_puts(sink, "\n");
}

neuromc_status neuromc_runner_time(neuromc_runner *runner, const neuromc_timing_options *timing,
                                   const neuromc_write_options *options, neuromc_write_fn write,
                                   void *user, neuromc_diags *diags) {
    struct timing t = {.windows = timing && timing->windows ? timing->windows : WINDOWS,
                       .inferences = timing ? timing->inferences : 0};
    if (t.windows < 1 || t.windows > MOST_WINDOWS || t.inferences < 0)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0}, NULL,
                         "windows are from 1 to %d", MOST_WINDOWS);
    if (options->format != NEUROMC_TEXT && options->format != NEUROMC_JSON)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0}, NULL,
                         "a run is written as text or JSON");
    neuromc_status status = measure(runner, &t, diags);
    if (status != NEUROMC_OK)
        return status;
    struct nmc_sink sink;
    nmc_sink_init(&sink, write, user);
    if (options->format == NEUROMC_JSON)
        write_json(runner, &t, &sink);
    else
        write_text(runner, &t, &sink);
    return nmc_sink_finish(&sink, diags);
}
