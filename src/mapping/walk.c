/*
 * The visits of a walk follow one another like the ticks of an odometer: the flip of loop k sets
 * everything inside it back to its start, so its move is one of only `count` different ones, and
 * all that is remembered between visits is which of them came last. What the loops from k inwards
 * deliver is therefore a table from what was remembered before them to words and what is
 * remembered after them; the table of loop k-1 follows from that of loop k, and running a loop
 * n times is a power of a table.
 */
#include "mapping/walk.h"

#include <string.h>

#include "base/checked.h"

enum { NOTHING = 0, STATES = NMC_LIMIT_MAP_LOOPS + 1 };

struct table {
    int64_t words[STATES];
    uint8_t after[STATES];
};

struct flips {
    int count;                          /* of loops */
    uint8_t name[NMC_LIMIT_MAP_LOOPS];  /* 1 + the first loop with the same move */
    bool still[NMC_LIMIT_MAP_LOOPS];    /* the box stays where it is */
    int64_t fresh[NMC_LIMIT_MAP_LOOPS]; /* words that the two boxes do not share */
    int64_t size;
};

static bool same(const int64_t a[NMC_MAP_AXES], const int64_t b[NMC_MAP_AXES]) {
    return memcmp(a, b, NMC_MAP_AXES * sizeof *a) == 0;
}

/* The move of each loop's flip: its own shift, less what the loops inside it had moved. */
static bool find_moves(const struct nmc_walk *walk,
                       int64_t moves[NMC_LIMIT_MAP_LOOPS][NMC_MAP_AXES]) {
    int64_t inside[NMC_MAP_AXES] = {0};
    for (int k = walk->count - 1; k >= 0; k--) {
        const struct nmc_walk_loop *loop = &walk->loops[k];
        int64_t last = walk->mode == NMC_WALK_FULL ? loop->count - 1 : 1;
        for (int a = 0; a < NMC_MAP_AXES; a++) {
            int64_t reached;
            if (!nmc_sub(loop->shift[a], inside[a], &moves[k][a]) ||
                !nmc_mul(loop->shift[a], last, &reached) ||
                !nmc_add(inside[a], reached, &inside[a]))
                return false;
        }
    }
    return true;
}

/* Words of the box that are not in the box before it, which is a move away. */
static int64_t fresh_words(const int64_t box[NMC_MAP_AXES], int64_t size,
                           const int64_t move[NMC_MAP_AXES]) {
    int64_t shared = 1;
    for (int a = 0; a < NMC_MAP_AXES; a++) {
        int64_t apart = move[a] < 0 ? -move[a] : move[a];
        shared *= apart < box[a] ? box[a] - apart : 0;
    }
    return size - shared;
}

static bool find_flips(const struct nmc_walk *walk, struct flips *out) {
    static const int64_t none[NMC_MAP_AXES];
    int64_t moves[NMC_LIMIT_MAP_LOOPS][NMC_MAP_AXES];
    if (!nmc_product(walk->box, NMC_MAP_AXES, &out->size) || !find_moves(walk, moves))
        return false;
    out->count = walk->count;
    for (int k = 0; k < walk->count; k++) {
        int first = 0;
        while (!same(moves[first], moves[k]))
            first++;
        out->name[k] = (uint8_t)(first + 1);
        out->still[k] = same(moves[k], none);
        out->fresh[k] = fresh_words(walk->box, out->size, moves[k]);
    }
    return true;
}

/* Flip k after a state: words and the state then. */
static int64_t flip(const struct flips *flips, int k, uint8_t before, uint8_t *after) {
    *after = before;
    if (flips->still[k])
        return 0;
    bool known = before == NOTHING || before == flips->name[k];
    *after = known ? flips->name[k] : NOTHING;
    return known ? flips->fresh[k] : flips->size;
}

/* first, then second */
static bool join(const struct table *first, const struct table *second, int states,
                 struct table *out) {
    struct table joined = *first;
    for (int s = 0; s < states; s++) {
        uint8_t between = first->after[s];
        joined.after[s] = second->after[between];
        if (!nmc_add(first->words[s], second->words[between], &joined.words[s]))
            return false;
    }
    *out = joined;
    return true;
}

static void stay(struct table *table, int states) {
    for (int s = 0; s < states; s++) {
        table->words[s] = 0;
        table->after[s] = (uint8_t)s;
    }
}

static bool power(struct table base, int64_t exponent, int states, struct table *out) {
    stay(out, states);
    while (exponent > 0) {
        if ((exponent & 1) && !join(out, &base, states, out))
            return false;
        exponent >>= 1;
        if (exponent && !join(&base, &base, states, &base))
            return false;
    }
    return true;
}

/* The table of a loop's iterations from the second on. */
static bool repeat(const struct table *step, int64_t times, enum nmc_walk_mode mode, int states,
                   struct table *out) {
    if (mode == NMC_WALK_FULL)
        return power(*step, times, states, out);
    *out = *step;
    for (int s = 0; s < states; s++)
        if (!nmc_mul(step->words[s], times, &out->words[s]))
            return false;
    return true;
}

bool nmc_walk_words(const struct nmc_walk *walk, int64_t *words) {
    struct flips flips;
    if (!find_flips(walk, &flips))
        return false;
    int states = walk->count + 1;
    struct table inner = {.words = {0}}, step = inner, rest;
    stay(&inner, states);
    for (int k = walk->count - 1; k >= 0; k--) {
        stay(&step, states);
        for (int s = 0; s < states; s++)
            step.words[s] = flip(&flips, k, (uint8_t)s, &step.after[s]);
        if (!join(&step, &inner, states, &step) ||
            !repeat(&step, walk->loops[k].count - 1, walk->mode, states, &rest) ||
            !join(&inner, &rest, states, &inner))
            return false;
    }
    return nmc_add(flips.size, inner.words[NOTHING], words);
}

bool nmc_walk_closed_form(const struct nmc_walk *walk, int64_t *words) {
    struct flips flips = {.size = 0};
    if (!find_flips(walk, &flips))
        return false;
    int moving = walk->count - 1;
    while (moving >= 0 && flips.still[moving])
        moving--;
    *words = flips.size;
    if (moving < 0)
        return true;
    int64_t outside = 1;
    for (int k = 0; k < moving; k++)
        if (flips.still[k] || flips.name[k] == flips.name[moving] ||
            !nmc_mul(outside, walk->loops[k].count, &outside))
            return false;
    int64_t more;
    return nmc_mul(walk->loops[moving].count - 1, flips.fresh[moving], &more) &&
           nmc_add(more, flips.size, &more) && nmc_mul(more, outside, words);
}

bool nmc_walk_any(const struct nmc_walk *walk, int64_t *words) {
    return nmc_walk_closed_form(walk, words) || nmc_walk_words(walk, words);
}
