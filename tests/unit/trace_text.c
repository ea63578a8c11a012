#include "trace_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct nmc_precision trace_precision = {
    .spike_bits = 1,
    .activation_bits = 16,
    .weight_bits = 16,
    .output_bits = 16,
    .gradient_bits = 16,
    .optimizer_bits = 32,
};

static neuromc_status on_fragment(void *user, const struct nmc_fragment *fragment) {
    struct trace_result *r = user;
    if (r->count == sizeof r->fragments / sizeof *r->fragments)
        return NEUROMC_INTERNAL;
    r->fragments[r->count++] = *fragment;
    return NEUROMC_OK;
}

static neuromc_status on_coverage(void *user, const char *op, enum nmc_coverage_kind kind,
                                  int64_t elements) {
    struct trace_result *r = user;
    (void)op;
    r->costed += kind == NMC_COVER_COSTED;
    r->free += kind == NMC_COVER_FREE;
    r->unmodelled += kind == NMC_COVER_UNMODELLED;
    r->unmodelled_elements += kind == NMC_COVER_UNMODELLED ? elements : 0;
    return NEUROMC_OK;
}

static neuromc_status on_warning(void *user, const char *text) {
    struct trace_result *r = user;
    (void)text;
    r->warnings++;
    return NEUROMC_OK;
}

static neuromc_status on_difference(void *user, int rule, const struct nmc_fragment *runtime,
                                    const struct nmc_fragment *corrected) {
    struct trace_result *r = user;
    r->differences[rule]++;
    r->runtime_macs[rule] += runtime ? runtime->macs * runtime->times : 0;
    r->corrected_macs[rule] += corrected ? corrected->macs * corrected->times : 0;
    return NEUROMC_OK;
}

struct trace_result trace_lower(const char *text, size_t size,
                                const neuromc_estimate_options *options) {
    struct trace_result r = {.status = NEUROMC_INTERNAL, .diags = neuromc_diags_new()};
    char path[] = "/tmp/neuromc-test-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!file || !r.diags)
        abort();
    if (fwrite(text, 1, size, file) != size || fclose(file) != 0)
        abort();
    struct nmc_work_sink sink = {.user = &r,
                                 .fragment = on_fragment,
                                 .coverage = on_coverage,
                                 .warning = on_warning,
                                 .difference = on_difference};
    r.status = nmc_trace_lower(path, NULL, &trace_precision, options, &sink, &r.summary, r.diags);
    unlink(path);
    return r;
}

void trace_release(struct trace_result *result) {
    neuromc_diags_free(result->diags);
}

const neuromc_diag *trace_error(const struct trace_result *result) {
    for (size_t i = 0; i < neuromc_diags_count(result->diags); i++) {
        const neuromc_diag *diag = neuromc_diags_at(result->diags, i);
        if (diag->severity == NEUROMC_ERROR)
            return diag;
    }
    return NULL;
}
