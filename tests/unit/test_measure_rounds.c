/* The whole sequence of a measurement at a clock that moves only when everybody sleeps: order,
 * warm-up, idle windows, turns, what is left out. The programs are scripted in place of
 * measure_child.c, the energy is a sum of known powers. */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "counter_case.h"
#include "counters/measuring.h"
#include "fakes/fake.h"

#define S UINT64_C(1000000000)

enum { MAIN, SAMPLER, THREADS, MOST_EVENTS = 64, SUBJECTS = 2 };

/* What one program does: jobs of a length, at a power beside idle. */
struct script {
    uint64_t job_ns;
    int64_t extra_mw;
    int fails_at; /* this go, from 1; 0: none */
    int stops_at; /* the user stops during this one */
    int went;
};

static struct world {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t main;
    uint64_t now, wake[THREADS];
    bool asleep[THREADS], there[THREADS], free_run;
    int main_sleeps;
    int64_t idle_mw, swing_mw, extra_mw; /* idle power is plus and minus the swing by turns */
    uint64_t picojoules;
    struct script scripts[SUBJECTS];
    uint64_t channel_pj; /* unit of a channel */
    struct fake *fake;   /* NULL: energy is read from powercap */
    bool no_sampler;
    char events[1024];
    volatile int stop;
} w;

/* ---- time and energy --------------------------------------------------------------------------
 */

static void advance(uint64_t to) {
    const uint64_t turn = S / 2;
    while (w.now < to) {
        uint64_t end = (w.now / turn + 1) * turn < to ? (w.now / turn + 1) * turn : to;
        int64_t swing = w.now / turn % 2 ? w.swing_mw : -w.swing_mw;
        w.picojoules += (uint64_t)(w.idle_mw + w.extra_mw + swing) * (end - w.now);
        w.now = end;
    }
    if (w.fake)
        w.fake->channels[0].total = (int64_t)(w.picojoules / w.channel_pj);
}

static int thread_number(void) {
    int number = pthread_equal(pthread_self(), w.main) ? MAIN : SAMPLER;
    if (!w.there[number]) {
        w.there[number] = true;
        pthread_cond_broadcast(&w.changed);
    }
    return number;
}

static uint64_t now_ns(void *user) {
    (void)user;
    pthread_mutex_lock(&w.lock);
    thread_number();
    uint64_t now = w.now;
    pthread_mutex_unlock(&w.lock);
    return now;
}

/* Of two that sleep, the one that wakes first; at one moment the sampler. */
static void wake_next(void) {
    int next = w.wake[SAMPLER] <= w.wake[MAIN] ? SAMPLER : MAIN;
    advance(w.wake[next]);
    w.asleep[next] = false;
    pthread_cond_broadcast(&w.changed);
}

static void sleep_ns(void *user, uint64_t duration) {
    (void)user;
    pthread_mutex_lock(&w.lock);
    int me = thread_number();
    /* The first sleep is that of opening the counter, before there is a sampler. */
    bool alone = me == MAIN && (w.main_sleeps++ == 0 || w.no_sampler);
    while (me == MAIN && !alone && !w.there[SAMPLER])
        pthread_cond_wait(&w.changed, &w.lock);
    w.wake[me] = w.now + duration;
    w.asleep[me] = true;
    while (w.asleep[me] && !alone && !w.free_run)
        if (w.asleep[MAIN] && w.asleep[SAMPLER])
            wake_next();
        else
            pthread_cond_wait(&w.changed, &w.lock);
    if (me == SAMPLER || alone) /* at the end the sampler alone makes the time go by */
        advance(w.wake[me]);
    w.asleep[me] = false;
    pthread_mutex_unlock(&w.lock);
    sched_yield();
}

static ssize_t read_energy(void *user, const char *path, int fd, char *out, size_t size) {
    (void)user, (void)path, (void)fd;
    pthread_mutex_lock(&w.lock);
    ssize_t length = snprintf(out, size, "%llu\n", (unsigned long long)(w.picojoules / 1000000));
    pthread_mutex_unlock(&w.lock);
    return length;
}

static void set_extra(int64_t mw) {
    pthread_mutex_lock(&w.lock);
    w.extra_mw = mw;
    pthread_mutex_unlock(&w.lock);
}

