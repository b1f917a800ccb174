// SPDX-License-Identifier: GPL-2.0-or-later
// Ledger of a window
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "rules/append.h"
#include "rules/ledger.h"
#include "rules/remark.h"
#include "rules/sandbox.h"
#include "rules/template.h"

int ledger_create(struct sandbox *sandbox) {
    return sandbox_run(sandbox,
            "CREATE TEMP TABLE IF NOT EXISTS ledger(locus TEXT, direction TEXT, netns TEXT,"
            " datagrams INTEGER, estimated INTEGER, counters TEXT);"
            "CREATE TEMP TABLE IF NOT EXISTS loss_step(step INTEGER, locus TEXT, direction TEXT,"
            " netns TEXT, datagrams INTEGER);"
            "CREATE INDEX IF NOT EXISTS temp.loss_step_of ON loss_step(locus, netns, step);"
            "DELETE FROM temp.ledger; DELETE FROM temp.loss_step");
}

// The section's own query in the sandbox, or the sum. SQLite's result code.
static int prepare_section(
        const struct ledger_section *section, struct sandbox *sandbox, sqlite3_stmt **ret) {
    if (*section->sql)
        return sandbox_rule(sandbox, section->sql, ret);
    _cleanup_free_ char *sql = ledger_sql(section, LEDGER_WINDOW);
    return sql ? sandbox_rule(sandbox, sql, ret) : SQLITE_NOMEM;
}

static void check_when(
        const struct ledger_section *section, struct sandbox *sandbox, struct problems *problems) {
    char fault[160];
    if (!sandbox_check_condition(sandbox, section->when, fault, sizeof(fault)))
        problem(problems, section->sql_line, "%s: when: %s", section->locus, fault);
}

static int check_section(
        const struct ledger_section *section, struct sandbox *sandbox, struct problems *problems) {
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (prepare_section(section, sandbox, &row) != SQLITE_OK) {
        const char *message = sandbox->refused[0] ? sandbox->refused : sqlite3_errmsg(sandbox->db);
        problem(problems, section->sql_line, "%s: %s", section->locus, message);
        return 1;
    }
    if (row_column(row, "netns") < 0 || row_column(row, "datagrams") < 0)
        problem(problems, section->sql_line, "%s: no columns 'netns' and 'datagrams'",
                section->locus);
    if (section->when)
        check_when(section, sandbox, problems);
    for (enum ledger_query i = LEDGER_COUNTERS; i <= LEDGER_TOTAL; i++) {
        _cleanup_free_ char *sql = ledger_sql(section, i);
        _cleanup_kept_ sqlite3_stmt *statement = NULL;
        if (sql && sandbox_own(sandbox, sql, &statement) != SQLITE_OK)
            problem(problems, section->sql_line, "%s: %s", section->locus,
                    sqlite3_errmsg(sandbox->db));
    }
    return 0;
}

int ledger_check(const struct ledger *ledger, struct sandbox *sandbox, struct problems *problems) {
    size_t before = problems->n;
    for (size_t i = 0; i < ledger->n; i++)
        check_section(&ledger->sections[i], sandbox, problems);
    return problems->n > before ? 1 : 0;
}

static struct ledger_entry *add_entry(const struct ledger_section *section, const char *netns,
        int64_t datagrams, struct verdict *verdict) {
    struct ledger_entry *entry = append(verdict->ledger, verdict->n_ledger);
    if (!entry)
        return NULL;
    *entry = (struct ledger_entry){ .locus = strdup(section->locus),
        .direction = strdup(section->direction),
        .netns = netns ? strdup(netns) : NULL,
        .datagrams = datagrams,
        .estimated = section->estimated,
        .counters = json_object_new_object() };
    verdict->lost += datagrams;
    return entry->locus && entry->direction && entry->counters && (!netns || entry->netns) ? entry
                                                                                           : NULL;
}

