/*
 * neuromc.h - the library as others see it: an offline analytical energy estimator for neural
 * networks on described hardware.
 *
 * The order of work is
 *
 *     preset  = neuromc_preset_load(...)     hardware: prices in pJ, memory instances in bits
 *     model   = neuromc_model_load(...)      an ONNX file or an operator trace
 *     report  = neuromc_estimate(...)        counts work, prices it
 *     neuromc_report_write(report, ...)      text, JSON or CSV
 *
 * Every function that can fail returns a neuromc_status and appends to a neuromc_diags list what
 * went wrong, where, and what to do about it. The library never prints, never exits and never
 * calls setlocale. Handles are not thread-safe; different handles may be used from different
 * threads at once. Out pointers are set to NULL on failure.
 *
 * Units: energies are picojoules (pJ), memory is counted in bits, work in MACs
 * (one multiply-accumulate = 1).
 */
#ifndef NEUROMC_H
#define NEUROMC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define NEUROMC_API __attribute__((visibility("default")))
#else
#define NEUROMC_API
#endif

/* "MAJOR.MINOR.PATCH" of the library in use. */
NEUROMC_API const char *neuromc_version(void);

/* ---- status and diagnostics ------------------------------------------------------------- */

/* What a call came to. The values are the command's exit codes. */
typedef enum neuromc_status {
    NEUROMC_OK = 0,
    NEUROMC_EXCEEDED = 1,    /* the command's: a comparison went beyond the bound that was given */
    NEUROMC_USAGE = 2,       /* the caller asked for something contradictory or unknown */
    NEUROMC_BAD_INPUT = 3,   /* a model, trace or preset is malformed or cannot be understood */
    NEUROMC_UNSUPPORTED = 4, /* well-formed, but refused (strict mode, or the reference refuses) */
    NEUROMC_IO = 5,          /* a file could not be read or written, or memory ran out */
    NEUROMC_INTERNAL = 70    /* a bug in neuromc */
} neuromc_status;

typedef enum neuromc_severity { NEUROMC_ERROR, NEUROMC_WARNING, NEUROMC_NOTE } neuromc_severity;

/* One message. Strings live as long as the list; any of file, where and hint may be NULL.
 * line and column count from 1; 0 means unknown. `where` is a key path of a preset or trace, or
 * `Conv "name"` for a node of a graph. */
typedef struct neuromc_diag {
    neuromc_severity severity;
    neuromc_status status; /* NEUROMC_OK for warnings and notes */
    const char *file;
    int line, column;
    const char *where;
    const char *message;
    const char *hint;
} neuromc_diag;

/* A list of messages. Whatever takes one takes NULL too: then nothing is said. */
typedef struct neuromc_diags neuromc_diags;

NEUROMC_API neuromc_diags *neuromc_diags_new(void); /* NULL when memory runs out */
NEUROMC_API void neuromc_diags_free(neuromc_diags *diags);
NEUROMC_API void neuromc_diags_clear(neuromc_diags *diags);
NEUROMC_API size_t neuromc_diags_count(const neuromc_diags *diags);
NEUROMC_API const neuromc_diag *neuromc_diags_at(const neuromc_diags *diags, size_t index);

/* Receives output piecewise; returns false to stop (a full disk, a closed pipe). */
typedef bool (*neuromc_write_fn)(void *user, const char *data, size_t size);

/* ---- presets: the hardware --------------------------------------------------------------- */

typedef struct neuromc_preset neuromc_preset;

typedef struct neuromc_preset_options {
    const char *search_path;        /* a directory looked into first; may be NULL */
    const char *const *assignments; /* "path=value", applied in order; may be NULL */
    size_t assignment_count;
} neuromc_preset_options;

/* Loads a preset by name (searched in search_path, $NEUROMC_PRESET_PATH, the installed data
 * directory, the source tree) or by path (anything with a '/' or ending in .yaml, or a file whose
 * name is no preset's). All errors of a file are reported, not only the first. */
