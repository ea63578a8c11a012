/* map_text.c - mappings for a person: a table of layers, then each shape as a loop nest with what
 * its operands cost at each level. */
#include <stdio.h>

#include "base/number.h"
#include "report/map.h"
#include "report/table.h"

struct text {
    const struct neuromc_map *map;
    struct nmc_sink *sink;
    bool color;
    struct nmc_strbuf scratch;
};

static void heading(const struct text *t, const char *title) {
    char clean[160];
    snprintf(clean, sizeof clean, "%s", title);
    nmc_make_printable(clean);
    nmc_sink_printf(t->sink, "\n%s%s%s\n", t->color ? "\033[1;36m" : "", clean,
                    t->color ? "\033[0m" : "");
}

/* ---- head --------------------------------------------------------------------------------- */

static void write_head(const struct text *t) {
    const struct neuromc_preset *preset = t->map->mapper.preset;
    const struct nmc_preset_machine *machine = &preset->machine;
    char name[64];
    snprintf(name, sizeof name, "%.60s", t->map->model_name);
    nmc_make_printable(name);
    nmc_sink_printf(t->sink, "%s%s%s%s\n", t->color ? "\033[1m" : "", name,
                    t->color ? "\033[0m" : "", t->map->partial ? " (partial: stopped)" : "");
    nmc_sink_printf(t->sink, "  %-13s%.40s, content %016llx\n", "preset", preset->name,
                    (unsigned long long)preset->hash);
    nmc_sink_printf(t->sink, "  %-13s%lld x %lld MACs, %d levels, counted in %s\n", "machine",
                    (long long)machine->macs[NMC_MESH_X], (long long)machine->macs[NMC_MESH_Y],
                    machine->level_count, nmc_counting_names[machine->counting]);
    nmc_sink_printf(t->sink, "  %-13sleast %s\n", "objective",
                    nmc_map_objective_names[t->map->mapper.solver.options.objective]);
    nmc_sink_printf(t->sink, "  %-13s%zu in %zu shapes", "layers", t->map->layer_count,
                    t->map->shape_count);
    if (t->map->unmapped)
        nmc_sink_printf(t->sink, ", %lld without a mapping", (long long)t->map->unmapped);
    nmc_sink_puts(t->sink, "\n");
}

static void write_totals(const struct text *t) {
    const struct nmc_map_shape *total = &t->map->total;
    char energy[NMC_NUMBER_SIZE], exact[NMC_NUMBER_SIZE], count[NMC_NUMBER_SIZE];
    double pj = nmc_shape_energy(total);
    nmc_energy_format(energy, pj);
    nmc_number_format(exact, pj);
    nmc_sink_printf(t->sink, "\n  %-13s%s%s%s (%s pJ)\n", "energy", t->color ? "\033[1;32m" : "",
                    energy, t->color ? "\033[0m" : "", exact);
    nmc_count_format(count, total->macs);
    nmc_sink_printf(t->sink, "  %-13s%s\n", "MACs", count);
    nmc_count_format(count, total->cycles);
    nmc_sink_printf(t->sink, "  %-13s%s\n", "cycles", count);
    nmc_percent_format(count, nmc_shape_utilization(t->map, total), 1);
    nmc_sink_printf(t->sink, "  %-13s%s %% of the MACs\n", "utilization", count);
}

/* ---- layers ------------------------------------------------------------------------------- */

static void layer_row(const struct text *t, struct nmc_table *table,
                      const struct nmc_map_layer *layer) {
    const struct nmc_fragment *f = &layer->fragment;
    const struct nmc_solution *solution = layer->mapped.solution;
    struct nmc_table_row *row = nmc_table_row(table);
    char text[NMC_NUMBER_SIZE];
    size_t shape = 0;
    while (t->map->shapes[shape].solution != solution)
        shape++;
    nmc_table_cell(table, row, 0, "%s", nmc_layer_name(f->node));
    nmc_table_cell(table, row, 1, "%s", f->op);
    nmc_table_cell(table, row, 2, "%zu", shape + 1);
    nmc_count_format(text, f->macs);
    nmc_table_cell(table, row, 3, "%s", text);
    if (!solution->result.found) {
        nmc_table_cell(table, row, 4, "no mapping");
        return;
    }
    nmc_energy_format(text, nmc_map_layer_energy(layer));
    nmc_table_cell(table, row, 4, "%s", text);
    struct nmc_map_shape one = {.macs = solution->counts.macs, .cycles = solution->counts.cycles};
    nmc_count_format(text, one.cycles * layer->mapped.groups * f->times);
    nmc_table_cell(table, row, 5, "%s", text);
    nmc_percent_format(text, nmc_shape_utilization(t->map, &one), 1);
    nmc_table_cell(table, row, 6, "%s %%", text);
}