// The entries that the section's query gives. 0, 1: it failed, or -ENOMEM.
static int fill_entries(
        const struct ledger_section *section, struct sandbox *sandbox, struct verdict *verdict) {
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    int r = prepare_section(section, sandbox, &row);
    if (r != SQLITE_OK)
        return r == SQLITE_NOMEM ? -ENOMEM : 1;
    int netns = row_column(row, "netns"), datagrams = row_column(row, "datagrams");
    while ((r = sqlite3_step(row)) == SQLITE_ROW) {
        double n = datagrams < 0 ? 0 : sqlite3_column_double(row, datagrams);
        if (!(n >= 0.5))
            continue;
        const char *name = netns < 0 ? NULL : (const char *) sqlite3_column_text(row, netns);
        if (!add_entry(section, name, llround(fmin(n, 9e18)), verdict))
            return -ENOMEM;
    }
    return r == SQLITE_DONE ? 0 : r == SQLITE_NOMEM ? -ENOMEM : 1;
}

// Sets the counters of the entries from `first` on.
static int fill_counters(const struct ledger_section *section, struct sandbox *sandbox,
        struct verdict *verdict, size_t first) {
    _cleanup_free_ char *sql = ledger_sql(section, LEDGER_COUNTERS);
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (!sql || sandbox_own(sandbox, sql, &row) != SQLITE_OK)
        return sql ? 0 : -ENOMEM;
    while (sandbox_step(sandbox, row) == SQLITE_ROW) {
        const char *netns = (const char *) sqlite3_column_text(row, 0);
        for (size_t i = first; i < verdict->n_ledger; i++) {
            struct ledger_entry *entry = &verdict->ledger[i];
            if (netns && entry->netns && strcmp(netns, entry->netns) != 0)
                continue;
            for (size_t j = 0; j < section->n_counters; j++)
                if (sqlite3_column_type(row, (int) j + 1) != SQLITE_NULL)
                    json_object_object_add(entry->counters, ledger_counter_name(section, j),
                            json_object_new_int64(sqlite3_column_int64(row, (int) j + 1)));
        }
    }
    return 0;
}

