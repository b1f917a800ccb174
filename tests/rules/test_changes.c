// SPDX-License-Identifier: GPL-2.0-or-later
// Changes
//
// Windows of 60 steps of a second, with the real tables and a small ledger.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/collector.h"
#include "core/cleanup.h"
#include "rules/before_after.h"
#include "rules/set.h"
#include "rules/setting.h"
#include "tests/suite.h"

#define START_MS INT64_C(1764471600000)
#define STEPS 60
#define N(array) (sizeof(array) / sizeof(array[0]))

static const struct rule_source sources[] = {
    { "ledger",
            "-- locus backlog\n-- direction receive\n-- from softnet\n-- counters dropped\n"
            "-- locus reassembly\n-- direction receive\n-- from snmp\n-- counters ip_reasm_fails\n"
            "-- locus no-listener\n-- direction receive\n-- from snmp\n-- counters udp_no_ports\n"
            "-- locus socket-queue\n-- direction receive\n-- from snmp\n"
            "-- counters udp_rcvbuf_errors\n" },
};

// 1,000 datagrams a second; net.core.rmem_default is 208 KiB, and read every ten seconds.
static const char base[] =
        "INSERT INTO snmp(step, netns, udp_in_datagrams, udp_rcvbuf_errors, udp_no_ports, ip_reasm_fails)"
        " SELECT step, 'host', 1000, 0, 0, 0 FROM step;"
        "INSERT INTO softnet(step, cpu, dropped) SELECT step, 0, 0 FROM step;"
        "INSERT INTO sysctl(step, netns, rmem_default_bytes, ipfrag_high_thresh_bytes)"
        " SELECT step, 'host', 212992, 4194304 FROM step WHERE step % 10 = 1;";

#define LOSE(column, steps) "UPDATE snmp SET " column " = 100 WHERE " steps ";"
#define SET_DEFAULT(steps) "UPDATE sysctl SET rmem_default_bytes = 4194304 WHERE " steps ";"
#define SOCKET(cookie, inode, buffer, drops, steps)                                                \
    "INSERT INTO socket(step, netns, cookie, inode, protocol, address, port, rcvbuf_bytes, drops)" \
    " SELECT step, 'host', " #cookie ", " #inode ", 'udp', '0.0.0.0', 514, " buffer ", " drops     \
    " FROM step WHERE " steps ";"
#define OWNER(inode, pid, name, steps)                                                             \
    "INSERT INTO owner(step, inode, pid, start_time) SELECT step, " #inode ", " #pid               \
    ", 5 FROM step WHERE " steps ";"                                                               \
    "INSERT INTO process(step, pid, start_time, comm, unit, cgroup) SELECT step, " #pid            \
    ", 5, '" name "', 'x.service', '/system.slice/x.service' FROM step WHERE " steps ";"

