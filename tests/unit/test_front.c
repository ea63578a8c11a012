/* The Pareto front in bounded memory: exact up to its cap, beyond it points of the front that do
 * not depend on the order in which they come or on how they are split. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "sweep/best.h"
#include "sweep/sayings.h"

static uint64_t random_state;

static uint64_t random_below(uint64_t n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (random_state >> 11) % n;
}

enum { COUNT = 1500 };
static struct nmc_best points[COUNT];

/* Near a simplex, so that many points are on the front; values repeat, some are negative. */
static void draw_points(int objectives, uint64_t seed) {
    random_state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (int i = 0; i < COUNT; i++) {
        double rest = 1000;
        points[i] = (struct nmc_best){.index = i};
        for (int o = 0; o < objectives - 1; o++) {
            points[i].values[o] = (double)random_below((uint64_t)rest + 1);
            rest -= points[i].values[o];
        }
        points[i].values[objectives - 1] = rest + (double)random_below(3);
        for (int o = 0; seed % 2 && o < objectives; o++)
            points[i].values[o] -= 500;
    }
}

static bool beats(const struct nmc_best *a, const struct nmc_best *b, int objectives) {
    bool better = false;
    for (int o = 0; o < objectives; o++) {
        if (a->values[o] > b->values[o])
            return false;
        better |= a->values[o] < b->values[o];
    }
    return better || a->index < b->index;
}

static bool on_front(const struct nmc_best *point, int objectives) {
    for (int i = 0; i < COUNT; i++)
        if (i != point->index && beats(&points[i], point, objectives))
            return false;
    return true;
}

static void shuffle(int *order) {
    for (int i = COUNT - 1; i > 0; i--) {
        int j = (int)random_below((uint64_t)i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static struct nmc_front make_front(const int *order, int from, int to, int objectives, size_t cap) {
    struct nmc_front front = {.cap = cap, .objectives = objectives};
    for (int i = from; i < to; i++)
        assert_true(nmc_front_offer(&front, &points[order[i]]));
    return front;
}

static void assert_same(struct nmc_front *a, struct nmc_front *b) {
    nmc_front_sort(a);
    nmc_front_sort(b);
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        assert_int_equal(a->items[i].index, b->items[i].index);
}

static void check(int objectives, size_t cap, uint64_t seed) {
    int order[COUNT];
    draw_points(objectives, seed);
    for (int i = 0; i < COUNT; i++)
        order[i] = i;
    struct nmc_front one = make_front(order, 0, COUNT, objectives, cap);
    assert_true(one.count > 0 && one.count <= cap);
    for (size_t i = 0; i < one.count; i++)
        assert_true(on_front(&one.items[i], objectives));
    for (int round = 0; round < 5; round++) {
        shuffle(order);
        int cut = (int)random_below(COUNT + 1);
        struct nmc_front a = make_front(order, 0, cut, objectives, cap),
                         b = make_front(order, cut, COUNT, objectives, cap);
        assert_true(nmc_front_merge(&a, &b));
        /* Near the cap, a part may need wider boxes than the whole; then both have those. */
        struct nmc_front wide = {
            .cap = cap, .objectives = objectives, .dropped_bits = a.dropped_bits};
        assert_true(a.dropped_bits >= one.dropped_bits);
        assert_true(nmc_front_merge(&wide, &one));
        assert_same(&a, &wide);
        nmc_free(a.items);
        nmc_free(b.items);
        nmc_free(wide.items);
    }
    nmc_free(one.items);
}

static void a_front_below_its_cap_is_exact(void **state) {
    (void)state;
    for (int objectives = 1; objectives <= 4; objectives++) {
        int order[COUNT];
        size_t members = 0;
        draw_points(objectives, 3);
        for (int i = 0; i < COUNT; i++)
            order[i] = COUNT - 1 - i;
        struct nmc_front front = make_front(order, 0, COUNT, objectives, COUNT);
        for (int i = 0; i < COUNT; i++)
            members += on_front(&points[i], objectives);
        assert_int_equal(front.dropped_bits, 0);
        assert_int_equal(front.count, members);
        for (size_t i = 0; i < front.count; i++)
            assert_true(on_front(&front.items[i], objectives));
        nmc_free(front.items);
    }
}

static void beyond_the_cap_order_and_splitting_do_not_matter(void **state) {
    (void)state;
    static const size_t caps[] = {20, 40, 60, 100, 200};
    for (int objectives = 2; objectives <= 4; objectives++)
        for (size_t c = 0; c < sizeof caps / sizeof *caps; c++)
            for (uint64_t seed = 1; seed <= 4; seed++)
                check(objectives, caps[c], seed);
}

static void sayings_that_stay_do_not_depend_on_order(void **state) {
    (void)state;
    static const char letters[] = "qwertyuiop";
    static const char *const stay[] = {"e", "i", "o", "p"};
    struct nmc_sayings parts[2] = {{.most = 4}, {.most = 4}}, *s = &parts[0];
    for (int i = 0; i < 30; i++) {
        char text[2] = {letters[i % 10], '\0'};
        assert_true(nmc_sayings_add(&parts[i / 7 % 2], text, 1, i));
    }
    assert_true(nmc_sayings_merge(s, &parts[1]));
    assert_int_equal(s->count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(s->items[i].count, 3);
        assert_string_equal(s->items[i].text, stay[i]);
    }
    assert_int_equal(s->other_count, 18);
    assert_int_equal(s->other_first, 0);
    nmc_sayings_by_point(s);
    assert_string_equal(s->items[0].text, "e");
    assert_string_equal(s->items[3].text, "p");
    nmc_sayings_release(&parts[0]);
    nmc_sayings_release(&parts[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_front_below_its_cap_is_exact),
        cmocka_unit_test(beyond_the_cap_order_and_splitting_do_not_matter),
        cmocka_unit_test(sayings_that_stay_do_not_depend_on_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
