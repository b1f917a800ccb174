// SPDX-License-Identifier: GPL-2.0-or-later
// Judgements
#include <math.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/text.h"
#include "tests/rules/fixture.h"

#define HEADER(name, kind, locus)                                                                  \
    "-- rule " name "\n-- kind " kind "\n-- explains " locus                                       \
    "\n-- severity warning\n-- title Title of " name "\n"                                          \
    "-- ruled-out no " name " in {seconds}\n"
#define CAUSE(name, locus, rest)                                                                   \
    { name, HEADER(name, "cause", locus) rest }
// A cause that says of each namespace and its whole loss at the locus that it explains it, with
// some confidence.
#define WHOLE(name, locus, confidence, rest)                                                       \
    CAUSE(name, locus,                                                                             \
            "-- needs snmp\n" rest "SELECT netns, datagrams AS lost, " confidence                  \
            " AS confidence FROM ledger"                                                           \
            " WHERE locus = '" locus "'\n")
// 100 received a step in the host.
#define TRAFFIC                                                                                                 \
    "INSERT INTO snmp(step, netns, udp_in_datagrams, udp_out_datagrams, udp_rcvbuf_errors, udp_in_csum_errors," \
    " udp_sndbuf_errors, udp_no_ports) SELECT step, 'host', 100, 50, 0, 0, 0, 0 FROM step;"
#define LOSS TRAFFIC "UPDATE snmp SET udp_rcvbuf_errors = 10 WHERE step > 5;"

#define N(array) (sizeof(array) / sizeof(array[0]))

START_TEST(balances_the_ledger) {
    const struct rule_source rules[] = { fixture_spare };
    struct verdict *v = fixture_judge(LOSS
            "INSERT INTO snmp(step, netns, udp_rcvbuf_errors) VALUES (3, 'box', 7);"
            "INSERT INTO softnet(step, cpu, dropped, \"drop\") VALUES (1, 0, 3, 0), (1, 1, 1, 2), (9, 1, 0, 4);"
            "UPDATE snmp SET udp_no_ports = 50, udp_sndbuf_errors = 2;",
            rules, N(rules));
    ck_assert_int_eq(v->received, 1000);
    ck_assert_int_eq(v->sent, 500);
    ck_assert_uint_eq(v->n_ledger, 4); // no-listener: its own query says that 500 are noise
    int64_t sum = 0;
    for (size_t i = 0; i < v->n_ledger; i++)
        sum += v->ledger[i].datagrams;
    ck_assert_int_eq(v->lost, sum);
    ck_assert_str_eq(v->ledger[0].locus, "backlog");
    ck_assert_int_eq(v->ledger[0].datagrams, 10);
    ck_assert_ptr_null(v->ledger[0].netns);
    ck_assert_str_eq(json_object_to_json_string_ext(v->ledger[0].counters, JSON_C_TO_STRING_PLAIN),
            "{\"dropped\":4,\"drop\":6}");
    ck_assert_str_eq(v->ledger[1].netns, "box");
    ck_assert_int_eq(v->ledger[1].datagrams, 7);
    ck_assert_str_eq(v->ledger[2].netns, "host");
    ck_assert_int_eq(v->ledger[2].datagrams, 50);
    ck_assert_str_eq(json_object_to_json_string_ext(v->ledger[2].counters, JSON_C_TO_STRING_PLAIN),
            "{\"udp_rcvbuf_errors\":50,\"udp_in_datagrams\":1000}");
    ck_assert_str_eq(v->ledger[3].locus, "send-buffer"); // less what the backlog counts
    ck_assert_str_eq(v->ledger[3].direction, "send");
    ck_assert_int_eq(v->ledger[3].datagrams, 10);
    verdict_free(v);
}
END_TEST

