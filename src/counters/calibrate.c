/* calibrate.c - prices fitted to measurements, written as a preset that states its residuals. */
#include "counters/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sink.h"
#include "model/preset.h"
#include "model/yaml.h"

struct writing {
    struct nmc_sink sink;
    const struct nmc_calibration *c;
    const struct neuromc_preset *preset;
    const char *base;
};

static const enum nmc_fit_part part_of_level[NMC_LEVELS] = {
    [NMC_DRAM] = NMC_FIT_DRAM,
    [NMC_NOC] = NMC_FIT_NOC,
    [NMC_SRAM] = NMC_FIT_SRAM,
    [NMC_REG] = NMC_FIT_REG,
};

static const struct nmc_fit_factor *factor(const struct writing *w, enum nmc_fit_part part) {
    const struct nmc_fit_factor *f = &w->c->fit.factors[part];
    return f->state == NMC_FIT_TIED ? &w->c->fit.factors[f->with] : f;
}

static bool is_fitted(const struct writing *w, enum nmc_fit_part part) {
    const struct nmc_fit_factor *f = factor(w, part);
    return f->state != NMC_FIT_ABSENT && f->state != NMC_FIT_NOT_TOLD;
}

/* What became of a part, as text. */
static void describe(const struct writing *w, enum nmc_fit_part part, char out[240]) {
    const struct nmc_fit_factor *own = &w->c->fit.factors[part], *f = factor(w, part);
    char value[NMC_NUMBER_SIZE], low[NMC_NUMBER_SIZE], high[NMC_NUMBER_SIZE], tied[64] = "";
    const char *what = part == NMC_FIT_POWER ? "W" : "x the base preset";
    nmc_short_format(value, f->value);
    nmc_short_format(low, f->low);
    nmc_short_format(high, f->high);
    if (own->state == NMC_FIT_TIED)
        snprintf(tied, sizeof tied, ", told only together with %s",
                 own->with == part ? "others of this factor" : nmc_fit_names[own->with]);
    switch (f->state) {
    case NMC_FIT_ABSENT: snprintf(out, 240, "no measurement has any: as in the base preset"); break;
    case NMC_FIT_NOT_TOLD: snprintf(out, 240, "the measurements do not tell it: as it was"); break;
    default:
        snprintf(out, 240, "%s %s, 95 %% from %s to %s%s%s", value, what, low, high, tied,
                 f->rough ? ", not told within 5 %" : "");
        break;
    }
}

static void write_head(struct writing *w) {
    char text[240], percent[NMC_NUMBER_SIZE];
    nmc_sink_printf(&w->sink,
                    "# Prices of %s fitted to %zu measurements (non-negative least\n"
                    "# squares of relative errors).\n#\n",
                    w->preset->name, w->c->count);
    for (int p = 0; p < NMC_FIT_PARTS; p++) {
        describe(w, (enum nmc_fit_part)p, text);
        nmc_sink_printf(&w->sink, "# %-14s  %s\n", nmc_fit_names[p], text);
    }
    nmc_sink_puts(&w->sink, "#\n# (measured - fitted) / measured:\n");
    for (size_t i = 0; i < w->c->count; i++) {
        nmc_percent_format(percent, w->c->rest[i], 1);
        nmc_sink_printf(&w->sink, "#   %6s %%  ", percent);
        for (const char *c = w->c->labels[i]; *c; c++) /* nothing may end the comment */
            nmc_sink_add(&w->sink, (unsigned char)*c < ' ' ? "?" : c, 1);
        nmc_sink_puts(&w->sink, "\n");
    }
}

static void write_quoted(struct nmc_sink *sink, const char *text) {
    nmc_sink_puts(sink, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            nmc_sink_puts(sink, "\\");
        nmc_sink_add(sink, text, 1);
    }
    nmc_sink_puts(sink, "\"");
}

static void write_price(struct nmc_sink *sink, const char *key, double price) {
    char number[NMC_NUMBER_SIZE];
    nmc_number_format(number, price);
    nmc_sink_printf(sink, "%s%s", key, number);
}

/* Without laws, which the written preset does not take over, every price that they made is stated.
 */
static bool is_written(const struct writing *w, enum nmc_fit_part part) {
    return is_fitted(w, part) || w->preset->law_count;
}

static double factor_of(const struct writing *w, enum nmc_fit_part part) {
    return is_fitted(w, part) ? factor(w, part)->value : 1;
}

static bool has_price(const struct writing *w, int primitive) {
    const struct nmc_yaml *prices = nmc_yaml_get(w->preset->tree, "primitives_pj");
    return !nmc_yaml_is(nmc_yaml_get(prices, nmc_primitive_names[primitive]), "none");
}

static void write_primitives(struct writing *w) {
    char text[240], key[40];
    if (!is_written(w, NMC_FIT_OTHER))
        return;
    describe(w, NMC_FIT_OTHER, text);
    nmc_sink_printf(&w->sink, "\nprimitives_pj:\n  source: \"fitted: %s\"\n", text);
    for (int p = 0; p < NMC_PRIMITIVES; p++) {
        if (!has_price(w, p))
            continue;
        snprintf(key, sizeof key, "  %s: ", nmc_primitive_names[p]);
        write_price(&w->sink, key, w->preset->primitive_pj[p] * factor_of(w, NMC_FIT_OTHER));
        nmc_sink_puts(&w->sink, "\n");
    }
}

static bool has_macs(const struct nmc_mac *mac) {
    int64_t sum = 0;
    for (int p = 0; p < NMC_PRIMITIVES; p++)
        sum += mac->count[p];
    return sum > 0;
}

