/*
 * onnxruntime.c - a library that looks like ONNX Runtime and does as the environment says, so that
 * `neuromc run` is tested without the real one.
 *
 * Its network copies the input to the output `copy` and counts its runs in the output `runs`.
 *
 *     FAKE_ORT_FAIL=SLOT   the function in this slot fails
 *     FAKE_ORT_TYPE=CODE   element type of the input (default 1, float32)
 *     FAKE_ORT_SAY=WORD    no_api, no_base, no_output, no_message, odd_input, odd_output,
 *                          deep_input, deep_output, negative, other_input, sleep
 *
 * Entries that should not be used end the process, and what was not released is told at the end.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 300, RANK = 8, DEEP = 1000 };

struct thing {
    int type;
    size_t rank;
    int64_t dims[RANK];
    void *data;
    char *own;
    char text[80];
};

static int alive;
static int64_t runs;
static struct thing copy_of_input;

static int says(const char *word) {
    const char *text = getenv("FAKE_ORT_SAY");
    return text && strcmp(text, word) == 0;
}

static int input_type(void) {
    const char *text = getenv("FAKE_ORT_TYPE");
    return text ? atoi(text) : 1;
}

static struct thing *make(void) {
    alive++;
    return calloc(1, sizeof(struct thing));
}

static void drop(void *gone) {
    struct thing *thing = gone;
    alive--;
    free(thing->own);
    free(thing);
}

/* The status of a call: NULL, or what was asked for. */
static void *result(int slot) {
    const char *text = getenv("FAKE_ORT_FAIL");
    if (!text || atoi(text) != slot)
        return NULL;
    struct thing *status = make();
    snprintf(status->text, sizeof status->text, "scripted failure of slot %d", slot);
    return status;
}

static const char *message(const struct thing *status) {
    return says("no_message") ? NULL : status->text;
}

static void *create(int slot, struct thing **out) {
    void *status = result(slot);
    if (!status)
        *out = make();
    return status;
}

static void *create_env(int severity, const char *name, struct thing **out) {
    (void)severity;
    (void)name;
    return create(3, out);
}

static void *create_session(void *env, const char *path, void *options, struct thing **out) {
    (void)env;
    (void)path;
    (void)options;
    return create(7, out);
}

static void *create_from_array(void *env, const void *data, size_t size, void *options,
                               struct thing **out) {
    (void)env;
    (void)data;
    (void)size;
    (void)options;
    return create(8, out);
}

static void *create_options(struct thing **out) {
    return create(10, out);
}

static void *set_level(void *options, int value) {
    (void)options;
    (void)value;
    return result(23);
}

static void *set_intra(void *options, int value) {
    (void)options;
    (void)value;
    return result(24);
}

static void *set_inter(void *options, int value) {
    (void)options;
    (void)value;
    return result(25);
}

static void *count_inputs(void *session, size_t *out) {
    (void)session;
    *out = 1;
    return result(30);
}

static void *count_outputs(void *session, size_t *out) {
    (void)session;
    *out = says("no_output") ? 0 : 2;
    return result(31);
}

static void *type_of_input(void *session, size_t index, struct thing **out) {
    (void)session;
    (void)index;
    void *status = create(33, out);
    if (!status)
        (*out)->type = input_type();
    if (!status)
        (*out)->rank = 4;
    return status;
}

static void *name(int slot, const char *text, char **out) {
    void *status = result(slot);
    if (!status) {
        *out = malloc(16);
        snprintf(*out, 16, "%s", text);
        alive++;
    }
    return status;
}

static void *name_input(void *session, size_t index, void *allocator, char **out) {
    (void)session;
    (void)index;
    (void)allocator;
    return name(36, says("other_input") ? "other" : "input", out);
}

static void *name_output(void *session, size_t index, void *allocator, char **out) {
    (void)session;
    (void)allocator;
    return name(37, index ? "runs" : "copy", out);
}

static void *create_tensor(void *allocator, const int64_t *dims, size_t rank, int type,
                           struct thing **out) {
    (void)allocator;
    void *status = create(48, out);
    if (status)
        return status;
    (*out)->type = type;
    (*out)->rank = rank;
    memcpy((*out)->dims, dims, rank * sizeof *dims);
    return NULL;
}

static void *create_with_data(void *memory, void *data, size_t size, const int64_t *dims,
                              size_t rank, int type, struct thing **out) {
    (void)memory;
    (void)size;
    void *status = create(49, out);
    if (status)
        return status;
    (*out)->type = type;
    (*out)->rank = rank;
    memcpy((*out)->dims, dims, rank * sizeof *dims);
    (*out)->data = data;
    return NULL;
}

