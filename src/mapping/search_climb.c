/*
 * From a mapping to better ones near it: some dims are cut anew at all levels and all orders of
 * loops tried while the other dims stay as they are, in turns until no turn helps.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mapping/searching.h"

enum {
    WIDTH = 64,     /* partial mappings of a layer in a turn; a turn of two dims seldom has more */
    NARROW = 4,     /* in search of a first mapping */
    LIGHT = 200000, /* of work: as long as a layer takes less, more than the leaders go on */
    MOST = 3        /* dims of a turn */
};

/* The best unrollings so far go on to turns of so many dims. */
static const size_t leaders[MOST + 1] = {0, SIZE_MAX, 8, 2};

/* ---- turns -------------------------------------------------------------------------------- */

static bool is_turn(const struct nmc_search *s, unsigned open, int dims) {
    int count = 0;
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        if (open & 1u << d && s->whole[d] == 1)
            return false;
        count += (int)(open >> d & 1u);
    }
    return count == dims;
}

/* Turns of so many dims from s->tiling, which has s->best. */
static bool take_turns(struct nmc_search *s, int dims) {
    int idle = 0;
    for (unsigned open = 1; idle < NMC_ALL_DIMS && !s->failed && !s->ended; idle++) {
        struct nmc_score before = s->best;
        if (is_turn(s, open, dims)) {
            if (!nmc_space_open(s, open))
                return false;
            nmc_search_layers(s, WIDTH);
        }
        if (nmc_better(s->best, before))
            idle = 0;
        open = open % NMC_ALL_DIMS + 1;
    }
    return !s->failed;
}

/* ---- unrollings --------------------------------------------------------------------------- */

static int64_t better_divisor(int64_t size, int64_t least, int64_t most, int64_t divisor,
                              int64_t best) {
    bool good = size % divisor == 0 && divisor % least == 0 && divisor <= most;
    return good && divisor > best ? divisor : best;
}

/* The largest divisor of a size that is no more than `most` and a multiple of `least`, which
 * divides it; at least that. */
static int64_t divisor_below(int64_t size, int64_t least, int64_t most) {
    enum { FAR = 1 << 20 }; /* as lattice.c */
    int64_t best = least;
    for (int64_t i = 1; i <= size / i && i < FAR; i++)
        if (size % i == 0) {
            best = better_divisor(size, least, most, i, best);
            best = better_divisor(size, least, most, size / i, best);
        }
    return best;
}

/* Tiles nested in each other of which an instance holds as much as those of another unrolling
 * hold, or less, if loops that are fixed allow it. */
static void tile_like(struct nmc_search *s, const struct nmc_tiling *held) {
    const int64_t(*fixed)[NMC_MAP_DIMS] = s->options->limits.temporal;
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        int64_t inside = 1;
        for (int i = 1; i < s->cost.levels; i++)
            inside *= fixed[i][d] ? fixed[i][d] : 1;
        for (int i = 1; i < s->cost.levels; i++) {
            int64_t outer = s->tiling.extent[i - 1][d];
            int64_t most = held->extent[i][d] / s->cost.below[i][d];
            s->tiling.extent[i][d] =
                fixed[i - 1][d] ? outer / fixed[i - 1][d] : divisor_below(outer, inside, most);
            inside /= fixed[i][d] ? fixed[i][d] : 1;
        }
    }
}

static bool climb(struct nmc_search *s, struct nmc_candidate *c, int dims) {
    struct nmc_score before = s->best_of_all;
    bool good = take_turns(s, dims);
    if (nmc_better(s->best, c->reached)) {
        c->reached = s->best;
        c->tiling = s->tiling;
        c->climbed = dims;
    }
    if (nmc_better(s->best_of_all, before))
        for (int i = 0; i < s->cost.levels; i++)
            for (int d = 0; d < NMC_MAP_DIMS; d++)
                s->held.extent[i][d] = s->tiling.extent[i][d] * s->cost.below[i][d];
    return good;
}

/* Where no turn leads from the start to a mapping that there can be, a narrow search of all
 * tilings may. */
static bool climb_from(struct nmc_search *s, struct nmc_candidate *c,
                       const struct nmc_tiling *held) {
    nmc_search_unroll(s, c->unrolling);
    s->best = nmc_no_score;
    tile_like(s, held);
    bool good = climb(s, c, 1);
    if (!good || s->ended || isfinite(c->reached.first))
        return good;
    good = nmc_space_open(s, NMC_ALL_DIMS);
    if (good)
        nmc_search_layers(s, NARROW);
    return good && (isinf(s->best.first) || climb(s, c, 1));
}

static bool climb_on(struct nmc_search *s, struct nmc_candidate *c, int dims) {
    nmc_search_unroll(s, c->unrolling);
    s->best = c->reached;
    s->tiling = c->tiling;
    bool good = climb(s, c, dims);
    c->climbed = dims;
    return good;
}

static int by_reached(const void *a, const void *b) {
    const struct nmc_candidate *x = a, *y = b;
    int order = nmc_score_order(x->reached, y->reached);
    return order ? order : x->unrolling < y->unrolling ? -1 : x->unrolling > y->unrolling;
}

/* The best so far by turns of so many dims, if they have come through those of fewer. */
static bool climb_best(struct nmc_search *s, struct nmc_candidate *all, size_t count, int dims) {
    bool good = true;
    qsort(all, count, sizeof *all, by_reached);
    for (size_t i = 0; good && i < count && (i < leaders[dims] || s->work < LIGHT); i++)
        if (nmc_search_may_better(s, &all[i]) && all[i].climbed == dims - 1)
            good = climb_on(s, &all[i], dims);
    return good;
}

/* First from tiles of one element, then from tiles like those of the best of all, as long as that
 * helps. */
bool nmc_search_climb(struct nmc_search *s, struct nmc_candidate *all, size_t count) {
    struct nmc_tiling from = {.extent = {{0}}};
    struct nmc_score before = nmc_no_score;
    bool good = true;
    do {
        before = s->best_of_all;
        for (size_t i = 0; good && i < count; i++)
            if (nmc_search_may_better(s, &all[i]))
                good = climb_from(s, &all[i], &from);
        for (int dims = 2; good && dims <= MOST; dims++)
            good = climb_best(s, all, count, dims);
        from = s->held;
    } while (good && !s->ended && nmc_better(s->best_of_all, before));
    return good;
}
