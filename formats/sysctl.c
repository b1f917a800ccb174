// SPDX-License-Identifier: GPL-2.0-or-later
// Sysctl settings
//
// "net.core.rmem_max = 212992" in all the ways people write it: sysctl -a, sysctl -w, /proc/sys
// paths before their value or above it, echo VALUE > PATH, configuration files and tables, the last
// part of the name alone. What stands behind the value is comment.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "formats/list.h"
#include "formats/place.h"
#include "formats/sizes.h"
#include "formats/sysctl_names.h"
#include "formats/words.h"

#define VALUES_MAX 3 // udp_mem has three

struct setting {
    char name[SYSCTL_NAME_SIZE];
    struct word value[VALUES_MAX];
    size_t n;
    struct word unit; // "MB" behind a number; no kernel takes that
};

// The next piece of a line: words apart at blanks, '=', and a colon at their end or behind a path.
static bool next_piece(const char **at, struct word *ret) {
    *at += strspn(*at, " \t=");
    if (**at == '\0' || **at == '#' || **at == ';')
        return false;
    size_t n = strcspn(*at, " \t=");
    const char *colon = memchr(*at, ':', n);
    bool apart = colon && (colon == *at + n - 1 || strncmp(*at, "/proc/sys/", 10) == 0 ||
                                  isdigit((unsigned char) colon[1]));
    if (apart) // one that nothing stands before is a piece of its own
        n = colon > *at ? (size_t) (colon - *at) : 1;
    *ret = (struct word){ *at, n };
    *at += n + (apart && colon > *at);
    return true;
}

static bool is_link(const struct word *word) {
    static const char *const links[] = { "is", "->", ":", "=>", "|" };
    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
        if (word_is(word, links[i]))
            return true;
    return word->length == 0;
}

static bool to_value(struct word word, const char *name, struct word *ret) {
    uint64_t number;
    *ret = word_trimmed(word, "\"'`,;|()[]{}<>");
    if (ret->length > 1 && ret->text[0] == '-' && isdigit((unsigned char) ret->text[1]))
        return true; // told as impossible later
    if (strcmp(name, "net.core.flow_limit_cpu_bitmap") == 0)
        return ret->length > 0 && strspn(ret->text, "0123456789abcdef,") >= ret->length;
    return word_count(ret, &number) ||
           (ret->length > 0 && strspn(ret->text, "0123456789") >= ret->length);
}

// In a sentence a name may stand beside any number: there its sign of equality decides. Where a
// line begins with the name, blanks are enough.
static bool is_setting(const char *text, const struct word *name, const char *at) {
    const char *before = text + strspn(text, " \t-*|\"'`");
    return before >= name->text || at[-1] == ':' || strchr("=|", at[strspn(at, " \t\"'`")]);
}

// The next setting of the text, from `at` on. False: there is none.
static bool next_setting(const char *text, const char **at, struct setting *ret) {
    struct word piece, value;
    bool named = false;
    while (!named && next_piece(at, &piece))
        named = sysctl_name(piece, ret->name) && is_setting(text, &piece, *at);
    ret->n = 0;
    ret->unit = (struct word){ 0 };
    const char *before = *at;
    char other[SYSCTL_NAME_SIZE];
    while (named && next_piece(at, &piece)) {
        if (sysctl_name(piece, other)) {
            *at = before;
            break;
        }
        before = *at;
        if (ret->n < VALUES_MAX && to_value(piece, ret->name, &value))
            ret->value[ret->n++] = value;
        else if (ret->n > 0 || !is_link(&piece)) {
            if (ret->n == 1 && size_unit(&piece) > 1)
                ret->unit = piece;
            break;
        }
    }
    return named;
}

static bool any_setting(const char *text, struct setting *ret) {
    for (const char *at = text; next_setting(text, &at, ret);)
        if (ret->n > 0)
            return true;
    return false;
}

// The interface of net.ipv4.conf.IF.NAME; a dot in it may be written as a slash.
static bool of_interface(const char *name, char *ret_interface, const char *last) {
    static const char conf[] = "net.ipv4.conf.";
    size_t n = strlen(name), n_last = strlen(last);
    if (strncmp(name, conf, sizeof(conf) - 1) != 0 || n <= sizeof(conf) + n_last ||
            strcmp(name + n - n_last, last) != 0)
        return false;
    n -= sizeof(conf) - 1 + n_last;
    memcpy(ret_interface, name + sizeof(conf) - 1, n);
    ret_interface[n] = '\0';
    for (char *at = ret_interface; (at = strchr(at, '/'));)
        *at = '.';
    return strcmp(ret_interface, "all") != 0 && strcmp(ret_interface, "default") != 0;
}

