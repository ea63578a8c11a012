/* gpu_share.c - two snapshots of GPU time become a process's share. */
#include "counters/counter.h"

static double used_since(const struct nmc_gpu_times *before, const struct nmc_gpu_use *use) {
    for (size_t i = 0; i < before->count; i++)
        if (before->items[i].pid == use->pid)
            return use->ns - before->items[i].ns;
    return use->ns;
}

double nmc_gpu_share(const struct nmc_gpu_times *before, const struct nmc_gpu_times *after,
                     pid_t pid) {
    double all = 0, own = 0;
    if (!before->known || !after->known || pid <= 0)
        return -1;
    for (size_t i = 0; i < after->count; i++) {
        double used = used_since(before, &after->items[i]);
        /* A client that went and came again starts anew: its process's sum may fall. */
        if (used <= 0)
            continue;
        all += used;
        if (after->items[i].pid == pid)
            own = used;
    }
    return all > 0 ? own / all : -1;
}
