/*
 * elements.h - elements of tensors as ONNX stores them, from and to doubles.
 */
#ifndef NMC_ELEMENTS_H
#define NMC_ELEMENTS_H

#include "graph/graph.h"

/* Bytes of `count` elements; types of 4 bits lie two in a byte. False: overflow, or a type
 * without a width (strings). */
bool nmc_elements_bytes(enum nmc_elem type, int64_t count, int64_t *out);

/* Stores a value, rounded to nearest for types of 16 bits and more; types of 8 bits and less that
 * are floating point take 0, and 1 for anything else. The imaginary part becomes 0. Of two
 * elements in a byte the other one is kept. */
void nmc_element_put(void *data, enum nmc_elem type, int64_t index, double value);
/* Stores bits as they are: the low ones of an element's width. */
void nmc_element_put_bits(void *data, enum nmc_elem type, int64_t index, uint64_t bits);

/* An element's bits, and its value. False: the type has no number that a double holds (complex
 * numbers, strings, floating point of 8 bits and less). */
uint64_t nmc_element_bits(const void *data, enum nmc_elem type, int64_t index);
bool nmc_element_get(const void *data, enum nmc_elem type, int64_t index, double *out);

#endif
