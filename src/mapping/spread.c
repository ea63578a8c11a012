#include "mapping/spread.h"

#include "base/checked.h"

/* Children along one dim, and words between neighbours. */
struct row {
    int64_t count, step;
};

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Two dims that move the box along one axis, such as Q and S: i * a + j * b comes out the same
 * for (i, j) and (i + b', j - a') with a', b' = a, b without their common divisor. Each such
 * pair of neighbours is one group fewer. */
static bool along_axis(struct row a, struct row b, struct nmc_spread *out) {
    if (!nmc_mul(a.count, b.count, &out->children))
        return false;
    out->groups = out->children;
    out->largest = 1;
    if (a.count == 1 || b.count == 1)
        return true;
    int64_t divisor = common_divisor(a.step, b.step);
    int64_t over_a = b.step / divisor, over_b = a.step / divisor;
    if (over_a < 1 || over_b < 1)
        return false; /* never: steps are >= 1 */
    if (over_a < a.count && over_b < b.count)
        out->groups -= (a.count - over_a) * (b.count - over_b);
    out->largest = least(nmc_div_ceil(a.count, over_a), nmc_div_ceil(b.count, over_b));
    return true;
}

bool nmc_spread_of(const struct nmc_problem *problem, enum nmc_map_operand operand,
                   const int64_t count[NMC_MAP_DIMS], const int64_t apart[NMC_MAP_DIMS],
                   struct nmc_spread *out) {
    struct row rows[NMC_MAP_AXES][2];
    int rows_of[NMC_MAP_AXES] = {0};
    *out = (struct nmc_spread){1, 1, 1};
    for (int a = 0; a < NMC_MAP_AXES; a++)
        rows[a][0] = rows[a][1] = (struct row){1, 1};
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        int axis;
        int64_t step = nmc_problem_step(problem, operand, (enum nmc_map_dim)d, &axis);
        if (step == 0) {
            if (!nmc_mul(out->children, count[d], &out->children))
                return false;
            out->largest = out->children;
        } else if (!nmc_mul(step, apart[d], &step)) {
            return false;
        } else {
            rows[axis][rows_of[axis]++] = (struct row){count[d], step};
        }
    }
    for (int a = 0; a < NMC_MAP_AXES; a++) {
        struct nmc_spread along;
        if (!along_axis(rows[a][0], rows[a][1], &along) ||
            !nmc_mul(out->children, along.children, &out->children))
            return false;
        out->groups *= along.groups;
        out->largest *= along.largest;
    }
    return true;
}