static const struct {
    const char *what, *sql, *answer;
} cases[] = {
    { "a sysctl cures it", LOSE("udp_rcvbuf_errors", "step < 28") SET_DEFAULT("step >= 31"),
            "31 net.core.rmem_default 208 KiB > 4 MiB: cured, last word\n" },
    { "a sysctl has no effect", LOSE("udp_rcvbuf_errors", "step > 0") SET_DEFAULT("step >= 31"),
            "31 net.core.rmem_default 208 KiB > 4 MiB: no-effect\n" },
    { "worse", LOSE("udp_rcvbuf_errors", "step > 30") SET_DEFAULT("step >= 31"),
            "31 net.core.rmem_default 208 KiB > 4 MiB: worse\n" },
    { "better",
            "UPDATE snmp SET udp_rcvbuf_errors = CASE WHEN step < 30 THEN 100 ELSE 20 END;" SET_DEFAULT(
                    "step >= 31"),
            "31 net.core.rmem_default 208 KiB > 4 MiB: better\n" },
    { "too early: a second after it",
            LOSE("udp_rcvbuf_errors",
                    "step < 58") "INSERT INTO sysctl(step, netns, rmem_default_bytes) VALUES (59, 'host', 4194304);",
            "59 net.core.rmem_default 208 KiB > 4 MiB: too-early\n" },
    { "too early: it comes every twelve seconds only",
            LOSE("udp_rcvbuf_errors", "step IN (5, 17, 29)") SET_DEFAULT("step >= 41"),
            "41 net.core.rmem_default 208 KiB > 4 MiB: too-early\n" },
    { "too early: hardly any loss before",
            LOSE("udp_rcvbuf_errors", "step = 20") SET_DEFAULT("step >= 31"),
            "31 net.core.rmem_default 208 KiB > 4 MiB: too-early\n" },
    { "too early: the traffic went away too",
            LOSE("udp_rcvbuf_errors", "step < 30") "UPDATE snmp SET udp_in_datagrams = 10 WHERE step >= 30;" SET_DEFAULT(
                    "step >= 31"),
            "31 net.core.rmem_default 208 KiB > 4 MiB: too-early\n" },
    { "the loss had ended long before",
            LOSE("udp_rcvbuf_errors", "step < 10") SET_DEFAULT("step >= 41"), "" },
    { "moved to another place",
            LOSE("udp_rcvbuf_errors",
                    "step < 30") "UPDATE softnet SET dropped = 90 WHERE step > 32;" SET_DEFAULT("step >= 31"),
            "31 net.core.rmem_default 208 KiB > 4 MiB: moved to backlog\n" },
    { "another place lost all the time: not moved",
            LOSE("udp_rcvbuf_errors", "step < 30") "UPDATE softnet SET dropped = 90;" SET_DEFAULT(
                    "step >= 31"),
            "31 net.core.rmem_default 208 KiB > 4 MiB: cured\n" },
    { "fragments: what comes is counted in them too",
            "UPDATE snmp SET ip_reasm_reqds = 900, udp_in_datagrams = 20, ip_reasm_fails ="
            " CASE WHEN step < 30 THEN 800 ELSE 0 END;"
            "UPDATE sysctl SET ipfrag_high_thresh_bytes = 8388608 WHERE step >= 31;",
            "31 net.ipv4.ipfrag_high_thresh 4 MiB > 8 MiB: cured, last word\n" },
    { "IPv6 alone",
            "UPDATE snmp SET udp6_in_datagrams = udp_in_datagrams, udp_in_datagrams = 0;" LOSE(
                    "udp_rcvbuf_errors", "step < 28") SET_DEFAULT("step >= 31"),
            "31 net.core.rmem_default 208 KiB > 4 MiB: cured, last word\n" },
    { "everything is read in each step: nothing is unsure",
            "UPDATE main.step SET flags = 32;" LOSE("udp_rcvbuf_errors",
                    "step BETWEEN 46 AND 52") "DELETE FROM sysctl WHERE step > 50;"
                                              "INSERT INTO sysctl(step, netns, rmem_default_bytes) VALUES (53, 'host', 4194304);",
            "53 net.core.rmem_default 208 KiB > 4 MiB: cured, last word\n" },
    { "a setting of another place has no part in it",
            LOSE("udp_rcvbuf_errors",
                    "step < 30") "UPDATE sysctl SET ipfrag_high_thresh_bytes = 8388608 WHERE step >= 31;",
            "" },
    { "nothing lost: nothing to say", SET_DEFAULT("step >= 31"), "" },
    { "two changes: each side ends at the other",
            LOSE("udp_rcvbuf_errors", "step < 40") "UPDATE sysctl SET rmem_default_bytes = 1048576 WHERE step IN (21, 31);" SET_DEFAULT(
                    "step >= 41"),
            "21 net.core.rmem_default 208 KiB > 1 MiB: no-effect\n"
            "41 net.core.rmem_default 1 MiB > 4 MiB: cured, last word\n" },
    { "in another namespace",
            "UPDATE snmp SET netns = 'web'; UPDATE sysctl SET netns = 'web';" LOSE(
                    "udp_rcvbuf_errors", "step < 28") SET_DEFAULT("step >= 31"),
            "31 net.core.rmem_default in web 208 KiB > 4 MiB: cured, last word\n" },
    { "the buffer of a socket",
            LOSE("udp_rcvbuf_errors", "step < 30")
                    SOCKET(7, 70, "CASE WHEN step < 30 THEN 212992 ELSE 425984 END",
                            "CASE WHEN step < 30 THEN 100 ELSE 0 END", "step > 0"),
            "30 receive buffer of port 514 208 KiB > 416 KiB: cured, last word\n" },
    { "a program that is started anew, with a larger buffer",
            LOSE("udp_rcvbuf_errors", "step < 30") SOCKET(7, 70, "212992", "100", "step < 30")
                    OWNER(70, 812, "rsyslogd", "step < 30") SOCKET(8, 80, "425984", "0",
                            "step >= 31") OWNER(80, 910, "rsyslogd", "step >= 31"),
            "31 socket of port 514 opened anew rsyslogd (pid 812), buffer 208 KiB >"
            " rsyslogd (pid 910), buffer 416 KiB: cured, last word\n" },
    { "a restart that helps for nothing",
            LOSE("udp_rcvbuf_errors", "step <> 30") SOCKET(7, 70, "212992", "100", "step < 30")
                    SOCKET(8, 80, "212992", "90", "step >= 31"),
            "31 socket of port 514 opened anew a socket with a buffer of 208 KiB >"
            " a socket with a buffer of 208 KiB: no-effect\n" },
    { "a port that nobody reads any more, but another socket did open",
            LOSE("udp_rcvbuf_errors", "step < 30") LOSE("udp_no_ports", "step >= 32") SOCKET(
                    7, 70, "212992", "100", "step < 30") SOCKET(8, 80, "212992", "0", "step = 31"),
            "31 socket of port 514 opened anew a socket with a buffer of 208 KiB >"
            " a socket with a buffer of 208 KiB: moved to no-listener\n" },
    { "members of a group take no one's place",
            LOSE("udp_rcvbuf_errors", "step < 30") SOCKET(7, 70, "212992", "100", "step < 30")
                    SOCKET(8, 80, "212992", "0",
                            "step >= 31") "UPDATE socket SET reuseport_members = 2;",
            "" },
    { "a CPU quota that is taken away",
            LOSE("udp_rcvbuf_errors", "step < 30") SOCKET(7, 70, "212992",
                    "CASE WHEN step < 30 THEN 100 ELSE 0 END",
                    "step > 0") OWNER(70, 812, "rsyslogd",
                    "step > 0") "INSERT INTO cgroup(step, path, unit, quota_us) SELECT step, '/system.slice/x.service',"
                                " 'x.service', CASE WHEN step < 30 THEN 20000 END FROM step;",
            "30 CPU quota of x.service 20 ms > none: cured, last word\n" },
    { "a reader that goes on after a stop",
            LOSE("udp_rcvbuf_errors", "step < 30") SOCKET(7, 70, "212992",
                    "CASE WHEN step < 30 THEN 100 ELSE 0 END", "step > 0") OWNER(70, 812,
                    "rsyslogd", "step > 0") "UPDATE process SET stopped = step < 30;",
            "30 stop of x.service 1 > 0: cured, last word\n" },
    { "a group that is thawed, which is not the one that limits its CPU time",
            LOSE("udp_rcvbuf_errors", "step < 30") SOCKET(7, 70, "212992",
                    "CASE WHEN step < 30 THEN 100 ELSE 0 END",
                    "step > 0") OWNER(70, 812, "rsyslogd",
                    "step > 0") "UPDATE process SET freezer_cgroup = '/backup/now';"
                                "INSERT INTO cgroup(step, path, frozen) SELECT step, '/backup', step < 30 FROM step;",
            "30 freezer of /backup 1 > 0: cured, last word\n" },
    { "another process of that number is no change",
            LOSE("udp_rcvbuf_errors",
                    "step < 30") "INSERT INTO process(step, pid, start_time, nice) VALUES (5, 812, 5, 0), (30, 812, 99, 10);",
            "" },
};