// No row of a table that has only what is worth one: all is well, but only if it was looked at.
START_TEST(takes_nothing_worth_a_row_for_an_answer) {
    static const struct {
        const char *outcome, *reason;
    } outcomes[] = {
        { "INSERT INTO outcome(table_name, state, reason) VALUES ('seldom', 'ok', '')", NULL },
        { "INSERT INTO outcome(table_name, state, reason) VALUES ('seldom', 'ok', 'half of it')",
                "needs seldom: half of it" },
        { "INSERT INTO outcome(table_name, state, reason) VALUES ('seldom', 'denied', 'not root')",
                "needs seldom: not root" },
        { "", "needs seldom: nothing was recorded in this window" },
    };
    const struct rule_source rules[] = { CAUSE("full", "checksum",
            "-- needs seldom.drops\nSELECT drops AS lost, 1 AS confidence FROM seldom\n") };
    for (size_t i = 0; i < N(outcomes); i++) {
        struct verdict *v = fixture_judge(outcomes[i].outcome, rules, N(rules));
        const char *reason = fixture_remark(v->not_judged, v->n_not_judged, "full");
        ck_assert_msg(!reason == !outcomes[i].reason, "%s", reason);
        ck_assert(!reason || strcmp(reason, outcomes[i].reason) == 0);
        ck_assert(!reason == !!fixture_remark(v->ruled_out, v->n_ruled_out, "full"));
        verdict_free(v);
    }
}
END_TEST

START_TEST(shows_rules_when_it_was_lost) {
    const struct rule_source rules[] = {
        { "steps",
                "-- rule steps\n-- kind note\n-- needs snmp\n-- text {n} steps, {sum} datagrams, {total} in the ledger\n"
                "SELECT count(*) AS n, sum(datagrams) AS sum, (SELECT sum(datagrams) FROM ledger) AS total FROM loss_step"
                " WHERE locus = 'socket-queue' AND netns = 'host' AND direction = 'receive'\n" },
    };
    struct verdict *v = fixture_judge(LOSS, rules, N(rules));
    ck_assert_str_eq(fixture_remark(v->notes, v->n_notes, "steps"),
            "5 steps, 50 datagrams, 50 in the ledger");
    ck_assert_str_eq(json_object_to_json_string_ext(v->notes[0].values, JSON_C_TO_STRING_PLAIN),
            "{\"n\":5,\"sum\":50,\"total\":50}");
    verdict_free(v);
}
END_TEST

START_TEST(fills_a_cause) {
    const struct rule_source rules[] = {
        CAUSE("full", "socket-queue",
                "-- needs snmp.udp_rcvbuf_errors\n-- param low = 2 for the test\n"
                "-- evidence lost datagrams {lost} of {all_bytes}\n-- evidence gone - {gone}\n-- against low - above {low}\n"
                "-- do Set {all_bytes} || sysctl -w x={all_bytes} || sysctl -w x=1\n-- do Left out {gone} || x\n-- do Look\n"
                "-- not Not {lost}\n-- not Left out {gone}\n"
                "SELECT netns, 514 AS port, 'a' || char(27) AS process, udp_rcvbuf_errors AS lost, 1.5 AS confidence,"
                " 4096 AS all_bytes, NULL AS gone, :low AS low, 'critical' AS severity FROM snmp WHERE lost > 0\n")
    };
    struct verdict *v = fixture_judge(LOSS, rules, N(rules));
    ck_assert_int_eq(v->kind, VERDICT_CAUSES);
    ck_assert_uint_eq(v->n_causes, 1);
    const struct cause *c = &v->causes[0];
    ck_assert_str_eq(c->title, "Title of full");
    ck_assert_str_eq(c->locus, "socket-queue");
    ck_assert_int_eq(c->lost, 50);
    ck_assert(c->confidence == 1); // at most
    ck_assert_int_eq(c->severity, SEVERITY_CRITICAL);
    ck_assert_str_eq(c->subject.netns, "host");
    ck_assert_int_eq(c->subject.port, 514);
    ck_assert_ptr_null(c->subject.mount);
    ck_assert_int_eq(c->subject.pid, CELL_NULL);
    ck_assert_uint_eq(c->n_evidence, 1);
    ck_assert_str_eq(c->evidence[0].text, "50 of 4 KiB");
    ck_assert(c->evidence[0].value == 50);
    ck_assert_str_eq(c->evidence[0].unit, "datagrams");
    ck_assert_uint_eq(c->n_against, 1);
    ck_assert_str_eq(c->against[0].unit, "");
    ck_assert_uint_eq(c->n_remedies, 2);
    ck_assert_str_eq(c->remedies[0].text, "Set 4 KiB");
    ck_assert_str_eq(c->remedies[0].command, "sysctl -w x=4096");
    ck_assert_str_eq(c->remedies[0].undo, "sysctl -w x=1");
    ck_assert_ptr_null(c->remedies[1].command);
    ck_assert_uint_eq(c->n_nots, 1);
    ck_assert_int_eq(verdict_exit_status(v), 11);
    _cleanup_free_ char *name = subject_name(&c->subject);
    ck_assert_str_eq(name, "port 514, process a\x1b, netns host");
    verdict_free(v);
}
END_TEST

