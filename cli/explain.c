// SPDX-License-Identifier: GPL-2.0-or-later
// explain: what a cause means
//
// Everything comes from the header of the rule; which of its words is shown where stands in one
// table.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/judge.h"
#include "cli/locus.h"
#include "cli/rule_words.h"
#include "cli/verbs.h"
#include "cli/verdict_text.h"
#include "core/cleanup.h"
#include "core/text.h"

struct explained {
    const struct rule_info *info;
    struct rule_line *lines;
    size_t n;
};

// Writes one line of the header for people.
typedef void put_line(
        const struct verdict_page *page, const char *label, const struct rule_line *line);

static char *filled(const char *text) {
    char *copy = NULL;
    size_t size;
    FILE *out = open_memstream(&copy, &size);
    if (!out)
        return NULL;
    rule_words_put(out, text);
    fclose(out);
    return copy;
}

static void put_plain(
        const struct verdict_page *page, const char *label, const struct rule_line *line) {
    _cleanup_free_ char *text = filled(line->part[0]);
    page_put(page, 0, label, STYLE_BOLD, text);
}

static void put_finding(
        const struct verdict_page *page, const char *label, const struct rule_line *line) {
    _cleanup_free_ char *text = filled(line->part[2]);
    page_put(page, 0, label, STYLE_BOLD, text);
}

static void put_param(
        const struct verdict_page *page, const char *label, const struct rule_line *line) {
    bool why = *line->part[2] != '\0';
    _cleanup_free_ char *text = page_format(
            "%s = %s%s%s", line->part[0], line->part[1], why ? ": " : "", line->part[2]);
    page_put(page, 0, label, STYLE_BOLD, text);
}

static void put_remedy(
        const struct verdict_page *page, const char *label, const struct rule_line *line) {
    _cleanup_free_ char *text = filled(line->part[0]), *command = filled(line->part[1]),
                        *undo = filled(line->part[2]);
    page_put(page, 0, label, STYLE_BOLD, text);
    page_put_command(page, 0, "", command);
    page_put_command(page, 0, "undo", undo);
}

// The words in the order in which they are shown. A list is an array in JSON, of objects where the
// line has named parts.
static const struct shown {
    const char *word, *label, *name;
    const char *parts[3];
    put_line *put;
} shown[] = {
    { "text", "says", "text", { NULL }, put_plain },
    { "evidence", "evidence", "evidence", { "name", "unit", "text" }, put_finding },
    { "against", "against", "against", { "name", "unit", "text" }, put_finding },
    { "do", "do", "do", { "text", "command", "undo" }, put_remedy },
    { "not", "not", "not", { "text" }, put_plain },
    { "ruled-out", "ruled out", "ruled_out", { NULL }, put_plain },
    { "param", "threshold", "thresholds", { "name", "value", "why" }, put_param },
    { "needs", "needs", "needs", { NULL }, put_plain },
    { "after", "after", "after", { NULL }, put_plain },
    { "ref", "reference", "references", { NULL }, put_plain },
};
#define N_SHOWN (sizeof(shown) / sizeof(shown[0]))

static json_object *line_json(const struct shown *form, const struct rule_line *line) {
    if (!form->parts[0])
        return text_json(line->part[0]);
    json_object *json = json_object_new_object();
    for (size_t i = 0; i < 3 && form->parts[i]; i++)
        json_object_object_add(
                json, form->parts[i], *line->part[i] ? text_json(line->part[i]) : NULL);
    return json;
}

static json_object *lines_json(const struct explained *explained, const struct shown *form) {
    json_object *list = json_object_new_array();
    for (size_t i = 0; i < explained->n; i++)
        if (strcmp(explained->lines[i].word, form->word) == 0)
            json_object_array_add(list, line_json(form, &explained->lines[i]));
    return list;
}

