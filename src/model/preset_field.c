/* preset_field.c - where a loaded preset keeps the value of a path. */
#include <string.h>

#include "model/preset.h"
#include "model/preset_keys.h"

/* The struct of a named entry; entries start with their name. */
static unsigned char *find_entry(const struct nmc_key *key, unsigned char *holder, const char *name,
                                 size_t length) {
    unsigned char *entry;
    int count;
    memcpy(&entry, holder + key->offset, sizeof entry);
    memcpy(&count, holder + key->count, sizeof count);
    for (int i = 0; i < count; i++, entry += key->entry) {
        const char *known;
        memcpy(&known, entry, sizeof known);
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return entry;
    }
    return NULL;
}

static const struct nmc_key *find_key(enum nmc_section section, const char *name, size_t length) {
    int count;
    const struct nmc_key *key = nmc_section_keys(section, &count);
    for (; count; key++, count--)
        if (strlen(key->name) == length && memcmp(key->name, name, length) == 0)
            return key;
    return NULL;
}

struct nmc_preset_field nmc_preset_field(struct neuromc_preset *preset, const char *path) {
    const struct nmc_preset_field nowhere = {NULL, NULL};
    unsigned char *holder = (unsigned char *)preset;
    enum nmc_section section = NMC_IN_ROOT;
    for (;;) {
        size_t length = strcspn(path, ".");
        const struct nmc_key *key = find_key(section, path, length);
        path += length;
        if (!key || (*path && key->type != NMC_KEY_MAPPING && key->type != NMC_KEY_ENTRIES))
            return nowhere;
        bool kept = holder && key->offset != NMC_NO_FIELD;
        if (!*path)
            return (struct nmc_preset_field){key, kept ? holder + key->offset : NULL};
        section = key->section;
        path++;
        if (key->type == NMC_KEY_MAPPING) {
            holder = kept ? holder + key->offset : NULL;
            continue;
        }
        length = strcspn(path, ".");
        holder = kept ? find_entry(key, holder, path, length) : NULL;
        path += length;
        if (!holder)
            return nowhere;
        if (!*path)
            return (struct nmc_preset_field){key, holder};
        path++;
    }
}
