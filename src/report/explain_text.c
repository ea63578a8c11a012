/* An explanation as text: each row of the ledger as sums and products, exact to the last digit. */
#include "base/number.h"
#include "model/price.h"
#include "report/explain.h"
#include "report/formats.h"
#include "report/table.h"

static const char *const units[] = {"MACs", "operations", "bits"};

struct text {
    struct nmc_sink *sink;
    bool color;
    const struct nmc_explained *e;
};

/* A name from a file. */
static void put_name(struct nmc_sink *sink, const char *name) {
    struct nmc_strbuf clean;
    nmc_strbuf_init(&clean);
    nmc_strbuf_puts(&clean, name);
    nmc_make_printable(clean.text);
    nmc_sink_puts(sink, clean.text);
    sink->failed |= clean.failed;
    nmc_strbuf_release(&clean);
}

static void put_number(struct nmc_sink *sink, double number) {
    char text[NMC_NUMBER_SIZE];
    nmc_number_format(text, number);
    nmc_sink_puts(sink, text);
}

/* ---- the fragment ---- */

static void put_dims(const struct text *t) {
    const struct nmc_fragment *f = &t->e->line->fragment;
    nmc_sink_puts(t->sink, "  dims      ");
    for (int i = 0; i < NMC_LOOPS; i++)
        nmc_sink_printf(t->sink, " %s %lld", nmc_loop_names[i], (long long)f->dims[i]);
    nmc_sink_printf(t->sink, "   %s\n", nmc_explain_dims_place(t->e->line));
    if (f->macs) {
        nmc_sink_puts(t->sink, "  MACs       ");
        for (int i = 0; i < NMC_LOOPS; i++)
            nmc_sink_printf(t->sink, "%s%lld", i ? " * " : "", (long long)f->dims[i]);
        nmc_sink_printf(t->sink, " = %lld\n", (long long)f->macs);
    }
    nmc_sink_printf(t->sink,
                    "  operands   i1 %lld * %d bits, i2 %lld * %d bits, o %lld * %d bits\n",
                    (long long)f->input_elements, f->input_bits, (long long)f->weight_elements,
                    f->weight_bits, (long long)f->output_elements, f->output_bits);
    if (f->times != 1)
        nmc_sink_printf(t->sink, "  iterations %lld\n", (long long)f->times);
    if (f->spike_rate != 1) {
        nmc_sink_puts(t->sink, "  spike rate ");
        put_number(t->sink, f->spike_rate);
        nmc_sink_puts(t->sink, "\n");
    }
}

static void put_head(const struct text *t) {
    const struct nmc_line *line = t->e->line;
    nmc_sink_puts(t->sink, t->color ? "\033[1m" : "");
    put_name(t->sink, t->e->node);
    nmc_sink_puts(t->sink, t->color ? "\033[0m" : "");
    nmc_sink_puts(t->sink, ": ");
    put_name(t->sink, line->fragment.op);
    nmc_sink_puts(t->sink, ", stage ");
    put_name(t->sink, line->fragment.stage);
    if (!line->traffic)
        nmc_sink_printf(t->sink, ", core %s, %s", nmc_line_key(line, NMC_BY_CORE),
                        nmc_line_key(line, NMC_BY_PROCESS));
    nmc_sink_puts(t->sink, "\n");
    if (!line->traffic)
        put_dims(t);
}

/* ---- a row ---- */

/* "i1 1024 * 16 bits = 16384 bits"; a count that the row repeats is not said twice. */
static void put_step(const struct text *t, const struct nmc_count_step *step) {
    int64_t times = t->e->line->fragment.times;
    if (!step->name && times == 1)
        return;
    const char *bits = nmc_resource_at(step->resource).kind == NMC_RES_MEMORY ? " bits" : "";
    nmc_sink_printf(t->sink, "    %-16s ", step->name ? step->name : "");
    if (step->kind == NMC_COUNT_ARITHMETIC || step->kind == NMC_COUNT_STATE)
        nmc_sink_printf(t->sink, "%s ", nmc_class_names[step->per]);
    if (step->name)
        nmc_sink_printf(t->sink, "%lld * %lld%s", (long long)step->elements, (long long)step->each,
                        bits);
    else
        nmc_sink_printf(t->sink, "%lld", (long long)step->quantity);
    if (step->repeat != 1)
        nmc_sink_printf(t->sink, " * %lld times", (long long)step->repeat);
    if (times != 1)
        nmc_sink_printf(t->sink, " * %lld iterations", (long long)times);
    nmc_sink_printf(t->sink, " = %lld%s\n", (long long)(step->quantity * times), bits);
}

