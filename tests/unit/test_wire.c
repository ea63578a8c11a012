/* The wire format: what is read, and every way it can be wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "frontends/wire.h"

static struct nmc_wire_field field;

static enum nmc_wire_fault read(const char *bytes, size_t size) {
    struct nmc_wire wire = {(const unsigned char *)bytes, 0, size};
    enum nmc_wire_fault fault = nmc_wire_next(&wire, &field);
    assert_int_equal(wire.at, fault ? 0 : size);
    return fault;
}

static void each_wire_type(void **state) {
    (void)state;
    assert_int_equal(read("\x08\x96\x01", 3), NMC_WIRE_OK);
    assert_int_equal(field.number, 1);
    assert_int_equal(field.type, NMC_WIRE_VARINT);
    assert_int_equal(field.value, 150);
    assert_int_equal(read("\x11\x01\x02\x03\x04\x05\x06\x07\x08", 9), NMC_WIRE_OK);
    assert_true(field.value == UINT64_C(0x0807060504030201));
    assert_int_equal(read("\x1d\x01\x02\x03\x04", 5), NMC_WIRE_OK);
    assert_int_equal(field.value, 0x04030201);
    assert_int_equal(read("\x22\x03"
                          "abc",
                          5),
                     NMC_WIRE_OK);
    assert_int_equal(field.number, 4);
    assert_int_equal(field.value, 3);
    assert_int_equal(field.from, 2);
}

static void varints(void **state) {
    (void)state;
    assert_int_equal(read("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11), NMC_WIRE_OK);
    assert_true(field.value == UINT64_MAX);
    assert_int_equal(read("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11), NMC_WIRE_BAD_VARINT);
    assert_int_equal(read("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 12),
                     NMC_WIRE_BAD_VARINT);
    assert_int_equal(read("\x08\x80\x00", 3), NMC_WIRE_OK); /* padded, and legal */
    assert_int_equal(field.value, 0);
    assert_int_equal(read("\x88\x80\x80\x80\x00\x05", 6), NMC_WIRE_OK); /* a tag of 5 bytes */
    assert_int_equal(read("\x88\x80\x80\x80\x80\x00\x05", 7), NMC_WIRE_BAD_VARINT);
    assert_int_equal(read("\x22\x80\x80\x80\x80\x80\x00", 7), NMC_WIRE_BAD_VARINT);
}

static void cut_off(void **state) {
    (void)state;
    assert_int_equal(read("\x08", 1), NMC_WIRE_TRUNCATED);
    assert_int_equal(read("\x88", 1), NMC_WIRE_TRUNCATED);
    assert_int_equal(read("\x08\x96", 2), NMC_WIRE_TRUNCATED);
    assert_int_equal(read("\x11\x01\x02\x03\x04\x05\x06\x07", 8), NMC_WIRE_TRUNCATED);
    assert_int_equal(read("\x1d\x01\x02\x03", 4), NMC_WIRE_TRUNCATED);
    assert_int_equal(read("\x22", 1), NMC_WIRE_TRUNCATED);
    assert_int_equal(read("\x22\x03"
                          "ab",
                          4),
                     NMC_WIRE_LENGTH);
    assert_int_equal(read("\x22\xff\xff\xff\xff\x07", 6), NMC_WIRE_LENGTH);
    assert_int_equal(read("\x22\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11), NMC_WIRE_LENGTH);
    assert_true(field.value == UINT64_MAX);
}

static void no_such_thing(void **state) {
    (void)state;
    assert_int_equal(read("\x00\x01", 2), NMC_WIRE_FIELD_NUMBER);
    assert_int_equal(read("\x80\x80\x80\x80\x10\x01", 6), NMC_WIRE_FIELD_NUMBER);
    assert_int_equal(read("\xf8\xff\xff\xff\x0f\x01", 6), NMC_WIRE_OK); /* 2^29 - 1 */
    assert_int_equal(field.number, 536870911);
    assert_int_equal(read("\x0b\x0c", 2), NMC_WIRE_TYPE); /* groups */
    assert_int_equal(read("\x0c", 1), NMC_WIRE_TYPE);
    assert_int_equal(read("\x0e", 1), NMC_WIRE_TYPE);
    assert_int_equal(read("\x0f", 1), NMC_WIRE_TYPE);
}

static void there_and_back(void **state) {
    (void)state;
    const uint64_t values[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, INT64_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        unsigned char bytes[NMC_WIRE_VARINT_SIZE];
        uint64_t back;
        struct nmc_wire wire = {bytes, 0, nmc_wire_put_varint(bytes, values[i])};
        assert_int_equal(nmc_wire_varint(&wire, &back), NMC_WIRE_OK);
        assert_true(back == values[i]);
        assert_int_equal(wire.at, wire.end);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wire_type), cmocka_unit_test(varints),
        cmocka_unit_test(cut_off),        cmocka_unit_test(no_such_thing),
        cmocka_unit_test(there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
