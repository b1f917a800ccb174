// SPDX-License-Identifier: GPL-2.0-or-later
// Self-test shown
#include "cli/selftest_show.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/verdict_text.h"
#include "core/cleanup.h"

static const char *const state_names[] = { "pass", "fail", "skipped" };
static const char *const fix_names[] = { NULL, "cured", "stopped", "no use, as said" };
static const enum style state_styles[] = { STYLE_PLAIN, STYLE_CRITICAL, STYLE_DIM };

static int add(struct selftest_list *list, const struct scenario *scenario, int family) {
    struct selftest_entry *entries =
            reallocarray(list->entries, list->n + 1, sizeof(*list->entries));
    if (!entries)
        return -ENOMEM;
    list->entries = entries;
    struct selftest_entry *entry = &entries[list->n++];
    *entry = (struct selftest_entry){ .scenario = scenario,
        .family = family,
        .quick = family == 6 && scenario->families == LAB_BOTH ? scenario->quick_ipv6
                                                               : scenario->quick };
    snprintf(entry->id, sizeof(entry->id), "%s%s", scenario->id,
            family == 6 && scenario->families == LAB_BOTH ? "-ipv6" : "");
    return 0;
}

int selftest_list_init(struct selftest_list *list) {
    const struct scenario *scenario;
    int r = 0;
    *list = (struct selftest_list){ 0 };
    for (size_t i = 0; r == 0 && (scenario = scenario_at(i)); i++) {
        if (scenario->families != LAB_IPV6)
            r = add(list, scenario, 4);
        if (r == 0 && scenario->families != LAB_IPV4)
            r = add(list, scenario, 6);
    }
    return r;
}

void selftest_list_done(struct selftest_list *list) {
    for (size_t i = 0; i < list->n; i++)
        json_object_put(list->entries[i].document);
    free(list->entries);
}

void selftest_figures(const struct selftest_list *list, struct selftest_figures *ret) {
    *ret = (struct selftest_figures){ 0 };
    for (size_t i = 0; i < list->n; i++) {
        const struct selftest_entry *entry = &list->entries[i];
        const struct selftest_result *result = &entry->result;
        if (!entry->done)
            continue;
        ret->passed += result->state == SELFTEST_PASSED;
        ret->failed += result->state == SELFTEST_FAILED;
        ret->skipped += result->state == SELFTEST_SKIPPED;
        ret->fixes += result->tried;
        ret->fixes_cured += result->fix != SELFTEST_UNFIXED;
        int64_t difference = result->ledger - result->lost;
        difference = difference < 0 ? -difference : difference;
        if (!entry->scenario->inexact && result->counted && difference > ret->largest_difference)
            ret->largest_difference = difference;
    }
}

void selftest_show_list(struct writer *writer, const struct selftest_list *list) {
    static const struct writer_column columns[] = {
        { "id", "SCENARIO" },
        { "expects", "EXPECTED" },
        { "quick", "QUICK" },
        { "title", "WHAT IS DONE", NULL, WRITER_WRAP },
    };
    static const struct writer_table table = { "scenarios", NULL, "There are none.", columns,
        sizeof(columns) / sizeof(columns[0]) };
    writer_begin(writer, &table);
    for (size_t i = 0; i < list->n; i++) {
        const struct scenario *scenario = list->entries[i].scenario;
        writer_row(writer, STYLE_PLAIN);
        writer_text(writer, list->entries[i].id);
        writer_text(writer, scenario->expects);
        writer_boolean(writer, list->entries[i].quick);
        writer_text(writer, scenario->title);
    }
    writer_end(writer);
}