/* ---- scripted programs ------------------------------------------------------------------------
 */

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...) {
    size_t length = strlen(w.events);
    va_list args;
    va_start(args, format);
    vsnprintf(w.events + length, sizeof w.events - length, format, args);
    va_end(args);
}

bool nmc_measuring_stopped(const struct nmc_measuring *x) {
    return *x->m->options.stop;
}

void nmc_measuring_tell(struct nmc_measuring *x, const char *format, ...) {
    (void)x, (void)format;
}

bool nmc_measuring_ready(struct nmc_measuring *x, size_t subject) {
    note(" %s:ready", x->m->subjects[subject].subject.label);
    x->m->subjects[subject].jobs = 2;
    x->children[subject].pid = getpid();
    return true;
}

bool nmc_measuring_go(struct nmc_measuring *x, size_t subject, int64_t k, struct nmc_round *round) {
    struct script *script = &w.scripts[subject];
    struct nmc_subject_result *s = &x->m->subjects[subject];
    note(" %s%lld", s->subject.label, (long long)k);
    if (++script->went == script->fails_at) {
        s->failure = "it failed";
        return false;
    }
    w.stop = script->went == script->stops_at;
    round->window.from_ns = now_ns(NULL);
    set_extra(script->extra_mw);
    sleep_ns(NULL, (uint64_t)(s->jobs * k) * script->job_ns);
    set_extra(0);
    if (w.fake) {
        w.fake->energy_nj += 3000;
        w.fake->billed += 200;
        w.fake->serviced += 10;
        w.fake->user += 5000;
        w.fake->clients[0].times[0] += 600;
        w.fake->clients[1].times[0] += 200;
        w.fake->clients[2].creator = script->went < 4 ? "pid 2, python" : NULL;
    }
    round->window.to_ns = now_ns(NULL);
    round->decodes = s->jobs * k;
    round->child_wall_ns = (int64_t)(round->window.to_ns - round->window.from_ns);
    return true;
}

/* From here on nothing is measured any more: the sampler need not be waited for. */
void nmc_measuring_leave(struct nmc_measuring *x, size_t subject) {
    note(" %s:leave", x->m->subjects[subject].subject.label);
    pthread_mutex_lock(&w.lock);
    w.free_run = true;
    pthread_cond_broadcast(&w.changed);
    pthread_mutex_unlock(&w.lock);
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static struct counter_case tree;

static int set_up(void **state) {
    *state = NULL;
    case_init(&tree);
    case_zone(&tree, "intel-rapl:0", "package-0", 1, "262143328850");
    w = (struct world){.main = pthread_self(), .now = 7 * S, .idle_mw = 20000};
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.changed, NULL);
    w.scripts[0] = (struct script){.job_ns = S / 64, .extra_mw = 15000};
    w.scripts[1] = (struct script){.job_ns = S / 4, .extra_mw = 5000};
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    case_free(&tree);
    return 0;
}

static neuromc_measurement *measure_with(const char *name, size_t subjects, int rounds,
                                         neuromc_baseline baseline) {
    static const char *const argv[] = {"scripted", NULL};
    static const neuromc_subject both[] = {{"A", argv, true}, {"B", argv, true}};
    static const struct nmc_clock clock = {now_ns, now_ns, sleep_ns, NULL};
    static const struct nmc_value_reader reader = {read_energy, NULL};
    const neuromc_measure_options options = {.counter = name,
                                             .rounds = rounds,
                                             .idle_s = 5,
                                             .sample_s = 0.125,
                                             .limit_s = 600,
                                             .baseline = baseline,
                                             .stop = &w.stop};
    const struct nmc_counter_options counter = {
        .asked = {.sysfs_root = tree.root, .library_root = NMC_TEST_FAKES},
        .clock = &clock,
        .reader = &reader};
    neuromc_measurement *m;
    assert_int_equal(nmc_measure(both, subjects, &options, &counter, &m, tree.diags), NEUROMC_OK);
    return m;
}

static neuromc_measurement *measure(size_t subjects, int rounds, neuromc_baseline baseline) {
    return measure_with("rapl", subjects, rounds, baseline);
}

static double seconds(struct nmc_stretch s) {
    return (double)(s.to_ns - s.from_ns) / 1e9;
}

static bool same(struct nmc_stretch a, struct nmc_stretch b) {
    return a.from_ns == b.from_ns && a.to_ns == b.to_ns;
}

