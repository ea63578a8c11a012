#include "mapping/nest.h"

#include "base/checked.h"

const char *const nmc_map_role_names[NMC_MAP_ROLES] = {"forward", "grad_input", "grad_weight",
                                                       "transposed_grad_weight"};

/* The axis of each dim in each tensor's box; -1: irrelevant. */
static const int axes[NMC_MAP_OPERANDS][NMC_MAP_DIMS] = {
    [NMC_MAP_WEIGHTS] = {-1, 0, 1, -1, -1, 2, 3},
    [NMC_MAP_INPUTS] = {0, -1, 1, 2, 3, 2, 3},
    [NMC_MAP_OUTPUTS] = {0, 1, -1, 2, 3, -1, -1},
};

enum nmc_map_operand nmc_problem_tensor(const struct nmc_problem *problem,
                                        enum nmc_map_operand operand) {
    enum { W = NMC_MAP_WEIGHTS, I = NMC_MAP_INPUTS, O = NMC_MAP_OUTPUTS };
    static const unsigned char tensors[NMC_MAP_ROLES][NMC_MAP_OPERANDS] = {
        [NMC_MAP_FORWARD] = {W, I, O},
        [NMC_MAP_GRAD_INPUT] = {W, O, I},
        [NMC_MAP_GRAD_WEIGHT] = {O, I, W},
        [NMC_MAP_TRANSPOSED_GRAD_WEIGHT] = {I, O, W},
    };
    return (enum nmc_map_operand)tensors[problem->role][operand];
}

struct nmc_problem nmc_problem_new(void) {
    return (struct nmc_problem){.size = {1, 1, 1, 1, 1, 1, 1},
                                .stride = {1, 1},
                                .dilation = {1, 1},
                                .word = {1, 1, 1},
                                .final_word = 1};
}

int64_t nmc_problem_step(const struct nmc_problem *problem, enum nmc_map_operand operand,
                         enum nmc_map_dim dim, int *axis) {
    enum nmc_map_operand tensor = nmc_problem_tensor(problem, operand);
    *axis = axes[tensor][dim];
    if (*axis < 0) {
        *axis = 0;
        return 0;
    }
    if (tensor != NMC_MAP_INPUTS)
        return 1;
    switch (dim) {
    case NMC_MAP_P: return problem->stride[0];
    case NMC_MAP_Q: return problem->stride[1];
    case NMC_MAP_R: return problem->dilation[0];
    case NMC_MAP_S: return problem->dilation[1];
    default: return 1;
    }
}

bool nmc_problem_box(const struct nmc_problem *problem, enum nmc_map_operand operand,
                     const int64_t extent[NMC_MAP_DIMS], int64_t box[NMC_MAP_AXES]) {
    for (int a = 0; a < NMC_MAP_AXES; a++)
        box[a] = 1;
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        int axis;
        int64_t reach, step = nmc_problem_step(problem, operand, (enum nmc_map_dim)d, &axis);
        if (!nmc_mul(extent[d] - 1, step, &reach) || !nmc_add(box[axis], reach, &box[axis]))
            return false;
    }
    return true;
}

bool nmc_problem_words(const struct nmc_problem *problem, enum nmc_map_operand operand,
                       const int64_t extent[NMC_MAP_DIMS], int64_t *words) {
    int64_t box[NMC_MAP_AXES];
    return nmc_problem_box(problem, operand, extent, box) && nmc_product(box, NMC_MAP_AXES, words);
}

bool nmc_problem_macs(const struct nmc_problem *problem, int64_t *macs) {
    return nmc_product(problem->size, NMC_MAP_DIMS, macs);
}

int64_t nmc_machine_fanout(const struct nmc_machine *machine, int level, enum nmc_mesh mesh) {
    const int64_t *inner =
        level + 1 < machine->level_count ? machine->levels[level + 1].mesh : machine->mac_mesh;
    return inner[mesh] / machine->levels[level].mesh[mesh];
}
