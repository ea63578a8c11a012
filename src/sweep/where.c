#include "sweep/where.h"

#include <string.h>

static const struct {
    const char *text;
    enum nmc_relation relation;
} relations[] = {{"<=", NMC_AT_MOST},   {">=", NMC_AT_LEAST}, {"==", NMC_EQUAL},
                 {"!=", NMC_DIFFERENT}, {"<", NMC_LESS},      {">", NMC_MORE}};

/* The last relation in a text: names of nodes may hold any of them. */
static const char *last_relation(const char *text, size_t *which) {
    for (size_t at = strlen(text); at-- > 0;)
        for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
            size_t length = strlen(relations[i].text);
            size_t start = at + 1 < length ? 0 : at + 1 - length;
            if (at + 1 >= length && memcmp(text + start, relations[i].text, length) == 0) {
                *which = i;
                return text + start;
            }
        }
    return NULL;
}

static size_t without_blanks(const char *text, size_t length) {
    while (length && text[length - 1] == ' ')
        length--;
    return length;
}

neuromc_status nmc_where_split(struct nmc_arena *arena, const struct nmc_asked *asked,
                               struct nmc_asked *name, struct nmc_where *out,
                               const char **bound_text, neuromc_diags *diags) {
    size_t which = 0;
    const char *at = last_relation(asked->text, &which);
    if (!at || at == asked->text)
        return nmc_error(diags, nmc_asked_status(asked->place), asked->place,
                         "for example energy_by_level.sram<2e6; also <= > >= == !=",
                         "expected NAME<NUMBER, not \"%.64s\"", asked->text);
    size_t length = without_blanks(asked->text, (size_t)(at - asked->text));
    *name = (struct nmc_asked){nmc_arena_strndup(arena, asked->text, length), asked->place};
    *bound_text = at + strlen(relations[which].text);
    out->relation = relations[which].relation;
    return name->text ? NEUROMC_OK : nmc_out_of_memory(diags);
}
