/*
 * ort_api.h - the part of ONNX Runtime's C API that is used, by its published order of slots.
 *
 * The table only ever grows at its end, so version 1 of it is in every runtime; entries that are
 * not used stay opaque. A call returns NULL or a status that must be released.
 */
#ifndef NMC_ORT_API_H
#define NMC_ORT_API_H

#include <stddef.h>
#include <stdint.h>

enum { NMC_ORT_API_VERSION = 1 };

struct nmc_ort_status;
struct nmc_ort_env;
struct nmc_ort_session;
struct nmc_ort_options;
struct nmc_ort_run_options;
struct nmc_ort_allocator;
struct nmc_ort_memory;
struct nmc_ort_value;
struct nmc_ort_type;  /* of an input or output */
struct nmc_ort_shape; /* element type and dims of a tensor */

typedef struct nmc_ort_status *nmc_ort_result;
typedef void (*nmc_ort_slot)(void);

struct nmc_ort_api {
    nmc_ort_slot unused_0[2];
    const char *(*message)(const struct nmc_ort_status *status);
    nmc_ort_result (*create_env)(int severity, const char *name, struct nmc_ort_env **out);
    nmc_ort_slot unused_4[3];
    nmc_ort_result (*create_session)(const struct nmc_ort_env *env, const char *path,
                                     const struct nmc_ort_options *options,
                                     struct nmc_ort_session **out);
    nmc_ort_result (*create_session_from_array)(const struct nmc_ort_env *env, const void *data,
                                                size_t size, const struct nmc_ort_options *options,
                                                struct nmc_ort_session **out);
    nmc_ort_result (*run)(struct nmc_ort_session *session,
                          const struct nmc_ort_run_options *options, const char *const *input_names,
                          const struct nmc_ort_value *const *inputs, size_t input_count,
                          const char *const *output_names, size_t output_count,
                          struct nmc_ort_value **outputs);
    nmc_ort_result (*create_options)(struct nmc_ort_options **out);
    nmc_ort_slot unused_11[12];
    nmc_ort_result (*set_optimization)(struct nmc_ort_options *options, int level);
    nmc_ort_result (*set_intra_threads)(struct nmc_ort_options *options, int count);
    nmc_ort_result (*set_inter_threads)(struct nmc_ort_options *options, int count);
    nmc_ort_slot unused_26[4];
    nmc_ort_result (*input_count)(const struct nmc_ort_session *session, size_t *out);
    nmc_ort_result (*output_count)(const struct nmc_ort_session *session, size_t *out);
    nmc_ort_slot unused_32;
    nmc_ort_result (*input_type)(const struct nmc_ort_session *session, size_t index,
                                 struct nmc_ort_type **out);
    nmc_ort_slot unused_34[2];
    nmc_ort_result (*input_name)(const struct nmc_ort_session *session, size_t index,
                                 struct nmc_ort_allocator *allocator, char **out);
    nmc_ort_result (*output_name)(const struct nmc_ort_session *session, size_t index,
                                  struct nmc_ort_allocator *allocator, char **out);
    nmc_ort_slot unused_38[10];
    /* A tensor with memory of its own; of strings: all empty. */
    nmc_ort_result (*create_tensor)(struct nmc_ort_allocator *allocator, const int64_t *dims,
                                    size_t rank, int type, struct nmc_ort_value **out);
    nmc_ort_result (*create_tensor_with_data)(const struct nmc_ort_memory *memory, void *data,
                                              size_t size, const int64_t *dims, size_t rank,
                                              int type, struct nmc_ort_value **out);
    nmc_ort_result (*is_tensor)(const struct nmc_ort_value *value, int *out);
    nmc_ort_result (*tensor_data)(struct nmc_ort_value *value, void **out);
    nmc_ort_slot unused_52[3];
    nmc_ort_result (*cast_to_tensor)(const struct nmc_ort_type *type,
                                     const struct nmc_ort_shape **out); /* NULL: no tensor */
    nmc_ort_slot unused_56[4];
    nmc_ort_result (*element_type)(const struct nmc_ort_shape *shape, int *out);
    nmc_ort_result (*rank)(const struct nmc_ort_shape *shape, size_t *out);
    nmc_ort_result (*dims)(const struct nmc_ort_shape *shape, int64_t *out, size_t rank);
    nmc_ort_slot unused_63[2];
    nmc_ort_result (*tensor_shape)(const struct nmc_ort_value *value, struct nmc_ort_shape **out);
    nmc_ort_slot unused_66[3];
    nmc_ort_result (*create_cpu_memory)(int allocator_type, int memory_type,
                                        struct nmc_ort_memory **out);
    nmc_ort_slot unused_70[6];
    nmc_ort_result (*allocator_free)(struct nmc_ort_allocator *allocator, void *memory);
    nmc_ort_slot unused_77;
    nmc_ort_result (*default_allocator)(struct nmc_ort_allocator **out);
    nmc_ort_slot unused_79[13];
    void (*release_env)(struct nmc_ort_env *env);
    void (*release_status)(struct nmc_ort_status *status);
    void (*release_memory)(struct nmc_ort_memory *memory);
    void (*release_session)(struct nmc_ort_session *session);
    void (*release_value)(struct nmc_ort_value *value);
    nmc_ort_slot unused_97;
    void (*release_type)(struct nmc_ort_type *type);
    void (*release_shape)(struct nmc_ort_shape *shape);
    void (*release_options)(struct nmc_ort_options *options);
};

#define NMC_ORT_AT(member, slot)                                                                   \
    _Static_assert(offsetof(struct nmc_ort_api, member) == (slot) * sizeof(nmc_ort_slot), #member)
NMC_ORT_AT(message, 2);
NMC_ORT_AT(create_session, 7);
NMC_ORT_AT(create_options, 10);
NMC_ORT_AT(set_optimization, 23);
NMC_ORT_AT(input_count, 30);
NMC_ORT_AT(input_type, 33);
NMC_ORT_AT(input_name, 36);
NMC_ORT_AT(create_tensor_with_data, 49);
NMC_ORT_AT(tensor_data, 51);
NMC_ORT_AT(cast_to_tensor, 55);
NMC_ORT_AT(element_type, 60);
NMC_ORT_AT(tensor_shape, 65);
NMC_ORT_AT(create_cpu_memory, 69);
NMC_ORT_AT(allocator_free, 76);
NMC_ORT_AT(default_allocator, 78);
NMC_ORT_AT(release_env, 92);
NMC_ORT_AT(release_value, 96);
NMC_ORT_AT(release_options, 100);
#undef NMC_ORT_AT

struct nmc_ort_base {
    const struct nmc_ort_api *(*api)(uint32_t version);
    const char *(*version)(void);
};

#endif
