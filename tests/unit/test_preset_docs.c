/* docs/presets.md lists every key as the key table has it. UPDATE=1 writes the list anew. */
#include "test_preset.h"

#include "base/strbuf.h"
#include "model/preset_keys.h"

static const char page[] = NMC_SOURCE_DIR "/docs/presets.md";
static const char begins[] = "<!-- The list of keys is written by UPDATE=1 test_preset_docs. -->\n";
static const char ends[] = "<!-- End of the list of keys. -->\n";

static void add_row(struct nmc_strbuf *out, const struct nmc_key *key) {
    char expects[160];
    nmc_key_expects(key, expects, sizeof expects);
    nmc_strbuf_printf(out, "| `%s` | %s", key->name, expects);
    if (key->section != NMC_IN_ROOT)
        nmc_strbuf_printf(out, ": `%s`", nmc_section_title(key->section));
    if (key->flags & NMC_KEY_REQUIRED)
        nmc_strbuf_puts(out, " | required");
    else if (key->standard)
        nmc_strbuf_printf(out, " | default `%s`", key->standard);
    else
        nmc_strbuf_puts(out, " | optional");
    nmc_strbuf_printf(out, "%s | %s |\n", key->flags & NMC_KEY_OWN ? ", never inherited" : "",
                      key->doc);
}

static void add_section(struct nmc_strbuf *out, enum nmc_section section) {
    int count;
    const struct nmc_key *key = nmc_section_keys(section, &count);
    const char *title = nmc_section_title(section);
    nmc_strbuf_printf(out, section == NMC_IN_ROOT ? "\n### %s\n\n" : "\n### `%s`\n\n", title);
    nmc_strbuf_puts(out, "| key | expects | | meaning |\n|---|---|---|---|\n");
    for (; count; count--)
        add_row(out, key++);
}

static void update(const char *text, const char *from, const char *to, const char *list) {
    FILE *file = fopen(page, "w");
    assert_non_null(file);
    fprintf(file, "%.*s%s\n%s", (int)(from - text), text, list, to);
    assert_int_equal(fclose(file), 0);
}

static void the_page_lists_every_key(void **state) {
    (void)state;
    struct nmc_strbuf list;
    nmc_strbuf_init(&list);
    for (int section = 0; section < NMC_SECTIONS; section++)
        add_section(&list, (enum nmc_section)section);
    char *text = read_text(page);
    const char *from = strstr(text, begins), *to = strstr(text, ends);
    assert_non_null(from);
    assert_non_null(to);
    from += strlen(begins);
    size_t length = (size_t)(to - from);
    bool same = length == list.length + 1 && memcmp(from, list.text, list.length) == 0;
    if (!same && getenv("UPDATE"))
        update(text, from, to, list.text);
    else if (!same)
        fail_msg("docs/presets.md does not list the keys as they are; run with UPDATE=1");
    nmc_strbuf_release(&list);
    free(text);
}

/* A section is found by its first row, so its rows must stand together; 64 fit a bit mask. */
static void the_table_is_well_formed(void **state) {
    (void)state;
    for (int section = 0; section < NMC_SECTIONS; section++) {
        int count;
        const struct nmc_key *keys = nmc_section_keys((enum nmc_section)section, &count);
        assert_in_range(count, 1, 64);
        for (int i = 0; i < count; i++) {
            assert_ptr_equal(nmc_section_key((enum nmc_section)section, keys[i].name), &keys[i]);
            assert_true(keys[i].doc && keys[i].doc[0]);
            assert_true(!keys[i].standard || !(keys[i].flags & NMC_KEY_REQUIRED));
        }
    }
}

/* Each YAML example of the page is a whole preset or an extending one, and loads. */
static void the_examples_load(void **state) {
    (void)state;
    char *text = read_text(page);
    int count = 0;
    for (char *at = strstr(text, "```yaml\n"); at; at = strstr(at, "```yaml\n")) {
        at += strlen("```yaml\n");
        const char *end = strstr(at, "```");
        assert_non_null(end);
        neuromc_preset *preset;
        neuromc_diags *diags = neuromc_diags_new();
        neuromc_status status =
            nmc_preset_read(at, (size_t)(end - at), "example.yaml", NULL, &preset, diags);
        print_diags(diags);
        assert_int_equal(status, NEUROMC_OK);
        neuromc_preset_free(preset);
        neuromc_diags_free(diags);
        count++;
    }
    assert_true(count >= 1);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_lists_every_key),
        cmocka_unit_test(the_table_is_well_formed),
        cmocka_unit_test(the_examples_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