NEUROMC_API neuromc_status neuromc_preset_load(const char *name_or_path,
                                               const neuromc_preset_options *options,
                                               neuromc_preset **out, neuromc_diags *diags);
NEUROMC_API void neuromc_preset_free(neuromc_preset *preset);

/* Whether estimates with it map operands to its machine, which may take a while. */
NEUROMC_API bool neuromc_preset_maps(const neuromc_preset *preset);

/* One preset found on the search path; the first of two with the same name wins. */
typedef struct neuromc_preset_info {
    const char *name, *path, *description;
    double technology_nm; /* 0: not stated */
} neuromc_preset_info;

/* Calls visit for each preset on the search path, sorted by name, until it returns false. */
NEUROMC_API neuromc_status neuromc_preset_list(const char *search_path,
                                               bool (*visit)(void *user,
                                                             const neuromc_preset_info *info),
                                               void *user, neuromc_diags *diags);

/* Writes the effective preset (extends and assignments applied) as YAML that loads back equal. */
NEUROMC_API neuromc_status neuromc_preset_write(const neuromc_preset *preset,
                                                neuromc_write_fn write, void *user,
                                                neuromc_diags *diags);

/* ---- models: the workload ------------------------------------------------------------------ */

typedef struct neuromc_model neuromc_model;

typedef struct neuromc_dim_binding {
    const char *name; /* a symbolic dim, or "INPUT:AXIS" for one without a name */
    int64_t value;    /* >= 1 */
} neuromc_dim_binding;

typedef struct neuromc_model_options {
    const neuromc_dim_binding *dims; /* may be NULL */
    size_t dim_count;
    int64_t batch;                   /* leading dim of every graph input; 0 leaves the model's */
    const char *const *spike_inputs; /* graph inputs whose values are all 0 or 1 */
    size_t spike_input_count;
    const char *const *soma_ops; /* further op types that are spiking neurons */
    size_t soma_op_count;
    const neuromc_dim_binding *trips; /* trip counts of Loop nodes by node name */
    size_t trip_count;
    int64_t time_steps; /* activations carry so many steps in front; 0: not stated */
} neuromc_model_options;

/* Loads an ONNX model (shapes inferred, neurons found) or opens an operator trace; "-" is
 * standard input. Weights are never read. options may be NULL. */
NEUROMC_API neuromc_status neuromc_model_load(const char *path,
                                              const neuromc_model_options *options,
                                              neuromc_model **out, neuromc_diags *diags);
NEUROMC_API void neuromc_model_free(neuromc_model *model);

/* ---- estimates ------------------------------------------------------------------------------ */

typedef enum neuromc_accounting {
    NEUROMC_CORRECTED, /* every piece of work once and only once */
    NEUROMC_RUNTIME    /* as the reference runtime profiler counts; traces only */
} neuromc_accounting;

enum neuromc_stage_mask {
    NEUROMC_STAGE_FORWARD = 1,
    NEUROMC_STAGE_BACKWARD = 2,
    NEUROMC_STAGE_OPTIMIZER = 4
};

typedef enum neuromc_optimizer {
    NEUROMC_OPTIMIZER_DEFAULT, /* adam, and the report says that it was assumed */
    NEUROMC_ADAM,
    NEUROMC_ADAMW,
    NEUROMC_SGD
} neuromc_optimizer;

/* How loop nests are found for a preset that describes a machine. */
typedef enum neuromc_map_objective {
    NEUROMC_MAP_ENERGY,
    NEUROMC_MAP_LATENCY,
    NEUROMC_MAP_EDP /* energy x cycles */
} neuromc_map_objective;

/* Told after each distinct shape, from any thread, never two at a time. */
typedef void (*neuromc_map_progress_fn)(void *user, size_t done, size_t total);

