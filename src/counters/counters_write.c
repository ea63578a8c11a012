/* counters_write.c - every counter, with what it reads or why it is missing, for people and
 * machines. */
#include "base/json_write.h"
#include "base/number.h"
#include "base/sink.h"
#include "counters/counter.h"

struct listing {
    neuromc_format format;
    struct nmc_sink sink;
    struct nmc_json json;
};

static void joules(char out[NMC_NUMBER_SIZE], double value) {
    nmc_energy_format(out, value * 1e12);
}

static const char *usable(const struct nmc_missing *missing) {
    return nmc_absence_word(missing->absence);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void json_part(struct nmc_json *json, const struct nmc_counter_part *part) {
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "name", part->name);
    nmc_json_key_text(json, "place", part->place);
    nmc_json_key_text(json, "role", nmc_role_word(part->role));
    nmc_json_key_number(json, "resolution_j", part->resolution_j);
    nmc_json_key_number(json, "range_j", part->range_j);
    nmc_json_key_text(json, "note", part->note);
    nmc_json_end(json, '}');
}

static void json_info(struct nmc_json *json, const struct nmc_counter_info *info) {
    nmc_json_key_text(json, "source", info->source);
    nmc_json_key_text(json, "includes", info->includes);
    nmc_json_key_text(json, "leaves_out", info->leaves_out);
    nmc_json_key_bool(json, "modelled", info->modelled);
    nmc_json_key_bool(json, "integrated", info->integrated);
    nmc_json_key_bool(json, "per_process", info->per_process);
}

static void json_one(struct nmc_json *json, const struct nmc_counter_info *info,
                     const struct nmc_counter *counter, const struct nmc_missing *missing) {
    nmc_json_begin(json, '{');
    nmc_json_key_text(json, "name", info->name);
    nmc_json_key_text(json, "state", usable(missing));
    nmc_json_key_text(json, "reason", missing->reason[0] ? missing->reason : NULL);
    nmc_json_key_text(json, "hint", missing->hint[0] ? missing->hint : NULL);
    json_info(json, info);
    if (counter) {
        nmc_json_key_number(json, "resolution_j", info->resolution_j);
        nmc_json_key_number(json, "update_s", info->update_s);
        nmc_json_key_number(json, "range_j", info->range_j);
    }
    nmc_json_key(json, "parts");
    nmc_json_begin(json, '[');
    for (size_t i = 0; counter && i < nmc_counter_part_count(counter); i++)
        json_part(json, nmc_counter_part(counter, i));
    nmc_json_end(json, ']');
    nmc_json_end(json, '}');
}

/* ---- text --------------------------------------------------------------------------------- */

static void text_part(struct nmc_sink *sink, const struct nmc_counter_part *part) {
    char range[NMC_NUMBER_SIZE];
    nmc_sink_printf(sink, "    %-9s %-18s %s", nmc_role_word(part->role), part->name, part->place);
    if (part->range_j > 0) {
        joules(range, part->range_j);
        nmc_sink_printf(sink, ", wraps at %s", range);
    }
    nmc_sink_printf(sink, "%s%s\n", part->note ? ": " : "", part->note ? part->note : "");
}

static void text_present(struct nmc_sink *sink, const struct nmc_counter_info *info,
                         const struct nmc_counter *counter) {
    char step[NMC_NUMBER_SIZE], update[NMC_NUMBER_SIZE];
    joules(step, info->resolution_j);
    nmc_short_format(update, info->update_s * 1000);
    nmc_sink_printf(sink, "    includes   %s\n    leaves out %s\n", info->includes,
                    info->leaves_out);
    nmc_sink_printf(sink, "    steps of %s, an update every %s ms\n",
                    info->resolution_j > 0 ? step : "unknown size", update);
    for (size_t i = 0; i < nmc_counter_part_count(counter); i++)
        text_part(sink, nmc_counter_part(counter, i));
}

