#include "frontends/own_files.h"

#include <stdbool.h>
#include <string.h>

static const struct nmc_own_file known[] = {
    {"neuromc-report", "a report of neuromc",
     "neuromc diff compares reports; an estimate takes the model that it was made of"},
    {"neuromc-preset", "a preset", "--preset takes it"},
    {"neuromc-mapping", "a mapping file", "--mapping takes it"},
    {"neuromc-map", "what neuromc map wrote",
     "neuromc map MODEL --format yaml writes a file that --mapping takes"},
    {"neuromc-sweep", "a space or a result of neuromc sweep",
     "neuromc sweep MODEL --space takes a space, neuromc merge takes results"},
    {"neuromc-explain", "what neuromc explain wrote", "an estimate takes the model it speaks of"},
    {"neuromc-diff", "what neuromc diff wrote", "diff takes the reports or models it was made of"},
    {"neuromc-validate", "what neuromc validate wrote", "neuromc calibrate takes it"},
    {"neuromc-counters", "what neuromc counters wrote", "neuromc estimate takes a model"},
    {"neuromc-suite", "a suite of models", "neuromc validate --suite takes it"},
    {"neuromc-law", "a law of prices", "a preset names it below laws"},
};

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && strchr(" \t\r\n", *at) && *at)
        at++;
    return at;
}

/* Behind `word` if it is here, else NULL. */
static const char *behind(const char *at, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 ? at + length : NULL;
}

/* {"schema": {"name": "neuromc-...  */
static const char *name_in_json(const char *at, const char *end) {
    static const char *const parts[] = {"{", "\"schema\"", ":", "{", "\"name\"", ":", "\""};
    for (size_t i = 0; at && i < sizeof parts / sizeof *parts; i++)
        at = behind(skip_blanks(at, end), end, parts[i]);
    return at;
}

/* A line "schema: neuromc-.../1", whatever stands before it. */
static const char *name_in_yaml(const char *at, const char *end) {
    while (at < end) {
        const char *value = behind(at, end, "schema:");
        if (value) {
            while (value < end && (*value == ' ' || *value == '"' || *value == '\''))
                value++;
            return value;
        }
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    return NULL;
}

static bool ends_name(const char *at, const char *end) {
    return at == end || *at == '"' || *at == '\'' || *at == '/';
}

const struct nmc_own_file *nmc_own_file(const char *text, size_t size) {
    const char *end = text + size, *name = name_in_json(text, end);
    if (!name)
        name = name_in_yaml(text, end);
    for (size_t i = 0; name && i < sizeof known / sizeof *known; i++) {
        const char *after = behind(name, end, known[i].schema);
        if (after && ends_name(after, end))
            return &known[i];
    }
    return NULL;
}
