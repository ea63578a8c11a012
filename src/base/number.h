/*
 * number.h - numbers to text and back, whatever the process's locale.
 */
#ifndef NMC_NUMBER_H
#define NMC_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NMC_NUMBER_SIZE = 32 };

/* The shortest decimal text that reads back equal ("0.1", "1e+22"); integers below 1e15 without
 * exponent. value must be finite. Returns the length. */
size_t nmc_number_format(char out[NMC_NUMBER_SIZE], double value);

/* The whole of text[0..length) as a decimal number or integer; false for anything else: blanks,
 * hexadecimal, nan, inf, overflow, an empty text. */
bool nmc_number_parse(const char *text, size_t length, double *out);
bool nmc_integer_parse(const char *text, size_t length, int64_t *out);

/* A share for people: "95.5" from 2477 of 2595, one decimal; "0.0" of nothing. */
void nmc_percent_format(char out[NMC_NUMBER_SIZE], double part, double whole);

/* Energy for people: "2.595 mJ" from 2594849621.78 pJ; four significant digits. */
void nmc_energy_format(char out[NMC_NUMBER_SIZE], double picojoules);

/* Any number for people: four significant digits. */
void nmc_short_format(char out[NMC_NUMBER_SIZE], double value);

/* Integer with thousands separators: "1,814,073,344". */
void nmc_count_format(char out[NMC_NUMBER_SIZE], int64_t value);

#endif
