/* Walks and spatial groups against visiting every tile and every child one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mapping/spread.h"
#include "mapping/walk.h"

static uint32_t random_state = 7;

static int64_t random_below(uint32_t limit) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

/* ---- walks -------------------------------------------------------------------------------- */

struct visit {
    int64_t at[NMC_MAP_AXES], size, words;
    int64_t last[NMC_MAP_AXES], move[NMC_MAP_AXES];
    bool first, moved;
};

static int64_t overlap(const int64_t box[NMC_MAP_AXES], const int64_t move[NMC_MAP_AXES]) {
    int64_t shared = 1;
    for (int a = 0; a < NMC_MAP_AXES; a++)
        shared *= llabs(move[a]) < box[a] ? box[a] - llabs(move[a]) : 0;
    return shared;
}

/* One visit by the rules of docs/mapping.md, to the letter. */
static void visit(struct visit *v, const struct nmc_walk *walk, int64_t weight) {
    int64_t move[NMC_MAP_AXES];
    static const int64_t none[NMC_MAP_AXES];
    for (int a = 0; a < NMC_MAP_AXES; a++)
        move[a] = v->at[a] - v->last[a];
    memcpy(v->last, v->at, sizeof v->at);
    if (v->first) {
        v->words += v->size;
        v->first = false;
    } else if (memcmp(move, none, sizeof move) == 0) {
        return;
    } else if (!v->moved || memcmp(move, v->move, sizeof move) == 0) {
        v->words += weight * (v->size - overlap(walk->box, move));
        memcpy(v->move, move, sizeof move);
        v->moved = true;
    } else {
        v->words += weight * v->size;
        v->moved = false;
    }
}

static void visit_loops(struct visit *v, const struct nmc_walk *walk, int k, int64_t weight) {
    if (k == walk->count) {
        visit(v, walk, weight);
        return;
    }
    const struct nmc_walk_loop *loop = &walk->loops[k];
    bool all = walk->mode == NMC_WALK_FULL;
    int64_t steps = all ? loop->count : 2;
    for (int64_t i = 0; i < steps; i++) {
        visit_loops(v, walk, k + 1, all || i == 0 ? weight : weight * (loop->count - 1));
        for (int a = 0; a < NMC_MAP_AXES; a++)
            v->at[a] += loop->shift[a];
    }
    for (int a = 0; a < NMC_MAP_AXES; a++)
        v->at[a] -= steps * loop->shift[a];
}

static int64_t brute(const struct nmc_walk *walk) {
    struct visit v = {.size = 1, .first = true};
    for (int a = 0; a < NMC_MAP_AXES; a++)
        v.size *= walk->box[a];
    visit_loops(&v, walk, 0, 1);
    return v.words;
}

static struct nmc_walk random_walk(void) {
    struct nmc_walk walk = {.count = (int)random_below(6),
                            .mode = random_below(2) ? NMC_WALK_FULL : NMC_WALK_EXTRAPOLATED};
    for (int a = 0; a < NMC_MAP_AXES; a++)
        walk.box[a] = 1 + random_below(a < 2 ? 4 : 2);
    for (int k = 0; k < walk.count; k++) {
        walk.loops[k].count = 2 + random_below(4);
        if (random_below(3))
            walk.loops[k].shift[random_below(2)] = random_below(5);
    }
    return walk;
}

static void walks_equal_visits_one_by_one(void **state) {
    (void)state;
    int closed = 0, not_closed = 0;
    for (int i = 0; i < 20000; i++) {
        struct nmc_walk walk = random_walk();
        int64_t words, want = brute(&walk);
        assert_true(nmc_walk_words(&walk, &words));
        assert_int_equal(words, want);
        if (nmc_walk_closed_form(&walk, &words)) {
            assert_int_equal(words, want);
            closed++;
        } else {
            not_closed++;
        }
        assert_true(nmc_walk_any(&walk, &words));
        assert_int_equal(words, want);
    }
    assert_true(closed > 5000 && not_closed > 1000);
}

