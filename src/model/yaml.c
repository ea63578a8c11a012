/* yaml.c - libyaml's events become a tree; what no file of ours may use is refused here. */
#include "model/yaml.h"

#include <stdint.h>
#include <string.h>
#include <yaml.h>

#include "base/limits.h"
#include "base/strmap.h"

struct reader {
    yaml_parser_t parser;
    struct nmc_arena *arena;
    const char *file, *data;
    size_t size;
    neuromc_diags *diags;
    int nodes, most;
    bool may_escape; /* control characters, as escapes */
    bool refused;    /* something was reported, reading goes on */
};

static struct nmc_place place_of_mark(const struct reader *r, yaml_mark_t mark) {
    return (struct nmc_place){
        .file = r->file, .line = (int)mark.line + 1, .column = (int)mark.column + 1};
}

/* Line and column of a byte, for what fails before libyaml has a mark. */
static struct nmc_place place_of_offset(const struct reader *r, size_t offset) {
    struct nmc_place place = {.file = r->file, .line = 1, .column = 1};
    for (size_t i = 0; i < offset; i++) {
        if (r->data[i] == '\n') {
            place.line++;
            place.column = 1;
        } else if (((unsigned char)r->data[i] & 0xC0) != 0x80) {
            place.column++;
        }
    }
    return place;
}

static neuromc_status refuse(struct reader *r, const struct nmc_yaml *node, yaml_mark_t mark,
                             const char *hint, const char *message) {
    struct nmc_place place = place_of_mark(r, mark);
    const char *path = node ? nmc_yaml_path(r->arena, node) : NULL;
    place.where = path && path[0] ? path : NULL;
    r->refused = true;
    return nmc_error(r->diags, NEUROMC_BAD_INPUT, place, hint, "%s", message);
}

static neuromc_status syntax_error(struct reader *r) {
    const yaml_parser_t *p = &r->parser;
    const char *problem = p->problem ? p->problem : "malformed";
    if (p->error == YAML_MEMORY_ERROR)
        return nmc_out_of_memory(r->diags);
    if (p->error == YAML_READER_ERROR)
        return nmc_error(r->diags, NEUROMC_BAD_INPUT, place_of_offset(r, p->problem_offset), NULL,
                         "not valid YAML: %s", problem);
    struct nmc_place place = place_of_mark(r, p->problem_mark);
    struct nmc_place end = place_of_offset(r, r->size);
    if (place.line > end.line)
        place = end; /* libyaml ends the last line itself if the file does not */
    if (!p->context)
        return nmc_error(r->diags, NEUROMC_BAD_INPUT, place, NULL, "not valid YAML: %s", problem);
    return nmc_error(r->diags, NEUROMC_BAD_INPUT, place, NULL,
                     "not valid YAML: %s %s that starts in line %zu", problem, p->context,
                     p->context_mark.line + 1);
}

static struct nmc_yaml *new_node(struct reader *r, enum nmc_yaml_kind kind, yaml_mark_t mark) {
    struct nmc_yaml *node = nmc_arena_alloc(r->arena, sizeof *node);
    if (node)
        *node = (struct nmc_yaml){.kind = kind,
                                  .file = r->file,
                                  .line = (int)mark.line + 1,
                                  .column = (int)mark.column + 1};
    return node;
}

/* Anchors, tags and aliases make a file mean something else than what it shows. */
static bool is_dressed(struct reader *r, const yaml_event_t *event, const struct nmc_yaml *node) {
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor)
        refuse(r, node, event->start_mark, "write the value out where it is used",
               "anchors are not allowed");
    if (tag)
        refuse(r, node, event->start_mark, "the key decides the type", "tags are not allowed");
    return anchor || tag;
}

static bool has_control(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F)
            return true;
        /* U+0080 to U+009F */
        if (c == 0xC2 && i + 1 < length && ((unsigned char)text[i + 1] & 0xE0) == 0x80)
            return true;
    }
    return false;
}

static neuromc_status read_value(struct reader *r, const yaml_event_t *event, struct nmc_yaml *node,
                                 int depth);

static neuromc_status next_event(struct reader *r, yaml_event_t *event) {
    return yaml_parser_parse(&r->parser, event) ? NEUROMC_OK : syntax_error(r);
}

static void read_scalar(struct reader *r, const yaml_event_t *event, struct nmc_yaml *node) {
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->text = nmc_arena_strndup(r->arena, text, length);
    if (!r->may_escape && has_control(text, length)) {
        node->kind = NMC_YAML_REFUSED;
        refuse(r, node, event->start_mark, NULL, "control characters are not allowed");
    }
}

static neuromc_status read_list(struct reader *r, struct nmc_yaml *list, int depth) {
    for (;;) {
        yaml_event_t event;
        neuromc_status status = next_event(r, &event);
        if (status)
            return status;
        bool end = event.type == YAML_SEQUENCE_END_EVENT;
        if (!end) {
            struct nmc_yaml *item = new_node(r, NMC_YAML_SCALAR, event.start_mark);
            if (item) {
                nmc_yaml_append(list, item);
                status = read_value(r, &event, item, depth);
            } else {
                status = nmc_out_of_memory(r->diags);
            }
        }
        yaml_event_delete(&event);
        if (end || status)
            return status;
    }
}

