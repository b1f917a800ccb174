// SPDX-License-Identifier: GPL-2.0-or-later
// Last values
#include "core/store_private.h"

#include <errno.h>
#include <string.h>

// Lengths are counted, not wall clock times: the clock may have been set.
int store_present_step(struct store *store, int64_t *ret_step, bool *ret_sure) {
    _cleanup_statement_ sqlite3_stmt *steps = NULL;
    int r = store_prepare(store, "SELECT step,length_ms FROM main.step ORDER BY step DESC", &steps);
    if (r < 0)
        return r;
    int64_t step = 0, length_ms = 0;
    int rc = SQLITE_ROW;
    while (length_ms <= STORE_PRESENT_MS && (rc = sqlite3_step(steps)) == SQLITE_ROW) {
        step = sqlite3_column_int64(steps, 0);
        length_ms += sqlite3_column_int64(steps, 1);
    }
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        return store_fail(store, rc);
    *ret_step = step;
    *ret_sure = length_ms > STORE_PRESENT_MS;
    return 0;
}

static char *select_last(const struct store_table *t) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    fputs("SELECT ", out);
    for (size_t i = 0; i < t->table->n_columns; i++)
        fprintf(out, t->present[i] ? "%s\"%s\"" : "%sNULL AS \"%s\"", i ? "," : "",
                t->table->columns[i].name);
    fprintf(out, " FROM main.\"%s_last\" WHERE step>=?", t->table->name);
    fclose(out);
    return text;
}

int store_last(struct store *store, size_t table, struct rows *ret_totals) {
    const struct store_table *t = &store->tables[table];
    rows_clear(ret_totals);
    if (!t->present[0])
        return 0;
    int64_t present;
    bool sure;
    int r = store_present_step(store, &present, &sure);
    if (r < 0)
        return r;
    _cleanup_free_ char *sql = select_last(t);
    _cleanup_statement_ sqlite3_stmt *rows = NULL;
    r = store_prepare(store, sql, &rows);
    if (r < 0)
        return r;
    sqlite3_bind_int64(rows, 1, sure ? present : 0);
    int rc;
    while ((rc = sqlite3_step(rows)) == SQLITE_ROW) {
        cell *row = rows_add(ret_totals);
        r = row ? store_read_row(rows, 0, t, ret_totals, row) : -ENOMEM;
        if (r < 0)
            return r;
    }
    return rc == SQLITE_DONE ? 0 : store_fail(store, rc);
}

int store_last_time(struct store *store, int64_t *ret_wall_ms, int64_t *ret_boottime_ms) {
    char value[32] = "0";
    int64_t wall_ms = 0;
    int r = store_integer(
            store, "SELECT end_ms FROM main.step ORDER BY step DESC LIMIT 1", &wall_ms);
    if (r >= 0)
        r = store_get_meta(store, "last_boottime_ms", value, sizeof(value));
    if (r < 0)
        return r;
    *ret_wall_ms = wall_ms;
    *ret_boottime_ms = wall_ms ? strtoll(value, NULL, 10) : 0;
    return 0;
}
