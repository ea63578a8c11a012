/* A fuzz target without a fuzzer: runs the files it is given, one TAP line for each. A crash ends
 * it, so a missing line is a failure too. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        return 0;
    long size = ftell(file);
    rewind(file);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1); /* exact, so that overruns show */
    int good = data && fread(data, 1, (size_t)size, file) == (size_t)size;
    if (good)
        LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    fclose(file);
    return good;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        printf("%s %d - %s\n", run(argv[i]) ? "ok" : "not ok", i, argv[i]);
        fflush(stdout);
    }
    return 0;
}
