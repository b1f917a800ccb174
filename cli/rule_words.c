// SPDX-License-Identifier: GPL-2.0-or-later
// Words of a rule
#include "cli/rule_words.h"

#include <ctype.h>
#include <string.h>

#include "cli/cli.h"
#include "core/nearest.h"

int rule_words_find(
        const struct rule_set *rules, const char *id, struct rule_info *ret, size_t *ret_index) {
    struct nearest nearest;
    nearest_init(&nearest, id);
    for (size_t i = 0; i < rules_count(rules); i++) {
        rules_info(rules, i, ret);
        if (ret_index)
            *ret_index = i;
        if (strcmp(ret->id, id) == 0)
            return 0;
        nearest_try(&nearest, ret->id);
    }
    if (nearest.best)
        return complain(STATUS_USAGE, "there is no rule %s, did you mean %s?", id, nearest.best);
    return complain(STATUS_USAGE, "there is no rule %s, see udpdiag rules", id);
}

// {column} and {column:raw}; {{ and }} are braces. One directly before a word, such as {enter}, is
// a prefix that only some results have.
static void put(FILE *out, const char *text, bool title) {
    for (char before = ' '; *text; before = *text++) {
        if ((*text == '{' || *text == '}') && text[1] == *text) {
            fputc(*text++, out);
            continue;
        }
        size_t n = *text == '{' ? strcspn(text, "}") : 0;
        bool is_prefix = n > 0 && text[n] && islower((unsigned char) text[n + 1]);
        bool stands_alone = !is_prefix && (!title || before == ' ' || before == '(');
        for (size_t i = 1; i < n && text[i] != ':' && stands_alone; i++)
            fputc(toupper((unsigned char) text[i]), out);
        text += n;
        if (!*text)
            break;
        if (n == 0)
            fputc(*text, out);
    }
}

void rule_words_put_title(FILE *out, const char *title) {
    put(out, title, true);
}

void rule_words_put(FILE *out, const char *text) {
    put(out, text, false);
}