/* Every text may be NULL and every count 0. */
typedef struct neuromc_map_options {
    neuromc_map_objective objective;
    const char *mapping;      /* YAML file of mappings to take instead of searching */
    const char *const *fixes; /* "LEVEL.DIM=N": loops; "LEVEL.x.DIM=N": unrollings */
    size_t fix_count;
    const char *const *orders; /* "LEVEL=K,C,P": order of a level's loops, outermost first */
    size_t order_count;
    double least_utilization; /* of the MACs, 0 to 1 */
    int jobs;                 /* threads; 0: one for each processor */
    /* For each layer, to show that no mapping is better than the one found; 0: the standard. */
    int64_t steps;
    /* Looked at by search; once it is not 0 every layer keeps the best mapping so far. */
    const volatile int *stop;
    neuromc_map_progress_fn progress;
    void *progress_user;
} neuromc_map_options;

typedef struct neuromc_estimate_options {
    neuromc_accounting accounting;
    unsigned stages;           /* neuromc_stage_mask; 0 means forward only */
    bool elementwise;          /* also count activations, pooling, normalisation and the like */
    bool precision_from_model; /* bits as the file stores tensors, not as the preset says */
    bool strict;               /* refuse what is not modelled instead of listing it */
    bool no_mapping;           /* do not keep the list of fragments (traces of any length) */
    neuromc_optimizer optimizer;
    double momentum, weight_decay, dampening; /* sgd; dampening must be 0 */
    bool nesterov, maximize;                  /* refused, as the reference refuses them */
    bool first_step;                          /* momentum has no buffer yet */
    const char *const *freeze;                /* globs of parameter names */
    size_t freeze_count;
    const char *const *input_grads; /* graph inputs that need a gradient */
    size_t input_grad_count;
    /* Mean of spike tensors' values, which scales the arithmetic of spike-driven MACs: a number
     * from 0 to 1, or the path of a YAML file of `tensor: rate`. NULL: 1, as the reference. */
    const char *spike_rate;
    const neuromc_map_options *map; /* of presets whose access model is `mapped`; may be NULL */
} neuromc_estimate_options;

typedef struct neuromc_report neuromc_report;

/* Counts the model's work and prices it with the preset. options may be NULL. The report keeps
 * no reference to model or preset. */
NEUROMC_API neuromc_status neuromc_estimate(neuromc_model *model, const neuromc_preset *preset,
                                            const neuromc_estimate_options *options,
                                            neuromc_report **out, neuromc_diags *diags);
NEUROMC_API void neuromc_report_free(neuromc_report *report);

/* Total energy in pJ; the sum of the report's parts in their fixed order. */
NEUROMC_API double neuromc_report_energy_total_pj(const neuromc_report *report);

typedef enum neuromc_format {
    NEUROMC_TEXT,
    NEUROMC_JSON,
    NEUROMC_CSV,
    /* of reports alone */
    NEUROMC_FOLDED,   /* stacks for flame graphs, weights in fJ */
    NEUROMC_MARKDOWN, /* tables by stage, operation and node */
    NEUROMC_LATEX,    /* the same with booktabs */
    NEUROMC_PPROF,    /* a profile.proto for `go tool pprof` and speedscope */
    NEUROMC_HTML,     /* one page that needs nothing else */
    NEUROMC_YAML      /* of mappings alone: a file that neuromc_map_options.mapping reads */
} neuromc_format;

typedef struct neuromc_write_options {
    neuromc_format format;
    bool ledger; /* JSON: also every row (fragment, resource, quantity) */
    bool color;  /* text: ANSI colours */
} neuromc_write_options;

NEUROMC_API neuromc_status neuromc_report_write(const neuromc_report *report,
                                                const neuromc_write_options *options,
                                                neuromc_write_fn write, void *user,
                                                neuromc_diags *diags);

/* Writes the graph after shape inference: nodes, ops, shapes, work. */
NEUROMC_API neuromc_status neuromc_model_inspect(const neuromc_model *model,
                                                 const neuromc_write_options *options,
                                                 neuromc_write_fn write, void *user,
                                                 neuromc_diags *diags);

/* Writes the operator table: what is costed, what is free, what is carried through. */
NEUROMC_API neuromc_status neuromc_ops_write(const neuromc_write_options *options,
                                             neuromc_write_fn write, void *user,
                                             neuromc_diags *diags);

