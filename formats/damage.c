// SPDX-License-Identifier: GPL-2.0-or-later
// Line damage
//
// Everything happens in place: a line only gets shorter.
#include "formats/damage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "formats/prefix.h"

// What browsers and forums make of characters.
static const struct replacement {
    const char *from, *to;
} replacements[] = {
    { "&gt;", ">" },
    { "&lt;", "<" },
    { "&amp;", "&" },
    { "&quot;", "\"" },
    { "&apos;", "'" },
    { "&#39;", "'" },
    { "&#039;", "'" },
    { "&#x27;", "'" },
    { "&#58;", ":" },
    { "&#x3A;", ":" },
    { "&#160;", " " },
    { "&nbsp;", " " },
    { "<br>", "" },
    { "<br/>", "" },
    { "<br />", "" },
    { "<pre>", "" },
    { "</pre>", "" },
    { "<code>", "" },
    { "</code>", "" },
    { "<p>", "" },
    { "</p>", "" },
    { "\xc2\xa0", " " },     // no-break space
    { "\xe2\x80\xaf", " " }, // narrow no-break space, a thousands separator
    { "\xe2\x80\x87", " " }, // figure space
    { "\xe2\x80\x8b", "" },  // zero width space
    { "\xef\xbb\xbf", "" },  // byte order mark
    { "\xc2\xad", "" },      // soft hyphen
    { "\xe2\x80\x90", "-" }, // hyphens and dashes of word processors
    { "\xe2\x80\x91", "-" },
    { "\xe2\x80\x93", "-" },
    { "\xe2\x88\x92", "-" },
    { "\xe2\x80\x98", "'" }, // quotation marks
    { "\xe2\x80\x99", "'" },
    { "\xe2\x80\x9c", "\"" },
    { "\xe2\x80\x9d", "\"" },
};

static void cut(struct line *line, size_t length) {
    ((char *) line->text)[length] = '\0';
    line->length = length;
}

static void drop_front(struct line *line, size_t n) {
    line->text += n;
    line->length -= n;
}

static const struct replacement *replacement_at(const char *text) {
    // Nothing else begins one.
    if (!strchr("&<\xc2\xe2\xef", *text))
        return NULL;
    for (size_t i = 0; i < sizeof(replacements) / sizeof(replacements[0]); i++)
        if (strncmp(text, replacements[i].from, strlen(replacements[i].from)) == 0)
            return &replacements[i];
    return NULL;
}

static void mend_characters(struct line *line) {
    char *text = (char *) line->text, *out = text;
    for (const char *at = text; *at;) {
        const struct replacement *found = replacement_at(at);
        if (!found) {
            *out++ = *at++;
            continue;
        }
        size_t length = strlen(found->to);
        memcpy(out, found->to, length);
        out += length;
        at += strlen(found->from);
    }
    cut(line, (size_t) (out - text));
}

// Colours and cursor movements: ESC [ ... letter, ESC ] ... BEL, ESC and one character. A backspace
// takes the character before it.
static void drop_escapes(struct line *line) {
    char *text = (char *) line->text, *out = text;
    if (!strpbrk(text, "\x1b\b"))
        return;
    for (const char *at = text; *at;) {
        if (*at == '\b') {
            out -= out > text;
            at++;
        } else if (*at != '\x1b') {
            *out++ = *at++;
        } else if (at[1] == '[') {
            at += 2 + strcspn(at + 2, "@ABCDEFGHIJKLMPSTXZ`abcdefghilmnpqrstu~");
            at += *at != '\0';
        } else if (at[1] == ']') {
            at += strcspn(at, "\a");
            at += *at != '\0';
        } else {
            at += at[1] ? 2 : 1;
        }
    }
    cut(line, (size_t) (out - text));
}

// "> > text": what mail programs put before a line that they answer to. A blank belongs to the last
// mark.
static void drop_quote_marks(struct line *line) {
    const char *at = line->text;
    for (;;) {
        const char *next = at + (*at == ' ' && at[1] == '>');
        if (*next != '>')
            break;
        at = next + 1;
    }
    if (at != line->text)
        drop_front(line, (size_t) (at - line->text) + (*at == ' '));
}

