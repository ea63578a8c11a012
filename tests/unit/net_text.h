/*
 * net_text.h - graphs as text, for tests of what looks at whole graphs.
 *
 *     in x 1,8                     a float graph input
 *     h = Add x zeros:1,8          a node: outputs = op inputs attributes
 *     b = Less h 1.0
 *     s v = snn::LIF h x beta=0.5
 *     out s v                      graph outputs
 *
 * Inputs are names; numbers (0.5 a float scalar, 3 an int64 one); vectors [0,2]; true, false;
 * zeros:SHAPE, fill:VALUE:SHAPE, weight:SHAPE (float constants, the last without data); - absent.
 * Attributes are name=VALUE with a number, a vector, or a text. A body follows its node:
 *
 *     v q = Loop 4 true zeros:1,8 zeros:4,1,8 {
 *       in t c vin qin
 *       ...
 *       out c vout qout
 *     }
 */
#ifndef NET_TEXT_H
#define NET_TEXT_H

#include "net_builder.h"

enum {
    NT_RENAMED = 1, /* names say nothing */
    NT_REVERSED = 2 /* nodes stand in the file from last to first */
};

/* Builds and infers. Asserts that the text is well-formed and the shapes fit. */
void nt_build(struct net_builder *b, int opset, unsigned variant, const char *text);
/* The tensor of that name in the text. */
struct nmc_tensor *nt_tensor(struct net_builder *b, const char *name);

#endif
