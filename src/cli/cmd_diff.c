/* neuromc diff A [B] */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "cli/cli.h"

/* What the command line says; the sides point into it. */
struct comparing {
    neuromc_diff_side sides[2];
    neuromc_preset_options presets[2];
    neuromc_model_options model;
    neuromc_estimate_options estimate;
    const char **names, **assignments; /* of presets */
    neuromc_write_options writing;
    double bound, node_bound; /* percent; < 0: none */
    neuromc_diff *diff;
};

/* "5%" or "5" */
static neuromc_status read_bound(const struct cli_args *args, enum cli_option_id option,
                                 double *out) {
    const char *text = cli_value(args, option);
    *out = -1;
    if (!text)
        return NEUROMC_OK;
    size_t length = strlen(text);
    length -= text[length - 1] == '%';
    if (!nmc_number_parse(text, length, out) || *out < 0)
        return cli_usage("5%, or 5", "--%s needs a percentage, not \"%s\"",
                         cli_options[option].name, text);
    return NEUROMC_OK;
}

/* With one operand B differs by its preset: the second of two, or the same with what --set says. */
static neuromc_status read_sides(const struct cli_args *args, struct comparing *c) {
    size_t names, assignments;
    neuromc_status status = cli_texts(args, CLI_OPT_PRESET, &c->names, &names);
    if (status == NEUROMC_OK)
        status = cli_texts(args, CLI_OPT_SET, &c->assignments, &assignments);
    if (status != NEUROMC_OK)
        return status;
    if (names > 2)
        return cli_usage(NULL, "--preset is given %zu times; there are two sides", names);
    const bool one = args->operand_count == 1, only_set = one && names < 2;
    if (only_set && !assignments)
        return cli_usage("add a second report or model, a second --preset, or --set",
                         "nothing to compare %s with", args->operands[0]);
    for (size_t i = 0; i < 2; i++) {
        c->presets[i] = (neuromc_preset_options){
            .search_path = cli_value(args, CLI_OPT_PRESET_PATH),
            .assignments = c->assignments,
            .assignment_count = only_set && i == 0 ? 0 : assignments,
        };
        c->sides[i] = (neuromc_diff_side){
            .path = args->operands[one ? 0 : i],
            .preset = names == 0 ? NULL : c->names[names == 2 ? i : 0],
            .preset_options = &c->presets[i],
            .model_options = &c->model,
            .estimate_options = &c->estimate,
        };
    }
    return NEUROMC_OK;
}

/* Reports are what they are: options about estimates would be ignored. */
static neuromc_status refuse_ignored(const struct cli_args *args, const struct comparing *c) {
    for (size_t i = 0; i < args->given_count && !neuromc_diff_estimated(c->diff); i++) {
        enum cli_option_id option = args->given[i].option;
        if (option != CLI_OPT_FORMAT && option != CLI_OPT_OUTPUT && option != CLI_OPT_COLOR &&
            option != CLI_OPT_FAIL_ABOVE && option != CLI_OPT_FAIL_ABOVE_NODE)
            return cli_usage("estimate the model again with it, or leave it out",
                             "--%s changes nothing: reports were estimated before",
                             cli_options[option].name);
    }
    return NEUROMC_OK;
}

/* What grew past a bound, said as an error. */
static neuromc_status exceeded(const char *what, double a_pj, double b_pj, double percent) {
    char a[NMC_NUMBER_SIZE], b[NMC_NUMBER_SIZE], bound[NMC_NUMBER_SIZE];
    nmc_energy_format(a, a_pj);
    nmc_energy_format(b, b_pj);
    nmc_number_format(bound, percent);
    cli_usage(NULL, "%s grew from %s to %s, by more than %s %%", what, a, b, bound);
    return NEUROMC_EXCEEDED;
}

static neuromc_status hold_total(const struct comparing *c) {
    if (c->bound < 0 || !neuromc_diff_exceeds(c->diff, c->bound))
        return NEUROMC_OK;
    return exceeded("the total", neuromc_diff_total_pj(c->diff, 0),
                    neuromc_diff_total_pj(c->diff, 1), c->bound);
}

static neuromc_status hold_nodes(const struct comparing *c) {
    char what[160];
    if (c->node_bound < 0)
        return NEUROMC_OK;
    const neuromc_diff_growth grown = neuromc_diff_grown(c->diff, c->node_bound);
    if (!grown.nodes)
        return NEUROMC_OK;
    if (grown.nodes > 1)
        snprintf(what, sizeof what, "%zu nodes grew; %.100s", grown.nodes, grown.node);
    else
        snprintf(what, sizeof what, "%.100s", grown.node);
    return exceeded(what, grown.a_pj, grown.b_pj, c->node_bound);
}

/* A layer without a mapping costs nothing to feed: less by that is no saving. */
static neuromc_status hold_mapped(const struct comparing *c) {
    const long long a = neuromc_diff_unmapped(c->diff, 0), b = neuromc_diff_unmapped(c->diff, 1);
    if ((c->bound < 0 && c->node_bound < 0) || b <= a)
        return NEUROMC_OK;
    cli_usage("neuromc map says which and why",
              "layers of %lld shapes of B fit no mapping, of A %lld: what their operands move is "
              "in no figure",
              b, a);
    return NEUROMC_EXCEEDED;
}

/* All bounds are looked at, so that one run says all of it. */
static neuromc_status hold_bounds(const struct comparing *c) {
    const neuromc_status total = hold_total(c), nodes = hold_nodes(c), mapped = hold_mapped(c);
    return total != NEUROMC_OK ? total : nodes != NEUROMC_OK ? nodes : mapped;
}

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    const struct comparing *c = user;
    return neuromc_diff_write(c->diff, &c->writing, write, to, diags);
}

static neuromc_status compare(const struct cli_args *args, struct comparing *c,
                              neuromc_diags *diags) {
    neuromc_status status = cli_write_options(args, &c->writing);
    if (status == NEUROMC_OK)
        status = read_bound(args, CLI_OPT_FAIL_ABOVE, &c->bound);
    if (status == NEUROMC_OK)
        status = read_bound(args, CLI_OPT_FAIL_ABOVE_NODE, &c->node_bound);
    if (status == NEUROMC_OK)
        status = cli_estimate_options(args, &c->estimate);
    if (status == NEUROMC_OK)
        status = cli_model_options(args, &c->model);
    if (status == NEUROMC_OK)
        status = read_sides(args, c);
    if (status == NEUROMC_OK)
        status = neuromc_diff_new(&c->sides[0], &c->sides[1], &c->diff, diags);
    if (status == NEUROMC_OK)
        status = refuse_ignored(args, c);
    if (status == NEUROMC_OK)
        status = cli_output(args, diags, produce, c);
    return status == NEUROMC_OK ? hold_bounds(c) : status;
}

static neuromc_status diff(const struct cli_args *args, neuromc_diags *diags) {
    struct comparing c = {.bound = -1, .node_bound = -1};
    neuromc_status status = compare(args, &c, diags);
    neuromc_diff_free(c.diff);
    cli_estimate_options_free(&c.estimate);
    cli_model_options_free(&c.model);
    nmc_free(c.names);
    nmc_free(c.assignments);
    return status;
}

neuromc_status cli_diff(const struct cli_args *args) {
    if (args->operand_count != 1 && args->operand_count != 2)
        return cli_usage("neuromc diff before.json after.json",
                         "diff takes two reports or models, or one model and two presets, not %zu",
                         args->operand_count);
    return cli_with_diags(args, diff);
}
