/* What the metadata of a node and of the model say. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "graph/soma.h"
#include "model/lower.h"
#include "report/annotate.h"
#include "report/stacks.h"

#define KEY(name) NMC_ANNOTATE_PREFIX name

/* ---- values ---- */

void nmc_annotate_number(struct nmc_metadata *out, const char *key, double value) {
    char text[NMC_NUMBER_SIZE];
    nmc_number_format(text, value);
    nmc_metadata_put(out, key, text);
}

void nmc_annotate_count(struct nmc_metadata *out, const char *key, int64_t value) {
    char text[NMC_NUMBER_SIZE];
    snprintf(text, sizeof text, "%" PRId64, value);
    nmc_metadata_put(out, key, text);
}

void nmc_annotate_named(struct nmc_metadata *out, const char *group, const char *name,
                        const char *value) {
    struct nmc_strbuf key;
    nmc_strbuf_init(&key);
    nmc_strbuf_puts(&key, NMC_ANNOTATE_PREFIX);
    nmc_strbuf_puts(&key, group);
    nmc_strbuf_putc(&key, '.');
    nmc_strbuf_puts(&key, name);
    nmc_metadata_put(out, key.text, value);
    out->bytes.failed |= key.failed;
    nmc_strbuf_release(&key);
}

static void put_part(struct nmc_metadata *out, const char *name, double energy) {
    char text[NMC_NUMBER_SIZE];
    nmc_number_format(text, energy);
    nmc_annotate_named(out, "energy_pJ", name, text);
}

/* ---- energy ---- */

/* All counts of a report fit together, so those of some of its lines do. */
static struct nmc_totals sum_lines(const struct nmc_annotation *a, const struct nmc_places *places,
                                   size_t first, size_t end, const char *stage) {
    struct nmc_totals sum = {.macs = 0};
    for (size_t i = first; i < end; i++) {
        uint32_t line = places->items[i].index;
        if (!stage || a->report->ledger.lines[line].fragment.stage == stage)
            nmc_totals_add(&sum, &a->report->lines[line]);
    }
    return sum;
}

void nmc_annotate_totals(const struct nmc_totals *sum, const struct nmc_group *stages, size_t count,
                         struct nmc_metadata *out) {
    nmc_annotate_number(out, KEY("energy_pJ"), nmc_totals_energy(sum));
    for (size_t i = 0; i < count; i++)
        put_part(out, stages[i].key, nmc_totals_energy(&stages[i].totals));
    for (int level = 0; level < NMC_STACK_LEVELS; level++)
        if (nmc_stack_energy(sum, level) > 0)
            put_part(out, nmc_stack_level(level), nmc_stack_energy(sum, level));
    nmc_annotate_count(out, KEY("macs"), sum->macs);
}

/* The stages in which a node has work, and its sum. */
static void put_energy(const struct nmc_annotation *a, size_t first, size_t end,
                       struct nmc_metadata *out) {
    const struct nmc_groups *all = &a->report->groups[NMC_BY_STAGE];
    const struct nmc_totals sum = sum_lines(a, &a->lines, first, end, NULL);
    struct nmc_group stages[NMC_PHASES];
    size_t count = 0;
    for (size_t s = 0; s < all->count && count < NMC_PHASES; s++) {
        stages[count] = (struct nmc_group){all->items[s].key,
                                           sum_lines(a, &a->lines, first, end, all->items[s].key)};
        count += stages[count].totals.fragments > 0 || nmc_totals_energy(&stages[count].totals) > 0;
    }
    nmc_annotate_totals(&sum, stages, count, out);
}

/* Of a node with a body, or that calls a function: what all the nodes in there come to. */
static void put_inside(const struct nmc_annotation *a, size_t file_at, struct nmc_metadata *out) {
    size_t first, end;
    nmc_places_at(&a->inside, file_at, &first, &end);
    if (first == end)
        return;
    const struct nmc_totals sum = sum_lines(a, &a->inside, first, end, NULL);
    nmc_annotate_number(out, KEY("inside_pJ"), nmc_totals_energy(&sum));
    nmc_annotate_count(out, KEY("inside_macs"), sum.macs);
}

