// SPDX-License-Identifier: GPL-2.0-or-later
// Window
//
// Tables, views and statements stay between windows, so that what rules have prepared on them stays
// valid too; only another level makes new T_step views.
#include "core/window_private.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct store_window {
    bool made, viewed; // the tables; the T_step views
    bool failed;       // some of them may be there
    enum level level;  // of the T_step views
    bool sparse;
    struct window open; // steps 0: none
    bool snapshot;      // a reader's transaction that lasts as long as the window
    sqlite3_stmt *fill_steps[N_LEVELS], *fill_window;
    sqlite3_stmt *(*pieces)[N_PIECES]; // per table
    enum level pieces_level;
};

const char *window_kind_name(enum window_kind kind) {
    static const char *const names[] = {
        [WINDOW_LIVE] = "live",
        [WINDOW_HISTORY] = "history",
        [WINDOW_CAPTURE] = "capture",
        [WINDOW_SINCE_BOOT] = "since-boot",
    };
    return names[kind];
}

static void drop_pieces_of(sqlite3_stmt **pieces) {
    for (size_t piece = 0; piece < N_PIECES; piece++) {
        sqlite3_finalize(pieces[piece]);
        pieces[piece] = NULL;
    }
}

static void drop_pieces(struct store *store, struct store_window *window) {
    for (size_t i = 0; window->pieces && i < store->n_tables; i++)
        drop_pieces_of(window->pieces[i]);
}

void window_rest(struct store *store) {
    struct store_window *window = store->window;
    if (!window)
        return;
    drop_pieces(store, window);
    for (size_t level = 0; level < N_LEVELS; level++) {
        sqlite3_finalize(window->fill_steps[level]);
        window->fill_steps[level] = NULL;
    }
    sqlite3_finalize(window->fill_window);
    window->fill_window = NULL;
}

void window_free(struct store *store) {
    struct store_window *window = store->window;
    if (!window)
        return;
    window_rest(store);
    free(window->pieces);
    free(window);
    store->window = NULL;
}

// Generated text, run or kept as a statement.
struct script {
    FILE *out;
    char *text;
    size_t length;
};

static int script_begin(struct script *script) {
    script->out = open_memstream(&script->text, &script->length);
    return script->out ? 0 : -ENOMEM;
}

static int script_exec(struct script *script, struct store *store) {
    int r = fclose(script->out) == 0 ? store_exec(store, script->text) : -ENOMEM;
    free(script->text);
    return r;
}

static int script_prepare(struct script *script, struct store *store, sqlite3_stmt **ret) {
    int r = fclose(script->out) == 0 ? store_prepare(store, script->text, ret) : -ENOMEM;
    free(script->text);
    return r;
}

static int make_tables(struct store *store) {
    if (!store->window) {
        store->window = calloc(1, sizeof(*store->window));
        if (!store->window)
            return -ENOMEM;
    }
    if (!store->window->pieces)
        store->window->pieces = calloc(store->n_tables + 1, sizeof(*store->window->pieces));
    if (!store->window->pieces)
        return -ENOMEM;
    if (store->window->made)
        return 0;
    struct script script;
    int r = script_begin(&script);
    if (r < 0)
        return r;
    window_put_tables(script.out, store, store->window->failed);
    r = script_exec(&script, store);
    store->window->made = r >= 0;
    return r;
}

static int make_step_views(struct store *store, const struct window_range *range) {
    struct store_window *window = store->window;
    if (window->viewed && window->level == range->level && window->sparse == range->sparse)
        return 0;
    struct script script;
    int r = script_begin(&script);
    if (r < 0)
        return r;
    window_put_step_views(
            script.out, store, range->level, range->sparse, window->viewed || window->failed);
    r = script_exec(&script, store);
    if (r < 0)
        return r;
    window->viewed = true;
    window->level = range->level;
    window->sparse = range->sparse;
    return 0;
}

static int fill_steps(struct store *store, const struct window_range *range) {
    sqlite3_stmt **statement = &store->window->fill_steps[range->level];
    struct script script;
    int r = store_exec(store, "DELETE FROM temp.step;DELETE FROM temp.window");
    if (r >= 0 && !*statement) {
        r = script_begin(&script);
        if (r < 0)
            return r;
        window_put_steps(script.out, range->level);
        r = script_prepare(&script, store, statement);
    }
    if (r < 0)
        return r;
    bool steps = range->level == LEVEL_STEP;
    sqlite3_bind_int64(
            *statement, 1, steps ? range->start_ms : level_step_at(range->level, range->start_ms));
    sqlite3_bind_int64(
            *statement, 2, steps ? range->end_ms : level_step_at(range->level, range->end_ms - 1));
    return store_run(store, *statement);
}

static int fill_window(
        struct store *store, const struct window_range *range, const struct window *window) {
    sqlite3_stmt **statement = &store->window->fill_window;
    int r = *statement ? 0
                       : store_prepare(store,
                                 "INSERT INTO temp.window(start_ms,end_ms,seconds,steps,kind,"
                                 "gap_ms,first_step,last_step,present_step)"
                                 " VALUES(?,?,?,?,?,?,?,?,?)",
                                 statement);
    if (r < 0)
        return r;
    sqlite3_bind_int64(*statement, 1, window->start_ms);
    sqlite3_bind_int64(*statement, 2, window->end_ms);
    sqlite3_bind_double(*statement, 3, window->seconds);
    sqlite3_bind_int64(*statement, 4, window->steps);
    sqlite3_bind_text(*statement, 5, window_kind_name(window->kind), -1, SQLITE_STATIC);
    sqlite3_bind_int64(*statement, 6, window->gap_ms);
    sqlite3_bind_int64(*statement, 7, range->first_step);
    sqlite3_bind_int64(*statement, 8, range->last_step);
    sqlite3_bind_int64(*statement, 9, range->present_step);
    return store_run(store, *statement);
}

