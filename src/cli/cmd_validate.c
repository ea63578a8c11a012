/* neuromc validate MODEL... */
#include "cli/measure.h"

neuromc_status cli_validate(const struct cli_args *args) {
    (void)args;
    return cli_usage(NULL, "not yet");
}