static void write_layers(const struct text *t) {
    static const char *const titles[] = {"layer",  "op",     "shape", "MACs",
                                         "energy", "cycles", "used"};
    struct nmc_table table;
    heading(t, "Layers");
    nmc_table_init(&table, 7, t->color);
    table.left = 1 << 1;
    struct nmc_table_row *row = nmc_table_row(&table);
    for (int c = 0; c < 7; c++)
        nmc_table_cell(&table, row, c, "%s", titles[c]);
    for (size_t i = 0; i < t->map->layer_count; i++)
        layer_row(t, &table, t->map->layers[i]);
    nmc_table_finish(&table, t->sink);
}

/* ---- shapes ------------------------------------------------------------------------------- */

static void write_kept(const struct text *t, unsigned keep) {
    nmc_sink_puts(t->sink, " [");
    const char *between = "";
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        if (keep & 1u << o) {
            nmc_sink_printf(t->sink, "%s%s", between, nmc_map_operand_keys[o]);
            between = ", ";
        }
    nmc_sink_puts(t->sink, "]\n");
}

static void write_nest(const struct text *t, const struct nmc_machine *machine,
                       const struct nmc_nest *nest) {
    int depth = 0;
    for (int i = 0; i < machine->level_count; i++) {
        const struct nmc_nest_level *level = &nest->levels[i];
        nmc_sink_printf(t->sink, "  %s", machine->levels[i].name);
        write_kept(t, level->keep);
        for (int k = 0; k < level->temporal.count; k++, depth++)
            nmc_sink_printf(t->sink, "  | %*sfor %s in 0..%lld\n", 2 * depth, "",
                            nmc_map_dim_names[level->temporal.items[k].dim],
                            (long long)level->temporal.items[k].count);
        for (int m = 0; m < NMC_MESHES; m++)
            for (int k = 0; k < level->spatial[m].count; k++)
                nmc_sink_printf(t->sink, "  | %*severy %s in 0..%lld at once, along %s\n",
                                2 * depth, "", nmc_map_dim_names[level->spatial[m].items[k].dim],
                                (long long)level->spatial[m].items[k].count, nmc_mesh_names[m]);
        depth += level->spatial[0].count + level->spatial[1].count > 0;
    }
    nmc_sink_printf(t->sink, "  | %*smultiply, accumulate\n", 2 * depth, "");
}

static void energy_cells(struct nmc_table *table, struct nmc_table_row *row, double energy,
                         double whole) {
    char text[NMC_NUMBER_SIZE];
    nmc_energy_format(text, energy);
    nmc_table_cell(table, row, 4, "%s", text);
    nmc_percent_format(text, energy, whole);
    nmc_table_cell(table, row, 5, "%s %%", text);
}

/* A level's memory, or the network inside it. */
static void level_row(struct nmc_table *table, const char *name, const double energy[],
                      unsigned shown, double whole) {
    struct nmc_table_row *row = nmc_table_row(table);
    double sum = 0;
    nmc_table_cell(table, row, 0, "%s", name);
    for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
        char text[NMC_NUMBER_SIZE];
        nmc_energy_format(text, energy[o]);
        nmc_table_cell(table, row, 1 + o, "%s", shown & 1u << o ? text : "-");
        sum += energy[o];
    }
    energy_cells(table, row, sum, whole);
}

