#include "mapping/limits.h"

#include <string.h>

#include "base/number.h"
#include "base/suggest.h"

static const char form[] = "LEVEL.DIM=N fixes a loop, LEVEL.x.DIM=N and LEVEL.y.DIM=N an unrolling";
static const char order_form[] = "LEVEL=K,C,P orders loops, outermost first";

static neuromc_status refuse(const char *text, const char *hint, const char *why,
                             neuromc_diags *diags) {
    return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.where = text}, hint, "%s", why);
}

static int find_level(const struct neuromc_preset *preset, const char *name, size_t length,
                      const char *text, neuromc_diags *diags) {
    const struct nmc_preset_machine *machine = &preset->machine;
    char wanted[64] = "";
    struct nmc_suggest suggest;
    if (length < sizeof wanted)
        memcpy(wanted, name, length);
    nmc_suggest_init(&suggest, wanted);
    for (int i = 0; i < machine->level_count; i++) {
        if (strlen(machine->levels[i].name) == length &&
            memcmp(machine->levels[i].name, name, length) == 0)
            return i;
        nmc_suggest_offer(&suggest, machine->levels[i].name);
    }
    refuse(text, suggest.best ? suggest.best : machine->levels[0].name,
           "the machine has no such level", diags);
    return -1;
}

static int find_dim(const char *name, size_t length) {
    int dim = 0;
    while (dim < NMC_MAP_DIMS && (strlen(nmc_map_dim_names[dim]) != length ||
                                  memcmp(nmc_map_dim_names[dim], name, length) != 0))
        dim++;
    return dim;
}

/* "sram.K=4", "sram.x.K=32" */
static neuromc_status read_fix(struct nmc_map_limits *limits, const char *text,
                               const struct neuromc_preset *preset, neuromc_diags *diags) {
    const char *dot = strchr(text, '.'), *equals = strrchr(text, '=');
    int64_t count;
    if (!dot || !equals || dot > equals ||
        !nmc_integer_parse(equals + 1, strlen(equals + 1), &count) || count < 1)
        return refuse(text, form, "is no fixed loop", diags);
    int level = find_level(preset, text, (size_t)(dot - text), text, diags);
    if (level < 0)
        return NEUROMC_USAGE;
    int64_t *at = limits->temporal[level];
    for (int m = 0; m < NMC_MESHES; m++)
        if (dot[1] == nmc_mesh_names[m][0] && dot[2] == '.') {
            at = limits->spatial[level][m];
            dot += 2;
            break;
        }
    int dim = find_dim(dot + 1, (size_t)(equals - dot - 1));
    if (dim == NMC_MAP_DIMS)
        return refuse(text, "dims are N, K, C, P, Q, R, S", "names no dim", diags);
    if (at[dim] && at[dim] != count)
        return refuse(text, "leave one out", "fixes what another --fix fixes otherwise", diags);
    at[dim] = count;
    return NEUROMC_OK;
}

/* "sram=K,C,P" */
static neuromc_status read_order(struct nmc_map_limits *limits, const char *text,
                                 const struct neuromc_preset *preset, neuromc_diags *diags) {
    const char *equals = strchr(text, '=');
    unsigned seen = 0;
    if (!equals || !equals[1])
        return refuse(text, order_form, "is no order of loops", diags);
    int level = find_level(preset, text, (size_t)(equals - text), text, diags);
    if (level < 0)
        return NEUROMC_USAGE;
    struct nmc_order *order = &limits->order[level];
    if (order->count)
        return refuse(text, "leave one out", "is the second order of this level", diags);
    for (const char *at = equals + 1;; at++) {
        size_t length = strcspn(at, ",");
        int dim = find_dim(at, length);
        if (dim == NMC_MAP_DIMS || (seen & 1u << dim))
            return refuse(text, "dims are N, K, C, P, Q, R, S, each once", "is no order of dims",
                          diags);
        seen |= 1u << dim;
        order->dims[order->count++] = (unsigned char)dim;
        at += length;
        if (!*at)
            return NEUROMC_OK;
    }
}

neuromc_status nmc_map_limits_read(struct nmc_map_limits *limits,
                                   const neuromc_map_options *options,
                                   const struct neuromc_preset *preset, bool *limited,
                                   neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    *limits = (struct nmc_map_limits){.least_utilization = options->least_utilization};
    *limited = options->fix_count || options->order_count || options->least_utilization > 0;
    for (size_t i = 0; status == NEUROMC_OK && i < options->fix_count; i++)
        status = read_fix(limits, options->fixes[i], preset, diags);
    for (size_t i = 0; status == NEUROMC_OK && i < options->order_count; i++)
        status = read_order(limits, options->orders[i], preset, diags);
    if (status == NEUROMC_OK &&
        !(options->least_utilization >= 0 && options->least_utilization <= 1))
        status = refuse("utilization", "0.8 asks for 80 %", "is from 0 to 1", diags);
    return status;
}