static void long_loops_take_no_time(void **state) {
    (void)state;
    /* Q outside S, both above the tile: no closed form. 10^6 * 10^6 visits. */
    struct nmc_walk walk = {.count = 2, .mode = NMC_WALK_FULL, .box = {1, 1, 1, 10}};
    walk.loops[0] = (struct nmc_walk_loop){1000000, {0, 0, 0, 1000000}};
    walk.loops[1] = (struct nmc_walk_loop){1000000, {0, 0, 0, 1}};
    int64_t words;
    assert_true(nmc_walk_any(&walk, &words));
    assert_int_equal(words, 10 + (1000000ll * 1000000 - 1));
}

static void overflow_is_told(void **state) {
    (void)state;
    struct nmc_walk walk = {.count = 2, .box = {1ll << 40, 1, 1, 1}};
    walk.loops[0] = (struct nmc_walk_loop){1ll << 20, {0, 1, 0, 0}};
    walk.loops[1] = (struct nmc_walk_loop){1ll << 20, {1ll << 41, 0, 0, 0}};
    int64_t words;
    assert_false(nmc_walk_any(&walk, &words));
    walk.mode = NMC_WALK_FULL;
    assert_false(nmc_walk_any(&walk, &words));
    walk.box[1] = 1ll << 40;
    assert_false(nmc_walk_any(&walk, &words));
}

/* ---- spatial groups ----------------------------------------------------------------------- */

enum { MOST_CHILDREN = 4096 };

struct children {
    int64_t at[MOST_CHILDREN][NMC_MAP_AXES];
    int count;
};

static void place(struct children *c, const struct nmc_problem *problem,
                  enum nmc_map_operand operand, const int64_t *count, const int64_t *apart, int d,
                  const int64_t at[NMC_MAP_AXES]) {
    if (d == NMC_MAP_DIMS) {
        memcpy(c->at[c->count++], at, sizeof c->at[0]);
        return;
    }
    int axis;
    int64_t step = nmc_problem_step(problem, operand, (enum nmc_map_dim)d, &axis);
    for (int64_t i = 0; i < count[d]; i++) {
        int64_t moved[NMC_MAP_AXES];
        memcpy(moved, at, sizeof moved);
        moved[axis] += i * step * apart[d];
        place(c, problem, operand, count, apart, d + 1, moved);
    }
}

static void count_groups(const struct children *c, int64_t *groups, int64_t *largest) {
    *groups = *largest = 0;
    for (int i = 0; i < c->count; i++) {
        int64_t same = 0;
        bool first = true;
        for (int j = 0; j < c->count; j++)
            if (memcmp(c->at[i], c->at[j], sizeof c->at[0]) == 0) {
                first &= j >= i;
                same++;
            }
        *groups += first;
        *largest = same > *largest ? same : *largest;
    }
}

static void groups_equal_children_one_by_one(void **state) {
    (void)state;
    static struct children children;
    for (int i = 0; i < 3000; i++) {
        struct nmc_problem problem = {.stride = {1 + random_below(3), 1 + random_below(3)},
                                      .dilation = {1 + random_below(3), 1 + random_below(3)}};
        int64_t count[NMC_MAP_DIMS], apart[NMC_MAP_DIMS];
        for (int d = 0; d < NMC_MAP_DIMS; d++) {
            problem.size[d] = 1;
            count[d] = random_below(2) ? 1 : 1 + random_below(4);
            apart[d] = 1 + random_below(4);
        }
        for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
            static const int64_t origin[NMC_MAP_AXES];
            struct nmc_spread spread;
            int64_t groups, largest;
            children.count = 0;
            place(&children, &problem, (enum nmc_map_operand)o, count, apart, 0, origin);
            count_groups(&children, &groups, &largest);
            assert_true(nmc_spread_of(&problem, (enum nmc_map_operand)o, count, apart, &spread));
            assert_int_equal(spread.children, children.count);
            assert_int_equal(spread.groups, groups);
            assert_int_equal(spread.largest, largest);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_equal_visits_one_by_one),
        cmocka_unit_test(long_loops_take_no_time),
        cmocka_unit_test(overflow_is_told),
        cmocka_unit_test(groups_equal_children_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
