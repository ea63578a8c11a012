/*
 * einsum.h - the equation of Einsum, "bhqd,bhkd->bhqk", read once for inference and for lowering.
 */
#ifndef NMC_EINSUM_H
#define NMC_EINSUM_H

#include "base/limits.h"
#include "graph/graph.h"

/* One operand: its letters in order, and where the ellipsis stands among them. */
struct nmc_einsum_term {
    unsigned char letters[NMC_LIMIT_RANK]; /* 0..51: A to Z, a to z */
    int count;
    int ellipsis; /* letters before it; -1 if there is none */
};

enum { NMC_EINSUM_LETTERS = 52, NMC_EINSUM_TERMS = 32 };

struct nmc_einsum {
    struct nmc_einsum_term terms[NMC_EINSUM_TERMS], out;
    int count; /* terms */
};

/* Reads an equation; the output that "->" leaves out is the ellipsis and every letter that
 * occurs once, sorted. NULL, or what is wrong with it. */
const char *nmc_einsum_parse(const char *equation, struct nmc_einsum *out);

/* As it is written: 'A' to 'Z', 'a' to 'z'. */
char nmc_einsum_letter(unsigned char letter);

/* Axes the ellipsis of a term stands for in an operand of that rank; -1 if the term does not fit.
 */
int nmc_einsum_hidden(const struct nmc_einsum_term *term, int rank);

#endif
