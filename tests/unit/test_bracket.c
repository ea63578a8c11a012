/* Figures of a round against the harness's formulas, written down again here in its own units
 * (nanojoules and nanoseconds), over scripted samples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "counters/bracket.h"

enum { SAMPLES = 400, ROUNDS = 200 };

static uint32_t random_state = 3;

static double random_unit(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return (double)(random_state >> 8) / (1 << 24);
}

static bool close_to(double a, double b) {
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)) || fabs(a - b) < 1e-300;
}

/* ---- the harness ---------------------------------------------------------------------------- */

struct harness_bracket {
    int intervals, advanced, longest_run;
    double span_ns, mean_w, sd_w;
};

static struct harness_bracket harness_bracket(const struct nmc_sample *samples,
                                              struct nmc_stretch t) {
    struct harness_bracket b = {0};
    double p[SAMPLES], first = 0, last = 0, sum = 0, squares = 0;
    int run = 0;
    for (int i = 0; i < SAMPLES; i++) {
        const struct nmc_sample *s = &samples[i];
        if (!(s->from_ns >= t.from_ns && s->to_ns <= t.to_ns))
            continue;
        double nj = s->energy_j * 1e9;
        if (b.intervals == 0)
            first = (double)s->from_ns;
        last = (double)s->to_ns;
        p[b.intervals++] = nj / (double)(s->to_ns - s->from_ns);
        run = nj > 0 ? run + 1 : 0;
        b.advanced += nj > 0;
        b.longest_run = run > b.longest_run ? run : b.longest_run;
    }
    b.span_ns = last - first;
    for (int i = 0; i < b.intervals; i++)
        sum += p[i];
    b.mean_w = sum / b.intervals;
    for (int i = 0; i < b.intervals; i++)
        squares += (p[i] - b.mean_w) * (p[i] - b.mean_w);
    b.sd_w = sqrt(squares / (b.intervals - 1));
    return b;
}

static void same_bracket(struct nmc_bracket ours, struct harness_bracket theirs) {
    assert_true(ours.known);
    assert_int_equal(ours.intervals, theirs.intervals);
    assert_int_equal(ours.advanced, theirs.advanced);
    assert_int_equal(ours.longest_run, theirs.longest_run);
    assert_true((double)ours.span_ns == theirs.span_ns);
    assert_true(close_to(ours.mean_w, theirs.mean_w) && close_to(ours.sd_w, theirs.sd_w));
}

static void script(struct nmc_sample samples[SAMPLES], struct nmc_stretch *window, double busy_w) {
    uint64_t now = 1000000000;
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t length = 99000000 + (uint64_t)(random_unit() * 4e6);
        bool busy = i >= 150 && i < 250;
        double watts = 20 + (busy ? busy_w : 0) + 2 * random_unit();
        samples[i] = (struct nmc_sample){now, now + length, watts * (double)length / 1e9, 0, true};
        if (random_unit() < 0.02)
            samples[i].energy_j = 0;
        now += length;
    }
    window->from_ns = samples[150].from_ns + 1234567;
    window->to_ns = samples[250].from_ns - 7654321;
}

static void rounds_equal_the_harness(void **state) {
    (void)state;
    const struct nmc_resolution fine = {1e-6, 0.001};
    for (int r = 0; r < ROUNDS; r++) {
        struct nmc_sample s[SAMPLES];
        struct nmc_stretch window, before, after;
        script(s, &window, 40 * random_unit());
        before = (struct nmc_stretch){s[60].from_ns + 5, s[110].to_ns + 99};
        after = (struct nmc_stretch){s[260].from_ns, s[330].to_ns - 1};
        struct nmc_round_power ours =
            nmc_round_power(s, SAMPLES, window, before, after, NEUROMC_BRACKETS, &fine);
        struct harness_bracket busy = harness_bracket(s, window), pre = harness_bracket(s, before),
                               post = harness_bracket(s, after);
        double window_nj = 0, covered_ns = 0, from = -1;
        for (int i = 0; i < SAMPLES; i++)
            if (s[i].to_ns > window.from_ns && s[i].from_ns < window.to_ns) {
                window_nj += s[i].energy_j * 1e9;
                from = from < 0 ? (double)s[i].from_ns : from;
                covered_ns = (double)s[i].to_ns - from;
            }
        double idle_w = (pre.mean_w + post.mean_w) / 2, idle_sd = fmax(pre.sd_w, post.sd_w);
        same_bracket(ours.busy, busy);
        same_bracket(ours.idle_before, pre);
        same_bracket(ours.idle_after, post);
        assert_true(close_to(ours.window_j * 1e9, window_nj));
        assert_true((double)ours.covered_ns == covered_ns);
        /* of a difference, 1e-12 of what was subtracted */
        assert_true(fabs(ours.marginal_j * 1e9 - (window_nj - idle_w * covered_ns)) <=
                    1e-12 * window_nj);
        assert_true(fabs(ours.ratio - (busy.mean_w - idle_w) / idle_sd) <=
                    1e-12 * busy.mean_w / idle_sd);
    }
}

