// SPDX-License-Identifier: GPL-2.0-or-later
// Stored alerts
#include "core/alerts.h"

#include "core/store_private.h"

static void bind_alert(sqlite3_stmt *statement, const struct alert_record *alert) {
    const char *const texts[] = { alert->cause, alert->subject, alert->severity, alert->title };
    const int64_t numbers[] = { alert->begin_ms, alert->last_ms, alert->end_ms, alert->reminders,
        alert->lost, alert->muted };
    int at = 1;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        sqlite3_bind_text(statement, at++, texts[i], -1, SQLITE_STATIC);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        sqlite3_bind_int64(statement, at++, numbers[i]);
    if (alert->end_ms == 0)
        sqlite3_bind_null(statement, 7);
    sqlite3_bind_text(statement, at, alert->verdict, -1, SQLITE_STATIC);
}

int alerts_insert(struct store *store, const struct alert_record *alert, int64_t *ret_id) {
    sqlite3_stmt *statement;
    int r = store_query(store, QUERY_ALERT_INSERT, &statement);
    if (r < 0)
        return r;
    bind_alert(statement, alert);
    r = store_run(store, statement);
    sqlite3_clear_bindings(statement);
    if (r >= 0)
        *ret_id = sqlite3_last_insert_rowid(store->db);
    return r;
}

int alerts_update(struct store *store, const struct alert_record *alert) {
    sqlite3_stmt *statement;
    int r = store_query(store, QUERY_ALERT_UPDATE, &statement);
    if (r < 0)
        return r;
    bind_alert(statement, alert);
    sqlite3_bind_int64(statement, 12, alert->id);
    r = store_run(store, statement);
    sqlite3_clear_bindings(statement);
    if (r < 0)
        return r;
    return sqlite3_changes(store->db) == 0;
}

static struct alert_record read_alert(sqlite3_stmt *row) {
    return (struct alert_record){
        .cause = (const char *) sqlite3_column_text(row, 0),
        .subject = (const char *) sqlite3_column_text(row, 1),
        .severity = (const char *) sqlite3_column_text(row, 2),
        .title = (const char *) sqlite3_column_text(row, 3),
        .begin_ms = sqlite3_column_int64(row, 4),
        .last_ms = sqlite3_column_int64(row, 5),
        .end_ms = sqlite3_column_int64(row, 6),
        .reminders = sqlite3_column_int64(row, 7),
        .lost = sqlite3_column_int64(row, 8),
        .muted = sqlite3_column_int(row, 9) != 0,
        .verdict = (const char *) sqlite3_column_text(row, 10),
        .id = sqlite3_column_int64(row, 11),
    };
}

int alerts_list(struct store *store, bool open_only, int64_t since_ms,
        int (*each)(const struct alert_record *alert, void *data), void *data) {
    _cleanup_statement_ sqlite3_stmt *rows = NULL;
    int r = store_prepare(store,
            "SELECT cause,subject,severity,title,begin_ms,last_ms,end_ms,reminders,lost,muted,"
            "verdict,id FROM main.alert WHERE end_ms IS NULL OR (?1=0 AND end_ms>=?2)"
            " ORDER BY begin_ms DESC,id DESC",
            &rows);
    if (r < 0)
        return r;
    sqlite3_bind_int(rows, 1, open_only);
    sqlite3_bind_int64(rows, 2, since_ms);
    int rc;
    while ((rc = sqlite3_step(rows)) == SQLITE_ROW) {
        struct alert_record alert = read_alert(rows);
        r = each(&alert, data);
        if (r != 0)
            return r;
    }
    return rc == SQLITE_DONE ? 0 : store_fail(store, rc);
}
