#include "model/ledger.h"

#include <string.h>

#include "base/checked.h"
#include "base/limits.h"
#include "base/memory.h"
#include "model/count.h"
#include "model/dram.h"

const char *const nmc_part_names[NMC_PARTS] = {"mac", "extra_compute", "base_memory",
                                               "extra_memory", "dram"};

int nmc_resource_count(const struct neuromc_preset *preset) {
    return NMC_CORES + NMC_PRIMITIVES + preset->memory_count * NMC_DIRECTIONS;
}

int nmc_resource_mac(enum nmc_core core) {
    return (int)core;
}

int nmc_resource_primitive(enum nmc_primitive primitive) {
    return NMC_CORES + (int)primitive;
}

int nmc_resource_memory(int memory, enum nmc_direction direction) {
    return NMC_CORES + NMC_PRIMITIVES + memory * NMC_DIRECTIONS + (int)direction;
}

struct nmc_resource nmc_resource_at(int number) {
    if (number < NMC_CORES)
        return (struct nmc_resource){.kind = NMC_RES_MAC, .core = (enum nmc_core)number};
    number -= NMC_CORES;
    if (number < NMC_PRIMITIVES)
        return (struct nmc_resource){.kind = NMC_RES_PRIMITIVE,
                                     .primitive = (enum nmc_primitive)number};
    number -= NMC_PRIMITIVES;
    return (struct nmc_resource){.kind = NMC_RES_MEMORY,
                                 .memory = number / NMC_DIRECTIONS,
                                 .direction = (enum nmc_direction)(number % NMC_DIRECTIONS)};
}

neuromc_status nmc_ledger_init(struct nmc_ledger *ledger, const struct neuromc_preset *preset,
                               bool compact, neuromc_diags *diags) {
    *ledger = (struct nmc_ledger){.preset = preset, .compact = compact};
    nmc_strbuf_init(&ledger->key);
    nmc_arena_init(&ledger->arena, NMC_LIMIT_MODEL_BYTES);
    ledger->resource_count = nmc_resource_count(preset);
    ledger->scratch = nmc_arena_array(&ledger->arena, (size_t)ledger->resource_count * NMC_PARTS,
                                      sizeof *ledger->scratch);
    return ledger->scratch ? NEUROMC_OK : nmc_out_of_memory(diags);
}

void nmc_ledger_release(struct nmc_ledger *ledger) {
    nmc_arena_release(&ledger->arena);
    nmc_free(ledger->lines);
    nmc_free(ledger->rows);
    nmc_strmap_release(&ledger->texts);
    nmc_strmap_release(&ledger->merged);
    nmc_strbuf_release(&ledger->key);
    *ledger = (struct nmc_ledger){0};
}

const char *nmc_ledger_intern(struct nmc_ledger *ledger, const char *text) {
    char *known = nmc_strmap_get(&ledger->texts, text);
    if (known)
        return known;
    known = nmc_arena_strdup(&ledger->arena, text);
    return known && nmc_strmap_put(&ledger->texts, known, known) ? known : NULL;
}

static struct nmc_line *new_line(struct nmc_ledger *ledger, const struct nmc_fragment *fragment) {
    if (!nmc_grow(&ledger->lines, &ledger->line_capacity, ledger->line_count + (size_t)1,
                  sizeof *ledger->lines))
        return NULL;
    struct nmc_line *line = &ledger->lines[ledger->line_count];
    *line = (struct nmc_line){.fragment = *fragment};
    line->fragment.stage = nmc_ledger_intern(ledger, fragment->stage);
    line->fragment.op = nmc_ledger_intern(ledger, fragment->op);
    line->fragment.node = nmc_ledger_intern(ledger, fragment->node);
    if (!line->fragment.stage || !line->fragment.op || !line->fragment.node)
        return NULL;
    ledger->line_count++;
    return line;
}

static void add_field(struct nmc_strbuf *key, const char *text) {
    nmc_strbuf_puts(key, text);
    nmc_strbuf_putc(key, '\n');
}

