// SPDX-License-Identifier: GPL-2.0-or-later
// Verdict for people
#include "cli/verdict_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/locus.h"
#include "collectors/collector.h"
#include "core/cleanup.h"
#include "core/text.h"

// The longest label, "not judged", and two blanks.
#define LABEL_WIDTH 12

char *page_format(const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int n = vasprintf(&text, format, arguments);
    va_end(arguments);
    return n < 0 ? NULL : text;
}

static void put_label(
        const struct verdict_page *page, int indent, const char *label, enum style style) {
    int width = text_columns(label);
    fprintf(page->out, "%*s", indent, "");
    style_begin(page->terminal, page->out, *label ? style : STYLE_PLAIN);
    fputs(label, page->out);
    style_end(page->terminal, page->out, *label ? style : STYLE_PLAIN);
    fprintf(page->out, "%*s", LABEL_WIDTH - width, "");
}

void page_put(const struct verdict_page *page, int indent, const char *label, enum style style,
        const char *text) {
    put_label(page, indent, label, style);
    text_wrap(page->out, text ? text : "", indent + LABEL_WIDTH, page->terminal->width);
}

void page_put_command(
        const struct verdict_page *page, int indent, const char *label, const char *command) {
    if (!command || !*command)
        return;
    put_label(page, indent, label, STYLE_BOLD);
    fputs("  ", page->out);
    text_put(page->out, command);
    fputc('\n', page->out);
}

void page_put_remedy(const struct verdict_page *page, const struct remedy *remedy, bool first) {
    page_put(page, PAGE_INDENT, first ? "do" : "", STYLE_BOLD, remedy->text);
    page_put_command(page, PAGE_INDENT, "", remedy->command);
    page_put_command(page, PAGE_INDENT, "undo", remedy->undo);
}

// "UdpRcvbufErrors" for the column of the snmp table, else the column's own name.
static const char *counter_name(const char *column) {
    const struct table *snmp = table_find(collector_tables(), n_collectors, "snmp");
    int i = snmp ? table_column(snmp, column) : -1;
    return i >= 0 && snmp->columns[i].field ? snmp->columns[i].field : column;
}

static char *counters_text(json_object *counters) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const char *separator = "";
    if (!out)
        return NULL;
    json_object_object_foreach(counters, name, value) {
        if (!value || json_object_get_int64(value) == 0)
            continue;
        fprintf(out, "%s%s ", separator, counter_name(name));
        text_put_count(out, json_object_get_int64(value));
        separator = ", ";
    }
    fclose(out);
    return text;
}

static char *entry_text(const struct ledger_entry *entry) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    bool elsewhere = entry->netns && strcmp(entry->netns, "host") != 0;
    fprintf(out, "%s%s%s%s: %s", locus_name(entry->locus), elsewhere ? " (" : "",
            elsewhere ? entry->netns : "", elsewhere ? ")" : "", entry->estimated ? "about " : "");
    text_put_count(out, entry->datagrams);
    _cleanup_free_ char *counters = entry->counters ? counters_text(entry->counters) : NULL;
    if (counters && *counters)
        fprintf(out, "; %s", counters);
    fclose(out);
    return text;
}

void verdict_put_ledger(const struct verdict_page *page, const struct verdict *verdict) {
    const char *label = "ledger";
    for (size_t i = 0; i < verdict->n_ledger; i++) {
        if (verdict->ledger[i].datagrams == 0 && !page->all)
            continue;
        _cleanup_free_ char *text = entry_text(&verdict->ledger[i]);
        page_put(page, 0, label, STYLE_BOLD, text);
        label = "";
    }
}

void verdict_put_levels(const struct verdict_page *page, const struct verdict *verdict) {
    static const enum style styles[] = { [SEVERITY_INFO] = STYLE_BOLD,
        [SEVERITY_WARNING] = STYLE_WARNING,
        [SEVERITY_CRITICAL] = STYLE_CRITICAL };
    for (size_t i = 0; i < verdict->n_levels; i++) {
        const struct level *level = &verdict->levels[i];
        page_put(page, 0, level->muted ? "muted" : severity_name(level->severity),
                level->muted ? STYLE_BOLD : styles[level->severity], level->text);
        for (size_t j = 0; j < level->n_remedies && (!level->muted || page->all); j++) {
            page_put_remedy(page, &level->remedies[j], j == 0);
        }
    }
}

// A blank line between parts, where there is something above.
static void put_part(const struct verdict_page *page, const struct verdict *verdict,
        void (*put)(const struct verdict_page *, const struct verdict *)) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    struct verdict_page part = *page;
    part.out = out;
    put(&part, verdict);
    if (fclose(out) == 0 && size > 0) {
        fputc('\n', page->out);
        fputs(text, page->out);
    }
    free(text);
}

void verdict_put_text(const struct verdict *verdict, const struct terminal *terminal, bool all,
        int64_t now_ms, FILE *out) {
    struct verdict_page page = { .terminal = terminal, .out = out, .all = all, .now_ms = now_ms };
    verdict_put_headline(&page, verdict);
    put_part(&page, verdict, verdict_put_causes);
    put_part(&page, verdict, verdict_put_changes);
    put_part(&page, verdict, verdict_put_levels);
    put_part(&page, verdict, verdict_put_ledger);
    put_part(&page, verdict, verdict_put_remarks);
    put_part(&page, verdict, verdict_put_next);
}