static void put_json_fields(struct cli *cli, const struct explained *explained) {
    static const struct writer_column heads[] = { { "id", NULL }, { "kind", NULL },
        { "locus", NULL }, { "severity", NULL }, { "title", NULL }, { "origin", NULL },
        { "masked", NULL } };
    struct writer_column columns[sizeof(heads) / sizeof(heads[0]) + N_SHOWN];
    size_t n = sizeof(heads) / sizeof(heads[0]);
    memcpy(columns, heads, sizeof(heads));
    for (size_t i = 0; i < N_SHOWN; i++)
        columns[n++] = (struct writer_column){ shown[i].name, NULL };
    const struct writer_table record = { NULL, NULL, NULL, columns, n };
    const struct rule_info *info = explained->info;
    writer_record(cli->writer, &record);
    writer_text(cli->writer, info->id);
    writer_text(cli->writer, info->kind);
    writer_text(cli->writer, info->locus);
    writer_text(cli->writer, info->severity);
    writer_text(cli->writer, info->title);
    writer_text(cli->writer, info->origin);
    writer_boolean(cli->writer, info->masked);
    for (size_t i = 0; i < N_SHOWN; i++)
        writer_nested(cli->writer, lines_json(explained, &shown[i]), NULL);
    writer_end(cli->writer);
}

// "a cause of loss at the socket queue; warning; built in"
static char *kind_text(const struct rule_info *info) {
    static const char *const kinds[][2] = { { "cause", "a cause of loss" },
        { "no-loss", "looks like a loss and is none" },
        { "sign", "pasted outputs show it, but do not count what was lost" },
        { "level", "a level, told before there is loss" }, { "note", "a note" } };
    const char *kind = info->kind;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(kinds[i][0], info->kind) == 0)
            kind = kinds[i][1];
    bool placed = strcmp(info->locus, "-") != 0;
    return page_format("%s%s%s; %s; %s%s", kind, placed ? " " : "",
            placed ? locus_place(info->locus) : "", info->severity,
            info->masked ? "masked by " : "", info->origin);
}

static void put_head(const struct verdict_page *page, const struct rule_info *info) {
    char *title = NULL;
    size_t size;
    FILE *out = open_memstream(&title, &size);
    _cleanup_free_ char *kind = kind_text(info);
    if (!out)
        return;
    rule_words_put_title(out, info->title ? info->title : info->id);
    fclose(out);
    style_begin(page->terminal, page->out, STYLE_BOLD);
    text_wrap(page->out, title, 0, page->terminal->width);
    style_end(page->terminal, page->out, STYLE_BOLD);
    free(title);
    page_put(page, 0, "what", STYLE_BOLD, kind);
}

static void put_text(struct cli *cli, const struct explained *explained) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    struct verdict_page page = { .terminal = &cli->terminal, .out = out, .now_ms = cli->now_ms };
    put_head(&page, explained->info);
    for (size_t i = 0; i < N_SHOWN; i++) {
        const char *label = shown[i].label;
        for (size_t j = 0; j < explained->n; j++) {
            if (strcmp(explained->lines[j].word, shown[i].word) != 0)
                continue;
            shown[i].put(&page, label, &explained->lines[j]);
            label = "";
        }
    }
    fclose(out);
    writer_page(cli->writer, text);
    free(text);
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    _cleanup_(judge_rules_done) struct rule_set *rules = NULL;
    struct rule_info info;
    size_t index;
    int r = judge_rules(cli, &rules);
    if (r == 0)
        r = rule_words_find(rules, arguments[0], &info, &index);
    if (r != 0)
        return r;
    struct explained explained = { .info = &info, .n = rules_lines(rules, index, NULL, 0) };
    _cleanup_free_ struct rule_line *lines = calloc(explained.n + 1, sizeof(*lines));
    if (!lines)
        return complain_errno(ENOMEM, "explain");
    rules_lines(rules, index, lines, explained.n);
    explained.lines = lines;
    put_json_fields(cli, &explained);
    put_text(cli, &explained);
    return STATUS_OK;
}

const struct verb verb_explain = {
    .name = "explain",
    .arguments = "CAUSE",
    .help = "Say what a cause means: its evidence, what to do about it, and what not",
    .more = "CAUSE is an id as in why --json, alerts and rules. Words in CAPITALS stand for values that are measured. "
            "Everything comes from the rule itself, also from one of your own.",
    .least = 1,
    .most = 1,
    .run = run,
};