static void text_one(struct nmc_sink *sink, const struct nmc_counter_info *info,
                     const struct nmc_counter *counter, const struct nmc_missing *missing) {
    nmc_sink_printf(sink, "%-9s %s%s, from %s\n", info->name, nmc_absence_text(missing->absence),
                    info->modelled ? " (modelled, never measured)" : "", info->source);
    if (missing->reason[0])
        nmc_sink_printf(sink, "    %s\n", missing->reason);
    if (missing->hint[0])
        nmc_sink_printf(sink, "    hint: %s\n", missing->hint);
    if (counter)
        text_present(sink, info, counter);
}

/* ---- CSV ---------------------------------------------------------------------------------- */

static void csv_text(struct nmc_sink *sink, const char *text) {
    nmc_sink_puts(sink, "\"");
    for (; text && *text; text++) {
        if (*text == '"')
            nmc_sink_puts(sink, "\"");
        nmc_sink_add(sink, text, 1);
    }
    nmc_sink_puts(sink, "\"");
}

static void csv_row(struct nmc_sink *sink, const char *counter, const struct nmc_missing *missing,
                    const struct nmc_counter_part *part) {
    char unit[NMC_NUMBER_SIZE] = "", range[NMC_NUMBER_SIZE] = "";
    if (part) {
        nmc_number_format(unit, part->resolution_j);
        nmc_number_format(range, part->range_j);
    }
    nmc_sink_printf(sink, "%s,%s,", counter, usable(missing));
    csv_text(sink, missing->reason);
    nmc_sink_puts(sink, ",");
    csv_text(sink, part ? part->name : "");
    nmc_sink_printf(sink, ",%s,", part ? nmc_role_word(part->role) : "");
    csv_text(sink, part ? part->place : "");
    nmc_sink_printf(sink, ",%s,%s\n", unit, range);
}

static void csv_one(struct nmc_sink *sink, const struct nmc_counter_info *info,
                    const struct nmc_counter *counter, const struct nmc_missing *missing) {
    size_t parts = counter ? nmc_counter_part_count(counter) : 0;
    for (size_t i = 0; i < parts; i++)
        csv_row(sink, info->name, missing, nmc_counter_part(counter, i));
    if (parts == 0)
        csv_row(sink, info->name, missing, NULL);
}

/* ---- all of them -------------------------------------------------------------------------- */

static bool write_one(void *user, const struct nmc_counter_info *info,
                      const struct nmc_counter *counter, const struct nmc_missing *missing) {
    struct listing *l = user;
    if (l->format == NEUROMC_JSON)
        json_one(&l->json, info, counter, missing);
    else if (l->format == NEUROMC_CSV)
        csv_one(&l->sink, info, counter, missing);
    else
        text_one(&l->sink, info, counter, missing);
    return !l->sink.failed;
}

neuromc_status neuromc_counters_write(const neuromc_counter_options *options,
                                      const neuromc_write_options *write_options,
                                      neuromc_write_fn write, void *user, neuromc_diags *diags) {
    struct nmc_counter_options own = {0};
    struct listing l = {.format = write_options ? write_options->format : NEUROMC_TEXT};
    if (options)
        own.asked = *options;
    nmc_sink_init(&l.sink, write, user);
    nmc_json_init(&l.json, &l.sink);
    if (l.format == NEUROMC_JSON) {
        nmc_json_begin(&l.json, '{');
        nmc_json_key(&l.json, "schema");
        nmc_json_begin_flat(&l.json, '{');
        nmc_json_key_text(&l.json, "name", "neuromc-counters");
        nmc_json_key_integer(&l.json, "version", 1);
        nmc_json_end(&l.json, '}');
        nmc_json_key(&l.json, "counters");
        nmc_json_begin(&l.json, '[');
    } else if (l.format == NEUROMC_CSV) {
        nmc_sink_puts(&l.sink, "counter,state,reason,part,role,place,resolution_j,range_j\n");
    }
    neuromc_status status = nmc_counters_list(&own, write_one, &l, diags);
    if (l.format == NEUROMC_JSON) {
        nmc_json_end(&l.json, ']');
        nmc_json_end(&l.json, '}');
    }
    neuromc_status finished = nmc_sink_finish(&l.sink, diags);
    return status ? status : finished;
}
