#include "counters/validate.h"

#include <math.h>

#include "base/limits.h"
#include "base/memory.h"
#include "counters/measure_write.h"

static const double pj_per_j = 1e12;

/* ---- estimating ------------------------------------------------------------------------------ */

static void take_preset(struct neuromc_validation *v, const struct neuromc_report *report) {
    v->preset_hash = report->preset_hash;
    v->preset_name = nmc_arena_strdup(&v->arena, report->preset_name);
    for (int l = 0; l < NMC_LEVELS; l++) {
        v->level_names[l] = nmc_level_names[l];
        v->level_counted[l] = report->level_counted[l];
    }
}

static neuromc_status estimate(struct neuromc_validation *v, size_t index, const char *path,
                               const struct neuromc_preset *preset,
                               const neuromc_validate_options *options, neuromc_diags *diags) {
    neuromc_model *model = NULL;
    neuromc_report *report = NULL;
    struct nmc_estimate *e = &v->estimates[index];
    neuromc_status status = neuromc_model_load(path, options->model_options, &model, diags);
    if (status == NEUROMC_OK)
        status = neuromc_estimate(model, preset, options->estimate_options, &report, diags);
    if (status == NEUROMC_OK) {
        take_preset(v, report);
        *e = (struct nmc_estimate){.path = nmc_arena_strdup(&v->arena, path),
                                   .totals = report->total};
        for (size_t i = 0; i < report->coverage_count; i++)
            e->unmodelled += report->coverage[i].nodes[NMC_COVER_UNMODELLED];
        if (v->arena.failed)
            status = nmc_out_of_memory(diags);
    }
    neuromc_report_free(report);
    neuromc_model_free(model);
    return status;
}

static neuromc_status estimate_all(struct neuromc_validation *v,
                                   const neuromc_validation_model *models, size_t count,
                                   const neuromc_validate_options *options, neuromc_diags *diags) {
    neuromc_preset *preset = NULL;
    v->estimates = nmc_arena_array(&v->arena, count, sizeof *v->estimates);
    if (!v->estimates)
        return nmc_out_of_memory(diags);
    neuromc_status status =
        neuromc_preset_load(options->preset ? options->preset : "neuromc_like_v1",
                            options->preset_options, &preset, diags);
    for (size_t i = 0; status == NEUROMC_OK && i < count; i++)
        status = estimate(v, i, models[i].path, preset, options, diags);
    neuromc_preset_free(preset);
    return status;
}

/* ---- comparing ------------------------------------------------------------------------------- */

double nmc_estimate_joules(const struct nmc_estimate *estimate) {
    return nmc_totals_energy(&estimate->totals) / pj_per_j;
}

bool nmc_measured_by_estimated(const struct neuromc_validation *v, size_t subject, double *ratio,
                               double *low, double *high) {
    struct nmc_summary s;
    double estimated = nmc_estimate_joules(&v->estimates[subject]);
    if (!(estimated > 0) ||
        !nmc_summarize_rounds(v->measurement, &v->measurement->subjects[subject], nmc_round_joules,
                              &s))
        return false;
    *ratio = s.median / estimated;
    *low = s.interval.low / estimated;
    *high = s.interval.high / estimated;
    return true;
}

double nmc_reached_macs(const struct neuromc_validation *v, size_t subject) {
    struct nmc_summary s;
    if (!nmc_summarize_rounds(v->measurement, &v->measurement->subjects[subject], nmc_round_seconds,
                              &s) ||
        !(s.median > 0))
        return NAN;
    return (double)v->estimates[subject].totals.macs / s.median;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static neuromc_status run(struct neuromc_validation *v, const neuromc_validation_model *models,
                          size_t count, const neuromc_validate_options *options,
                          neuromc_diags *diags) {
    neuromc_status status = estimate_all(v, models, count, options, diags);
    neuromc_subject *subjects = nmc_arena_array(&v->arena, count, sizeof *subjects);
    if (status == NEUROMC_OK && !subjects)
        status = nmc_out_of_memory(diags);
    if (status != NEUROMC_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        subjects[i] = models[i].subject;
    status = neuromc_measure(subjects, count, options->measure_options, &v->measurement, diags);
    return status == NEUROMC_OK && !nmc_agree(v) ? nmc_out_of_memory(diags) : status;
}

neuromc_status neuromc_validate(const neuromc_validation_model *models, size_t count,
                                const neuromc_validate_options *options, neuromc_validation **out,
                                neuromc_diags *diags) {
    struct neuromc_validation *v = nmc_malloc(sizeof *v);
    *out = NULL;
    if (!v)
        return nmc_out_of_memory(diags);
    *v = (struct neuromc_validation){.preset_name = ""};
    nmc_arena_init(&v->arena, NMC_LIMIT_MODEL_BYTES);
    neuromc_status status = run(v, models, count, options, diags);
    if (status == NEUROMC_OK)
        *out = v;
    else
        neuromc_validation_free(v);
    return status;
}

void neuromc_validation_free(neuromc_validation *v) {
    if (!v)
        return;
    neuromc_measurement_free(v->measurement);
    nmc_arena_release(&v->arena);
    nmc_free(v);
}

bool neuromc_validation_lost(const neuromc_validation *v) {
    return neuromc_measurement_lost(v->measurement);
}
