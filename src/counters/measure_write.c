#include "counters/measure_write.h"

static void write_json(struct nmc_sink *sink, const struct neuromc_measurement *m) {
    struct nmc_json json;
    nmc_json_init(&json, sink);
    nmc_json_begin(&json, '{');
    nmc_json_key(&json, "schema");
    nmc_json_begin_flat(&json, '{');
    nmc_json_key_text(&json, "name", "neuromc-measure");
    nmc_json_key_integer(&json, "version", 1);
    nmc_json_end(&json, '}');
    nmc_measure_json_counter(&json, m);
    if (m->subject_count == 1) {
        nmc_measure_json(&json, m, &m->subjects[0]);
    } else {
        nmc_json_key(&json, "subjects");
        nmc_json_begin(&json, '[');
        for (size_t i = 0; i < m->subject_count; i++) {
            nmc_json_begin(&json, '{');
            nmc_measure_json(&json, m, &m->subjects[i]);
            nmc_json_end(&json, '}');
        }
        nmc_json_end(&json, ']');
    }
    nmc_json_end(&json, '}');
}

static void write_text(struct nmc_sink *sink, const struct neuromc_measurement *m) {
    nmc_measure_text_counter(sink, m);
    for (size_t i = 0; i < m->subject_count; i++)
        nmc_measure_text(sink, m, &m->subjects[i]);
}

neuromc_status neuromc_measurement_write(const neuromc_measurement *m,
                                         const neuromc_write_options *options,
                                         neuromc_write_fn write, void *user, neuromc_diags *diags) {
    struct nmc_sink sink;
    nmc_sink_init(&sink, write, user);
    switch (options->format) {
    case NEUROMC_JSON: write_json(&sink, m); break;
    case NEUROMC_CSV: nmc_measure_csv(&sink, m); break;
    default: write_text(&sink, m); break;
    }
    return nmc_sink_finish(&sink, diags);
}

bool neuromc_measurement_holds(const neuromc_measurement *m) {
    for (size_t i = 0; i < m->subject_count; i++)
        if (!nmc_subject_holds(m, &m->subjects[i]))
            return false;
    return true;
}

bool neuromc_measurement_lost(const neuromc_measurement *m) {
    return m->lost;
}
