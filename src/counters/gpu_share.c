/* gpu_share.c - two snapshots of GPU time become what a process used, and its share. */
#include "counters/counter.h"

static double used_since(const struct nmc_gpu_times *before, const struct nmc_gpu_use *use) {
    for (size_t i = 0; i < before->count; i++)
        if (before->items[i].pid == use->pid)
            return use->ns - before->items[i].ns;
    return use->ns;
}

struct nmc_gpu_spent nmc_gpu_spent(const struct nmc_gpu_times *before,
                                   const struct nmc_gpu_times *after, pid_t pid) {
    struct nmc_gpu_spent spent = {.known = before->known && after->known && pid > 0};
    for (size_t i = 0; spent.known && i < after->count; i++) {
        double used = used_since(before, &after->items[i]);
        /* A client that went and came again starts anew: its process's sum may fall. */
        if (used <= 0)
            continue;
        spent.all_ns += used;
        if (after->items[i].pid == pid)
            spent.own_ns = used;
    }
    return spent;
}

double nmc_gpu_share(const struct nmc_gpu_spent *spent) {
    return spent->all_ns > 0 ? spent->own_ns / spent->all_ns : -1;
}

static bool is_there(const struct nmc_gpu_times *times, int64_t pid) {
    for (size_t i = 0; i < times->count; i++)
        if (times->items[i].pid == pid)
            return true;
    return false;
}

size_t nmc_gpu_vanished(const struct nmc_gpu_times *before, const struct nmc_gpu_times *after,
                        int64_t *out) {
    size_t count = 0;
    for (size_t i = 0; before->known && after->known && i < before->count; i++) {
        int64_t pid = before->items[i].pid;
        size_t at = count;
        if (is_there(after, pid))
            continue;
        for (; at > 0 && out[at - 1] > pid; at--)
            out[at] = out[at - 1];
        out[at] = pid;
        count++;
    }
    return count;
}