START_TEST(rules_out_and_tells_what_it_cannot_judge) {
    const struct rule_source rules[] = {
        fixture_spare,
        CAUSE("blind", "checksum", "-- needs softnet\nSELECT 1 AS lost, 1 AS confidence\n"),
        CAUSE("denied", "checksum",
                "-- needs mount.used_bytes\nSELECT 1 AS lost, 1 AS confidence\n"),
        CAUSE("lacking", "checksum",
                "-- needs snmp.udp_in_csum_errors\nSELECT 1 AS lost, 1 AS confidence\n"),
        CAUSE("partly", "checksum",
                "-- needs snmp.udp_no_ports\nSELECT 1 AS lost, 1 AS confidence WHERE 0\n"),
        CAUSE("zero", "checksum", "-- needs snmp\nSELECT NULL AS lost, 1 AS confidence\n"),
        CAUSE("either", "checksum",
                "-- needs softnet|snmp.udp_in_csum_errors|snmp.udp_no_ports snmp\n"
                "SELECT 1 AS lost, 1 AS confidence WHERE 0\n"),
        CAUSE("neither", "checksum",
                "-- needs snmp snmp.udp_in_csum_errors|softnet\nSELECT 1 AS lost, 1 AS confidence\n"),
    };
    struct verdict *v = fixture_judge(TRAFFIC
            "UPDATE snmp SET udp_in_csum_errors = NULL; UPDATE snmp SET udp_no_ports = NULL WHERE step > 1;"
            "INSERT OR REPLACE INTO outcome(table_name, state, reason) VALUES"
            " ('softnet', 'absent', 'no softnet_stat here'), ('mount', 'denied', '');",
            rules, N(rules));
    ck_assert_str_eq(
            fixture_remark(v->ruled_out, v->n_ruled_out, "spare"), "nothing in 10 s, 10 steps");
    ck_assert_str_eq(fixture_remark(v->ruled_out, v->n_ruled_out, "partly"), "no partly in 10 s");
    ck_assert_str_eq(fixture_remark(v->ruled_out, v->n_ruled_out, "zero"), "no zero in 10 s");
    ck_assert_str_eq(fixture_remark(v->not_judged, v->n_not_judged, "blind"),
            "needs softnet: no softnet_stat here");
    ck_assert_str_eq(
            fixture_remark(v->not_judged, v->n_not_judged, "denied"), "needs mount: denied");
    ck_assert_str_eq(fixture_remark(v->not_judged, v->n_not_judged, "lacking"),
            "needs snmp.udp_in_csum_errors (UdpInCsumErrors), which is not known here");
    ck_assert_str_eq(fixture_remark(v->ruled_out, v->n_ruled_out, "either"), "no either in 10 s");
    ck_assert_str_eq(fixture_remark(v->not_judged, v->n_not_judged, "neither"),
            "needs snmp.udp_in_csum_errors (UdpInCsumErrors), which is not known here");
    ck_assert_uint_eq(v->n_not_judged, 4);
    ck_assert_uint_eq(v->n_causes, 0);
    ck_assert_int_eq(v->kind, VERDICT_HEALTHY);
    verdict_free(v);
}
END_TEST

