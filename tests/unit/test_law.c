/* Laws: prices that follow sizes and technology. */
#include <math.h>

#include "test_preset.h"

#include "base/strbuf.h"
#include "model/preset_keys.h"

static const char head[] =
    "schema: neuromc-preset/1\nname: t\ndescription: t\nextends: cacti_32nm\n"
    "source: t\nlaws:\n";

static neuromc_status read_laws(const char *laws, const char *const *set, size_t count,
                                neuromc_preset **out, neuromc_diags *diags) {
    char text[4096];
    int length = snprintf(text, sizeof text, "%s%s", head, laws);
    neuromc_preset_options options = {.assignments = set, .assignment_count = count};
    return nmc_preset_read(text, (size_t)length, "t.yaml", &options, out, diags);
}

static neuromc_preset *with_laws(const char *laws, const char *const *set, size_t count) {
    neuromc_preset *preset;
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_status status = read_laws(laws, set, count, &preset, diags);
    print_diags(diags);
    assert_int_equal(status, NEUROMC_OK);
    assert_int_equal(neuromc_diags_count(diags), 0);
    neuromc_diags_free(diags);
    return preset;
}

static const struct nmc_memory *memory(const neuromc_preset *preset, const char *name) {
    for (int i = 0; i < preset->memory_count; i++)
        if (strcmp(preset->memories[i].name, name) == 0)
            return &preset->memories[i];
    fail_msg("no instance %s", name);
    return NULL;
}

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-12 * fabs(b)))
        fail_msg("%.17g is not %.17g", a, b);
}

static const char power[] = "  p: {source: t, of: [memory_instances.sram_*], follows: [size_bits], "
                            "exponent: 0.5}\n";
static const char cacti[] = "  c: {from: cacti_7_sram, of: [memory_instances.sram_*], beyond: 2}\n";
static const char logic[] = "  l: {from: stillmaker_baas_2017, of: [primitives_pj.*]}\n";

static void a_power_scales_the_stated_price(void **state) {
    (void)state;
    const char *set[] = {"memory_instances.sram_8KB.size_bits=32 KiB"};
    neuromc_preset *same = with_laws(power, NULL, 0), *larger = with_laws(power, set, 1);
    assert_true(memory(same, "sram_8KB")->read_cost_pj == 3.33);
    near(memory(larger, "sram_8KB")->read_cost_pj, 6.66);
    near(memory(larger, "sram_8KB")->write_cost_pj, 7.84);
    assert_true(memory(larger, "sram_2KB")->read_cost_pj == 1.04);
    assert_true(memory(larger, "dram")->read_cost_pj == 512);
    neuromc_preset_free(same);
    neuromc_preset_free(larger);
}

static void points_are_read_off_and_interpolated(void **state) {
    (void)state;
    /* the 2 KB memory becomes one of 8 KB: 3.33 pJ per 64 bits, here 16 */
    const char *set[] = {"memory_instances.sram_2KB.size_bits=8 KiB",
                         "memory_instances.sram_8KB.size_bits=16 KiB", "technology_nm=45"};
    neuromc_preset *p = with_laws(cacti, set, 2);
    near(memory(p, "sram_2KB")->read_cost_pj, 3.33 / 4);
    /* halfway in log between 8 KB and 32 KB, both 64 bits wide */
    near(memory(p, "sram_8KB")->read_cost_pj, sqrt(3.33 * 9.69));
    near(memory(p, "sram_8KB")->write_cost_pj, sqrt(3.92 * 7.67));
    neuromc_preset_free(p);
    p = with_laws(cacti, set, 3);
    near(memory(p, "sram_2KB")->read_cost_pj, 6.05 / 4);
    near(memory(p, "sram_8KB")->read_cost_pj, sqrt(6.05 * 17.0));
    near(memory(p, "sram_6MB")->write_cost_pj, 535.7);
    neuromc_preset_free(p);
}

