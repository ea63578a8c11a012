/* From a model and a preset to a report, and a report to its formats. */
#include <stdio.h>
#include <string.h>

#include "frontends/model_file.h"
#include "model/lower.h"
#include "model/trace_lower.h"
#include "report/formats.h"
#include "report/report.h"

const char *nmc_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

neuromc_status nmc_estimate_check(const neuromc_model *model, const struct neuromc_preset *preset,
                                  const neuromc_estimate_options *options, neuromc_diags *diags) {
    bool mapped = preset->access_model == NMC_ACCESS_MAPPED;
    if (options->accounting == NEUROMC_RUNTIME && mapped)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = preset->file},
                         "leave out --accounting runtime, or add --set access_model=once",
                         "the runtime accounting moves each word once, the preset %s maps",
                         preset->name);
    if (options->accounting == NEUROMC_RUNTIME && model->net)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = model->path},
                         "leave out --accounting runtime, or give a recorded trace",
                         "the runtime accounting is defined for traces of a run alone");
    if (!model->net && (options->stages || options->freeze_count || options->input_grad_count ||
                        options->optimizer != NEUROMC_OPTIMIZER_DEFAULT))
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = model->path},
                         "leave out the options about stages and training",
                         "a trace says itself what ran");
    if (!model->net && options->elementwise)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = model->path},
                         "leave out --elementwise count",
                         "elementwise work is counted for ONNX models alone");
    if (!model->net && options->precision_from_model)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = model->path},
                         "leave out --precision from-model",
                         "operands of a trace are as wide as the preset says");
    if (model->spent)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = model->path},
                         "save it as a file", "a trace from a pipe can be read once");
    return NEUROMC_OK;
}

/* --strict: whatever is not modelled is named and refused. */
static neuromc_status refuse_unmodelled(const neuromc_model *model,
                                        const struct neuromc_report *report, neuromc_diags *diags) {
    struct nmc_strbuf names;
    nmc_strbuf_init(&names);
    for (size_t i = 0; i < report->coverage_count; i++) {
        const struct nmc_coverage_row *row = &report->coverage[i];
        if (row->nodes[NMC_COVER_UNMODELLED])
            nmc_strbuf_printf(&names, "%s%s (calls=%lld)", names.length ? ", " : "", row->op,
                              (long long)row->nodes[NMC_COVER_UNMODELLED]);
    }
    neuromc_status status = NEUROMC_OK;
    if (names.length)
        status = nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){.file = model->path},
                           "leave out --strict to list them and cost the rest",
                           "operators that are not modelled: %s", names.text);
    nmc_strbuf_release(&names);
    return status;
}

/* --strict: layers without a mapping are refused too; a warning says of each why. */
static neuromc_status refuse_unmapped(const neuromc_model *model,
                                      const struct neuromc_report *report, neuromc_diags *diags) {
    if (!report->mapping.unmapped)
        return NEUROMC_OK;
    return nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){.file = model->path},
                     "leave out --strict to see which and why",
                     "layers of %lld shapes fit no mapping", (long long)report->mapping.unmapped);
}

static neuromc_status fill_from_trace(neuromc_model *model, const struct neuromc_preset *preset,
                                      const neuromc_estimate_options *options,
                                      struct nmc_report_sink *sink) {
    struct neuromc_report *report = sink->report;
    struct nmc_trace_summary summary;
    model->spent = model->peek.taken;
    neuromc_status status = nmc_trace_lower(model->path, &model->peek, &preset->precision, options,
                                            &sink->sink, &summary, sink->diags);
    if (status != NEUROMC_OK)
        return status;
    report->core_type = nmc_core_names[summary.core_type];
    if (sink->sink.touch)
        status = sink->sink.warning(sink, "a trace does not say which tensors meet again, so DRAM "
                                          "is not counted");
    if (status != NEUROMC_OK || !summary.runtime_refusal)
        return status;
    memset(report->notes, 0, sizeof report->notes);
    char text[256];
    snprintf(text, sizeof text, "the runtime accounting refuses this trace because %s",
             summary.runtime_refusal);
    return sink->sink.warning(sink, text);
}