// What is set twice in one block is of two looks, so that both lines are told.
static void open_row(struct intake *intake, const struct line *line, const char *name) {
    char first[SYSCTL_NAME_SIZE + 8];
    snprintf(first, sizeof(first), "%s[0]", name);
    intake_row(intake, line, "sysctl", NULL);
    if (!intake_has(intake, name) && !intake_has(intake, first))
        return;
    intake_look(intake, line, 0);
    intake_row(intake, line, "sysctl", NULL);
}

static bool put_values(struct intake *intake, const struct line *line, const struct setting *s) {
    char column[SYSCTL_NAME_SIZE + 8], bitmap[64];
    open_row(intake, line, s->name);
    snprintf(bitmap, sizeof(bitmap), "%.*s", (int) s->value[0].length, s->value[0].text);
    if (intake_set_text(intake, s->name, bitmap))
        return true;
    if (s->n == 1 && intake_put(intake, s->name, &s->value[0]))
        return true;
    bool used = false;
    for (size_t i = 0; i < s->n; i++) {
        snprintf(column, sizeof(column), "%s[%zu]", s->name, i);
        used |= intake_put(intake, column, &s->value[i]);
    }
    return used || intake_put(intake, s->name, &s->value[0]);
}

static bool put(struct intake *intake, const struct line *line, const struct setting *s) {
    char interface[SYSCTL_NAME_SIZE];
    if (s->unit.length > 0) {
        intake_note(intake, line,
                "%s: a number with the unit %.*s is none the kernel shows; not used", s->name,
                (int) s->unit.length, s->unit.text);
        return true;
    }
    if (of_interface(s->name, interface, ".rp_filter")) {
        intake_row(intake, line, "link", (const char *const[]){ NULL, interface });
        return intake_put(intake, "rp_filter", &s->value[0]);
    }
    if (strcmp(s->name, "net.netfilter.nf_conntrack_count") == 0) {
        intake_row(intake, line, "conntrack", NULL);
        return intake_put(intake, "count", &s->value[0]);
    }
    return put_values(intake, line, s);
}

// All settings of a text. Whether any table has room for one.
static bool put_all(struct intake *intake, const struct line *line, const char *text) {
    struct setting setting;
    bool used = false;
    for (const char *at = text; next_setting(text, &at, &setting);)
        if (setting.n > 0)
            used |= put(intake, line, &setting);
    return used;
}

// "echo 2000 > /proc/sys/net/core/netdev_max_backlog": the value comes first.
static bool echoed(const char *command, struct setting *ret) {
    struct word words[WORDS_MAX];
    size_t n = words_split(command, words, WORDS_MAX);
    ret->n = 0;
    ret->unit = (struct word){ 0 };
    for (size_t i = 0; i < n && ret->n == 0; i++)
        if (word_is(&words[i], "echo"))
            for (size_t k = i + 1; k < n && ret->n < VALUES_MAX; k++) {
                struct word value = word_trimmed(words[k], "\"'");
                uint64_t number;
                if (!word_count(&value, &number))
                    break;
                ret->value[ret->n++] = value;
            }
    for (size_t i = 0; i < n && ret->n > 0; i++) {
        struct word path = word_trimmed(words[i], "><\"'");
        if (word_begins(&path, "/proc/sys/") && sysctl_name(path, ret->name))
            return true;
    }
    return false;
}

static bool is_sysctl(const char *command) {
    const char *at = strstr(command, "sysctl");
    return at && (at == command || strchr("/ \t;&", at[-1])) && strchr(" \t", at[6]);
}

// A command that sets something: only these say more than their output.
static bool sets(const char *command, struct setting *ret) {
    if (is_sysctl(command) && strchr(command, '='))
        return any_setting(strstr(command, "sysctl") + 6, ret);
    return echoed(command, ret);
}

// Nothing but one to three numbers.
static bool is_bare(const struct line *line) {
    struct word words[VALUES_MAX + 1];
    uint64_t number;
    size_t n = words_split(line->text, words, VALUES_MAX + 1);
    for (size_t i = 0; i < n; i++)
        if (!word_count(&words[i], &number))
            return false;
    return n > 0 && n <= VALUES_MAX;
}