static void technology_scales_logic(void **state) {
    (void)state;
    const char *set[] = {"technology_nm=7"}, *between[] = {"technology_nm=12"};
    neuromc_preset *p = with_laws(logic, set, 1);
    near(p->primitive_pj[NMC_ADD], 0.2564 * 0.102 / 0.641);
    assert_true(memory(p, "sram_8KB")->read_cost_pj == 3.33);
    neuromc_preset_free(p);
    p = with_laws(logic, between, 1);
    double t = (log(12) - log(10)) / (log(14) - log(10));
    near(p->primitive_pj[NMC_MUL], 0.7051 * exp(log(0.127) + t * log(0.15 / 0.127)) / 0.641);
    neuromc_preset_free(p);
}

static void two_relative_laws_multiply(void **state) {
    (void)state;
    const char *set[] = {"memory_instances.sram_8KB.size_bits=32 KiB", "technology_nm=45"};
    char laws[400];
    snprintf(laws, sizeof laws, "%s%s", power,
             "  t: {source: t, of: ['memory_instances.sram_?KB'], follows: [technology_nm], "
             "exponent: 2}\n");
    neuromc_preset *p = with_laws(laws, set, 2);
    near(memory(p, "sram_8KB")->read_cost_pj, 6.66 * 45 * 45 / 32 / 32);
    assert_true(memory(p, "sram_32KB")->read_cost_pj == 9.69);
    neuromc_preset_free(p);
}

static void a_set_price_follows_no_law(void **state) {
    (void)state;
    const char *set[] = {"memory_instances.sram_8KB.read_cost_pj=5",
                         "memory_instances.sram_8KB.size_bits=16 KiB",
                         "memory_instances.sram_8KB.size_bits=32 KiB"};
    neuromc_preset *p = with_laws(power, set, 3);
    assert_true(memory(p, "sram_8KB")->read_cost_pj == 5);
    near(memory(p, "sram_8KB")->write_cost_pj, 7.84);
    neuromc_preset_free(p);
}

static bool append(void *user, const char *data, size_t size) {
    nmc_strbuf_add(user, data, size);
    return true;
}

/* What is written loads back with the same prices, and says which law made them. */
static void the_effective_preset_loads_back(void **state) {
    (void)state;
    const char *set[] = {"memory_instances.sram_8KB.size_bits=12 KiB", "technology_nm=40"};
    char laws[400];
    snprintf(laws, sizeof laws, "%s%s", cacti, logic);
    neuromc_preset *p = with_laws(laws, set, 2), *back;
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    assert_int_equal(neuromc_preset_write(p, append, &text, NULL), NEUROMC_OK);
    assert_non_null(strstr(text.text, "# law c, was 3.33"));
    assert_int_equal(nmc_preset_read(text.text, text.length, "back.yaml", NULL, &back, NULL),
                     NEUROMC_OK);
    for (int i = 0; i < p->memory_count; i++) {
        assert_true(back->memories[i].read_cost_pj == p->memories[i].read_cost_pj);
        assert_true(back->memories[i].write_cost_pj == p->memories[i].write_cost_pj);
    }
    for (int i = 0; i < NMC_PRIMITIVES; i++)
        assert_true(back->primitive_pj[i] == p->primitive_pj[i]);
    assert_true(back->hash == p->hash);
    nmc_strbuf_release(&text);
    neuromc_preset_free(p);
    neuromc_preset_free(back);
}

/* One message that holds a text, of an error or of a warning. */
static void says(const char *laws, const char *assignment, neuromc_status status,
                 const char *message) {
    neuromc_preset *preset;
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(read_laws(laws, &assignment, assignment ? 1 : 0, &preset, diags), status);
    bool found = false;
    for (size_t i = 0; i < neuromc_diags_count(diags); i++)
        found = found || strstr(neuromc_diags_at(diags, i)->message, message);
    if (!found) {
        print_diags(diags);
        fail_msg("nobody says: %s", message);
    }
    neuromc_preset_free(preset);
    neuromc_diags_free(diags);
}