/* Each program is tried out until its window lasts; then idle, A, idle, B, idle, B, idle, A, ... */
static void turns(void **state) {
    (void)state;
    neuromc_measurement *m = measure(2, 3, NEUROMC_BRACKETS);
    assert_string_equal(w.events,
                        " A:ready A1 A37 B:ready B1 B3 A37 B3 B3 A37 A37 B3 A:leave B:leave");
    static const struct {
        int subject, round;
    } order[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}, {1, 2}};
    const struct nmc_stretch *last = NULL;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const struct nmc_subject_result *s = &m->subjects[order[i].subject];
        const struct nmc_round *r = &s->rounds[order[i].round];
        assert_int_equal(s->round_count, 3);
        assert_int_equal(r->decodes, 2 * s->k);
        assert_true(seconds(r->before) == 5 && seconds(r->after) == 5);
        assert_int_equal(r->before.to_ns, r->window.from_ns);
        assert_int_equal(r->window.to_ns, r->after.from_ns);
        assert_true(!last || same(*last, r->before)); /* one idle time serves two rounds */
        last = &r->after;
        /* Of intervals of an eighth of a second, those that are whole. */
        assert_true(r->power.idle_before.intervals >= 39 && r->power.idle_before.intervals <= 40);
        double most = seconds(r->window) * 8;
        assert_true((double)r->power.busy.intervals > most - 2);
        assert_true((double)r->power.busy.intervals <= most);
        double joules = (double)w.scripts[order[i].subject].extra_mw / 1e3 * seconds(r->window);
        assert_true(fabs(r->power.marginal_j - joules) <= 2e-6);
        assert_int_equal(r->power.verdict, NMC_CLEAN); /* idle never moves */
    }
    assert_true(nmc_subject_holds(m, &m->subjects[0]) && nmc_subject_holds(m, &m->subjects[1]));
    neuromc_measurement_free(m);
}

/* The ratio of 15 W to the swing of idle power puts a measurement into each band. */
static void verdicts(void **state) {
    static const struct {
        int64_t swing_mw;
        enum nmc_verdict verdict;
    } bands[] = {
        {1000, NMC_CLEAN}, {3000, NMC_RELATIVE_ONLY}, {7000, NMC_NOISY}, {19000, NMC_UNUSABLE}};
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++) {
        if (i)
            set_up(state);
        w.swing_mw = bands[i].swing_mw;
        w.scripts[0].job_ns = S / 2; /* windows of whole swings */
        neuromc_measurement *m = measure(1, 7, NEUROMC_BRACKETS);
        struct nmc_summary joules;
        assert_true(nmc_summarize_rounds(m, &m->subjects[0], nmc_round_joules, &joules));
        assert_int_equal(nmc_subject_verdict(m, &m->subjects[0]), bands[i].verdict);
        assert_true(bands[i].verdict != NMC_CLEAN || fabs(joules.median / 7.5 - 1) < 0.02);
        neuromc_measurement_free(m);
        if (i + 1 < sizeof bands / sizeof *bands)
            tear_down(state);
    }
}

/* Work that takes nothing: exactly 0 is no sign; a hair below has one, and keeps it. */
static void busy_as_idle(void **state) {
    static const struct {
        int64_t extra_mw;
        enum nmc_verdict verdict;
    } cases[] = {{0, NMC_UNUSABLE}, {-8, NMC_BELOW_NOISE}, {8, NMC_CLEAN}};
    for (int i = 0; i < 3; i++) {
        if (i)
            set_up(state);
        w.scripts[0].extra_mw = cases[i].extra_mw;
        neuromc_measurement *m = measure(1, 3, NEUROMC_BRACKETS);
        for (int r = 0; r < 3; r++) {
            const struct nmc_round *round = &m->subjects[0].rounds[r];
            double joules = (double)cases[i].extra_mw / 1e3 * seconds(round->window);
            assert_true(cases[i].extra_mw ? fabs(round->power.marginal_j - joules) < 2e-6
                                          : round->power.marginal_j == 0);
            assert_int_equal(round->power.verdict, cases[i].verdict);
        }
        assert_int_equal(nmc_subject_holds(m, &m->subjects[0]), cases[i].verdict == NMC_CLEAN);
        neuromc_measurement_free(m);
        if (i < 2)
            tear_down(state);
    }
}

