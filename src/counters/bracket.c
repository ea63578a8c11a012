#include "counters/bracket.h"

#include <math.h>

const char *const nmc_verdict_names[NMC_VERDICTS] = {"clean",    "relative-only", "noisy",
                                                     "unusable", "below-noise",   "no-baseline",
                                                     "modelled", "lost"};
const char *const nmc_baseline_names[] = {"brackets", "separate", "none", NULL};

static const double clean_ratio = 10, relative_ratio = 3, noisy_ratio = 1;
static const double ns_per_s = 1e9;

static double power(const struct nmc_sample *s) {
    return s->energy_j / ((double)(s->to_ns - s->from_ns) / ns_per_s);
}

static bool inside(const struct nmc_sample *s, struct nmc_stretch stretch) {
    return s->from_ns >= stretch.from_ns && s->to_ns <= stretch.to_ns && s->to_ns > s->from_ns;
}

static bool overlaps(const struct nmc_sample *s, struct nmc_stretch stretch) {
    return s->to_ns > stretch.from_ns && s->from_ns < stretch.to_ns;
}

static double squares(const struct nmc_sample *samples, size_t count, struct nmc_stretch stretch,
                      double mean) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (inside(&samples[i], stretch))
            sum += (power(&samples[i]) - mean) * (power(&samples[i]) - mean);
    return sum;
}

struct nmc_bracket nmc_bracket_of(const struct nmc_sample *samples, size_t count,
                                  struct nmc_stretch stretch) {
    struct nmc_bracket b = {.known = true};
    uint64_t from = 0, to = 0;
    size_t run = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct nmc_sample *s = &samples[i];
        if (!inside(s, stretch))
            continue;
        bool advanced = s->known && s->energy_j > 0;
        from = b.intervals++ ? from : s->from_ns;
        to = s->to_ns;
        b.advanced += advanced;
        run = advanced ? run + 1 : 0;
        b.longest_run = run > b.longest_run ? run : b.longest_run;
        b.known &= s->known;
        sum += power(s);
    }
    b.span_ns = to - from;
    b.known &= b.intervals >= 2;
    if (b.known) {
        b.mean_w = sum / (double)b.intervals;
        b.sd_w = sqrt(squares(samples, count, stretch, b.mean_w) / (double)(b.intervals - 1));
    }
    return b;
}

enum nmc_verdict nmc_verdict_of(double marginal_j, double idle_sd_w, double ratio, double step_j) {
    if (marginal_j < 0)
        return NMC_BELOW_NOISE;
    if (!(idle_sd_w > 0))
        return marginal_j > step_j ? NMC_CLEAN : NMC_UNUSABLE;
    return ratio >= clean_ratio      ? NMC_CLEAN
           : ratio >= relative_ratio ? NMC_RELATIVE_ONLY
           : ratio >= noisy_ratio    ? NMC_NOISY
                                     : NMC_UNUSABLE;
}

double nmc_window_floor_s(const struct nmc_resolution *resolution) {
    const double updates = 50;
    return fmax(1, updates * resolution->update_s);
}

static void measure_window(struct nmc_round_power *r, const struct nmc_sample *samples,
                           size_t count, struct nmc_stretch window) {
    uint64_t from = 0, to = 0;
    size_t seen = 0;
    r->window_known = true;
    for (size_t i = 0; i < count; i++) {
        const struct nmc_sample *s = &samples[i];
        if (!overlaps(s, window))
            continue;
        from = seen++ ? from : s->from_ns;
        to = s->to_ns;
        r->window_known &= s->known;
        r->window_j += s->energy_j;
        r->window_beside_j += s->beside_j;
    }
    r->covered_ns = to - from;
    r->window_known &= seen > 0;
}

/* Drift that chance alone would make once in some hundred times, and that moves the marginal power
 * by more than a hundredth. */
static void measure_drift(struct nmc_round_power *r) {
    const double chance = 3, matters = 0.02;
    const struct nmc_bracket *a = &r->idle_before, *b = &r->idle_after;
    double error =
        sqrt(a->sd_w * a->sd_w / (double)a->intervals + b->sd_w * b->sd_w / (double)b->intervals);
    r->has_drift = true;
    r->drift_w = b->mean_w - a->mean_w;
    r->drifts =
        fabs(r->drift_w) > chance * error && fabs(r->drift_w) > matters * fabs(r->marginal_w);
}

static void subtract_idle(struct nmc_round_power *r, neuromc_baseline baseline,
                          const struct nmc_resolution *resolution) {
    const double rounding = 1e-12;
    r->idle_w = (r->idle_before.mean_w + r->idle_after.mean_w) / 2;
    r->idle_sd_w = fmax(r->idle_before.sd_w, r->idle_after.sd_w);
    r->marginal_w = r->busy.mean_w - r->idle_w;
    r->marginal_j = r->window_j - r->idle_w * ((double)r->covered_ns / ns_per_s);
    if (fabs(r->marginal_j) <= rounding * r->window_j) /* has no sign that means anything */
        r->marginal_j = 0;
    r->has_marginal = true;
    r->has_ratio = r->idle_sd_w > 0;
    r->ratio = r->has_ratio ? r->marginal_w / r->idle_sd_w : 0;
    if (baseline == NEUROMC_BRACKETS)
        measure_drift(r);
    r->verdict = nmc_verdict_of(r->marginal_j, r->idle_sd_w, r->ratio, resolution->step_j);
}

struct nmc_round_power nmc_round_power(const struct nmc_sample *samples, size_t count,
                                       struct nmc_stretch window, struct nmc_stretch before,
                                       struct nmc_stretch after, neuromc_baseline baseline,
                                       const struct nmc_resolution *resolution) {
    struct nmc_round_power r = {.verdict = NMC_LOST};
    measure_window(&r, samples, count, window);
    r.busy = nmc_bracket_of(samples, count, window);
    double seconds = (double)(window.to_ns - window.from_ns) / ns_per_s;
    r.resolution_limited = seconds < nmc_window_floor_s(resolution) ||
                           r.window_j < NMC_WINDOW_STEPS * resolution->step_j;
    if (baseline == NEUROMC_NO_BASELINE) {
        r.verdict = r.window_known ? NMC_NO_BASELINE : NMC_LOST;
        return r;
    }
    r.idle_before = nmc_bracket_of(samples, count, before);
    r.idle_after = nmc_bracket_of(samples, count, after);
    if (r.window_known && r.busy.known && r.idle_before.known && r.idle_after.known)
        subtract_idle(&r, baseline, resolution);
    return r;
}