static void laws_end_where_their_points_do(void **state) {
    (void)state;
    says(cacti, "technology_nm=20", NEUROMC_OK,
         "extrapolated: 20 nm lies outside of its points, 32 to 45");
    says(cacti, "technology_nm=15", NEUROMC_BAD_INPUT,
         "15 nm lies outside of its points, 32 to 45, by more than a factor of 2");
    says(
        cacti, "memory_instances.sram_6MB.size_bits=16 MiB", NEUROMC_BAD_INPUT,
        "134217728 bits lies outside of its points, 16384 to 50331648, by more than a factor of 2");
    says(logic, "technology_nm=5", NEUROMC_BAD_INPUT, "5 nm lies outside of its points, 7 to 130");
    says(logic, "technology_nm=none", NEUROMC_BAD_INPUT, "outside of its points");
}

static void wrong_laws_say_why(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"  p: {source: t, of: [memory_instances.ram], follows: [size_bits], exponent: 1}\n",
         "matches no memory instance"},
        {"  p: {source: t, of: [primitives_pj.add], follows: [size_bits], exponent: 1}\n",
         "which a primitive does not have"},
        {"  p: {source: t, of: [primitives_pj.add], follows: [technology_nm]}\n",
         "either an exponent or points"},
        {"  p: {source: t, of: [memory_instances.dram], follows: [size_bits, technology_nm], "
         "exponent: 1}\n",
         "a power follows one thing"},
        {"  p: {source: t, of: [memory_instances.dram], follows: [size_bits], points: {a: "
         "{technology_nm: 3, factor: 1}}}\n",
         "every point gives what the law follows"},
        {"  p: {source: t, of: [memory_instances.dram], follows: [size_bits], points: {a: "
         "{size_bits: 3, factor: 1}, b: {size_bits: 4, read_cost_pj: 1}}}\n",
         "every point gives the same figures"},
        {"  p: {source: t, of: [memory_instances.dram], follows: [size_bits], points: {a: "
         "{size_bits: 3, factor: 1}, b: {size_bits: 3, factor: 2}}}\n",
         "two points lie at the same place"},
        {"  p: {source: t, of: [memory_instances.dram], follows: [size_bits], points: {a: "
         "{size_bits: 3, factor: 1, read_cost_pj: 1}}}\n",
         "a factor, or costs and area"},
        {"  p: {from: cacti_7_dram, of: [memory_instances.dram]}\n",
         "no law is called \"cacti_7_dram\""},
        {"  a: {from: cacti_7_sram, of: [memory_instances.sram_2KB]}\n"
         "  b: {from: cacti_7_sram, of: ['memory_instances.*_2KB']}\n",
         "another law states the same price"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        says(cases[i][0], NULL, NEUROMC_BAD_INPUT, cases[i][1]);
}

static void fields_are_found_by_path(void **state) {
    (void)state;
    neuromc_preset *p = load("cacti_32nm");
    double *add = nmc_preset_field(p, "primitives_pj.add").value;
    assert_true(*add == 0.2564);
    int64_t *size = nmc_preset_field(p, "memory_instances.sram_8KB.size_bits").value;
    assert_int_equal(*size, 65536);
    int64_t *mux = nmc_preset_field(p, "mac.fp_soma.mux").value;
    assert_int_equal(*mux, 1);
    int64_t *bits = nmc_preset_field(p, "work.with_sg.forward.state.fp_u_l.bits").value;
    assert_int_equal(*bits, 16);
    assert_null(nmc_preset_field(p, "primitives_pj.ad").key);
    assert_null(nmc_preset_field(p, "memory_instances.no.size_bits").key);
    assert_null(nmc_preset_field(p, "primitives_pj.add.x").key);
    assert_non_null(nmc_preset_field(p, "primitives_pj.source").key);
    assert_null(nmc_preset_field(p, "primitives_pj.source").value);
    neuromc_preset_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_power_scales_the_stated_price),
        cmocka_unit_test(points_are_read_off_and_interpolated),
        cmocka_unit_test(technology_scales_logic),
        cmocka_unit_test(two_relative_laws_multiply),
        cmocka_unit_test(a_set_price_follows_no_law),
        cmocka_unit_test(the_effective_preset_loads_back),
        cmocka_unit_test(laws_end_where_their_points_do),
        cmocka_unit_test(wrong_laws_say_why),
        cmocka_unit_test(fields_are_found_by_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
