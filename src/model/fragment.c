#include "model/fragment.h"

#include "base/checked.h"

const char *const nmc_loop_names[NMC_LOOPS] = {"B", "T", "C", "K", "OY", "OX", "FY", "FX"};

const char *const nmc_phase_names[NMC_PHASES] = {"forward", "backward", "optimizer"};

const char *const nmc_core_names[NMC_CORES] = {
    "fp_soma", "fp_bn",  "bp_grad", "bp_bn",  "bp_grad_opt", "wg",
    "ann_fe",  "ann_be", "ann_we",  "ann_bn", "ann_bn_bp",
};

const char *const nmc_process_names[NMC_PROCESSES] = {
    "with_nothing",
    "with_sg",
    "with_bn",
    "with_opt",
};

const char *const nmc_source_names[NMC_SOURCES] = {"module", "trace", "optimizer"};

struct nmc_fragment nmc_fragment_new(void) {
    return (struct nmc_fragment){
        .stage = "",
        .op = "",
        .node = "",
        .dims = {1, 1, 1, 1, 1, 1, 1, 1},
        .groups = 1,
        .times = 1,
        .spike_rate = 1,
    };
}

bool nmc_fragment_set_macs(struct nmc_fragment *fragment) {
    return nmc_product(fragment->dims, NMC_LOOPS, &fragment->macs);
}

void nmc_fragment_slide(struct nmc_fragment *fragment, int axes, const int64_t *stride,
                        const int64_t *dilation, const int64_t *wide) {
    const int axis[2] = {axes > 1 ? axes - 2 : 0, axes - 1};
    for (int i = 0; i < 2; i++) {
        bool there = i < axes;
        fragment->stride[i] = !there ? 1 : stride ? stride[axis[i]] : 0;
        fragment->dilation[i] = !there ? 1 : dilation ? dilation[axis[i]] : 0;
        fragment->extent[i] = !there ? 1 : wide ? wide[axis[i]] : 0;
    }
    if (axes > 2 && wide && !nmc_product(wide, axes - 1, &fragment->extent[0]))
        fragment->extent[0] = 0;
}
