/* chosen.c - which devices the user asked for. */
#include <string.h>

#include "counters/kind.h"

bool nmc_is_chosen(const struct nmc_counter *counter, const char *name) {
    const neuromc_counter_options *asked = &counter->options.asked;
    for (size_t i = 0; i < asked->device_count; i++)
        if (strcmp(asked->devices[i], name) == 0)
            return true;
    return false;
}
