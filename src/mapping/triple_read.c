/* Problem, architecture and mapping of a triple, and whether they belong together. */
#include <string.h>

#include "base/checked.h"
#include "mapping/triples.h"

/* Prices and rates beyond these are slips; within them no energy or cycle count is infinite. */
enum { MOST_PJ_EXPONENT = 12 };
static const double most_pj = 1e12, most_cycles = 1e9; /* per word */

#define FIELD(type, member, reader, needed)                                                        \
    { #member, reader, offsetof(type, member), needed }

/* ---- problem ------------------------------------------------------------------------------ */

struct stated_word {
    int64_t Weights, Inputs, Outputs, complete;
};

static const struct nmc_doc_field word_fields[] = {
    FIELD(struct stated_word, Weights, nmc_doc_positive, true),
    FIELD(struct stated_word, Inputs, nmc_doc_positive, true),
    FIELD(struct stated_word, Outputs, nmc_doc_positive, true),
    FIELD(struct stated_word, complete, nmc_doc_positive, true),
};

static neuromc_status read_word(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                                void *out) {
    return nmc_doc_object(doc, key, at, word_fields, sizeof word_fields / sizeof *word_fields, out);
}

/* [along P, along Q] */
static neuromc_status read_extent(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                  const char **at, void *out) {
    const char *start = *at;
    int64_t *extent = out;
    struct nmc_doc_key item = {.up = key};
    neuromc_status status = nmc_doc_expect(doc, key, start, NMC_SCAN_LIST);
    if (status != NEUROMC_OK)
        return status;
    for (bool more = nmc_scan_enter(at); more; more = nmc_scan_next(at), item.index++) {
        if (item.index == 2)
            return nmc_doc_error(doc, key, start, NULL, "expected two extents");
        status = nmc_doc_positive(doc, &item, at, &extent[item.index]);
        if (status != NEUROMC_OK)
            return status;
    }
    return item.index == 2 ? NEUROMC_OK
                           : nmc_doc_error(doc, key, start, NULL, "expected two extents");
}

struct stated_problem {
    int64_t N, K, C, P, Q, R, S, stride, dilation;
    int64_t input_extent[2];
    struct stated_word word;
};

static const struct nmc_doc_field problem_fields[] = {
    FIELD(struct stated_problem, N, nmc_doc_positive, true),
    FIELD(struct stated_problem, K, nmc_doc_positive, true),
    FIELD(struct stated_problem, C, nmc_doc_positive, true),
    FIELD(struct stated_problem, P, nmc_doc_positive, true),
    FIELD(struct stated_problem, Q, nmc_doc_positive, true),
    FIELD(struct stated_problem, R, nmc_doc_positive, true),
    FIELD(struct stated_problem, S, nmc_doc_positive, true),
    FIELD(struct stated_problem, stride, nmc_doc_positive, true),
    FIELD(struct stated_problem, dilation, nmc_doc_positive, true),
    FIELD(struct stated_problem, input_extent, read_extent, false),
    FIELD(struct stated_problem, word, read_word, false),
};

static neuromc_status read_problem(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                   const char **at, void *out) {
    const char *start = *at;
    struct nmc_problem *problem = out;
    struct stated_problem s = {.word = {1, 1, 1, 1}};
    neuromc_status status = nmc_doc_object(doc, key, at, problem_fields,
                                           sizeof problem_fields / sizeof *problem_fields, &s);
    if (status != NEUROMC_OK)
        return status;
    *problem = nmc_problem_new();
    memcpy(problem->size, (int64_t[]){s.N, s.K, s.C, s.P, s.Q, s.R, s.S}, sizeof problem->size);
    problem->stride[0] = problem->stride[1] = s.stride;
    problem->dilation[0] = problem->dilation[1] = s.dilation;
    memcpy(problem->extent, s.input_extent, sizeof problem->extent);
    memcpy(problem->word, (int64_t[]){s.word.Weights, s.word.Inputs, s.word.Outputs},
           sizeof problem->word);
    problem->final_word = s.word.complete;
    int64_t product;
    if (!nmc_problem_macs(problem, &product))
        return nmc_doc_error(doc, key, start, NULL, "more than 2^63 - 1 MACs");
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        if (!nmc_problem_words(problem, (enum nmc_map_operand)o, problem->size, &product))
            return nmc_doc_error(doc, key, start, NULL, "%s have more than 2^63 - 1 words",
                                 nmc_map_operand_names[o]);
    return NEUROMC_OK;
}

/* ---- architecture ------------------------------------------------------------------------- */

static neuromc_status read_operands(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                    const char **at, void *out) {
    unsigned *mask = out;
    neuromc_status status = nmc_doc_expect(doc, key, *at, NMC_SCAN_LIST);
    *mask = 0;
    if (status != NEUROMC_OK || !nmc_scan_enter(at))
        return status;
    struct nmc_doc_key item = {.up = key};
    do {
        const char *start = *at, *name;
        status = nmc_doc_text(doc, &item, at, &name);
        if (status != NEUROMC_OK)
            return status;
        int o = 0;
        while (o < NMC_MAP_OPERANDS && strcmp(name, nmc_map_operand_names[o]) != 0)
            o++;
        if (o == NMC_MAP_OPERANDS)
            return nmc_doc_error(doc, &item, start, NULL,
                                 "expected Weights, Inputs or Outputs, got \"%.40s\"", name);
        if (*mask & 1u << o)
            return nmc_doc_error(doc, &item, start, NULL, "%s are there twice", name);
        *mask |= 1u << o;
        item.index++;
    } while (nmc_scan_next(at));
    return NEUROMC_OK;
}

/* null: without bound, which is 0 */
static neuromc_status read_size(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                                void *out) {
    if (nmc_scan_kind(*at) != NMC_SCAN_NULL)
        return nmc_doc_positive(doc, key, at, out);
    *(int64_t *)out = 0;
    *at = nmc_scan_skip(*at);
    return NEUROMC_OK;
}

static neuromc_status read_price(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                 const char **at, void *out) {
    const char *start = *at;
    neuromc_status status = nmc_doc_real(doc, key, at, out);
    if (status == NEUROMC_OK && *(double *)out > most_pj)
        return nmc_doc_error(doc, key, start, NULL, "more than 1e%d pJ", MOST_PJ_EXPONENT);
    return status;
}

static neuromc_status read_rate(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                                void *out) {
    const char *start = *at;
    if (nmc_scan_kind(start) == NMC_SCAN_NULL) {
        *at = nmc_scan_skip(*at);
        return NEUROMC_OK;
    }
    neuromc_status status = nmc_doc_real(doc, key, at, out);
    if (status == NEUROMC_OK && *(double *)out * most_cycles < 1)
        return nmc_doc_error(doc, key, start, "leave it out for a level without a limit",
                             "less than one word in 1e9 cycles");
    return status;
}

struct stated_level {
    const char *name;
    int64_t block_words, least_words, size_words, mesh_x, mesh_y, instances;
    double read_pJ_per_block, fill_pJ_per_block, update_pJ_per_block;
    double read_words_per_cycle, write_words_per_cycle;
    unsigned can_keep;
};

static const struct nmc_doc_field level_fields[] = {
    FIELD(struct stated_level, name, nmc_doc_text, true),
    FIELD(struct stated_level, block_words, nmc_doc_positive, true),
    FIELD(struct stated_level, least_words, nmc_doc_positive, false),
    FIELD(struct stated_level, size_words, read_size, true),
    FIELD(struct stated_level, instances, nmc_doc_positive, true),
    FIELD(struct stated_level, mesh_x, nmc_doc_positive, true),
    FIELD(struct stated_level, mesh_y, nmc_doc_positive, true),
    FIELD(struct stated_level, read_pJ_per_block, read_price, true),
    FIELD(struct stated_level, fill_pJ_per_block, read_price, true),
    FIELD(struct stated_level, update_pJ_per_block, read_price, true),
    FIELD(struct stated_level, read_words_per_cycle, read_rate, false),
    FIELD(struct stated_level, write_words_per_cycle, read_rate, false),
    FIELD(struct stated_level, can_keep, read_operands, true),
};

/* Instances are a mesh, and each instance of the level above has its own share of it. */
static neuromc_status check_mesh(struct nmc_doc *doc, const struct nmc_doc_key *key, const char *at,
                                 const int64_t mesh[2], int64_t instances, const int64_t *outer) {
    int64_t product;
    if (!nmc_product(mesh, NMC_MESHES, &product) || product != instances)
        return nmc_doc_error(doc, key, at, NULL, "mesh_x times mesh_y is not instances");
    for (int m = 0; outer && m < NMC_MESHES; m++)
        if (mesh[m] % outer[m])
            return nmc_doc_error(doc, key, at, NULL,
                                 "mesh_%s is %lld, not a multiple of the %lld of the level above",
                                 nmc_mesh_names[m], (long long)mesh[m], (long long)outer[m]);
    return NEUROMC_OK;
}

static neuromc_status read_level(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                 const char **at, struct nmc_machine *machine) {
    const char *start = *at;
    struct stated_level s = {0};
    struct nmc_machine_level *level = &machine->levels[machine->level_count];
    neuromc_status status =
        nmc_doc_object(doc, key, at, level_fields, sizeof level_fields / sizeof *level_fields, &s);
    if (status != NEUROMC_OK)
        return status;
    *level = (struct nmc_machine_level){
        .name = s.name,
        .can_keep = s.can_keep,
        .size = s.size_words,
        .read_width = s.block_words,
        .write_width = s.block_words,
        .read_least = s.least_words ? s.least_words : s.block_words,
        .write_least = s.least_words ? s.least_words : s.block_words,
        .mesh = {s.mesh_x, s.mesh_y},
        .read_pj = s.read_pJ_per_block,
        .fill_pj = s.fill_pJ_per_block,
        .update_pj = s.update_pJ_per_block,
        .read_rate = s.read_words_per_cycle,
        .write_rate = s.write_words_per_cycle,
        .memory = -1,
    };
    if (s.least_words > s.block_words)
        return nmc_doc_error(doc, key, start, NULL, "least_words is more than block_words");
    for (int i = 0; i < machine->level_count; i++)
        if (strcmp(machine->levels[i].name, s.name) == 0)
            return nmc_doc_error(doc, key, start, NULL, "a second level \"%.40s\"", s.name);
    return check_mesh(doc, key, start, level->mesh, s.instances,
                      machine->level_count++ ? level[-1].mesh : NULL);
}

static neuromc_status read_levels(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                  const char **at, void *out) {
    const char *start = *at;
    struct nmc_machine *machine = out;
    neuromc_status status = nmc_doc_expect(doc, key, *at, NMC_SCAN_LIST);
    if (status != NEUROMC_OK)
        return status;
    struct nmc_doc_key item = {.up = key};
    for (bool more = nmc_scan_enter(at); more; more = nmc_scan_next(at), item.index++) {
        if (machine->level_count == NMC_LIMIT_MAP_LEVELS)
            return nmc_doc_error(doc, key, start, NULL, "more than %d levels",
                                 NMC_LIMIT_MAP_LEVELS);
        status = read_level(doc, &item, at, machine);
        if (status != NEUROMC_OK)
            return status;
    }
    return machine->level_count ? NEUROMC_OK
                                : nmc_doc_error(doc, key, start, NULL, "at least one level");
}

struct stated_mac {
    int64_t instances, mesh_x, mesh_y;
    double pJ_per_mac;
};

static const struct nmc_doc_field mac_fields[] = {
    FIELD(struct stated_mac, instances, nmc_doc_positive, true),
    FIELD(struct stated_mac, mesh_x, nmc_doc_positive, true),
    FIELD(struct stated_mac, mesh_y, nmc_doc_positive, true),
    FIELD(struct stated_mac, pJ_per_mac, read_price, true),
};

static neuromc_status read_counting(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                    const char **at, void *out) {
    const char *start = *at, *name;
    enum nmc_counting *counting = out;
    neuromc_status status = nmc_doc_text(doc, key, at, &name);
    if (status != NEUROMC_OK)
        return status;
    *counting = strcmp(name, "ports") == 0 ? NMC_COUNT_PORTS : NMC_COUNT_WORDS;
    if (strcmp(name, nmc_counting_names[*counting]) != 0)
        return nmc_doc_error(doc, key, start, NULL, "expected words or ports, got \"%.40s\"", name);
    return NEUROMC_OK;
}

struct stated_architecture {
    struct nmc_machine machine;
    enum nmc_counting counting;
    const char *mac; /* where it is */
};

static const struct nmc_doc_field architecture_fields[] = {
    {"levels_outermost_first", read_levels, offsetof(struct stated_architecture, machine), true},
    {"counting", read_counting, offsetof(struct stated_architecture, counting), false},
    {"mac", nmc_doc_place, offsetof(struct stated_architecture, mac), true},
};

static neuromc_status read_architecture(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                        const char **at, void *out) {
    struct stated_architecture a = {0};
    struct stated_mac mac;
    const int count = sizeof architecture_fields / sizeof *architecture_fields;
    neuromc_status status = nmc_doc_object(doc, key, at, architecture_fields, count, &a);
    if (status != NEUROMC_OK)
        return status;
    const struct nmc_doc_key mac_key = {.up = key, .name = "mac"};
    const char *mac_at = a.mac;
    status = nmc_doc_object(doc, &mac_key, &mac_at, mac_fields,
                            sizeof mac_fields / sizeof *mac_fields, &mac);
    if (status != NEUROMC_OK)
        return status;
    struct nmc_machine *machine = out;
    *machine = a.machine;
    machine->counting = a.counting;
    machine->mac_mesh[NMC_MESH_X] = mac.mesh_x;
    machine->mac_mesh[NMC_MESH_Y] = mac.mesh_y;
    machine->mac_pj = mac.pJ_per_mac;
    return check_mesh(doc, &mac_key, a.mac, machine->mac_mesh, mac.instances,
                      machine->levels[machine->level_count - 1].mesh);
}

/* ---- mapping ------------------------------------------------------------------------------ */

/* [dim, count] */
static neuromc_status read_loop(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                                struct nmc_nest_loop *out) {
    const char *start = *at, *name = "";
    neuromc_status status = nmc_doc_expect(doc, key, start, NMC_SCAN_LIST);
    if (status != NEUROMC_OK)
        return status;
    const struct nmc_doc_key first = {.up = key, .index = 0}, second = {.up = key, .index = 1};
    if (!nmc_scan_enter(at))
        return nmc_doc_error(doc, key, start, NULL, "expected [dim, count]");
    status = nmc_doc_text(doc, &first, at, &name);
    if (status != NEUROMC_OK)
        return status;
    int d = 0;
    while (d < NMC_MAP_DIMS && strcmp(name, nmc_map_dim_names[d]) != 0)
        d++;
    if (d == NMC_MAP_DIMS)
        return nmc_doc_error(doc, &first, start, NULL,
                             "expected one of N K C P Q R S, got \"%.40s\"", name);
    out->dim = (enum nmc_map_dim)d;
    if (!nmc_scan_next(at))
        return nmc_doc_error(doc, key, start, NULL, "expected [dim, count]");
    status = nmc_doc_positive(doc, &second, at, &out->count);
    if (status == NEUROMC_OK && nmc_scan_next(at))
        return nmc_doc_error(doc, key, start, NULL, "expected [dim, count]");
    return status;
}

/* Loops of one iteration are left out. */
static neuromc_status read_loops(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                 const char **at, void *out) {
    const char *start = *at;
    struct nmc_loops *loops = out;
    neuromc_status status = nmc_doc_expect(doc, key, start, NMC_SCAN_LIST);
    if (status != NEUROMC_OK)
        return status;
    struct nmc_doc_key item = {.up = key};
    for (bool more = nmc_scan_enter(at); more; more = nmc_scan_next(at), item.index++) {
        struct nmc_nest_loop loop = {.count = 1};
        status = read_loop(doc, &item, at, &loop);
        if (status != NEUROMC_OK)
            return status;
        if (loop.count == 1)
            continue;
        if (loops->count == NMC_LIMIT_MAP_LOOPS)
            return nmc_doc_error(doc, key, start, NULL, "more than %d loops", NMC_LIMIT_MAP_LOOPS);
        loops->items[loops->count++] = loop;
    }
    return NEUROMC_OK;
}

struct stated_nest_level {
    const char *level;
    struct nmc_nest_level loops;
};

static const struct nmc_doc_field nest_fields[] = {
    FIELD(struct stated_nest_level, level, nmc_doc_text, true),
    {"keep", read_operands, offsetof(struct stated_nest_level, loops.keep), true},
    {"temporal", read_loops, offsetof(struct stated_nest_level, loops.temporal), true},
    {"spatial_x", read_loops, offsetof(struct stated_nest_level, loops.spatial[NMC_MESH_X]), true},
    {"spatial_y", read_loops, offsetof(struct stated_nest_level, loops.spatial[NMC_MESH_Y]), true},
};

static neuromc_status read_nest_level(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                      const char **at, const struct nmc_machine_level *level,
                                      struct nmc_nest_level *out) {
    const char *start = *at;
    struct stated_nest_level s = {0};
    neuromc_status status =
        nmc_doc_object(doc, key, at, nest_fields, sizeof nest_fields / sizeof *nest_fields, &s);
    if (status != NEUROMC_OK)
        return status;
    if (strcmp(s.level, level->name) != 0)
        return nmc_doc_error(doc, key, start, "name every level, in the order of the architecture",
                             "expected level \"%.40s\", got \"%.40s\"", level->name, s.level);
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        if (s.loops.keep & ~level->can_keep & 1u << o)
            return nmc_doc_error(doc, key, start, NULL, "%.40s cannot keep %s", level->name,
                                 nmc_map_operand_names[o]);
    *out = s.loops;
    return NEUROMC_OK;
}

static neuromc_status read_nest(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                                const struct nmc_machine *machine, struct nmc_nest *nest) {
    const char *start = *at;
    neuromc_status status = nmc_doc_expect(doc, key, start, NMC_SCAN_LIST);
    if (status != NEUROMC_OK)
        return status;
    struct nmc_doc_key item = {.up = key};
    for (bool more = nmc_scan_enter(at); more; more = nmc_scan_next(at), item.index++) {
        if (item.index == (size_t)machine->level_count)
            return nmc_doc_error(doc, key, start, NULL, "more levels than the architecture has");
        status = read_nest_level(doc, &item, at, &machine->levels[item.index],
                                 &nest->levels[item.index]);
        if (status != NEUROMC_OK)
            return status;
    }
    if (item.index < (size_t)machine->level_count)
        return nmc_doc_error(doc, key, start, NULL, "no entry for level \"%.40s\"",
                             machine->levels[item.index].name);
    return NEUROMC_OK;
}

/* ---- the triple --------------------------------------------------------------------------- */

static bool multiply_in(const struct nmc_loops *loops, int64_t extent[NMC_MAP_DIMS]) {
    for (int i = 0; i < loops->count; i++)
        if (!nmc_mul(extent[loops->items[i].dim], loops->items[i].count,
                     &extent[loops->items[i].dim]))
            return false;
    return true;
}

static neuromc_status check_nest(struct nmc_doc *doc, const struct nmc_doc_key *key, const char *at,
                                 const struct nmc_triple *triple) {
    int64_t extent[NMC_MAP_DIMS] = {1, 1, 1, 1, 1, 1, 1};
    unsigned kept = 0;
    for (int i = 0; i < triple->machine.level_count; i++) {
        const struct nmc_nest_level *level = &triple->nest.levels[i];
        kept |= level->keep;
        if (!multiply_in(&level->temporal, extent) ||
            !multiply_in(&level->spatial[NMC_MESH_X], extent) ||
            !multiply_in(&level->spatial[NMC_MESH_Y], extent))
            return nmc_doc_error(doc, key, at, NULL, "loops of more than 2^63 - 1 iterations");
    }
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        if (extent[d] != triple->problem.size[d])
            return nmc_doc_error(
                doc, key, at, NULL, "the loops over %s multiply to %lld, the problem has %lld",
                nmc_map_dim_names[d], (long long)extent[d], (long long)triple->problem.size[d]);
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        if (!(kept & 1u << o))
            return nmc_doc_error(doc, key, at, NULL, "no level keeps %s", nmc_map_operand_names[o]);
    return NEUROMC_OK;
}

struct stated_triple {
    const char *id, *mapping;
    struct nmc_problem problem;
    struct nmc_machine machine;
};

static const struct nmc_doc_field triple_fields[] = {
    FIELD(struct stated_triple, id, nmc_doc_text, true),
    FIELD(struct stated_triple, problem, read_problem, true),
    {"architecture", read_architecture, offsetof(struct stated_triple, machine), true},
    FIELD(struct stated_triple, mapping, nmc_doc_place, true),
};

neuromc_status nmc_triple_read(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                               struct nmc_triple *out) {
    struct stated_triple s = {0};
    neuromc_status status = nmc_doc_object(doc, key, at, triple_fields,
                                           sizeof triple_fields / sizeof *triple_fields, &s);
    if (status != NEUROMC_OK)
        return status;
    *out = (struct nmc_triple){.id = s.id, .problem = s.problem, .machine = s.machine};
    const struct nmc_doc_key mapping = {.up = key, .name = "mapping"};
    const char *mapping_at = s.mapping;
    status = read_nest(doc, &mapping, &mapping_at, &out->machine, &out->nest);
    return status == NEUROMC_OK ? check_nest(doc, &mapping, s.mapping, out) : status;
}
