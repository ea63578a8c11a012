/* measure_calibrate.c - how often the jobs must be done for a window that the counter can resolve.
 */
#include <math.h>

#include "counters/measuring.h"

static const double ns_per_s = 1e9;

static double seconds(struct nmc_stretch stretch) {
    return (double)(stretch.to_ns - stretch.from_ns) / ns_per_s;
}

/* Length that a window needs, as far as is known from one that was run. */
static double needed_s(struct nmc_measuring *x, struct nmc_stretch window) {
    const struct nmc_resolution *resolution = &x->m->resolution;
    double needed = fmax(x->m->options.window_s, nmc_window_floor_s(resolution));
    if (!x->sampler || !(resolution->step_j > 0))
        return needed;
    nmc_sampler_wait(x->sampler, window.to_ns);
    double watts = nmc_sampler_power(x->sampler, window);
    return watts > 0 ? fmax(needed, NMC_WINDOW_STEPS * resolution->step_j / watts) : needed;
}

bool nmc_measuring_calibrate(struct nmc_measuring *x, size_t subject) {
    const double spare = 1.15, most_k = 1e9, longest_s = 3600;
    enum { TRIES = 6 };
    struct nmc_subject_result *s = &x->m->subjects[subject];
    s->k = x->m->options.k ? x->m->options.k : 1;
    for (int i = 0; !x->m->options.k && i < TRIES; i++) {
        struct nmc_round trial = {.note = NULL};
        if (!nmc_measuring_go(x, subject, s->k, &trial))
            return false;
        double took = fmax(seconds(trial.window), 1 / ns_per_s);
        double needed = fmin(needed_s(x, trial.window), longest_s);
        if (took >= needed || (double)s->k >= most_k)
            break;
        s->k = (int64_t)fmin(ceil((double)s->k * needed * spare / took), most_k);
    }
    return true;
}
