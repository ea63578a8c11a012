/* Names that are neurons, and names that only look like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/soma.h"

static void neurons(void **state) {
    (void)state;
    assert_true(nmc_soma_name("IF"));
    assert_true(nmc_soma_name("Lif"));
    assert_true(nmc_soma_name("ParametricLIFNode"));
    assert_true(nmc_soma_name("LIF_stateful"));
    assert_true(nmc_soma_name("lif_neuron"));
    assert_true(nmc_soma_name("IzhikevichNeuron"));
    assert_true(nmc_soma_name("lif_cell"));
    assert_false(nmc_soma_name("Neuron"));
    assert_false(nmc_soma_name("gru_cell"));
    assert_true(nmc_soma_name("izhikevich"));
    assert_true(nmc_soma_name("AdaptiveLIFRate"));
}

static void others(void **state) {
    (void)state;
    assert_false(nmc_soma_name(""));
    assert_false(nmc_soma_name("_stateful"));
    assert_false(nmc_soma_name("LeakyRelu"));
    assert_false(nmc_soma_name("Life"));
    assert_false(nmc_soma_name("LI"));
    assert_false(nmc_soma_name("ConvLif"));
    assert_false(nmc_soma_name("NonSpikingLIFNode"));
}

static void the_users_own(void **state) {
    (void)state;
    const char *const more[] = {"Spiker"};
    assert_false(nmc_soma_name("Spiker"));
    assert_true(nmc_soma_named("spiker", more, 1));
    assert_true(nmc_soma_named("LIF", more, 1));
    assert_false(nmc_soma_named("Spike", more, 1));
}

/* ONNX's If is control flow; only a frontend that knows the domain can tell. */
static void the_control_flow_operator(void **state) {
    (void)state;
    assert_false(nmc_soma_name("If"));
    assert_true(nmc_soma_name("IF"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neurons),
        cmocka_unit_test(others),
        cmocka_unit_test(the_users_own),
        cmocka_unit_test(the_control_flow_operator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
