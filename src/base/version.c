/* The version, as the Makefile has it. */
#include "neuromc.h"

const char *neuromc_version(void) {
    return NMC_VERSION;
}
