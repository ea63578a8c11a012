#include "sweep/counts.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "sweep/point.h"

/* ---- keys ---- */

static bool starts(const char *path, const char *with) {
    return strncmp(path, with, strlen(with)) == 0;
}

/* Values that lowering and counting do not look at. on_chip_bits is not among what is counted:
 * traffic is looked up by distance. Mappings are those of the first of all prices, unless each
 * price is to have its own. */
static bool only_prices(const struct nmc_plan *plan, const char *path) {
    static const char *const of_memory[] = {"read_cost_pj", "write_cost_pj", "area_mm2",
                                            "data_width",   "read_bw_bits",  "write_bw_bits"};
    size_t known = sizeof of_memory / sizeof *of_memory - (plan->maps ? 2 : 0);
    const char *last = strrchr(path, '.');
    if (plan->space.remap)
        return false;
    if (starts(path, "primitives_pj.") || starts(path, "laws.") || starts(path, "mac.") ||
        strcmp(path, "technology_nm") == 0 || strcmp(path, "count.on_chip_bits") == 0)
        return true;
    if (!starts(path, "memory_instances.") || !last)
        return false;
    for (size_t i = 0; i < known; i++)
        if (strcmp(last + 1, of_memory[i]) == 0)
            return true;
    return !plan->sizes_count && strcmp(last + 1, "size_bits") == 0;
}

static bool enters_lowering(const char *path) {
    return starts(path, "precision_bits.") || strcmp(path, "count.dram") == 0;
}

static bool prices_alone(const struct nmc_plan *plan, int group) {
    bool alone = true;
    for (int i = 0; i < plan->groups[group].axis_count; i++)
        alone = alone && plan->axes[plan->groups[group].axes[i]].reach == NMC_REACH_PRICE;
    return alone;
}

struct hashes {
    uint64_t counting, lowering;
};

static struct hashes hashes_of(const struct nmc_plan *plan, const int32_t *levels,
                               const struct neuromc_preset *preset) {
    struct hashes h = {NMC_HASH_START, NMC_HASH_START};
    for (int i = 0; i < preset->provenance_count; i++) {
        const struct nmc_provenance *p = &preset->provenance[i];
        if (!only_prices(plan, p->path))
            h.counting =
                nmc_hash_text(nmc_hash_text(nmc_hash_text(h.counting, p->path), "="), p->value);
        if (enters_lowering(p->path))
            h.lowering =
                nmc_hash_text(nmc_hash_text(nmc_hash_text(h.lowering, p->path), "="), p->value);
    }
    /* Prices that are tied to something that counts are searched with. */
    for (int g = 0; plan->maps && g < plan->group_count; g++)
        if (!prices_alone(plan, g))
            h.counting = nmc_hash_bytes(h.counting, &levels[g], sizeof levels[g]);
    return h;
}

/* ---- counting ---- */

struct request {
    struct nmc_cache *cache;
    const struct nmc_plan *plan;
    const int32_t *levels;
    const struct neuromc_preset *preset;
    struct hashes hashes;
    int workload_groups;
};

static void destroy(void *value) {
    struct nmc_counts *counts = value;
    neuromc_report_free(counts->report);
    nmc_arena_release(&counts->arena);
    nmc_free(counts);
}

/* The same workload, with a list of fragments to count anew. */
static bool is_recountable(void *user, const void *value) {
    const struct request *r = user;
    const struct nmc_counts *counts = value;
    return counts->report && !counts->report->no_mapping &&
           counts->lowering == r->hashes.lowering &&
           counts->workload_groups == r->workload_groups &&
           memcmp(counts->workload, r->levels, (size_t)r->workload_groups * sizeof *r->levels) == 0;
}

static neuromc_status copy_uses(const struct neuromc_report *from, struct nmc_report_sink *to) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; status == NEUROMC_OK && i < from->dram.count; i++)
        status = to->sink.touch(to, &from->dram.uses[i]);
    return status;
}

/* Counts another report's fragments with this request's preset. */
static neuromc_status recount(const struct request *r, const struct neuromc_report *from,
                              neuromc_report **out, neuromc_diags *diags) {
    neuromc_estimate_options options = {.accounting = from->accounting};
    struct neuromc_report *report = nmc_report_new(r->preset, &options, diags);
    if (!report)
        return NEUROMC_IO;
    struct nmc_report_sink sink;
    neuromc_status status =
        nmc_report_sink_init(&sink, report, r->preset, r->plan->estimate_options.map, diags);
    for (uint32_t i = 0; status == NEUROMC_OK && i < from->ledger.line_count; i++)
        if (!from->ledger.lines[i].traffic)
            status = sink.sink.fragment(&sink, &from->ledger.lines[i].fragment);
    if (status == NEUROMC_OK && sink.sink.touch)
        status = copy_uses(from, &sink);
    if (status == NEUROMC_OK)
        status = nmc_report_sink_finish(&sink);
    if (status == NEUROMC_OK)
        status = nmc_report_finish(report, r->preset, diags);
    if (status == NEUROMC_OK)
        *out = report;
    else
        neuromc_report_free(report);
    return status;
}

