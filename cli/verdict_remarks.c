// SPDX-License-Identifier: GPL-2.0-or-later
// Remarks for people
#include <stdlib.h>
#include <string.h>

#include "cli/locus.h"
#include "cli/verdict_text.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "core/text.h"

static void put_each(const struct verdict_page *page, const char *label,
        const struct remark *remarks, size_t n) {
    for (size_t i = 0; i < n; i++) {
        bool named = page->all && remarks[i].id;
        _cleanup_free_ char *text = page_format("%s%s%s", named ? remarks[i].id : "",
                named ? ": " : "", remarks[i].text ? remarks[i].text : "");
        page_put(page, 0, i == 0 ? label : "", STYLE_BOLD, text);
    }
}

// Names of the remarks from `from` on whose text is the same, each marked as told.
static char *names_of_same_text(const struct remark *remarks, size_t n, size_t from, bool *told) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = from; i < n; i++) {
        if (told[i] || (i > from && strcmp(remarks[i].text, remarks[from].text) != 0))
            continue;
        fprintf(out, "%s%s", i > from ? ", " : "", remarks[i].id ? remarks[i].id : "?");
        told[i] = true;
    }
    fclose(out);
    return text;
}

static bool is_same_locus(const struct remark *a, const struct remark *b) {
    return a->locus && b->locus && strcmp(a->locus, b->locus) == 0;
}

static bool is_first_of_locus(const struct verdict *verdict, size_t i) {
    for (size_t j = 0; j < i; j++)
        if (is_same_locus(&verdict->ruled_out[j], &verdict->ruled_out[i]))
            return false;
    return true;
}

// Nothing was lost there, and every rule about it could say so.
static bool is_clean(const struct verdict *verdict, const struct remark *remark) {
    for (size_t i = 0; i < verdict->n_ledger; i++)
        if (strcmp(verdict->ledger[i].locus, remark->locus) == 0)
            return false;
    for (size_t i = 0; i < verdict->n_not_judged; i++) {
        const struct remark *other = &verdict->not_judged[i];
        if (is_same_locus(other, remark) || (other->id && strcmp(other->id, remark->locus) == 0))
            return false;
    }
    return true;
}

// A place in the kernel's path, and, where it is not ruled out as a whole, the causes that are.
static void put_ruled_out_locus(FILE *out, const struct verdict *verdict, size_t first) {
    const struct remark *remarks = verdict->ruled_out;
    const char *separator = " (";
    fputs(first > 0 ? ", " : "", out);
    fputs(remarks[first].locus ? locus_name(remarks[first].locus) : remarks[first].id, out);
    if (!remarks[first].locus || is_clean(verdict, &remarks[first]))
        return;
    for (size_t i = first; i < verdict->n_ruled_out; i++) {
        if (!is_same_locus(&remarks[i], &remarks[first]))
            continue;
        fprintf(out, "%s%s", separator, remarks[i].id);
        separator = ", ";
    }
    fputc(')', out);
}

static void put_ruled_out(const struct verdict_page *page, const struct verdict *verdict) {
    if (page->all || verdict->n_ruled_out == 0) {
        put_each(page, "ruled out", verdict->ruled_out, verdict->n_ruled_out);
        return;
    }
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    for (size_t i = 0; i < verdict->n_ruled_out; i++)
        if (is_first_of_locus(verdict, i))
            put_ruled_out_locus(out, verdict, i);
    fclose(out);
    page_put(page, 0, "ruled out", STYLE_BOLD, text);
    free(text);
}

// Of pasted outputs most is missing, and what to run next says what would help.
static void put_not_judged_shortly(const struct verdict_page *page, const struct verdict *verdict) {
    char *text = NULL;
    size_t size, n = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fprintf(out, "%zu causes, which need", verdict->n_not_judged);
    for (size_t i = 0; i < verdict->n_not_judged; i++) {
        const char *table = verdict->not_judged[i].table;
        bool told = !table;
        for (size_t j = 0; j < i && !told; j++)
            told = verdict->not_judged[j].table && strcmp(verdict->not_judged[j].table, table) == 0;
        if (!told)
            fprintf(out, "%s %s", n++ > 0 ? "," : "", table);
    }
    fputs(n > 0 ? " or more of it" : " something else", out);
    fputs(" (--all tells which)", out);
    fclose(out);
    page_put(page, 0, "not judged", STYLE_BOLD, text);
    free(text);
}

// Rules that lack the same thing share a line.
static void put_not_judged(const struct verdict_page *page, const struct verdict *verdict) {
    if (verdict->n_next > 0 && !page->all && verdict->n_not_judged > 0) {
        put_not_judged_shortly(page, verdict);
        return;
    }
    const char *label = "not judged";
    _cleanup_free_ bool *told = calloc(verdict->n_not_judged + 1, sizeof(*told));
    for (size_t i = 0; told && i < verdict->n_not_judged; i++) {
        if (told[i])
            continue;
        _cleanup_free_ char *names =
                names_of_same_text(verdict->not_judged, verdict->n_not_judged, i, told);
        _cleanup_free_ char *text =
                page_format("%s: %s", names ? names : "?", verdict->not_judged[i].text);
        page_put(page, 0, label, STYLE_BOLD, text);
        label = "";
    }
}

static char *period_of(const struct verdict_page *page, const struct window *window) {
    char start[MOMENT_SIZE], end[MOMENT_SIZE];
    if (window->undated)
        return strdup("at times that are not known");
    return page_format("%s to %s", moment_format_short(window->start_ms, page->now_ms, start),
            moment_format_short(window->end_ms, page->now_ms, end));
}

static void put_window(const struct verdict_page *page, const struct verdict *verdict) {
    const struct window *window = &verdict->window;
    _cleanup_free_ char *period = period_of(page, window);
    _cleanup_free_ char *text = page_format("%s, %jd step%s, %s; host %s, kernel %s",
            period ? period : "", (intmax_t) window->steps, window->steps == 1 ? "" : "s", window_kind_name(window->kind),
            verdict->host ? verdict->host : "-", verdict->kernel ? verdict->kernel : "-");
    page_put(page, 0, "window", STYLE_BOLD, text);
}

// Of pasted outputs: what to ask for.
void verdict_put_next(const struct verdict_page *page, const struct verdict *verdict) {
    if (verdict->n_next == 0)
        return;
    page_put(page, 0, "next", STYLE_BOLD, "to know more, run:");
    for (size_t i = 0; i < verdict->n_next; i++) {
        page_put_command(page, 0, "", verdict->next[i].command);
        _cleanup_free_ char *text = page_format("    %s", verdict->next[i].text);
        page_put(page, 0, "", STYLE_BOLD, text);
    }
}

void verdict_put_remarks(const struct verdict_page *page, const struct verdict *verdict) {
    put_each(page, "note", verdict->notes, verdict->n_notes);
    put_ruled_out(page, verdict);
    put_not_judged(page, verdict);
    put_each(page, "gap", verdict->gaps, verdict->n_gaps);
    if (page->all)
        put_window(page, verdict);
}
