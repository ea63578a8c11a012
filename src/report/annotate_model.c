/* What the metadata of the model say: the total, the hardware, and how it was estimated. */
#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "report/annotate.h"

#define KEY(name)    NMC_ANNOTATE_PREFIX name
#define OPTION(name) NMC_ANNOTATE_PREFIX "option." name

static void put_texts(struct nmc_metadata *out, const char *key, const char *const *texts,
                      size_t count) {
    struct nmc_strbuf list;
    nmc_strbuf_init(&list);
    for (size_t i = 0; i < count; i++)
        nmc_strbuf_printf(&list, "%s%s", i ? ", " : "", texts[i]);
    if (count)
        nmc_metadata_put(out, key, list.text);
    out->bytes.failed |= list.failed;
    nmc_strbuf_release(&list);
}

static void put_bindings(struct nmc_metadata *out, const char *group,
                         const neuromc_dim_binding *bindings, size_t count) {
    char text[NMC_NUMBER_SIZE];
    for (size_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%" PRId64, bindings[i].value);
        nmc_annotate_named(out, group, bindings[i].name, text);
    }
}

static void put_model_options(struct nmc_metadata *out, const neuromc_model_options *o) {
    if (o->batch)
        nmc_annotate_count(out, OPTION("batch"), o->batch);
    if (o->time_steps)
        nmc_annotate_count(out, OPTION("time_steps"), o->time_steps);
    put_bindings(out, "option.dim", o->dims, o->dim_count);
    put_bindings(out, "option.trip", o->trips, o->trip_count);
    put_texts(out, OPTION("spike_input"), o->spike_inputs, o->spike_input_count);
    put_texts(out, OPTION("soma_op"), o->soma_ops, o->soma_op_count);
}

static void put_stages(struct nmc_metadata *out, unsigned mask) {
    static const char *const names[] = {"forward", "backward", "optimizer"};
    const char *stages[3];
    size_t count = 0;
    for (int i = 0; i < 3; i++)
        if ((mask ? mask : NEUROMC_STAGE_FORWARD) >> i & 1)
            stages[count++] = names[i];
    put_texts(out, OPTION("stages"), stages, count);
}

static void put_optimizer(struct nmc_metadata *out, const neuromc_estimate_options *o) {
    static const char *const names[] = {"adam", "adam", "adamw", "sgd"};
    if (!(o->stages & NEUROMC_STAGE_OPTIMIZER))
        return;
    nmc_metadata_put(out, OPTION("optimizer"), names[o->optimizer]);
    if (o->momentum > 0)
        nmc_annotate_number(out, OPTION("momentum"), o->momentum);
    if (o->weight_decay > 0)
        nmc_annotate_number(out, OPTION("weight_decay"), o->weight_decay);
    if (o->first_step)
        nmc_metadata_put(out, OPTION("first_step"), "true");
}

static void put_mapping(struct nmc_metadata *out, const neuromc_map_options *o) {
    static const char *const objectives[] = {"energy", "latency", "edp"};
    nmc_metadata_put(out, OPTION("objective"), objectives[o ? o->objective : NEUROMC_MAP_ENERGY]);
    if (!o)
        return;
    put_texts(out, OPTION("fix"), o->fixes, o->fix_count);
    put_texts(out, OPTION("order"), o->orders, o->order_count);
    if (o->least_utilization > 0)
        nmc_annotate_number(out, OPTION("min_utilization"), o->least_utilization);
}

static void put_estimate_options(struct nmc_metadata *out, const neuromc_estimate_options *o) {
    put_stages(out, o->stages);
    put_optimizer(out, o);
    put_texts(out, OPTION("freeze"), o->freeze, o->freeze_count);
    put_texts(out, OPTION("input_grad"), o->input_grads, o->input_grad_count);
    if (o->elementwise)
        nmc_metadata_put(out, OPTION("elementwise"), "count");
    if (o->precision_from_model)
        nmc_metadata_put(out, OPTION("precision"), "from-model");
    if (o->spike_rate)
        nmc_metadata_put(out, OPTION("spike_rate"), nmc_file_name(o->spike_rate));
}

/* What belongs to no node: the optimizer, above all. */
static void put_rest(const struct nmc_annotation *a, struct nmc_metadata *out) {
    size_t first, end;
    double rest = 0;
    nmc_places_at(&a->lines, 0, &first, &end);
    for (size_t i = first; i < end; i++)
        rest += nmc_totals_energy(&a->report->lines[a->lines.items[i].index]);
    if (first < end)
        nmc_annotate_number(out, KEY("energy_pJ.no_node"), rest);
}

void nmc_annotate_model(const struct nmc_annotation *a, struct nmc_metadata *out) {
    const struct neuromc_report *report = a->report;
    const struct nmc_groups *stages = &report->groups[NMC_BY_STAGE];
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->preset_hash);
    nmc_metadata_put(out, KEY("version"), neuromc_version());
    nmc_metadata_put(out, KEY("preset"), report->preset_name);
    nmc_metadata_put(out, KEY("preset_hash"), hash);
    nmc_annotate_totals(&report->total, stages->items, stages->count, out);
    put_rest(a, out);
    put_model_options(out, a->model);
    put_estimate_options(out, a->estimate);
    if (report->access_model == NMC_ACCESS_MAPPED)
        put_mapping(out, a->estimate->map);
}
