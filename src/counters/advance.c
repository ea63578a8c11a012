/* advance.c - two readings become energy: wraps, resets, suspends, gaps, integrated power. */
#include <math.h>

#include "counters/kind.h"

enum { NS_PER_S = 1000000000 };

static double seconds(uint64_t ns) {
    return (double)ns / NS_PER_S;
}

/* Steps from the last count to this one; false if no wrap explains that it went back. */
static bool difference(const struct nmc_part *part, uint64_t raw, uint64_t *steps, bool *wrapped) {
    *wrapped = raw < part->raw;
    if (!*wrapped)
        return *steps = raw - part->raw, true;
    if (part->range == 0 || part->raw > part->range)
        return false;
    *steps = part->range - part->raw + raw;
    return true;
}

static bool plausible(const struct nmc_part *part, uint64_t steps, double span_s) {
    return part->most_watts <= 0 ||
           (double)steps * part->shown.unit_j <= part->most_watts * span_s + part->shown.unit_j;
}

static bool room_for_two_wraps(const struct nmc_part *part, double elapsed_s) {
    return part->range && part->most_watts > 0 &&
           part->most_watts * elapsed_s >= 2 * (double)part->range * part->shown.unit_j;
}

static unsigned judge(const struct nmc_part *part, uint64_t raw,
                      const struct nmc_interval *interval, double update_s, uint64_t *steps) {
    bool wrapped;
    double elapsed_s = seconds(interval->elapsed_ns);
    if (interval->suspended && !part->is_work)
        return NMC_READ_SUSPENDED;
    if (room_for_two_wraps(part, elapsed_s))
        return NMC_READ_GAP;
    /* Counters advance by lumps: two quick readings may lie on either side of one. */
    if (!difference(part, raw, steps, &wrapped) ||
        !plausible(part, *steps, fmax(elapsed_s, update_s)))
        return NMC_READ_RESET;
    return wrapped ? NMC_READ_WRAPPED : 0;
}

static unsigned stuck(const struct nmc_part *part, uint64_t now_ns, double update_s) {
    double still_s = seconds(now_ns - part->shown.advanced_ns);
    return !part->is_work && still_s >= fmax(1, 50 * update_s) ? NMC_READ_STUCK : 0;
}

void nmc_part_advance(struct nmc_part *part, uint64_t raw, const struct nmc_interval *interval,
                      double update_s) {
    struct nmc_counter_part *shown = &part->shown;
    uint64_t steps = 0;
    if (!part->has_raw || raw != part->raw)
        shown->advanced_ns = interval->now_ns;
    if (part->has_raw)
        shown->quality = judge(part, raw, interval, update_s, &steps);
    else /* a part that was refused before has a first value again, and no interval */
        shown->quality &= NMC_READ_REFUSED;
    if (shown->quality & NMC_READ_NO_ENERGY)
        steps = 0;
    shown->wraps += (shown->quality & NMC_READ_WRAPPED) != 0;
    shown->quality |= stuck(part, interval->now_ns, update_s);
    part->steps += steps;
    part->raw = raw;
    part->has_raw = true;
    shown->step_j = (double)steps * shown->unit_j;
    shown->energy_j = (double)part->steps * shown->unit_j;
}

void nmc_part_integrate(struct nmc_part *part, double watts, const struct nmc_interval *interval) {
    struct nmc_counter_part *shown = &part->shown;
    if (!part->has_raw)
        shown->quality &= NMC_READ_REFUSED;
    else
        shown->quality = interval->suspended ? NMC_READ_SUSPENDED : 0;
    shown->advanced_ns = interval->now_ns;
    shown->step_j = 0;
    if (part->has_raw && !shown->quality)
        shown->step_j = (part->watts + watts) / 2 * seconds(interval->elapsed_ns);
    shown->energy_j += shown->step_j;
    part->watts = watts;
    part->has_raw = true;
}

void nmc_part_refuse(struct nmc_part *part) {
    part->shown.quality = NMC_READ_REFUSED;
    part->shown.step_j = 0;
    part->has_raw = false;
}

bool nmc_part_is_read(const struct nmc_part *part) {
    return part->shown.role == NMC_COUNTED || part->shown.role == NMC_BESIDE;
}
