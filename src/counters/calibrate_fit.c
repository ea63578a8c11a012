#include "counters/calibrate_fit.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "counters/nnls.h"

enum { N = NMC_FIT_PARTS };

const char *const nmc_fit_names[NMC_FIT_PARTS] = {"mac",  "arithmetic", "dram",          "noc",
                                                  "sram", "reg",        "constant_power"};

/* Known within 5 % when noise is 1 %. */
static const double most_spread = 5;

/* Parts in groups that share a factor; a group is named by its first part. */
struct work {
    const struct nmc_fit_point *points;
    int rows;
    int group[N]; /* of each part; -1: absent or left out */
    int leads[N]; /* the groups' first parts, in order */
    int columns;
    double *a, *b; /* rows x columns and rows, each row divided by what was measured */
    double x[N], spread[N];
};

/* Student's t at 97.5 %, by degrees of freedom. */
static double student(int degrees) {
    static const double table[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306,
                                   2.2622,  2.2281, 2.201,  2.1788, 2.1604, 2.1448, 2.1314, 2.1199,
                                   2.1098,  2.1009, 2.093,  2.086,  2.0796, 2.0739, 2.0687, 2.0639,
                                   2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
    int known = (int)(sizeof table / sizeof *table);
    if (degrees < 1)
        return HUGE_VAL;
    return degrees <= known ? table[degrees - 1] : 1.96 + 2.5 / degrees;
}

static void find_columns(struct work *w) {
    w->columns = 0;
    for (int p = 0; p < N; p++)
        if (w->group[p] == p)
            w->leads[w->columns++] = p;
    for (int i = 0; i < w->rows; i++) {
        double *row = w->a + (size_t)i * (size_t)w->columns;
        for (int j = 0; j < w->columns; j++) {
            row[j] = 0;
            for (int p = 0; p < N; p++)
                if (w->group[p] == w->leads[j])
                    row[j] += w->points[i].parts[p] / w->points[i].joules;
        }
        w->b[i] = 1;
    }
}

static bool solve(struct work *w) {
    bool use[N];
    find_columns(w);
    for (int j = 0; j < w->columns; j++)
        use[j] = true;
    return w->columns == 0 || (nmc_nnls(w->a, w->b, w->rows, w->columns, w->x) &&
                               nmc_nnls_spread(w->a, w->rows, w->columns, use, w->spread));
}

/* How far a column's factor is known, in % at 1 % of noise and 95 %. One at zero counts by what it
 * would add to the measurements if it were as large as its spread. */
static double vagueness(const struct work *w, int column) {
    double wide = student(w->rows - w->columns) * sqrt(w->spread[column]);
    return w->x[column] > 0 ? wide / w->x[column] : isinf(wide) ? HUGE_VAL : 0;
}

/* The group that is known worst, as a column; -1 if all are known well enough or `kept`. */
static int worst(const struct work *w, const bool kept[N]) {
    double most = most_spread;
    int which = -1;
    for (int j = 0; j < w->columns; j++)
        if (!kept[w->leads[j]] && vagueness(w, j) > most) {
            most = vagueness(w, j);
            which = j;
        }
    return which;
}

static double cosine(const struct work *w, int j, int k) {
    double jk = 0, jj = 0, kk = 0;
    for (int i = 0; i < w->rows; i++) {
        const double *row = w->a + (size_t)i * (size_t)w->columns;
        jk += row[j] * row[k];
        jj += row[j] * row[j];
        kk += row[k] * row[k];
    }
    return jj > 0 && kk > 0 ? jk / sqrt(jj * kk) : 0;
}

static void merge(struct work *w, int one, int other) {
    int first = one < other ? one : other, second = one < other ? other : one;
    for (int p = 0; p < N; p++)
        if (w->group[p] == second)
            w->group[p] = first;
}

/* The residual of a measurement. */
static double rest_of(const struct work *w, int i) {
    double rest = w->b[i];
    for (int j = 0; j < w->columns; j++)
        rest -= w->a[(size_t)i * (size_t)w->columns + (size_t)j] * w->x[j];
    return rest;
}

static double squares(const struct work *w) {
    double sum = 0;
    for (int i = 0; i < w->rows; i++)
        sum += rest_of(w, i) * rest_of(w, i);
    return sum;
}

/* Gives two groups one factor; constant power, which has no price to keep a ratio to, leaves. */
static void unite(struct work *w, int one, int other) {
    if (one == NMC_FIT_POWER || other == NMC_FIT_POWER)
        w->group[NMC_FIT_POWER] = -1;
    else
        merge(w, one, other);
}

/* Whether the measurements speak against what made a fit worse: at 95 %, noise being 1 % or more.
 */
static bool is_contradicted(const struct work *after, const struct work *before,
                            double squares_before) {
    int degrees = before->rows - before->columns;
    double t = student(degrees), noise = 1e-4;
    if (degrees > 0 && squares_before / degrees > noise)
        noise = squares_before / degrees;
    return squares(after) > squares_before + t * t * noise;
}

/* Joins a group with the one it is most alike of those that it may share a factor with. Constant
 * power leaves only where no two prices can be joined: it may be all there is. False: memory ran
 * out. */
static bool join(struct work *w, int bad, bool *joined) {
    const struct work before = *w;
    const double never = -2, at_last = -1; /* cosines of what is not negative are not either */
    double squares_before = squares(w), alike[N] = {0};
    for (int j = 0; j < w->columns; j++)
        alike[j] = j == bad ? never : w->leads[j] == NMC_FIT_POWER ? at_last : cosine(w, bad, j);
    *joined = false;
    for (int tries = 1; tries < before.columns && !*joined; tries++) {
        int like = 0;
        for (int j = 1; j < before.columns; j++)
            like = alike[j] > alike[like] ? j : like;
        alike[like] = never;
        unite(w, before.leads[bad], before.leads[like]);
        if (!solve(w))
            return false;
        *joined = !is_contradicted(w, &before, squares_before);
        if (!*joined)
            memcpy(w->group, before.group, sizeof w->group);
    }
    return *joined || solve(w);
}

/* A MAC is priced by the primitives of other arithmetic: at a price of 0 it would have none. Then
 * the two share a factor, or arithmetic is left as it was. False: nothing to be done. */
static bool join_free_arithmetic(struct work *w) {
    int mac = w->group[NMC_FIT_MAC], other = w->group[NMC_FIT_OTHER], column = 0;
    if (other < 0 || other == mac)
        return false;
    while (w->leads[column] != other)
        column++;
    if (w->x[column] > 0)
        return false;
    if (mac >= 0)
        merge(w, mac, other);
    else
        w->group[NMC_FIT_OTHER] = -1;
    return true;
}

/* Joins what the measurements do not tell apart. False: memory ran out. */
static bool settle(struct work *w) {
    bool kept[N] = {false}, fine = solve(w);
    while (fine) {
        int bad = worst(w, kept);
        if (bad < 0 && !join_free_arithmetic(w))
            return true;
        if (bad < 0) {
            fine = solve(w);
        } else {
            int lead = w->leads[bad];
            bool joined;
            fine = join(w, bad, &joined);
            kept[lead] |= !joined;
        }
    }
    return false;
}

static bool is_present(const struct work *w, int part) {
    for (int i = 0; i < w->rows; i++)
        if (w->points[i].parts[part] > 0)
            return true;
    return false;
}

static void fill_factor(const struct work *w, int part, const struct nmc_fit *fit,
                        struct nmc_fit_factor *out) {
    int lead = w->group[part], column = 0;
    *out = (struct nmc_fit_factor){.with = (enum nmc_fit_part)part};
    if (lead < 0) {
        out->state = is_present(w, part) ? NMC_FIT_NOT_TOLD : NMC_FIT_ABSENT;
        return;
    }
    while (w->leads[column] != lead)
        column++;
    double half = student(fit->degrees) * fit->deviation * sqrt(w->spread[column]);
    bool known = fit->degrees > 0 && half >= 0; /* not if spread is without bound */
    out->value = w->x[column];
    out->low = known && out->value > half ? out->value - half : 0;
    out->high = known ? out->value + half : HUGE_VAL;
    out->with = (enum nmc_fit_part)lead;
    out->rough = vagueness(w, column) > most_spread;
    out->state = out->value > 0 ? NMC_FIT_TOLD : NMC_FIT_ZERO;
    for (int p = 0; p < N; p++)
        if (p != part && w->group[p] == lead)
            out->state = NMC_FIT_TIED;
}

bool nmc_fit_prices(const struct nmc_fit_point *points, size_t count, struct nmc_fit *fit,
                    double *rest) {
    struct work w = {.points = points, .rows = (int)count};
    *fit = (struct nmc_fit){0};
    if (count < 1 || count > INT_MAX / N)
        return false;
    for (int p = 0; p < N; p++)
        w.group[p] = is_present(&w, p) ? p : -1;
    w.a = nmc_malloc(count * N * sizeof *w.a);
    w.b = nmc_malloc(count * sizeof *w.b);
    bool fine = w.a && w.b && settle(&w);
    if (fine) {
        for (int i = 0; i < w.rows; i++)
            rest[i] = rest_of(&w, i);
        fit->degrees = w.rows - w.columns;
        fit->deviation = fit->degrees > 0 ? sqrt(squares(&w) / fit->degrees) : 0;
        for (int p = 0; p < N; p++)
            fill_factor(&w, p, fit, &fit->factors[p]);
    }
    nmc_free(w.a);
    nmc_free(w.b);
    return fine;
}