static bool is_fence(const char *text) {
    text += strspn(text, " \t");
    return strncmp(text, "```", 3) == 0 || strncmp(text, "~~~", 3) == 0 ||
           strcmp(text, "{code}") == 0 || strcmp(text, "{noformat}") == 0 ||
           strcmp(text, "[code]") == 0 || strcmp(text, "[/code]") == 0;
}

// Markdown: code fences, "- `text`".
static void drop_markup(struct line *line) {
    if (is_fence(line->text)) {
        cut(line, 0);
        return;
    }
    size_t begin = strspn(line->text, " \t");
    if (strncmp(line->text + begin, "- `", 3) == 0 || strncmp(line->text + begin, "* `", 3) == 0 ||
            strncmp(line->text + begin, "+ `", 3) == 0)
        begin += 2;
    size_t length = line->length;
    if (length < begin + 3 || line->text[begin] != '`' || line->text[length - 1] != '`' ||
            memchr(line->text + begin + 1, '`', length - begin - 2))
        return;
    cut(line, length - 1);
    drop_front(line, begin + 1);
}

// **bold**, but not the three stars of OSWatcher.
static void drop_stars(struct line *line) {
    char *text = (char *) line->text, *out = text;
    if (!strstr(text, "**"))
        return;
    for (const char *at = text; *at;) {
        size_t stars = strspn(at, "*");
        if (stars == 2) {
            at += 2;
            continue;
        }
        for (size_t i = 0; i < stars; i++)
            *out++ = *at++;
        if (stars == 0)
            *out++ = *at++;
    }
    cut(line, (size_t) (out - text));
}

// "1 000 000 packets received": blanks as thousands separators, at the begin of a line of words.
static void join_thousands(struct line *line) {
    char *text = (char *) line->text + strspn(line->text, " \t");
    size_t n = strspn(text, "0123456789"), groups = 0;
    const char *at = text + n;
    if (n == 0 || n > 3)
        return;
    while (*at == ' ' && strspn(at + 1, "0123456789") == 3) {
        at += 4;
        groups++;
    }
    if (groups == 0 || *at != ' ' || !isalpha((unsigned char) at[1 + (at[1] == ' ')]))
        return;
    char *out = text;
    for (const char *from = text; from < at; from++)
        if (*from != ' ')
            *out++ = *from;
    memmove(out, at, strlen(at) + 1);
    cut(line, strlen(line->text));
}

// "[...]", "......", "<snip>": something was left out here.
static bool is_ellipsis(const char *text) {
    text += strspn(text, " \t");
    size_t dots = strspn(text, ".[]()<>- \t\xe2\x80\xa6");
    return *text && (text[dots] == '\0' ? strchr(text, '.') || strstr(text, "\xe2\x80\xa6")
                                        : strcasestr(text, "snip") && strlen(text) < 12);
}

// "RcvbufErrors: 12   <--- look": somebody points at it. Nothing that the formats know has that.
static void drop_arrow(struct line *line) {
    static const char *const arrows[] = { " <-", " <=", " <<", " \xe2\x86\x90", "\t<-" };
    for (size_t i = 0; i < sizeof(arrows) / sizeof(arrows[0]); i++) {
        const char *at = strstr(line->text, arrows[i]);
        if (at)
            cut(line, (size_t) (at - line->text));
    }
}

static void take_blanks_off(struct line *line) {
    if (line->kind != LINE_COMMAND && is_ellipsis(line->text))
        cut(line, 0);
    size_t n = line->length;
    while (n > 0 && strchr(" \t\r\f\v", line->text[n - 1]))
        n--;
    cut(line, n);
    line->indent = strspn(line->text, " \t");
    if (line->kind != LINE_COMMAND)
        line->kind = line->indent == n ? LINE_BLANK : LINE_TEXT;
}