START_TEST(stops_a_rule_that_never_ends) {
    const struct rule_source rules[] = {
        CAUSE("endless", "socket-queue",
                "-- needs snmp\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                " SELECT sum(i) AS lost, 1 AS confidence FROM n\n"),
        CAUSE("failing", "socket-queue",
                "-- needs snmp\nSELECT abs(-9223372036854775807 - 1) AS lost, 1 AS confidence\n"),
        CAUSE("huge", "socket-queue",
                "-- needs snmp\nSELECT replace(printf('%2000d', 1), ' ', printf('%2000d', 1)) AS lost, 1 AS confidence\n"),
        fixture_spare,
        WHOLE("works", "socket-queue", "0.5", ""),
    };
    struct verdict *v = fixture_judge(LOSS, rules, N(rules));
    ck_assert_str_eq(fixture_remark(v->not_judged, v->n_not_judged, "endless"), "took too long");
    ck_assert_str_eq(fixture_remark(v->not_judged, v->n_not_judged, "failing"), "integer overflow");
    ck_assert_str_eq(
            fixture_remark(v->not_judged, v->n_not_judged, "huge"), "string or blob too big");
    ck_assert_ptr_nonnull(fixture_remark(v->ruled_out, v->n_ruled_out, "spare"));
    ck_assert_uint_eq(v->n_not_judged, 3);
    ck_assert_ptr_nonnull(fixture_cause(v, "works"));
    verdict_free(v);
}
END_TEST

START_TEST(sorts_levels) {
    const struct rule_source rules[] = {
        { "fill",
                "-- rule fill\n-- kind level\n-- severity warning\n-- unit percent\n-- needs mount\n"
                "-- text {mount} is {used_percent} full\n-- do Free it || du -x {mount} || true\n"
                "SELECT mount, used_bytes AS value, used_bytes AS used_percent,"
                " iif(used_bytes > 90, 'critical', 'warning') AS severity FROM mount\n" },
        { "low", "-- rule low\n-- kind level\n-- severity info\n-- needs mount\n-- text x\n"
                 "SELECT 1 AS value UNION ALL SELECT NULL\n" },
    };
    struct verdict *v = fixture_judge(TRAFFIC
            "INSERT INTO mount(step, mount, used_bytes) VALUES (10, '/a b', 82), (10, '/c', 95), (10, '/d', 85)",
            rules, N(rules));
    ck_assert_uint_eq(v->n_levels, 4);
    ck_assert_str_eq(v->levels[0].subject.mount, "/c");
    ck_assert_int_eq(v->levels[0].severity, SEVERITY_CRITICAL);
    ck_assert_str_eq(v->levels[1].text, "/d is 85 % full");
    ck_assert_str_eq(v->levels[2].subject.mount, "/a b");
    ck_assert_str_eq(v->levels[2].remedies[0].command, "du -x '/a b'");
    ck_assert_str_eq(v->levels[2].unit, "percent");
    ck_assert_str_eq(v->levels[3].id, "low");
    ck_assert_int_eq(v->kind, VERDICT_HEALTHY);
    ck_assert_int_eq(verdict_exit_status(v), 0);
    verdict_free(v);
}
END_TEST

static const struct rule_source whole[] = { WHOLE("whole", "socket-queue", "0.5", ""),
    { "calm", HEADER("calm", "no-loss",
                      "-") "-- needs snmp\nSELECT 0.9 AS confidence, 5 AS lost\n" } };

// Judging again on the same store runs the same statements: nothing of the first judgement may show
// in the second.
START_TEST(judges_again_as_if_for_the_first_time) {
    const struct rule_source sources[] = { fixture_ledger, whole[0], whole[1] };
    struct rule_set *set;
    struct store *store;
    struct window window;
    char *error;
    ck_assert_int_eq(rule_set_new(sources, N(sources), true, NULL, fixture_tables, n_fixture_tables,
                             stderr, &set),
            0);
    ck_assert_int_eq(
            store_open(NULL, STORE_MEMORY, fixture_tables, n_fixture_tables, &store, &error), 0);
    ck_assert_int_eq(
            sqlite3_exec(store_db(store),
                    "INSERT INTO main.step(step, end_ms, length_ms, flags) VALUES (1, 1000, 1000, 0), (2, 2000, 1000, 0);"
                    "INSERT INTO snmp(step, netns, udp_in_datagrams, udp_rcvbuf_errors) VALUES (1, 'host', 5, 7), (2, 'host', 5, 0);",
                    NULL, NULL, NULL),
            SQLITE_OK);
    for (int i = 0; i < 6; i++) {
        struct verdict *v;
        bool lossy = i % 2 == 0; // the window of the first step, then that of the second
        ck_assert_int_eq(
                window_open(store, WINDOW_LIVE, lossy ? 0 : 1000, lossy ? 1000 : 2000, &window), 0);
        ck_assert_int_eq(rules_judge(set, store, &window, "host", "kernel", &v), 0);
        ck_assert_int_eq(v->lost, lossy ? 7 : 0);
        ck_assert_int_eq(v->received, 5);
        ck_assert_uint_eq(v->n_causes, lossy ? 2 : 1);
        verdict_free(v);
        // What the engine leaves on the connection refuses nothing to others.
        ck_assert_int_eq(
                sqlite3_exec(store_db(store), "UPDATE main.step SET flags = 0", NULL, NULL, NULL),
                SQLITE_OK);
    }
    rules_free(set); // in either order
    store_close(store);
}
END_TEST

START_TEST(judges_by_parameters_set_later) {
    const struct rule_source sources[] = { fixture_ledger,
        { "fill",
                "-- rule fill\n-- kind level\n-- severity info\n-- needs mount\n-- text x\n-- param low = 80 test\n"
                "SELECT mount, used_bytes AS value FROM mount WHERE used_bytes >= :low\n" } };
    struct rule_set *set;
    struct store *store;
    struct window window;
    char *error;
    ck_assert_int_eq(rule_set_new(sources, N(sources), true, NULL, fixture_tables, n_fixture_tables,
                             stderr, &set),
            0);
    ck_assert_int_eq(
            store_open(NULL, STORE_MEMORY, fixture_tables, n_fixture_tables, &store, &error), 0);
    ck_assert_int_eq(
            sqlite3_exec(store_db(store),
                    "INSERT INTO main.step(step, end_ms, length_ms, flags) VALUES (1, 1000, 1000, 0);"
                    "INSERT INTO mount(step, mount, used_bytes) VALUES (1, '/', 82);",
                    NULL, NULL, NULL),
            SQLITE_OK);
    ck_assert_int_eq(window_open(store, WINDOW_LIVE, 0, 1000, &window), 0);
    const double limits[] = { 80, 82.5, 82 };
    for (size_t i = 0; i < N(limits); i++) {
        struct verdict *v;
        ck_assert_int_eq(rules_set_param(set, "fill", "low", limits[i]), 0);
        ck_assert_int_eq(rules_judge(set, store, &window, "host", "kernel", &v), 0);
        ck_assert_uint_eq(v->n_levels, limits[i] <= 82);
        verdict_free(v);
    }
    store_close(store);
    rules_free(set);
}
END_TEST

// By window: the kind of the verdict, and the exit status of `why`.
static const struct {
    enum window_kind window;
    const char *sql;
    size_t n_rules;
    enum verdict_kind kind;
    int status;
    const char *note;
} kinds[] = {
    { WINDOW_LIVE, LOSS, 1, VERDICT_CAUSES, 10, NULL },
    { WINDOW_LIVE, TRAFFIC, 2, VERDICT_HEALTHY, 0, NULL },
    { WINDOW_LIVE, "", 2, VERDICT_CANNOT_TELL, 3, NULL },
    { WINDOW_LIVE, "INSERT INTO softnet(step, cpu, dropped) VALUES (1, 0, 5)", 1,
            VERDICT_CANNOT_TELL, 3, "5 datagrams at backlog: too few to judge" },
    { WINDOW_LIVE, LOSS, 0, VERDICT_CANNOT_TELL, 3,
            "50 datagrams at socket-queue: no rule explains them" },
    { WINDOW_HISTORY,
            TRAFFIC
            "INSERT INTO snmp_last(step, netns, udp_in_datagrams, udp_rcvbuf_errors, udp_no_ports)"
            " VALUES (10, 'host', 9000, 225000, 77)",
            1, VERDICT_PAST_ONLY, 0,
            "since boot 225,000 datagrams were lost at socket-queue; nothing grows now" },
    { WINDOW_LIVE,
            TRAFFIC
            "INSERT INTO snmp_last(step, netns, udp_in_datagrams, udp_rcvbuf_errors, udp_no_ports)"
            " VALUES (10, 'host', 9000, 0, 77)",
            1, VERDICT_HEALTHY, 0, NULL },
    // A stray one, of which the ledger's query says that it is no loss; but it is not true that
    // nothing grows.
    { WINDOW_LIVE,
            TRAFFIC "UPDATE snmp SET udp_in_csum_errors = 1 WHERE step = 3;"
                    "INSERT INTO snmp_last(step, netns, udp_in_datagrams, udp_in_csum_errors)"
                    " VALUES (10, 'host', 9000, 77)",
            1, VERDICT_HEALTHY, 0, NULL },
    { WINDOW_SINCE_BOOT, TRAFFIC, 1, VERDICT_ONE_SNAPSHOT, 0,
            "a single look: the counters since boot do not tell when, how fast and together with what they rose; a second look"
            " would" },
    { WINDOW_SINCE_BOOT, LOSS, 1, VERDICT_CAUSES, 10, NULL },
};

static bool has_text(const struct remark *remarks, size_t n, const char *text) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(remarks[i].text, text) == 0)
            return true;
    return false;
}