static void put_entry(struct writer *writer, const struct selftest_entry *entry) {
    const struct selftest_result *result = &entry->result;
    bool counted = result->counted, told = *result->why != '\0';
    _cleanup_free_ char *verdict = page_format(
            "%s%s%s", state_names[result->state], told ? ": " : "", told ? result->why : "");
    writer_row(writer, state_styles[result->state]);
    writer_text(writer, entry->id);
    writer_text(writer, state_names[result->state]);
    writer_integer(writer, counted ? result->sent : CELL_NULL);
    writer_integer(writer, counted ? result->lost : CELL_NULL);
    writer_integer(writer, counted ? result->ledger : CELL_NULL);
    writer_integer(writer, counted ? result->ledger - result->lost : CELL_NULL);
    writer_integer(writer, counted ? result->late : CELL_NULL);
    writer_integer(writer, counted ? result->duplicated : CELL_NULL);
    writer_text(writer, *result->first ? result->first : NULL);
    writer_text(writer, entry->scenario->expects);
    writer_text(writer, *result->command ? result->command : NULL);
    writer_text(writer, fix_names[result->fix]);
    writer_real(writer, (double) result->took_ms / 1e3);
    writer_text(writer, told ? result->why : NULL);
    writer_text(writer, entry->scenario->inexact);
    writer_nested(writer, json_object_get(entry->document), "");
    writer_text(writer, verdict);
}

static void put_table(struct writer *writer, const struct selftest_list *list) {
    static const struct writer_column columns[] = {
        { "id", "SCENARIO" },
        { "state", NULL },
        { "sent", "SENT", NULL, WRITER_RIGHT },
        { "lost", "LOST", NULL, WRITER_RIGHT },
        { "ledger", "LEDGER", NULL, WRITER_RIGHT },
        { "difference", "DIFF", NULL, WRITER_RIGHT },
        { "late", NULL },
        { "duplicated", NULL },
        { "first_cause", "FIRST CAUSE" },
        { "expected", "EXPECTED" },
        { "command", NULL },
        { "fix", "REMEDY" },
        { "seconds", "TIME", "s", WRITER_RIGHT },
        { "why", NULL },
        { "inexact", NULL },
        { "verdict", NULL },
        { NULL, "VERDICT", NULL, WRITER_WRAP },
    };
    static const struct writer_table table = { "scenarios", NULL, "None was run.", columns,
        sizeof(columns) / sizeof(columns[0]) };
    writer_begin(writer, &table);
    for (size_t i = 0; i < list->n; i++)
        if (list->entries[i].done)
            put_entry(writer, &list->entries[i]);
    writer_end(writer);
}

static void put_figures(struct writer *writer, const struct selftest_list *list) {
    static const struct writer_column columns[] = { { "passed" }, { "failed" }, { "skipped" },
        { "remedies_tried" }, { "remedies_right" }, { "largest_difference" }, { "seconds" } };
    static const struct writer_table record = { NULL, NULL, NULL, columns,
        sizeof(columns) / sizeof(columns[0]) };
    struct selftest_figures figures;
    selftest_figures(list, &figures);
    writer_record(writer, &record);
    writer_integer(writer, (int64_t) figures.passed);
    writer_integer(writer, (int64_t) figures.failed);
    writer_integer(writer, (int64_t) figures.skipped);
    writer_integer(writer, (int64_t) figures.fixes);
    writer_integer(writer, (int64_t) figures.fixes_cured);
    writer_integer(writer, figures.largest_difference);
    writer_real(writer, (double) list->took_ms / 1e3);
    writer_end(writer);
    _cleanup_free_ char *text = page_format(
            "%zu right, %zu wrong, %zu skipped in %.1f s; %zu of %zu remedies did what they should; ledger "
            "and truth differ by %" PRId64 " at most, where they can be compared.",
            figures.passed, figures.failed, figures.skipped, (double) list->took_ms / 1e3,
            figures.fixes_cured, figures.fixes, figures.largest_difference);
    enum style style = figures.failed ? STYLE_CRITICAL : STYLE_GOOD;
    writer_sentence(writer, figures.passed ? style : STYLE_WARNING, text ? text : "");
}

void selftest_show(struct writer *writer, const struct selftest_list *list) {
    put_table(writer, list);
    put_figures(writer, list);
}
