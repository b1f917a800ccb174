// SPDX-License-Identifier: GPL-2.0-or-later
// Kept statements
#include "rules/statements.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rules/append.h"

struct kept {
    size_t length;
    char *sql;
    sqlite3_stmt *statement;
};

struct statements {
    struct kept *kept;
    size_t n;
};

void statements_forget(struct statements *statements) {
    for (size_t i = 0; i < statements->n; i++) {
        sqlite3_finalize(statements->kept[i].statement);
        free(statements->kept[i].sql);
    }
    statements->n = 0;
}

static void release(void *companion) {
    struct statements *statements = companion;
    statements_forget(statements);
    free(statements->kept);
    free(statements);
}

struct statements *statements_of(struct store *store) {
    struct statements *statements = store_companion(store);
    if (statements)
        return statements;
    statements = calloc(1, sizeof(*statements));
    if (statements)
        store_set_companion(store, statements, release);
    return statements;
}

sqlite3_stmt *statements_find(struct statements *statements, const char *sql) {
    size_t length = strlen(sql);
    for (size_t i = 0; i < statements->n; i++) {
        const struct kept *kept = &statements->kept[i];
        if (kept->length != length || memcmp(kept->sql, sql, length) != 0)
            continue;
        sqlite3_reset(kept->statement);
        sqlite3_clear_bindings(kept->statement);
        return kept->statement;
    }
    return NULL;
}

int statements_add(struct statements *statements, const char *sql, sqlite3_stmt *statement) {
    char *copy = strdup(sql);
    struct kept *kept = copy ? append(statements->kept, statements->n) : NULL;
    if (!kept) {
        free(copy);
        sqlite3_finalize(statement);
        return -ENOMEM;
    }
    *kept = (struct kept){ strlen(sql), copy, statement };
    return 0;
}