START_TEST(names_the_kind_of_verdict) {
    struct verdict *v = fixture_judge_as(kinds[_i].window, kinds[_i].sql, whole, kinds[_i].n_rules);
    ck_assert_str_eq(verdict_kind_name(v->kind), verdict_kind_name(kinds[_i].kind));
    ck_assert_int_eq(verdict_exit_status(v), kinds[_i].status);
    if (kinds[_i].note)
        ck_assert(has_text(v->notes, v->n_notes, kinds[_i].note));
    if (kinds[_i].n_rules == 2) {
        bool seen = v->received != CELL_NULL;
        ck_assert_uint_eq(v->n_causes, seen);
        ck_assert(!seen || (v->causes[0].no_loss && v->causes[0].lost == 0 && !v->causes[0].locus));
    }
    verdict_free(v);
}
END_TEST

START_TEST(says_what_the_window_lacks) {
    struct verdict *v = fixture_judge(TRAFFIC "UPDATE main.step SET flags = 2 WHERE step IN (3, 4);"
                                              "UPDATE main.step SET flags = 1 WHERE step > 6",
            whole, 1);
    ck_assert(has_text(v->gaps, v->n_gaps, "2 s in which the machine slept"));
    ck_assert(has_text(v->gaps, v->n_gaps, "4 s without samples of their own"));
    ck_assert_uint_eq(v->n_gaps, 2);
    json_object *json = verdict_json(v), *window, *complete, *gaps;
    json_object_object_get_ex(json, "window", &window);
    json_object_object_get_ex(window, "complete", &complete);
    json_object_object_get_ex(window, "gaps", &gaps);
    ck_assert(!json_object_get_boolean(complete));
    ck_assert_str_eq(json_object_get_string(json_object_array_get_idx(gaps, 0)),
            "2 s in which the machine slept");
    json_object_put(json);
    verdict_free(v);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("judge");
    TCase *tcase = tcase_create("judge");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, balances_the_ledger);
    tcase_add_test(tcase, takes_nothing_worth_a_row_for_an_answer);
    tcase_add_test(tcase, shows_rules_when_it_was_lost);
    tcase_add_test(tcase, fills_a_cause);
    tcase_add_test(tcase, rules_out_and_tells_what_it_cannot_judge);
    tcase_add_test(tcase, stops_a_rule_that_never_ends);
    tcase_add_test(tcase, sorts_levels);
    tcase_add_loop_test(tcase, names_the_kind_of_verdict, 0, N(kinds));
    tcase_add_test(tcase, judges_again_as_if_for_the_first_time);
    tcase_add_test(tcase, judges_by_parameters_set_later);
    tcase_add_test(tcase, says_what_the_window_lacks);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