static struct rule_set *rules;

static void set_up(void) {
    ck_assert_int_eq(rule_set_new(sources, N(sources), false, NULL, collector_tables(),
                             n_collectors, stderr, &rules),
            0);
}

static void tear_down(void) {
    rules = rules_free(rules);
}

static void execute(struct store *store, const char *sql) {
    char *error = NULL;
    int r = sqlite3_exec(store_db(store), sql, NULL, NULL, &error);
    ck_assert_msg(r == SQLITE_OK, "%s in %s", error, sql);
}

static char *answer_of(const struct verdict *verdict) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < verdict->n_changes; i++) {
        const struct change *change = &verdict->changes[i];
        fprintf(out, "%d %s %s > %s: %s%s%s%s\n", (int) ((change->at_ms - START_MS) / 1000),
                change->what, change->from, change->to, change_verdict_name(change->verdict),
                change->moved_to ? " to " : "", change->moved_to ? change->moved_to : "",
                change->last_word ? ", last word" : "");
    }
    fclose(out);
    return text;
}

START_TEST(windows) {
    struct store *store = NULL;
    struct verdict *verdict = NULL;
    struct window window;
    _cleanup_free_ char *error = NULL, *answer = NULL;
    ck_assert_int_eq(
            store_open(NULL, STORE_MEMORY, collector_tables(), n_collectors, &store, &error), 0);
    for (int i = 1; i <= STEPS; i++) {
        char sql[200];
        snprintf(sql, sizeof(sql),
                "INSERT INTO main.step(step, end_ms, length_ms, flags) VALUES (%d, %lld, 1000, 0)",
                i, (long long) START_MS + i * 1000);
        execute(store, sql);
    }
    execute(store, base);
    execute(store, cases[_i].sql);
    ck_assert_int_eq(
            window_open(store, WINDOW_HISTORY, START_MS, START_MS + STEPS * 1000, &window), 0);
    ck_assert_int_eq(rules_judge(rules, store, &window, "host", "6.1", &verdict), 0);
    answer = answer_of(verdict);
    ck_assert_msg(strcmp(answer, cases[_i].answer) == 0, "%s: expected\n%sgot\n%s", cases[_i].what,
            cases[_i].answer, answer);
    verdict_free(verdict);
    store_close(store);
}
END_TEST

