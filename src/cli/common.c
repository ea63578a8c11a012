/* Messages, output and model loading for all subcommands. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "cli/cli.h"

static bool wants_color(int fd) {
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(fd) && !(no_color && *no_color) && !(terminal && strcmp(terminal, "dumb") == 0);
}

/* Names come from files and scripts: control characters must not reach the terminal. */
static void put_clean(const char *text) {
    for (; *text; text++)
        fputc((unsigned char)*text < 0x20 || *text == 0x7F ? '?' : *text, stderr);
}

neuromc_status cli_usage(const char *hint, const char *format, ...) {
    struct nmc_strbuf message;
    va_list args;
    nmc_strbuf_init(&message);
    va_start(args, format);
    nmc_strbuf_vprintf(&message, format, args);
    va_end(args);
    fputs("neuromc: error: ", stderr);
    put_clean(message.text);
    if (hint) {
        fputs("\n  hint: ", stderr);
        put_clean(hint);
    }
    fputc('\n', stderr);
    nmc_strbuf_release(&message);
    return NEUROMC_USAGE;
}

static void print_one(const neuromc_diag *diag, bool color) {
    static const char *const words[] = {"error", "warning", "note"};
    static const char *const colors[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};
    fprintf(stderr, "neuromc: %s%s:%s ", color ? colors[diag->severity] : "", words[diag->severity],
            color ? "\033[0m" : "");
    if (diag->file) {
        put_clean(diag->file);
        if (diag->line)
            fprintf(stderr, ":%d", diag->line);
        if (diag->line && diag->column)
            fprintf(stderr, ":%d", diag->column);
        fputs(": ", stderr);
    }
    if (diag->where) {
        put_clean(diag->where);
        fputs(": ", stderr);
    }
    put_clean(diag->message);
    fputc('\n', stderr);
    if (diag->hint) {
        fputs("  hint: ", stderr);
        put_clean(diag->hint);
        fputc('\n', stderr);
    }
}

void cli_print(neuromc_diags *diags) {
    bool color = wants_color(STDERR_FILENO);
    for (size_t i = 0; i < neuromc_diags_count(diags); i++)
        print_one(neuromc_diags_at(diags, i), color);
    neuromc_diags_clear(diags);
}

neuromc_status cli_with_diags(const struct cli_args *args,
                              neuromc_status (*run)(const struct cli_args *args,
                                                    neuromc_diags *diags)) {
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    neuromc_status status = run(args, diags);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}

/* Which formats there are, and what takes those that not everything takes (0: everything). */
static const struct format_name {
    const char *name;
    neuromc_format format;
    unsigned commands;
} format_names[] = {
    {"text", NEUROMC_TEXT, 0},
    {"json", NEUROMC_JSON, 0},
    {"csv", NEUROMC_CSV, ~(1u << CLI_EXPLAIN)},
    {"folded", NEUROMC_FOLDED, 1u << CLI_ESTIMATE},
    {"md", NEUROMC_MARKDOWN, 1u << CLI_ESTIMATE | 1u << CLI_DIFF},
    {"latex", NEUROMC_LATEX, 1u << CLI_ESTIMATE},
    {"pprof", NEUROMC_PPROF, 1u << CLI_ESTIMATE},
    {"html", NEUROMC_HTML, 1u << CLI_ESTIMATE},
    {"yaml", NEUROMC_YAML, 1u << CLI_MAP},
};
enum { FORMATS = sizeof format_names / sizeof *format_names };

static neuromc_status choose_format(const struct cli_args *args, neuromc_format *out) {
    const char *names[FORMATS + 1];
    neuromc_format formats[FORMATS];
    int count = 0, choice;
    for (int i = 0; i < FORMATS; i++) {
        if (format_names[i].commands && !(format_names[i].commands >> args->command & 1))
            continue;
        names[count] = format_names[i].name;
        formats[count++] = format_names[i].format;
    }
    names[count] = NULL;
    neuromc_status status = cli_choice(args, CLI_OPT_FORMAT, names, &choice);
    *out = formats[choice];
    return status;
}

neuromc_status cli_write_options(const struct cli_args *args, neuromc_write_options *out) {
    static const char *const whens[] = {"auto", "always", "never", NULL};
    neuromc_format format;
    int when;
    neuromc_status status = choose_format(args, &format);
    if (status == NEUROMC_OK)
        status = cli_choice(args, CLI_OPT_COLOR, whens, &when);
    if (status != NEUROMC_OK)
        return status;
    const char *file = cli_value(args, CLI_OPT_OUTPUT);
    bool to_terminal = (!file || strcmp(file, "-") == 0) && wants_color(STDOUT_FILENO);
    *out = (neuromc_write_options){
        .format = format,
        .ledger = cli_has(args, CLI_OPT_LEDGER),
        .color = when == 1 || (when == 0 && to_terminal),
    };
    if (out->ledger && out->format != NEUROMC_JSON)
        return cli_usage("add --format json", "--ledger is a part of the JSON report");
    return NEUROMC_OK;
}