/* Writes the arithmetic behind a node's figures, fragment by fragment: dims, counts, prices with
 * their sources, energies that are the report's. node: as a report names it; stage: NULL for all.
 * Text or JSON. */
NEUROMC_API neuromc_status neuromc_explain(neuromc_model *model, const neuromc_preset *preset,
                                           const neuromc_estimate_options *estimate_options,
                                           const char *node, const char *stage,
                                           const neuromc_write_options *options,
                                           neuromc_write_fn write, void *user,
                                           neuromc_diags *diags);

/* Writes a copy of an ONNX file whose metadata say what each node costs (docs/annotate.md); weights
 * are copied, never loaded, and the rest stays as it is. What an earlier call put in is replaced.
 * The file is read twice, so it must be one. Either options may be NULL. */
NEUROMC_API neuromc_status neuromc_annotate(const char *path, const neuromc_preset *preset,
                                            const neuromc_model_options *model_options,
                                            const neuromc_estimate_options *estimate_options,
                                            neuromc_write_fn write, void *user,
                                            neuromc_diags *diags);

/* Warns if weights that lie outside the file, beside it, do not lie beside the path `copy`. */
NEUROMC_API void neuromc_annotate_check_weights(const char *path, const char *copy,
                                                neuromc_diags *diags);

/* ---- comparing reports ----------------------------------------------------------------------- */

/* One side of a comparison: a JSON report as it stands, or a model that is estimated as the
 * options say. All but path may be NULL. */
typedef struct neuromc_diff_side {
    const char *path;   /* "-" is standard input, for one of the sides */
    const char *preset; /* default neuromc_like_v1 */
    const neuromc_preset_options *preset_options;
    const neuromc_model_options *model_options;
    const neuromc_estimate_options *estimate_options;
} neuromc_diff_side;

typedef struct neuromc_diff neuromc_diff;

/* What B costs differently from A, by stage, operation, node and level. */
NEUROMC_API neuromc_status neuromc_diff_new(const neuromc_diff_side *a, const neuromc_diff_side *b,
                                            neuromc_diff **out, neuromc_diags *diags);
NEUROMC_API void neuromc_diff_free(neuromc_diff *diff);

/* Whether a side was a model: else options about estimates changed nothing. */
NEUROMC_API bool neuromc_diff_estimated(const neuromc_diff *diff);
NEUROMC_API double neuromc_diff_total_pj(const neuromc_diff *diff, int side); /* 0: A, 1: B */
/* Distinct layers of a side that fit no mapping: what their operands move is in no figure. */
NEUROMC_API int64_t neuromc_diff_unmapped(const neuromc_diff *diff, int side);
/* Whether the total grew by more than so many percent of A's. */
NEUROMC_API bool neuromc_diff_exceeds(const neuromc_diff *diff, double percent);

typedef struct neuromc_diff_growth {
    size_t nodes;     /* how many grew by more */
    const char *node; /* the one that grew most; it lives as long as the diff */
    double a_pj, b_pj;
} neuromc_diff_growth;

/* Which nodes grew by more than so many percent of what they cost in A; what is new there grew
 * from 0. */
NEUROMC_API neuromc_diff_growth neuromc_diff_grown(const neuromc_diff *diff, double percent);

/* Text, JSON, CSV or Markdown. Of equal sides text and Markdown are empty. */
NEUROMC_API neuromc_status neuromc_diff_write(const neuromc_diff *diff,
                                              const neuromc_write_options *options,
                                              neuromc_write_fn write, void *user,
                                              neuromc_diags *diags);

/* ---- mappings: loop nests on a described machine ----------------------------------------------
 */

typedef struct neuromc_triples_options {
    bool brute_force; /* walk every iteration of every loop, not the first two */
    bool no_elision;  /* partial sums are read also before anything was written to them */
} neuromc_triples_options;

