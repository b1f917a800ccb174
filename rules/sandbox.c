// SPDX-License-Identifier: GPL-2.0-or-later
// Query sandbox
#include "rules/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define TICK_STEPS 10000

// Rules know no clock, no chance and no file: the same window gives the same verdict everywhere.
static const char *const refused_functions[] = {
    "load_extension", "random", "randomblob", "zeroblob", "readfile", "writefile", "edit",
    "current_time", "current_date", "current_timestamp", "fts3_tokenizer", "sqlite_compileoption_get",
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

// Within a view of the window, SQLite names it as `view`; there the stored tables are read on the rule's behalf. It
// does not for a table none of whose columns is used; nothing is read then.
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

void sandbox_enter(struct sandbox *sandbox, sqlite3 *db) {
    *sandbox = (struct sandbox){ .db = db };
    sandbox->length_limit = sqlite3_limit(db, SQLITE_LIMIT_LENGTH, SANDBOX_MAX_LENGTH);
    sqlite3_set_authorizer(db, authorize, sandbox);
    sqlite3_progress_handler(db, TICK_STEPS, tick, sandbox);
}

void sandbox_leave(struct sandbox *sandbox) {
    sqlite3_progress_handler(sandbox->db, 0, NULL, NULL);
    sqlite3_set_authorizer(sandbox->db, NULL, NULL);
    sqlite3_limit(sandbox->db, SQLITE_LIMIT_LENGTH, sandbox->length_limit);
}

void sandbox_reset(struct sandbox *sandbox) {
    sandbox->ticks = 0;
    sandbox->expired = false;
    sandbox->refused[0] = '\0';
}

int sandbox_prepare(struct sandbox *sandbox, const char *sql, sqlite3_stmt **ret) {
    sandbox->own = true;
    int r = sqlite3_prepare_v2(sandbox->db, sql, -1, ret, NULL);
    sandbox->own = false;
    return r;
}

int sandbox_step(struct sandbox *sandbox, sqlite3_stmt *statement) {
    sandbox->own = true;
    int r = sqlite3_step(statement);
    sandbox->own = false;
    return r;
}

int sandbox_run(struct sandbox *sandbox, const char *sql) {
    sandbox->own = true;
    int r = sqlite3_exec(sandbox->db, sql, NULL, NULL, NULL);
    sandbox->own = false;
    return r == SQLITE_OK ? 0 : r == SQLITE_NOMEM ? -ENOMEM : -EIO;
}