/* Noise decides the sign where there is nothing to measure; the verdict follows the sign. */
static void noise_as_work(void **state) {
    (void)state;
    int below = 0;
    w.swing_mw = 2000;
    w.scripts[0].extra_mw = 0;
    neuromc_measurement *m = measure(1, 12, NEUROMC_BRACKETS);
    for (int r = 0; r < 12; r++) {
        const struct nmc_round_power *p = &m->subjects[0].rounds[r].power;
        assert_int_equal(p->verdict, p->marginal_j < 0 ? NMC_BELOW_NOISE : NMC_UNUSABLE);
        assert_true(p->marginal_j != 0 && fabs(p->ratio) < 1);
        below += p->marginal_j < 0;
    }
    assert_true(below > 0 && below < 12);
    neuromc_measurement_free(m);
}

/* A program that fails takes no more turns; the other goes on, and what was measured is kept. */
static void a_failure(void **state) {
    (void)state;
    w.scripts[1].fails_at = 4; /* its second round: two tries before */
    neuromc_measurement *m = measure(2, 3, NEUROMC_BRACKETS);
    assert_string_equal(w.events,
                        " A:ready A1 A37 B:ready B1 B3 A37 B3 B3 A37 A37 A:leave B:leave");
    assert_int_equal(m->subjects[0].round_count, 3);
    assert_int_equal(m->subjects[1].round_count, 1);
    assert_true(nmc_subject_holds(m, &m->subjects[0]));
    assert_false(nmc_subject_holds(m, &m->subjects[1]));
    /* The idle time behind B's only round is that before A's second. */
    assert_true(same(m->subjects[1].rounds[0].after, m->subjects[0].rounds[1].before));
    neuromc_measurement_free(m);
}

/* A round whose idle time was cut off is not one. */
static void a_stop(void **state) {
    (void)state;
    w.scripts[0].stops_at = 4;
    neuromc_measurement *m = measure(1, 5, NEUROMC_BRACKETS);
    assert_string_equal(w.events, " A:ready A1 A37 A37 A37 A:leave");
    assert_true(m->stopped);
    assert_int_equal(m->subjects[0].round_count, 1);
    assert_false(nmc_subject_holds(m, &m->subjects[0]));
    neuromc_measurement_free(m);
}

/* Idle once, before anything is started, for all rounds; or never. */
static void other_baselines(void **state) {
    neuromc_measurement *m = measure(1, 3, NEUROMC_SEPARATE);
    const struct nmc_round *rounds = m->subjects[0].rounds;
    assert_true(seconds(rounds[0].before) == 5 && same(rounds[0].before, rounds[2].after));
    assert_true(rounds[0].before.to_ns < rounds[0].window.from_ns - S); /* tried out in between */
    assert_true(rounds[1].window.from_ns == rounds[0].window.to_ns);
    assert_int_equal(rounds[2].power.verdict, NMC_CLEAN);
    assert_false(rounds[2].power.has_drift);
    neuromc_measurement_free(m);
    tear_down(state);
    set_up(state);
    m = measure(1, 3, NEUROMC_NO_BASELINE);
    rounds = m->subjects[0].rounds;
    assert_int_equal(rounds[1].power.verdict, NMC_NO_BASELINE);
    assert_false(rounds[1].power.has_marginal);
    neuromc_measurement_free(m);
}

/* ---- counters behind libraries ----------------------------------------------------------------
 */

static void *load_fake(void) {
    struct fake *(*script)(void) = NULL;
    void *library = dlopen(NMC_TEST_FAKES "/libfake.so", RTLD_NOW);
    void *address = library ? dlsym(library, "fake_script") : NULL;
    assert_non_null(address);
    memcpy(&script, &address, sizeof script);
    w.fake = script();
    w.channel_pj = 1000;
    *w.fake =
        (struct fake){.numerator = 1, .denominator = 1, .channel_count = 1, .client_count = 3};
    w.fake->channels[0] = (struct fake_channel){"GPU Energy", "nJ", 0};
    return library;
}

static bool add_text(void *user, const char *data, size_t size) {
    nmc_strbuf_add(user, data, size);
    return true;
}

