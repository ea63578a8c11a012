/*
 * sysfs.h - small files of /sys (or of what stands in for it): attributes read once, values read
 * again and again, folders.
 */
#ifndef NMC_SYSFS_H
#define NMC_SYSFS_H

#include "counters/kind.h"

/* A path below the root, in the counter's arena. NULL: memory ran out. */
char *nmc_sysfs_path(struct nmc_counter *counter, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The text of an attribute without blanks at its ends: 0 or errno; EBADMSG if it is too long. */
int nmc_sysfs_text(const char *path, char *out, size_t size);
/* A whole number that is not negative: 0 or errno; EBADMSG if the text is none. */
int nmc_sysfs_count(const char *path, uint64_t *out);

/* The entries of a folder, sorted, without those that start with a dot: 0 or errno. The list and
 * its texts live in the arena. */
int nmc_sysfs_list(struct nmc_arena *arena, const char *path, const char *const **names,
                   size_t *count);

/* Whether a path is a link to nowhere. */
bool nmc_sysfs_dangles(const char *path);
/* Says why a path cannot be opened or read; always false. */
bool nmc_sysfs_lacks(struct nmc_missing *missing, const char *path, int error);

/* Opens the file with the part's value (kept open from then on) and reads it once. */
bool nmc_sysfs_open_value(struct nmc_counter *counter, struct nmc_part *part, const char *path,
                          struct nmc_missing *missing);
/* Its value now: 0 or errno. A file that was replaced is opened anew; one that is gone is
 * ENODEV. */
int nmc_sysfs_value(struct nmc_counter *counter, struct nmc_part *part, uint64_t *out);
/* The error of a value that could not be read: the counter is lost. */
neuromc_status nmc_sysfs_lost(const struct nmc_part *part, int error, neuromc_diags *diags);

#endif
