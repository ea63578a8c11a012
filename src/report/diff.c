#include "report/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/limits.h"
#include "base/memory.h"
#include "frontends/model_file.h"
#include "model/preset_find.h"

const char *const nmc_diff_names[NMC_OF] = {"stage", "op", "node", "level"};

bool nmc_diff_percent(double a, double b, double *out) {
    if (a == 0)
        return false;
    *out = (b - a) / a * 100;
    return isfinite(*out);
}

/* ---- the sides ---- */

/* A JSON object that is not a trace's header. */
static bool is_report(const struct nmc_peek *peek) {
    static const char mark[] = "\"neuromc-trace\"";
    size_t i = 0;
    while (i < peek->size && (peek->bytes[i] == ' ' || peek->bytes[i] == '\t' ||
                              peek->bytes[i] == '\r' || peek->bytes[i] == '\n'))
        i++;
    if (i == peek->size || peek->bytes[i] != '{')
        return false;
    for (; i + sizeof mark - 1 <= peek->size; i++)
        if (memcmp(peek->bytes + i, mark, sizeof mark - 1) == 0)
            return false;
    return true;
}

/* Takes the peek over. */
static neuromc_status estimate(const neuromc_diff_side *side, struct nmc_peek *peek,
                               struct nmc_figures *out, neuromc_diags *diags) {
    neuromc_model *model = NULL;
    neuromc_preset *preset = NULL;
    neuromc_report *report = NULL;
    neuromc_status status = nmc_model_open(side->path, peek, side->model_options, &model, diags);
    if (status == NEUROMC_OK)
        status = neuromc_preset_load(side->preset ? side->preset : "neuromc_like_v1",
                                     side->preset_options, &preset, diags);
    if (status == NEUROMC_OK)
        status = neuromc_estimate(model, preset, side->estimate_options, &report, diags);
    if (status == NEUROMC_OK)
        status = nmc_figures_of(report, out, diags);
    neuromc_report_free(report);
    neuromc_preset_free(preset);
    neuromc_model_free(model);
    return status;
}

/* Presets are no sides by themselves: they are what a model is estimated on. */
static neuromc_status refuse_preset(const neuromc_diff_side *side, neuromc_diags *diags) {
    struct nmc_arena arena;
    if (strcmp(side->path, "-") == 0 || strchr(side->path, '/') || access(side->path, F_OK) == 0)
        return NEUROMC_OK;
    nmc_arena_init(&arena, NMC_LIMIT_PRESET_MEMORY);
    const bool known =
        nmc_preset_find(&arena, side->path,
                        side->preset_options ? side->preset_options->search_path : NULL, NULL,
                        (struct nmc_place){0}, NULL) != NULL;
    nmc_arena_release(&arena);
    return known ? nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0},
                             "neuromc diff MODEL --preset A --preset B compares a model on two",
                             "%s is a preset; diff takes reports or models", side->path)
                 : NEUROMC_OK;
}

static neuromc_status load_side(struct neuromc_diff *diff, const neuromc_diff_side *side,
                                struct nmc_figures *out, neuromc_diags *diags) {
    struct nmc_peek peek;
    neuromc_status status = refuse_preset(side, diags);
    if (status == NEUROMC_OK)
        status = nmc_file_peek(&peek, side->path, diags);
    if (status != NEUROMC_OK)
        return status;
    if (!is_report(&peek)) {
        diff->estimated = true;
        return estimate(side, &peek, out, diags);
    }
    status = nmc_figures_read(side->path, &peek, out, diags);
    nmc_peek_close(&peek);
    return status;
}

/* ---- the rows ---- */

static int by_change(const void *x, const void *y) {
    const struct nmc_diff_row *a = x, *b = y;
    if (a->change != b->change)
        return (a->change < b->change) - (a->change > b->change);
    return (a->order > b->order) - (a->order < b->order);
}

