/* outputs.c - files that commands write: looked at before any work, opened when it is done. */
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

/* Every option that names a file to write. */
static const enum cli_option_id outputs[] = {CLI_OPT_OUTPUT, CLI_OPT_POINTS, CLI_OPT_PLOT,
                                             CLI_OPT_OUTPUTS, CLI_OPT_SAVE_MODEL};

/* An output that is also an input would be lost. */
static neuromc_status check_inputs(const struct cli_args *args, enum cli_option_id option) {
    const char *path = cli_value(args, option);
    struct stat output, input;
    if (stat(path, &output) != 0 || !S_ISREG(output.st_mode))
        return NEUROMC_OK;
    for (size_t i = 0; i < args->operand_count; i++)
        if (stat(args->operands[i], &input) == 0 && input.st_dev == output.st_dev &&
            input.st_ino == output.st_ino)
            return cli_usage("name another file", "--%s would overwrite the input %s",
                             cli_options[option].name, args->operands[i]);
    return NEUROMC_OK;
}

static bool is_same_file(const char *a, const char *b) {
    struct stat x, y;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;
    if (stat(a, &x) == 0 && stat(b, &y) == 0)
        return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    return strcmp(a, b) == 0;
}

/* Of two outputs in one file the first would be lost. */
static neuromc_status check_others(const struct cli_args *args, size_t first) {
    for (size_t i = first + 1; i < sizeof outputs / sizeof *outputs; i++)
        if (cli_has(args, outputs[i]) &&
            is_same_file(cli_value(args, outputs[first]), cli_value(args, outputs[i])))
            return cli_usage("give each a file of its own", "--%s and --%s name the same file",
                             cli_options[outputs[first]].name, cli_options[outputs[i]].name);
    return NEUROMC_OK;
}

neuromc_status cli_check_outputs(const struct cli_args *args, neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && status == NEUROMC_OK; i++) {
        if (!cli_has(args, outputs[i]))
            continue;
        status = check_inputs(args, outputs[i]);
        if (status == NEUROMC_OK)
            status = check_others(args, i);
        if (status == NEUROMC_OK)
            status = nmc_file_out_check(cli_value(args, outputs[i]), diags);
    }
    return status;
}

neuromc_status cli_output(const struct cli_args *args, neuromc_diags *diags,
                          neuromc_status (*produce)(void *user, neuromc_write_fn write, void *to,
                                                    neuromc_diags *diags),
                          void *user) {
    struct nmc_file_out out;
    neuromc_status status = nmc_file_out_open(&out, cli_value(args, CLI_OPT_OUTPUT), diags);
    if (status != NEUROMC_OK)
        return status;
    status = produce(user, nmc_file_out_write, &out, diags);
    /* The close knows the reason of a failed write; the other message would be a second one. */
    if (status == NEUROMC_IO && out.failed)
        neuromc_diags_clear(diags);
    neuromc_status closed = nmc_file_out_close(&out, status == NEUROMC_OK || out.failed, diags);
    return status == NEUROMC_OK ? closed : status;
}