static int bind_text(sqlite3_stmt *statement, int index, const char *text) {
    return sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

// What rules see of the entries from `first` on.
static int publish_entries(struct sandbox *sandbox, const struct verdict *verdict, size_t first) {
    _cleanup_kept_ sqlite3_stmt *insert = NULL;
    if (sandbox_own(sandbox, "INSERT INTO temp.ledger VALUES (?1, ?2, ?3, ?4, ?5, ?6)", &insert) !=
            SQLITE_OK)
        return -EIO;
    for (size_t i = first; i < verdict->n_ledger; i++) {
        const struct ledger_entry *entry = &verdict->ledger[i];
        bind_text(insert, 1, entry->locus);
        bind_text(insert, 2, entry->direction);
        bind_text(insert, 3, entry->netns);
        sqlite3_bind_int64(insert, 4, entry->datagrams);
        sqlite3_bind_int(insert, 5, entry->estimated);
        bind_text(
                insert, 6, json_object_to_json_string_ext(entry->counters, JSON_C_TO_STRING_PLAIN));
        if (sandbox_step(sandbox, insert) != SQLITE_DONE)
            return -EIO;
        sqlite3_reset(insert);
    }
    return 0;
}

static int publish_steps(const struct ledger_section *section, struct sandbox *sandbox) {
    _cleanup_free_ char *sql = ledger_sql(section, LEDGER_STEPS);
    _cleanup_kept_ sqlite3_stmt *insert = NULL;
    if (!sql || sandbox_own(sandbox, sql, &insert) != SQLITE_OK)
        return sql ? -EIO : -ENOMEM;
    bind_text(insert, 1, section->locus);
    return sandbox_step(sandbox, insert) == SQLITE_DONE ? 0 : -EIO;
}

static int fill_section(
        const struct ledger_section *section, struct sandbox *sandbox, struct verdict *verdict) {
    size_t first = verdict->n_ledger;
    if (section->when && !sandbox_holds(sandbox, section->when))
        return 0;
    int r = fill_entries(section, sandbox, verdict);
    if (r > 0)
        return add_remark(&verdict->not_judged, &verdict->n_not_judged, section->locus,
                "this place of the ledger could not be counted: %s",
                sandbox->expired ? "it took too long" : sqlite3_errmsg(sandbox->db));
    if (r < 0 || verdict->n_ledger == first)
        return r;
    r = fill_counters(section, sandbox, verdict, first);
    if (r == 0)
        r = publish_entries(sandbox, verdict, first);
    return r ? r : publish_steps(section, sandbox);
}

int ledger_fill(const struct ledger *ledger, struct sandbox *sandbox, struct verdict *verdict) {
    for (size_t i = 0; i < ledger->n; i++) {
        int r = fill_section(&ledger->sections[i], sandbox, verdict);
        sandbox_spare(sandbox);
        if (r < 0)
            return r;
    }
    return 0;
}

static char *known_sql(const struct ledger_section *section) {
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    if (!out)
        return NULL;
    fprintf(out, "SELECT 1 FROM \"%s\" WHERE 0", section->table->name);
    for (size_t i = 0; i < section->n_counters; i++)
        fprintf(out, " OR \"%s\" IS NOT NULL", ledger_counter_name(section, i));
    if (fclose(out) == 0)
        return sql;
    free(sql);
    return NULL;
}

int ledger_counted(const struct ledger *ledger, struct sandbox *sandbox, bool *ret) {
    *ret = false;
    for (size_t i = 0; i < ledger->n && !*ret; i++) {
        _cleanup_free_ char *sql = known_sql(&ledger->sections[i]);
        _cleanup_kept_ sqlite3_stmt *row = NULL;
        if (!sql)
            return -ENOMEM;
        if (sandbox_own(sandbox, sql, &row) != SQLITE_OK)
            return -EIO;
        *ret = sandbox_step(sandbox, row) == SQLITE_ROW;
    }
    return 0;
}

// What the counters of a place that are still in the window had risen by since boot.
static int64_t past_of(const struct ledger_section *section, struct sandbox *sandbox) {
    _cleanup_free_ char *sql = ledger_sql(section, LEDGER_TOTAL);
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (!sql || sandbox_own(sandbox, sql, &row) != SQLITE_OK ||
            sandbox_step(sandbox, row) != SQLITE_ROW || sqlite3_column_int64(row, 1) != 0)
        return 0;
    return sqlite3_column_int64(row, 0);
}

static int add_past_note(
        const struct ledger_section *section, int64_t total, struct verdict *verdict) {
    _cleanup_free_ char *count = count_text(total);
    if (!count)
        return -ENOMEM;
    int r = section->estimated
                    ? add_remark(&verdict->notes, &verdict->n_notes, NULL,
                              "since boot the counters of %s rose by %s, which are not all datagrams; nothing "
                              "grows now",
                              section->locus, count)
                    : add_remark(&verdict->notes, &verdict->n_notes, NULL,
                              "since boot %s datagrams were lost at %s; nothing grows now", count,
                              section->locus);
    if (r < 0)
        return r;
    json_object *values = json_object_new_object();
    json_object_object_add(values, section->locus, json_object_new_int64(total));
    verdict->notes[verdict->n_notes - 1].values = values;
    return 0;
}

int ledger_look_back(const struct ledger *ledger, struct sandbox *sandbox, struct verdict *verdict,
        bool *ret_any) {
    *ret_any = false;
    for (size_t i = 0; i < ledger->n; i++) {
        int64_t total = ledger->sections[i].past ? past_of(&ledger->sections[i], sandbox) : 0;
        if (total <= 0)
            continue;
        *ret_any = true;
        int r = add_past_note(&ledger->sections[i], total, verdict);
        if (r < 0)
            return r;
    }
    return 0;
}