/* A node for the value of one pair, in the tree unless the key is refused. NULL: out of memory. */
static struct nmc_yaml *read_key(struct reader *r, const yaml_event_t *event, struct nmc_yaml *map,
                                 struct nmc_strmap *seen) {
    const char *text = (const char *)event->data.scalar.value;
    struct nmc_yaml *value = new_node(r, NMC_YAML_REFUSED, event->start_mark);
    char *key = nmc_arena_strndup(r->arena, text, event->data.scalar.length);
    if (!value || !key)
        return NULL;
    value->parent = map;
    value->key = key;
    value->key_line = value->line;
    value->key_column = value->column;
    const struct nmc_yaml *before = nmc_strmap_get(seen, key);
    if (!r->may_escape && has_control(text, event->data.scalar.length)) {
        value->parent = NULL;
        refuse(r, map, event->start_mark, NULL, "control characters are not allowed in a key");
    } else if (before) {
        const char *message =
            nmc_arena_printf(r->arena, "duplicate key: line %d has it already", before->key_line);
        refuse(r, value, event->start_mark, "keep one of the two", message ? message : "");
    } else if (!is_dressed(r, event, value)) {
        nmc_yaml_append(map, value);
        return nmc_strmap_put(seen, key, value) ? value : NULL;
    }
    return value;
}

static neuromc_status read_pair(struct reader *r, const yaml_event_t *key, struct nmc_yaml *map,
                                struct nmc_strmap *seen, int depth) {
    if (key->type != YAML_SCALAR_EVENT)
        return refuse(r, map, key->start_mark, NULL, "a key must be a name");
    struct nmc_yaml *value = read_key(r, key, map, seen);
    if (!value)
        return nmc_out_of_memory(r->diags);
    yaml_event_t event;
    neuromc_status status = next_event(r, &event);
    if (status)
        return status;
    value->line = (int)event.start_mark.line + 1;
    value->column = (int)event.start_mark.column + 1;
    status = read_value(r, &event, value, depth);
    yaml_event_delete(&event);
    return status;
}

static neuromc_status read_map(struct reader *r, struct nmc_yaml *map, int depth) {
    struct nmc_strmap seen = {0};
    neuromc_status status = NEUROMC_OK;
    for (bool end = false; !end && !status;) {
        yaml_event_t event;
        status = next_event(r, &event);
        if (status)
            break;
        end = event.type == YAML_MAPPING_END_EVENT;
        if (!end)
            status = read_pair(r, &event, map, &seen, depth);
        yaml_event_delete(&event);
    }
    nmc_strmap_release(&seen);
    return status;
}

/* Fills node, which is in its place already, so that messages can name its path. */
static neuromc_status read_value(struct reader *r, const yaml_event_t *event, struct nmc_yaml *node,
                                 int depth) {
    if (depth >= NMC_LIMIT_YAML_DEPTH)
        return refuse(r, node, event->start_mark, NULL, "nested too deeply");
    if (++r->nodes > r->most)
        return refuse(r, NULL, event->start_mark, NULL, "too many values in one file");
    bool dressed = is_dressed(r, event, node);
    neuromc_status status = NEUROMC_OK;
    if (event->type == YAML_SCALAR_EVENT) {
        node->kind = NMC_YAML_SCALAR;
        read_scalar(r, event, node);
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        node->kind = NMC_YAML_LIST;
        status = read_list(r, node, depth + 1);
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        node->kind = NMC_YAML_MAP;
        status = read_map(r, node, depth + 1);
    } else {
        node->kind = NMC_YAML_REFUSED;
        refuse(r, node, event->start_mark, "write the value out where it is used",
               "aliases are not allowed");
    }
    if (dressed)
        node->kind = NMC_YAML_REFUSED;
    return r->arena->failed ? nmc_out_of_memory(r->diags) : status;
}

/* One document and nothing after it. */
static neuromc_status read_stream(struct reader *r, struct nmc_yaml **root) {
    for (bool end = false; !end;) {
        yaml_event_t event;
        neuromc_status status = next_event(r, &event);
        if (status)
            return status;
        end = event.type == YAML_STREAM_END_EVENT;
        if (event.type == YAML_DOCUMENT_START_EVENT) {
            if (*root) {
                status = refuse(r, NULL, event.start_mark, NULL, "a second document starts here");
            }
        } else if (event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_END_EVENT &&
                   !end) {
            *root = new_node(r, NMC_YAML_SCALAR, event.start_mark);
            status = *root ? read_value(r, &event, *root, 0) : nmc_out_of_memory(r->diags);
        }
        yaml_event_delete(&event);
        if (status)
            return status;
    }
    return NEUROMC_OK;
}

static neuromc_status read_text(struct nmc_arena *arena, const char *data, size_t size,
                                const char *file, int most, bool may_escape, struct nmc_yaml **root,
                                neuromc_diags *diags) {
    *root = NULL;
    if (size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0) {
        data += 3; /* a byte order mark */
        size -= 3;
    }
    struct reader reader = {.arena = arena,
                            .data = data,
                            .size = size,
                            .most = most,
                            .may_escape = may_escape,
                            .diags = diags};
    reader.file = nmc_arena_strdup(arena, file);
    if (!reader.file || !yaml_parser_initialize(&reader.parser))
        return nmc_out_of_memory(diags);
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)data, size);
    neuromc_status status = read_stream(&reader, root);
    yaml_parser_delete(&reader.parser);
    if (status)
        *root = NULL;
    else if (!*root)
        status = nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = file, .line = 1},
                           NULL, "the file is empty");
    return status ? status : reader.refused ? NEUROMC_BAD_INPUT : NEUROMC_OK;
}

neuromc_status nmc_yaml_read_long(struct nmc_arena *arena, const char *data, size_t size,
                                  const char *file, int most, struct nmc_yaml **root,
                                  neuromc_diags *diags) {
    return read_text(arena, data, size, file, most, true, root, diags);
}

neuromc_status nmc_yaml_read(struct nmc_arena *arena, const char *data, size_t size,
                             const char *file, struct nmc_yaml **root, neuromc_diags *diags) {
    return read_text(arena, data, size, file, NMC_LIMIT_YAML_NODES, false, root, diags);
}
