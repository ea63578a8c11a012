/* measure_child.c - speaking to the programs that are measured. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "counters/measuring.h"

static const double slice_s = 0.25, grace_s = 5;
static const int quiet_ms = 20;

bool nmc_measuring_stopped(const struct nmc_measuring *x) {
    return x->m->options.stop && *x->m->options.stop;
}

void nmc_measuring_tell(struct nmc_measuring *x, const char *format, ...) {
    char text[512];
    va_list args;
    if (!x->m->options.progress)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    x->m->options.progress(x->m->options.progress_user, text);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Ends the child; its failure is `what`, how it ended, and its last words. */
static bool fail(struct nmc_measuring *x, size_t subject, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(struct nmc_measuring *x, size_t subject, const char *format, ...) {
    struct nmc_subject_result *s = &x->m->subjects[subject];
    char what[NMC_CHILD_LINE], fate[NMC_CHILD_LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    bool was_running =
        x->children[subject].pid > 0 && !nmc_child_wait(&x->children[subject], slice_s);
    nmc_child_end(&x->children[subject], 0);
    nmc_child_fate(&x->children[subject], fate);
    const char *tail = x->children[subject].tail;
    s->failure = was_running ? nmc_arena_printf(&x->m->arena, "%s%s%s", what,
                                                *tail ? "; its last words: " : "", tail)
                             : nmc_arena_printf(&x->m->arena, "%s; it %s", what, fate);
    if (!s->failure)
        s->failure = "memory ran out";
    return false;
}

/* A line, in slices, so that a stop is noticed. */
static bool hear(struct nmc_measuring *x, size_t subject, const char *waiting_for,
                 char line[NMC_CHILD_LINE]) {
    double left = x->m->options.limit_s;
    char number[NMC_NUMBER_SIZE];
    while (left > 0 && !nmc_measuring_stopped(x)) {
        switch (nmc_child_hear(&x->children[subject], fmin(left, slice_s), line)) {
        case NMC_HEARD_LINE: return true;
        case NMC_HEARD_END: return fail(x, subject, "no \"%s\" came", waiting_for);
        case NMC_HEARD_TOO_MUCH:
            return fail(x, subject, "a line of more than %d characters instead of \"%s\"",
                        NMC_CHILD_LINE, waiting_for);
        default: break;
        }
        left -= slice_s;
    }
    if (nmc_measuring_stopped(x))
        return fail(x, subject, "stopped while waiting for \"%s\"", waiting_for);
    nmc_number_format(number, x->m->options.limit_s);
    return fail(x, subject, "no \"%s\" within %s s", waiting_for, number);
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *next_word(const char **at, size_t *length) {
    *at += strspn(*at, " \t");
    const char *word = *at;
    *length = strcspn(word, " \t");
    *at += *length;
    return word;
}

static bool take_word(const char **at, const char *wanted) {
    size_t length;
    const char *word = next_word(at, &length);
    return length == strlen(wanted) && memcmp(word, wanted, length) == 0;
}

static bool take_count(const char **at, int64_t *out) {
    size_t length;
    const char *word = next_word(at, &length);
    return nmc_integer_parse(word, length, out) && *out >= 0;
}

/* ---- the protocol ---------------------------------------------------------------------------- */

/* argv of posix_spawn is not const for reasons of history; it is not written to. */
static char *const *argv_of(const neuromc_subject *subject) {
    union {
        const char *const *given;
        char *const *taken;
    } argv = {subject->argv};
    return argv.taken;
}

static bool start(struct nmc_measuring *x, size_t subject, bool talks) {
    struct nmc_subject_result *s = &x->m->subjects[subject];
    neuromc_diags *said = neuromc_diags_new();
    neuromc_status status =
        nmc_child_start(&x->children[subject], argv_of(&s->subject), talks, said);
    if (status != NEUROMC_OK) {
        const char *why =
            said && neuromc_diags_count(said) ? neuromc_diags_at(said, 0)->message : "no memory";
        s->failure = nmc_arena_printf(&x->m->arena, "%s %s", s->subject.argv[0], why);
        if (!s->failure)
            s->failure = "memory ran out";
    }
    neuromc_diags_free(said);
    return status == NEUROMC_OK;
}

bool nmc_measuring_ready(struct nmc_measuring *x, size_t subject) {
    struct nmc_subject_result *s = &x->m->subjects[subject];
    char line[NMC_CHILD_LINE];
    s->jobs = 1;
    if (!s->subject.talks)
        return true;
    if (!start(x, subject, true) || !hear(x, subject, "ready", line))
        return false;
    const char *at = line;
    if (!take_word(&at, "ready") || !take_count(&at, &s->jobs) || s->jobs < 1)
        return fail(x, subject, "\"%.80s\" instead of \"ready JOBS\"", line);
    return true;
}

static bool fail_unasked(struct nmc_measuring *x, size_t subject) {
    struct nmc_child *child = &x->children[subject];
    int length = (int)strnlen(child->line, child->length);
    const char *end = memchr(child->line, '\n', (size_t)length);
    return fail(x, subject, "\"%.*s\" came unasked",
                end ? (int)fmin((double)(end - child->line), 80) : (int)fmin(length, 80),
                child->line);
}

/* An answer to an earlier question, late, gives itself away: nobody works for longer than the
 * window lasted. Nor for less than half of it, for then the energy of the window is not that of the
 * work. With room for another clock, and for processors that were busy with others. */
static bool is_possible(const struct nmc_round *round) {
    const double rate = 1.1, offset_ns = 50e6, part = 0.5, delay_ns = 300e6;
    double window_ns = (double)(round->window.to_ns - round->window.from_ns);
    double worked_ns = (double)round->child_wall_ns;
    return worked_ns <= window_ns * rate + offset_ns && worked_ns >= window_ns * part - delay_ns;
}

static bool go_talking(struct nmc_measuring *x, size_t subject, int64_t k,
                       struct nmc_round *round) {
    struct nmc_subject_result *s = &x->m->subjects[subject];
    char line[NMC_CHILD_LINE];
    if (nmc_child_has_said(&x->children[subject], quiet_ms)) /* it would pass for the answer */
        return fail_unasked(x, subject);
    snprintf(line, sizeof line, "go %lld\n", (long long)k);
    round->window.from_ns = x->clock->monotonic_ns(x->clock->user);
    if (!nmc_child_tell(&x->children[subject], line))
        return fail(x, subject, "it does not listen");
    if (!hear(x, subject, "done", line))
        return false;
    round->window.to_ns = x->clock->monotonic_ns(x->clock->user);
    const char *at = line;
    if (!take_word(&at, "done") || !take_count(&at, &round->decodes) ||
        !take_count(&at, &round->child_wall_ns))
        return fail(x, subject, "\"%.80s\" instead of \"done N WALL_NS\"", line);
    if (round->decodes != s->jobs * k)
        return fail(x, subject, "it did %lld jobs, %lld times %lld were asked for",
                    (long long)round->decodes, (long long)s->jobs, (long long)k);
    if (!is_possible(round))
        return fail(x, subject, "it says it worked for %lld ns, in a window of %lld ns",
                    (long long)round->child_wall_ns,
                    (long long)(round->window.to_ns - round->window.from_ns));
    at += strspn(at, " \t");
    round->note = *at ? nmc_arena_strdup(&x->m->arena, at) : NULL;
    return true;
}

static double now_s(const struct nmc_measuring *x) {
    return (double)x->clock->monotonic_ns(x->clock->user) / 1e9;
}

/* The limit is that of a round: a million short runs must not take for ever either. */
static bool too_slow(struct nmc_measuring *x, size_t subject, int64_t done, int64_t k) {
    char limit[NMC_NUMBER_SIZE], what[128] = "it did not end";
    nmc_number_format(limit, x->m->options.limit_s);
    if (done)
        snprintf(what, sizeof what, "%lld of %lld runs ended", (long long)done, (long long)k);
    if (x->children[subject].pid > 0)
        return fail(x, subject, "%s within %s s", what, limit);
    const char *failure = nmc_arena_printf(&x->m->arena, "%s within %s s", what, limit);
    x->m->subjects[subject].failure = failure ? failure : "memory ran out";
    return false;
}

/* Whether the program ends till then. */
static bool wait_for_run(struct nmc_measuring *x, size_t subject, double until_s) {
    bool ended = false;
    for (double left; !ended && (left = until_s - now_s(x)) > 0 && !nmc_measuring_stopped(x);)
        ended = nmc_child_wait(&x->children[subject], fmin(left, slice_s));
    return ended;
}

static bool go_running(struct nmc_measuring *x, size_t subject, int64_t k,
                       struct nmc_round *round) {
    struct nmc_child *child = &x->children[subject];
    double until_s = now_s(x) + x->m->options.limit_s;
    round->window.from_ns = x->clock->monotonic_ns(x->clock->user);
    for (int64_t i = 0; i < k; i++) {
        if (i && now_s(x) >= until_s)
            return too_slow(x, subject, i, k);
        if (!start(x, subject, false))
            return false;
        if (!wait_for_run(x, subject, until_s))
            return nmc_measuring_stopped(x) ? fail(x, subject, "stopped")
                                            : too_slow(x, subject, i, k);
        nmc_child_end(child, 0);
        if (child->status != 0)
            return fail(x, subject, "it failed");
    }
    round->window.to_ns = x->clock->monotonic_ns(x->clock->user);
    round->decodes = k;
    round->child_wall_ns = (int64_t)(round->window.to_ns - round->window.from_ns);
    return true;
}

bool nmc_measuring_go(struct nmc_measuring *x, size_t subject, int64_t k, struct nmc_round *round) {
    return x->m->subjects[subject].subject.talks ? go_talking(x, subject, k, round)
                                                 : go_running(x, subject, k, round);
}

void nmc_measuring_leave(struct nmc_measuring *x, size_t subject) {
    if (x->children[subject].pid > 0)
        nmc_child_tell(&x->children[subject], "exit\n");
    nmc_child_end(&x->children[subject], grace_s);
}