/* What the fragments of a compact ledger's line have in common, as text in ledger->key. Written
 * for each event of a trace, so it does without printf. */
static void write_key(struct nmc_ledger *ledger, const struct nmc_fragment *f) {
    struct nmc_strbuf *key = &ledger->key;
    uint64_t rate;
    memcpy(&rate, &f->spike_rate, sizeof rate);
    char numbers[20] = {(char)('a' + f->phase), (char)('a' + f->core), (char)('a' + f->process),
                        (char)('a' + f->source)};
    for (int i = 0; i < 16; i++)
        numbers[4 + i] = (char)('a' + (rate >> 4 * i & 15));
    nmc_strbuf_clear(key);
    add_field(key, f->stage);
    add_field(key, f->op);
    add_field(key, f->node);
    nmc_strbuf_add(key, numbers, sizeof numbers);
}

/* The line that a compact ledger merges the fragment into, made if it is the first of its kind. */
static struct nmc_line *merged_line(struct nmc_ledger *ledger,
                                    const struct nmc_fragment *fragment) {
    write_key(ledger, fragment);
    if (ledger->key.failed)
        return NULL;
    /* Lines move when their array grows, so the map holds number + 1. */
    uintptr_t number = (uintptr_t)nmc_strmap_get(&ledger->merged, ledger->key.text);
    if (number)
        return &ledger->lines[number - 1];
    const char *key = nmc_arena_strdup(&ledger->arena, ledger->key.text);
    struct nmc_line *line = key ? new_line(ledger, fragment) : NULL;
    if (!line)
        return NULL;
    line->dense = nmc_arena_array(&ledger->arena, (size_t)ledger->resource_count * NMC_PARTS,
                                  sizeof *line->dense);
    bool kept =
        line->dense && nmc_strmap_put(&ledger->merged, key, (void *)(uintptr_t)ledger->line_count);
    return kept ? line : NULL;
}

/* The nonzero quantities of a dense table become the line's rows, in order of part, resource. */
static bool add_rows(struct nmc_ledger *ledger, struct nmc_line *line, const int64_t *dense) {
    line->first_row = ledger->row_count;
    for (int part = 0; part < NMC_PARTS; part++)
        for (int r = 0; r < ledger->resource_count; r++) {
            int64_t quantity = dense[part * ledger->resource_count + r];
            if (!quantity)
                continue;
            if (!nmc_grow(&ledger->rows, &ledger->row_capacity, ledger->row_count + (size_t)1,
                          sizeof *ledger->rows))
                return false;
            ledger->rows[ledger->row_count++] = (struct nmc_row){
                .resource = (uint16_t)r, .part = (uint8_t)part, .quantity = quantity};
        }
    line->row_count = ledger->row_count - line->first_row;
    return true;
}

static neuromc_status overflow(const struct nmc_fragment *fragment, neuromc_diags *diags) {
    return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.where = fragment->node},
                     "its dims are too large to be meant",
                     "the work of this %s does not fit 64-bit counts", fragment->op);
}

/* Multiplies the scratch table by the fragment's iterations. */
static bool repeat(struct nmc_ledger *ledger, int64_t times) {
    int count = NMC_PARTS * ledger->resource_count;
    for (int i = 0; times != 1 && i < count; i++)
        if (!nmc_mul(ledger->scratch[i], times, &ledger->scratch[i]))
            return false;
    return true;
}

/* MACs and cycles of all iterations of a fragment. */
static bool add_work(struct nmc_line *line, const struct nmc_fragment *fragment,
                     const struct nmc_moved *moved) {
    int64_t macs, cycles;
    if (!nmc_mul(fragment->macs, fragment->times, &macs) || !nmc_add(line->macs, macs, &line->macs))
        return false;
    line->fragments++;
    if (!moved)
        return true;
    line->mapping = moved->mapping;
    return nmc_mul(moved->groups, fragment->times, &line->runs) &&
           (!moved->bits || (nmc_mul(moved->cycles, fragment->times, &cycles) &&
                             nmc_add(line->cycles, cycles, &line->cycles) &&
                             nmc_add(line->mapped_macs, macs, &line->mapped_macs)));
}