/* A MAC is priced by its primitives: what they were multiplied by is taken back. */
static void write_macs(struct writing *w) {
    double by = factor_of(w, NMC_FIT_MAC), other = factor_of(w, NMC_FIT_OTHER);
    char text[240];
    if (by == other)
        return;
    describe(w, NMC_FIT_MAC, text);
    nmc_sink_printf(&w->sink, "\nmac:\n  source: \"fitted: %s\"\n", text);
    for (int core = 0; core < NMC_CORES; core++) {
        const struct nmc_mac *mac = &w->preset->mac[core];
        if (!has_macs(mac))
            continue;
        nmc_sink_printf(&w->sink, "  %s:", nmc_core_names[core]);
        write_price(&w->sink, "\n    scale: ", mac->scale * by / other);
        nmc_sink_puts(&w->sink, "\n");
    }
}

static void write_memory(struct writing *w, const struct nmc_memory *m, enum nmc_fit_part part) {
    char text[240];
    describe(w, part, text);
    nmc_sink_printf(&w->sink, "  %s:\n    source: \"fitted: %s\"\n", m->name, text);
    write_price(&w->sink, "    read_cost_pj: ", m->read_cost_pj * factor_of(w, part));
    write_price(&w->sink, "\n    write_cost_pj: ", m->write_cost_pj * factor_of(w, part));
    if (w->preset->law_count && m->area_mm2 > 0)
        write_price(&w->sink, "\n    area_mm2: ", m->area_mm2);
    nmc_sink_puts(&w->sink, "\n");
}

static void write_memories(struct writing *w) {
    bool any = false;
    for (int i = 0; i < w->preset->memory_count; i++) {
        const struct nmc_memory *m = &w->preset->memories[i];
        enum nmc_fit_part part = part_of_level[m->level];
        if (!is_written(w, part))
            continue;
        nmc_sink_puts(&w->sink, any ? "" : "\nmemory_instances:\n");
        write_memory(w, m, part);
        any = true;
    }
}

static void write_left_out(struct writing *w) {
    char text[240];
    nmc_sink_puts(&w->sink, "\nnot_modelled:\n");
    for (int i = 0; i < w->preset->not_modelled_count; i++) {
        nmc_sink_puts(&w->sink, "  - ");
        write_quoted(&w->sink, w->preset->not_modelled[i]);
        nmc_sink_puts(&w->sink, "\n");
    }
    describe(w, NMC_FIT_POWER, text);
    nmc_sink_printf(&w->sink, "  - \"power that does not depend on the work: %s\"\n", text);
}

static void write_preset(struct writing *w) {
    write_head(w);
    nmc_sink_printf(&w->sink, "schema: neuromc-preset/1\nname: \"%s_calibrated\"\n",
                    w->preset->name);
    nmc_sink_printf(&w->sink, "description: \"%s with prices fitted to %zu measurements\"\n",
                    w->preset->name, w->c->count);
    nmc_sink_puts(&w->sink, "extends: ");
    write_quoted(&w->sink, w->base);
    nmc_sink_printf(&w->sink, "\nsource: \"neuromc calibrate, %zu measurements\"\n", w->c->count);
    write_primitives(w);
    write_macs(w);
    write_memories(w);
    if (w->preset->law_count) /* they would make these prices anew */
        nmc_sink_puts(&w->sink, "\nlaws: none\n");
    write_left_out(w);
}

static neuromc_status fit(struct nmc_calibration *c, neuromc_diags *diags) {
    if (!c->count)
        return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){0},
                         "neuromc validate --suite FILE --format json measures several models",
                         "no measurement to fit to");
    c->rest = nmc_malloc(c->count * sizeof *c->rest);
    return c->rest && nmc_fit_prices(c->points, c->count, &c->fit, c->rest)
               ? NEUROMC_OK
               : nmc_out_of_memory(diags);
}

static neuromc_status check_preset(const struct nmc_calibration *c,
                                   const struct neuromc_preset *preset, neuromc_diags *diags) {
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)preset->hash);
    if (strcmp(hash, c->hash) == 0)
        return NEUROMC_OK;
    return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){0},
                     "--preset names the one that validate was given",
                     "the results are of %s (%s), not of %s (%s)", c->preset, c->hash, preset->name,
                     hash);
}

neuromc_status neuromc_calibrate(const char *const *paths, size_t count, const char *preset_name,
                                 const neuromc_preset_options *preset_options,
                                 neuromc_write_fn write, void *user, neuromc_diags *diags) {
    struct nmc_calibration c = {.count = 0};
    neuromc_preset *preset = NULL;
    nmc_arena_init(&c.arena, NMC_LIMIT_REPORT_BYTES);
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; status == NEUROMC_OK && i < count; i++)
        status = nmc_calibration_read(&c, paths[i], diags);
    const char *base = preset_name ? preset_name : c.preset;
    if (status == NEUROMC_OK && base)
        status = neuromc_preset_load(base, preset_options, &preset, diags);
    if (status == NEUROMC_OK && base)
        status = check_preset(&c, preset, diags);
    if (status == NEUROMC_OK)
        status = fit(&c, diags);
    if (status == NEUROMC_OK) {
        struct writing w = {.c = &c, .preset = preset, .base = base};
        nmc_sink_init(&w.sink, write, user);
        write_preset(&w);
        status = nmc_sink_finish(&w.sink, diags);
    }
    neuromc_preset_free(preset);
    nmc_calibration_release(&c);
    return status;
}
