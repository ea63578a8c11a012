#include "base/suggest.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 64 };

/* Optimal string alignment distance (Damerau 1964, without repeated edits), ignoring case. */
static size_t distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= m; j++)
        last[j] = before[j] = j;
    for (size_t i = 1; i <= n; i++) {
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            size_t best = last[j - 1] + (x != y);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                tolower((unsigned char)a[i - 2]) == y && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
        size_t *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[m];
}

void nmc_suggest_init(struct nmc_suggest *suggest, const char *wanted) {
    *suggest = (struct nmc_suggest){.wanted = wanted};
    /* One slip in three letters, and never more than four. */
    size_t slips = strlen(wanted) / 3 + 1;
    suggest->distance = (slips > 4 ? 4 : slips) + 1;
}

void nmc_suggest_offer(struct nmc_suggest *suggest, const char *known) {
    size_t d = distance(suggest->wanted, known);
    if (d < suggest->distance) {
        suggest->distance = d;
        suggest->best = known;
    }
}
