#include "mapping/problem.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "model/price.h"

bool nmc_is_mappable(const struct nmc_fragment *fragment) {
    return fragment->process == NMC_WITH_NOTHING && fragment->macs > 0 && !fragment->elementwise;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Both gradients of a traced convolution bear the name of one operator; their cores differ. */
static bool is_gradient(const struct nmc_fragment *f, const char *end, enum nmc_core spiking,
                        enum nmc_core dense) {
    return ends_with(f->op, end) || (strncmp(f->op, "aten.convolution_backward", 25) == 0 &&
                                     (f->core == spiking || f->core == dense));
}

static enum nmc_map_role role_of(const struct nmc_fragment *f) {
    bool grad_weight =
        is_gradient(f, ".grad_weight", NMC_CORE_WG, NMC_CORE_ANN_WE) || f->second_gradient;
    bool grad_input =
        !grad_weight && is_gradient(f, ".grad_input", NMC_CORE_BP_GRAD, NMC_CORE_ANN_BE);
    if (grad_weight)
        return f->second_gradient || f->transposed ? NMC_MAP_TRANSPOSED_GRAD_WEIGHT
                                                   : NMC_MAP_GRAD_WEIGHT;
    return grad_input == f->transposed ? NMC_MAP_FORWARD : NMC_MAP_GRAD_INPUT;
}

/* Matrices of a batched product: as many as the second operand has. */
static int64_t matrices(const struct nmc_fragment *f, enum nmc_map_role role) {
    int64_t each, rows = f->dims[NMC_B] * f->dims[NMC_T];
    int64_t second = role == NMC_MAP_FORWARD || role == NMC_MAP_GRAD_INPUT ? f->weight_elements
                                                                           : f->output_elements;
    if (strncmp(f->op, "matmul", 6) != 0 && strncmp(f->op, "aten.bmm", 8) != 0 &&
        strncmp(f->op, "aten.baddbmm", 12) != 0)
        return 1;
    if (!nmc_mul(f->dims[NMC_C], f->dims[NMC_K], &each) || each == 0 || second % each)
        return 1;
    int64_t count = second / each;
    return count > 0 && rows % count == 0 ? count : 1;
}

/* Where nobody said how a window slides: from the sizes of what it slides over and makes. */
static int64_t likely_stride(const struct nmc_fragment *f) {
    double wide = (double)f->input_elements / (double)f->dims[NMC_C] / (double)f->groups;
    double made = (double)f->output_elements / (double)f->dims[NMC_K];
    double ratio = made > 0 ? sqrt(wide / made) : 1;
    return ratio > 1 && ratio < 64 ? (int64_t)(ratio + 0.5) : 1;
}

static void set_sliding(const struct nmc_fragment *f, struct nmc_problem *problem) {
    bool alone = f->dims[NMC_OY] == 1 && f->dims[NMC_OX] == 1;
    for (int i = 0; i < 2; i++) {
        int64_t stride = f->stride[i];
        if (!stride && f->phase == NMC_FORWARD && !alone)
            stride = likely_stride(f);
        problem->stride[i] = stride ? stride : 1;
        problem->dilation[i] = f->dilation[i] ? f->dilation[i] : 1;
        problem->extent[i] = f->extent[i];
    }
}

static void set_words(const struct nmc_fragment *f, const struct neuromc_preset *preset,
                      struct nmc_problem *problem) {
    int64_t partial = preset->machine.partial_sum_bits;
    problem->word[NMC_MAP_INPUTS] = f->input_bits;
    problem->word[NMC_MAP_WEIGHTS] = f->weight_bits;
    problem->word[NMC_MAP_OUTPUTS] = partial > f->output_bits ? partial : f->output_bits;
    problem->final_word = f->output_bits;
}

void nmc_problem_of(const struct nmc_fragment *f, const struct neuromc_preset *preset,
                    struct nmc_problem *problem, int64_t *groups) {
    const int64_t *d = f->dims;
    *problem = nmc_problem_new();
    problem->role = role_of(f);
    int64_t each = matrices(f, problem->role);
    bool divides = f->groups > 1 && d[NMC_K] % f->groups == 0;
    *groups = divides ? f->groups : each;
    problem->size[NMC_MAP_N] = d[NMC_B] * d[NMC_T] / each;
    problem->size[NMC_MAP_K] = divides ? d[NMC_K] / f->groups : d[NMC_K];
    problem->size[NMC_MAP_C] = d[NMC_C];
    if (f->transposed) {
        problem->size[NMC_MAP_C] = problem->size[NMC_MAP_K];
        problem->size[NMC_MAP_K] = d[NMC_C];
    }
    problem->size[NMC_MAP_P] = d[NMC_OY];
    problem->size[NMC_MAP_Q] = d[NMC_OX];
    problem->size[NMC_MAP_R] = d[NMC_FY];
    problem->size[NMC_MAP_S] = d[NMC_FX];
    set_sliding(f, problem);
    set_words(f, preset, problem);
}

static unsigned mask_of(const int *items, int count) {
    unsigned mask = 0;
    for (int i = 0; i < count; i++)
        mask |= 1u << items[i];
    return mask;
}

static int64_t along(const struct nmc_preset_level *level, enum nmc_mesh mesh) {
    return level->along[mesh] ? level->along[mesh] : 1;
}

static void set_network(const struct neuromc_preset *preset, int network,
                        struct nmc_machine_level *out) {
    out->network = network;
    if (network < 0)
        return;
    const struct nmc_memory *memory = &preset->memories[network];
    out->down_width = memory->read_bw_bits;
    out->up_width = memory->write_bw_bits;
    out->down_pj = memory->read_cost_pj;
    out->up_pj = memory->write_cost_pj;
}

static void set_level(const struct neuromc_preset *preset, const struct nmc_preset_level *level,
                      struct nmc_machine_level *out) {
    const struct nmc_memory *memory = &preset->memories[level->memory];
    int64_t least = level->least_bits;
    *out = (struct nmc_machine_level){
        .name = level->name,
        .size = memory->size_bits,
        .read_width = memory->read_bw_bits,
        .write_width = memory->write_bw_bits,
        .read_least = least && least < memory->read_bw_bits ? least : memory->read_bw_bits,
        .write_least = least && least < memory->write_bw_bits ? least : memory->write_bw_bits,
        .mesh = {along(level, NMC_MESH_X), along(level, NMC_MESH_Y)},
        .read_pj = memory->read_cost_pj,
        .fill_pj = memory->write_cost_pj,
        .update_pj = memory->write_cost_pj,
        .read_rate = (double)level->read_bits_per_cycle,
        .write_rate = (double)level->write_bits_per_cycle,
        .memory = level->memory,
    };
    out->can_keep = mask_of((const int *)level->keeps, level->keep_count);
    for (int m = 0; m < NMC_MESHES; m++)
        out->spread[m] = mask_of((const int *)level->spread[m], level->spread_count[m]);
    set_network(preset, level->network, out);
}

void nmc_machine_of(const struct neuromc_preset *preset, enum nmc_core core,
                    struct nmc_machine *out) {
    const struct nmc_preset_machine *machine = &preset->machine;
    *out = (struct nmc_machine){
        .name = preset->name,
        .counting = machine->counting,
        .count_first_reads = !machine->elide_first_reads,
        .count_drains = machine->count_drains,
        .level_count = machine->level_count,
        .mac_mesh = {machine->macs[NMC_MESH_X], machine->macs[NMC_MESH_Y]},
        .mac_pj = nmc_price(preset, nmc_resource_mac(core)),
    };
    for (int i = 0; i < machine->level_count; i++)
        set_level(preset, &machine->levels[i], &out->levels[i]);
}
