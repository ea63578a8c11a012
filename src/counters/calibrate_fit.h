/*
 * calibrate_fit.h - prices from measurements: by what factor each part of an estimate must be
 * multiplied so that estimates come to what was measured, and which factors the measurements tell.
 *
 * The parts of an estimate are energies at the prices of a preset. Noise is taken to be relative:
 * each measurement counts alike, however large it is.
 *
 * A factor is identifiable if 1 % of noise in the measurements leaves it known within 5 %, at 95 %.
 * Parts that cannot be told apart keep the ratio that the preset gives them and share one factor,
 * worst first, until the rest is identifiable. Constant power has no price to keep a ratio to: it
 * is left out, last of all, if it cannot be told. Where the measurements contradict every such
 * ratio, a part keeps a factor of its own and is called rough.
 */
#ifndef NMC_CALIBRATE_FIT_H
#define NMC_CALIBRATE_FIT_H

#include <stdbool.h>
#include <stddef.h>

/* What an estimate is made of; of NMC_FIT_POWER the column holds seconds, the factor is watts. */
enum nmc_fit_part {
    NMC_FIT_MAC,
    NMC_FIT_OTHER, /* arithmetic beside MACs */
    NMC_FIT_DRAM,
    NMC_FIT_NOC,
    NMC_FIT_SRAM,
    NMC_FIT_REG,
    NMC_FIT_POWER,
    NMC_FIT_PARTS
};
extern const char *const nmc_fit_names[NMC_FIT_PARTS];

struct nmc_fit_point {
    double joules; /* measured, above 0 */
    double parts[NMC_FIT_PARTS];
};

enum nmc_fit_state {
    NMC_FIT_ABSENT,   /* no measurement has it */
    NMC_FIT_TOLD,     /* identifiable */
    NMC_FIT_ZERO,     /* the measurements show none of it; `high` is how much there may be */
    NMC_FIT_TIED,     /* identifiable only together with `with` */
    NMC_FIT_NOT_TOLD, /* left out */
};

struct nmc_fit_factor {
    enum nmc_fit_state state;
    enum nmc_fit_part with; /* of TIED: the part whose factor this is */
    bool rough;             /* not identifiable, by itself or with those it is tied to */
    double value, low, high;
};

struct nmc_fit {
    struct nmc_fit_factor factors[NMC_FIT_PARTS];
    double deviation; /* of the relative residuals, by the degrees of freedom */
    int degrees;      /* of freedom; 0: nothing can be said of noise */
};

/* False: memory ran out, or there is no point. `rest` gets the relative residual of each point:
 * (measured - fitted) / measured. */
bool nmc_fit_prices(const struct nmc_fit_point *points, size_t count, struct nmc_fit *fit,
                    double *rest);

#endif