static bool merge(struct nmc_ledger *ledger, struct nmc_line *line) {
    int count = NMC_PARTS * ledger->resource_count;
    for (int i = 0; i < count; i++)
        if (!nmc_add(line->dense[i], ledger->scratch[i], &line->dense[i]))
            return false;
    return true;
}

/* Adds the fragment whose one iteration is in the scratch table. */
static neuromc_status add_counted(struct nmc_ledger *ledger, const struct nmc_fragment *fragment,
                                  const struct nmc_moved *moved, neuromc_diags *diags) {
    if (!repeat(ledger, fragment->times))
        return overflow(fragment, diags);
    struct nmc_line *line =
        ledger->compact ? merged_line(ledger, fragment) : new_line(ledger, fragment);
    if (!line)
        return nmc_out_of_memory(diags);
    if (!add_work(line, fragment, moved) || (ledger->compact && !merge(ledger, line)))
        return overflow(fragment, diags);
    return ledger->compact || add_rows(ledger, line, ledger->scratch) ? NEUROMC_OK
                                                                      : nmc_out_of_memory(diags);
}

neuromc_status nmc_ledger_add(struct nmc_ledger *ledger, const struct nmc_fragment *fragment,
                              neuromc_diags *diags) {
    if (!nmc_count_fragment(ledger->preset, fragment, ledger->scratch, ledger->resource_count))
        return overflow(fragment, diags);
    return add_counted(ledger, fragment, NULL, diags);
}

neuromc_status nmc_ledger_add_mapped(struct nmc_ledger *ledger, const struct nmc_fragment *fragment,
                                     const struct nmc_moved *moved, neuromc_diags *diags) {
    nmc_count_macs(fragment, ledger->scratch, ledger->resource_count);
    int64_t *operands = &ledger->scratch[NMC_PART_BASE_MEMORY * ledger->resource_count];
    if (moved->bits)
        memcpy(operands, moved->bits, (size_t)ledger->resource_count * sizeof *operands);
    return add_counted(ledger, fragment, moved, diags);
}

neuromc_status nmc_ledger_add_traffic(struct nmc_ledger *ledger, const struct nmc_dram_use *use,
                                      int64_t read_bits, int64_t written_bits,
                                      neuromc_diags *diags) {
    struct nmc_fragment fragment = nmc_fragment_new();
    fragment.stage = use->stage;
    fragment.phase = use->phase;
    fragment.node = use->node;
    fragment.node_number = use->node_number;
    fragment.op = "dram";
    struct nmc_line *line = new_line(ledger, &fragment);
    if (!line)
        return nmc_out_of_memory(diags);
    line->traffic = true;
    int count = NMC_PARTS * ledger->resource_count;
    int64_t *dram = &ledger->scratch[NMC_PART_DRAM * ledger->resource_count];
    for (int i = 0; i < count; i++)
        ledger->scratch[i] = 0;
    dram[nmc_resource_memory(ledger->preset->dram_memory, NMC_RH2L)] = read_bits;
    dram[nmc_resource_memory(ledger->preset->dram_memory, NMC_WL2H)] = written_bits;
    return add_rows(ledger, line, ledger->scratch) ? NEUROMC_OK : nmc_out_of_memory(diags);
}

neuromc_status nmc_ledger_finish(struct nmc_ledger *ledger, neuromc_diags *diags) {
    for (uint32_t i = 0; ledger->compact && i < ledger->line_count; i++)
        if (ledger->lines[i].dense && !add_rows(ledger, &ledger->lines[i], ledger->lines[i].dense))
            return nmc_out_of_memory(diags);
    return NEUROMC_OK;
}