// A setting that no table has would never be found.
START_TEST(declarations) {
    for (size_t i = 0; i < n_settings; i++) {
        const struct table *table = table_find(collector_tables(), n_collectors, settings[i].table);
        ck_assert_msg(table != NULL, "no table %s", settings[i].table);
        ck_assert_msg(table_column(table, settings[i].column) >= 0, "no column %s.%s",
                settings[i].table, settings[i].column);
    }
}
END_TEST

// A slow table is read every ten seconds: what it shows may have happened before.
START_TEST(lanes) {
    for (size_t i = 0; i < n_collectors; i++)
        ck_assert_msg((collectors[i]->lane == LANE_SLOW) >=
                              (setting_slack_ms(collectors[i]->table->name) > 0),
                "%s", collectors[i]->table->name);
    ck_assert_int_eq(setting_slack_ms("sysctl"), COLLECT_SLOW_MS);
}
END_TEST

// The slack belongs to neither side.
START_TEST(slack) {
    int64_t end_ms[40];
    double seconds[40], lost[40], arrived[40] = { 0 };
    for (int i = 0; i < 40; i++) {
        end_ms[i] = i * 1000;
        seconds[i] = 1;
        lost[i] = i < 12 ? 10 : 0;
    }
    struct before_after sides = { end_ms, seconds, lost, arrived, 40, 20, 10000, 0, 40 };
    struct comparison comparison;
    before_after_compare(&sides, &comparison);
    ck_assert_double_eq_tol(comparison.before_s, 10, 1e-9);
    ck_assert_double_eq_tol(comparison.before_rate, 10, 1e-9);
    ck_assert_double_eq_tol(comparison.after_s, 19, 1e-9);
    ck_assert_int_eq(comparison.verdict, CHANGE_CURED);
}
END_TEST

// In steps of 200 ms a second is enough; but not where the loss came every second.
START_TEST(fine_steps) {
    static const struct {
        size_t every;
        enum change_verdict verdict;
    } fine[] = { { 1, CHANGE_CURED }, { 2, CHANGE_CURED }, { 5, CHANGE_TOO_EARLY } };
    int64_t end_ms[20];
    double seconds[20], lost[20], arrived[20] = { 0 };
    for (size_t i = 0; i < 20; i++) {
        end_ms[i] = (int64_t) i * 200;
        seconds[i] = 0.2;
        lost[i] = i < 13 && i % fine[_i].every == 0 ? 10 : 0;
    }
    struct before_after sides = { end_ms, seconds, lost, arrived, 20, 13, 0, 0, 20 };
    struct comparison comparison;
    before_after_compare(&sides, &comparison);
    ck_assert_int_eq(comparison.verdict, fine[_i].verdict);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("changes");
    TCase *tests = tcase_create("changes");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, windows, 0, (int) N(cases));
    tcase_add_test(tests, declarations);
    tcase_add_test(tests, lanes);
    tcase_add_test(tests, slack);
    tcase_add_loop_test(tests, fine_steps, 0, 3);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
