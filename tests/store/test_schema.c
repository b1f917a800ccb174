// SPDX-License-Identifier: GPL-2.0-or-later
// Schema suite
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../suite.h"
#include "core/alerts.h"
#include "fixture.h"

static struct fixture fixture;

static void set_up(void) {
    fixture_make(&fixture);
}

static void tear_down(void) {
    fixture_remove(&fixture);
}

// The flow table as an older version declared it.
static const struct column old_columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "namespace", NULL },
    { "lost", COLUMN_COUNTER, "datagrams", "lost", NULL },
    { "forgotten", COLUMN_COUNTER, "datagrams", "no longer declared", NULL },
};
static const struct table old_flow = { "flow", "flows", "namespace", "nowhere", old_columns, 3, 1 };
static const struct table *const old_tables[] = { &old_flow };

static void make_old(void) {
    struct store *store = open_tables(fixture.path, STORE_WRITE, old_tables, 1);
    struct step *step = step_new(old_tables, 1);
    step->end_ms = HOUR_MS;
    step->length_ms = 1000;
    for (int i = 0; i < 2; i++) {
        cell *row = rows_add(i ? &step->total[0] : &step->growth[0]);
        row[0] = rows_put_text(i ? &step->total[0] : &step->growth[0], "host", 4);
        row[1] = row[2] = 4;
    }
    write_step(store, step);
    step_free(step);
    store_close(store);
}

START_TEST(test_an_older_database_gains_tables_and_columns) {
    make_old();
    struct store *store = open_store(fixture.path, STORE_WRITE);
    write_seconds(store, HOUR_MS, 1);
    expect(store, "SELECT step, lost, \"drop\", level, forgotten FROM flow",
            "1|4|NULL|NULL|4\n2|1|0|1|NULL");
    expect(store, "SELECT lost, \"drop\", level, level_max, state, forgotten FROM flow_minute",
            "5|0|1|1|up|4");
    expect(store, "SELECT lost, level FROM flow_last", "1000|1");
    expect(store, "SELECT count(*) FROM part", "0");
    store_close(store);
    // And an older program goes on with the newer database.
    make_old();
    store = open_store(fixture.path, STORE_READ);
    expect(store, "SELECT count(*), sum(lost), sum(forgotten) FROM flow", "3|9|8");
    store_close(store);
}
END_TEST

START_TEST(test_an_older_database_is_read_as_it_is) {
    make_old();
    struct store *store = open_store(fixture.path, STORE_READ);
    struct window window;
    ck_assert_int_eq(window_open(store, WINDOW_HISTORY, HOUR_MS - 1, HOUR_MS, &window), 0);
    expect(store, "SELECT netns, lost, \"drop\", level, level_max, state FROM flow",
            "host|4|NULL|NULL|NULL|NULL");
    expect(store, "SELECT step, seconds, netns, lost, level FROM flow_step", "1|1.0|host|4|NULL");
    expect(store, "SELECT netns, lost, level FROM flow_total", "host|4|NULL");
    expect(store,
            "SELECT (SELECT count(*) FROM part), (SELECT count(*) FROM part_step),"
            " (SELECT count(*) FROM part_total)",
            "0|0|0");
    struct rows rows;
    rows_init(&rows, &flow_table);
    ck_assert_int_eq(store_last(store, FLOW, &rows), 0);
    ck_assert_uint_eq(rows.n, 1);
    ck_assert_int_eq(rows_at(&rows, 0)[2], 4);
    ck_assert(rows_at(&rows, 0)[3] == CELL_NULL);
    rows_done(&rows);
    rows_init(&rows, &part_table);
    ck_assert_int_eq(store_last(store, PART, &rows), 0);
    ck_assert_uint_eq(rows.n, 0);
    rows_done(&rows);
    store_close(store);
}
END_TEST

static void refused(enum store_mode mode, int expected, const char *text) {
    struct store *store = NULL;
    char *error = NULL;
    int r = store_open(fixture.path, mode, both_tables, 2, &store, &error);
    ck_assert_msg(r == expected, "%d instead of %d: %s", r, expected, error);
    ck_assert_ptr_null(store);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error, text) && strstr(error, fixture.path), "%s", error);
    free(error);
}