static int prepare_pieces(struct store *store, size_t table, enum level level) {
    for (enum window_piece piece = 0; piece < N_PIECES; piece++) {
        sqlite3_stmt **statement = &store->window->pieces[table][piece];
        struct script script;
        int r = *statement ? 0 : script_begin(&script);
        if (r < 0)
            return r;
        if (*statement)
            continue;
        window_put_piece(script.out, piece, &store->tables[table], level);
        r = script_prepare(&script, store, statement);
        if (r < 0)
            return r;
    }
    return 0;
}

static int fill_table(struct store *store, size_t table, const struct window_range *range) {
    int r = prepare_pieces(store, table, range->level);
    sqlite3_stmt **pieces = store->window->pieces[table];
    if (r >= 0)
        r = store_run(store, pieces[PIECE_CLEAR]);
    // There is none where the database does not have the table.
    if (r < 0 || !pieces[PIECE_FINE])
        return r;
    r = window_sum(store, &store->tables[table], pieces, range);
    if (r < 0)
        return r;
    sqlite3_bind_int64(pieces[PIECE_PRESENCE], 1, range->before_first);
    sqlite3_bind_int64(pieces[PIECE_PRESENCE], 2, range->before_last);
    return store_run(store, pieces[PIECE_PRESENCE]);
}

static int fill_tables(struct store *store, const struct window_range *range) {
    if (store->window->pieces_level != range->level)
        drop_pieces(store, store->window);
    store->window->pieces_level = range->level;
    int r = 0;
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++) {
        r = fill_table(store, i, range);
        if (store->thrifty)
            drop_pieces_of(store->window->pieces[i]);
    }
    return r;
}

static int make(struct store *store, struct window_range *range, struct window *window) {
    int r = store->in_transaction ? store_flush(store) : 0;
    if (r >= 0)
        r = make_tables(store);
    if (r >= 0)
        r = range_choose_level(store, range);
    if (r >= 0)
        r = fill_steps(store, range);
    if (r >= 0)
        r = range_measure(store, range, window);
    if (r != 0)
        return r;
    r = fill_window(store, range, window);
    if (r >= 0)
        r = make_step_views(store, range);
    return r < 0 ? r : fill_tables(store, range);
}

static int end_snapshot(struct store *store) {
    if (!store->window || !store->window->snapshot)
        return 0;
    store->window->snapshot = false;
    return sqlite3_get_autocommit(store->db) ? 0 : store_exec(store, "COMMIT");
}

// All of it sees one state of the database, whatever the daemon writes meanwhile. A reader keeps
// this state until its next window: the T_step views still read the database, whose newest minute
// grows.
int window_open(struct store *store, enum window_kind kind, int64_t start_ms, int64_t end_ms,
        struct window *ret) {
    struct window window = { .kind = kind };
    struct window_range range = { .start_ms = start_ms, .end_ms = end_ms };
    int r = end_snapshot(store);
    bool outermost = sqlite3_get_autocommit(store->db);
    if (r >= 0 && outermost)
        r = store_exec(store, "BEGIN");
    if (r < 0)
        return r;
    r = make(store, &range, &window);
    if (r == 0 && outermost && store->mode == STORE_READ) {
        store->window->snapshot = true;
    } else if (r >= 0 && outermost) {
        int committed = store_exec(store, "COMMIT");
        r = committed < 0 ? committed : r;
    }
    if (r < 0 && outermost && !sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    if (store->window)
        store->window->open = r == 0 ? window : (struct window){ 0 };
    if (r < 0 && store->window) {
        store->window->made = store->window->viewed = false;
        store->window->failed = true;
    }
    if (r == 0)
        *ret = window;
    return r;
}

static int put_expanded(FILE *out, sqlite3_stmt *statement) {
    char *text = statement ? sqlite3_expanded_sql(statement) : NULL;
    if (text)
        fprintf(out, "%s;\n", text);
    bool failed = statement && !text;
    sqlite3_free(text);
    return failed ? -ENOMEM : 0;
}

int window_print_sql(struct store *store, const struct window *window, FILE *out) {
    struct store_window *open = store->window;
    if (!open || open->open.steps == 0 || open->open.start_ms != window->start_ms ||
            open->open.end_ms != window->end_ms)
        return store_fail_text(store, -EINVAL, "this window is not open");
    if (store->path)
        fprintf(out, "-- sqlite3 -readonly %s\n", store->path);
    fputs("BEGIN;\n", out);
    window_put_tables(out, store, true);
    window_put_step_views(out, store, open->level, open->sparse, true);
    int r = put_expanded(out, open->fill_steps[open->level]);
    if (r >= 0)
        r = put_expanded(out, open->fill_window);
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++)
        r = window_put_filled(out, store, &store->tables[i]);
    fputs("COMMIT;\n", out);
    return r;
}