static void verdicts(void **state) {
    (void)state;
    assert_int_equal(nmc_verdict_of(1, 1, 10, 0), NMC_CLEAN);
    assert_int_equal(nmc_verdict_of(1, 1, 9.999, 0), NMC_RELATIVE_ONLY);
    assert_int_equal(nmc_verdict_of(1, 1, 3, 0), NMC_RELATIVE_ONLY);
    assert_int_equal(nmc_verdict_of(1, 1, 2.999, 0), NMC_NOISY);
    assert_int_equal(nmc_verdict_of(1, 1, 1, 0), NMC_NOISY);
    assert_int_equal(nmc_verdict_of(1, 1, 0.5, 0), NMC_UNUSABLE);
    assert_int_equal(nmc_verdict_of(-1, 1, -5, 0), NMC_BELOW_NOISE);
    /* an idle that never moves */
    assert_int_equal(nmc_verdict_of(1, 0, 0, 0.5), NMC_CLEAN);
    assert_int_equal(nmc_verdict_of(0, 0, 0, 0.5), NMC_UNUSABLE);
    assert_int_equal(nmc_verdict_of(-1, 0, 0, 0.5), NMC_BELOW_NOISE);
}

static void what_is_not_known_is_no_number(void **state) {
    (void)state;
    const struct nmc_resolution fine = {1e-6, 0.001};
    struct nmc_sample s[SAMPLES];
    struct nmc_stretch window;
    script(s, &window, 30);
    const struct nmc_stretch before = {s[60].from_ns, s[110].to_ns},
                             after = {s[260].from_ns, s[330].to_ns}, nothing = {1, 2};
    struct nmc_round_power r =
        nmc_round_power(s, SAMPLES, window, nothing, after, NEUROMC_BRACKETS, &fine);
    assert_true(!r.has_marginal && r.verdict == NMC_LOST && r.window_known);
    r = nmc_round_power(s, SAMPLES, window, before, after, NEUROMC_NO_BASELINE, &fine);
    assert_true(!r.has_marginal && r.verdict == NMC_NO_BASELINE && r.window_j > 0);
    s[200].known = false;
    r = nmc_round_power(s, SAMPLES, window, before, after, NEUROMC_BRACKETS, &fine);
    assert_true(!r.window_known && !r.has_marginal && r.verdict == NMC_LOST);
}

static void drift_and_resolution(void **state) {
    (void)state;
    struct nmc_sample s[SAMPLES];
    struct nmc_stretch window;
    script(s, &window, 30);
    const struct nmc_stretch before = {s[60].from_ns, s[110].to_ns},
                             after = {s[260].from_ns, s[330].to_ns};
    const struct nmc_resolution fine = {1e-6, 0.001}, coarse = {10, 0.001}, slow = {1e-6, 1};
    struct nmc_round_power r =
        nmc_round_power(s, SAMPLES, window, before, after, NEUROMC_BRACKETS, &fine);
    assert_true(r.has_drift && !r.drifts && !r.resolution_limited);
    r = nmc_round_power(s, SAMPLES, window, before, after, NEUROMC_BRACKETS, &coarse);
    assert_true(r.resolution_limited);
    r = nmc_round_power(s, SAMPLES, window, before, after, NEUROMC_BRACKETS, &slow);
    assert_true(r.resolution_limited);
    for (int i = 260; i < SAMPLES; i++) /* hot after the work */
        s[i].energy_j *= 1.2;
    r = nmc_round_power(s, SAMPLES, window, before, after, NEUROMC_BRACKETS, &fine);
    assert_true(r.drifts && r.drift_w > 3 && r.drift_w < 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_equal_the_harness),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(what_is_not_known_is_no_number),
        cmocka_unit_test(drift_and_resolution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