static void change(const char *sql) {
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(fixture.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

START_TEST(test_a_newer_schema_is_refused) {
    store_close(open_store(fixture.path, STORE_WRITE));
    change("PRAGMA user_version=7");
    static const char text[] = "schema 7 is newer than this udpdiag understands (1)";
    refused(STORE_WRITE, -EPROTONOSUPPORT, text);
    refused(STORE_READ, -EPROTONOSUPPORT, text);
}
END_TEST

START_TEST(test_other_keys_are_refused) {
    static const struct column columns[] = {
        { "number", COLUMN_KEY_INTEGER, "", "number", NULL },
        { "lost", COLUMN_COUNTER, "datagrams", "lost", NULL },
    };
    static const struct table table = { "flow", "", "", "", columns, 2, 1 };
    static const struct table *const tables[] = { &table };
    store_close(open_tables(fixture.path, STORE_WRITE, tables, 1));
    refused(STORE_WRITE, -EPROTONOSUPPORT, "table flow has other keys");
    refused(STORE_READ, -EPROTONOSUPPORT, "table flow has other keys");
}
END_TEST

START_TEST(test_the_database_of_another_program_is_left_alone) {
    change("CREATE TABLE cookies(name)");
    refused(STORE_WRITE, -EINVAL, "another program");
    refused(STORE_READ, -EINVAL, "another program");
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(fixture.path, &db), SQLITE_OK);
    ck_assert_str_eq(ask(db, "SELECT name FROM sqlite_schema"), "cookies");
    sqlite3_close(db);
}
END_TEST

START_TEST(test_nothing_there) {
    refused(STORE_READ, -ENOENT, "no such database");
    ck_assert_int_lt(access(fixture.path, F_OK), 0);
    close(open(fixture.path, O_CREAT | O_WRONLY, 0640));
    refused(STORE_READ, -ENOENT, "nothing is stored");
    store_close(open_store(fixture.path, STORE_WRITE));
    struct stat status;
    char folder[64];
    strcpy(folder, fixture.folder);
    snprintf(fixture.path, sizeof(fixture.path), "%s/absent/t.db", folder);
    refused(STORE_WRITE, -ENOENT, "No such file");
    ck_assert_int_lt(stat(fixture.path, &status), 0);
    snprintf(fixture.path, sizeof(fixture.path), "%s/t.db", folder);
}
END_TEST

static void overwrite(long offset, long n) {
    int fd = open(fixture.path, O_WRONLY);
    ck_assert_int_ge(fd, 0);
    for (long i = 0; i < n; i += 64)
        ck_assert_int_eq(
                pwrite(fd, "This is not what was written here before, nor what should be...", 64,
                        offset + i),
                64);
    close(fd);
}

START_TEST(test_a_damaged_database_is_set_aside) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    write_seconds(store, HOUR_MS, 10);
    store_close(store);
    overwrite(0, 1024);
    refused(STORE_READ, -EUCLEAN, "damaged");
    refused(STORE_WRITE, -EUCLEAN, "damaged");
    ck_assert_int_eq(store_set_aside(fixture.path), 0);
    store = open_store(fixture.path, STORE_WRITE);
    expect(store, "SELECT count(*) FROM step", "0");
    write_seconds(store, HOUR_MS, 10);
    ck_assert_int_eq(store_set_aside(fixture.path), -EBUSY);
    store_close(store);
    char path[160];
    snprintf(path, sizeof(path), "%s.damaged", fixture.path);
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_gt(status.st_size, 4096);
    // One is kept.
    overwrite(0, 64);
    ck_assert_int_eq(store_set_aside(fixture.path), 0);
    ck_assert_int_eq(store_set_aside(fixture.path), -ENOENT);
    store_close(open_store(fixture.path, STORE_WRITE));
}
END_TEST

START_TEST(test_a_database_without_meta_is_damaged) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    write_seconds(store, HOUR_MS, 10);
    ck_assert_int_eq(sqlite3_exec(store_db(store), "DROP TABLE meta", NULL, NULL, NULL), SQLITE_OK);
    store_close(store);
    refused(STORE_READ, -EUCLEAN, "no table meta");
    refused(STORE_WRITE, -EUCLEAN, "no table meta");
    ck_assert_int_eq(store_set_aside(fixture.path), 0);
    store_close(open_store(fixture.path, STORE_WRITE));
}
END_TEST

