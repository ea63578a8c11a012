/* plan_groups.c - which axes move together, how far each reaches, and how many points there are. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/suggest.h"
#include "model/preset_keys.h"
#include "sweep/plan.h"
#include "sweep/sampler.h"

/* ---- reach ---- */

static bool is_trace(const char *path) {
    struct nmc_peek peek;
    if (strcmp(path, "-") == 0 || nmc_file_peek(&peek, path, NULL) != NEUROMC_OK)
        return true; /* not known: the careful answer */
    size_t i = 0;
    while (i < peek.size && strchr(" \t\r\n", peek.bytes[i]) && peek.bytes[i])
        i++;
    bool trace = i < peek.size && peek.bytes[i] == '{';
    nmc_peek_close(&peek);
    return trace;
}

/* Only stages of a trace have a position in a batch or time loop, at which weights that fit their
 * SRAM are not read again. Without one, the size of a memory changes no count. */
static bool sizes_count(const struct nmc_plan *plan) {
    for (int a = 0; a < plan->axis_count; a++)
        for (size_t i = 0; plan->axes[a].knob == NMC_KNOB_MODEL && i < plan->axes[a].values.count;
             i++)
            if (is_trace(plan->axes[a].values.texts[i]))
                return true;
    return plan->space.models.count && is_trace(plan->space.models.items[0].text);
}

/* Whether some point may map operands to a machine. */
static bool maps(const struct nmc_plan *plan) {
    const char *mapped = nmc_access_model_names[NMC_ACCESS_MAPPED];
    for (int p = 0; p < plan->preset_count; p++)
        if (plan->trees[p] && nmc_yaml_is(nmc_yaml_get(plan->trees[p], "access_model"), mapped))
            return true;
    for (size_t i = 0; i < plan->assignment_count; i++)
        if (strncmp(plan->assignments[i], "access_model=", 13) == 0)
            return true;
    for (int a = 0; a < plan->axis_count; a++)
        if (strcmp(plan->axes[a].name, "access_model") == 0)
            return true;
    return false;
}

/* Whether a key's value enters prices alone, or counts by a rule that a sweep knows. */
static bool is_price(const struct nmc_plan *plan, const struct nmc_key *key) {
    static const char *const of_memory[] = {"read_cost_pj", "write_cost_pj", "area_mm2",
                                            "read_bw_bits", "write_bw_bits"};
    size_t known = sizeof of_memory / sizeof *of_memory - (plan->maps ? 2 : 0);
    if (key->type != NMC_KEY_NUMBER && key->type != NMC_KEY_INTEGER && key->type != NMC_KEY_SIZE)
        return false;
    if (key->in == NMC_IN_MAC_CORE)
        return strcmp(key->name, "scale") == 0;
    if (key->in == NMC_IN_PRIMITIVES || strcmp(key->name, "technology_nm") == 0)
        return true;
    if (key->in == NMC_IN_COUNT)
        return strcmp(key->name, "on_chip_bits") == 0;
    if (key->in != NMC_IN_MEMORY)
        return false;
    for (size_t i = 0; i < known; i++)
        if (strcmp(key->name, of_memory[i]) == 0)
            return true;
    return strcmp(key->name, "size_bits") == 0 && !plan->sizes_count;
}

/* A value that the key would refuse, or `none`, makes points fail or changes what is counted. */
static bool all_fit(const struct nmc_axis *axis, const struct nmc_key *key) {
    if (!axis->values.numbers)
        return false;
    for (size_t i = 0; i < axis->values.count; i++) {
        double value = axis->values.numbers[i];
        bool whole = key->type == NMC_KEY_NUMBER || value == floor(value);
        if (value < key->least || value > key->most || !whole)
            return false;
    }
    return true;
}

static bool is_inside(const char *path, const char *other) {
    size_t length = strlen(other);
    return strlen(path) > length && strncmp(path, other, length) == 0 && path[length] == '.';
}

/* Whether one axis sets a mapping that another sets a value of. */
static bool overlaps(const struct nmc_plan *plan, int preset, int a) {
    const char *const *const *targets = plan->targets + (size_t)preset * NMC_MAX_AXES;
    const int *counts = plan->target_counts + (size_t)preset * NMC_MAX_AXES;
    for (int b = 0; b < plan->axis_count; b++)
        for (int i = 0; i < counts[a]; i++)
            for (int j = 0; b != a && j < counts[b]; j++)
                if (is_inside(targets[a][i], targets[b][j]) ||
                    is_inside(targets[b][j], targets[a][i]))
                    return true;
    return false;
}

