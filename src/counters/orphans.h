/*
 * orphans.h - what a measured program leaves behind when it ends, its process group or not.
 *
 * Every program is started with a mark in its environment, which all that it starts inherits.
 * While programs are measured, this process adopts what is left of them (Linux: a subreaper), so
 * that none goes on unseen. Elsewhere only the process group is ended.
 */
#ifndef NMC_ORPHANS_H
#define NMC_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

enum { NMC_MARK = 64 };

/* From now on (or, with false, not any more) what measured programs leave behind becomes a child
 * of this process. Returns whether it was so before. */
bool nmc_orphans_adopt(bool adopt);

/* A mark of its own, a variable without value: "NEUROMC_MEASURED_4711_3=". Marks add up, so that
 * what a measured program measures bears both. */
void nmc_orphans_mark(char mark[NMC_MARK]);
/* The environment with the mark added; NULL: no memory. To be freed as one block. */
char **nmc_orphans_environment(char *mark);

/* Kills and reaps what is left of a program that was reaped: of its group, and all that bears its
 * mark. Takes a second at most. */
void nmc_orphans_end(const char *mark, pid_t group);

#endif
