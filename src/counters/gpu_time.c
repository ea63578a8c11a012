#include "counters/gpu_time.h"

#include <string.h>

#include "base/number.h"

enum { UTF8 = 0x08000100, INT64 = 4, MOST_DEEP = 8 };

static const struct nmc_symbol iokit_symbols[] = {
    {"IOServiceMatching", offsetof(struct nmc_iokit_api, matching)},
    {"IOServiceGetMatchingServices", offsetof(struct nmc_iokit_api, find)},
    {"IOIteratorNext", offsetof(struct nmc_iokit_api, next)},
    {"IORegistryEntryGetChildIterator", offsetof(struct nmc_iokit_api, children)},
    {"IORegistryEntryCreateCFProperty", offsetof(struct nmc_iokit_api, property)},
    {"IOObjectRelease", offsetof(struct nmc_iokit_api, release)},
};

static bool open_libraries(struct nmc_counter *counter, struct nmc_gpu_source *source) {
    static const struct nmc_symbol number = {"CFNumberGetValue",
                                             offsetof(struct nmc_gpu_source, number_value)};
    struct nmc_missing ignored;
    return nmc_cf_open(counter, &source->cf_library, &source->cf, &ignored) &&
           nmc_library_symbols(&source->cf_library, &number, 1, source, &ignored) &&
           nmc_library_open(counter, &source->iokit_library,
                            "/System/Library/Frameworks/IOKit.framework/IOKit", iokit_symbols,
                            sizeof iokit_symbols / sizeof *iokit_symbols, &source->iokit, &ignored);
}

bool nmc_gpu_source_open(struct nmc_counter *counter, struct nmc_gpu_source *source) {
    *source = (struct nmc_gpu_source){0};
    if (open_libraries(counter, source)) {
        source->creator = source->cf.string(NULL, "IOUserClientCreator", UTF8);
        source->usage = source->cf.string(NULL, "AppUsage", UTF8);
        source->time = source->cf.string(NULL, "accumulatedGPUTime", UTF8);
        if (source->creator && source->usage && source->time)
            return true;
    }
    nmc_gpu_source_close(source);
    return false;
}

void nmc_gpu_source_close(struct nmc_gpu_source *source) {
    const cf_ref keys[] = {source->creator, source->usage, source->time};
    for (int i = 0; i < 3; i++)
        if (keys[i])
            source->cf.release(keys[i]);
    nmc_library_close(&source->iokit_library);
    nmc_library_close(&source->cf_library);
    *source = (struct nmc_gpu_source){0};
}

/* ---- clients of a GPU --------------------------------------------------------------------- */

/* The process in "pid 123, name"; -1: none. */
static int64_t creator_of(const struct nmc_gpu_source *source, uint32_t entry) {
    char text[256] = "";
    int64_t pid = -1;
    cf_ref creator = source->iokit.property(entry, source->creator, NULL, 0);
    if (!creator)
        return -1;
    if (source->cf.string_text(creator, text, sizeof text, UTF8) && strncmp(text, "pid ", 4) == 0 &&
        !nmc_integer_parse(text + 4, strspn(text + 4, "0123456789"), &pid))
        pid = -1;
    source->cf.release(creator);
    return pid;
}

static bool add_time(struct nmc_gpu_times *times, int64_t pid, int64_t ns) {
    size_t i = 0;
    while (i < times->count && times->items[i].pid != pid)
        i++;
    if (i == NMC_GPU_PROCESSES || ns < 0)
        return false;
    if (i == times->count)
        times->items[times->count++] = (struct nmc_gpu_use){.pid = pid};
    times->items[i].ns += (double)ns;
    return true;
}

/* A client may have several entries of usage; all are its creator's. */
static bool add_client(const struct nmc_gpu_source *source, uint32_t entry,
                       struct nmc_gpu_times *times) {
    bool good = true;
    int64_t pid = creator_of(source, entry);
    cf_ref usage = pid < 0 ? NULL : source->iokit.property(entry, source->usage, NULL, 0);
    long count = usage ? source->cf.array_count(usage) : 0;
    for (long i = 0; i < count && good; i++) {
        int64_t ns = 0;
        cf_ref number = source->cf.dictionary_value(source->cf.array_value(usage, i), source->time);
        if (number)
            good = source->number_value(number, INT64, &ns) && add_time(times, pid, ns);
    }
    if (usage)
        source->cf.release(usage);
    return good;
}

/* The entries of an iterator and all below them. */
static bool add_entries(const struct nmc_gpu_source *source, uint32_t iterator, int depth,
                        struct nmc_gpu_times *times) {
    bool good = true;
    uint32_t entry, below;
    while (good && (entry = source->iokit.next(iterator)) != 0) {
        good = add_client(source, entry, times);
        if (good && depth < MOST_DEEP && source->iokit.children(entry, "IOService", &below) == 0) {
            good = add_entries(source, below, depth + 1, times);
            source->iokit.release(below);
        }
        source->iokit.release(entry);
    }
    return good;
}

bool nmc_gpu_source_read(const struct nmc_gpu_source *source, struct nmc_gpu_times *out) {
    uint32_t iterator;
    cf_ref matching = source->iokit.matching("IOAccelerator");
    out->count = 0;
    if (!matching || source->iokit.find(0, matching, &iterator) != 0)
        return false;
    bool good = add_entries(source, iterator, 0, out);
    source->iokit.release(iterator);
    return good;
}
