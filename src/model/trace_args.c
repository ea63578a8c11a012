/* Typed access to what an aten operator took and gave. */
#include "model/trace_args.h"

#include <stdarg.h>
#include <stdio.h>

static neuromc_status error_at(const struct nmc_trace_work *work, const char *where,
                               const char *message) {
    return nmc_trace_error(work->trace, NEUROMC_BAD_INPUT, where, NULL, "%s: %s",
                           work->event->op->text, message);
}

neuromc_status nmc_arg_error(const struct nmc_trace_work *work, size_t index, const char *format,
                             ...) {
    char where[40], message[160];
    snprintf(where, sizeof where, "args[%zu]", index);
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return error_at(work, where, message);
}

static const struct nmc_trace_value *find_arg(const struct nmc_trace_work *work, size_t index) {
    const struct nmc_trace_list *args = &work->event->args;
    return index < args->count ? &args->items[index] : NULL;
}

neuromc_status nmc_arg_tensor(const struct nmc_trace_work *work, size_t index, int least_rank,
                              const struct nmc_trace_tensor **out) {
    const struct nmc_trace_value *value = find_arg(work, index);
    if (!value || value->kind != NMC_VALUE_TENSOR)
        return nmc_arg_error(work, index, "expected a tensor");
    *out = &value->as.tensor;
    if ((*out)->rank < least_rank)
        return nmc_arg_error(work, index, "expected at least %d dims, got %d", least_rank,
                             (*out)->rank);
    return NEUROMC_OK;
}

neuromc_status nmc_arg_bool(const struct nmc_trace_work *work, size_t index, bool absent,
                            bool *out) {
    const struct nmc_trace_value *value = find_arg(work, index);
    *out = absent;
    if (!value)
        return NEUROMC_OK;
    if (value->kind != NMC_VALUE_BOOL)
        return nmc_arg_error(work, index, "expected true or false");
    *out = value->as.truth;
    return NEUROMC_OK;
}

neuromc_status nmc_arg_count(const struct nmc_trace_work *work, size_t index, int64_t absent,
                             int64_t *out) {
    const struct nmc_trace_value *value = find_arg(work, index);
    *out = absent;
    if (!value)
        return NEUROMC_OK;
    if (value->kind != NMC_VALUE_INTEGER || value->as.integer < 0)
        return nmc_arg_error(work, index, "expected an integer of at least 0");
    *out = value->as.integer;
    return NEUROMC_OK;
}

void nmc_arg_steps(const struct nmc_trace_work *work, size_t index, int axes, int64_t out[3]) {
    const struct nmc_trace_value *value = find_arg(work, index);
    for (int i = 0; i < 3; i++)
        out[i] = 0;
    if (!value || value->kind != NMC_VALUE_LIST || !value->as.list.count)
        return;
    const struct nmc_trace_list *list = &value->as.list;
    for (int i = 0; i < axes && i < 3; i++) {
        /* one for all axes, or one for each */
        size_t at = list->count == 1 ? 0 : (size_t)i;
        if (at < list->count && list->items[at].kind == NMC_VALUE_INTEGER &&
            list->items[at].as.integer > 0)
            out[i] = list->items[at].as.integer;
    }
}

neuromc_status nmc_out_tensor(const struct nmc_trace_work *work, int least_rank,
                              const struct nmc_trace_tensor **out) {
    const struct nmc_trace_value *value = &work->event->out;
    if (value->kind != NMC_VALUE_TENSOR)
        return error_at(work, "out", "expected a tensor");
    *out = &value->as.tensor;
    if ((*out)->rank < least_rank)
        return error_at(work, "out", "has too few dims");
    return NEUROMC_OK;
}

neuromc_status nmc_out_item(const struct nmc_trace_work *work, size_t index,
                            const struct nmc_trace_tensor **out) {
    const struct nmc_trace_value *value = &work->event->out;
    *out = NULL;
    if (value->kind == NMC_VALUE_LIST) {
        if (index >= value->as.list.count)
            return error_at(work, "out", "the list of results is too short");
        value = &value->as.list.items[index];
    } else if (index) {
        return error_at(work, "out", "expected a list of results");
    }
    if (value->kind == NMC_VALUE_TENSOR)
        *out = &value->as.tensor;
    else if (value->kind != NMC_VALUE_NULL)
        return error_at(work, "out", "expected a tensor or null");
    return NEUROMC_OK;
}
