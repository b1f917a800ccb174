// SPDX-License-Identifier: GPL-2.0-or-later
// Window text
#include "core/window_private.h"

static const char *sql_type(const struct column *column) {
    return column_is_text(column) ? "TEXT" : "INTEGER";
}

static void put_table(FILE *out, const struct store_table *t, bool anew) {
    const struct table *table = t->table;
    if (anew)
        fprintf(out, "DROP TABLE IF EXISTS temp.\"%s\";\n", table->name);
    fprintf(out, "CREATE TEMP TABLE \"%s\"(", table->name);
    for (size_t i = 0; i < table->n_columns; i++)
        fprintf(out, "\"%s\" %s,", table->columns[i].name, sql_type(&table->columns[i]));
    for (size_t i = 0; i < table->n_columns; i++)
        if (t->highest[i])
            fprintf(out, "\"%s_max\" INTEGER,", table->columns[i].name);
    fputs("PRIMARY KEY(", out);
    sql_columns(out, table, table->n_keys, "");
    fputs(")) WITHOUT ROWID;\n", out);
}

// A value of a stored row, or NULL where the database has no such column.
static void put_value(FILE *out, const struct store_table *t, size_t column) {
    if (t->present[column])
        fprintf(out, ",t.\"%s\"", t->table->columns[column].name);
    else
        fprintf(out, ",NULL AS \"%s\"", t->table->columns[column].name);
}

static void put_highest(FILE *out, const struct store_table *t, size_t column, enum level level) {
    const char *name = t->table->columns[column].name;
    if (!t->present[column])
        fprintf(out, ",NULL AS \"%s_max\"", name);
    else if (level == LEVEL_STEP)
        fprintf(out, ",t.\"%s\" AS \"%s_max\"", name, name);
    else
        fprintf(out, ",t.\"%s_max\"", name);
}

static void put_values(FILE *out, const struct store_table *t, enum level level) {
    for (size_t i = 0; i < t->table->n_columns; i++)
        put_value(out, t, i);
    for (size_t i = 0; i < t->table->n_columns; i++)
        if (t->highest[i])
            put_highest(out, t, i, level);
}

// A database that never had the table.
static bool is_stored(const struct store_table *t) {
    return t->present[0];
}

static void put_total_view(FILE *out, const struct store_table *t, bool anew) {
    if (anew)
        fprintf(out, "DROP VIEW IF EXISTS temp.\"%s_total\";\n", t->table->name);
    fprintf(out, "CREATE TEMP VIEW \"%s_total\" AS SELECT t.step AS step", t->table->name);
    for (size_t i = 0; i < t->table->n_columns; i++)
        put_value(out, t, i);
    if (is_stored(t))
        fprintf(out,
                " FROM main.\"%s_last\" t WHERE t.step>=(SELECT present_step FROM temp.window);\n",
                t->table->name);
    else
        fputs(" FROM (SELECT 0 AS step) t WHERE 0;\n", out);
}

void window_put_tables(FILE *out, const struct store *store, bool anew) {
    if (anew)
        fputs("DROP TABLE IF EXISTS temp.window;\nDROP TABLE IF EXISTS temp.step;\n", out);
    fputs("CREATE TEMP TABLE window(start_ms INTEGER,end_ms INTEGER,seconds REAL,steps INTEGER,"
          "kind TEXT,gap_ms INTEGER,first_step INTEGER,last_step INTEGER,present_step INTEGER);\n"
          "CREATE TEMP TABLE step(step INTEGER PRIMARY KEY,start_ms INTEGER,end_ms INTEGER,"
          "seconds REAL,flags INTEGER,gap_ms INTEGER);\n",
            out);
    for (size_t i = 0; i < store->n_tables; i++) {
        put_table(out, &store->tables[i], anew);
        put_total_view(out, &store->tables[i], anew);
    }
}

// One table, neither join nor union: SQLite can then merge the view into a rule's query, and reads
// only the columns that this asks for.
static void put_step_view(
        FILE *out, const struct store_table *t, enum level level, bool sparse, bool anew) {
    const char *name = t->table->name;
    if (anew)
        fprintf(out, "DROP VIEW IF EXISTS temp.\"%s_step\";\n", name);
    fprintf(out,
            "CREATE TEMP VIEW \"%s_step\" AS SELECT t.step AS step,"
            "(SELECT s.seconds FROM temp.step s WHERE s.step=t.step) AS seconds",
            name);
    put_values(out, t, level);
    if (!is_stored(t)) {
        fputs(" FROM (SELECT 0 AS step) t WHERE 0;\n", out);
        return;
    }
    fprintf(out,
            " FROM main.\"%s%s\" t WHERE t.step BETWEEN (SELECT first_step FROM temp.window)"
            " AND (SELECT last_step FROM temp.window)%s;\n",
            name, levels[level].suffix,
            sparse ? " AND t.step IN (SELECT s.step FROM temp.step s)" : "");
}

void window_put_step_views(
        FILE *out, const struct store *store, enum level level, bool sparse, bool anew) {
    for (size_t i = 0; i < store->n_tables; i++)
        put_step_view(out, &store->tables[i], level, sparse, anew);
}

void window_put_steps(FILE *out, enum level level) {
    fprintf(out, "INSERT INTO temp.step(step,start_ms,end_ms,seconds,flags,gap_ms)"
                 " SELECT step,end_ms-length_ms,end_ms,length_ms/1000.0,flags,");
    if (level == LEVEL_STEP)
        fprintf(out,
                "(flags&%d!=0)*length_ms FROM main.step WHERE end_ms>?1 AND end_ms<=?2"
                " AND flags&%d=0",
                STEP_GAP, STEP_BASELINE);
    else
        fprintf(out, "gap_ms FROM main.step%s WHERE step BETWEEN ?1 AND ?2", levels[level].suffix);
}

