#include "model/price.h"

double nmc_price(const struct neuromc_preset *preset, int resource) {
    struct nmc_resource r = nmc_resource_at(resource);
    if (r.kind == NMC_RES_PRIMITIVE)
        return preset->primitive_pj[r.primitive];
    if (r.kind == NMC_RES_MEMORY) {
        const struct nmc_memory *memory = &preset->memories[r.memory];
        bool read = r.direction == NMC_RH2L || r.direction == NMC_RL2H;
        return read ? memory->read_cost_pj / (double)memory->read_bw_bits
                    : memory->write_cost_pj / (double)memory->write_bw_bits;
    }
    const struct nmc_mac *mac = &preset->mac[r.core];
    double sum = 0;
    for (int p = 0; p < NMC_PRIMITIVES; p++)
        sum += (double)mac->count[p] * preset->primitive_pj[p];
    return sum * mac->scale;
}

double *nmc_prices(const struct neuromc_preset *preset, struct nmc_arena *arena) {
    int count = nmc_resource_count(preset);
    double *prices = nmc_arena_array(arena, (size_t)count, sizeof *prices);
    for (int r = 0; prices && r < count; r++)
        prices[r] = nmc_price(preset, r);
    return prices;
}

double nmc_row_energy(const struct nmc_line *line, const struct nmc_row *row,
                      const double *prices) {
    double energy = (double)row->quantity * prices[row->resource];
    return row->part == NMC_PART_MAC ? energy * line->fragment.spike_rate : energy;
}
