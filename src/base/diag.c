#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

/* A hostile file can produce one message per node, with names of any length; people read the first
 * hundred. Errors have room of their own: warnings must not crowd out why a call failed. */
enum { MOST_ERRORS = 1000, MOST_OTHERS = 500, LONGEST_TEXT = 2000 };

enum { MOST_BYTES = (MOST_ERRORS + MOST_OTHERS) * 4 * (LONGEST_TEXT + 32) };

struct neuromc_diags {
    struct nmc_arena arena;
    neuromc_diag *items;
    size_t count, capacity, errors;
};

static const neuromc_diag no_memory = {
    .severity = NEUROMC_ERROR,
    .status = NEUROMC_IO,
    .message = "memory ran out",
};

neuromc_diags *neuromc_diags_new(void) {
    neuromc_diags *diags = nmc_malloc(sizeof *diags);
    if (!diags)
        return NULL;
    *diags = (neuromc_diags){0};
    nmc_arena_init(&diags->arena, MOST_BYTES);
    /* Room for the out-of-memory entry is taken now, while there is memory. */
    if (!nmc_grow(&diags->items, &diags->capacity, 8, sizeof *diags->items)) {
        nmc_free(diags);
        return NULL;
    }
    return diags;
}

void neuromc_diags_free(neuromc_diags *diags) {
    if (!diags)
        return;
    nmc_arena_release(&diags->arena);
    nmc_free(diags->items);
    nmc_free(diags);
}

void neuromc_diags_clear(neuromc_diags *diags) {
    if (!diags)
        return;
    nmc_arena_release(&diags->arena);
    diags->count = diags->errors = 0;
}

size_t neuromc_diags_count(const neuromc_diags *diags) {
    return diags ? diags->count : 0;
}

const neuromc_diag *neuromc_diags_at(const neuromc_diags *diags, size_t index) {
    return index < neuromc_diags_count(diags) ? &diags->items[index] : NULL;
}

size_t nmc_diags_errors(const neuromc_diags *diags) {
    return diags ? diags->errors : 0;
}

/* One slot is always kept free for the entry that says memory ran out. */
static void push(neuromc_diags *diags, neuromc_diag item) {
    if (diags->count + 1 >= diags->capacity &&
        !nmc_grow(&diags->items, &diags->capacity, diags->count + 2, sizeof item))
        item = no_memory;
    if (diags->arena.failed)
        item = no_memory;
    if (item.message == no_memory.message && diags->count &&
        diags->items[diags->count - 1].message == no_memory.message)
        return;
    if (item.severity == NEUROMC_ERROR)
        diags->errors++;
    diags->items[diags->count++] = item;
}

static bool has_room(const neuromc_diags *diags, neuromc_severity severity) {
    return severity == NEUROMC_ERROR ? diags->errors < MOST_ERRORS
                                     : diags->count - diags->errors < MOST_OTHERS;
}

/* A copy; what is too long ends in "...", never inside a character. */
static char *keep(struct nmc_arena *arena, const char *text) {
    size_t length = text ? strnlen(text, LONGEST_TEXT + 1) : 0;
    if (length <= LONGEST_TEXT)
        return text ? nmc_arena_strdup(arena, text) : NULL;
    length = LONGEST_TEXT;
    while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    return nmc_arena_printf(arena, "%.*s...", (int)length, text);
}

static char *keep_format(struct nmc_arena *arena, const char *format, va_list args) {
    char text[LONGEST_TEXT + 8];
    vsnprintf(text, sizeof text, format, args);
    return keep(arena, text);
}

static void add(neuromc_diags *diags, neuromc_severity severity, neuromc_status status,
                struct nmc_place place, const char *hint, const char *format, va_list args) {
    if (!diags || !has_room(diags, severity))
        return;
    struct nmc_arena *arena = &diags->arena;
    push(diags, (neuromc_diag){
                    .severity = severity,
                    .status = status,
                    .file = keep(arena, place.file),
                    .line = place.line,
                    .column = place.column,
                    .where = keep(arena, place.where),
                    .message = keep_format(arena, format, args),
                    .hint = keep(arena, hint),
                });
}

neuromc_status nmc_error(neuromc_diags *diags, neuromc_status status, struct nmc_place place,
                         const char *hint, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(diags, NEUROMC_ERROR, status, place, hint, format, args);
    va_end(args);
    return status;
}

neuromc_status nmc_out_of_memory(neuromc_diags *diags) {
    if (diags)
        push(diags, no_memory);
    return NEUROMC_IO;
}

void nmc_warning(neuromc_diags *diags, struct nmc_place place, const char *hint, const char *format,
                 ...) {
    va_list args;
    va_start(args, format);
    add(diags, NEUROMC_WARNING, NEUROMC_OK, place, hint, format, args);
    va_end(args);
}

void nmc_note(neuromc_diags *diags, struct nmc_place place, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(diags, NEUROMC_NOTE, NEUROMC_OK, place, NULL, format, args);
    va_end(args);
}
