/* measure_meta.c - what its user says of a measurement, as the harness keeps it. */
#include <string.h>

#include "counters/measure.h"

static bool is_known(const struct neuromc_measurement *m, size_t count, const char *key) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(m->meta[i].key, key) == 0)
            return true;
    return false;
}

neuromc_status nmc_measure_meta(struct neuromc_measurement *m, neuromc_diags *diags) {
    const struct nmc_place place = {.file = "--meta"};
    size_t count = m->options.meta_count;
    m->meta = nmc_arena_array(&m->arena, count, sizeof *m->meta);
    for (size_t i = 0; m->meta && i < count; i++) {
        const char *text = m->options.meta[i], *equals = strchr(text, '=');
        if (!equals || equals == text)
            return nmc_error(diags, NEUROMC_USAGE, place, "for example --meta machine=lab-3",
                             "expected KEY=VALUE, not \"%.80s\"", text);
        m->meta[i] =
            (struct nmc_meta){.key = nmc_arena_strndup(&m->arena, text, (size_t)(equals - text)),
                              .value = nmc_arena_strdup(&m->arena, equals + 1)};
        if (!m->meta[i].key || !m->meta[i].value)
            break;
        if (is_known(m, i, m->meta[i].key))
            return nmc_error(diags, NEUROMC_USAGE, place, NULL, "%.80s is given twice",
                             m->meta[i].key);
    }
    return m->arena.failed ? nmc_out_of_memory(diags) : NEUROMC_OK;
}
