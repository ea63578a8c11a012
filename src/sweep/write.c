/* write.c - a result in the format that is asked for. */
#include "sweep/result.h"

neuromc_status neuromc_sweep_write(const neuromc_sweep_result *result,
                                   const neuromc_write_options *options, neuromc_write_fn write,
                                   void *user, neuromc_diags *diags) {
    struct nmc_sink sink;
    nmc_sink_init(&sink, write, user);
    switch (options->format) {
    case NEUROMC_JSON: nmc_result_json(result, &sink); break;
    case NEUROMC_CSV: nmc_result_csv(result, &sink); break;
    default: nmc_result_text(result, options->color, &sink); break;
    }
    return nmc_sink_finish(&sink, diags);
}