START_TEST(test_damage_is_noticed_while_writing) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    write_seconds(store, HOUR_MS, 500);
    store_close(store);
    struct stat status;
    ck_assert_int_eq(stat(fixture.path, &status), 0);
    // All but the schema's first page.
    overwrite(4096, status.st_size - 4096);
    store = NULL;
    char *error = NULL;
    int r = store_open(fixture.path, STORE_WRITE, both_tables, 2, &store, &error);
    struct step *step = new_step(HOUR_MS + 900000, 1000);
    add_flow(step, "host", 1, 1, 1, "up");
    if (r == 0)
        r = store_write_step(store, step);
    ck_assert_int_eq(r, -EUCLEAN);
    ck_assert_ptr_nonnull(strstr(store ? store_error(store) : error, "damaged"));
    free(error);
    step_free(step);
    store_close(store);
    // Whoever opens it next is told, even where the schema is readable.
    refused(STORE_WRITE, -EUCLEAN, "damaged");
    ck_assert_int_eq(store_set_aside(fixture.path), 0);
    store_close(open_store(fixture.path, STORE_WRITE));
}
END_TEST

START_TEST(test_a_removed_database_is_noticed) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    ck_assert_int_eq(store_maintain(store, &RETENTION_DEFAULT, HOUR_MS), 0);
    unlink(fixture.path);
    ck_assert_int_eq(store_maintain(store, &RETENTION_DEFAULT, HOUR_MS), -ESTALE);
    ck_assert_ptr_nonnull(strstr(store_error(store), "removed"));
    store_close(store);
}
END_TEST

static int count_alert(const struct alert_record *alert, void *data) {
    char *text = data;
    sprintf(text + strlen(text), "%s/%s/%s/%ld/%ld/%d/%s ", alert->cause, alert->subject,
            alert->severity, (long) alert->end_ms, (long) alert->lost, alert->muted,
            alert->verdict ? alert->verdict : "-");
    return 0;
}

START_TEST(test_alerts_are_kept) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    struct alert_record alert = { .cause = "disk-fill",
        .subject = "/var",
        .severity = "warning",
        .title = "80 %",
        .begin_ms = 1000,
        .last_ms = 2000 };
    struct alert_record loss = { .cause = "frag-lost",
        .subject = "host",
        .severity = "warning",
        .title = "fragments",
        .begin_ms = 3000,
        .last_ms = 3000,
        .lost = 7,
        .verdict = "{}" };
    ck_assert_int_eq(alerts_insert(store, &alert, &alert.id), 0);
    ck_assert_int_eq(alerts_insert(store, &loss, &loss.id), 0);
    ck_assert_int_ne(alert.id, loss.id);
    alert.cause = "inode-fill";
    alert.severity = "critical";
    alert.muted = true;
    ck_assert_int_eq(alerts_update(store, &alert), 0);
    loss.end_ms = 5000;
    loss.lost = 12431;
    ck_assert_int_eq(alerts_update(store, &loss), 0);
    loss.id = 99;
    ck_assert_int_eq(alerts_update(store, &loss), 1);
    char text[512] = "";
    ck_assert_int_eq(alerts_list(store, true, 0, count_alert, text), 0);
    ck_assert_str_eq(text, "inode-fill//var/critical/0/0/1/- ");
    strcpy(text, "");
    ck_assert_int_eq(alerts_list(store, false, 5000, count_alert, text), 0);
    ck_assert_str_eq(
            text, "frag-lost/host/warning/5000/12431/0/{} inode-fill//var/critical/0/0/1/- ");
    strcpy(text, "");
    ck_assert_int_eq(alerts_list(store, false, 5001, count_alert, text), 0);
    ck_assert_str_eq(text, "inode-fill//var/critical/0/0/1/- ");
    // Those that ended too long ago are forgotten, those that last are not.
    ck_assert_int_eq(
            store_maintain(store, &RETENTION_DEFAULT, RETENTION_DEFAULT.hours_s * 1000 + 5001), 0);
    expect(store, "SELECT cause, end_ms FROM alert", "inode-fill|NULL");
    store_close(store);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("schema");
    TCase *tcase = tcase_create("schema");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, test_an_older_database_gains_tables_and_columns);
    tcase_add_test(tcase, test_an_older_database_is_read_as_it_is);
    tcase_add_test(tcase, test_a_newer_schema_is_refused);
    tcase_add_test(tcase, test_other_keys_are_refused);
    tcase_add_test(tcase, test_the_database_of_another_program_is_left_alone);
    tcase_add_test(tcase, test_nothing_there);
    tcase_add_test(tcase, test_a_damaged_database_is_set_aside);
    tcase_add_test(tcase, test_a_database_without_meta_is_damaged);
    tcase_add_test(tcase, test_damage_is_noticed_while_writing);
    tcase_add_test(tcase, test_a_removed_database_is_noticed);
    tcase_add_test(tcase, test_alerts_are_kept);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
