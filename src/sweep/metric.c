#include "sweep/metric.h"

#include <string.h>

#include "model/preset_keys.h"

bool nmc_preset_number(struct neuromc_preset *preset, const char *path, double *out) {
    struct nmc_preset_field field = nmc_preset_field(preset, path);
    int small;
    int64_t large;
    if (!field.value)
        return false;
    switch (field.key->type) {
    case NMC_KEY_NUMBER: memcpy(out, field.value, sizeof *out); return true;
    case NMC_KEY_INTEGER:
    case NMC_KEY_SIZE:
        if (field.key->size == sizeof small) {
            memcpy(&small, field.value, sizeof small);
            *out = small;
        } else {
            memcpy(&large, field.value, sizeof large);
            *out = (double)large;
        }
        return true;
    default: return false;
    }
}

bool nmc_metric_takes_line(const struct nmc_metric *metric, const struct nmc_line *line) {
    return metric->grouping < 0 ||
           strcmp(nmc_line_key(line, (enum nmc_grouping)metric->grouping), metric->key) == 0;
}

static bool takes_memory(const struct nmc_metric *metric, const struct nmc_resource *resource,
                         enum nmc_level level) {
    return resource->kind == NMC_RES_MEMORY && (metric->level < 0 || metric->level == (int)level) &&
           (metric->direction < 0 || metric->direction == (int)resource->direction);
}

double nmc_metric_weight(const struct nmc_metric *metric, enum nmc_part part,
                         const struct nmc_resource *resource, enum nmc_level level) {
    switch (metric->kind) {
    case NMC_METRIC_ENERGY:
        if (metric->level >= 0 && !takes_memory(metric, resource, level))
            return 0;
        return metric->part[part];
    case NMC_METRIC_BITS: return takes_memory(metric, resource, level);
    case NMC_METRIC_OPERATIONS:
        return resource->kind == NMC_RES_PRIMITIVE && (int)resource->primitive == metric->primitive;
    default: return 0;
    }
}

static double from_totals(const struct nmc_metric *metric, const struct nmc_totals *t) {
    double sum = 0;
    if (metric->kind == NMC_METRIC_MACS)
        return (double)t->macs;
    if (metric->kind == NMC_METRIC_CYCLES)
        return (double)t->cycles;
    if (metric->kind == NMC_METRIC_OPERATIONS)
        return (double)t->primitives[metric->primitive];
    if (metric->kind == NMC_METRIC_ENERGY && metric->level < 0) {
        for (int p = 0; p < NMC_PARTS; p++)
            sum += metric->part[p] * t->energy[p];
        return sum;
    }
    for (int level = 0; level < NMC_LEVELS; level++)
        for (int d = 0; d < NMC_DIRECTIONS; d++)
            if ((metric->level < 0 || metric->level == level) &&
                (metric->direction < 0 || metric->direction == d))
                sum += metric->kind == NMC_METRIC_BITS ? (double)t->bits[level][d]
                                                       : t->level_energy[level][d];
    return sum;
}

double nmc_metric_value(const struct nmc_metric *metric, const struct neuromc_report *report,
                        struct neuromc_preset *preset) {
    double value = 0;
    if (metric->kind == NMC_METRIC_PRESET) {
        nmc_preset_number(preset, metric->path, &value);
        return value;
    }
    if (metric->kind == NMC_METRIC_AREA) {
        for (int m = 0; m < preset->memory_count; m++)
            value += preset->memories[m].area_mm2;
        return value;
    }
    if (metric->grouping < 0)
        return from_totals(metric, &report->total);
    const struct nmc_groups *groups = &report->groups[metric->grouping];
    for (size_t i = 0; i < groups->count; i++)
        if (strcmp(groups->items[i].key, metric->key) == 0)
            value += from_totals(metric, &groups->items[i].totals);
    return value;
}