/* Counts given mappings: reads a JSON document {header, triples: [{id, problem, architecture,
 * mapping}, ...]} (docs/mapping.md), "-" being standard input, and writes it with the `result` of
 * each. options may be NULL. */
NEUROMC_API neuromc_status neuromc_map_triples(const char *path,
                                               const neuromc_triples_options *options,
                                               neuromc_write_fn write, void *user,
                                               neuromc_diags *diags);

typedef struct neuromc_map neuromc_map;

/* Maps every convolution and product of a model to the machine of a preset, which must have one
 * and must outlive the map: as options->map says, each distinct shape once. A layer that fits no
 * mapping is no failure: it is listed with its reason. options may be NULL. */
NEUROMC_API neuromc_status neuromc_map_model(neuromc_model *model, const neuromc_preset *preset,
                                             const neuromc_estimate_options *options,
                                             neuromc_map **out, neuromc_diags *diags);
NEUROMC_API void neuromc_map_free(neuromc_map *map);

/* Whether a search was stopped before its end. */
NEUROMC_API bool neuromc_map_partial(const neuromc_map *map);
/* pJ of MACs and operands of all layers that have a mapping. */
NEUROMC_API double neuromc_map_energy_total_pj(const neuromc_map *map);

/* Text, JSON (docs/map.schema.json), CSV (a row for each layer) or YAML. */
NEUROMC_API neuromc_status neuromc_map_write(const neuromc_map *map,
                                             const neuromc_write_options *options,
                                             neuromc_write_fn write, void *user,
                                             neuromc_diags *diags);

/* ---- sweeps: the shape of a space ------------------------------------------------------------ */

typedef enum neuromc_sampler { NEUROMC_RANDOM, NEUROMC_SOBOL } neuromc_sampler;

/* What to vary and what to look for. Every text may be NULL and every count 0. */
typedef struct neuromc_sweep_options {
    const char *const *models; /* files; several are an axis of their own */
    size_t model_count;
    const char *preset; /* default neuromc_like_v1 */
    const neuromc_preset_options *preset_options;
    const neuromc_model_options *model_options;
    const neuromc_estimate_options *estimate_options;

    const char *space;       /* a YAML file with any of what follows */
    const char *const *vary; /* "PATH=VALUES": 1,2,4 or 10:100:10 or 1Ki:1Mi:*2 */
    size_t vary_count;
    const char *const *zip; /* "A,B": axes that move together */
    size_t zip_count;
    int64_t sample; /* draw this many points instead of all; 0: all */
    neuromc_sampler sampler;
    uint64_t seed;

    const char *const *objectives; /* report fields or preset paths, comma-separated; "max:NAME" */
    size_t objective_count;        /* 0: energy_total_pj */
    const char *const *fields;     /* further columns of every row */
    size_t field_count;
    const char *const *where; /* "NAME<NUMBER"; also <= > >= == != */
    size_t where_count;
    int64_t top; /* best points by the first objective; -1: as the space file says, or 10 */
    bool pareto; /* the front; of several objectives it is always there */
    bool remap;  /* search mappings anew at each price, not only where something else changes */
} neuromc_sweep_options;

typedef struct neuromc_sweep neuromc_sweep;
typedef struct neuromc_sweep_result neuromc_sweep_result;

/* Reads and checks everything, counts the points. The options' texts and arrays must outlive the
 * sweep. */
NEUROMC_API neuromc_status neuromc_sweep_new(const neuromc_sweep_options *options,
                                             neuromc_sweep **out, neuromc_diags *diags);
NEUROMC_API void neuromc_sweep_free(neuromc_sweep *sweep);

typedef struct neuromc_sweep_progress {
    int64_t done, total; /* points */
} neuromc_sweep_progress;

typedef enum neuromc_points_format {
    NEUROMC_POINTS_CSV,
    NEUROMC_POINTS_NDJSON
} neuromc_points_format;

