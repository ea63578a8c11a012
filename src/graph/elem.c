/* Element types by their table. */
#include "graph/graph.h"

struct elem {
    const char *name;
    int bits;
    char kind;
};

static const struct elem elems[NMC_ELEM_COUNT] = {
#define ELEM(name, code, bits, kind) [code] = {#name, bits, kind},
#include "graph/elem_types.def"
#undef ELEM
};

static const struct elem *row(enum nmc_elem type) {
    return &elems[(unsigned)type < NMC_ELEM_COUNT ? type : NMC_ELEM_undefined];
}

const char *nmc_elem_name(enum nmc_elem type) {
    return row(type)->name;
}

int nmc_elem_bits(enum nmc_elem type) {
    return row(type)->bits;
}

char nmc_elem_kind(enum nmc_elem type) {
    return row(type)->kind;
}