static int first_preset(const struct nmc_plan *plan) {
    int first = 0;
    while (!plan->trees[first])
        first++;
    return first;
}

static void set_reaches(struct nmc_plan *plan, struct neuromc_preset *preset) {
    int first = first_preset(plan);
    plan->maps = maps(plan);
    plan->sizes_count = plan->maps || sizes_count(plan);
    for (int a = 0; a < plan->axis_count; a++) {
        struct nmc_axis *axis = &plan->axes[a];
        axis->reach = NMC_REACH_STRUCTURE;
        if (axis->knob != NMC_KNOB_PATH && axis->knob != NMC_KNOB_PRESET)
            axis->reach = NMC_REACH_WORKLOAD;
        if (axis->knob == NMC_KNOB_PATH && !overlaps(plan, first, a)) {
            const char *path = plan->targets[(size_t)first * NMC_MAX_AXES + (size_t)a][0];
            const struct nmc_key *key = nmc_preset_field(preset, path).key;
            if (key && !plan->space.remap && is_price(plan, key) && all_fit(axis, key))
                axis->reach = NMC_REACH_PRICE;
        }
        plan->keep_fragments |= axis->reach == NMC_REACH_STRUCTURE;
    }
}

/* ---- zip ---- */

static int find_axis(const struct nmc_plan *plan, const char *name, size_t length) {
    for (int a = 0; a < plan->axis_count; a++)
        if (strlen(plan->axes[a].name) == length && memcmp(plan->axes[a].name, name, length) == 0)
            return a;
    return -1;
}

static neuromc_status no_axis(const struct nmc_plan *plan, const struct nmc_asked *zip,
                              const char *name, size_t length, neuromc_diags *diags) {
    char wanted[128], hint[160] = "name axes as --vary has them";
    struct nmc_suggest suggest;
    snprintf(wanted, sizeof wanted, "%.*s", (int)(length < 127 ? length : 127), name);
    nmc_suggest_init(&suggest, wanted);
    for (int a = 0; a < plan->axis_count; a++)
        nmc_suggest_offer(&suggest, plan->axes[a].name);
    if (suggest.best)
        snprintf(hint, sizeof hint, "did you mean %s?", suggest.best);
    return nmc_error(diags, nmc_asked_status(zip->place), zip->place, hint,
                     "no axis is called \"%s\"", wanted);
}

static neuromc_status tie(struct nmc_plan *plan, const struct nmc_asked *zip, int a,
                          struct nmc_axis_group *group, bool *tied, neuromc_diags *diags) {
    neuromc_status wrong = nmc_asked_status(zip->place);
    const struct nmc_axis *axis = &plan->axes[a];
    if (tied[a])
        return nmc_error(diags, wrong, zip->place,
                         "an axis moves with one other set of axes at most", "%s is tied twice",
                         axis->name);
    if (group->axis_count && group->count != (int64_t)axis->values.count)
        return nmc_error(diags, wrong, zip->place, "axes that move together have as many values",
                         "%s has %zu values, %s has %lld", axis->name, axis->values.count,
                         plan->axes[group->axes[0]].name, (long long)group->count);
    tied[a] = true;
    group->count = (int64_t)axis->values.count;
    group->axes[group->axis_count++] = a;
    return NEUROMC_OK;
}

static neuromc_status read_zip(struct nmc_plan *plan, const struct nmc_asked *zip, bool *tied,
                               neuromc_diags *diags) {
    struct nmc_axis_group *group = &plan->groups[plan->group_count];
    neuromc_status status = NEUROMC_OK;
    *group = (struct nmc_axis_group){0};
    for (const char *at = zip->text; status == NEUROMC_OK;) {
        size_t length = strcspn(at, ",");
        int a = find_axis(plan, at, length);
        status =
            a < 0 ? no_axis(plan, zip, at, length, diags) : tie(plan, zip, a, group, tied, diags);
        at += length;
        if (!*at)
            break;
        at++;
    }
    if (status == NEUROMC_OK && group->axis_count < 2)
        status = nmc_error(diags, nmc_asked_status(zip->place), zip->place, "--zip A,B",
                           "one axis has nothing to move together with");
    plan->group_count += status == NEUROMC_OK;
    return status;
}

/* ---- order and number ---- */

static void reach_of_group(const struct nmc_plan *plan, struct nmc_axis_group *group) {
    group->reach = NMC_REACH_PRICE;
    for (int i = 0; i < group->axis_count; i++)
        if (plan->axes[group->axes[i]].reach < group->reach)
            group->reach = plan->axes[group->axes[i]].reach;
}

