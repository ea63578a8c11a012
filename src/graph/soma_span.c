/*
 * soma_span.c - which values a tensor of a neuron can have. A comparison gives 0 and 1, a Sign -1
 * and 1, a Floor whole numbers; limits and sums with constants follow them to the output, which
 * is a spike tensor if 0 and 1 are all that is left.
 */
#include <math.h>
#include <string.h>

#include "graph/infer.h"
#include "graph/soma_find.h"

static struct nmc_span any(void) {
    return (struct nmc_span){-INFINITY, INFINITY, 0};
}

static struct nmc_span of_number(double value) {
    return (struct nmc_span){value, value, INFINITY};
}

static bool is_number(struct nmc_span s) {
    return s.lo == s.hi;
}

bool nmc_span_is_binary(struct nmc_span s) {
    if (is_number(s))
        return s.lo == 0 || s.lo == 1;
    return s.lo == 0 && s.hi == 1 && s.step == 1;
}

struct nmc_span nmc_span_of(const struct nmc_tensor *tensor) {
    struct nmc_span s = {INFINITY, -INFINITY, 0};
    if (nmc_elem_kind(tensor->type) == 'b')
        return (struct nmc_span){0, 1, 1};
    if (!tensor->reals || tensor->value_count < 1)
        return any();
    for (int64_t i = 0; i < tensor->value_count; i++) {
        if (!isfinite(tensor->reals[i]))
            return any();
        s.lo = fmin(s.lo, tensor->reals[i]);
        s.hi = fmax(s.hi, tensor->reals[i]);
    }
    return is_number(s) ? of_number(s.lo) : s;
}

/* ---- arithmetic ---- */

static struct nmc_span shift(struct nmc_span s, double by) {
    return (struct nmc_span){s.lo + by, s.hi + by, s.step};
}

static struct nmc_span scale(struct nmc_span s, double by) {
    if (by == 0)
        return of_number(0);
    if (by > 0)
        return (struct nmc_span){s.lo * by, s.hi * by, s.step * by};
    return (struct nmc_span){s.hi * by, s.lo * by, s.step * -by};
}

/* Values on one lattice, or any between the two. */
static double common_step(struct nmc_span a, struct nmc_span b) {
    bool whole = a.step == b.step && fmod(a.lo - b.lo, a.step) == 0;
    return a.step > 0 && isfinite(a.step) && whole ? a.step : 0;
}

static struct nmc_span sum(struct nmc_span a, struct nmc_span b) {
    if (is_number(a))
        return shift(b, a.lo);
    if (is_number(b))
        return shift(a, b.lo);
    return (struct nmc_span){a.lo + b.lo, a.hi + b.hi, a.step == b.step ? a.step : 0};
}

static bool is_whole(struct nmc_span s) {
    return s.step == 1 && (!isfinite(s.lo) || floor(s.lo) == s.lo);
}

