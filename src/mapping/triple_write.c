/* A triple's result as JSON. */
#include "mapping/triples.h"

#include "base/checked.h"

static void write_traffic(struct nmc_json *json, const struct nmc_traffic *t, int64_t instances) {
    nmc_json_begin_flat(json, '{');
    nmc_json_key_integer(json, "utilized_capacity", t->capacity);
    nmc_json_key_integer(json, "partition_size", t->partition);
    nmc_json_key_integer(json, "utilized_instances", instances);
    nmc_json_key_integer(json, "reads", t->reads);
    nmc_json_key_integer(json, "fills", t->fills);
    nmc_json_key_integer(json, "updates", t->updates);
    nmc_json_key_integer(json, "temporal_reductions", t->reductions);
    nmc_json_key_integer(json, "address_generations", t->addresses);
    nmc_json_key_number(json, "energy_pJ", t->energy_pj);
    nmc_json_end(json, '}');
}

/* Where ports are counted: by direction, as seen from the MACs. */
static void write_accesses(struct nmc_json *json, const struct nmc_traffic *t, int64_t instances) {
    nmc_json_begin_flat(json, '{');
    nmc_json_key_integer(json, "utilized_capacity", t->capacity);
    nmc_json_key_integer(json, "utilized_instances", instances);
    nmc_json_key(json, "accesses");
    nmc_json_begin(json, '{');
    for (int d = 0; d < NMC_DIRECTIONS; d++)
        nmc_json_key_integer(json, nmc_direction_names[d], t->accesses[d]);
    nmc_json_end(json, '}');
    nmc_json_key_number(json, "energy_pJ", t->energy_pj);
    nmc_json_end(json, '}');
}

static void write_levels(struct nmc_json *json, const struct nmc_triple *triple,
                         const struct nmc_map_counts *counts) {
    nmc_json_begin(json, '{');
    for (int i = 0; i < triple->machine.level_count; i++) {
        double energy = 0;
        if (!triple->nest.levels[i].keep)
            continue;
        nmc_json_key(json, triple->machine.levels[i].name);
        nmc_json_begin(json, '{');
        for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
            if (!(triple->nest.levels[i].keep & 1u << o))
                continue;
            nmc_json_key(json, nmc_map_operand_names[o]);
            (triple->machine.counting == NMC_COUNT_PORTS ? write_accesses : write_traffic)(
                json, &counts->traffic[i][o], counts->instances[i]);
            energy += counts->traffic[i][o].energy_pj;
        }
        nmc_json_key_number(json, "energy_pJ", energy);
        if (counts->level_cycles[i] > counts->compute_cycles)
            nmc_json_key_integer(json, "cycles", counts->level_cycles[i]);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, '}');
}

static void write_links(struct nmc_json *json, const struct nmc_machine *machine,
                        const struct nmc_map_counts *counts, struct nmc_strbuf *name) {
    nmc_json_begin(json, '{');
    for (int i = 0; i < machine->level_count; i++) {
        nmc_strbuf_clear(name);
        nmc_strbuf_printf(name, "%s->%s", machine->levels[i].name,
                          i + 1 < machine->level_count ? machine->levels[i + 1].name : "MACs");
        nmc_json_key(json, name->text);
        nmc_json_begin(json, '{');
        for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
            nmc_json_key(json, nmc_map_operand_names[o]);
            nmc_json_begin_flat(json, '{');
            nmc_json_key_integer(json, "fanout", counts->spread[i][o].children);
            nmc_json_key_integer(json, "multicast_factor", counts->spread[i][o].largest);
            nmc_json_key_integer(json, "spatial_reductions",
                                 o == NMC_MAP_OUTPUTS ? counts->spatial_reductions[i] : 0);
            nmc_json_end(json, '}');
        }
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, '}');
}

static void write_missing(const struct nmc_misfit *misfit, int64_t word, struct nmc_strbuf *out) {
    int64_t missing = misfit->needed - misfit->available;
    int64_t words = nmc_div_ceil(missing, word);
    nmc_strbuf_printf(out, " by %lld word%s", (long long)words, words == 1 && word > 1 ? "" : "s");
    if (word > 1)
        nmc_strbuf_printf(out, " of %lld bits", (long long)word);
    nmc_strbuf_printf(out, " (%lld of %lld)", (long long)misfit->needed,
                      (long long)misfit->available);
}

void nmc_misfit_text(const struct nmc_machine *machine, const struct nmc_misfit *misfit,
                     int64_t word, struct nmc_strbuf *out) {
    const char *name = machine->levels[misfit->level].name;
    if (misfit->of_mesh) {
        nmc_strbuf_printf(out, "below %s %lld instances along %s are needed, there are %lld", name,
                          (long long)misfit->needed, nmc_mesh_names[misfit->mesh],
                          (long long)misfit->available);
        return;
    }
    nmc_strbuf_printf(out, "%s is too small for ", name);
    const char *between = "";
    for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
        if (!(misfit->operands & 1u << o))
            continue;
        nmc_strbuf_printf(out, "%s%s", between, nmc_map_operand_names[o]);
        between = ", ";
    }
    write_missing(misfit, word, out);
}

void nmc_triple_write_result(struct nmc_json *json, const struct nmc_triple *triple,
                             const struct nmc_map_counts *counts, const struct nmc_misfit *misfit) {
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    nmc_json_begin(json, '{');
    if (misfit) {
        nmc_misfit_text(&triple->machine, misfit, 1, &text);
        nmc_json_key_text(json, "error", text.text);
    } else {
        nmc_json_key_integer(json, "macs", counts->macs);
        nmc_json_key_integer(json, "mac_instances_used", counts->macs_used);
        nmc_json_key_number(json, "utilization",
                            (double)counts->macs_used / ((double)triple->machine.mac_mesh[0] *
                                                         (double)triple->machine.mac_mesh[1]));
        nmc_json_key_integer(json, "compute_cycles", counts->compute_cycles);
        nmc_json_key_integer(json, "cycles", counts->cycles);
        nmc_json_key(json, "levels");
        write_levels(json, triple, counts);
        nmc_json_key(json, "transfers");
        write_links(json, &triple->machine, counts, &text);
        nmc_json_key_number(json, "mac_energy_pJ", counts->mac_pj);
        nmc_json_key_number(json, "energy_pJ_total", counts->total_pj);
    }
    nmc_json_end(json, '}');
    json->sink->failed |= text.failed;
    nmc_strbuf_release(&text);
}