typedef struct neuromc_sweep_run_options {
    int jobs;                   /* threads; 0: one for each processor */
    int64_t shard, shard_count; /* only part `shard` of shard_count, from 1; 0, 0: all */
    neuromc_write_fn points;    /* receives every point in index order; NULL: not asked for */
    void *points_user;
    neuromc_points_format points_format;
    bool sample_for_plot; /* keep what neuromc_sweep_plot draws */
    /* Called a few times a second from the calling thread; false stops the run, and the result
     * is that of the points so far. May be NULL. */
    bool (*progress)(void *user, const neuromc_sweep_progress *progress);
    void *progress_user;
} neuromc_sweep_run_options;

/* Prices every point. The result owns all it holds. */
NEUROMC_API neuromc_status neuromc_sweep_run(neuromc_sweep *sweep,
                                             const neuromc_sweep_run_options *options,
                                             neuromc_sweep_result **out, neuromc_diags *diags);

/* Puts the points that shards wrote, CSV or NDJSON in any order of files, one behind the other.
 * Files that do not belong together, or leave a gap, are NEUROMC_BAD_INPUT. */
NEUROMC_API neuromc_status neuromc_sweep_merge_points(const char *const *paths, size_t count,
                                                      neuromc_write_fn write, void *user,
                                                      neuromc_diags *diags);

/* What the shards of one sweep come to together: what one run gives, byte for byte. Paths are
 * JSON results of every shard, in any order. */
NEUROMC_API neuromc_status neuromc_sweep_merge(const char *const *paths, size_t count,
                                               neuromc_sweep_result **out, neuromc_diags *diags);
NEUROMC_API void neuromc_sweep_result_free(neuromc_sweep_result *result);

/* Whether the run was stopped before its end. */
NEUROMC_API bool neuromc_sweep_result_partial(const neuromc_sweep_result *result);

/* Text, JSON or CSV (the best points and the front). */
NEUROMC_API neuromc_status neuromc_sweep_write(const neuromc_sweep_result *result,
                                               const neuromc_write_options *options,
                                               neuromc_write_fn write, void *user,
                                               neuromc_diags *diags);

typedef enum neuromc_plot_format { NEUROMC_PLOT_SVG, NEUROMC_PLOT_HTML } neuromc_plot_format;

/* Draws the points that sample_for_plot kept: a scatter with the front, one panel for each axis. */
NEUROMC_API neuromc_status neuromc_sweep_plot(const neuromc_sweep_result *result,
                                              neuromc_plot_format format, neuromc_write_fn write,
                                              void *user, neuromc_diags *diags);

/* ---- energy counters ------------------------------------------------------------------------ */

/* Where to look for counters and what to read. A zeroed struct is this machine. */
typedef struct neuromc_counter_options {
    const char *sysfs_root;   /* stands in for /sys; NULL: /sys */
    const char *library_root; /* a folder whose libraries stand in for the system's; may be NULL */
    double tdp_watts;         /* of the modelled counter; 0: not given */
    double max_plausible_watts; /* of one package: faster is a reset, no energy; 0: 2000 */
    const char *const *devices; /* only these: index or UUID (nvml), chip (hwmon), channel
                                   (ioreport) */
    size_t device_count;
    int64_t pid; /* counters per process: whose; 0: this process and its children */
} neuromc_counter_options;

/* Writes every known counter: what it reads, includes and leaves out, its resolution and range,
 * its zones or devices; or why this machine does not have it. Takes up to a second for each
 * counter that stands still. options may be NULL. */
NEUROMC_API neuromc_status neuromc_counters_write(const neuromc_counter_options *options,
                                                  const neuromc_write_options *write_options,
                                                  neuromc_write_fn write, void *user,
                                                  neuromc_diags *diags);

/* ---- measurements --------------------------------------------------------------------------- */

/* A program to run under a counter. One that talks speaks the protocol (docs/validate.md): it says
 * it is ready, does its jobs as often as it is told, and waits in between. Any other is run once
 * for each time. */
typedef struct neuromc_subject {
    const char *label;
    const char *const *argv; /* ends with NULL; argv[0] is looked up on the PATH */
    bool talks;
} neuromc_subject;

