/* result_command.c - the best point as operands and options of `neuromc estimate`. */
#include <string.h>

#include "sweep/axis.h"
#include "sweep/result.h"

/* One word for a shell; nothing in it may steer the terminal. */
static void write_quoted(struct nmc_sink *sink, const char *text) {
    nmc_sink_puts(sink, "'");
    for (const char *c = text; *c; c++)
        if (*c == '\'')
            nmc_sink_puts(sink, "'\\''");
        else
            nmc_sink_add(sink, (unsigned char)*c < 0x20 || *c == 0x7F ? "?" : c, 1);
    nmc_sink_puts(sink, "'\n");
}

/* What a value of a knob is to `neuromc estimate`. */
static void write_knob(struct nmc_sink *sink, const struct nmc_result_axis *axis,
                       const char *value) {
    enum nmc_knob knob = nmc_knob_find(axis->name);
    struct nmc_strbuf word;
    if (knob == NMC_KNOB_PATH)
        return;
    nmc_strbuf_init(&word);
    if (knob == NMC_KNOB_DIM)
        nmc_strbuf_printf(&word, "%s=", axis->name + strlen("dim."));
    if (knob == NMC_KNOB_STAGES && strcmp(value, "train") == 0)
        value = "forward,backward,optimizer";
    nmc_strbuf_puts(&word, value);
    for (char *c = word.text; knob == NMC_KNOB_STAGES && *c; c++)
        if (*c == '+')
            *c = ',';
    const char *option = nmc_knob_options[knob];
    nmc_sink_printf(sink, "    %s%s", option ? option : "", option ? " " : "");
    write_quoted(sink, word.text);
    nmc_strbuf_release(&word);
}

void nmc_result_command(const neuromc_sweep_result *result, struct nmc_sink *sink) {
    const struct nmc_result_row *best = result->top.count ? &result->top.items[0] : NULL;
    if (!best || !best->set)
        return;
    nmc_sink_puts(sink, "\n  what `neuromc estimate` needs for the best one:\n");
    for (int a = 0; a < result->axis_count; a++)
        write_knob(sink, &result->axes[a], best->texts[a]);
    for (int i = 0; i < best->set_count; i++) {
        nmc_sink_puts(sink, "    --set ");
        write_quoted(sink, best->set[i]);
    }
}
