/* Any bytes as a document of problems, machines and mappings: what is accepted is counted, by
 * either walk, and written. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_estimate.h"

static bool forget(void *user, const char *data, size_t size) {
    (void)user, (void)data, (void)size;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const neuromc_triples_options options = {.brute_force = size % 2, .no_elision = size % 3 == 0};
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_status status = neuromc_map_triples(path, &options, forget, NULL, diags);
    if (status && neuromc_diags_count(diags) == 0)
        abort();
    neuromc_diags_free(diags);
    close(fd);
    return 0;
}
