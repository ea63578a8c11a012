/* Every way to spread the dims of a problem over the meshes of a machine. */
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "mapping/plan.h"

enum { BUCKETS = 256 };

struct enumeration {
    const struct nmc_problem *problem;
    const struct nmc_machine *machine;
    const struct nmc_map_limits *limits;
    int64_t left[NMC_MAP_DIMS]; /* of each dim, not yet unrolled */
    struct nmc_unrolling now;
    int64_t least_macs;
    size_t found[BUCKETS + 1]; /* by share of the MACs in use */
    bool counting;             /* only `found` */
    struct nmc_unrolling *all;
    size_t count, capacity;
    bool failed;
};

static void spread_level(struct enumeration *e, int level);

/* At most 2^32. */
static int64_t all_macs(const struct enumeration *e) {
    return e->machine->mac_mesh[NMC_MESH_X] * e->machine->mac_mesh[NMC_MESH_Y];
}

/* Whether what is left of each dim can have the loops that are fixed. */
static bool has_room_for_fixed(const struct enumeration *e) {
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        int64_t left = e->left[d];
        for (int i = 0; i < e->machine->level_count; i++) {
            int64_t fixed = e->limits->temporal[i][d];
            if (fixed && left % fixed)
                return false;
            left /= fixed ? fixed : 1;
        }
    }
    return true;
}

static void keep(struct enumeration *e) {
    int64_t macs = 1;
    for (int i = 0; i < e->machine->level_count; i++)
        for (int m = 0; m < NMC_MESHES; m++)
            for (int d = 0; d < NMC_MAP_DIMS; d++)
                macs *= e->now.count[i][m][d]; /* at most the MACs that there are */
    if ((double)macs < e->limits->least_utilization * (double)all_macs(e) || macs < e->least_macs ||
        !has_room_for_fixed(e))
        return;
    if (e->counting) {
        e->found[macs * BUCKETS / all_macs(e)]++;
        return;
    }
    if (!nmc_grow(&e->all, &e->capacity, e->count + 1, sizeof *e->all)) {
        e->failed = true;
        return;
    }
    e->now.macs = macs;
    e->all[e->count++] = e->now;
}

static bool allowed(const struct enumeration *e, int level, int mesh, int dim, int64_t count) {
    int64_t fixed = e->limits->spatial[level][mesh][dim];
    if (fixed)
        return count == fixed;
    return count == 1 || (e->machine->levels[level].spread[mesh] & 1u << dim);
}

/* Dims from `dim` on over the rest of a mesh, then the next mesh or level. */
static void spread_dim(struct enumeration *e, int level, int mesh, int dim, int64_t room) {
    if (dim == NMC_MAP_DIMS && mesh + 1 < NMC_MESHES) {
        mesh++;
        spread_dim(e, level, mesh, 0, nmc_machine_fanout(e->machine, level, (enum nmc_mesh)mesh));
        return;
    }
    if (dim == NMC_MAP_DIMS) {
        spread_level(e, level + 1);
        return;
    }
    int64_t most = e->left[dim] < room ? e->left[dim] : room;
    for (int64_t count = most; count >= 1 && !e->failed; count--) {
        if (e->left[dim] % count || !allowed(e, level, mesh, dim, count))
            continue;
        e->now.count[level][mesh][dim] = count;
        e->left[dim] /= count;
        spread_dim(e, level, mesh, dim + 1, room / count);
        e->left[dim] *= count;
    }
}

static void spread_level(struct enumeration *e, int level) {
    if (level == e->machine->level_count)
        keep(e);
    else
        spread_dim(e, level, NMC_MESH_X, 0, nmc_machine_fanout(e->machine, level, NMC_MESH_X));
}

/* Too many: those with the most MACs are kept. */
static bool set_least_macs(struct enumeration *e) {
    size_t kept = 0;
    int bucket = BUCKETS;
    while (bucket >= 0 && kept + e->found[bucket] <= NMC_LIMIT_MAP_UNROLLINGS)
        kept += e->found[bucket--];
    e->least_macs = bucket < 0 ? 0 : nmc_div_ceil(all_macs(e) * (bucket + 1), BUCKETS);
    return bucket >= 0;
}

/* More MACs first; else as they were found, which is the same everywhere. */
static int by_macs(const void *a, const void *b) {
    const struct nmc_unrolling *x = a, *y = b;
    if (x->macs != y->macs)
        return x->macs > y->macs ? -1 : 1;
    return -memcmp(x->count, y->count, sizeof x->count);
}

struct nmc_unrolling *nmc_unrollings(const struct nmc_problem *problem,
                                     const struct nmc_machine *machine,
                                     const struct nmc_map_limits *limits, size_t *count,
                                     bool *cut) {
    struct enumeration e = {.problem = problem, .machine = machine, .limits = limits};
    memcpy(e.left, problem->size, sizeof e.left);
    for (int i = 0; i < NMC_LIMIT_MAP_LEVELS; i++)
        for (int m = 0; m < NMC_MESHES; m++)
            for (int d = 0; d < NMC_MAP_DIMS; d++)
                e.now.count[i][m][d] = 1;
    if (!nmc_grow(&e.all, &e.capacity, 1, sizeof *e.all))
        return NULL;
    e.counting = true;
    spread_level(&e, 0);
    *cut = set_least_macs(&e);
    e.counting = false;
    spread_level(&e, 0);
    if (e.failed) {
        nmc_free(e.all);
        return NULL;
    }
    qsort(e.all, e.count, sizeof *e.all, by_macs);
    *count = e.count;
    return e.all;
}