// Mail in quoted-printable: "=" at the end of a line that was too long, "=3D" for "=", "=20" for a
// blank at the end. Elsewhere "=20" is the begin of a number: such mail has no other "=".
static int hex_value(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool is_quoted_printable(const struct lines *lines) {
    size_t soft = 0;
    for (size_t i = 0; i < lines->n; i++) {
        const struct line *line = &lines->line[i];
        if (strstr(line->text, "=3D")) // "=20" is also what counters say: drop=20
            return true;
        if (line->length > 3 && strcmp(line->text + line->length - 3, "=20") == 0 &&
                !isalpha((unsigned char) line->text[line->length - 4]))
            return true;
        soft += line->length >= 70 && line->length <= 78 && line->text[line->length - 1] == '=';
    }
    return soft > 1;
}

static void decode_printable(struct line *line) {
    char *text = (char *) line->text, *out = text;
    for (const char *at = text; *at;) {
        int high = *at == '=' ? hex_value(at[1]) : -1;
        int low = high >= 0 ? hex_value(at[2]) : -1;
        bool code = low >= 0 && (high > 1 || low == 9 || high == 0);
        if (code && high * 16 + low != 0) {
            *out++ = (char) (high * 16 + low);
            at += 3;
        } else {
            *out++ = *at++;
        }
    }
    cut(line, (size_t) (out - text));
}

// The texts of two lines follow each other in the arena, with what was cut off between them.
static void join(struct line *line, struct line *next) {
    char *end = (char *) line->text + line->length - 1; // over the "="
    memmove(end, next->text, next->length + 1);
    line->length += next->length - 1;
    next->number = 0; // gone
}

static void drop_joined(struct lines *lines) {
    size_t n = 0;
    for (size_t i = 0; i < lines->n; i++)
        if (lines->line[i].number > 0)
            lines->line[n++] = lines->line[i];
    lines->n = n;
}

static void mend_quoted_printable(struct lines *lines) {
    if (!is_quoted_printable(lines))
        return;
    for (size_t i = lines->n; i-- > 0;) {
        struct line *line = &lines->line[i];
        while (line->length > 0 && strchr(" \t\r", line->text[line->length - 1]))
            cut(line, line->length - 1);
        if (i + 1 < lines->n && line->length > 0 && line->text[line->length - 1] == '=')
            join(line, &lines->line[i + 1]);
    }
    drop_joined(lines);
    for (size_t i = 0; i < lines->n; i++)
        decode_printable(&lines->line[i]);
}

// Where each line is followed by an empty one, some page or mail program put it there. Of three
// empty lines one was meant.
static bool is_double_spaced(const struct lines *lines) {
    size_t texts = 0;
    for (size_t i = 0; i < lines->n; texts++) {
        size_t end = i + 1;
        while (end < lines->n && lines->line[end].kind == LINE_BLANK)
            end++;
        if (end < lines->n && (end - i - 1) % 2 == 0)
            return false;
        i = end;
    }
    return texts > 2;
}

static void drop_spacing(struct lines *lines) {
    size_t kept = 0;
    if (!is_double_spaced(lines))
        return;
    for (size_t i = 0, blanks = 0; i < lines->n; i++) {
        blanks = lines->line[i].kind == LINE_BLANK ? blanks + 1 : 0;
        if (blanks % 2 == 0)
            lines->line[kept++] = lines->line[i];
    }
    lines->n = kept;
}

// What stands before nearly every line is of who showed it: "| " of a mail program, the numbers of
// cat -n.
static size_t border(const struct line *line) {
    return line->text[0] == '|' && line->text[line->length - 1] != '|' ? 1 + (line->text[1] == ' ')
                                                                       : 0;
}

static size_t line_number(const struct line *line) {
    size_t blanks = strspn(line->text, " "), digits = strspn(line->text + blanks, "0123456789");
    return digits > 0 && line->text[blanks + digits] == '\t' ? blanks + digits + 1 : 0;
}

static void drop_from_all(struct lines *lines, size_t (*prefix)(const struct line *)) {
    size_t n = 0, with = 0;
    for (size_t i = 0; i < lines->n; i++) {
        n += lines->line[i].length > 0;
        with += lines->line[i].length > 0 && prefix(&lines->line[i]) > 0;
    }
    for (size_t i = 0; i < lines->n && with > 1 && with * 10 >= n * 9; i++)
        if (lines->line[i].length > 0)
            drop_front(&lines->line[i], prefix(&lines->line[i]));
}

void damage_take_off(struct lines *lines) {
    mend_quoted_printable(lines);
    drop_from_all(lines, border);
    drop_from_all(lines, line_number);
    for (size_t i = 0; i < lines->n; i++) {
        struct line *line = &lines->line[i];
        drop_escapes(line);
        mend_characters(line);
        drop_quote_marks(line);
        drop_markup(line);
        drop_stars(line);
        prefix_take_off(line);
        drop_arrow(line);
        join_thousands(line);
        take_blanks_off(line);
    }
    drop_spacing(lines);
}
