/*
 * op_fixture.h - single nodes on hand-built inputs, for tests of shape inference and folding.
 *
 * Shapes and values are text: "N,3,-1" is two numbers and the symbol N, which is the same symbol
 * wherever a fixture names it. "" is a scalar's shape or an empty list; "?" an unknown rank.
 */
#ifndef OP_FIXTURE_H
#define OP_FIXTURE_H

#include "base/limits.h"
#include "graph/graph.h"
#include "graph/infer.h"
#include "graph/ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct fixture {
    struct nmc_net *net;
    neuromc_diags *diags;
    struct nmc_infer infer;
    int opset;
};

int fixture_setup(void **state);
int fixture_teardown(void **state);
#define OP_TEST(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

/* ---- tensors without a value, and constants ---- */
struct nmc_tensor *fx_tensor(struct fixture *f, enum nmc_elem type, const char *shape);
struct nmc_tensor *fx_float(struct fixture *f, const char *shape);
struct nmc_tensor *fx_ints(struct fixture *f, const char *values);  /* int64[n] */
struct nmc_tensor *fx_int(struct fixture *f, const char *value);    /* int64 scalar */
struct nmc_tensor *fx_reals(struct fixture *f, const char *values); /* float32[n] */
struct nmc_tensor *fx_real(struct fixture *f, const char *value);   /* float32 scalar */
struct nmc_tensor *fx_bools(struct fixture *f, const char *values); /* bool[n] */
/* The same values under another shape. */
struct nmc_tensor *fx_shaped(struct fixture *f, struct nmc_tensor *constant, const char *shape);

/* ---- nodes ---- */
/* Inputs up to a final FX_END; NULL is an absent one. The node has `outputs` new outputs. */
struct nmc_node *fx_node_n(struct fixture *f, const char *domain, const char *op, int outputs, ...);
#define FX_END ((struct nmc_tensor *)(void *)&fx_end)
extern char fx_end;
#define fx_node(f, op, ...)           fx_node_n(f, "", op, 1, __VA_ARGS__, FX_END)
#define fx_nodes(f, op, outputs, ...) fx_node_n(f, "", op, outputs, __VA_ARGS__, FX_END)
#define fx_source(f, op)              fx_node_n(f, "", op, 1, FX_END)
void fx_attr_int(struct fixture *f, struct nmc_node *node, const char *name, int64_t value);
void fx_attr_float(struct fixture *f, struct nmc_node *node, const char *name, double value);
void fx_attr_ints(struct fixture *f, struct nmc_node *node, const char *name, const char *values);
void fx_attr_floats(struct fixture *f, struct nmc_node *node, const char *name, const char *values);
void fx_attr_string(struct fixture *f, struct nmc_node *node, const char *name, const char *text);
void fx_attr_tensor(struct fixture *f, struct nmc_node *node, const char *name,
                    struct nmc_tensor *value);

/* Infers and folds; must succeed. Returns output 0. */
struct nmc_tensor *fx_run(struct fixture *f, struct nmc_node *node);
/* Must fail with a message that holds `text` and a place. */
void fx_fails(struct fixture *f, struct nmc_node *node, const char *text);

/* ---- what came out ---- */
/* Fresh symbols read "?"; an unknown rank "[?]". */
void assert_shape(struct fixture *f, const struct nmc_tensor *tensor, const char *shape);
void assert_out(struct fixture *f, struct nmc_node *node, int output, enum nmc_elem type,
                const char *shape);
/* Values as "[N, 3, ?]"; "none" if there are none. */
void assert_value(struct fixture *f, const struct nmc_tensor *tensor, const char *values);

#endif
