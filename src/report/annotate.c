#include "report/annotate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/memory.h"
#include "frontends/model_file.h"
#include "frontends/onnx_outside.h"

/* ---- places ---- */

static int by_place(const void *a, const void *b) {
    const struct nmc_place_of *x = a, *y = b;
    if (x->file_at != y->file_at)
        return x->file_at < y->file_at ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void add_place(struct nmc_annotation *a, struct nmc_places *to, size_t file_at,
                      uint32_t index) {
    if (!nmc_grow(&to->items, &to->capacity, to->count + 1, sizeof *to->items))
        a->failed = true;
    else
        to->items[to->count++] = (struct nmc_place_of){file_at, index};
}

static void sort_places(struct nmc_places *places) {
    size_t kept = 0;
    if (places->count)
        qsort(places->items, places->count, sizeof *places->items, by_place);
    for (size_t i = 0; i < places->count; i++)
        if (!kept || by_place(&places->items[kept - 1], &places->items[i]) != 0)
            places->items[kept++] = places->items[i];
    places->count = kept;
}

void nmc_places_at(const struct nmc_places *places, size_t file_at, size_t *first, size_t *end) {
    size_t low = 0, high = places->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (places->items[middle].file_at < file_at)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (low < places->count && places->items[low].file_at == file_at)
        low++;
    *end = low;
}

/* ---- which lines belong to which node ---- */

static void add_calls(struct nmc_annotation *a, const struct nmc_call *call, uint32_t line) {
    for (; call; call = call->around)
        add_place(a, &a->inside, call->file_at, line);
}

/* A body that is an attribute of a call stands in the caller: both the calls around the body's
 * nodes and those around its owner are around the line. */
static void add_around(struct nmc_annotation *a, const struct nmc_node *node, uint32_t line) {
    add_calls(a, node->call, line);
    for (const struct nmc_node *owner = node->graph->owner; owner; owner = owner->graph->owner) {
        add_place(a, &a->inside, owner->file_at, line);
        add_calls(a, owner->call, line);
    }
}

static void place_lines(struct nmc_annotation *a) {
    const struct nmc_ledger *ledger = &a->report->ledger;
    for (uint32_t i = 0; i < ledger->line_count && !a->failed; i++) {
        const uint32_t number = ledger->lines[i].fragment.node_number;
        const struct nmc_node *node = number ? a->net->nodes[number - 1] : NULL;
        add_place(a, &a->lines, node ? node->file_at : 0, i);
        if (node)
            add_around(a, node, i);
    }
    sort_places(&a->lines);
    sort_places(&a->inside);
}

static void place_nodes(struct nmc_annotation *a) {
    for (uint32_t i = 0; i < a->net->node_count && !a->failed; i++)
        if (a->net->nodes[i]->file_at)
            add_place(a, &a->nodes, a->net->nodes[i]->file_at, i);
    sort_places(&a->nodes);
}

static neuromc_status find_layers(struct nmc_annotation *a, neuromc_diags *diags) {
    struct nmc_layers layers;
    a->has_layer = nmc_arena_array(&a->net->arena, a->net->node_count, sizeof *a->has_layer);
    if (!a->has_layer)
        return nmc_out_of_memory(diags);
    neuromc_status status = nmc_layers_collect(a->net, &layers, diags);
    for (size_t i = 0; status == NEUROMC_OK && i < layers.count; i++)
        a->has_layer[layers.items[i].node->id] = true;
    nmc_layers_release(&layers);
    return status;
}

/* ---- writing ---- */

static void put(void *user, size_t file_at, struct nmc_metadata *out) {
    struct nmc_annotation *a = user;
    size_t first, end;
    if (file_at == 0) {
        nmc_annotate_model(a, out);
        return;
    }
    nmc_places_at(&a->nodes, file_at, &first, &end);
    a->found += end - first;
    nmc_annotate_node(a, file_at, out);
}

static neuromc_status write_copy(struct nmc_annotation *a, const char *path,
                                 const struct nmc_file *file, neuromc_write_fn write, void *to,
                                 neuromc_diags *diags) {
    const struct nmc_metadata_source source = {
        .prefix = NMC_ANNOTATE_PREFIX, .put = put, .user = a};
    neuromc_status status = nmc_onnx_with_metadata(file, path, &source, write, to, diags);
    if (status == NEUROMC_OK && a->found != 2 * a->nodes.count)
        return nmc_error(diags, NEUROMC_IO, (struct nmc_place){.file = path}, "try again",
                         "the file changed while it was read");
    return status;
}

static neuromc_status annotate(struct nmc_annotation *a, const char *path, neuromc_write_fn write,
                               void *to, neuromc_diags *diags) {
    struct nmc_file file;
    neuromc_status status = find_layers(a, diags);
    if (status != NEUROMC_OK)
        return status;
    place_nodes(a);
    place_lines(a);
    if (a->failed)
        return nmc_out_of_memory(diags);
    status = nmc_file_open(&file, path, 0, diags);
    if (status != NEUROMC_OK)
        return status;
    status = write_copy(a, path, &file, write, to, diags);
    nmc_file_close(&file);
    return status;
}

/* ---- from a path ---- */

static neuromc_status check_input(const char *path, const struct nmc_peek *peek,
                                  neuromc_diags *diags) {
    if (!peek->taken)
        return NEUROMC_OK;
    return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = path}, "save it as a file",
                     "what is annotated is read twice, and a stream can be read once");
}

