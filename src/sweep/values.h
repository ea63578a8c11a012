/*
 * values.h - what an axis takes: "1,2,4", "10:100:10", "1Ki:1Mi:*2", with units.
 *
 * Values are texts as --set takes them, in canonical form where they are numbers. Ranges hold
 * both ends if the steps reach them and are computed in decimal, so that 0.1:0.5:0.1 holds 0.3.
 */
#ifndef NMC_VALUES_H
#define NMC_VALUES_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

enum nmc_value_kind { NMC_VALUE_TEXT, NMC_VALUE_NUMBER, NMC_VALUE_INTEGER, NMC_VALUE_SIZE };

struct nmc_values {
    const char **texts;
    double *numbers; /* NULL unless every text is a number */
    size_t count, capacity;
};

/* What values must be, and what to call the axis in messages. unit may be NULL. */
struct nmc_value_form {
    enum nmc_value_kind kind;
    const char *unit;
    struct nmc_place place;
};

/* Appends the values of a comma-separated list of items and ranges. Commas within brackets, braces
 * and quotes belong to an item. */
neuromc_status nmc_values_parse(struct nmc_arena *arena, const char *text,
                                const struct nmc_value_form *form, struct nmc_values *out,
                                neuromc_diags *diags);
/* Appends those of one item or range. */
neuromc_status nmc_values_item(struct nmc_arena *arena, const char *text,
                               const struct nmc_value_form *form, struct nmc_values *out,
                               neuromc_diags *diags);
/* No more values: looks for none at all and for repeated ones, and sets numbers. */
neuromc_status nmc_values_finish(struct nmc_arena *arena, const struct nmc_value_form *form,
                                 struct nmc_values *out, neuromc_diags *diags);

/* A number with its unit, in the form's own unit: "2 KiB" is 16384 bits, "3nJ" 3000 pJ. */
bool nmc_quantity_parse(const char *text, const struct nmc_value_form *form, double *out);

#endif
