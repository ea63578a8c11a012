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
    /* sinabs, rockpool */
    "IAFSqueeze",
    "LIFSqueeze",
    "ALIFSqueeze",
    "LIFTorch",
    "aLIFTorch",
    "LIFBitshiftTorch",
    "LIFExodus",
};

static bool same(const char *a, size_t length, const char *b) {
    return strlen(b) == length && strncasecmp(a, b, length) == 0;
}

/* "LIF_stateful" is the LIF that keeps its own state. */
static size_t stem_length(const char *op_type) {
    static const char suffix[] = "_stateful";
    size_t length = strlen(op_type), tail = sizeof suffix - 1;
    bool has = length > tail && strcasecmp(op_type + length - tail, suffix) == 0;
    return has ? length - tail : length;
}

bool nmc_soma_name(const char *op_type) {
    return nmc_soma_named(op_type, NULL, 0);
}

bool nmc_soma_named(const char *op_type, const char *const *more, size_t count) {
    size_t length = stem_length(op_type);
    if (strcmp(op_type, "If") == 0) /* the operator with two branches */
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (same(op_type, length, names[i]))
            return true;
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(op_type, more[i]) == 0)
            return true;
    return false;
}
