/* agreement.c - what several models say together: their order, and how well estimates follow it. */
#include <math.h>
#include <string.h>

#include "counters/validate.h"

const char *nmc_supported_claim(const struct neuromc_validation *v, size_t subject) {
    const struct neuromc_measurement *m = v->measurement;
    if (nmc_subject_holds(m, &m->subjects[subject]))
        return "ratio";
    return m->subject_count > 1 && nmc_subject_ranks(m, &m->subjects[subject]) ? "ranking"
                                                                               : "nothing";
}

bool neuromc_validation_holds(const neuromc_validation *v) {
    for (size_t i = 0; i < v->measurement->subject_count; i++)
        if (strcmp(nmc_supported_claim(v, i), "nothing") == 0)
            return false;
    return true;
}

/* Models whose figures may stand side by side: modelled ones too, as all of them are. */
static bool counts(const struct neuromc_measurement *m, size_t subject,
                   struct nmc_summary *summary) {
    const struct nmc_subject_result *s = &m->subjects[subject];
    return (nmc_subject_ranks(m, s) || m->counter.modelled) &&
           nmc_summarize_rounds(m, s, nmc_round_joules, summary);
}

/* Indices of values, least first; equal ones as they came. Models are few. */
static void sort_order(size_t *order, const double *values, size_t count) {
    for (size_t i = 1; i < count; i++) {
        size_t moved = order[i], at = i;
        for (; at > 0 && values[order[at - 1]] > values[moved]; at--)
            order[at] = order[at - 1];
        order[at] = moved;
    }
}

bool nmc_agree(struct neuromc_validation *v) {
    const struct neuromc_measurement *m = v->measurement;
    struct nmc_agreement *a = &v->agreement;
    size_t count = m->subject_count;
    double *measured = nmc_arena_array(&v->arena, 6 * count, sizeof *measured);
    size_t *order = nmc_arena_array(&v->arena, 2 * count, sizeof *order);
    *a = (struct nmc_agreement){.spearman = NAN, .pearson = NAN};
    if (!measured || !order)
        return false;
    double *estimated = measured + count, *x = estimated + count, *y = x + count;
    a->measured_order = order;
    a->estimated_order = order + count;
    for (size_t i = 0; i < count; i++) {
        struct nmc_summary s;
        if (!counts(m, i, &s))
            continue;
        x[a->models] = measured[i] = s.median;
        y[a->models] = estimated[i] = nmc_estimate_joules(&v->estimates[i]);
        a->measured_order[a->models] = a->estimated_order[a->models] = i;
        a->models++;
    }
    a->spearman = nmc_spearman(x, y, a->models, y + count);
    a->pearson = nmc_pearson(x, y, a->models);
    sort_order(a->measured_order, measured, a->models);
    sort_order(a->estimated_order, estimated, a->models);
    return true;
}

bool nmc_told_apart(const struct neuromc_validation *v, size_t less, size_t more) {
    const struct neuromc_measurement *m = v->measurement;
    struct nmc_summary a, b;
    return nmc_summarize_rounds(m, &m->subjects[less], nmc_round_joules, &a) &&
           nmc_summarize_rounds(m, &m->subjects[more], nmc_round_joules, &b) &&
           a.interval.high < b.interval.low;
}
