// SPDX-License-Identifier: GPL-2.0-or-later
// Shared views
#include "rules/views.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "rules/append.h"
#include "rules/header.h"
#include "rules/remark.h"

// A view with a condition tells its columns too: preparing its query for none costs as much as for
// many.
enum view_word { WORD_VIEW, WORD_WHEN, WORD_COLUMNS };
static const struct header_word words[] = {
    [WORD_VIEW] = { "view", SPLIT_NONE, 1, false },
    [WORD_WHEN] = { "when", SPLIT_NONE, 1, false },
    [WORD_COLUMNS] = { "columns", SPLIT_NONE, 1, false },
};

static const char section_mark[] = "-- view ";

// Without its semicolon and what follows, since it becomes a part of others: that of the next view.
static char *bare_query(const char *sql) {
    const char *end = strstr(sql, ";\n");
    size_t n = end ? (size_t) (end - sql) : strlen(sql);
    return strndup(sql, n > 0 && !end && sql[n - 1] == ';' ? n - 1 : n);
}

// The next name of a list, *length 0: none.
static const char *next_name(const char *p, size_t *length) {
    p += strspn(p, " \t\n");
    *length = strcspn(p, " \t\n");
    return p;
}

static char *blank_view(const struct view *view) {
    char *text = NULL;
    size_t size, n;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "CREATE TEMP VIEW \"%s\" AS SELECT ", view->name);
    const char *p = view->columns;
    while (p = next_name(p, &n), n > 0) {
        fprintf(out, "%sNULL AS \"%.*s\"", p > view->columns ? "," : "", (int) n, p);
        p += n;
    }
    fputs(" WHERE 0", out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static int make_blank(struct view *view) {
    if (!view->when)
        return 0;
    view->blank = blank_view(view);
    if (asprintf(&view->look, "SELECT 1 FROM temp.\"%s\" LIMIT 1", view->name) < 0)
        view->look = NULL;
    return view->blank && view->look ? 0 : -ENOMEM;
}

static int make_statements(struct view *view, const char *sql) {
    view->query = bare_query(sql);
    if (!view->query || make_blank(view) < 0)
        return -ENOMEM;
    if (asprintf(&view->clear, "DELETE FROM temp.\"%s\"", view->name) < 0)
        view->clear = NULL;
    return view->clear ? 0 : -ENOMEM;
}

static int read_view(struct views *views, char *text, int line, struct problems *problems) {
    struct header header;
    int r = header_read(&text, &line, words, sizeof(words) / sizeof(words[0]), problems, &header);
    if (r < 0)
        return r;
    struct view *view = append(views->views, views->n);
    const char *name = header_value(&header, WORD_VIEW);
    if (!view || !name) {
        header_done(&header);
        return view ? 0 : -ENOMEM;
    }
    view->name = name;
    view->columns = header_value(&header, WORD_COLUMNS);
    view->when = view->columns ? header_value(&header, WORD_WHEN) : NULL;
    if (header_find(&header, WORD_WHEN) && !view->columns)
        problem(problems, line, "%s: with 'when', its 'columns' are to be told", name);
    view->line = line;
    header_done(&header);
    return make_statements(view, text);
}

int views_parse(const char *text, struct problems *problems, struct views *ret) {
    size_t before = problems->n;
    int line = 1;
    *ret = (struct views){ .parsed = strdup(text) };
    if (!ret->parsed)
        return -ENOMEM;
    char *p = header_section(ret->parsed, section_mark, &line);
    while (*p) {
        int next_line = line;
        char *next = header_section(p + 1, section_mark, &next_line);
        if (*next)
            next[-1] = '\0';
        int r = read_view(ret, p, line, problems);
        if (r < 0)
            return r;
        p = next;
        line = next_line;
    }
    return problems->n > before ? 1 : 0;
}

void views_done(struct views *views) {
    for (size_t i = 0; i < views->n; i++) {
        free(views->views[i].query);
        free(views->views[i].look);
        free(views->views[i].blank);
        free(views->views[i].clear);
    }
    free(views->views);
    free(views->parsed);
    *views = (struct views){ 0 };
}

// Makes the table, with its rows or without. Where there is no such table, there may be what stands
// for it.
static int make_table(const struct view *view, struct sandbox *sandbox, bool rows) {
    _cleanup_free_ char *sql = NULL;
    if (asprintf(&sql, "DROP VIEW IF EXISTS temp.\"%s\";CREATE TEMP TABLE \"%s\" AS %s%s%s",
                view->name, view->name, rows ? "" : "SELECT * FROM (", view->query,
                rows ? "" : "\n) LIMIT 0") < 0) {
        sql = NULL;
        return -ENOMEM;
    }
    return sandbox_run(sandbox, sql);
}

// The columns as they are told.
static bool has_columns(const struct view *view, sqlite3_stmt *query) {
    const char *p = view->columns;
    size_t n;
    if (!p)
        return true;
    for (int i = 0; i < sqlite3_column_count(query); i++, p += n) {
        const char *name = sqlite3_column_name(query, i);
        p = next_name(p, &n);
        if (strlen(name) != n || memcmp(p, name, n) != 0)
            return false;
    }
    next_name(p, &n);
    return n == 0;
}

int views_check(const struct views *views, struct sandbox *sandbox, struct problems *problems) {
    size_t before = problems->n;
    for (size_t i = 0; i < views->n; i++) {
        const struct view *view = &views->views[i];
        sqlite3_stmt *query = NULL;
        const char *tail;
        // A view keeps to what rules may do.
        int r = sandbox_try(sandbox, view->query, &query, &tail);
        bool told = r != SQLITE_OK || has_columns(view, query);
        sqlite3_finalize(query);
        char fault[160];
        if (view->when && !sandbox_check_condition(sandbox, view->when, fault, sizeof(fault)))
            problem(problems, view->line, "%s: when: %s", view->name, fault);
        if (!told)
            problem(problems, view->line, "%s: its columns are others than told", view->name);
        if (r != SQLITE_OK)
            problem(problems, view->line, "%s: %s", view->name,
                    sandbox->refused[0] ? sandbox->refused : sqlite3_errmsg(sandbox->db));
        else if (make_table(view, sandbox, false) < 0)
            problem(problems, view->line, "%s: %s", view->name, sqlite3_errmsg(sandbox->db));
    }
    return problems->n > before ? 1 : 0;
}

static int clear(const struct view *view, struct sandbox *sandbox) {
    _cleanup_kept_ sqlite3_stmt *statement = NULL;
    if (sandbox_own(sandbox, view->clear, &statement) != SQLITE_OK) {
        int r = make_table(view, sandbox, false);
        if (r < 0)
            return r;
        if (sandbox_own(sandbox, view->clear, &statement) != SQLITE_OK)
            return -EIO;
    }
    return sandbox_step(sandbox, statement) == SQLITE_DONE ? 0 : -EIO;
}

// Nothing is made where a view stands for the table or the table is empty.
static int leave_empty(const struct view *view, struct sandbox *sandbox) {
    sqlite3_stmt *statement;
    if (sandbox_own(sandbox, view->look, &statement) != SQLITE_OK)
        return sandbox_run(sandbox, view->blank);
    bool any = sandbox_step(sandbox, statement) == SQLITE_ROW;
    sandbox_done(statement);
    return any ? clear(view, sandbox) : 0;
}

int views_clear(const struct views *views, struct sandbox *sandbox) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < views->n; i++)
        r = views->views[i].when ? leave_empty(&views->views[i], sandbox)
                                 : clear(&views->views[i], sandbox);
    return r;
}