/* Before another: it reaches farther, or as far and was given before. */
static bool is_before(const struct nmc_axis_group *a, const struct nmc_axis_group *b) {
    return a->reach != b->reach ? a->reach < b->reach : a->axes[0] < b->axes[0];
}

void nmc_plan_order(struct nmc_plan *plan) {
    for (int i = 1; i < plan->group_count; i++) {
        struct nmc_axis_group group = plan->groups[i];
        int at = i;
        for (; at > 0 && is_before(&group, &plan->groups[at - 1]); at--)
            plan->groups[at] = plan->groups[at - 1];
        plan->groups[at] = group;
    }
    plan->cell_groups = 0;
    for (int g = 0; g < plan->group_count; g++) {
        plan->cell_groups += plan->groups[g].reach != NMC_REACH_PRICE;
        for (int i = 0; i < plan->groups[g].axis_count; i++)
            plan->axes[plan->groups[g].axes[i]].group = g;
    }
}

static neuromc_status too_many(const struct nmc_plan *plan, neuromc_diags *diags) {
    char points[NMC_NUMBER_SIZE];
    nmc_number_format(points, plan->combinations);
    struct nmc_place place = plan->axes[0].form.place;
    place.where = NULL;
    return nmc_error(diags, nmc_asked_status(place), place, "--sample N draws some of them",
                     "the axes cross to %s points", points);
}

static neuromc_status count_points(struct nmc_plan *plan, neuromc_diags *diags) {
    int64_t points = 1;
    bool fits = true;
    plan->combinations = 1;
    for (int g = 0; g < plan->group_count; g++) {
        plan->combinations *= (double)plan->groups[g].count;
        fits = fits && nmc_mul(points, plan->groups[g].count, &points);
    }
    plan->sampled = plan->space.sample && (!fits || plan->space.sample < points);
    if (plan->space.sample && !plan->sampled &&
        !nmc_plan_note(plan, "the sample is as large as the space: every point is taken"))
        return nmc_out_of_memory(diags);
    if (plan->sampled && plan->space.sampler == NEUROMC_SOBOL &&
        (plan->group_count > NMC_SOBOL_DIMS || plan->space.sample > UINT32_MAX))
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = "--sampler"},
                         "--sampler random", "a Sobol sequence has at most %d axes and 2^32 points",
                         NMC_SOBOL_DIMS);
    if (!plan->sampled && (!fits || points > NMC_LIMIT_SWEEP_POINTS))
        return too_many(plan, diags);
    plan->points = plan->sampled ? plan->space.sample : points;
    return NEUROMC_OK;
}

static neuromc_status make_groups(struct nmc_plan *plan, struct neuromc_preset *preset,
                                  neuromc_diags *diags) {
    bool tied[NMC_MAX_AXES] = {false};
    neuromc_status status = NEUROMC_OK;
    set_reaches(plan, preset);
    for (size_t i = 0; status == NEUROMC_OK && i < plan->space.zips.count; i++)
        status = read_zip(plan, &plan->space.zips.items[i], tied, diags);
    if (status != NEUROMC_OK)
        return status;
    for (int a = 0; a < plan->axis_count; a++)
        if (!tied[a])
            plan->groups[plan->group_count++] = (struct nmc_axis_group){
                .count = (int64_t)plan->axes[a].values.count, .axes = {a}, .axis_count = 1};
    for (int g = 0; g < plan->group_count; g++)
        reach_of_group(plan, &plan->groups[g]);
    nmc_plan_order(plan);
    status = nmc_plan_limit_units(plan, preset, diags);
    if (status == NEUROMC_OK)
        status = nmc_plan_note_laws(plan, preset, first_preset(plan), diags);
    return status == NEUROMC_OK ? count_points(plan, diags) : status;
}

neuromc_status nmc_plan_groups(struct nmc_plan *plan, neuromc_diags *diags) {
    neuromc_preset *preset;
    const neuromc_preset_options options = {.search_path = plan->search_path,
                                            .assignments = plan->assignments,
                                            .assignment_count = plan->assignment_count};
    neuromc_status status =
        nmc_preset_build(plan->trees[first_preset(plan)], &options, NMC_LAWS_LATER, &preset, diags);
    if (status == NEUROMC_OK)
        status = make_groups(plan, preset, diags);
    neuromc_preset_free(preset);
    return status;
}