static void write_energies(const struct text *t, const struct nmc_map_shape *shape,
                           const struct nmc_machine *machine) {
    const struct nmc_map_counts *counts = &shape->solution->counts;
    double whole = nmc_shape_energy(shape), times = (double)shape->times;
    struct nmc_table table;
    nmc_table_init(&table, 6, t->color);
    struct nmc_table_row *row = nmc_table_row(&table);
    nmc_table_cell(&table, row, 0, "energy");
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        nmc_table_cell(&table, row, 1 + o, "%s", nmc_map_operand_keys[o]);
    nmc_table_cell(&table, row, 4, "all");
    nmc_table_cell(&table, row, 5, "share");
    for (int i = 0; i < machine->level_count; i++) {
        double memory[NMC_MAP_OPERANDS], network[NMC_MAP_OPERANDS];
        char name[96];
        for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
            memory[o] = counts->traffic[i][o].energy_pj * times;
            network[o] = counts->network_pj[i][o] * times;
        }
        level_row(&table, machine->levels[i].name, memory, machine->levels[i].can_keep, whole);
        snprintf(name, sizeof name, "inside %.80s", machine->levels[i].name);
        if (machine->levels[i].network >= 0)
            level_row(&table, name, network, ~0u, whole);
    }
    row = nmc_table_row(&table);
    nmc_table_cell(&table, row, 0, "MACs");
    energy_cells(&table, row, shape->mac_pj, whole);
    nmc_table_finish(&table, t->sink);
}

static void write_shape_head(struct text *t, size_t number, const struct nmc_map_shape *shape) {
    const struct nmc_map_layer *layer = shape->first;
    nmc_strbuf_clear(&t->scratch);
    nmc_strbuf_printf(&t->scratch, "Shape %zu: %s of %.80s", number, layer->fragment.op,
                      nmc_layer_name(layer->fragment.node));
    if (shape->layers > 1)
        nmc_strbuf_printf(&t->scratch, " and %lld more", (long long)shape->layers - 1);
    heading(t, t->scratch.text);
    nmc_strbuf_clear(&t->scratch);
    nmc_problem_text(&shape->solution->problem, &t->scratch);
    nmc_sink_printf(t->sink, "  %s", t->scratch.text);
    if (shape->times > 1)
        nmc_sink_printf(t->sink, "; %lld times", (long long)shape->times);
    nmc_sink_puts(t->sink, "\n");
}

static void write_answer(const struct text *t, const struct nmc_map_shape *shape) {
    const struct nmc_solution *s = shape->solution;
    char energy[NMC_NUMBER_SIZE], cycles[NMC_NUMBER_SIZE], used[NMC_NUMBER_SIZE];
    char steps[NMC_NUMBER_SIZE];
    nmc_energy_format(energy, nmc_shape_energy(shape));
    nmc_count_format(cycles, shape->cycles);
    nmc_percent_format(used, nmc_shape_utilization(t->map, shape), 1);
    nmc_count_format(steps, s->result.steps);
    nmc_sink_printf(t->sink, "  %s, %s cycles, %s %% of the MACs used\n", energy, cycles, used);
    if (s->result.reach == NMC_REACH_GIVEN)
        nmc_sink_puts(t->sink, "  mapping given\n");
    else
        nmc_sink_printf(t->sink, "  best of %s; %s steps\n", nmc_map_reach_names[s->result.reach],
                        steps);
}

static void write_shape(struct text *t, size_t number, const struct nmc_map_shape *shape) {
    struct nmc_machine machine;
    struct nmc_nest nest;
    write_shape_head(t, number, shape);
    if (!shape->solution->result.found) {
        nmc_strbuf_clear(&t->scratch);
        nmc_mapper_reason(&t->map->mapper, shape->solution, &t->scratch);
        nmc_sink_printf(t->sink, "  no mapping: %s\n", t->scratch.text);
        return;
    }
    write_answer(t, shape);
    nmc_solution_nest(&t->map->mapper.solver, shape->solution, &machine, &nest);
    nmc_sink_puts(t->sink, "\n");
    write_nest(t, &machine, &nest);
    nmc_sink_puts(t->sink, "\n");
    write_energies(t, shape, &machine);
}

void nmc_map_text(const struct neuromc_map *map, bool color, struct nmc_sink *sink) {
    struct text text = {.map = map, .sink = sink, .color = color}, *t = &text;
    nmc_strbuf_init(&t->scratch);
    write_head(t);
    write_totals(t);
    write_layers(t);
    for (size_t i = 0; i < map->shape_count; i++)
        write_shape(t, i + 1, &map->shapes[i]);
    sink->failed |= t->scratch.failed;
    nmc_strbuf_release(&t->scratch);
}