static void add_row(struct neuromc_diff *diff, int table, const char *key,
                    const struct nmc_figure *a, const struct nmc_figure *b, size_t order) {
    if (a && b && a->pj == b->pj)
        return;
    double change = (b ? b->pj : 0) - (a ? a->pj : 0);
    diff->rows[table][diff->counts[table]++] = (struct nmc_diff_row){key, a, b, change, order};
}

static neuromc_status compare(struct neuromc_diff *diff, int table, neuromc_diags *diags) {
    const struct nmc_figure_table *a = &diff->a.tables[table], *b = &diff->b.tables[table];
    diff->rows[table] = nmc_malloc((a->count + b->count + 1) * sizeof *diff->rows[table]);
    if (!diff->rows[table])
        return nmc_out_of_memory(diags);
    for (size_t i = 0; i < a->count; i++)
        add_row(diff, table, a->items[i].key, &a->items[i], nmc_figure_find(b, a->items[i].key), i);
    for (size_t i = 0; i < b->count; i++)
        if (!nmc_figure_find(a, b->items[i].key))
            add_row(diff, table, b->items[i].key, NULL, &b->items[i], a->count + i);
    qsort(diff->rows[table], diff->counts[table], sizeof *diff->rows[table], by_change);
    return NEUROMC_OK;
}

/* ---- as others see it ---- */

neuromc_status neuromc_diff_new(const neuromc_diff_side *a, const neuromc_diff_side *b,
                                neuromc_diff **out, neuromc_diags *diags) {
    *out = NULL;
    if (strcmp(a->path, "-") == 0 && strcmp(b->path, "-") == 0)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = "-"}, "save it as a file",
                         "standard input can be read once, not for both sides");
    struct neuromc_diff *diff = nmc_malloc(sizeof *diff);
    if (!diff)
        return nmc_out_of_memory(diags);
    *diff = (struct neuromc_diff){.estimated = false};
    neuromc_status status = load_side(diff, a, &diff->a, diags);
    if (status == NEUROMC_OK)
        status = load_side(diff, b, &diff->b, diags);
    for (int t = 0; status == NEUROMC_OK && t < NMC_OF; t++)
        status = compare(diff, t, diags);
    if (status == NEUROMC_OK)
        *out = diff;
    else
        neuromc_diff_free(diff);
    return status;
}

void neuromc_diff_free(neuromc_diff *diff) {
    if (!diff)
        return;
    for (int t = 0; t < NMC_OF; t++)
        nmc_free(diff->rows[t]);
    nmc_figures_release(&diff->a);
    nmc_figures_release(&diff->b);
    nmc_free(diff);
}

bool neuromc_diff_estimated(const neuromc_diff *diff) {
    return diff->estimated;
}

double neuromc_diff_total_pj(const neuromc_diff *diff, int side) {
    return side ? diff->b.total_pj : diff->a.total_pj;
}

int64_t neuromc_diff_unmapped(const neuromc_diff *diff, int side) {
    return side ? diff->b.unmapped : diff->a.unmapped;
}

static bool grew(double a, double b, double percent) {
    return b - a > a * (percent / 100);
}

bool neuromc_diff_exceeds(const neuromc_diff *diff, double percent) {
    return grew(diff->a.total_pj, diff->b.total_pj, percent);
}

neuromc_diff_growth neuromc_diff_grown(const neuromc_diff *diff, double percent) {
    neuromc_diff_growth worst = {.nodes = 0};
    for (size_t i = 0; i < diff->counts[NMC_OF_NODE]; i++) {
        const struct nmc_diff_row *row = &diff->rows[NMC_OF_NODE][i]; /* worst first */
        const double a = row->a ? row->a->pj : 0, b = row->b ? row->b->pj : 0;
        if (grew(a, b, percent) && !worst.nodes++) {
            worst.node = row->key;
            worst.a_pj = a;
            worst.b_pj = b;
        }
    }
    return worst;
}
