/*
 * trace_read.h - how the trace frontend turns checked JSON into typed fields; private to it.
 *
 * A reader takes one value at *at, leaves *at behind it, and stores what it read in `out`. On a
 * value it cannot take it reports the key path and returns NEUROMC_BAD_INPUT.
 */
#ifndef NMC_TRACE_READ_H
#define NMC_TRACE_READ_H

#include "base/arena.h"
#include "base/strmap.h"
#include "frontends/trace.h"
#include "frontends/trace_lines.h"
#include "frontends/trace_scan.h"

struct nmc_trace {
    struct nmc_lines lines;
    const char *line; /* the current line; NULL before the first and after the last */
    struct nmc_scan_members members;
    bool strict;
    neuromc_diags *diags;
    struct nmc_arena names;   /* what lives as long as the trace */
    struct nmc_arena scratch; /* what lives as long as the event */
    struct nmc_strmap stages, operators, modules, unknown_events;
    struct nmc_trace_header header;
    struct nmc_trace_event event;
};

/* One step of a key path: a name, or an index if name is NULL. */
struct nmc_trace_key {
    const struct nmc_trace_key *up;
    const char *name;
    size_t index;
};

typedef neuromc_status nmc_trace_read(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                      const char **at, void *out);

/* A key of an object, what reads its value, and where in `out` that goes. */
struct nmc_trace_field {
    const char *name;
    size_t length;
    nmc_trace_read *read;
    size_t offset;
    bool required;
};
#define NMC_TRACE_FIELD(name, read, type, member, required)                                        \
    { name, sizeof name - 1, read, offsetof(type, member), required }

/* An object by its table of fields (32 at most). Unknown keys are passed over; a known key that
 * comes twice, or a required one that does not come, is an error. */
neuromc_status nmc_trace_read_object(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     const char **at, const struct nmc_trace_field *fields,
                                     int count, void *out);

/* The same for the object that is the current line, by the keys noted when it was checked. */
neuromc_status nmc_trace_read_line(struct nmc_trace *trace, const struct nmc_trace_field *fields,
                                   int count, void *out);

nmc_trace_read nmc_trace_read_bool;   /* bool */
nmc_trace_read nmc_trace_read_count;  /* int64_t, >= 0 */
nmc_trace_read nmc_trace_read_real;   /* double */
nmc_trace_read nmc_trace_read_text;   /* struct nmc_scan_span */
nmc_trace_read nmc_trace_read_place;  /* const char *: where the value is; to be read later */
nmc_trace_read nmc_trace_read_tensor; /* struct nmc_trace_tensor; null gives rank -1 */
nmc_trace_read nmc_trace_read_weight; /* the same, of {"shape", "requires_grad"} */
nmc_trace_read nmc_trace_read_value;  /* struct nmc_trace_value */
nmc_trace_read nmc_trace_read_args;   /* struct nmc_trace_list */
nmc_trace_read nmc_trace_read_shape;  /* struct nmc_trace_tensor: rank, dims and elements */
nmc_trace_read nmc_trace_read_module; /* struct nmc_trace_module */
nmc_trace_read nmc_trace_read_groups; /* struct nmc_trace_event: groups and group_count */

/* That a tensor of a module has as many channels or features as the module says; null tensors and
 * modules that say nothing pass. name: the key that holds the tensor. */
neuromc_status nmc_trace_check_features(struct nmc_trace *trace, const char *name,
                                        const struct nmc_trace_module *module,
                                        const struct nmc_trace_tensor *tensor, int64_t wanted);

/* The event of the checked line; *known is false if it is none of ours. */
neuromc_status nmc_trace_read_event(struct nmc_trace *trace, struct nmc_trace_event *event,
                                    bool *known);

/* Elements of the list at `at`. */
size_t nmc_trace_read_length(const char *at);
/* Refuses any other kind of value than a list. */
neuromc_status nmc_trace_read_expect(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     const char *at, enum nmc_scan_kind kind);

/* The text with its escapes resolved, in `arena`. */
neuromc_status nmc_trace_read_string(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     struct nmc_scan_span span, struct nmc_arena *arena,
                                     const char **out);
/* The name in one of the trace's maps, put there (*added) if it is new. */
neuromc_status nmc_trace_read_intern(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     struct nmc_strmap *map, struct nmc_scan_span span,
                                     struct nmc_trace_name **out, bool *added);

/* NEUROMC_BAD_INPUT at a key; `at` (may be NULL) gives the column. */
neuromc_status nmc_trace_read_error(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                    const char *at, const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void nmc_trace_read_warning(struct nmc_trace *trace, const char *where, const char *hint,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