static neuromc_status fill_from_net(neuromc_model *model, const struct neuromc_preset *preset,
                                    const neuromc_estimate_options *options,
                                    struct nmc_report_sink *sink) {
    neuromc_status status = nmc_lower_net(model->net, preset, options, &sink->sink, sink->diags);
    if (status == NEUROMC_OK && options->strict)
        status = refuse_unmodelled(model, sink->report, sink->diags);
    return status;
}

/* Searches all mappings of a network at once: lowering is pure and can be done twice. */
static neuromc_status map_ahead(neuromc_model *model, const struct neuromc_preset *preset,
                                const neuromc_estimate_options *options,
                                struct nmc_report_sink *sink) {
    if (preset->access_model != NMC_ACCESS_MAPPED || !model->net)
        return NEUROMC_OK;
    struct nmc_work_sink foresight = nmc_foresight(sink);
    neuromc_status status = nmc_lower_net(model->net, preset, options, &foresight, sink->diags);
    return status == NEUROMC_OK ? nmc_mapper_run(&sink->report->mapper, sink->diags) : status;
}

static neuromc_status fill(neuromc_model *model, const struct neuromc_preset *preset,
                           const neuromc_estimate_options *options, struct neuromc_report *report,
                           neuromc_diags *diags) {
    struct nmc_report_sink sink;
    neuromc_status status = nmc_report_sink_init(&sink, report, preset, options->map, diags);
    if (status == NEUROMC_OK)
        status = map_ahead(model, preset, options, &sink);
    if (status == NEUROMC_OK)
        status = model->net ? fill_from_net(model, preset, options, &sink)
                            : fill_from_trace(model, preset, options, &sink);
    if (status == NEUROMC_OK)
        status = nmc_report_sink_finish(&sink);
    if (status == NEUROMC_OK && options->strict)
        status = refuse_unmapped(model, report, diags);
    if (status == NEUROMC_OK && report->mapping.unmapped)
        nmc_warning(diags, (struct nmc_place){.file = model->path}, "--strict refuses that",
                    "layers of %lld shapes fit no mapping: what their operands move is not counted",
                    (long long)report->mapping.unmapped);
    return status == NEUROMC_OK ? nmc_report_finish(report, preset, diags) : status;
}

neuromc_status neuromc_estimate(neuromc_model *model, const neuromc_preset *preset,
                                const neuromc_estimate_options *options, neuromc_report **out,
                                neuromc_diags *diags) {
    static const neuromc_estimate_options defaults = {.accounting = NEUROMC_CORRECTED};
    options = options ? options : &defaults;
    *out = NULL;
    neuromc_status status = nmc_estimate_check(model, preset, options, diags);
    if (status != NEUROMC_OK)
        return status;
    struct neuromc_report *report = nmc_report_new(preset, options, diags);
    if (!report)
        return NEUROMC_IO;
    report->model_name = nmc_ledger_intern(&report->ledger, nmc_file_name(model->path));
    status =
        report->model_name ? fill(model, preset, options, report, diags) : nmc_out_of_memory(diags);
    if (status != NEUROMC_OK) {
        neuromc_report_free(report);
        return status;
    }
    *out = report;
    return NEUROMC_OK;
}

neuromc_status neuromc_report_write(const neuromc_report *report,
                                    const neuromc_write_options *options, neuromc_write_fn write,
                                    void *user, neuromc_diags *diags) {
    struct nmc_sink sink;
    nmc_sink_init(&sink, write, user);
    switch (options->format) {
    case NEUROMC_JSON: nmc_report_json(report, options->ledger, &sink); break;
    case NEUROMC_CSV: nmc_report_csv(report, &sink); break;
    case NEUROMC_FOLDED: nmc_report_folded(report, &sink); break;
    case NEUROMC_PPROF: nmc_report_pprof(report, &sink); break;
    case NEUROMC_MARKDOWN: nmc_report_markup(report, false, &sink); break;
    case NEUROMC_LATEX: nmc_report_markup(report, true, &sink); break;
    case NEUROMC_HTML: nmc_report_html(report, &sink); break;
    default: nmc_report_text(report, options->color, &sink); break;
    }
    return nmc_sink_finish(&sink, diags);
}
