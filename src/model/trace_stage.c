/* The reference reads all it knows of a stage from its name, in lower case. */
#include "model/trace_stage.h"

#include <limits.h>
#include <string.h>

static int lower(int c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static bool contains(const char *name, const char *word) {
    for (; *name; name++) {
        size_t i = 0;
        while (word[i] && lower(name[i]) == word[i])
            i++;
        if (!word[i])
            return true;
    }
    return false;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z');
}

/* The number of the first LETTER<digits> that is a word of its own, or 0. */
static int position(const char *name, char letter) {
    for (const char *at = name; *at; at++) {
        if (lower(*at) != letter || !is_digit(at[1]) || (at > name && is_word(at[-1])))
            continue;
        int number = 0;
        const char *digit = at + 1;
        for (; is_digit(*digit); digit++) {
            int value = *digit - '0';
            number = number > (INT_MAX - value) / 10 ? INT_MAX : number * 10 + value;
        }
        if (!is_word(*digit))
            return number;
    }
    return 0;
}

static enum nmc_phase phase(const char *name) {
    if (contains(name, "backward"))
        return NMC_BACKWARD;
    return contains(name, "optimizer") || contains(name, "update") ? NMC_OPTIMIZER : NMC_FORWARD;
}

struct nmc_trace_stage nmc_trace_stage_of(const char *name, uint32_t id) {
    return (struct nmc_trace_stage){
        .name = name,
        .id = id,
        .phase = phase(name),
        .b_position = position(name, 'b'),
        .t_position = position(name, 't'),
        .without_bp_bn = contains(name, "without_bp_bn"),
    };
}