static bool refill(const struct view *view, struct sandbox *sandbox) {
    _cleanup_kept_ sqlite3_stmt *statement = NULL;
    _cleanup_free_ char *sql = NULL;
    if (asprintf(&sql, "INSERT INTO temp.\"%s\" %s", view->name, view->query) < 0) {
        sql = NULL;
        return false;
    }
    return sandbox_own(sandbox, sql, &statement) == SQLITE_OK &&
           sandbox_step(sandbox, statement) == SQLITE_DONE;
}

// A table that is not there yet is made with its rows: that prepares the query once. Who judges
// once, as most do, needs no more.
static int fill(const struct view *view, struct sandbox *sandbox, struct verdict *verdict) {
    bool there;
    if (view->when && !sandbox_holds(sandbox, view->when))
        return leave_empty(view, sandbox);
    {
        _cleanup_kept_ sqlite3_stmt *statement = NULL;
        there = sandbox_own(sandbox, view->clear, &statement) == SQLITE_OK;
        if (there && sandbox_step(sandbox, statement) != SQLITE_DONE)
            return -EIO;
    }
    if (there ? refill(view, sandbox) : make_table(view, sandbox, true) == 0)
        return 0;
    int r = add_remark(&verdict->not_judged, &verdict->n_not_judged, view->name, "%s",
            sqlite3_errmsg(sandbox->db));
    return r < 0 || there ? r : make_table(view, sandbox, false);
}

int views_fill(const struct views *views, struct sandbox *sandbox, struct verdict *verdict) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < views->n; i++) {
        r = fill(&views->views[i], sandbox, verdict);
        sandbox_spare(sandbox);
    }
    return r;
}
