/* The equation of Einsum. */
#include "graph/einsum.h"

#include <string.h>

char nmc_einsum_letter(unsigned char letter) {
    return (char)(letter < 26 ? 'A' + letter : 'a' + (letter - 26));
}

static int letter_of(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    return c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1;
}

/* Reads letters and an ellipsis up to a comma, an arrow or the end. */
static const char *parse_term(const char **at, struct nmc_einsum_term *term) {
    term->count = 0;
    term->ellipsis = -1;
    for (; **at && **at != ',' && **at != '-'; ++*at) {
        int letter = letter_of(**at);
        if (**at == ' ' || **at == '\t')
            continue;
        if (strncmp(*at, "...", 3) == 0) {
            if (term->ellipsis >= 0)
                return "a term has two ellipses";
            term->ellipsis = term->count;
            *at += 2;
        } else if (letter < 0) {
            return "a term holds something other than letters and \"...\"";
        } else if (term->count == NMC_LIMIT_RANK) {
            return "a term has too many letters";
        } else {
            term->letters[term->count++] = (unsigned char)letter;
        }
    }
    return NULL;
}

static void count_letters(const struct nmc_einsum *einsum, int counts[NMC_EINSUM_LETTERS]) {
    memset(counts, 0, NMC_EINSUM_LETTERS * sizeof *counts);
    for (int t = 0; t < einsum->count; t++)
        for (int i = 0; i < einsum->terms[t].count; i++)
            counts[einsum->terms[t].letters[i]]++;
}

static void implied_output(struct nmc_einsum *einsum) {
    int counts[NMC_EINSUM_LETTERS];
    count_letters(einsum, counts);
    einsum->out = (struct nmc_einsum_term){.ellipsis = -1};
    for (int t = 0; t < einsum->count; t++)
        if (einsum->terms[t].ellipsis >= 0)
            einsum->out.ellipsis = 0;
    for (int letter = 0; letter < NMC_EINSUM_LETTERS; letter++)
        if (counts[letter] == 1)
            einsum->out.letters[einsum->out.count++] = (unsigned char)letter;
}

static const char *check_output(const struct nmc_einsum *einsum) {
    int counts[NMC_EINSUM_LETTERS];
    bool seen[NMC_EINSUM_LETTERS] = {false};
    count_letters(einsum, counts);
    for (int i = 0; i < einsum->out.count; i++) {
        unsigned char letter = einsum->out.letters[i];
        if (!counts[letter])
            return "the output has a letter that no input has";
        if (seen[letter])
            return "the output has a letter twice";
        seen[letter] = true;
    }
    return NULL;
}

const char *nmc_einsum_parse(const char *equation, struct nmc_einsum *out) {
    const char *at = equation, *problem;
    out->count = 0;
    for (;;) {
        if (out->count == NMC_EINSUM_TERMS)
            return "it has too many terms";
        problem = parse_term(&at, &out->terms[out->count++]);
        if (problem)
            return problem;
        if (*at != ',')
            break;
        at++;
    }
    if (!*at) {
        implied_output(out);
        return NULL;
    }
    if (at[1] != '>')
        return "a term holds something other than letters and \"...\"";
    at += 2;
    problem = parse_term(&at, &out->out);
    if (!problem && *at)
        problem = "something follows the output";
    return problem ? problem : check_output(out);
}

int nmc_einsum_hidden(const struct nmc_einsum_term *term, int rank) {
    int hidden = rank - term->count;
    return hidden < 0 || (hidden > 0 && term->ellipsis < 0) ? -1 : hidden;
}
