// SPDX-License-Identifier: GPL-2.0-or-later
// Query sandbox
#include "rules/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "rules/statements.h"

#define TICK_STEPS 10000
#define CONDITION_SIZE 512 // of a 'when' line as a query

// Rules know no clock, no chance and no file: the same window gives the same verdict everywhere.
static const char *const refused_functions[] = {
    "load_extension",
    "random",
    "randomblob",
    "zeroblob",
    "readfile",
    "writefile",
    "edit",
    "current_time",
    "current_date",
    "current_timestamp",
    "fts3_tokenizer",
    "sqlite_compileoption_get",
};

static int refuse(struct sandbox *sandbox, const char *what, const char *name) {
    snprintf(sandbox->refused, sizeof(sandbox->refused), "%s%s%s", what, name ? " " : "",
            name ? name : "");
    return SQLITE_DENY;
}

static int authorize_function(struct sandbox *sandbox, const char *name) {
    for (size_t i = 0; i < sizeof(refused_functions) / sizeof(refused_functions[0]); i++)
        if (strcasecmp(name, refused_functions[i]) == 0)
            return refuse(sandbox, "a rule may not call", name);
    return SQLITE_OK;
}

// Within a view of the window, SQLite names it as `view`; there the stored tables are read on the
// rule's behalf. It does not for a table none of whose columns is used; nothing is read then.
static int authorize_read(struct sandbox *sandbox, const char *table, const char *column,
        const char *database, const char *view) {
    if (strncasecmp(table, "sqlite_", 7) == 0)
        return refuse(sandbox, "a rule may not read", table);
    if (!view && *column && database && strcmp(database, "main") == 0)
        return refuse(sandbox, "a rule may not read outside of the window:", table);
    return SQLITE_OK;
}

static int authorize(void *data, int action, const char *first, const char *second,
        const char *database, const char *view) {
    struct sandbox *sandbox = data;
    if (sandbox->own)
        return SQLITE_OK;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_READ:
        return authorize_read(sandbox, first, second, database, view);
    case SQLITE_FUNCTION:
        return authorize_function(sandbox, second);
    default:
        return refuse(sandbox, "a rule may only SELECT", NULL);
    }
}

static int tick(void *data) {
    struct sandbox *sandbox = data;
    sandbox->ticks += TICK_STEPS;
    if (sandbox->own || sandbox->ticks <= SANDBOX_MAX_STEPS)
        return 0;
    sandbox->expired = true;
    return 1;
}

int sandbox_enter(struct sandbox *sandbox, struct store *store) {
    *sandbox = (struct sandbox){ .db = store_db(store), .statements = statements_of(store) };
    if (!sandbox->statements)
        return -ENOMEM;
    sandbox->length_limit = sqlite3_limit(sandbox->db, SQLITE_LIMIT_LENGTH, SANDBOX_MAX_LENGTH);
    sqlite3_progress_handler(sandbox->db, TICK_STEPS, tick, sandbox);
    return 0;
}

void sandbox_leave(struct sandbox *sandbox) {
    if (!sandbox->statements)
        return;
    sqlite3_progress_handler(sandbox->db, 0, NULL, NULL);
    if (sandbox->guarded)
        sqlite3_set_authorizer(sandbox->db, NULL, NULL);
    sqlite3_limit(sandbox->db, SQLITE_LIMIT_LENGTH, sandbox->length_limit);
}

void sandbox_spare(struct sandbox *sandbox) {
    if (sandbox->thrifty)
        statements_forget(sandbox->statements);
}

// Setting an authorizer makes SQLite prepare all statements of the connection anew: only when there
// is need.
static void guard(struct sandbox *sandbox) {
    if (!sandbox->guarded)
        sqlite3_set_authorizer(sandbox->db, authorize, sandbox);
    sandbox->guarded = true;
}

int sandbox_try(
        struct sandbox *sandbox, const char *sql, sqlite3_stmt **ret, const char **ret_tail) {
    guard(sandbox);
    sandbox->refused[0] = '\0';
    return sqlite3_prepare_v2(sandbox->db, sql, -1, ret, ret_tail);
}

