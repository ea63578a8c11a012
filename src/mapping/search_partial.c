/*
 * What of the beginning of a mapping its rest can depend on. A transfer further in depends on its
 * two tiles, and on the loops outside only from the innermost one that moves its operand: on how
 * often the tile stays, and on which words it shares with the one before.
 */
#include <string.h>

#include "mapping/searching.h"

static uint64_t mix(uint64_t hash, uint64_t value) { /* MurmurHash3's finalizer */
    hash ^= value + 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
    hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53u;
    return hash ^ hash >> 33;
}

static uint64_t mix_double(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mix(hash, bits);
}

static bool stays_on(const struct nmc_search *s, enum nmc_map_operand operand, int dim,
                     int run_axis) {
    int axis;
    return !nmc_problem_step(s->problem, operand, (enum nmc_map_dim)dim, &axis) || axis == run_axis;
}

/* The first of the loops that a transfer of the operand can depend on: those that do not move it,
 * and of a tensor that slides the run of loops along one axis around them. */
static int tail_of(const struct nmc_search *s, int level, enum nmc_map_operand operand) {
    const struct nmc_path *path = &s->path;
    int k = path->above[level] - 1, axis;
    while (k >= 0 && !s->cost.moves[operand][path->loops[k].dim])
        k--;
    if (k < 0 || !s->cost.slides[operand])
        return k + 1;
    nmc_problem_step(s->problem, operand, (enum nmc_map_dim)path->loops[k].dim, &axis);
    if (axis < 2) /* batch and channels do not slide */
        return k + 1;
    while (k >= 0 && stays_on(s, operand, path->loops[k].dim, axis))
        k--;
    return k + 1;
}

/* Loops of one dim, one right inside the other, are as one. */
static uint64_t mix_loops(const struct nmc_path *path, int first, int end, uint64_t hash) {
    for (int k = first, next; k < end; k = next) {
        double count = path->loops[k].count, inside = path->loops[k].inside;
        for (next = k + 1; next < end && path->loops[next].dim == path->loops[k].dim &&
                           path->loops[next].inside * path->loops[next].count == inside;
             next++) {
            count *= path->loops[next].count;
            inside = path->loops[next].inside;
        }
        hash = mix(hash, (uint64_t)path->loops[k].dim);
        hash = mix_double(mix_double(hash, count), inside);
    }
    return hash;
}

/* Where two dims of one axis are unrolled side by side, groups depend on the tiles of the levels
 * that a transfer passes by. */
static uint64_t mix_passed(const struct nmc_search *s, int level, enum nmc_map_operand operand,
                           uint64_t hash) {
    for (int i = level; i > 0 && !(s->machine->levels[i].can_keep & 1u << operand); i--)
        for (int d = NMC_MAP_P; d <= NMC_MAP_S && s->cost.slides[operand]; d++)
            hash = mix(hash, (uint64_t)s->path.held[i][d]);
    return hash;
}

uint64_t nmc_partial_key(const struct nmc_search *s, int level, uint32_t tile) {
    uint64_t hash = mix(0, tile);
    int first = s->path.above[level];
    bool words = s->machine->counting == NMC_COUNT_WORDS;
    for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
        int tail = tail_of(s, level, (enum nmc_map_operand)o);
        first = tail < first ? tail : first;
        if (words)
            hash = mix_passed(s, level, (enum nmc_map_operand)o, hash);
    }
    hash = mix_loops(&s->path, first, s->path.above[level], hash);
    for (int i = 0; i <= level && words && s->cost.slides[NMC_MAP_OUTPUTS]; i++)
        hash = mix_double(hash, s->path.partition[i]);
    for (int i = 0; i < s->cost.levels && s->wants_rates; i++)
        hash = mix_double(mix_double(hash, s->rates[level].read[i]), s->rates[level].written[i]);
    return hash;
}
