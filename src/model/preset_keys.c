/* preset_keys.c - the key table, section by section, in the order in which presets are written. */
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

#define FIELD(type, member)  .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define IN_PRESET(member)    FIELD(struct neuromc_preset, member)
#define NAMED(table, number) .names = table, .name_count = number
#define FROM_TO(low, high)   .least = low, .most = high

#define REQUIRED NMC_KEY_REQUIRED
#define OR_NONE  (NMC_KEY_REQUIRED | NMC_KEY_NONE)
#define OWN      (NMC_KEY_OWN | NMC_KEY_PROSE)

static const char *const schemas[] = {"neuromc-preset/1"};

#define SOURCE(section)                                                                            \
    {                                                                                              \
        section, "source", NMC_KEY_TEXT, .flags = REQUIRED | NMC_KEY_PROSE,                        \
                                         .offset = NMC_NO_FIELD,                                   \
                                         .doc = "where the numbers of this mapping come from"      \
    }

#define PRIMITIVE(which, text)                                                                     \
    {                                                                                              \
        NMC_IN_PRIMITIVES, text, NMC_KEY_NUMBER,                                                   \
            .flags = OR_NONE, IN_PRESET(primitive_pj[which]), FROM_TO(0, MOST_PJ), .unit = "pJ",   \
            .doc = "one operation; none: has no price here and must not be used"                   \
    }

#define PRECISION(key, member, text)                                                               \
    {                                                                                              \
        NMC_IN_PRECISION, key, NMC_KEY_INTEGER, .flags = REQUIRED, IN_PRESET(precision.member),    \
                                                FROM_TO(1, MOST_ELEMENT_BITS), .unit = "bits",     \
                                                .doc = text                                        \
    }

#define MAC(core, key, text)                                                                       \
    {                                                                                              \
        NMC_IN_MAC, key, NMC_KEY_MAPPING, .flags = OR_NONE, IN_PRESET(mac[core]),                  \
                                          .count = NMC_NO_FIELD, .section = NMC_IN_MAC_CORE,       \
                                          .check = nmc_check_counts_something, .doc = text         \
    }

#define OPERANDS(core, key)                                                                        \
    {                                                                                              \
        NMC_IN_OPERANDS, key, NMC_KEY_MAPPING,                                                     \
            .flags = OR_NONE, IN_PRESET(operands[core]),                                           \
            .count = offsetof(struct neuromc_preset, has_operands[core]),                          \
            .section = NMC_IN_CORE_OPERANDS,                                                       \
            .doc = "instances that the operands of a " key " MAC pass; none: not counted"          \
    }

#define OPERAND(role, key, text)                                                                   \
    {                                                                                              \
        NMC_IN_CORE_OPERANDS, key, NMC_KEY_MAPPING,                                                \
            .flags = REQUIRED, .offset = role * sizeof(struct nmc_operand),                        \
            .size = sizeof(struct nmc_operand), .count = NMC_NO_FIELD, .section = NMC_IN_OPERAND,  \
            .doc = text                                                                            \
    }

#define INSTANCE(key, member, at, text)                                                            \
    {                                                                                              \
        NMC_IN_OPERAND, key, NMC_KEY_INSTANCE,                                                     \
            .flags = OR_NONE, FIELD(struct nmc_operand, member), .level = at, .doc = text          \
    }

#define PROCESS(key, first, keys, text)                                                            \
    {                                                                                              \
        NMC_IN_WORK, key, NMC_KEY_MAPPING, .flags = OR_NONE, IN_PRESET(works[first]),              \
                                           .count = NMC_NO_FIELD, .section = keys, .doc = text     \
    }

/* Rows of a process lie side by side in works[]: forward, backward or adam, adamw, sgd. */
#define WORK(section_of, key, index, text)                                                         \
    {                                                                                              \
        section_of, key, NMC_KEY_MAPPING,                                                          \
            .flags = OR_NONE, .offset = index * sizeof(struct nmc_process_work),                   \
            .size = sizeof(struct nmc_process_work), .count = NMC_NO_FIELD,                        \
            .section = NMC_IN_PROCESS_WORK, .doc = text                                            \
    }

#define TIMES(section_of, key, primitive, position)                                                \
    {                                                                                              \
        section_of, key, NMC_KEY_INTEGER, .offset = position + primitive * sizeof(int64_t),        \
                                          .size = sizeof(int64_t), FROM_TO(0, MOST_TIMES),         \
                                          .standard = "0", .check = nmc_check_priced,              \
                                          .doc = "how many " key " operations"                     \
    }