/* ---- prices of mappings ---- */

/* The preset that mappings are searched with: every group of prices at its first level, laws
 * applied. So it does not matter which point asks first. *out NULL: the request's own. */
static neuromc_status mapping_preset(const struct request *r, neuromc_preset **out) {
    int32_t levels[NMC_MAX_AXES];
    *out = NULL;
    if (r->preset->access_model != NMC_ACCESS_MAPPED)
        return NEUROMC_OK;
    memcpy(levels, r->levels, sizeof levels);
    for (int g = 0; g < r->plan->group_count; g++)
        if (prices_alone(r->plan, g))
            levels[g] = 0;
    neuromc_status status = nmc_point_preset(r->plan, levels, NMC_LAWS_NOW, out, NULL);
    return status == NEUROMC_IO ? status : NEUROMC_OK;
}

/* ---- making ---- */

static neuromc_status count(struct request *r, neuromc_report **out, neuromc_diags *diags) {
    neuromc_preset *own;
    neuromc_status status = mapping_preset(r, &own);
    if (status != NEUROMC_OK)
        return nmc_out_of_memory(diags);
    if (own)
        r->preset = own;
    const struct nmc_counts *same = nmc_cache_find(r->cache, is_recountable, r);
    status = same ? recount(r, same->report, out, diags)
                  : nmc_point_report(r->plan, r->levels, r->preset, out, diags);
    if (status == NEUROMC_OK && r->preset->access_model == NMC_ACCESS_MAPPED)
        nmc_mapper_release(&(*out)->mapper); /* the ledger has what a price is put on */
    nmc_cache_give_back(r->cache, same);
    neuromc_preset_free(own);
    return status;
}

/* Less than all that a network does must not look cheap. */
static neuromc_status refuse_unmapped(struct nmc_counts *counts, neuromc_diags *diags) {
    const struct neuromc_report *report = counts->report;
    if (!report->mapping.unmapped)
        return NEUROMC_OK;
    const char *why = "layers fit no mapping";
    for (size_t i = 0; i < report->warning_count; i++)
        if (strstr(report->warnings[i], "has no mapping"))
            why = report->warnings[i];
    nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){0}, NULL, "%s", why);
    neuromc_report_free(counts->report);
    counts->report = NULL;
    return NEUROMC_UNSUPPORTED;
}

static void *make(void *user) {
    struct request *r = user;
    struct nmc_counts *counts = nmc_malloc(sizeof *counts);
    neuromc_diags *diags = neuromc_diags_new();
    if (!counts || !diags) {
        nmc_free(counts);
        neuromc_diags_free(diags);
        return NULL;
    }
    *counts =
        (struct nmc_counts){.workload_groups = r->workload_groups, .lowering = r->hashes.lowering};
    nmc_arena_init(&counts->arena, (size_t)1 << 20);
    memcpy(counts->workload, r->levels, (size_t)r->workload_groups * sizeof *r->levels);
    neuromc_status status = count(r, &counts->report, diags);
    if (status == NEUROMC_OK)
        status = refuse_unmapped(counts, diags);
    if (status != NEUROMC_OK)
        counts->reason = nmc_point_reason(&counts->arena, diags);
    neuromc_diags_free(diags);
    return counts;
}

void nmc_counts_cache_init(struct nmc_cache *cache, size_t capacity) {
    nmc_cache_init(cache, capacity, destroy);
}

const struct nmc_counts *nmc_counts_take(struct nmc_cache *cache, const struct nmc_plan *plan,
                                         const int32_t *levels,
                                         const struct neuromc_preset *preset) {
    struct request request = {.cache = cache, .plan = plan, .levels = levels, .preset = preset};
    request.hashes = hashes_of(plan, levels, preset);
    while (request.workload_groups < plan->group_count &&
           plan->groups[request.workload_groups].reach == NMC_REACH_WORKLOAD)
        request.workload_groups++;
    struct nmc_cache_key key = {.level_count = request.workload_groups,
                                .hash = request.hashes.counting};
    memcpy(key.levels, levels, (size_t)key.level_count * sizeof *levels);
    return nmc_cache_take(cache, &key, make, &request);
}