static double product_of(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

static struct nmc_span product(struct nmc_span a, struct nmc_span b) {
    if (is_number(a))
        return scale(b, a.lo);
    if (is_number(b))
        return scale(a, b.lo);
    double p[] = {product_of(a.lo, b.lo), product_of(a.lo, b.hi), product_of(a.hi, b.lo),
                  product_of(a.hi, b.hi)};
    struct nmc_span s = {p[0], p[0], is_whole(a) && is_whole(b) ? 1 : 0};
    for (int i = 1; i < 4; i++) {
        s.lo = fmin(s.lo, p[i]);
        s.hi = fmax(s.hi, p[i]);
    }
    return s;
}

/* Either of two. */
static struct nmc_span either(struct nmc_span a, struct nmc_span b) {
    struct nmc_span s = {fmin(a.lo, b.lo), fmax(a.hi, b.hi), common_step(a, b)};
    if (is_number(a) && is_number(b))
        s.step = s.hi - s.lo;
    else if (is_number(a) && fmod(a.lo - b.lo, b.step) == 0)
        s.step = b.step;
    else if (is_number(b) && fmod(b.lo - a.lo, a.step) == 0)
        s.step = a.step;
    return is_number(s) ? of_number(s.lo) : s;
}

/* ---- limits ---- */

/* A bound between two values becomes a value of its own. */
static struct nmc_span at_least(struct nmc_span s, double bound) {
    if (!(bound > s.lo))
        return s;
    if (bound >= s.hi)
        return of_number(bound);
    bool on_lattice = s.step > 0 && (!isfinite(s.lo) ? floor(bound) == bound && s.step == 1
                                                     : fmod(bound - s.lo, s.step) == 0);
    bool of_two = s.hi - s.lo == s.step;
    return (struct nmc_span){bound, s.hi, on_lattice ? s.step : of_two ? s.hi - bound : 0};
}

static struct nmc_span negative(struct nmc_span s) {
    return scale(s, -1);
}

static struct nmc_span at_most(struct nmc_span s, double bound) {
    return negative(at_least(negative(s), -bound));
}

static double attr_float(const struct nmc_node *node, const char *name, double absent) {
    const struct nmc_attr *attr = nmc_attr_find(node, name);
    return attr && attr->kind == NMC_ATTR_FLOAT ? attr->f : absent;
}

static struct nmc_span limit(const struct nmc_node *node, const struct nmc_span *in, int count) {
    if (nmc_node_is(node, "Relu"))
        return at_least(in[0], 0);
    if (nmc_node_is(node, "Clip")) {
        bool low = count > 1 && node->inputs[1], high = count > 2 && node->inputs[2];
        struct nmc_span s = at_least(in[0], low ? in[1].lo : attr_float(node, "min", -INFINITY));
        return at_most(s, high ? in[2].hi : attr_float(node, "max", INFINITY));
    }
    bool greatest = nmc_node_is(node, "Max");
    struct nmc_span s = in[0];
    for (int i = 1; i < count; i++) {
        struct nmc_span number = is_number(s) ? s : in[i], other = is_number(s) ? in[i] : s;
        if (!is_number(number))
            return (struct nmc_span){fmin(s.lo, in[i].lo), fmax(s.hi, in[i].hi),
                                     common_step(s, in[i])};
        s = greatest ? at_least(other, number.lo) : at_most(other, number.lo);
    }
    return s;
}

/* ---- by part ---- */

static struct nmc_span step_of(const struct nmc_node *node, struct nmc_span s) {
    double (*rounded)(double) = nmc_node_is(node, "Floor")  ? floor
                                : nmc_node_is(node, "Ceil") ? ceil
                                : nmc_node_is(node, "Cast") ? trunc
                                                            : nearbyint;
    return (struct nmc_span){rounded(s.lo), rounded(s.hi), 1};
}

static struct nmc_span sign_of(struct nmc_span s) {
    if (s.lo >= 0)
        return (struct nmc_span){0, 1, 1};
    return (struct nmc_span){-1, 1, 2}; /* that it is exactly 0 has no part in the pattern */
}

static struct nmc_span fold_all(const struct nmc_span *in, int count,
                                struct nmc_span (*two)(struct nmc_span, struct nmc_span)) {
    struct nmc_span s = in[0];
    for (int i = 1; i < count; i++)
        s = two(s, in[i]);
    return s;
}

struct nmc_span nmc_span_through(const struct nmc_node *node, enum nmc_part part,
                                 const struct nmc_span *in, int count) {
    switch (part) {
    case NMC_PART_SUM: return fold_all(in, count, sum);
    case NMC_PART_DIFFERENCE: return sum(in[0], negative(in[1]));
    case NMC_PART_SCALE:
        if (nmc_node_is(node, "Mul"))
            return product(in[0], in[1]);
        return is_number(in[1]) && in[1].lo != 0 ? scale(in[0], 1 / in[1].lo) : any();
    case NMC_PART_LIMIT: return limit(node, in, count);
    case NMC_PART_NEGATION:
        return nmc_node_is(node, "Not") ? (struct nmc_span){0, 1, 1} : negative(in[0]);
    case NMC_PART_ABOVE:
    case NMC_PART_BELOW:
    case NMC_PART_LOGIC: return (struct nmc_span){0, 1, 1};
    case NMC_PART_SIGN: return sign_of(in[0]);
    case NMC_PART_STEP: return step_of(node, in[0]);
    case NMC_PART_CHOICE: return either(in[1], in[2]);
    case NMC_PART_CAST:
    case NMC_PART_VIEW: return in[0];
    default: return any();
    }
}