static void *run(void *session, void *options, const char *const *input_names,
                 struct thing *const *inputs, size_t input_count, const char *const *output_names,
                 size_t output_count, struct thing **outputs) {
    (void)session;
    (void)options;
    (void)output_names;
    void *status = result(9);
    if (status)
        return status;
    if (input_count != 1 || output_count != 2 || outputs[0] || outputs[1] ||
        strcmp(input_names[0], "input") != 0)
        abort();
    runs++;
    if (says("sleep"))
        usleep(1000);
    copy_of_input = *inputs[0];
    outputs[0] = make();
    *outputs[0] = copy_of_input;
    outputs[0]->own = NULL;
    outputs[1] = make();
    outputs[1]->type = 7;
    outputs[1]->data = &runs;
    return NULL;
}

static void *is_tensor(void *value, int *out) {
    (void)value;
    *out = !says("odd_output");
    return result(50);
}

static void *tensor_data(struct thing *value, void **out) {
    *out = value->data;
    return result(51);
}

static void *cast(struct thing *type, struct thing **out) {
    *out = says("odd_input") ? NULL : type;
    return result(55);
}

static void *element_type(struct thing *shape, int *out) {
    *out = shape->type;
    return result(60);
}

static void *rank_of(struct thing *shape, size_t *out) {
    *out = shape->text[0] ? DEEP : shape->rank;
    if (says("deep_input"))
        *out = DEEP;
    return result(61);
}

static void *dims_of(struct thing *shape, int64_t *out, size_t rank) {
    for (size_t i = 0; i < rank; i++)
        out[i] = shape->dims[i];
    return result(62);
}

static void *shape_of(struct thing *value, struct thing **out) {
    void *status = create(65, out);
    if (status)
        return status;
    **out = *value;
    (*out)->own = NULL;
    if (says("negative") && (*out)->rank)
        (*out)->dims[0] = -3;
    if (says("deep_output"))
        (*out)->text[0] = 'd';
    return NULL;
}

static void *create_memory(int allocator, int type, struct thing **out) {
    (void)allocator;
    (void)type;
    return create(69, out);
}

static void *allocator_free(void *allocator, void *memory) {
    (void)allocator;
    free(memory);
    alive--;
    return result(76);
}

static void *default_allocator(void **out) {
    *out = &alive;
    return result(78);
}

static void unused(void) {
    fputs("an entry of the table that should not be used was called\n", stderr);
    abort();
}

static void *table[SLOTS];

/* ISO C has no cast from a function to an object pointer; POSIX does. */
#define SLOT(number, function) table[number] = (void *)(uintptr_t)(function)

static void fill_table(void) {
    for (int i = 0; i < SLOTS; i++)
        SLOT(i, unused);
    SLOT(2, message);
    SLOT(3, create_env);
    SLOT(7, create_session);
    SLOT(8, create_from_array);
    SLOT(9, run);
    SLOT(10, create_options);
    SLOT(23, set_level);
    SLOT(24, set_intra);
    SLOT(25, set_inter);
    SLOT(30, count_inputs);
    SLOT(31, count_outputs);
    SLOT(33, type_of_input);
    SLOT(36, name_input);
    SLOT(37, name_output);
    SLOT(48, create_tensor);
    SLOT(49, create_with_data);
    SLOT(50, is_tensor);
    SLOT(51, tensor_data);
    SLOT(55, cast);
    SLOT(60, element_type);
    SLOT(61, rank_of);
    SLOT(62, dims_of);
    SLOT(65, shape_of);
    SLOT(69, create_memory);
    SLOT(76, allocator_free);
    SLOT(78, default_allocator);
    for (int i = 92; i <= 100; i++)
        if (i != 97)
            SLOT(i, drop);
}

static const void *get_api(uint32_t version) {
    if (says("no_api") || version > 2)
        return NULL;
    fill_table();
    return table;
}

static const char *get_version(void) {
    return "0.0.1-fake";
}

static const struct {
    const void *(*api)(uint32_t version);
    const char *(*version)(void);
} base = {get_api, get_version};

const void *OrtGetApiBase(void);
const void *OrtGetApiBase(void) {
    return says("no_base") ? NULL : &base;
}

__attribute__((destructor)) static void tell(void) {
    if (alive)
        fprintf(stderr, "fake: %d objects were not released\n", alive);
}