/* ---- what kind of node it is ---- */

static const char *coverage_of(const struct nmc_annotation *a, const struct nmc_node *node) {
    static const char *const words[] = {[NMC_COVER_COSTED] = "costed",
                                        [NMC_COVER_FREE] = "free",
                                        [NMC_COVER_UNMODELLED] = "not modelled"};
    if (node->dead)
        return "not run";
    if (node->soma && node->soma->node != node)
        return "in its neuron";
    return words[nmc_node_coverage(node, a->has_layer[node->id], a->estimate->elementwise)];
}

static bool is_uncounted(const char *coverage) {
    return strcmp(coverage, "not run") == 0 || strcmp(coverage, "not modelled") == 0;
}

/* Where calls of a function differ, the word that says more: costed, then not modelled. */
static const char *coverage_at(const struct nmc_annotation *a, size_t first, size_t end) {
    const char *found = "not run";
    for (size_t i = first; i < end; i++) {
        const char *word = coverage_of(a, a->net->nodes[a->nodes.items[i].index]);
        if (strcmp(word, "costed") == 0)
            return word;
        if (strcmp(found, "not modelled") != 0 && strcmp(word, "not run") != 0)
            found = word;
    }
    return found;
}

/* ---- shapes ---- */

static const struct nmc_tensor *operand(const struct nmc_node *node, bool output, int index) {
    int count = output ? node->output_count : node->input_count;
    return index < count ? (output ? node->outputs : node->inputs)[index] : NULL;
}

static bool same_shape(const struct nmc_shape *a, const struct nmc_shape *b) {
    return a->rank == b->rank &&
           (a->rank <= 0 || memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0);
}

/* Calls of a function may differ in the shapes of its nodes. */
static void write_shape(const struct nmc_annotation *a, size_t first, size_t end, bool output,
                        int index, struct nmc_strbuf *out) {
    const struct nmc_shape *shape =
        &operand(a->net->nodes[a->nodes.items[first].index], output, index)->shape;
    for (size_t i = first + 1; i < end; i++) {
        const struct nmc_tensor *other =
            operand(a->net->nodes[a->nodes.items[i].index], output, index);
        if (other && !same_shape(shape, &other->shape)) {
            nmc_strbuf_puts(out, "differs by call");
            return;
        }
    }
    nmc_shape_write(a->net, shape, out);
}

static void put_shapes(const struct nmc_annotation *a, size_t first, size_t end, bool output,
                       struct nmc_metadata *out) {
    const struct nmc_node *node = a->net->nodes[a->nodes.items[first].index];
    const int count = output ? node->output_count : node->input_count;
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    for (int i = 0; i < count; i++) {
        char name[32];
        if (!operand(node, output, i))
            continue;
        nmc_strbuf_clear(&text);
        write_shape(a, first, end, output, i, &text);
        snprintf(name, sizeof name, "%s.%d", output ? "output" : "input", i);
        nmc_annotate_named(out, "shape", name, text.text);
    }
    out->bytes.failed |= text.failed;
    nmc_strbuf_release(&text);
}

void nmc_annotate_node(const struct nmc_annotation *a, size_t file_at, struct nmc_metadata *out) {
    size_t first, end, first_line, end_line;
    nmc_places_at(&a->nodes, file_at, &first, &end);
    nmc_places_at(&a->lines, file_at, &first_line, &end_line);
    if (first < end) {
        const struct nmc_node *node = a->net->nodes[a->nodes.items[first].index];
        const char *coverage = coverage_at(a, first, end);
        nmc_metadata_put(out, KEY("coverage"), coverage);
        if (node->soma)
            nmc_metadata_put(out, KEY("neuron"), nmc_soma_kind_names[node->soma->kind]);
        if (first_line < end_line || !is_uncounted(coverage))
            put_energy(a, first_line, end_line, out);
    }
    put_inside(a, file_at, out);
    if (first < end) {
        put_shapes(a, first, end, false, out);
        put_shapes(a, first, end, true, out);
    }
}
