/* measure_json.c - a measurement as JSON (docs/measure.schema.json). */
#include <math.h>
#include <stdio.h>

#include "counters/measure_write.h"

static const double nj_per_j = 1e9, ns_per_s = 1e9;

void nmc_measure_json_number(struct nmc_json *json, const char *key, double value) {
    nmc_json_key(json, key);
    if (isfinite(value))
        nmc_json_number(json, value);
    else
        nmc_json_text(json, NULL);
}

static double known(bool is_known, double value) {
    return is_known ? value : (double)NAN;
}

/* ---- one round ------------------------------------------------------------------------------- */

static void write_bracket(struct nmc_json *json, const char *key, const struct nmc_bracket *b) {
    nmc_json_key(json, key);
    if (!b->known) {
        nmc_json_text(json, NULL);
        return;
    }
    nmc_json_begin(json, '{');
    nmc_json_key_integer(json, "intervals", (int64_t)b->intervals);
    nmc_json_key_integer(json, "advanced", (int64_t)b->advanced);
    nmc_json_key_integer(json, "longest_run", (int64_t)b->longest_run);
    nmc_json_key_integer(json, "span_ns", (int64_t)b->span_ns);
    nmc_json_key_number(json, "mean_w", b->mean_w);
    nmc_json_key_number(json, "sd_w", b->sd_w);
    nmc_json_end(json, '}');
}

static void write_device(struct nmc_json *json, const struct nmc_round *round) {
    const struct nmc_round_power *p = &round->power;
    write_bracket(json, "busy", &p->busy);
    write_bracket(json, "idle_before", &p->idle_before);
    write_bracket(json, "idle_after", &p->idle_after);
    nmc_measure_json_number(json, "window_nj", known(p->window_known, p->window_j * nj_per_j));
    nmc_json_key_integer(json, "covered_ns", (int64_t)p->covered_ns);
    nmc_measure_json_number(json, "marginal_nj", known(p->has_marginal, p->marginal_j * nj_per_j));
    nmc_measure_json_number(json, "ratio", known(p->has_ratio, p->ratio));
    nmc_measure_json_number(json, "beside_nj",
                            known(p->window_known, p->window_beside_j * nj_per_j));
    nmc_measure_json_number(json, "drift_w", known(p->has_drift, p->drift_w));
    nmc_json_key_bool(json, "drifts", p->drifts);
    nmc_json_key_bool(json, "resolution_limited", p->resolution_limited);
}

/* The first part is the process's own energy; others stand beside it. */
static void write_process(struct nmc_json *json, const struct neuromc_measurement *m,
                          const struct nmc_round *round) {
    nmc_measure_json_number(json, "energy_nj",
                            known(round->process_known, round->process_j * nj_per_j));
    nmc_json_key_number(json, "cpu_ns", round->process_s * ns_per_s);
    for (size_t i = 1; m->parts[0] && m->parts[i]; i++) {
        char key[64];
        snprintf(key, sizeof key, "%.50s_nj", m->parts[i]);
        nmc_measure_json_number(json, key,
                                known(round->process_known, round->part_j[i] * nj_per_j));
    }
}

static void write_gpu_time(struct nmc_json *json, const struct nmc_round *round) {
    double share = nmc_gpu_share(&round->gpu);
    nmc_json_key(json, "gpu_time");
    nmc_json_begin(json, '{');
    nmc_json_key_integer(json, "child_ns", (int64_t)round->gpu.own_ns);
    nmc_json_key_integer(json, "all_clients_ns", (int64_t)round->gpu.all_ns);
    nmc_measure_json_number(json, "share", known(share >= 0, share));
    nmc_json_key(json, "vanished");
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < round->gpu_vanished_count; i++)
        nmc_json_integer(json, round->gpu_vanished[i]);
    nmc_json_end(json, ']');
    nmc_json_end(json, '}');
}

static void write_load(struct nmc_json *json, const char *key, const double average[3]) {
    nmc_json_key(json, key);
    nmc_json_begin(json, '[');
    for (int i = 0; average[0] >= 0 && i < 3; i++)
        nmc_json_number(json, average[i]);
    nmc_json_end(json, ']');
}

static void write_round(struct nmc_json *json, const struct neuromc_measurement *m,
                        const struct nmc_round *round) {
    nmc_json_begin_flat(json, '{');
    write_load(json, "load_avg_before", round->load_before);
    nmc_json_key_integer(json, "decodes", round->decodes);
    nmc_json_key_integer(json, "child_wall_ns", round->child_wall_ns);
    nmc_json_key_integer(json, "window_ns", (int64_t)(round->window.to_ns - round->window.from_ns));
    if (round->note)
        nmc_json_key_text(json, "child_note", round->note);
    if (round->gpu.known)
        write_gpu_time(json, round);
    write_load(json, "load_avg_after", round->load_after);
    nmc_json_key(json, m->counter.name);
    nmc_json_begin(json, '{');
    if (m->counter.per_process)
        write_process(json, m, round);
    else
        write_device(json, round);
    nmc_json_key_text(json, "verdict", nmc_verdict_names[nmc_round_verdict(m, round)]);
    nmc_json_end(json, '}');
    nmc_measure_json_number(json, "joules_per_job", nmc_round_joules(m, round));
    nmc_measure_json_number(json, "cpu_share", known(round->cpu_share >= 0, round->cpu_share));
    double gpu_share = nmc_gpu_share(&round->gpu);
    nmc_measure_json_number(json, "gpu_share", known(gpu_share >= 0, gpu_share));
    nmc_json_key_bool(json, "outlier", round->outlier);
    nmc_json_end(json, '}');
}

