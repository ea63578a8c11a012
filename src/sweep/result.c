#include "sweep/result.h"

#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "base/memory.h"

neuromc_sweep_result *nmc_result_new(neuromc_diags *diags) {
    neuromc_sweep_result *result = nmc_malloc(sizeof *result);
    if (!result) {
        nmc_out_of_memory(diags);
        return NULL;
    }
    *result = (neuromc_sweep_result){.reasons.most = NMC_MOST_REASONS,
                                     .warnings.most = NMC_MOST_WARNINGS};
    nmc_arena_init(&result->arena, NMC_LIMIT_MODEL_BYTES);
    return result;
}

void neuromc_sweep_result_free(neuromc_sweep_result *result) {
    if (!result)
        return;
    nmc_free(result->top.items);
    nmc_free(result->front.items);
    nmc_free(result->sample.items);
    nmc_sayings_release(&result->reasons);
    nmc_sayings_release(&result->warnings);
    nmc_free(result->notes);
    nmc_effects_release(&result->effects);
    nmc_arena_release(&result->arena);
    nmc_free(result);
}

bool neuromc_sweep_result_partial(const neuromc_sweep_result *result) {
    return result->partial;
}

bool nmc_result_note(neuromc_sweep_result *result, const char *text) {
    for (size_t i = 0; i < result->note_count; i++)
        if (strcmp(result->notes[i], text) == 0)
            return true;
    const char *copy = nmc_arena_strdup(&result->arena, text);
    if (!copy || !nmc_grow(&result->notes, &result->note_capacity, result->note_count + 1,
                           sizeof *result->notes))
        return false;
    result->notes[result->note_count++] = copy;
    return true;
}

/* ---- readings ---- */

double nmc_result_mean(const neuromc_sweep_result *result, int objective) {
    const struct nmc_result_metric *metric = &result->metrics[objective];
    return metric->shift + nmc_sum_value(&metric->sum) / (double)result->feasible;
}

/* The sum of squared distances from the mean. */
static double deviation(const neuromc_sweep_result *result, int objective) {
    const struct nmc_result_metric *metric = &result->metrics[objective];
    double sum = nmc_sum_value(&metric->sum), squares = nmc_sum_value(&metric->squares);
    double rest = squares - sum * sum / (double)result->feasible;
    return metric->least < metric->most && rest > 0 ? rest : 0;
}

double nmc_result_variance(const neuromc_sweep_result *result, int objective) {
    return result->feasible ? deviation(result, objective) / (double)result->feasible : 0;
}

double nmc_result_bin_mean(const neuromc_sweep_result *result, const struct nmc_result_axis *axis,
                           int bin, int objective) {
    const struct nmc_result_bin *b = &axis->bins[bin];
    return b->count ? result->metrics[objective].shift +
                          nmc_sum_value(&b->sum[objective]) / (double)b->count
                    : NAN;
}

/* A crossed space is the whole population, and the share is what it is. Of a part of it, levels
 * differ by chance too, the more the fewer points they have: epsilon squared (Kelley 1935) takes
 * that off. */
static double share_of_a_part(double between, double total, double points, double levels) {
    if (points <= levels)
        return NAN;
    double within = (total - between) / (points - levels);
    double share = 1 - within / (total / (points - 1));
    return share > 0 ? share : 0;
}

double nmc_result_share(const neuromc_sweep_result *result, const struct nmc_result_axis *axis,
                        int objective) {
    const struct nmc_result_metric *metric = &result->metrics[objective];
    double total = result->feasible ? deviation(result, objective) : 0, between = 0;
    if (total <= 0 || nmc_result_no_effect(result, axis, objective))
        return 0;
    double mean = nmc_sum_value(&metric->sum) / (double)result->feasible;
    int levels = 0;
    for (int b = 0; b < axis->bin_count; b++) {
        double count = (double)axis->bins[b].count;
        if (count == 0)
            continue;
        double away = nmc_sum_value(&axis->bins[b].sum[objective]) / count - mean;
        between += count * away * away;
        levels++;
    }
    between = between < total ? between : total;
    bool whole = !result->sampled && !result->partial && result->feasible == result->evaluated;
    return whole ? between / total
                 : share_of_a_part(between, total, (double)result->feasible, levels);
}

bool nmc_result_no_effect(const neuromc_sweep_result *result, const struct nmc_result_axis *axis,
                          int objective) {
    if (!result->feasible || axis->count < 2 ||
        (result->effects.varies[objective] >> axis->group & 1))
        return false;
    return !result->effects.lost || strcmp(axis->reach, "price") == 0;
}
