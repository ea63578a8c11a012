/*
 * Counts of ZigZag's own mappings under its conventions, memory by memory.
 *
 * ZigZag lets each operand cut the shared order of loops at levels of its own. What one operand
 * moves depends on its own cuts alone, so each is counted on a machine of the memories that it
 * passes; the operand's spatial loops stand inside the last of them that serves the whole array.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

#include "mapping/count.h"

static const char *const operand_names[] = {"W", "I", "O"}; /* as enum nmc_map_operand */
static const char *const loop_names[] = {"B", "K", "C", "OX", "OY", "FX", "FY"}; /* N K C P Q R S */

static cJSON *get(const cJSON *from, const char *key) {
    cJSON *found = cJSON_GetObjectItemCaseSensitive(from, key);
    if (!found)
        fail_msg("no %s", key);
    return found;
}

static int64_t number(const cJSON *item) {
    assert_true(cJSON_IsNumber(item));
    return (int64_t)item->valuedouble;
}

static cJSON *document(void) {
    static char text[1 << 20];
    FILE *file = fopen(NMC_TEST_DATA "/golden_mapping/zigzag.json", "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    return root;
}

static enum nmc_map_dim dim_of(const cJSON *loop) {
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        if (strcmp(cJSON_GetArrayItem(loop, 0)->valuestring, loop_names[d]) == 0)
            return (enum nmc_map_dim)d;
    fail_msg("no dim %s", cJSON_GetArrayItem(loop, 0)->valuestring);
    return NMC_MAP_N;
}

static const cJSON *memory_of(const cJSON *accelerator, const char *name) {
    const cJSON *memory;
    cJSON_ArrayForEach(memory,
                       get(accelerator, "memories")) if (strcmp(get(memory, "name")->valuestring,
                                                                name) == 0) return memory;
    fail_msg("no memory %s", name);
    return NULL;
}

/* ---- what ZigZag mapped --------------------------------------------------------------------- */

/* The ONNX runs know the padding: the input is as large as the stride says; the others count all
 * that windows touch. */
static struct nmc_problem problem_of(const cJSON *layer, bool knows_padding) {
    struct nmc_problem p = nmc_problem_new();
    const cJSON *dims = get(layer, "dims"), *bits = get(layer, "precision_bits");
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        const cJSON *size = cJSON_GetObjectItemCaseSensitive(dims, loop_names[d]);
        p.size[d] = size ? number(size) : 1;
    }
    for (int i = 0; i < 2; i++) {
        p.stride[i] = number(cJSON_GetArrayItem(get(layer, "stride_xy"), i));
        p.dilation[i] = number(cJSON_GetArrayItem(get(layer, "dilation_xy"), i));
        p.extent[i] = knows_padding ? p.size[NMC_MAP_P + i] * p.stride[i] : 0;
    }
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        p.word[o] = number(get(bits, operand_names[o]));
    p.final_word = number(get(bits, "O_final"));
    return p;
}

static void port_widths(const cJSON *memory, bool write, int64_t *least, int64_t *most) {
    const cJSON *port;
    cJSON_ArrayForEach(port, get(memory, "ports")) {
        const char *kind = get(port, "kind")->valuestring;
        if (strstr(kind, write ? "write" : "read")) {
            *least = number(get(port, "bits_per_cycle_min"));
            *most = number(get(port, "bits_per_cycle_max"));
        }
    }
}

static struct nmc_machine_level level_of(const cJSON *memory, enum nmc_map_operand operand) {
    struct nmc_machine_level level = {.name = get(memory, "name")->valuestring,
                                      .can_keep = 1u << operand,
                                      .mesh = {1, 1},
                                      .memory = -1,
                                      .network = -1};
    level.read_pj = get(memory, "read_cost")->valuedouble;
    level.fill_pj = level.update_pj = get(memory, "write_cost")->valuedouble;
    port_widths(memory, false, &level.read_least, &level.read_width);
    port_widths(memory, true, &level.write_least, &level.write_width);
    return level;
}

struct mapped {
    struct nmc_machine machine;
    struct nmc_nest nest;
    const char *memories[NMC_LIMIT_MAP_LEVELS];
};

