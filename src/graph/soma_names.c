/* The names that neurons go by in public frameworks and exporters. */
#include <string.h>
#include <strings.h>

#include "graph/soma.h"

/* Compared without regard to case. Not here: neurons that do not spike (LI, NonSpikingLIFNode),
 * and names of whole layers (ConvLif, PSN, RLeaky, SLSTM), whose products would be lost. */
static const char *const names[] = {
    /* integrate-and-fire, as operators and functions are called */
    "IF",
    "LIF",
    "PLIF",
    "ALIF",
    "QIF",
    "EIF",
    "KLIF",
    "CLIF",
    "GLIF",
    "IAF",
    "RIF",
    "Lifee",
    "AdaptiveLIF",
    "LIFRate",
    "AdaptiveLIFRate",
    "SoftLIF",
    "SoftLIFRate",
    "Izhikevich",
    "AdEx",
    "CubaLIF",
    "ParametricLIF",
    /* SpikingJelly */
    "IFNode",
    "LIFNode",
    "ParametricLIFNode",
    "QIFNode",
    "EIFNode",
    "KLIFNode",
    "CLIFNode",
    "IzhikevichNode",
    "LIAFNode",
    "GatedLIFNode",
    "CUBALIFNode",
    "OTTTLIFNode",
    "SLTTLIFNode",
    "DSRIFNode",
    "DSRLIFNode",
    "ILCIFNode",
    "ILCLIFNode",
    "ILCPLIFNode",
    "SimpleIFNode",
    "SimpleLIFNode",
    "MultiStepIFNode",
    "MultiStepLIFNode",
    "MultiStepParametricLIFNode",
    "MultiStepEIFNode",
    /* snnTorch */
    "Leaky",
    "Synaptic",
    "Lapicque",
    /* Norse */
    "LIFCell",
    "LIFBoxCell",
    "LIFRefracCell",
    "LIFAdExCell",
    "LIFExCell",
    "IzhikevichCell",
    "IAFCell",
    "LSNNCell",
    /* sinabs, rockpool */
    "IAFSqueeze",
    "LIFSqueeze",
    "ALIFSqueeze",
    "LIFTorch",
    "aLIFTorch",
    "LIFBitshiftTorch",
    "LIFExodus",
    /* Lava, BindsNET, Nengo */
    "LIFReset",
    "LIFRefractory",
    "TernaryLIF",
    "IFNodes",
    "LIFNodes",
    "AdaptiveLIFNodes",
    "IzhikevichNodes",
    "RegularSpiking",
    "SpikingRectifiedLinear",
};

/* Neurons whose output is a rate or another real number, or of either sign. */
static const char *const graded[] = {
    "LIFRate", "AdaptiveLIFRate", "SoftLIF", "SoftLIFRate", "LIAFNode", "TernaryLIF",
};

/* Step functions with a surrogate gradient, which an exporter that does not know them leaves as
 * operators of its own: what is left of "fire" alone. */
static const char *const steps[] = {
    "PythonOp",
    "Heaviside",
    "SpikeFunction",
    "Spike",
    /* SpikingJelly */
    "atan",
    "sigmoid",
    "soft_sign",
    "erf",
    "rect",
    "s2nn",
    "q_pseudo_spike",
    "piecewise_quadratic",
    "piecewise_exp",
    "piecewise_leaky_relu",
    "leaky_k_relu",
    "log_tailed_relu",
    "nonzero_sign_log_abs",
    "squarewave_fourier_series",
    "fake_numerical_gradient",
    /* snnTorch */
    "FastSigmoid",
    "StraightThroughEstimator",
    "Triangular",
    "SpikeRateEscape",
    "SFS",
    "LSO",
    /* Norse, sinabs, rockpool */
    "SuperSpike",
    "HeaviErfc",
    "HeaviTanh",
    "HeaviTent",
    "HeaviCirc",
    "Logistic",
    "SingleSpike",
    "StepPWL",
};

static bool same(const char *a, size_t length, const char *b) {
    return strlen(b) == length && strncasecmp(a, b, length) == 0;
}

static bool is_in(const char *name, size_t length, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (same(name, length, list[i]))
            return true;
    return false;
}

#define IS_IN(name, length, list) is_in(name, length, list, sizeof(list) / sizeof *(list))

static size_t without(const char *name, size_t length, const char *suffix) {
    size_t tail = strlen(suffix);
    bool has = length > tail && strncasecmp(name + length - tail, suffix, tail) == 0;
    return has ? length - tail : length;
}

/* "LIF_stateful" is the LIF that keeps its own state, "lif_neuron" a LIF; "LIFNode.1" the second
 * function that an exporter made of that class. */
static size_t stem_length(const char *op_type) {
    static const char *const suffixes[] = {"_stateful", "Neuron", "_", "_node", "_cell"};
    size_t length = strlen(op_type), digits = length;
    while (digits > 0 && op_type[digits - 1] >= '0' && op_type[digits - 1] <= '9')
        digits--;
    if (digits > 1 && digits < length && op_type[digits - 1] == '.')
        length = digits - 1;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        length = without(op_type, length, suffixes[i]);
    return length;
}

bool nmc_soma_name(const char *op_type) {
    return nmc_soma_named(op_type, NULL, 0);
}

bool nmc_soma_named(const char *op_type, const char *const *more, size_t count) {
    if (strcmp(op_type, "If") == 0) /* the operator with two branches */
        return false;
    return IS_IN(op_type, stem_length(op_type), names) ||
           is_in(op_type, strlen(op_type), more, count);
}

bool nmc_soma_is_graded(const char *op_type) {
    return IS_IN(op_type, stem_length(op_type), graded);
}

bool nmc_node_is_spike_function(const struct nmc_node *node) {
    return !node->op && node->input_count > 0 && node->output_count > 0 &&
           IS_IN(node->op_type, strlen(node->op_type), steps);
}