#define ALL_PRIMITIVES(section_of, position)                                                       \
    TIMES(section_of, "add", NMC_ADD, position), TIMES(section_of, "mul", NMC_MUL, position),      \
        TIMES(section_of, "mux", NMC_MUX, position),                                               \
        TIMES(section_of, "comp", NMC_COMP, position),                                             \
        TIMES(section_of, "sqrt", NMC_SQRT, position)

#define PER(section_of, type)                                                                      \
    {                                                                                              \
        section_of, "per", NMC_KEY_NAME, .flags = REQUIRED, FIELD(type, per),                      \
                                         NAMED(nmc_class_names, NMC_CLASSES),                      \
                                         .doc = "class of elements that it happens for"            \
    }

#define WHEN(section_of, type)                                                                     \
    {                                                                                              \
        section_of, "when", NMC_KEY_NAME, FIELD(type, when), NAMED(nmc_when_names, NMC_WHENS),     \
            .standard = "always", .doc = "condition under which it happens"                        \
    }

#define MEMORY(key, kind, member, high, low, measure, text)                                        \
    {                                                                                              \
        NMC_IN_MEMORY, key, kind, .flags = REQUIRED, FIELD(struct nmc_memory, member),             \
                                  FROM_TO(low, high), .unit = measure, .doc = text                 \
    }

