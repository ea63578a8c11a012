/*
 * walk.h - how many words one tile receives while the temporal loops above it run.
 *
 * The tile is a box that moves. At each visit it is compared with the visit before: where the box
 * did not move nothing is delivered; where it moved as it did the last time (or moves for the first
 * time since a whole tile came) what the two boxes share stays; any other move brings the whole
 * box and forgets the last move.
 */
#ifndef NMC_WALK_H
#define NMC_WALK_H

#include "mapping/nest.h"

struct nmc_walk_loop {
    int64_t count;               /* >= 2 */
    int64_t shift[NMC_MAP_AXES]; /* of the box when the loop advances by one; >= 0 */
};

enum nmc_walk_mode {
    NMC_WALK_EXTRAPOLATED, /* each loop for iterations 0 and 1, the second standing for the rest */
    NMC_WALK_FULL          /* every iteration */
};

struct nmc_walk {
    struct nmc_walk_loop loops[NMC_LIMIT_MAP_LOOPS]; /* outermost first */
    int count;
    int64_t box[NMC_MAP_AXES];
    enum nmc_walk_mode mode;
};

/* Words delivered over the whole walk; false if they overflow. Takes time of the square of the
 * number of loops, however often they run. */
bool nmc_walk_words(const struct nmc_walk *walk, int64_t *words);

/* The same by product and overlap of the innermost loop that moves the box. False if the shape
 * of the walk does not prove that this agrees, or if it overflows. */
bool nmc_walk_closed_form(const struct nmc_walk *walk, int64_t *words);

/* The same by any way: the closed form where it holds. */
bool nmc_walk_any(const struct nmc_walk *walk, int64_t *words);

#endif
