/* missing.c - words for what is not there. */
#include <stdarg.h>
#include <stdio.h>

#include "counters/kind.h"

static const struct {
    const char *text, *word;
} absences[] = {
    [NMC_PRESENT] = {"present", "present"},
    [NMC_NOT_PRESENT] = {"not present", "not-present"},
    [NMC_EMPTY] = {"present but empty", "empty"},
    [NMC_DANGLING] = {"dangling link", "dangling-link"},
    [NMC_DENIED] = {"no permission", "no-permission"},
    [NMC_NOT_ADVANCING] = {"not advancing", "not-advancing"},
    [NMC_UNSUPPORTED] = {"not supported by the device", "unsupported"},
    [NMC_NEEDS_OPTION] = {"needs an option", "needs-option"},
    [NMC_UNREADABLE] = {"not readable", "unreadable"},
};

const char *nmc_absence_text(enum nmc_absence absence) {
    return absences[absence].text;
}

const char *nmc_absence_word(enum nmc_absence absence) {
    return absences[absence].word;
}

const char *nmc_role_word(enum nmc_role role) {
    static const char *const words[] = {
        [NMC_COUNTED] = "counted", [NMC_BESIDE] = "beside",   [NMC_INSIDE] = "inside",
        [NMC_AROUND] = "around",   [NMC_REPEATS] = "repeats", [NMC_IGNORED] = "ignored",
    };
    return words[role];
}

static bool lacks(struct nmc_missing *missing, enum nmc_absence absence, const char *hint,
                  const char *format, va_list args) {
    missing->absence = absence;
    vsnprintf(missing->reason, sizeof missing->reason, format, args);
    snprintf(missing->hint, sizeof missing->hint, "%s", hint);
    return false;
}

bool nmc_lacks(struct nmc_missing *missing, enum nmc_absence absence, const char *format, ...) {
    va_list args;
    va_start(args, format);
    lacks(missing, absence, "", format, args);
    va_end(args);
    return false;
}

bool nmc_lacks_hint(struct nmc_missing *missing, enum nmc_absence absence, const char *hint,
                    const char *format, ...) {
    va_list args;
    va_start(args, format);
    lacks(missing, absence, hint, format, args);
    va_end(args);
    return false;
}

bool nmc_lacks_memory(struct nmc_missing *missing) {
    missing->no_memory = true;
    return nmc_lacks(missing, NMC_UNREADABLE, "memory ran out");
}