/* What is taken off the energy of a round. */
typedef enum neuromc_baseline {
    NEUROMC_BRACKETS,   /* idle power before and after each round */
    NEUROMC_SEPARATE,   /* idle power once, before anything ran */
    NEUROMC_NO_BASELINE /* nothing */
} neuromc_baseline;

typedef struct neuromc_measure_options {
    const char *counter;                            /* "rapl" ... */
    const neuromc_counter_options *counter_options; /* may be NULL */
    int rounds;
    double idle_s;   /* length of an idle bracket */
    double sample_s; /* between two readings */
    double window_s; /* least length of a round; 0: what the counter needs */
    int64_t k;       /* times each job in a round; 0: as many as the window needs */
    double limit_s;  /* longest wait for a program */
    neuromc_baseline baseline;
    const char *const *meta; /* "KEY=VALUE": texts that go with the report (JSON); may be NULL */
    size_t meta_count;
    const volatile int *stop; /* may be NULL; nonzero ends the rounds, what there is is kept */
    void (*progress)(void *user, const char *text); /* for people; may be NULL */
    void *progress_user;
} neuromc_measure_options;

typedef struct neuromc_measurement neuromc_measurement;

/* Runs subjects in turns. NEUROMC_IO: nothing was measured. Otherwise *out holds the rounds there
 * are; a program that failed, a counter that was lost, and a stop are said in it. */
NEUROMC_API neuromc_status neuromc_measure(const neuromc_subject *subjects, size_t count,
                                           const neuromc_measure_options *options,
                                           neuromc_measurement **out, neuromc_diags *diags);
NEUROMC_API void neuromc_measurement_free(neuromc_measurement *measurement);
/* Whether every subject's figure may be claimed: all rounds ran, and the verdict is clean. */
NEUROMC_API bool neuromc_measurement_holds(const neuromc_measurement *measurement);
/* Whether the counter went away. */
NEUROMC_API bool neuromc_measurement_lost(const neuromc_measurement *measurement);
/* Text, JSON (docs/measure.schema.json) or CSV (a row for each round). */
NEUROMC_API neuromc_status neuromc_measurement_write(const neuromc_measurement *measurement,
                                                     const neuromc_write_options *options,
                                                     neuromc_write_fn write, void *user,
                                                     neuromc_diags *diags);

/* A YAML file that lists models: `schema: neuromc-suite/1`, `models: {LABEL: FILE, ...}`, files
 * relative to it. Read as strictly as a preset. Texts live as long as the suite. */
typedef struct neuromc_suite neuromc_suite;
NEUROMC_API neuromc_status neuromc_suite_load(const char *path, neuromc_suite **out,
                                              neuromc_diags *diags);
NEUROMC_API void neuromc_suite_free(neuromc_suite *suite);
NEUROMC_API size_t neuromc_suite_count(const neuromc_suite *suite);
NEUROMC_API const char *neuromc_suite_label(const neuromc_suite *suite, size_t index);
NEUROMC_API const char *neuromc_suite_path(const neuromc_suite *suite, size_t index);

/* A model, and the program that runs it: one job is one inference. */
typedef struct neuromc_validation_model {
    const char *path;
    neuromc_subject subject;
} neuromc_validation_model;

typedef struct neuromc_validate_options {
    const char *preset; /* default neuromc_like_v1 */
    const neuromc_preset_options *preset_options;
    const neuromc_model_options *model_options;
    const neuromc_estimate_options *estimate_options;
    const neuromc_measure_options *measure_options;
} neuromc_validate_options;

typedef struct neuromc_validation neuromc_validation;

/* Estimates every model, then runs them in turns under the counter, and holds one against the
 * other. As neuromc_measure; a model that cannot be estimated is an error before anything runs. */
NEUROMC_API neuromc_status neuromc_validate(const neuromc_validation_model *models, size_t count,
                                            const neuromc_validate_options *options,
                                            neuromc_validation **out, neuromc_diags *diags);