// The name whose bare value stands at line i: of the path above it, or of the command's n-th
// argument.
static bool name_above(const struct lines *lines, size_t i, char *ret) {
    char path[PLACE_SIZE];
    struct word words[WORDS_MAX];
    if (i > 0 && place_heading(&lines->line[i - 1], path, sizeof(path)))
        return sysctl_name((struct word){ path, strlen(path) }, ret);
    size_t first = i;
    while (first > 0 && i - first < WORDS_MAX && lines->line[first - 1].kind == LINE_TEXT)
        first--;
    const char *command = lines_command(lines, first);
    size_t wanted = 0; // other files of the command have other lines
    for (size_t k = first; k < i; k++)
        wanted += is_bare(&lines->line[k]);
    if (!command)
        return first == i && place_of(lines, i, path, sizeof(path)) &&
               sysctl_name((struct word){ path, strlen(path) }, ret);
    size_t n = words_split(command, words, WORDS_MAX);
    for (size_t k = 0; k < n; k++)
        if ((word_begins(&words[k], "/proc/sys/") || is_sysctl(command)) &&
                sysctl_name(words[k], ret) && wanted-- == 0)
            return true;
    return false;
}

// "- name: net.core.rmem_max", with "value: ..." in the next line (securityContext of pods).
static bool named_above(const struct line *line, char *ret) {
    struct word words[4];
    size_t n = line->kind == LINE_TEXT ? words_split(line->text, words, 4) : 0;
    size_t first = n > 0 && word_is(&words[0], "-");
    return n == first + 2 && word_is(&words[first], "name:") && sysctl_name(words[first + 1], ret);
}

static bool value_below(const struct lines *lines, size_t i, struct setting *ret) {
    struct word words[VALUES_MAX + 2];
    size_t n = words_split(lines->line[i].text, words, VALUES_MAX + 2);
    ret->unit = (struct word){ 0 };
    ret->n = 0;
    if (i == 0 || n < 2 || !word_is(&words[0], "value:") ||
            !named_above(&lines->line[i - 1], ret->name))
        return false;
    for (size_t k = 1; k < n && ret->n < VALUES_MAX; k++)
        if (!to_value(words[k], ret->name, &ret->value[ret->n++]))
            return false;
    return true;
}

static bool bare_value(const struct lines *lines, size_t i, struct setting *ret) {
    struct word words[VALUES_MAX + 1];
    if (value_below(lines, i, ret))
        return true;
    size_t n = words_split(lines->line[i].text, words, VALUES_MAX + 1);
    if (n == 0 || n > VALUES_MAX || !name_above(lines, i, ret->name))
        return false;
    ret->unit = (struct word){ 0 };
    for (ret->n = 0; ret->n < n; ret->n++)
        if (!to_value(words[ret->n], ret->name, &ret->value[ret->n]))
            return false;
    return true;
}

static bool is_refusal(const struct line *line) {
    return strncmp(line->text + line->indent, "sysctl: ", 8) == 0 ||
           strncmp(line->text + line->indent, "error: \"", 8) == 0;
}

// A path of /proc/sys, or a name, whose value stands in the next line.
static bool is_heading(const struct lines *lines, size_t i) {
    char path[PLACE_SIZE], name[SYSCTL_NAME_SIZE];
    if (named_above(&lines->line[i], name))
        return true;
    return place_heading(&lines->line[i], path, sizeof(path)) &&
           sysctl_name((struct word){ path, strlen(path) }, name);
}

static int begins(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    struct setting setting;
    if (line->kind == LINE_COMMAND)
        return sets(line->text, &setting) ? FORMAT_LIKELY : FORMAT_NO;
    if (is_refusal(line) || is_heading(lines, i))
        return FORMAT_CERTAIN;
    if (line->text[line->indent] == '#' || !any_setting(line->text, &setting))
        return bare_value(lines, i, &setting) ? FORMAT_CERTAIN : FORMAT_NO;
    bool at_begin = strchr("n/\"kv'-", line->text[line->indent]) != NULL;
    return at_begin && strchr(setting.name, '.') ? FORMAT_CERTAIN - 10 : FORMAT_LIKELY;
}

static void read_line(struct intake *intake, const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    struct setting setting;
    if (line->kind == LINE_COMMAND) {
        if (strstr(line->text, "echo") && echoed(line->text, &setting))
            put(intake, line, &setting);
        else
            put_all(intake, line, strstr(line->text, "sysctl") + 6);
    } else if (is_refusal(line))
        intake_note(intake, line, "%s", line->text + line->indent);
    else if (bare_value(lines, i, &setting)) {
        if (!put(intake, line, &setting))
            intake_unused(intake, line);
    } else if (!is_heading(lines, i) && !put_all(intake, line, line->text))
        intake_unused(intake, line);
}

// Lines of one kind in a row are one block.
static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    enum line_kind kind = lines->line[i].kind;
    do {
        read_line(intake, lines, i++);
    } while (i < lines->n && lines->line[i].kind == kind && begins(lines, i) > FORMAT_NO);
    return i;
}

const struct format format_sysctl = {
    .name = "sysctl",
    .help = "sysctl -a, -w, -n, sysctl.conf, files of /proc/sys with their paths",
    .setting = true,
    .commands = true,
    .begins = begins,
    .read = read_block,
};
