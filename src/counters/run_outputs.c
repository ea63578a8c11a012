/* The inputs and outputs of a run as JSON: values that read back equal, and a hash of the bytes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "base/limits.h"
#include "counters/elements.h"
#include "counters/runner.h"

/* FNV-1a of 64 bits. */
static uint64_t hash_bytes(const unsigned char *data, int64_t size) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int64_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Types that have no number here are written as their codes; JSON has no infinities, so they are
 * text. */
static void write_element(struct nmc_json *json, const struct nmc_ort_tensor *out, int64_t i) {
    double value;
    if (out->type == NMC_ELEM_int64 || !nmc_element_get(out->data, out->type, i, &value))
        nmc_json_integer(json, (int64_t)nmc_element_bits(out->data, out->type, i));
    else if (isfinite(value))
        nmc_json_number(json, value);
    else
        nmc_json_text(json, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static void write_values(struct nmc_json *json, const struct nmc_ort_tensor *out) {
    char hash[17];
    int64_t bytes = 0;
    if (!out->data || !nmc_elements_bytes(out->type, out->elements, &bytes)) {
        nmc_json_key_text(json, "data", NULL);
        return;
    }
    snprintf(hash, sizeof hash, "%016" PRIx64, hash_bytes(out->data, bytes));
    nmc_json_key_text(json, "fnv1a64", hash);
    nmc_json_key(json, "data");
    nmc_json_begin_flat(json, '[');
    for (int64_t i = 0; i < out->elements; i++)
        write_element(json, out, i);
    nmc_json_end(json, ']');
}

static void write_tensor(struct nmc_json *json, const char *name,
                         const struct nmc_ort_tensor *out) {
    nmc_json_begin(json, '{');
    nmc_json_key_text(json, "name", name);
    nmc_json_key_text(json, "type", out->rank < 0 ? NULL : nmc_elem_name(out->type));
    nmc_json_key(json, "shape");
    nmc_json_begin_flat(json, '[');
    for (int i = 0; i < out->rank; i++)
        nmc_json_integer(json, out->dims[i]);
    nmc_json_end(json, ']');
    write_values(json, out);
    nmc_json_end(json, '}');
}

static neuromc_status write_tensors(const neuromc_runner *runner, const char *key,
                                    struct nmc_ort_value *const *values, const char *const *names,
                                    size_t count, struct nmc_json *json, neuromc_diags *diags) {
    struct nmc_arena arena;
    neuromc_status status = NEUROMC_OK;
    nmc_arena_init(&arena, NMC_LIMIT_MODEL_BYTES);
    nmc_json_key(json, key);
    nmc_json_begin(json, '[');
    for (size_t i = 0; status == NEUROMC_OK && i < count; i++) {
        struct nmc_ort_tensor tensor;
        status = nmc_session_tensor(&runner->session, values[i], &arena, &tensor, diags);
        if (status == NEUROMC_OK)
            write_tensor(json, names[i], &tensor);
    }
    nmc_json_end(json, ']');
    nmc_arena_release(&arena);
    return status;
}

neuromc_status neuromc_runner_outputs_write(neuromc_runner *runner, neuromc_write_fn write,
                                            void *user, neuromc_diags *diags) {
    if (!runner->ran)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = runner->path}, NULL,
                         "there are no outputs before a run");
    struct nmc_sink sink;
    struct nmc_json json;
    const struct nmc_session *s = &runner->session;
    nmc_sink_init(&sink, write, user);
    nmc_json_init(&json, &sink);
    nmc_json_begin(&json, '{');
    nmc_json_key_text(&json, "schema", "neuromc-outputs/1");
    neuromc_status status =
        write_tensors(runner, "inputs", s->values, s->input_names, s->input_count, &json, diags);
    if (status == NEUROMC_OK)
        status = write_tensors(runner, "outputs", s->outputs, s->output_names, s->output_count,
                               &json, diags);
    nmc_json_end(&json, '}');
    nmc_sink_puts(&sink, "\n");
    neuromc_status written = nmc_sink_finish(&sink, diags);
    return status == NEUROMC_OK ? written : status;
}