static const struct nmc_key keys[] = {
    {NMC_IN_ROOT, "schema", NMC_KEY_NAME, .flags = REQUIRED | OWN | NMC_KEY_FIXED,
     .offset = NMC_NO_FIELD, NAMED(schemas, 1), .doc = "name and version of this format"},
    {NMC_IN_ROOT, "name", NMC_KEY_TEXT, .flags = REQUIRED | OWN, IN_PRESET(name),
     .check = nmc_check_identifier, .doc = "name of the preset; its file is NAME.yaml"},
    {NMC_IN_ROOT, "description", NMC_KEY_TEXT, .flags = REQUIRED | OWN, IN_PRESET(description),
     .doc = "one sentence for lists"},
    {NMC_IN_ROOT, "extends", NMC_KEY_TEXT, .flags = OWN | NMC_KEY_FIXED, .offset = NMC_NO_FIELD,
     .doc = "preset to start from: a name, or a path relative to this file"},
    {NMC_IN_ROOT, "source", NMC_KEY_TEXT, .flags = REQUIRED | OWN, .offset = NMC_NO_FIELD,
     .doc = "where the numbers come from that no inner source covers"},
    {NMC_IN_ROOT, "technology_nm", NMC_KEY_NUMBER, .flags = OR_NONE, IN_PRESET(technology_nm),
     FROM_TO(1, 10000), .unit = "nm", .doc = "technology node of the prices; none: not stated"},
    {NMC_IN_ROOT, "levels", NMC_KEY_NAMES, .flags = OR_NONE, IN_PRESET(level_order),
     .count = offsetof(struct neuromc_preset, level_count), NAMED(nmc_level_names, NMC_LEVELS),
     .doc = "levels of the memory hierarchy, outermost first"},
    {NMC_IN_ROOT, "count", NMC_KEY_MAPPING, .flags = REQUIRED, .offset = 0, .count = NMC_NO_FIELD,
     .section = NMC_IN_COUNT, .check = nmc_check_count, .doc = "which traffic counts"},
    {NMC_IN_ROOT, "primitives_pj", NMC_KEY_MAPPING, .flags = REQUIRED, .offset = 0,
     .count = NMC_NO_FIELD, .section = NMC_IN_PRIMITIVES, .doc = "price of one operation"},
    {NMC_IN_ROOT, "precision_bits", NMC_KEY_MAPPING, .flags = REQUIRED, .offset = 0,
     .count = NMC_NO_FIELD, .section = NMC_IN_PRECISION, .doc = "width of one element"},
    {NMC_IN_ROOT, "mac", NMC_KEY_MAPPING, .flags = OR_NONE, .offset = 0, .count = NMC_NO_FIELD,
     .section = NMC_IN_MAC, .doc = "what one MAC of each core type is made of"},
    {NMC_IN_ROOT, "memory_instances", NMC_KEY_ENTRIES, .flags = OR_NONE,
     .offset = offsetof(struct neuromc_preset, memories), .size = sizeof(struct nmc_memory),
     .count = offsetof(struct neuromc_preset, memory_count), .section = NMC_IN_MEMORY,
     .doc = "memories by name"},
    {NMC_IN_ROOT, "operands", NMC_KEY_MAPPING, .flags = OR_NONE, .offset = 0, .count = NMC_NO_FIELD,
     .section = NMC_IN_OPERANDS, .doc = "which instances serve the operands of each core type"},
    {NMC_IN_ROOT, "work", NMC_KEY_MAPPING, .flags = OR_NONE, .offset = 0, .count = NMC_NO_FIELD,
     .section = NMC_IN_WORK, .doc = "work beside MACs, by process and phase"},
    {NMC_IN_ROOT, "not_modelled", NMC_KEY_TEXTS, .flags = OR_NONE | NMC_KEY_PROSE,
     .offset = offsetof(struct neuromc_preset, not_modelled), .size = sizeof(const char *),
     .count = offsetof(struct neuromc_preset, not_modelled_count),
     .doc = "what the preset leaves out, for the report"},

    SOURCE(NMC_IN_COUNT),
    {NMC_IN_COUNT, "dram", NMC_KEY_BOOL, .flags = REQUIRED, IN_PRESET(count_dram),
     .doc = "count DRAM traffic by reuse distance"},
    {NMC_IN_COUNT, "noc", NMC_KEY_BOOL, .flags = REQUIRED, IN_PRESET(count_noc),
     .check = nmc_check_noc, .doc = "count traffic of instances on level noc"},
    {NMC_IN_COUNT, "sram_high_directions", NMC_KEY_BOOL, .flags = REQUIRED,
     IN_PRESET(count_sram_high_directions),
     .doc = "count SRAM traffic with the next level out (rl2h, wh2l)"},
    {NMC_IN_COUNT, "on_chip_bits", NMC_KEY_SIZE, .flags = OR_NONE, IN_PRESET(on_chip_bits),
     FROM_TO(0, MOST_BITS), .unit = "bits",
     .doc = "capacity for reuse distances; needed if dram is true"},
    {NMC_IN_COUNT, "dram_instance", NMC_KEY_INSTANCE, .flags = OR_NONE, IN_PRESET(dram_memory),
     .level = NMC_DRAM, .doc = "instance that prices DRAM traffic; needed if dram is true"},

    SOURCE(NMC_IN_PRIMITIVES),
    PRIMITIVE(NMC_ADD, "add"),
    PRIMITIVE(NMC_MUL, "mul"),
    PRIMITIVE(NMC_MUX, "mux"),
    PRIMITIVE(NMC_COMP, "comp"),
    PRIMITIVE(NMC_SQRT, "sqrt"),

    SOURCE(NMC_IN_PRECISION),
    PRECISION("spike", spike_bits, "an element of a spike tensor"),
    PRECISION("activation", activation_bits, "an element of a dense input"),
    PRECISION("weight", weight_bits, "a weight"),
    PRECISION("output", output_bits, "an output of a MAC"),
    PRECISION("gradient", gradient_bits, "an element of a gradient"),
    PRECISION("optimizer", optimizer_bits, "a parameter or its state in the optimizer"),

    SOURCE(NMC_IN_MAC),
    MAC(NMC_CORE_FP_SOMA, "fp_soma", "forward, spike input"),
    MAC(NMC_CORE_BP_GRAD, "bp_grad", "gradient of a spike input"),
    MAC(NMC_CORE_WG, "wg", "gradient of a weight under a spike input"),
    MAC(NMC_CORE_ANN_FE, "ann_fe", "forward, dense input"),
    MAC(NMC_CORE_ANN_BE, "ann_be", "gradient of a dense input"),
    MAC(NMC_CORE_ANN_WE, "ann_we", "gradient of a weight under a dense input"),

    ALL_PRIMITIVES(NMC_IN_MAC_CORE, 0),

    SOURCE(NMC_IN_MEMORY),
    {NMC_IN_MEMORY, "level", NMC_KEY_NAME, .flags = REQUIRED, FIELD(struct nmc_memory, level),
     NAMED(nmc_level_names, NMC_LEVELS), .check = nmc_check_level,
     .doc = "its level, one of `levels`"},
    MEMORY("size_bits", NMC_KEY_SIZE, size_bits, MOST_BITS, 1, "bits", "capacity"),
    MEMORY("data_width", NMC_KEY_INTEGER, data_width, MOST_BANDWIDTH, 1, "bits", "width of a word"),
    MEMORY("read_bw_bits", NMC_KEY_INTEGER, read_bw_bits, MOST_BANDWIDTH, 1, "bits",
           "moved by one read access"),
    MEMORY("write_bw_bits", NMC_KEY_INTEGER, write_bw_bits, MOST_BANDWIDTH, 1, "bits",
           "moved by one write access"),
    MEMORY("read_cost_pj", NMC_KEY_NUMBER, read_cost_pj, MOST_PJ, 0, "pJ", "one read access"),
    MEMORY("write_cost_pj", NMC_KEY_NUMBER, write_cost_pj, MOST_PJ, 0, "pJ", "one write access"),

    SOURCE(NMC_IN_OPERANDS),
    OPERANDS(NMC_CORE_FP_SOMA, "fp_soma"),
    OPERANDS(NMC_CORE_BP_GRAD, "bp_grad"),
    OPERANDS(NMC_CORE_WG, "wg"),
    OPERANDS(NMC_CORE_ANN_FE, "ann_fe"),
    OPERANDS(NMC_CORE_ANN_BE, "ann_be"),
    OPERANDS(NMC_CORE_ANN_WE, "ann_we"),

    OPERAND(NMC_I1, "i1", "input, read"),
    OPERAND(NMC_I2, "i2", "weight, read; not again if it is reused and fits the SRAM"),
    OPERAND(NMC_O, "o", "output, written"),

    INSTANCE("reg", reg, NMC_REG, "register it passes; none: not counted"),
    INSTANCE("sram", sram, NMC_SRAM, "SRAM it passes; none: not counted"),

    SOURCE(NMC_IN_WORK),
    PROCESS("with_nothing", 0, NMC_IN_PHASES, "convolutions and GEMMs, beside their MACs"),
    PROCESS("with_sg", 2, NMC_IN_PHASES, "soma; backward its surrogate gradient"),
    PROCESS("with_bn", 4, NMC_IN_PHASES, "batch norm"),
    PROCESS("with_opt", 6, NMC_IN_OPTIMIZERS, "optimizer step"),

    WORK(NMC_IN_PHASES, "forward", 0, "forward phase"),
    WORK(NMC_IN_PHASES, "backward", 1, "backward phase"),

    WORK(NMC_IN_OPTIMIZERS, "adam", 0, "Adam"),
    WORK(NMC_IN_OPTIMIZERS, "adamw", 1, "AdamW"),
    WORK(NMC_IN_OPTIMIZERS, "sgd", 2, "SGD"),

    {NMC_IN_PROCESS_WORK, "arithmetic", NMC_KEY_ENTRIES, .flags = OR_NONE,
     .offset = offsetof(struct nmc_process_work, arithmetic), .size = sizeof(struct nmc_arithmetic),
     .count = offsetof(struct nmc_process_work, arithmetic_count), .section = NMC_IN_ARITHMETIC,
     .check = nmc_check_counts_something, .doc = "operations per element, by name"},
    {NMC_IN_PROCESS_WORK, "state", NMC_KEY_ENTRIES, .flags = OR_NONE,
     .offset = offsetof(struct nmc_process_work, states), .size = sizeof(struct nmc_state),
     .count = offsetof(struct nmc_process_work, state_count), .section = NMC_IN_STATE,
     .check = nmc_check_moves_something, .doc = "state variables, by name"},

    PER(NMC_IN_ARITHMETIC, struct nmc_arithmetic),
    WHEN(NMC_IN_ARITHMETIC, struct nmc_arithmetic),
    ALL_PRIMITIVES(NMC_IN_ARITHMETIC, offsetof(struct nmc_arithmetic, count)),

    PER(NMC_IN_STATE, struct nmc_state),
    {NMC_IN_STATE, "bits", NMC_KEY_INTEGER, .flags = REQUIRED, FIELD(struct nmc_state, bits),
     FROM_TO(1, MOST_ELEMENT_BITS), .unit = "bits", .doc = "width of one element"},
    {NMC_IN_STATE, "instance", NMC_KEY_INSTANCE, .flags = REQUIRED, FIELD(struct nmc_state, memory),
     .level = -1, .check = nmc_check_counted, .doc = "memory instance that holds it"},
    {NMC_IN_STATE, "read", NMC_KEY_INTEGER, .flags = REQUIRED, FIELD(struct nmc_state, reads),
     FROM_TO(0, MOST_TIMES), .doc = "how often each element is read"},
    {NMC_IN_STATE, "write", NMC_KEY_INTEGER, .flags = REQUIRED, FIELD(struct nmc_state, writes),
     FROM_TO(0, MOST_TIMES), .doc = "how often each element is written"},
    WHEN(NMC_IN_STATE, struct nmc_state),
};

enum { KEYS = sizeof keys / sizeof *keys };

static const char *const titles[NMC_SECTIONS] = {
    [NMC_IN_ROOT] = "the top level",
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
