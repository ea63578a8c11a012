/* Finding ONNX Runtime's library and its table of functions. */
#include "counters/ort.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"

#ifdef __APPLE__
#define LIBRARY "libonnxruntime.dylib"
#else
#define LIBRARY "libonnxruntime.so"
#endif

static const char how_to_get_one[] =
    "`make ort` gets one; or name its library with --ort-lib or NEUROMC_ORT_LIB";

/* A place that somebody named must work: there is no falling back from it. */
static neuromc_status open_named(struct nmc_ort *ort, const char *path, neuromc_diags *diags) {
    struct stat status;
    struct nmc_strbuf file;
    nmc_strbuf_init(&file);
    nmc_strbuf_puts(&file, path);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        nmc_strbuf_puts(&file, "/" LIBRARY);
    neuromc_status result = NEUROMC_OK;
    if (file.failed)
        result = nmc_out_of_memory(diags);
    else if (!(ort->library = dlopen(file.text, RTLD_NOW | RTLD_LOCAL)))
        result = nmc_error(diags, NEUROMC_IO, (struct nmc_place){.file = path}, how_to_get_one,
                           "cannot load ONNX Runtime: %s", dlerror());
    nmc_strbuf_release(&file);
    return result;
}

static neuromc_status open_anywhere(struct nmc_ort *ort, neuromc_diags *diags) {
    static const char *const places[] = {LIBRARY ".1", LIBRARY,
                                         NMC_SOURCE_DIR "/build/ort/" LIBRARY};
    for (size_t i = 0; !ort->library && i < sizeof places / sizeof *places; i++)
        ort->library = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
    if (ort->library)
        return NEUROMC_OK;
    return nmc_error(diags, NEUROMC_IO, (struct nmc_place){0}, how_to_get_one,
                     "this machine has no ONNX Runtime (%s) to run models with", LIBRARY);
}

static neuromc_status no_runtime(const struct nmc_ort *ort, neuromc_diags *diags,
                                 const char *what) {
    return nmc_error(diags, NEUROMC_IO, (struct nmc_place){.file = ort->version}, how_to_get_one,
                     "the library that was loaded is no ONNX Runtime: %s", what);
}

static neuromc_status get_api(struct nmc_ort *ort, neuromc_diags *diags) {
    const struct nmc_ort_base *(*get_base)(void) = NULL;
    void *symbol = dlsym(ort->library, "OrtGetApiBase");
    if (!symbol)
        return no_runtime(ort, diags, "it has no OrtGetApiBase");
    /* POSIX has dlsym return functions as objects; C has no cast between them. */
    memcpy((void *)&get_base, (const void *)&symbol, sizeof symbol);
    const struct nmc_ort_base *base = get_base();
    if (!base || !base->api)
        return no_runtime(ort, diags, "OrtGetApiBase returns nothing");
    ort->version = base->version ? base->version() : NULL;
    ort->version = ort->version ? ort->version : "?";
    ort->api = base->api(NMC_ORT_API_VERSION);
    if (!ort->api)
        return nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){0}, how_to_get_one,
                         "ONNX Runtime %s does not offer version %d of its API", ort->version,
                         NMC_ORT_API_VERSION);
    return NEUROMC_OK;
}

neuromc_status nmc_ort_open(struct nmc_ort *ort, const char *path, neuromc_diags *diags) {
    *ort = (struct nmc_ort){0};
    const char *named = path ? path : getenv("NEUROMC_ORT_LIB");
    neuromc_status status =
        named && *named ? open_named(ort, named, diags) : open_anywhere(ort, diags);
    return status == NEUROMC_OK ? get_api(ort, diags) : status;
}

void nmc_ort_close(struct nmc_ort *ort) {
    if (ort->library)
        dlclose(ort->library);
    *ort = (struct nmc_ort){0};
}

neuromc_status nmc_ort_take(const struct nmc_ort *ort, nmc_ort_result result, const char *what,
                            neuromc_diags *diags) {
    if (!result)
        return NEUROMC_OK;
    const char *message = ort->api->message(result);
    neuromc_status status =
        nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){0}, NULL,
                  "ONNX Runtime %s cannot %s: %s", ort->version, what, message ? message : "?");
    ort->api->release_status(result);
    return status;
}