NEUROMC_API void neuromc_validation_free(neuromc_validation *validation);
/* Whether something may be claimed of every model: its ratio (clean), or, of several, its place
 * among them (relative-only). */
NEUROMC_API bool neuromc_validation_holds(const neuromc_validation *validation);
NEUROMC_API bool neuromc_validation_lost(const neuromc_validation *validation);
/* Text, JSON (docs/validate.schema.json) or CSV (a row for each round). */
NEUROMC_API neuromc_status neuromc_validation_write(const neuromc_validation *validation,
                                                    const neuromc_write_options *options,
                                                    neuromc_write_fn write, void *user,
                                                    neuromc_diags *diags);

/* Fits non-negative prices (MACs, other arithmetic, each memory level, constant power) to JSON
 * results of neuromc_validation_write, and writes them as a preset that extends `preset` (NULL: the
 * one that the results name), with factors, intervals and residuals as its sources.
 * NEUROMC_BAD_INPUT: results of different presets, or none that was measured. */
NEUROMC_API neuromc_status neuromc_calibrate(const char *const *paths, size_t count,
                                             const char *preset,
                                             const neuromc_preset_options *preset_options,
                                             neuromc_write_fn write, void *user,
                                             neuromc_diags *diags);

/* ---- runs: the same model for real ------------------------------------------------------------
 */

typedef enum neuromc_inputs {
    NEUROMC_INPUTS_ZEROS,
    NEUROMC_INPUTS_RANDOM, /* uniform from -1 to 1; integers as docs/running.md says */
    NEUROMC_INPUTS_SPIKES  /* 1 at a rate, else 0 */
} neuromc_inputs;

typedef struct neuromc_runner_options {
    const char *ort_lib; /* ONNX Runtime's library or its folder; NULL: looked for */
    const neuromc_model_options *model_options;
    neuromc_inputs inputs;
    double spike_rate;   /* of NEUROMC_INPUTS_SPIKES, from 0 to 1 */
    uint64_t seed;       /* of inputs */
    int threads;         /* 0: 1 */
    bool random_weights; /* make up weights that lie outside the file */
    uint64_t weight_seed;
    const char *save_model; /* also write the model with made-up weights here; may be NULL */
} neuromc_runner_options;

typedef struct neuromc_runner neuromc_runner;

/* Loads an ONNX model into ONNX Runtime and makes up its inputs. NEUROMC_IO: no runtime on this
 * machine; NEUROMC_BAD_INPUT: among others, weights that are not there; NEUROMC_UNSUPPORTED: the
 * runtime refuses, in its own words. options may be NULL. */
NEUROMC_API neuromc_status neuromc_runner_new(const char *path,
                                              const neuromc_runner_options *options,
                                              neuromc_runner **out, neuromc_diags *diags);
NEUROMC_API void neuromc_runner_free(neuromc_runner *runner);

/* Runs inferences one after the other; *wall_ns is how long all of them took together. */
NEUROMC_API neuromc_status neuromc_runner_run(neuromc_runner *runner, int64_t inferences,
                                              int64_t *wall_ns, neuromc_diags *diags);

/* MACs of one inference as an estimate counts them; -1 if it cannot. */
NEUROMC_API int64_t neuromc_runner_macs(const neuromc_runner *runner);

typedef struct neuromc_timing_options {
    int64_t windows;    /* 0: 7 */
    int64_t inferences; /* in each; 0: as many as take 0.2 s */
} neuromc_timing_options;

/* Warms up, runs and times, and writes what came of it, as text or JSON. */
NEUROMC_API neuromc_status neuromc_runner_time(neuromc_runner *runner,
                                               const neuromc_timing_options *timing,
                                               const neuromc_write_options *options,
                                               neuromc_write_fn write, void *user,
                                               neuromc_diags *diags);

/* Writes the outputs of the last inference as JSON. */
NEUROMC_API neuromc_status neuromc_runner_outputs_write(neuromc_runner *runner,
                                                        neuromc_write_fn write, void *user,
                                                        neuromc_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
