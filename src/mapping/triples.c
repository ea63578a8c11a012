/* neuromc_map_triples: counts every mapping of a document and writes the document with results. */
#include <string.h>

#include "mapping/triples.h"

struct run {
    struct nmc_doc doc;
    bool brute_force, no_elision;
    bool enforce_capacity;
    neuromc_diags *diags;
};

/* The text from one place to another, blanks at its end left out. */
static void copy(struct nmc_json *json, const char *from, const char *to) {
    while (strchr(" \t\r\n", to[-1]))
        to--;
    nmc_json_raw(json, from, (size_t)(to - from));
}

/* All members of the object at `at` but `result`, as they stand. */
static void copy_members(struct nmc_json *json, const char *at) {
    for (bool more = nmc_scan_enter(&at); more; more = nmc_scan_next(&at)) {
        const char *member = at;
        struct nmc_scan_span name = nmc_scan_key(&at);
        at = nmc_scan_skip(at);
        if (!nmc_scan_equals(name, "result", 6))
            copy(json, member, at);
    }
}

/* json NULL: the triple is only checked. */
static neuromc_status run_triple(struct run *run, const struct nmc_doc_key *key, const char **at,
                                 struct nmc_json *json) {
    const char *start = *at;
    struct nmc_triple triple;
    struct nmc_map_counts counts;
    struct nmc_misfit misfit;
    nmc_arena_release(&run->doc.arena);
    neuromc_status status = nmc_triple_read(&run->doc, key, at, &triple);
    if (status != NEUROMC_OK)
        return status;
    triple.machine.count_first_reads = run->no_elision;
    if (!nmc_map_count(&triple.problem, &triple.machine, &triple.nest,
                       run->brute_force ? NMC_WALK_FULL : NMC_WALK_EXTRAPOLATED, &counts))
        return nmc_doc_error(&run->doc, key, start, NULL, "a count has more than 63 bits");
    if (!json)
        return NEUROMC_OK;
    bool fits = !run->enforce_capacity ||
                nmc_map_fits(&triple.problem, &triple.machine, &triple.nest, &counts, &misfit);
    nmc_json_begin(json, '{');
    copy_members(json, start);
    nmc_json_key(json, "result");
    nmc_triple_write_result(json, &triple, &counts, fits ? NULL : &misfit);
    nmc_json_end(json, '}');
    return NEUROMC_OK;
}

/* Every triple; a bad one does not keep the others from being looked at. */
static neuromc_status run_triples(struct run *run, const char *at, struct nmc_json *json) {
    const struct nmc_doc_key key = {.name = "triples"};
    neuromc_status worst = nmc_doc_expect(&run->doc, &key, at, NMC_SCAN_LIST);
    if (worst != NEUROMC_OK)
        return worst;
    struct nmc_doc_key item = {.up = &key};
    for (bool more = nmc_scan_enter(&at); more; more = nmc_scan_next(&at), item.index++) {
        const char *next = at;
        neuromc_status status = run_triple(run, &item, &next, json);
        if (status == NEUROMC_IO)
            return status;
        worst = status == NEUROMC_OK ? worst : status;
        at = nmc_scan_skip(at);
    }
    return worst;
}

struct document {
    const char *header, *triples;
};

static const struct nmc_doc_field fields[] = {
    {"header", nmc_doc_place, offsetof(struct document, header), false},
    {"triples", nmc_doc_place, offsetof(struct document, triples), true},
};

/* Whether the header's note lifts the capacities, as documents of random mappings do. */
static bool says_not_enforced(const char *header) {
    static const char phrase[] = "capacities not enforced";
    if (!header)
        return false;
    size_t length = (size_t)(nmc_scan_skip(header) - header);
    for (size_t i = 0; i + sizeof phrase - 1 <= length; i++)
        if (memcmp(header + i, phrase, sizeof phrase - 1) == 0)
            return true;
    return false;
}

static neuromc_status write_document(struct run *run, const struct document *document,
                                     neuromc_write_fn write, void *user) {
    struct nmc_sink sink;
    struct nmc_json json;
    nmc_sink_init(&sink, write, user);
    nmc_json_init(&json, &sink);
    nmc_json_begin(&json, '{');
    if (document->header) {
        nmc_json_key(&json, "header");
        copy(&json, document->header, nmc_scan_skip(document->header));
    }
    nmc_json_key(&json, "triples");
    nmc_json_begin(&json, '[');
    neuromc_status status = run_triples(run, document->triples, &json);
    nmc_json_end(&json, ']');
    nmc_json_end(&json, '}');
    neuromc_status written = nmc_sink_finish(&sink, run->diags);
    return status == NEUROMC_OK ? written : status;
}

static neuromc_status run_document(struct run *run, neuromc_write_fn write, void *user) {
    struct document document = {0};
    const char *at = nmc_scan_blanks(run->doc.text);
    neuromc_status status = nmc_doc_object(&run->doc, NULL, &at, fields, 2, &document);
    if (status != NEUROMC_OK)
        return status;
    run->enforce_capacity = !says_not_enforced(document.header);
    /* Nothing is written before all of it is known to be good. */
    status = run_triples(run, document.triples, NULL);
    return status == NEUROMC_OK ? write_document(run, &document, write, user) : status;
}

neuromc_status neuromc_map_triples(const char *path, const neuromc_triples_options *options,
                                   neuromc_write_fn write, void *user, neuromc_diags *diags) {
    struct run run = {.brute_force = options && options->brute_force,
                      .no_elision = options && options->no_elision,
                      .diags = diags};
    neuromc_status status = nmc_doc_open(&run.doc, path, NMC_LIMIT_TRIPLES_BYTES, diags);
    if (status == NEUROMC_OK)
        status = run_document(&run, write, user);
    nmc_doc_release(&run.doc);
    return status;
}