static void put_target(FILE *out, const struct store_table *t) {
    fprintf(out, "INTO temp.\"%s\"(", t->table->name);
    sql_columns(out, t->table, t->table->n_columns, "");
    for (size_t i = 0; i < t->table->n_columns; i++)
        if (t->highest[i])
            fprintf(out, ",\"%s_max\"", t->table->columns[i].name);
    fputc(')', out);
}

static void put_clear(FILE *out, const struct store_table *t, enum level level) {
    (void) level;
    fprintf(out, "DELETE FROM temp.\"%s\"", t->table->name);
}

// ?1 <= end of the step < ?2; ?3 <= step <= ?4
static void put_fine(FILE *out, const struct store_table *t, enum level level) {
    if (!is_stored(t))
        return;
    fputs("SELECT s.step", out);
    put_values(out, t, level);
    fprintf(out,
            " FROM temp.step s CROSS JOIN main.\"%s%s\" t ON t.step=s.step"
            " WHERE s.end_ms>=?1 AND s.end_ms<?2 AND s.step BETWEEN ?3 AND ?4 ORDER BY s.step",
            t->table->name, levels[level].suffix);
}

// Steps ?1..?2 of the next level.
static void put_coarse(FILE *out, const struct store_table *t, enum level level) {
    if (!is_stored(t) || !t->rolled_up || level == LEVEL_HOUR)
        return;
    fputs("SELECT t.step", out);
    put_values(out, t, level + 1);
    fprintf(out, " FROM main.\"%s%s\" t WHERE t.step BETWEEN ?1 AND ?2 ORDER BY t.step",
            t->table->name, levels[level + 1].suffix);
}

static void put_insert(FILE *out, const struct store_table *t, enum level level) {
    (void) level;
    size_t n = t->table->n_columns;
    for (size_t i = 0; i < t->table->n_columns; i++)
        n += t->highest[i];
    fputs("INSERT ", out);
    put_target(out, t);
    fputs(" VALUES(?", out);
    while (--n > 0)
        fputs(",?", out);
    fputc(')', out);
}

// Objects without a row in the window that have one in the steps ?1..?2 before it, the newest.
// Nothing happened to them: a counter that the object has at all grew by 0. T_last tells that also
// where the row before the window is a first look, whose growth is not known.
static void put_presence(FILE *out, const struct store_table *t, enum level level) {
    const struct table *table = t->table;
    if (!is_stored(t))
        return;
    fputs("INSERT OR IGNORE ", out);
    put_target(out, t);
    fputs(" SELECT ", out);
    sql_columns(out, table, table->n_keys, "t.");
    for (size_t i = table->n_keys; i < table->n_columns; i++) {
        const char *name = table->columns[i].name;
        if (t->present[i] && table->columns[i].kind == COLUMN_COUNTER)
            fprintf(out, ",coalesce(t.\"%s\",l.\"%s\")*0", name, name);
        else
            put_value(out, t, i);
    }
    for (size_t i = 0; i < table->n_columns; i++)
        if (t->highest[i])
            put_highest(out, t, i, level);
    fprintf(out, " FROM main.\"%s%s\" t LEFT JOIN main.\"%s_last\" l ON 1", table->name,
            levels[level].suffix, table->name);
    for (size_t i = 0; i < table->n_keys; i++)
        fprintf(out, " AND l.\"%s\"=t.\"%s\"", table->columns[i].name, table->columns[i].name);
    fprintf(out,
            " WHERE t.step BETWEEN ?1 AND ?2 AND NOT EXISTS (SELECT 1 FROM temp.\"%s\" x WHERE 1",
            table->name);
    for (size_t i = 0; i < table->n_keys; i++)
        fprintf(out, " AND x.\"%s\"=t.\"%s\"", table->columns[i].name, table->columns[i].name);
    fputs(") ORDER BY t.step DESC", out);
}

void window_put_piece(
        FILE *out, enum window_piece piece, const struct store_table *t, enum level level) {
    static void (*const put[])(FILE * out, const struct store_table *t, enum level level) = {
        [PIECE_CLEAR] = put_clear,
        [PIECE_FINE] = put_fine,
        [PIECE_COARSE] = put_coarse,
        [PIECE_INSERT] = put_insert,
        [PIECE_PRESENCE] = put_presence,
    };
    put[piece](out, t, level);
}

static void put_literal(FILE *out, sqlite3_stmt *row, int at) {
    char *text = sqlite3_column_type(row, at) == SQLITE_TEXT
                         ? sqlite3_mprintf("%Q", sqlite3_column_text(row, at))
                         : NULL;
    if (text)
        fputs(text, out);
    else if (sqlite3_column_type(row, at) == SQLITE_NULL)
        fputs("NULL", out);
    else
        fprintf(out, "%lld", sqlite3_column_int64(row, at));
    sqlite3_free(text);
}

int window_put_filled(FILE *out, struct store *store, const struct store_table *t) {
    char sql[128];
    snprintf(sql, sizeof(sql), "SELECT * FROM temp.\"%s\"", t->table->name);
    _cleanup_statement_ sqlite3_stmt *rows = NULL;
    int r = store_prepare(store, sql, &rows), rc;
    if (r < 0)
        return r;
    while ((rc = sqlite3_step(rows)) == SQLITE_ROW) {
        fprintf(out, "INSERT INTO temp.\"%s\" VALUES", t->table->name);
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            fputc(i ? ',' : '(', out);
            put_literal(out, rows, i);
        }
        fputs(");\n", out);
    }
    return rc == SQLITE_DONE ? 0 : store_fail(store, rc);
}