/* The memories of one operand, outermost first, with its loops. The others stay outside. */
static void map_operand(struct mapped *m, const cJSON *layer, const cJSON *accelerator,
                        enum nmc_map_operand operand) {
    const cJSON *levels =
        get(get(layer, "temporal_mapping_innermost_first"), operand_names[operand]);
    int count = cJSON_GetArraySize(levels), whole_array = 0;
    *m = (struct mapped){.machine = {.counting = NMC_COUNT_PORTS,
                                     .count_first_reads = true,
                                     .count_drains = true,
                                     .level_count = count,
                                     .mac_mesh = {1 << 16, 1 << 16}}};
    for (int i = 0; i < count; i++) {
        const cJSON *level = cJSON_GetArrayItem(levels, count - 1 - i);
        const cJSON *loops = get(level, "loops");
        m->memories[i] = get(level, "memory")->valuestring;
        const cJSON *memory = memory_of(accelerator, m->memories[i]);
        m->machine.levels[i] = level_of(memory, operand);
        m->nest.levels[i].keep = i ? 1u << operand : 7;
        struct nmc_loops *to = &m->nest.levels[i].temporal;
        for (int k = cJSON_GetArraySize(loops) - 1; k >= 0; k--) {
            const cJSON *loop = cJSON_GetArrayItem(loops, k);
            to->items[to->count++] =
                (struct nmc_nest_loop){dim_of(loop), number(cJSON_GetArrayItem(loop, 1))};
        }
        if (cJSON_GetArraySize(get(memory, "served_dims")) == 2)
            whole_array = i;
    }
    m->machine.levels[0].can_keep = 7;
    const cJSON *unrolled;
    int mesh = 0;
    cJSON_ArrayForEach(unrolled, get(layer, "spatial_unroll_used")) {
        struct nmc_loops *to = &m->nest.levels[whole_array].spatial[mesh++ % NMC_MESHES];
        int64_t n = number(cJSON_GetArrayItem(unrolled, 1));
        if (n > 1)
            to->items[to->count++] = (struct nmc_nest_loop){dim_of(unrolled), n};
    }
    for (int i = whole_array + 1; i < count; i++)
        m->machine.levels[i].mesh[0] = m->machine.levels[i].mesh[1] = 1 << 16;
}

/* ---- the comparison ------------------------------------------------------------------------- */

struct tally {
    int memories, equal;
    double worst;
    char where[128];
};

static void compare(struct tally *t, const cJSON *layer, const char *memory, const char *operand,
                    const struct nmc_traffic *ours) {
    static const char *const names[NMC_DIRECTIONS] = {
        [NMC_RH2L] = "rd_out_to_low",
        [NMC_WL2H] = "wr_in_by_low",
        [NMC_RL2H] = "rd_out_to_high",
        [NMC_WH2L] = "wr_in_by_high",
    };
    const cJSON *theirs =
        get(get(get(get(get(layer, "energy"), "per_memory_operand"), memory), operand), "accesses");
    double away = 0;
    for (int d = 0; d < NMC_DIRECTIONS; d++) {
        double a = (double)ours->accesses[d], b = get(theirs, names[d])->valuedouble;
        double off = fabs(a - b) / fmax(1, fmax(fabs(a), fabs(b)));
        if (off > 0)
            print_message("%s %s %s %s: %.0f here, %.0f there\n", get(layer, "name")->valuestring,
                          memory, operand, names[d], a, b);
        away = fmax(away, off);
    }
    t->memories++;
    t->equal += away == 0;
    if (away > t->worst) {
        t->worst = away;
        snprintf(t->where, sizeof t->where, "%s %s %s", get(layer, "name")->valuestring, memory,
                 operand);
    }
}

static void compare_layer(struct tally *t, const cJSON *layer, const cJSON *accelerator,
                          bool knows_padding) {
    struct nmc_problem problem = problem_of(layer, knows_padding);
    for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
        static struct mapped m;
        static struct nmc_map_counts counts;
        map_operand(&m, layer, accelerator, (enum nmc_map_operand)o);
        assert_true(nmc_map_count(&problem, &m.machine, &m.nest, NMC_WALK_FULL, &counts));
        assert_int_equal(counts.macs, number(get(layer, "macs")));
        for (int i = 0; i < m.machine.level_count; i++)
            compare(t, layer, m.memories[i], operand_names[o], &counts.traffic[i][o]);
    }
}

static void memories_agree_within_a_hundredth(void **state) {
    (void)state;
    cJSON *root = document();
    const cJSON *run, *layer;
    struct tally t = {0};
    int layers = 0;
    cJSON_ArrayForEach(run, get(root, "runs")) {
        bool knows_padding = strstr(get(run, "workload")->valuestring, "21 layers");
        const cJSON *accelerator =
            get(get(root, "accelerators"), get(run, "accelerator")->valuestring);
        cJSON_ArrayForEach(layer, get(run, "layers")) {
            compare_layer(&t, layer, accelerator, knows_padding);
            layers++;
        }
    }
    print_message("# %d layers, %d memories of operands, %d to the last access; worst %.4f at %s\n",
                  layers, t.memories, t.equal, t.worst, t.where);
    assert_int_equal(layers, 21 + 6 + 21);
    assert_true(t.worst <= 0.01);
    cJSON_Delete(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memories_agree_within_a_hundredth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