static void assert_says(const neuromc_measurement *m, const char *json) {
    const neuromc_write_options options = {.format = NEUROMC_JSON};
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    assert_int_equal(neuromc_measurement_write(m, &options, add_text, &text, tree.diags),
                     NEUROMC_OK);
    if (!strstr(text.text, json))
        fail_msg("no %s in %s", json, text.text);
    nmc_strbuf_release(&text);
}

/* A counter of one process is read around each round, once it rests; no idle time is needed. */
static void around_each_round(void **state) {
    (void)state;
    void *library = load_fake();
    w.no_sampler = true;
    neuromc_measurement *m = measure_with("task", 2, 3, NEUROMC_BRACKETS);
    assert_string_equal(w.events,
                        " A:ready A1 A37 B:ready B1 B3 A37 B3 B3 A37 A37 B3 A:leave B:leave");
    for (size_t s = 0; s < 2; s++)
        for (int r = 0; r < 3; r++) {
            const struct nmc_round *round = &m->subjects[s].rounds[r];
            assert_true(round->process_known && fabs(round->process_j - 3e-6) < 1e-15);
            assert_true(fabs(round->process_s - 5e-6) < 1e-15);
            assert_true(fabs(round->part_j[1] - 200e-9) < 1e-15);
            assert_true(fabs(round->part_j[2] - 10e-9) < 1e-15);
            assert_int_equal(round->before.to_ns, 0);
            assert_int_equal(nmc_round_verdict(m, round), NMC_CLEAN);
        }
    assert_says(m, "\"billed_nj\": 200.0");
    assert_says(m, "\"serviced_nj\": 10.0");
    neuromc_measurement_free(m);
    dlclose(library);
}

/* Steps of 1 J at 3 W: 100 of them take 33 s, longer than 50 updates. */
static void coarse_steps(void **state) {
    (void)state;
    void *library = load_fake();
    w.fake->channels[0].unit = "J";
    w.channel_pj = UINT64_C(1000000000000);
    w.picojoules = UINT64_C(950000000000); /* it moves within the first sleep */
    w.idle_mw = 2000;
    w.scripts[0].extra_mw = 1000;
    neuromc_measurement *m = measure_with("ioreport", 1, 2, NEUROMC_BRACKETS);
    for (int r = 0; r < 2; r++) {
        const struct nmc_round *round = &m->subjects[0].rounds[r];
        assert_true(seconds(round->window) > 33 && seconds(round->window) < 60);
        assert_false(round->power.resolution_limited);
        assert_true(round->power.window_j >= 100);
    }
    neuromc_measurement_free(m);
    dlclose(library);
}

/* Beside the energy of a GPU: who used it, under the harness's names. */
static void time_of_the_gpu(void **state) {
    (void)state;
    char own[32], json[128];
    void *library = load_fake();
    snprintf(own, sizeof own, "pid %ld, test", (long)getpid());
    w.fake->clients[0] = (struct fake_client){own, 1, {50, 0}};
    w.fake->clients[1] = (struct fake_client){"pid 1, WindowServer", 1, {0, 0}};
    w.fake->clients[2] = (struct fake_client){"pid 2, python", 1, {9, 0}};
    neuromc_measurement *m = measure_with("ioreport", 1, 3, NEUROMC_BRACKETS);
    const struct nmc_round *rounds = m->subjects[0].rounds;
    assert_int_equal(m->subjects[0].round_count, 3);
    for (int r = 0; r < 3; r++)
        assert_true(fabs(rounds[r].power.marginal_j - 15 * seconds(rounds[r].window)) < 1e-6);
    assert_int_equal(rounds[0].gpu_vanished_count, 0);
    assert_int_equal(rounds[1].gpu_vanished_count, 1); /* during its window */
    assert_int_equal(rounds[2].gpu_vanished_count, 0);
    snprintf(json, sizeof json,
             "\"gpu_time\": {\"child_ns\": 600, \"all_clients_ns\": 800, "
             "\"share\": 0.75, \"vanished\": [2]}");
    assert_says(m, json);
    neuromc_measurement_free(m);
    dlclose(library);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(turns),           TEST(verdicts),     TEST(busy_as_idle),    TEST(noise_as_work),
        TEST(a_failure),       TEST(a_stop),       TEST(other_baselines), TEST(around_each_round),
        TEST(time_of_the_gpu), TEST(coarse_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