/* ---- all rounds ------------------------------------------------------------------------------ */

void nmc_measure_json_summary(struct nmc_json *json, const char *key,
                              const struct neuromc_measurement *m,
                              const struct nmc_subject_result *subject,
                              double (*quantity)(const struct neuromc_measurement *,
                                                 const struct nmc_round *)) {
    struct nmc_summary s;
    nmc_json_key(json, key);
    if (!nmc_summarize_rounds(m, subject, quantity, &s)) {
        nmc_json_text(json, NULL);
        return;
    }
    nmc_json_begin_flat(json, '{');
    nmc_json_key_integer(json, "rounds", (int64_t)s.count);
    nmc_json_key_number(json, "median", s.median);
    nmc_json_key_number(json, "low", s.interval.low);
    nmc_json_key_number(json, "high", s.interval.high);
    nmc_json_key_number(json, "coverage", s.interval.coverage);
    nmc_json_key_number(json, "q1", s.q1);
    nmc_json_key_number(json, "q3", s.q3);
    nmc_json_key_number(json, "iqr", s.q3 - s.q1);
    nmc_json_key_number(json, "least", s.least);
    nmc_json_key_number(json, "most", s.most);
    nmc_json_end(json, '}');
}

static void write_summary(struct nmc_json *json, const struct neuromc_measurement *m,
                          const struct nmc_subject_result *s) {
    struct nmc_subject_flags flags = nmc_subject_flags(s);
    nmc_json_key(json, "summary");
    nmc_json_begin(json, '{');
    nmc_measure_json_summary(json, "joules_per_job", m, s, nmc_round_joules);
    nmc_measure_json_summary(json, "busy_w", m, s, nmc_round_busy_w);
    nmc_measure_json_summary(json, "idle_w", m, s, nmc_round_idle_w);
    nmc_measure_json_summary(json, "marginal_w", m, s, nmc_round_marginal_w);
    nmc_measure_json_summary(json, "ratio", m, s, nmc_round_ratio);
    nmc_measure_json_summary(json, "seconds_per_job", m, s, nmc_round_seconds);
    nmc_json_key_text(json, "verdict", nmc_verdict_names[nmc_subject_verdict(m, s)]);
    nmc_json_key_text(json, "allows", nmc_verdict_meaning(nmc_subject_verdict(m, s)));
    nmc_json_key_bool(json, "holds", nmc_subject_holds(m, s));
    nmc_json_key_bool(json, "drifts", flags.drifts);
    nmc_json_key_bool(json, "resolution_limited", flags.is_limited);
    nmc_json_key_integer(json, "outliers", (int64_t)flags.outliers);
    nmc_json_end(json, '}');
}

static void write_host(struct nmc_json *json, const struct neuromc_measurement *m) {
    nmc_json_key(json, "host");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "system", m->system);
    nmc_json_key_text(json, "machine", m->machine);
    nmc_json_key_integer(json, "node_cpu", m->cpus);
    nmc_json_end(json, '}');
}

void nmc_measure_json(struct nmc_json *json, const struct neuromc_measurement *m,
                      const struct nmc_subject_result *s) {
    nmc_json_key_text(json, "label", s->subject.label);
    nmc_json_key(json, "meta");
    nmc_json_begin_flat(json, '{');
    for (size_t i = 0; i < m->options.meta_count; i++)
        nmc_json_key_text(json, m->meta[i].key, m->meta[i].value);
    nmc_json_end(json, '}');
    nmc_json_key(json, "rounds");
    nmc_json_begin(json, '[');
    for (size_t r = 0; r < s->round_count; r++)
        write_round(json, m, &s->rounds[r]);
    nmc_json_end(json, ']');
    nmc_json_key_integer(json, "jobs", s->jobs);
    nmc_json_key_integer(json, "k", s->k);
    nmc_json_key(json, "counters");
    nmc_json_begin_flat(json, '[');
    nmc_json_text(json, m->counter.name);
    nmc_json_end(json, ']');
    nmc_json_key_number(json, "idle_s", m->options.idle_s);
    nmc_json_key_number(json, "sample_s", m->options.sample_s);
    write_host(json, m);
    nmc_json_key(json, "child");
    nmc_json_begin_flat(json, '[');
    for (const char *const *word = s->subject.argv; *word; word++)
        nmc_json_text(json, *word);
    nmc_json_end(json, ']');
    nmc_json_key_bool(json, "partial", s->round_count < (size_t)m->options.rounds);
    nmc_json_key_text(json, "failure", s->failure);
    write_summary(json, m, s);
}

void nmc_measure_json_counter(struct nmc_json *json, const struct neuromc_measurement *m) {
    nmc_json_key(json, "counter");
    nmc_json_begin(json, '{');
    nmc_json_key_text(json, "name", m->counter.name);
    nmc_json_key_text(json, "source", m->counter.source);
    nmc_json_key_text(json, "includes", m->counter.includes);
    nmc_json_key_text(json, "leaves_out", m->counter.leaves_out);
    nmc_json_key_bool(json, "modelled", m->counter.modelled);
    nmc_json_key_number(json, "resolution_j", m->resolution.step_j);
    nmc_json_key_number(json, "update_s", m->resolution.update_s);
    nmc_json_key_bool(json, "lost", m->lost);
    nmc_json_end(json, '}');
    nmc_json_key_text(json, "baseline", nmc_baseline_names[m->options.baseline]);
    nmc_json_key_bool(json, "stopped", m->stopped);
}
