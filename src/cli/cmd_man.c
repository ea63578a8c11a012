/* neuromc man: the manual page, made from the tables of commands and options. */
#include <stdio.h>

#include "cli/cli.h"

/* roff takes a leading dot or quote for a request, and '-' for a hyphen. */
static void put(const char *text) {
    for (; *text; text++) {
        if (*text == '-' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
}

static void put_option(const struct cli_option_info *info) {
    puts(".TP");
    if (info->letter)
        printf("\\fB\\-%c\\fR, ", info->letter);
    fputs("\\fB\\-\\-", stdout);
    put(info->name);
    fputs("\\fR", stdout);
    if (info->argument)
        printf(" \\fI%s\\fR", info->argument);
    putchar('\n');
    put(info->help);
    putchar('\n');
}

neuromc_status cli_man(const struct cli_args *args) {
    if (args->operand_count)
        return cli_usage("neuromc help COMMAND is about one command", "man takes no operands");
    printf(".TH NEUROMC 1 \"\" \"neuromc %s\" \"User Commands\"\n", neuromc_version());
    puts(".SH NAME\nneuromc \\- what a network costs in energy on described hardware\n"
         ".SH SYNOPSIS\n.B neuromc\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIOPERANDS\\fR]\n"
         ".SH DESCRIPTION\nAn offline analytical energy estimator: it reads an ONNX model or an "
         "operator trace, counts the work, and prices it by a hardware preset, in picojoules.");
    for (int c = 0; c < CLI_COMMANDS; c++) {
        printf(".SH \"NEUROMC %s\"\n.B neuromc %s\n[\\fIOPTIONS\\fR] ", cli_commands[c].name,
               cli_commands[c].name);
        put(cli_commands[c].operands);
        puts("\n.PP");
        put(cli_commands[c].summary);
        putchar('\n');
        for (int o = 0; o < CLI_OPTIONS; o++)
            if (cli_options[o].commands >> c & 1)
                put_option(&cli_options[o]);
    }
    puts(".SH EXIT STATUS\n"
         ".TP\n0\nok\n.TP\n1\n\\fBdiff\\fR: the total grew beyond "
         "\\fB\\-\\-fail\\-above\\fR; \\fBmeasure\\fR, \\fBvalidate\\fR: the verdict allows no "
         "claim\n.TP\n2\nusage\n.TP\n3\nbad input\n.TP\n4\nunsupported, or "
         "refused under "
         "\\fB\\-\\-strict\\fR\n.TP\n5\nI/O error, or memory ran out\n.TP\n70\na bug in "
         "neuromc\n.TP\n130\nstopped by Ctrl\\-C, with what "
         "there was\n"
         ".SH ENVIRONMENT\n.TP\n.B NEUROMC_PRESET_PATH\ncolon\\-separated directories with "
         "presets\n.TP\n.B NO_COLOR\nno colours if set and not empty");
    return NEUROMC_OK;
}