static int keep(struct sandbox *sandbox, const char *sql, sqlite3_stmt *statement) {
    if (!statement) // no SQL in it
        return SQLITE_ERROR;
    return statements_add(sandbox->statements, sql, statement) < 0 ? SQLITE_NOMEM : SQLITE_OK;
}

int sandbox_rule(struct sandbox *sandbox, const char *sql, sqlite3_stmt **ret) {
    sandbox->ticks = 0;
    sandbox->expired = false;
    *ret = statements_find(sandbox->statements, sql);
    if (*ret)
        return SQLITE_OK;
    sqlite3_stmt *statement = NULL;
    int r = sandbox_try(sandbox, sql, &statement, NULL);
    if (r == SQLITE_OK)
        r = keep(sandbox, sql, statement);
    if (r == SQLITE_OK)
        *ret = statement;
    return r;
}

int sandbox_condition(struct sandbox *sandbox, const char *condition, sqlite3_stmt **ret) {
    char sql[CONDITION_SIZE];
    snprintf(sql, sizeof(sql), "SELECT %s", condition);
    return sandbox_rule(sandbox, sql, ret);
}

bool sandbox_holds(struct sandbox *sandbox, const char *condition) {
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (sandbox_condition(sandbox, condition, &row) != SQLITE_OK || sqlite3_step(row) != SQLITE_ROW)
        return true;
    return sqlite3_column_int(row, 0) != 0;
}

bool sandbox_try_condition(struct sandbox *sandbox, const char *condition, char *fault, size_t size,
        sqlite3_stmt **ret) {
    char sql[CONDITION_SIZE];
    const char *tail = "";
    int n = snprintf(sql, sizeof(sql), "SELECT %s", condition);
    fault[0] = '\0';
    if (n >= (int) sizeof(sql))
        snprintf(fault, size, "too long");
    else if (sandbox_try(sandbox, sql, ret, &tail) != SQLITE_OK)
        snprintf(fault, size, "%s",
                sandbox->refused[0] ? sandbox->refused : sqlite3_errmsg(sandbox->db));
    else if (sqlite3_column_count(*ret) != 1 || *tail)
        snprintf(fault, size, "not a condition");
    return !fault[0];
}

bool sandbox_check_condition(
        struct sandbox *sandbox, const char *condition, char *fault, size_t size) {
    sqlite3_stmt *row = NULL;
    if (sandbox_try_condition(sandbox, condition, fault, size, &row) &&
            sqlite3_bind_parameter_count(row) > 0)
        snprintf(fault, size, "it has no parameters");
    sqlite3_finalize(row);
    return !fault[0];
}

int sandbox_own(struct sandbox *sandbox, const char *sql, sqlite3_stmt **ret) {
    *ret = statements_find(sandbox->statements, sql);
    if (*ret)
        return SQLITE_OK;
    sqlite3_stmt *statement = NULL;
    sandbox->own = true;
    int r = sqlite3_prepare_v2(sandbox->db, sql, -1, &statement, NULL);
    sandbox->own = false;
    if (r == SQLITE_OK)
        r = keep(sandbox, sql, statement);
    if (r == SQLITE_OK)
        *ret = statement;
    return r;
}

int sandbox_step(struct sandbox *sandbox, sqlite3_stmt *statement) {
    sandbox->own = true;
    int r = sqlite3_step(statement);
    sandbox->own = false;
    return r;
}

void sandbox_done(sqlite3_stmt *statement) {
    sqlite3_reset(statement); // a statement that is not reset keeps its reading transaction
}

int sandbox_run(struct sandbox *sandbox, const char *sql) {
    sandbox->own = true;
    int r = sqlite3_exec(sandbox->db, sql, NULL, NULL, NULL);
    sandbox->own = false;
    return r == SQLITE_OK ? 0 : r == SQLITE_NOMEM ? -ENOMEM : -EIO;
}
