/* mapping_find.c - which mapping of a file is that of a layer, and which layers never came. */
#include "base/checked.h"
#include "mapping/mapping_file.h"
#include "model/yaml.h"

const char *nmc_layer_name(const char *node) {
    return *node ? node : "(functional)";
}

void nmc_layer_key(struct nmc_strbuf *out, const char *op, const char *node) {
    nmc_strbuf_clear(out);
    nmc_strbuf_puts(out, op);
    nmc_strbuf_putc(out, '\n');
    nmc_strbuf_puts(out, nmc_layer_name(node));
}

/* What all loops of a dim multiply to. */
static int64_t looped(const struct nmc_map_plan *plan, int dim) {
    int64_t all = 1;
    for (int i = 0; i < NMC_LIMIT_MAP_LEVELS; i++)
        if (!nmc_mul(all, plan->temporal[i][dim], &all) ||
            !nmc_mul(all, plan->unrolling.count[i][NMC_MESH_X][dim], &all) ||
            !nmc_mul(all, plan->unrolling.count[i][NMC_MESH_Y][dim], &all))
            return INT64_MAX;
    return all;
}

/* The first dim whose loops are not those of the problem; NMC_MAP_DIMS: all are. */
static int mismatch(const struct nmc_map_plan *plan, const struct nmc_problem *problem) {
    int dim = 0;
    while (dim < NMC_MAP_DIMS && looped(plan, dim) == problem->size[dim])
        dim++;
    return dim;
}

static struct nmc_place place_of(struct nmc_arena *arena, const struct nmc_yaml *node) {
    return (struct nmc_place){.file = node->file,
                              .line = node->line,
                              .column = node->column,
                              .where = nmc_yaml_path(arena, node)};
}

neuromc_status nmc_mapping_file_find(struct nmc_mapping_file *file, const char *op,
                                     const char *node, const struct nmc_problem *problem,
                                     const struct nmc_map_plan **out, neuromc_diags *diags) {
    *out = NULL;
    if (!file->first)
        return NEUROMC_OK;
    nmc_layer_key(&file->key, op, node);
    if (file->key.failed)
        return nmc_out_of_memory(diags);
    struct nmc_file_layer *first = nmc_strmap_get(&file->index, file->key.text), *at = first;
    while (at && mismatch(at->plan, problem) < NMC_MAP_DIMS)
        at = at->same_name;
    if (at) {
        at->used = true;
        *out = at->plan;
    }
    if (at || !first)
        return NEUROMC_OK;
    int dim = mismatch(first->plan, problem);
    return nmc_error(diags, NEUROMC_BAD_INPUT, place_of(&file->arena, first->name), NULL,
                     "the loops of %s multiply to %lld, the layer has %lld", nmc_map_dim_names[dim],
                     (long long)looped(first->plan, dim), (long long)problem->size[dim]);
}

neuromc_status nmc_mapping_file_check_names(struct nmc_mapping_file *file, neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    for (const struct nmc_file_layer *at = file->first; at; at = at->next)
        if (!at->used)
            status = nmc_error(diags, NEUROMC_BAD_INPUT, place_of(&file->arena, at->name),
                               "neuromc map without --mapping lists layers and their op",
                               "the model has no layer \"%.80s\" of op %.40s with these loops",
                               at->name->text, nmc_yaml_get(at->mapping, "op")->text);
    return status;
}

void nmc_loops_text(const struct nmc_loops *loops, struct nmc_strbuf *out) {
    for (int i = 0; i < loops->count; i++)
        nmc_strbuf_printf(out, "%s%s %lld", i ? ", " : "", nmc_map_dim_names[loops->items[i].dim],
                          (long long)loops->items[i].count);
}
