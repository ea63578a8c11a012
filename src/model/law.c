/* Governed prices from sizes and technology. */
#include "model/law.h"

#include <fnmatch.h>
#include <string.h>

#include "model/preset.h"

const char *const nmc_follows_names[NMC_FOLLOWS] = {"size_bits", "technology_nm"};

/* Steps are compared one by one, so that a star stays within its step. */
/* A path of keys as fnmatch takes paths of files. */
static void put_slashes(char *text) {
    for (; *text; text++)
        if (*text == '.')
            *text = '/';
}

bool nmc_path_matches(const char *glob, const char *path) {
    enum { LONGEST = 256 };
    char a[LONGEST], b[LONGEST];
    size_t n = strlen(glob), m = strlen(path);
    if (n >= LONGEST || m >= LONGEST)
        return strcmp(glob, path) == 0;
    memcpy(a, glob, n + 1);
    memcpy(b, path, m + 1);
    put_slashes(a);
    put_slashes(b);
    return fnmatch(a, b, FNM_PATHNAME) == 0;
}

static double *price_of(const struct nmc_law_effect *effect, const struct nmc_law_values *values) {
    if (effect->what == NMC_PRICED_PRIMITIVE)
        return &values->primitive_pj[effect->index];
    struct nmc_memory *memory = &values->memories[effect->index];
    switch (effect->what) {
    case NMC_PRICED_READ: return &memory->read_cost_pj;
    case NMC_PRICED_WRITE: return &memory->write_cost_pj;
    default: return &memory->area_mm2;
    }
}

/* The price itself, per access of the memory's bandwidth. */
static bool absolute(const struct nmc_law_effect *effect, const struct nmc_law_values *values,
                     double *out, neuromc_diags *diags) {
    const struct nmc_memory *memory = &values->memories[effect->index];
    int64_t width = effect->what == NMC_PRICED_READ ? memory->read_bw_bits : memory->write_bw_bits;
    return nmc_law_curve(effect->law, effect->what, (double)memory->size_bits,
                         values->technology_nm, width, out, diags);
}

static bool relative(const struct nmc_law_effect *effect, const struct nmc_law_values *values,
                     double *price, neuromc_diags *diags) {
    bool of_memory = effect->what != NMC_PRICED_PRIMITIVE;
    double size = of_memory ? (double)values->memories[effect->index].size_bits : 0, now, then;
    bool as_stated =
        (size == effect->stated_size || !nmc_law_follows(effect->law, NMC_FOLLOWS_SIZE)) &&
        (values->technology_nm == effect->stated_technology_nm ||
         !nmc_law_follows(effect->law, NMC_FOLLOWS_TECHNOLOGY));
    if (as_stated)
        return true;
    if (!nmc_law_curve(effect->law, effect->what, size, values->technology_nm, 1, &now, diags) ||
        !nmc_law_curve(effect->law, effect->what, effect->stated_size, effect->stated_technology_nm,
                       1, &then, diags))
        return false;
    *price *= now / then;
    return true;
}

static bool same_price(const struct nmc_law_effect *a, const struct nmc_law_effect *b) {
    return a->what == b->what && a->index == b->index;
}

neuromc_status nmc_laws_apply(const struct nmc_law_effects *effects,
                              const struct nmc_law_values *values, neuromc_diags *diags) {
    bool good = true;
    for (size_t i = 0; i < effects->count; i++) {
        const struct nmc_law_effect *effect = &effects->items[i];
        double *price = price_of(effect, values);
        if (i == 0 || !same_price(effect, effect - 1))
            *price = effect->stated;
        bool one = effect->law->relative ? relative(effect, values, price, diags)
                                         : absolute(effect, values, price, diags);
        good = good && one;
    }
    return good ? NEUROMC_OK : NEUROMC_BAD_INPUT;
}
