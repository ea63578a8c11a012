/*
 * pprof.c - the report as a profile.proto, which `go tool pprof` and speedscope open.
 *
 * The message is google/pprof's perftools.profiles.Profile, written as it comes: fields may stand
 * in any order. Every different frame is one string, one function and one location with the same
 * number; sample values are whole numbers of the unit that sample_type names.
 */
#include <string.h>

#include "frontends/wire.h"
#include "report/formats.h"
#include "report/stacks.h"
#include "report/table.h"

/* Field numbers of profile.proto. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING_TABLE = 6,
    PROFILE_COMMENT = 13,
    VALUE_TYPE_TYPE = 1,
    VALUE_TYPE_UNIT = 2,
    SAMPLE_LOCATION_ID = 1,
    SAMPLE_VALUE = 2,
    LOCATION_ID = 1,
    LOCATION_LINE = 4,
    LINE_FUNCTION_ID = 1,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
};

struct profile {
    struct nmc_sink *sink;
    struct nmc_strmap frames; /* the number of each */
    uintptr_t strings;        /* in the table so far */
};

/* A message of numbers alone; the longest here has a sample's five. */
struct message {
    unsigned char bytes[8 * 2 * NMC_WIRE_VARINT_SIZE];
    size_t size;
};

static void add_varint(struct message *m, uint64_t value) {
    m->size += nmc_wire_put_varint(m->bytes + m->size, value);
}

static void add_number(struct message *m, unsigned field, uint64_t value) {
    add_varint(m, (uint64_t)field << 3 | NMC_WIRE_VARINT);
    add_varint(m, value);
}

static void put_bytes(struct nmc_sink *sink, unsigned field, const void *bytes, size_t size) {
    struct message head = {.size = 0};
    add_varint(&head, (uint64_t)field << 3 | NMC_WIRE_BYTES);
    add_varint(&head, size);
    nmc_sink_add(sink, (const char *)head.bytes, head.size);
    nmc_sink_add(sink, bytes, size);
}

static void put_message(struct nmc_sink *sink, unsigned field, const struct message *m) {
    put_bytes(sink, field, m->bytes, m->size);
}

/* A new entry of the string table; its number. Names come from files: what is no UTF-8 would make
 * the message malformed. */
static uintptr_t add_string(struct profile *p, const char *text) {
    struct nmc_strbuf clean;
    nmc_strbuf_init(&clean);
    nmc_strbuf_puts(&clean, text);
    nmc_make_printable(clean.text);
    p->sink->failed = p->sink->failed || clean.failed;
    put_bytes(p->sink, PROFILE_STRING_TABLE, clean.text, clean.length);
    nmc_strbuf_release(&clean);
    return p->strings++;
}

static void add_location(struct profile *p, uintptr_t number) {
    struct message function = {.size = 0}, line = {.size = 0}, location = {.size = 0};
    add_number(&function, FUNCTION_ID, number);
    add_number(&function, FUNCTION_NAME, number);
    put_message(p->sink, PROFILE_FUNCTION, &function);
    add_number(&line, LINE_FUNCTION_ID, number);
    add_number(&location, LOCATION_ID, number);
    add_varint(&location, LOCATION_LINE << 3 | NMC_WIRE_BYTES);
    add_varint(&location, line.size);
    memcpy(location.bytes + location.size, line.bytes, line.size);
    location.size += line.size;
    put_message(p->sink, PROFILE_LOCATION, &location);
}

static uintptr_t frame_of(struct profile *p, const char *name) {
    uintptr_t number = (uintptr_t)nmc_strmap_get(&p->frames, name);
    if (number)
        return number;
    number = add_string(p, name);
    if (!nmc_strmap_put(&p->frames, name, (void *)number))
        p->sink->failed = true;
    add_location(p, number);
    return number;
}

static void put_stack(void *user, const struct nmc_stack *stack) {
    struct profile *p = user;
    struct message sample = {.size = 0};
    for (int i = NMC_STACK_FRAMES; i-- > 0;) /* the format has the leaf first */
        add_number(&sample, SAMPLE_LOCATION_ID, frame_of(p, stack->frames[i]));
    add_number(&sample, SAMPLE_VALUE, (uint64_t)stack->weight);
    put_message(p->sink, PROFILE_SAMPLE, &sample);
}

static void put_head(struct profile *p, const struct neuromc_report *report) {
    struct message type = {.size = 0}, comment = {.size = 0};
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    nmc_strbuf_printf(&text, "%s on %s", report->model_name, report->preset_name);
    add_string(p, ""); /* number 0 means none */
    add_number(&type, VALUE_TYPE_TYPE, add_string(p, "energy"));
    add_number(&type, VALUE_TYPE_UNIT, add_string(p, nmc_stack_unit(report).name));
    put_message(p->sink, PROFILE_SAMPLE_TYPE, &type);
    add_number(&comment, PROFILE_COMMENT, add_string(p, text.text));
    nmc_sink_add(p->sink, (const char *)comment.bytes, comment.size);
    nmc_strbuf_release(&text);
}

void nmc_report_pprof(const struct neuromc_report *report, struct nmc_sink *sink) {
    struct profile p = {.sink = sink};
    put_head(&p, report);
    nmc_report_stacks(report, put_stack, &p);
    nmc_strmap_release(&p.frames);
}
