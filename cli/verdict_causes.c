// SPDX-License-Identifier: GPL-2.0-or-later
// Causes for people
#include <stdlib.h>
#include <string.h>

#include "cli/verdict_text.h"
#include "core/cleanup.h"
#include "core/text.h"

// More than the first few are noise, unless asked for.
#define CAUSES_SHOWN 4

static char *figures(const struct cause *cause, bool alone) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (cause->muted)
        fputs("muted, ", out);
    else if (cause->severity == SEVERITY_CRITICAL)
        fputs("critical, ", out);
    if (cause->lost > 0 && !alone) {
        text_put_count(out, cause->lost);
        fputs(" lost, ", out);
    }
    if (cause->uncounted)
        fputs("not counted, ", out);
    fprintf(out, "confidence %.2f", cause->confidence);
    fclose(out);
    return text;
}

// Title on the left and its figures at the right margin, or below where they do not fit.
static void put_title(const struct verdict_page *page, const char *number,
        const struct cause *cause, bool alone) {
    _cleanup_free_ char *right = figures(cause, alone);
    enum style style = cause->severity == SEVERITY_CRITICAL ? STYLE_CRITICAL : STYLE_BOLD;
    int room = page->terminal->width - PAGE_INDENT - text_columns(cause->title) -
               text_columns(right ? right : "");
    fprintf(page->out, "%-*s", PAGE_INDENT, number);
    style_begin(page->terminal, page->out, style);
    if (room >= 2) {
        text_put(page->out, cause->title);
        style_end(page->terminal, page->out, style);
        fprintf(page->out, "%*s%s\n", room, "", right ? right : "");
        return;
    }
    text_wrap(page->out, cause->title, PAGE_INDENT, page->terminal->width);
    style_end(page->terminal, page->out, style);
    fprintf(page->out, "%*s%s\n", PAGE_INDENT, "", right ? right : "");
}

// All findings as one paragraph: "a; b; c".
static void put_findings(const struct verdict_page *page, const char *label,
        const struct finding *findings, size_t n) {
    char *text = NULL;
    size_t size;
    FILE *out = n > 0 ? open_memstream(&text, &size) : NULL;
    if (!out)
        return;
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i > 0 ? "; " : "", findings[i].text);
    fclose(out);
    page_put(page, PAGE_INDENT, label, STYLE_BOLD, text);
    free(text);
}

// Who it is about. Neither this host nor a namespace that stands in the title needs saying.
static void put_subject(const struct verdict_page *page, const struct cause *cause) {
    struct subject shown = cause->subject;
    if (shown.netns && (strcmp(shown.netns, "host") == 0 || strstr(cause->title, shown.netns)))
        shown.netns = NULL;
    _cleanup_free_ char *name = subject_name(&shown);
    if (name && strcmp(name, "host") != 0) // what a subject without fields is called
        page_put(page, PAGE_INDENT, "where", STYLE_BOLD, name);
}

static void put_cause(const struct verdict_page *page, const char *number,
        const struct cause *cause, bool alone) {
    put_title(page, number, cause, alone);
    put_subject(page, cause);
    put_findings(page, "evidence", cause->evidence, cause->n_evidence);
    put_findings(page, "against", cause->against, cause->n_against);
    for (size_t i = 0; i < cause->n_remedies; i++)
        page_put_remedy(page, &cause->remedies[i], i == 0);
    for (size_t i = 0; i < cause->n_nots; i++)
        page_put(page, PAGE_INDENT, i == 0 ? "not" : "", STYLE_BOLD, cause->nots[i]);
    if (page->all)
        page_put(page, PAGE_INDENT, "rule", STYLE_BOLD, cause->id);
}

enum sort { SORT_LOSS, SORT_NO_LOSS, SORT_MUTED };

static enum sort sort_of(const struct cause *cause) {
    return cause->muted ? SORT_MUTED : cause->no_loss ? SORT_NO_LOSS : SORT_LOSS;
}

static size_t count_causes(const struct verdict *verdict, enum sort sort) {
    size_t n = 0;
    for (size_t i = 0; i < verdict->n_causes; i++)
        n += sort_of(&verdict->causes[i]) == sort;
    return n;
}

static void put_losses(const struct verdict_page *page, const struct verdict *verdict) {
    size_t n = count_causes(verdict, SORT_LOSS), shown = 0;
    for (size_t i = 0; i < verdict->n_causes; i++) {
        const struct cause *cause = &verdict->causes[i];
        if (sort_of(cause) != SORT_LOSS || (shown == CAUSES_SHOWN && !page->all))
            continue;
        char number[24];
        snprintf(number, sizeof(number), cause->also ? "+" : "%zu.", shown + 1);
        fputs(shown > 0 ? "\n" : "", page->out);
        put_cause(page, number, cause, n == 1);
        shown++;
    }
    if (shown < n)
        fprintf(page->out, "\n%*s%zu more, shown by --all\n", PAGE_INDENT, "", n - shown);
}

static void put_line(
        const struct verdict_page *page, const char *label, const struct cause *cause) {
    _cleanup_free_ char *numbers = cause->no_loss ? NULL : figures(cause, false);
    _cleanup_free_ char *text = page_format("%s%s%s%s", cause->title, numbers ? " (" : "",
            numbers ? numbers : "", numbers ? ")" : "");
    page_put(page, 0, label, STYLE_BOLD, text);
}

// What looks like loss and is none, or what is expected: one line each, or in full.
static bool put_short(const struct verdict_page *page, const struct verdict *verdict,
        enum sort sort, const char *label, bool below) {
    if (count_causes(verdict, sort) > 0 && below)
        fputc('\n', page->out);
    for (size_t i = 0; i < verdict->n_causes; i++) {
        const struct cause *cause = &verdict->causes[i];
        if (sort_of(cause) != sort)
            continue;
        if (page->all)
            put_cause(page, "-", cause, false);
        else
            put_line(page, label, cause);
        label = "";
        below = true;
    }
    return below;
}

void verdict_put_causes(const struct verdict_page *page, const struct verdict *verdict) {
    put_losses(page, verdict);
    bool below = count_causes(verdict, SORT_LOSS) > 0;
    below = put_short(page, verdict, SORT_NO_LOSS, "no loss", below);
    put_short(page, verdict, SORT_MUTED, "muted", below);
}
