/* law_curve.c - the value of a law at a size and a technology. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "model/law.h"

bool nmc_law_follows(const struct nmc_law *law, enum nmc_follows what) {
    for (int i = 0; i < law->follows_count; i++)
        if (law->follows[i] == what)
            return true;
    return false;
}

static double given(const struct nmc_law_point *point, enum nmc_priced what) {
    if (point->factor > 0)
        return point->factor;
    switch (what) {
    case NMC_PRICED_READ: return point->read_cost_pj;
    case NMC_PRICED_WRITE: return point->write_cost_pj;
    case NMC_PRICED_AREA: return point->area_mm2;
    default: return 0;
    }
}

bool nmc_law_gives(const struct nmc_law *law, enum nmc_priced what) {
    return law->exponent != 0 || (law->point_count > 0 && given(&law->points[0], what) > 0);
}

/* Which number of a point, for accesses of which width. */
struct column {
    enum nmc_priced what;
    int64_t width_bits;
};

static double value_at(const struct nmc_law_point *point, const struct column *column) {
    double value = given(point, column->what);
    bool scaled = point->width_bits > 0 && column->what != NMC_PRICED_AREA && point->factor <= 0;
    return scaled ? value * (double)column->width_bits / (double)point->width_bits : value;
}

/* A law governs many prices; it says the same thing once. */
static bool was_said(const neuromc_diags *diags, const char *text) {
    for (size_t i = 0; diags && i < neuromc_diags_count(diags); i++)
        if (strcmp(neuromc_diags_at(diags, i)->message, text) == 0)
            return true;
    return false;
}

/* False after reporting: x lies too far out. */
static bool in_reach(const struct nmc_law *law, const char *unit, double x, double least,
                     double most, neuromc_diags *diags) {
    if (x >= least && x <= most)
        return true;
    char at[NMC_NUMBER_SIZE], from[NMC_NUMBER_SIZE], to[NMC_NUMBER_SIZE], beyond[NMC_NUMBER_SIZE];
    nmc_number_format(at, x);
    nmc_number_format(from, least);
    nmc_number_format(to, most);
    nmc_number_format(beyond, law->beyond);
    char where[128], text[256];
    snprintf(where, sizeof where, "laws.%s", law->name);
    bool near = x * law->beyond >= least && x <= most * law->beyond;
    int used = snprintf(text, sizeof text, "%s%s %s lies outside of its points, %s to %s",
                        near ? "extrapolated: " : "", at, unit, from, to);
    if (!near && law->beyond > 1)
        snprintf(text + used, sizeof text - (size_t)used, ", by more than a factor of %s", beyond);
    const struct nmc_place place = {.where = where};
    if (was_said(diags, text))
        return near;
    if (near)
        nmc_warning(diags, place, NULL, "%s", text);
    else
        nmc_error(diags, NEUROMC_BAD_INPUT, place,
                  "its key `beyond` says how far outside of its points it may be asked", "%s",
                  text);
    return near;
}

/* y at x on the line through two points in log-log; exact at either. */
static double between(double ax, double ay, double bx, double by, double x) {
    if (x == ax || ay == by)
        return ay;
    if (x == bx)
        return by;
    double t = (log(x) - log(ax)) / (log(bx) - log(ax));
    return exp(log(ay) + t * (log(by) - log(ay)));
}

/* Over size, among the points of one technology. */
static bool over_size(const struct nmc_law *law, int technology, const struct column *column,
                      double size, double *out, neuromc_diags *diags) {
    const struct nmc_law_point *p = &law->points[law->starts[technology]];
    int count = law->starts[technology + 1] - law->starts[technology], i = 0;
    if (!in_reach(law, "bits", size, (double)p[0].size_bits, (double)p[count - 1].size_bits, diags))
        return false;
    while (i + 2 < count && (double)p[i + 1].size_bits < size)
        i++;
    const struct nmc_law_point *a = &p[i], *b = &p[count > 1 ? i + 1 : i];
    *out = between((double)a->size_bits, value_at(a, column), (double)b->size_bits,
                   value_at(b, column), size);
    return true;
}

/* The curve over size at one technology, or the one point that it has. */
static bool at_technology(const struct nmc_law *law, int technology, const struct column *column,
                          double size, double *out, neuromc_diags *diags) {
    if (nmc_law_follows(law, NMC_FOLLOWS_SIZE))
        return over_size(law, technology, column, size, out, diags);
    *out = value_at(&law->points[law->starts[technology]], column);
    return true;
}

static bool over_technology(const struct nmc_law *law, const struct column *column, double size,
                            double technology_nm, double *out, neuromc_diags *diags) {
    int count = law->technology_count, i = 0;
    const struct nmc_law_point *points = law->points;
    double least = points[0].technology_nm, most = points[law->starts[count - 1]].technology_nm;
    if (!in_reach(law, "nm", technology_nm, least, most, diags))
        return false;
    while (i + 2 < count && points[law->starts[i + 1]].technology_nm < technology_nm)
        i++;
    int j = count > 1 ? i + 1 : i;
    double ax = points[law->starts[i]].technology_nm, bx = points[law->starts[j]].technology_nm;
    double ay = 1, by = 1;
    if (technology_nm != bx && !at_technology(law, i, column, size, &ay, diags))
        return false;
    if (technology_nm != ax && !at_technology(law, j, column, size, &by, diags))
        return false;
    *out = technology_nm == bx ? by : between(ax, ay, bx, by, technology_nm);
    return true;
}

bool nmc_law_curve(const struct nmc_law *law, enum nmc_priced what, double size,
                   double technology_nm, int64_t width_bits, double *out, neuromc_diags *diags) {
    bool by_technology = nmc_law_follows(law, NMC_FOLLOWS_TECHNOLOGY);
    const struct column column = {what, width_bits};
    if (law->exponent != 0) {
        *out = pow(by_technology ? technology_nm : size, law->exponent);
        return true;
    }
    return by_technology ? over_technology(law, &column, size, technology_nm, out, diags)
                         : over_size(law, 0, &column, size, out, diags);
}
