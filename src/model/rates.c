#include "model/rates.h"

#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/suggest.h"
#include "model/touching.h"
#include "model/yaml.h"

static bool parse_rate(const char *text, double *out) {
    return nmc_number_parse(text, strlen(text), out) && *out >= 0 && *out <= 1;
}

static neuromc_status read_entry(struct nmc_rates *rates, const struct nmc_yaml *node,
                                 neuromc_diags *diags) {
    double value;
    const struct nmc_place place = {node->file, node->line, node->column, node->key};
    if (node->kind != NMC_YAML_SCALAR || !parse_rate(node->text, &value))
        return nmc_error(diags, NEUROMC_BAD_INPUT, place, NULL, "a rate is a number from 0 to 1");
    struct nmc_rate *rate = nmc_arena_alloc(&rates->arena, sizeof *rate);
    const char *name = nmc_arena_strdup(&rates->arena, node->key);
    if (!rate || !name || !nmc_strmap_put(&rates->by_tensor, name, rate) ||
        !nmc_grow(&rates->names, &rates->capacity, rates->count + 1, sizeof *rates->names))
        return nmc_out_of_memory(diags);
    rate->rate = value;
    rates->names[rates->count++] = name;
    return NEUROMC_OK;
}

static neuromc_status read_file(struct nmc_rates *rates, const char *path, neuromc_diags *diags) {
    struct nmc_file file;
    struct nmc_yaml *root = NULL;
    neuromc_status status = nmc_file_open(&file, path, NMC_LIMIT_PRESET_BYTES, diags);
    if (status != NEUROMC_OK)
        return status;
    status = nmc_yaml_read(&rates->arena, (const char *)file.data, file.size, path, &root, diags);
    nmc_file_close(&file);
    if (status == NEUROMC_OK && (!root || root->kind != NMC_YAML_MAP))
        status = nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = path, .line = 1},
                           "one line for each tensor, such as `spike1: 0.2`",
                           "a mapping of tensors to rates is wanted");
    for (const struct nmc_yaml *node = root ? root->first : NULL; status == NEUROMC_OK && node;
         node = node->next)
        status = read_entry(rates, node, diags);
    return status;
}

neuromc_status nmc_rates_read(struct nmc_rates *rates, const char *spec, neuromc_diags *diags) {
    *rates = (struct nmc_rates){.everywhere = 1, .stated = spec};
    nmc_arena_init(&rates->arena, NMC_LIMIT_MODEL_BYTES);
    if (!spec || parse_rate(spec, &rates->everywhere))
        return NEUROMC_OK;
    double number;
    if (nmc_number_parse(spec, strlen(spec), &number))
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0}, NULL,
                         "a spike rate lies between 0 and 1, not at %s", spec);
    return read_file(rates, spec, diags);
}

void nmc_rates_release(struct nmc_rates *rates) {
    nmc_strmap_release(&rates->by_tensor);
    nmc_free(rates->names);
    nmc_arena_release(&rates->arena);
}

double nmc_rate_of(struct nmc_rates *rates, const struct nmc_tensor *tensor) {
    if (!tensor || !tensor->spike)
        return 1;
    rates->driving = true;
    for (;;) {
        struct nmc_rate *rate = nmc_strmap_get(&rates->by_tensor, tensor->name);
        if (rate) {
            rate->used = true;
            return rate->rate;
        }
        const struct nmc_tensor *behind = nmc_view_of(tensor);
        if (!behind)
            return rates->everywhere;
        tensor = behind;
    }
}

void nmc_rates_idle(const char *file, neuromc_diags *diags) {
    nmc_warning(diags, (struct nmc_place){.file = file},
                "--spike-input NAME says that an input is spikes; inspect lists what is",
                "spikes drive no MACs here: the spike rate changes nothing");
}

neuromc_status nmc_rates_check(const struct nmc_rates *rates, const struct nmc_net *net,
                               neuromc_diags *diags) {
    for (size_t i = 0; i < rates->count; i++) {
        const struct nmc_rate *rate = nmc_strmap_get(&rates->by_tensor, rates->names[i]);
        if (rate->used)
            continue;
        struct nmc_suggest suggest;
        nmc_suggest_init(&suggest, rates->names[i]);
        for (uint32_t t = 0; t < net->tensor_count; t++)
            if (net->tensors[t]->spike)
                nmc_suggest_offer(&suggest, net->tensors[t]->name);
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = net->file}, suggest.best,
                         "\"%s\" is no spike tensor that drives MACs", rates->names[i]);
    }
    if (rates->stated && !rates->count && !rates->driving)
        nmc_rates_idle(net->file, diags);
    return NEUROMC_OK;
}
