// SPDX-License-Identifier: GPL-2.0-or-later
// Window internals
#pragma once

#include "core/store_private.h"
#include "core/window.h"

// Which steps a window has. Where nothing finer is needed, the sums of T are taken from the next
// level: that is exact, since its rows are sums of those very steps.
struct window_range {
    int64_t start_ms, end_ms; // as asked for
    enum level level;
    bool sparse; // the steps are not all that lie between the first and the last
    int64_t first_step, last_step, present_step;
    int64_t before_first, before_last;         // steps that show who was there just before
    int64_t whole_start_ms, whole_end_ms;      // steps that ended in [start, end) are replaced
    int64_t whole_first_step, whole_last_step; // by these of the next level
    int64_t head_last_step, tail_first_step;   // no step that ends before or after that lies beyond
};

// window_range.c
// The finest level for that length that still has the beginning. 0 or -errno.
int range_choose_level(struct store *store, struct window_range *range);
// From the filled temp.step: the rest of the range, and what to tell of the window.
// 0, 1: no step, or -errno.
int range_measure(struct store *store, struct window_range *range, struct window *ret);

// window_sql.c: the text that is run and, with its values filled in, printed.
// Tables, and views that are the same for all windows; `anew`: they may be there already.
void window_put_tables(FILE *out, const struct store *store, bool anew);
// The T_step views; `anew`: they may be there already.
void window_put_step_views(
        FILE *out, const struct store *store, enum level level, bool sparse, bool anew);
// Fills step. Parameters: ?1, ?2: the range, in ms or in steps of the level.
void window_put_steps(FILE *out, enum level level);
// What fills T, piece by piece; no text where there is nothing to take it from.
enum window_piece {
    PIECE_CLEAR,
    PIECE_FINE,     // rows of the level's steps: step, values, highest; ?1, ?2: ends of the steps;
                    // ?3, ?4: first and last of them
    PIECE_COARSE,   // the same of the next level; ?1, ?2: first and last of its steps
    PIECE_INSERT,   // one object
    PIECE_PRESENCE, // ?1, ?2: before_first, before_last
    N_PIECES,
};
void window_put_piece(
        FILE *out, enum window_piece piece, const struct store_table *t, enum level level);
// The rows of the filled T as INSERT statements. 0 or -errno.
int window_put_filled(FILE *out, struct store *store, const struct store_table *t);

// window_sum.c: adds up the rows of one table and inserts them into T. 0 or -errno.
int window_sum(struct store *store, const struct store_table *t, sqlite3_stmt *const *pieces,
        const struct window_range *range);
