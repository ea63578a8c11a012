#include "sweep/effect.h"

#include <string.h>

#include "base/memory.h"

static struct nmc_trace_of_group *find(struct nmc_effects *e, uint64_t key) {
    size_t mask = e->slots - 1, at = key & mask;
    while (e->traces[at].key && e->traces[at].key != key)
        at = (at + 1) & mask;
    return &e->traces[at];
}

static bool make_room(struct nmc_effects *e) {
    if (2 * (e->count + 1) <= e->slots)
        return true;
    struct nmc_trace_of_group *old = e->traces;
    size_t slots = e->slots, grown = slots ? 2 * slots : 64;
    struct nmc_trace_of_group *traces = nmc_malloc(grown * sizeof *traces);
    if (!traces)
        return false;
    memset(traces, 0, grown * sizeof *traces);
    e->traces = traces;
    e->slots = grown;
    for (size_t i = 0; i < slots; i++)
        if (old[i].key)
            *find(e, old[i].key) = old[i];
    nmc_free(old);
    return true;
}

bool nmc_effects_add(struct nmc_effects *e, const struct nmc_trace_of_group *trace) {
    if (e->lost)
        return true;
    if (!make_room(e))
        return false;
    struct nmc_trace_of_group *known = find(e, trace->key);
    if (!known->key) {
        *known = *trace;
        e->count++;
        return true;
    }
    for (int o = 0; o < e->objectives; o++)
        if (known->fingerprint[o] != trace->fingerprint[o])
            e->varies[o] |= UINT64_C(1) << trace->group;
    return true;
}

bool nmc_effects_settled(const struct nmc_effects *e, int group) {
    for (int o = 0; o < e->objectives; o++)
        if (!(e->varies[o] >> group & 1))
            return false;
    return true;
}

bool nmc_effects_merge(struct nmc_effects *e, const struct nmc_effects *other) {
    for (int o = 0; o < e->objectives; o++)
        e->varies[o] |= other->varies[o];
    e->lost |= other->lost;
    for (size_t i = 0; i < other->slots; i++)
        if (other->traces[i].key && !nmc_effects_add(e, &other->traces[i]))
            return false;
    return true;
}

void nmc_effects_release(struct nmc_effects *e) {
    nmc_free(e->traces);
    *e = (struct nmc_effects){0};
}
