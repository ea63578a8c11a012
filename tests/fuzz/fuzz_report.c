/* Any bytes as a JSON report that another one is compared with. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_estimate.h"
#include "report/figures.h"

static bool forget(void *user, const char *data, size_t size) {
    (void)user, (void)data, (void)size;
    return true;
}

/* Every error has its place in the file. */
static void check_refusal(const neuromc_diags *diags) {
    if (neuromc_diags_count(diags) == 0)
        abort();
}

/* Both sides the same: no row may be left. */
static void compare(const char *path, neuromc_diags *diags) {
    const neuromc_diff_side side = {.path = path};
    const neuromc_write_options text = {.format = NEUROMC_TEXT}, json = {.format = NEUROMC_JSON};
    neuromc_diff *diff = NULL;
    if (neuromc_diff_new(&side, &side, &diff, diags)) {
        check_refusal(diags);
        return;
    }
    if (neuromc_diff_exceeds(diff, 0) || neuromc_diff_write(diff, &text, forget, NULL, diags) ||
        neuromc_diff_write(diff, &json, forget, NULL, diags))
        abort();
    neuromc_diff_free(diff);
}

static void read_figures(const char *path, neuromc_diags *diags) {
    struct nmc_figures figures;
    struct nmc_peek peek;
    if (nmc_file_peek(&peek, path, diags)) {
        check_refusal(diags);
        return;
    }
    neuromc_status status = nmc_figures_read(path, &peek, &figures, diags);
    if (status)
        check_refusal(diags);
    nmc_figures_release(&figures);
    nmc_peek_close(&peek);
    if (!status)
        compare(path, diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    neuromc_diags *diags = neuromc_diags_new();
    read_figures(path, diags);
    neuromc_diags_free(diags);
    close(fd);
    return 0;
}
