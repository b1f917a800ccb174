// SPDX-License-Identifier: GPL-2.0-or-later
// Placeholders
#include "rules/template.h"

#include <locale.h>
#include <string.h>

#include "core/cleanup.h"
#include "tests/suite.h"

static sqlite3 *db;
static sqlite3_stmt *row;

static void set_up(void) {
    static const char sql[] =
            "SELECT 212992 AS size_bytes, 0.4123 AS wait_share, 83.1 AS used_percent, 1.4 AS stall_s, 18 AS fill_ms,"
            " 9213.4 AS arrival_rate, 188743680 AS write_bytes_rate, 12431 AS lost, 0.934 AS score, 6000 AS seconds,"
            " 34567 AS port, 1234567 AS netns_pid, 1024 AS mem_pages, NULL AS gone, 'a' || char(27) || '[2J' AS evil,"
            " 'it''s; rm -rf /' AS shell, 'eth0.5' AS interface, 'nsenter -t 5 -n ' AS enter, 2.0 AS whole, 0.5 AS half,"
            " -3 AS below, '' AS empty";
    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(row), SQLITE_ROW);
}

static void tear_down(void) {
    sqlite3_finalize(row);
    sqlite3_close(db);
}

static const struct {
    const char *template, *text;
} texts[] = {
    { "plain", "plain" },
    { "", "" },
    { "{size_bytes}", "208 KiB" },
    { "{size_bytes:raw}", "212992" },
    { "{wait_share} of", "41 % of" },
    { "{used_percent}", "83 %" },
    { "{stall_s}", "1.4 s" },
    { "{fill_ms}", "18 ms" },
    { "{seconds}", "100 min" },
    { "{arrival_rate}", "9,210/s" },
    { "{write_bytes_rate}", "180 MiB/s" },
    { "{lost} lost", "12,431 lost" },
    { "{score}", "0.934" },
    { "{mem_pages}", "1,024 pages" },
    { "port {port}, pid {netns_pid}", "port 34567, pid 1234567" },
    { "{gone}", "unknown" },
    { "{evil}", "a\\x1b[2J" },
    { "{shell}", "it's; rm -rf /" },
    { "{{ {lost} }}", "{ 12,431 }" },
    { "{below}", "-3" },
};

START_TEST(fills_texts_with_units) {
    bool null;
    _cleanup_free_ char *text = template_fill(texts[_i].template, TEMPLATE_TEXT, row, &null);
    ck_assert_str_eq(text, texts[_i].text);
    ck_assert_int_eq(null, strstr(texts[_i].template, "gone") != NULL);
}
END_TEST

static const struct {
    const char *template, *command;
} commands[] = {
    { "sysctl -w net.core.rmem_max={size_bytes}", "sysctl -w net.core.rmem_max=212992" },
    { "x={whole} {half} {lost}", "x=2 0.5 12431" },
    { "{enter}ss -u", "nsenter -t 5 -n ss -u" },
    { "ip link set {interface} up", "ip link set eth0.5 up" },
    { "rm {shell}", "rm 'it'\\''s; rm -rf /'" },
    { "rm {shell:raw}", "rm it's; rm -rf /" },
    { "rm {empty}", "rm ''" },
    { "nft add rule x {{ drop }}", "nft add rule x { drop }" },
};

START_TEST(fills_commands_plainly) {
    bool null;
    _cleanup_free_ char *command =
            template_fill(commands[_i].template, TEMPLATE_COMMAND, row, &null);
    ck_assert_str_eq(command, commands[_i].command);
    ck_assert(!null);
}
END_TEST

START_TEST(knows_no_locale) {
    bool null;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
        setlocale(LC_ALL, "C"); // none of them is installed here; nothing to tell apart
    _cleanup_free_ char *text = template_fill("{score} {stall_s}", TEMPLATE_TEXT, row, &null);
    _cleanup_free_ char *command = template_fill("{half}", TEMPLATE_COMMAND, row, &null);
    ck_assert_str_eq(text, "0.934 1.4 s");
    ck_assert_str_eq(command, "0.5");
}
END_TEST

static const struct {
    const char *template;
    bool good;
} checks[] = {
    { "{lost}", true },
    { "{lost:raw}", true },
    { "{{", true },
    { "{{x}}", true },
    { "{absent}", false },
    { "{", false },
    { "}", false },
    { "{ lost }", false },
    { "{lost:hex}", false },
    { "{}", false },
    { "{lost", false },
};

START_TEST(checks_placeholders) {
    char fault[100];
    ck_assert_int_eq(
            template_check(checks[_i].template, row, fault, sizeof(fault)), checks[_i].good);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("template");
    TCase *tcase = tcase_create("template");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, fills_texts_with_units, 0, sizeof(texts) / sizeof(texts[0]));
    tcase_add_loop_test(tcase, fills_commands_plainly, 0, sizeof(commands) / sizeof(commands[0]));
    tcase_add_loop_test(tcase, checks_placeholders, 0, sizeof(checks) / sizeof(checks[0]));
    tcase_add_test(tcase, knows_no_locale);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
