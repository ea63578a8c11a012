/* Where the results, plots and points of a sweep go. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/sweep.h"

static bool ends_in(const char *path, const char *ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

neuromc_status cli_points_format(const struct cli_args *args, neuromc_points_format *out) {
    const char *path = cli_value(args, CLI_OPT_POINTS);
    *out = NEUROMC_POINTS_CSV;
    if (!path || strcmp(path, "-") == 0 || ends_in(path, ".csv"))
        return NEUROMC_OK;
    *out = NEUROMC_POINTS_NDJSON;
    if (ends_in(path, ".ndjson") || ends_in(path, ".jsonl"))
        return NEUROMC_OK;
    return cli_usage("the ending says the format",
                     "--points writes FILE.csv or FILE.ndjson, not \"%s\"", path);
}

neuromc_status cli_plot_check(const struct cli_args *args) {
    const char *path = cli_value(args, CLI_OPT_PLOT);
    if (!path || ends_in(path, ".svg") || ends_in(path, ".html") || ends_in(path, ".png"))
        return NEUROMC_OK;
    return cli_usage("the ending says the format",
                     "--plot draws FILE.svg, FILE.html or FILE.png, not \"%s\"", path);
}

struct writing {
    const neuromc_sweep_result *result;
    const neuromc_write_options *options;
    neuromc_plot_format plot;
};

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    const struct writing *w = user;
    return neuromc_sweep_write(w->result, w->options, write, to, diags);
}

static neuromc_status write_plot(const struct writing *w, const char *path, neuromc_diags *diags) {
    struct nmc_file_out out;
    neuromc_status status = nmc_file_out_open(&out, path, diags);
    if (status != NEUROMC_OK)
        return status;
    status = neuromc_sweep_plot(w->result, w->plot, nmc_file_out_write, &out, diags);
    if (status == NEUROMC_IO && out.failed)
        neuromc_diags_clear(diags);
    neuromc_status closed = nmc_file_out_close(&out, status == NEUROMC_OK || out.failed, diags);
    return status == NEUROMC_OK ? closed : status;
}

static bool to_pipe(void *user, const char *data, size_t size) {
    FILE *pipe = user;
    return fwrite(data, 1, size, pipe) == size;
}

/* rsvg-convert draws an SVG as PNG; it gets ours on its standard input. */
static pid_t start_converter(const char *path, FILE **pipe_out) {
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp("rsvg-convert", "rsvg-convert", "--format", "png", "--zoom", "2", "--output", path,
               (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    *pipe_out = child > 0 ? fdopen(ends[1], "w") : NULL;
    if (!*pipe_out)
        close(ends[1]);
    return child;
}

static neuromc_status write_png(const struct writing *w, const char *path, neuromc_diags *diags) {
    FILE *pipe = NULL;
    int status = 0;
    pid_t child = start_converter(path, &pipe);
    neuromc_status drawn =
        pipe ? neuromc_sweep_plot(w->result, NEUROMC_PLOT_SVG, to_pipe, pipe, diags) : NEUROMC_IO;
    if (pipe && fclose(pipe) != 0)
        drawn = NEUROMC_IO;
    if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
        WEXITSTATUS(status) == 0)
        return drawn;
    neuromc_diags_clear(diags);
    cli_usage("apt-get install librsvg2-bin, or draw FILE.svg or FILE.html",
              "%s could not be drawn: PNG needs rsvg-convert", path);
    return NEUROMC_IO;
}

static neuromc_status plot(const struct cli_args *args, struct writing *w, neuromc_diags *diags) {
    const char *path = cli_value(args, CLI_OPT_PLOT);
    if (!path)
        return NEUROMC_OK;
    w->plot = ends_in(path, ".html") ? NEUROMC_PLOT_HTML : NEUROMC_PLOT_SVG;
    return ends_in(path, ".png") ? write_png(w, path, diags) : write_plot(w, path, diags);
}

neuromc_status cli_write_result(const struct cli_args *args, const neuromc_sweep_result *result,
                                const neuromc_write_options *options, neuromc_diags *diags) {
    struct writing writing = {.result = result, .options = options};
    const char *points = cli_value(args, CLI_OPT_POINTS);
    bool taken = points && strcmp(points, "-") == 0 && !cli_has(args, CLI_OPT_OUTPUT);
    neuromc_status status = taken ? NEUROMC_OK : cli_output(args, diags, produce, &writing);
    return status == NEUROMC_OK ? plot(args, &writing, diags) : status;
}