static neuromc_status load(const char *path, const neuromc_model_options *options,
                           neuromc_model **out, neuromc_diags *diags) {
    struct nmc_peek peek;
    neuromc_status status = nmc_file_peek(&peek, path, diags);
    if (status != NEUROMC_OK)
        return status;
    status = check_input(path, &peek, diags);
    if (status != NEUROMC_OK) {
        nmc_peek_close(&peek);
        return status;
    }
    status = nmc_model_open(path, &peek, options, out, diags);
    if (status == NEUROMC_OK && !(*out)->net)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = path},
                         "give the ONNX file of the network",
                         "a trace has no nodes that could carry metadata");
    return status;
}

neuromc_status neuromc_annotate(const char *path, const neuromc_preset *preset,
                                const neuromc_model_options *model_options,
                                const neuromc_estimate_options *estimate_options,
                                neuromc_write_fn write, void *user, neuromc_diags *diags) {
    static const neuromc_model_options no_options;
    neuromc_estimate_options estimating = {.no_mapping = false};
    neuromc_model *model = NULL;
    neuromc_report *report = NULL;
    if (estimate_options)
        estimating = *estimate_options;
    estimating.no_mapping = false; /* lines of different nodes may not be merged */
    neuromc_status status = load(path, model_options, &model, diags);
    if (status == NEUROMC_OK)
        status = neuromc_estimate(model, preset, &estimating, &report, diags);
    if (status == NEUROMC_OK) {
        struct nmc_annotation a = {.net = model->net,
                                   .report = report,
                                   .model = model_options ? model_options : &no_options,
                                   .estimate = &estimating};
        status = annotate(&a, path, write, user, diags);
        nmc_free(a.nodes.items);
        nmc_free(a.lines.items);
        nmc_free(a.inside.items);
    }
    neuromc_report_free(report);
    neuromc_model_free(model);
    return status;
}

/* ---- weights outside the file ---- */

struct leaving {
    const char *from, *to;
    neuromc_diags *diags;
};

static bool lies_beside(const char *path, const char *location) {
    struct nmc_strbuf name;
    nmc_strbuf_init(&name);
    nmc_strbuf_add(&name, path, (size_t)(nmc_file_name(path) - path));
    nmc_strbuf_puts(&name, location);
    bool found = !name.failed && access(name.text, F_OK) == 0;
    nmc_strbuf_release(&name);
    return found;
}

/* The first file that is missed is named; a non-zero status ends the search. */
static neuromc_status look_for(void *user, const struct nmc_outside *tensor) {
    const struct leaving *l = user;
    if (!*tensor->location || !lies_beside(l->from, tensor->location) ||
        lies_beside(l->to, tensor->location))
        return NEUROMC_OK;
    nmc_warning(l->diags, (struct nmc_place){.file = l->to},
                "write it beside the original, or copy the weights there",
                "its weights lie in %s, which is not in its folder", tensor->location);
    return NEUROMC_EXCEEDED;
}

void neuromc_annotate_check_weights(const char *path, const char *copy, neuromc_diags *diags) {
    struct leaving leaving = {.from = path, .to = copy, .diags = diags};
    struct nmc_file file;
    if (nmc_file_open(&file, path, 0, NULL) != NEUROMC_OK)
        return;
    nmc_onnx_outside(&file, path, look_for, &leaving, NULL);
    nmc_file_close(&file);
}