static void put_use(const struct text *t, const struct nmc_explained_use *use, bool read) {
    int64_t bits = read ? use->moved.read_bits : use->moved.written_bits;
    if (!bits)
        return;
    nmc_sink_puts(t->sink, "    ");
    put_name(t->sink, use->use->tensor);
    nmc_sink_printf(t->sink, " %lld bits, %s", (long long)bits,
                    nmc_dram_cause_names[use->moved.cause]);
    if (use->use->distance >= 0)
        nmc_sink_printf(t->sink, " (distance %lld, on chip %lld)", (long long)use->use->distance,
                        (long long)t->e->report->on_chip_bits);
    nmc_sink_puts(t->sink, "\n");
}

static void put_source(void *user, const struct nmc_provenance *p) {
    struct nmc_sink *sink = user;
    nmc_sink_puts(sink, "             ");
    put_name(sink, p->path);
    nmc_sink_puts(sink, " ");
    put_name(sink, p->value);
    nmc_sink_puts(sink, " (");
    put_name(sink, p->origin);
    if (*p->source) {
        nmc_sink_puts(sink, ": ");
        put_name(sink, p->source);
    }
    nmc_sink_puts(sink, ")\n");
}

static void put_price(const struct text *t, int resource) {
    struct nmc_strbuf made;
    nmc_strbuf_init(&made);
    nmc_explain_price_text(t->e->preset, resource, &made);
    nmc_sink_printf(t->sink, "    price    %s = ", made.text);
    put_number(t->sink, t->e->report->prices[resource]);
    nmc_sink_puts(t->sink, " pJ\n");
    nmc_strbuf_release(&made);
    nmc_explain_price(t->e->preset, resource, put_source, t->sink);
}

static void put_row(const struct text *t, const struct nmc_row *row) {
    const struct nmc_explained *e = t->e;
    struct nmc_resource resource = nmc_resource_at(row->resource);
    char name[128];
    nmc_resource_name(e->report, row->resource, name);
    nmc_sink_puts(t->sink, "\n  ");
    put_name(t->sink, name);
    nmc_sink_printf(t->sink, " (%s)   %s\n", nmc_part_names[row->part],
                    nmc_explain_place(e->line, (enum nmc_part)row->part));
    for (size_t s = 0; s < e->step_count; s++)
        if (e->steps[s].resource == row->resource && e->steps[s].part == row->part &&
            e->steps[s].kind != NMC_COUNT_KEPT)
            put_step(t, &e->steps[s]);
    for (size_t u = 0; u < e->use_count; u++)
        put_use(t, &e->uses[u], resource.direction == NMC_RH2L);
    nmc_sink_printf(t->sink, "    energy   %lld %s * ", (long long)row->quantity,
                    units[resource.kind]);
    put_number(t->sink, e->report->prices[row->resource]);
    nmc_sink_puts(t->sink, " pJ");
    if (row->part == NMC_PART_MAC && e->line->fragment.spike_rate != 1) {
        nmc_sink_puts(t->sink, " * ");
        put_number(t->sink, e->line->fragment.spike_rate);
    }
    nmc_sink_puts(t->sink, " = ");
    put_number(t->sink, nmc_row_energy(e->line, row, e->report->prices));
    nmc_sink_puts(t->sink, " pJ\n");
    put_price(t, row->resource);
}

static void put_kept(const struct text *t) {
    for (size_t s = 0; s < t->e->step_count; s++)
        if (t->e->steps[s].kind == NMC_COUNT_KEPT)
            nmc_sink_puts(t->sink, "\n  i2 fits its SRAM and stays there at this position of batch "
                                   "or time: not read again   docs/model.md#operand-traffic\n");
}

/* "compute = mac + extra_compute", each sum as the report forms it. */
static void put_sum(struct nmc_sink *sink, const struct nmc_totals *totals) {
    const char *plus = "";
    for (int p = 0; p < NMC_PARTS; p++) {
        if (totals->energy[p] == 0)
            continue;
        nmc_sink_printf(sink, "%s%s ", plus, nmc_part_names[p]);
        put_number(sink, totals->energy[p]);
        plus = " + ";
    }
    nmc_sink_puts(sink, *plus ? " = " : "");
    put_number(sink, nmc_totals_energy(totals));
    nmc_sink_puts(sink, " pJ\n");
}

void nmc_explain_text_line(struct nmc_sink *sink, bool color, const struct nmc_explained *e) {
    const struct text t = {sink, color, e};
    put_head(&t);
    for (uint32_t r = 0; r < e->line->row_count; r++)
        put_row(&t, &e->report->ledger.rows[e->line->first_row + r]);
    put_kept(&t);
    nmc_sink_puts(sink, "\n  total      ");
    put_sum(sink, e->totals);
    nmc_sink_puts(sink, "\n");
}

void nmc_explain_text_sum(struct nmc_sink *sink, const char *node, size_t lines,
                          const struct nmc_totals *sum) {
    if (lines < 2)
        return;
    put_name(sink, node);
    nmc_sink_printf(sink, ", all %zu: ", lines);
    put_sum(sink, sum);
}
