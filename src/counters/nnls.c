#include "counters/nnls.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { N = NMC_NNLS_COLUMNS };

/* What of a column is not in the span of the others that counts as nothing, as a share. */
static const double nothing = 1e-7;

/* Columns in use, orthonormal (modified Gram-Schmidt, twice), and the triangle that makes them. */
struct factor {
    double *q; /* column by column, of `rows` */
    double r[N][N];
    int column[N];
    int count;
    bool dependent[N];
};

static double dot(const double *x, const double *y, int rows) {
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += x[i] * y[i];
    return sum;
}

static void take_out(double *x, const double *q, double share, int rows) {
    for (int i = 0; i < rows; i++)
        x[i] -= share * q[i];
}

static void add_column(struct factor *f, const double *a, int rows, int columns, int j) {
    int k = f->count++;
    double *x = f->q + (size_t)k * (size_t)rows;
    for (int i = 0; i < rows; i++)
        x[i] = a[(size_t)i * (size_t)columns + (size_t)j];
    double before = sqrt(dot(x, x, rows));
    for (int pass = 0; pass < 2; pass++)
        for (int p = 0; p < k; p++) {
            const double *q = f->q + (size_t)p * (size_t)rows;
            double share = dot(q, x, rows);
            f->r[p][k] += share;
            take_out(x, q, share, rows);
        }
    double left = sqrt(dot(x, x, rows));
    f->column[k] = j;
    f->dependent[k] = !(left > nothing * before);
    f->r[k][k] = f->dependent[k] ? 0 : left;
    for (int i = 0; i < rows; i++)
        x[i] = f->dependent[k] ? 0 : x[i] / left;
}

static bool factor_init(struct factor *f, const double *a, int rows, int columns, const bool *use) {
    memset(f, 0, sizeof *f);
    if (columns > N || columns < 1 || rows < 1)
        return false;
    f->q = nmc_malloc((size_t)rows * (size_t)columns * sizeof *f->q);
    for (int j = 0; f->q && j < columns; j++)
        if (use[j])
            add_column(f, a, rows, columns, j);
    return f->q != NULL;
}

/* Least squares over the factor's columns; a dependent one gets 0. */
static void solve(const struct factor *f, const double *b, int rows, double *x) {
    double y[N] = {0};
    for (int k = f->count - 1; k >= 0; k--) {
        double sum = dot(f->q + (size_t)k * (size_t)rows, b, rows);
        for (int p = k + 1; p < f->count; p++)
            sum -= f->r[k][p] * y[p];
        y[k] = f->dependent[k] ? 0 : sum / f->r[k][k];
        x[f->column[k]] = y[k];
    }
}

/* ---- the active set ---- */

struct fit {
    const double *a, *b;
    int rows, columns;
    bool use[N];
    double *rest; /* b - a x */
};

static void find_rest(const struct fit *f, const double *x) {
    for (int i = 0; i < f->rows; i++) {
        const double *row = f->a + (size_t)i * (size_t)f->columns;
        f->rest[i] = f->b[i] - dot(row, x, f->columns);
    }
}

/* The unused column that would take most off the rest, or -1. */
static int best_unused(const struct fit *f) {
    double size = sqrt(dot(f->b, f->b, f->rows)), most = 0;
    int best = -1;
    for (int j = 0; j < f->columns; j++) {
        double slope = 0, length = 0;
        for (int i = 0; i < f->rows; i++) {
            double value = f->a[(size_t)i * (size_t)f->columns + (size_t)j];
            slope += value * f->rest[i];
            length += value * value;
        }
        slope = length > 0 ? slope / sqrt(length) : 0;
        if (!f->use[j] && slope > most && slope > 1e-12 * size) {
            most = slope;
            best = j;
        }
    }
    return best;
}

/* From x towards z until the first coefficient is 0; that one leaves. False: z was reached. */
static bool step_back(struct fit *f, double *x, const double *z) {
    double least = 1;
    int leaves = -1;
    for (int j = 0; j < f->columns; j++)
        if (f->use[j] && z[j] <= 0) {
            double share = x[j] / (x[j] - z[j]);
            if (leaves < 0 || share < least) {
                least = x[j] > z[j] ? share : 0;
                leaves = j;
            }
        }
    for (int j = 0; j < f->columns; j++)
        x[j] = leaves < 0 ? z[j] : x[j] + least * (z[j] - x[j]);
    if (leaves < 0)
        return false;
    x[leaves] = 0;
    f->use[leaves] = false;
    return true;
}

static bool settle(struct fit *f, double *x) {
    bool again = true;
    while (again) {
        double z[N] = {0};
        struct factor factor;
        if (!factor_init(&factor, f->a, f->rows, f->columns, f->use))
            return false;
        solve(&factor, f->b, f->rows, z);
        nmc_free(factor.q);
        again = step_back(f, x, z);
    }
    return true;
}

bool nmc_nnls(const double *a, const double *b, int rows, int columns, double *x) {
    struct fit f = {.a = a, .b = b, .rows = rows, .columns = columns};
    if (columns > N || columns < 1 || rows < 1)
        return false;
    f.rest = nmc_malloc((size_t)rows * sizeof *f.rest);
    if (!f.rest)
        return false;
    memset(x, 0, (size_t)columns * sizeof *x);
    bool fine = true;
    /* Each turn takes in one column; more turns than this would go in circles on round-off. */
    for (int turn = 0; fine && turn < 3 * columns; turn++) {
        find_rest(&f, x);
        int best = best_unused(&f);
        if (best < 0)
            break;
        f.use[best] = true;
        fine = settle(&f, x);
    }
    nmc_free(f.rest);
    return fine;
}

bool nmc_nnls_spread(const double *a, int rows, int columns, const bool *use, double *out) {
    memset(out, 0, (size_t)columns * sizeof *out);
    for (int j = 0; j < columns; j++) {
        bool others[N];
        struct factor f;
        if (columns > N || !use[j])
            continue;
        /* The column comes last: what of it is its own is then the triangle's last corner. */
        memcpy(others, use, (size_t)columns * sizeof *others);
        others[j] = false;
        if (!factor_init(&f, a, rows, columns, others))
            return false;
        add_column(&f, a, rows, columns, j);
        double own = f.r[f.count - 1][f.count - 1];
        out[j] = own > 0 ? 1 / (own * own) : HUGE_VAL;
        nmc_free(f.q);
    }
    return columns <= N;
}
