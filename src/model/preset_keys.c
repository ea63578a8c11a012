/* preset_keys.c - the key table of preset_keys.def as data, and look-ups in it. */
#include "model/preset_keys.h"

#include <stdint.h>
#include <string.h>

#include "model/preset.h"
#include "model/preset_check.h"

/* Bounds that keep every product of a count and a price finite and every count an integer. */
#define MOST_PJ           1e12
#define MOST_BITS         1125899906842624.0 /* 2^50 */
#define MOST_BANDWIDTH    1048576.0
#define MOST_ELEMENT_BITS 1024.0
#define MOST_TIMES        1e6
#define MOST_EXPONENT     8
#define MOST_FACTOR       1e6
#define MOST_BEYOND       1000
#define MOST_MM2          1e9
#define MOST_ALONG        65536.0

enum {
    REQUIRED = NMC_KEY_REQUIRED,
    NONE = NMC_KEY_NONE,
    OWN = NMC_KEY_OWN,
    PROSE = NMC_KEY_PROSE,
    FIXED = NMC_KEY_FIXED
};

/* Where the rows of each process start in works[]. */
enum { NMC_WORK_GEMM = 0, NMC_WORK_SOMA = 2, NMC_WORK_BN = 4, NMC_WORK_OPT = 6 };

static const char *const schemas[] = {"neuromc-preset/1"};

/* The pieces of a row. */
#define KEY(section, key, kind, ...)                                                               \
    {.in = NMC_IN_##section, .name = key, .type = NMC_KEY_##kind, __VA_ARGS__},
#define FLAGS(set)              .flags = (set)
#define FIELD(type, member)     .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define PRESET(member)          FIELD(struct neuromc_preset, member)
#define NTH(index, type)        .offset = (index) * sizeof(type)
#define NOT_KEPT                .offset = NMC_NO_FIELD
#define COUNT(type, member)     .count = offsetof(type, member)
#define COUNT_IN_PRESET(member) COUNT(struct neuromc_preset, member)
#define EACH(type)              .entry = sizeof(type)
#define NAMES(table, number)    .names = table, .name_count = number
#define FROM_TO(low, high)      .least = low, .most = high
#define UNIT(text)              .unit = text
#define DEFAULT(text)           .standard = text
#define HOLDS(what)             .section = NMC_IN_##what
#define ON(which)               .level = which
#define CHECK(what)             .check = nmc_check_##what
#define DOC(text)               .doc = text

#define MACHINE_FIELD(member) PRESET(machine.member)
#define LEVEL_FIELD(member)   FIELD(struct nmc_preset_level, member)

/* Rows that come in series. */
#define SOURCE(section)                                                                            \
    KEY(section, "source", TEXT, FLAGS(REQUIRED | PROSE), NOT_KEPT,                                \
        DOC("where the numbers of this mapping come from"))
#define PRIMITIVE(key, which, text)                                                                \
    KEY(PRIMITIVES, key, NUMBER, FLAGS(REQUIRED | NONE), PRESET(primitive_pj[which]),              \
        FROM_TO(0, MOST_PJ), UNIT("pJ"), DOC(text "; none: not priced, must not be used"))
#define PRECISION(key, member, text)                                                               \
    KEY(PRECISION, key, INTEGER, FLAGS(REQUIRED), PRESET(precision.member),                        \
        FROM_TO(1, MOST_ELEMENT_BITS), UNIT("bits"), DOC(text))
#define MAC(key, core, text)                                                                       \
    KEY(MAC, key, MAPPING, FLAGS(REQUIRED | NONE), PRESET(mac[core]), HOLDS(MAC_CORE),             \
        CHECK(counts_something), DOC(text))
#define OPERANDS(key, core)                                                                        \
    KEY(OPERANDS, key, MAPPING, FLAGS(REQUIRED | NONE), PRESET(operands[core]),                    \
        COUNT_IN_PRESET(has_operands[core]), HOLDS(CORE_OPERANDS),                                 \
        DOC("operands of a MAC of core type " key "; none: their traffic is not counted"))
#define TIMES_ONE(section, key, which, position, text)                                             \
    KEY(section, key, INTEGER, .offset = (position) + which * sizeof(int64_t),                     \
        .size = sizeof(int64_t), FROM_TO(0, MOST_TIMES), DEFAULT("0"), CHECK(priced),              \
        DOC("how many " text))
#define TIMES(section, position)                                                                   \
    TIMES_ONE(section, "add", NMC_ADD, position, "additions")                                      \
    TIMES_ONE(section, "mul", NMC_MUL, position, "multiplications")                                \
    TIMES_ONE(section, "mux", NMC_MUX, position, "selections")                                     \
    TIMES_ONE(section, "comp", NMC_COMP, position, "comparisons")                                  \
    TIMES_ONE(section, "sqrt", NMC_SQRT, position, "square roots")

static const struct nmc_key keys[] = {
#include "model/preset_keys.def"
};

enum { KEYS = sizeof keys / sizeof *keys };

static const char *const titles[NMC_SECTIONS] = {
    [NMC_IN_ROOT] = "Top level",
    [NMC_IN_COUNT] = "count",
    [NMC_IN_PRIMITIVES] = "primitives_pj",
    [NMC_IN_PRECISION] = "precision_bits",
    [NMC_IN_MAC] = "mac",
    [NMC_IN_MAC_CORE] = "mac.CORE",
    [NMC_IN_MEMORY] = "memory_instances.NAME",
    [NMC_IN_OPERANDS] = "operands",
    [NMC_IN_CORE_OPERANDS] = "operands.CORE",
    [NMC_IN_OPERAND] = "operands.CORE.ROLE",
    [NMC_IN_WORK] = "work",
    [NMC_IN_PHASES] = "work.PROCESS",
    [NMC_IN_OPTIMIZERS] = "work.with_opt",
    [NMC_IN_PROCESS_WORK] = "work.PROCESS.PHASE",
    [NMC_IN_ARITHMETIC] = "work.PROCESS.PHASE.arithmetic.NAME",
    [NMC_IN_STATE] = "work.PROCESS.PHASE.state.NAME",
    [NMC_IN_MACHINE] = "machine",
    [NMC_IN_MACHINE_LEVEL] = "machine.levels.NAME",
    [NMC_IN_LAW] = "laws.NAME",
    [NMC_IN_POINT] = "laws.NAME.points.NAME",
};

const char *nmc_section_title(enum nmc_section section) {
    return titles[section];
}

const struct nmc_key *nmc_section_keys(enum nmc_section section, int *count) {
    int first = 0;
    while (first < KEYS && keys[first].in != section)
        first++;
    int last = first;
    while (last < KEYS && keys[last].in == section)
        last++;
    *count = last - first;
    return &keys[first];
}

const struct nmc_key *nmc_section_key(enum nmc_section section, const char *name) {
    int count;
    const struct nmc_key *key = nmc_section_keys(section, &count);
    for (; count; key++, count--)
        if (strcmp(key->name, name) == 0)
            return key;
    return NULL;
}
