// SPDX-License-Identifier: GPL-2.0-or-later
// Alert states
#include <stdio.h>
#include <string.h>

#include "daemon/alerts.h"
#include "tests/suite.h"

static const struct alert_policy policy = {
    .floor = 10,
    .floor_ratio = 0.01,
    .confirm = 2,
    .remind_ms = 30000,
    .clear_ms = 10000,
};

// One world per test: a clock, a verdict with at most two causes and one level, and a protocol of
// what was told.
struct world {
    struct alerts *alerts;
    char told[4096];
    int64_t now_ms;
    struct ledger_entry ledger[2];
    struct cause causes[2];
    struct level level;
    struct fresh fresh;
    struct remark not_judged;
    struct verdict verdict;
    const char *blind[1];
    size_t n_blind;
};

static void write_down(void *userdata, enum alert_event event, const struct alert *alert) {
    struct world *world = userdata;
    if (event == ALERT_GOES_ON)
        return;
    size_t n = strlen(world->told);
    snprintf(world->told + n, sizeof(world->told) - n, "%s %s %s %lld\n", alert_event_name(event),
            alert->cause, severity_name(alert->severity), (long long) alert->lost);
}

static struct cause make_cause(const char *id, int64_t lost, const char *netns, int64_t port) {
    struct cause cause = { .id = (char *) id,
        .locus = (char *) "socket-queue",
        .title = (char *) "Title",
        .severity = SEVERITY_WARNING,
        .confidence = 0.5,
        .lost = lost,
        .subject = subject_none };
    cause.subject.netns = (char *) netns;
    cause.subject.port = port;
    return cause;
}

static void set_up(struct world *world) {
    memset(world, 0, sizeof(*world));
    world->alerts = alerts_new(write_down, world);
    world->now_ms = 1000000;
    world->ledger[0] = (struct ledger_entry){
        .locus = (char *) "socket-queue", .direction = (char *) "receive", .netns = (char *) "host"
    };
    world->causes[0] = make_cause("rcvbuf-burst", 0, "host", CELL_NULL);
    world->level = (struct level){ .id = (char *) "disk-fill",
        .text = (char *) "/var is 83 % full",
        .severity = SEVERITY_WARNING,
        .subject = subject_none };
    world->level.subject.mount = (char *) "/var";
    world->verdict = (struct verdict){ .received = 1000,
        .ledger = world->ledger,
        .causes = world->causes,
        .levels = &world->level,
        .not_judged = &world->not_judged };
}

// A look `ms` later, with `lost` datagrams in the window of which `since` are new.
static void look(struct world *world, int64_t ms, int64_t lost, int64_t since) {
    world->now_ms += ms;
    world->ledger[0].datagrams = world->verdict.lost = lost;
    world->verdict.n_ledger = lost > 0;
    if (world->verdict.n_causes == 0)
        world->verdict.n_causes = lost > 0;
    world->causes[0].lost = lost;
    world->fresh = (struct fresh){ .locus = (char *) "socket-queue",
        .netns = (char *) "host",
        .since = since,
        .window = lost,
        .first_ms = world->now_ms - 500,
        .last_ms = world->now_ms };
    struct look at = { .verdict = &world->verdict,
        .fresh = &world->fresh,
        .n_fresh = 1,
        .wall_ms = world->now_ms,
        .boottime_ms = world->now_ms,
        .observed_ms = ms,
        .blind = world->blind,
        .n_blind = world->n_blind };
    ck_assert_int_eq(alerts_look(world->alerts, &at, &policy), 0);
    world->verdict.n_causes = 0;
}

static void expect(struct world *world, const char *told) {
    ck_assert_str_eq(world->told, told);
    world->told[0] = '\0';
}

#define WORLD                                                                                      \
    struct world world;                                                                            \
    set_up(&world)
#define DONE alerts_free(world.alerts)

START_TEST(a_loss_begins_when_confirmed_and_ends_when_healthy) {
    WORLD;
    look(&world, 1000, 50, 50);
    ck_assert(alerts_waiting(world.alerts));
    expect(&world, "");
    look(&world, 1000, 90, 40);
    expect(&world, "begin rcvbuf-burst warning 90\n");
    ck_assert(alerts_losing(world.alerts));
    look(&world, 1000, 90, 0);
    look(&world, 8000, 90, 0);
    expect(&world, "");
    look(&world, 1000, 0, 0);
    expect(&world, "end rcvbuf-burst warning 90\n");
    ck_assert_uint_eq(alerts_running(world.alerts), 0);
    DONE;
}
END_TEST

START_TEST(the_end_is_when_the_loss_was_last_seen) {
    WORLD;
    look(&world, 1000, 50, 50);
    look(&world, 1000, 90, 40);
    ck_assert_int_eq(alerts_due(world.alerts, &policy), world.now_ms + policy.clear_ms);
    look(&world, 4000, 90, 0);
    ck_assert_int_eq(alerts_due(world.alerts, &policy), world.now_ms + 6000);
    DONE;
}
END_TEST

START_TEST(a_small_single_burst_is_no_alert) {
    WORLD;
    look(&world, 1000, 99, 99);
    look(&world, 5000, 99, 0);
    look(&world, 60000, 0, 0);
    ck_assert(!alerts_waiting(world.alerts));
    look(&world, 1000, 99, 99);
    expect(&world, "");
    DONE;
}
END_TEST

// Ten times both floors.
START_TEST(a_large_single_burst_is_one) {
    WORLD;
    world.verdict.received = 100000;
    look(&world, 1000, 9000, 9000);
    expect(&world, "");
    DONE;
    set_up(&world);
    look(&world, 1000, 120, 120);
    expect(&world, "begin rcvbuf-burst warning 120\n");
    look(&world, 10000, 120, 0);
    expect(&world, "end rcvbuf-burst warning 120\n");
    // The window still has the burst, but little is new.
    look(&world, 1000, 150, 30);
    expect(&world, "");
    DONE;
}
END_TEST

START_TEST(floors_are_absolute_and_relative) {
    WORLD;
    look(&world, 1000, 9, 9);
    look(&world, 1000, 9, 9);
    world.verdict.received = 1000000;
    look(&world, 1000, 9000, 9000);
    look(&world, 1000, 9000, 9000);
    expect(&world, "");
    look(&world, 1000, 11000, 9000);
    look(&world, 1000, 11000, 9000);
    expect(&world, "begin rcvbuf-burst warning 18000\n");
    DONE;
}
END_TEST

START_TEST(it_reminds_while_it_lasts_and_not_in_between) {
    WORLD;
    look(&world, 1000, 50, 50);
    look(&world, 1000, 50, 50);
    expect(&world, "begin rcvbuf-burst warning 100\n");
    look(&world, 29000, 50, 50);
    expect(&world, "");
    look(&world, 1000, 50, 50);
    expect(&world, "reminder rcvbuf-burst warning 200\n");
    // Health that is not sustained yet is no time for a reminder.
    look(&world, 9000, 50, 0);
    look(&world, 21000, 50, 50);
    expect(&world, "reminder rcvbuf-burst warning 250\n");
    DONE;
}
END_TEST

START_TEST(another_cause_of_the_same_loss_changes_it) {
    WORLD;
    look(&world, 1000, 50, 50);
    look(&world, 1000, 50, 50);
    expect(&world, "begin rcvbuf-burst warning 100\n");
    world.causes[0].id = (char *) "reader-steal";
    look(&world, 1000, 50, 50);
    expect(&world, "");
    look(&world, 1000, 50, 50);
    expect(&world, "changed reader-steal warning 200\n");
    ck_assert_uint_eq(alerts_running(world.alerts), 1);
    DONE;
}
END_TEST

START_TEST(only_the_first_cause_of_a_loss_is_told) {
    WORLD;
    for (int i = 0; i < 3; i++) {
        world.causes[1] = make_cause("reader-steal", 50, "host", CELL_NULL);
        world.verdict.n_causes = 2;
        look(&world, 1000, 50, 50);
    }
    expect(&world, "begin rcvbuf-burst warning 100\n");
    DONE;
}
END_TEST

START_TEST(two_ports_are_two_alerts_and_a_port_found_later_is_not) {
    WORLD;
    look(&world, 1000, 50, 50);
    look(&world, 1000, 50, 50);
    expect(&world, "begin rcvbuf-burst warning 100\n");
    world.causes[0] = make_cause("rcvbuf-burst", 50, "host", 514);
    look(&world, 1000, 50, 50);
    ck_assert_uint_eq(alerts_running(world.alerts), 1);
    for (int i = 0; i < 2; i++) {
        world.causes[1] = make_cause("rcvbuf-burst", 20, "host", 53);
        world.verdict.n_causes = 2;
        look(&world, 1000, 50, 50);
    }
    expect(&world, "begin rcvbuf-burst warning 40\n");
    ck_assert_uint_eq(alerts_running(world.alerts), 2);
    DONE;
}
END_TEST

START_TEST(no_data_changes_nothing) {
    WORLD;
    look(&world, 1000, 50, 50);
    look(&world, 1000, 50, 50);
    world.blind[0] = "socket-queue";
    world.n_blind = 1;
    look(&world, 60000, 0, 0);
    expect(&world, "begin rcvbuf-burst warning 100\n");
    world.n_blind = 0;
    world.not_judged.id = (char *) "rcvbuf-burst";
    world.verdict.n_not_judged = 1;
    look(&world, 60000, 0, 0);
    expect(&world, "");
    world.verdict.n_not_judged = 0;
    look(&world, 10000, 0, 0);
    expect(&world, "end rcvbuf-burst warning 100\n");
    DONE;
}
END_TEST

START_TEST(a_loss_without_a_rule_is_told) {
    WORLD;
    for (int i = 0; i < 2; i++) {
        world.causes[0].locus = (char *) "backlog";
        world.causes[0].no_loss = true;
        look(&world, 1000, 50, 50);
    }
    expect(&world, "begin socket-queue warning 100\n");
    DONE;
}
END_TEST

START_TEST(an_estimate_of_nothing_is_told_while_its_counter_climbs) {
    WORLD;
    for (int i = 0; i < 2; i++) {
        look(&world, 1000, 1, 0);
        world.ledger[0].estimated = true;
        world.ledger[0].datagrams = 0;
        world.causes[0].lost = 0;
        world.verdict.n_causes = 1;
        world.fresh.since = world.fresh.window = 400;
        world.now_ms += 1000;
        struct look at = { .verdict = &world.verdict,
            .fresh = &world.fresh,
            .n_fresh = 1,
            .wall_ms = world.now_ms,
            .boottime_ms = world.now_ms,
            .observed_ms = 1000 };
        alerts_look(world.alerts, &at, &policy);
    }
    expect(&world, "begin rcvbuf-burst warning 0\n");
    DONE;
}
END_TEST

START_TEST(a_level_rises_at_once_and_falls_late) {
    WORLD;
    world.verdict.n_levels = 1;
    look(&world, 10000, 0, 0);
    look(&world, 10000, 0, 0);
    expect(&world, "begin disk-fill warning 0\n");
    world.level.severity = SEVERITY_CRITICAL;
    look(&world, 10000, 0, 0);
    expect(&world, "changed disk-fill critical 0\n");
    world.level.severity = SEVERITY_WARNING;
    look(&world, 5000, 0, 0);
    expect(&world, "");
    look(&world, 5000, 0, 0);
    expect(&world, "changed disk-fill warning 0\n");
    look(&world, 30000, 0, 0);
    expect(&world, "reminder disk-fill warning 0\n");
    world.verdict.n_levels = 0;
    look(&world, 10000, 0, 0);
    expect(&world, "end disk-fill warning 0\n");
    DONE;
}
END_TEST

START_TEST(information_is_no_alert) {
    WORLD;
    world.verdict.n_levels = 1;
    world.level.severity = SEVERITY_INFO;
    for (int i = 0; i < 5; i++)
        look(&world, 10000, 0, 0);
    expect(&world, "");
    DONE;
}
END_TEST

static struct alert before(const char *document) {
    return (struct alert){ .cause = (char *) "rcvbuf-burst",
        .subject = (char *) "netns host",
        .title = (char *) "Title",
        .severity = SEVERITY_WARNING,
        .begin_ms = 900000,
        .last_ms = 950000,
        .lost = 1000,
        .reminders = 3,
        .document = json_tokener_parse(document) };
}

START_TEST(an_alert_of_the_run_before_goes_on) {
    WORLD;
    struct alert alert = before("{\"id\":\"rcvbuf-burst\",\"locus\":\"socket-queue\","
                                "\"subject\":{\"netns\":\"host\",\"port\":null}}");
    ck_assert_int_gt(alerts_inherit(world.alerts, &alert, &policy, world.now_ms), 0);
    json_object_put(alert.document);
    look(&world, 1000, 50, 50);
    expect(&world, "");
    ck_assert_uint_eq(alerts_running(world.alerts), 1);
    look(&world, 10000, 0, 0);
    expect(&world, "end rcvbuf-burst warning 1050\n");
    DONE;
}
END_TEST

START_TEST(an_alert_of_the_run_before_ends) {
    WORLD;
    struct alert alert = before("{\"id\":\"disk-fill\",\"subject\":{\"mount\":\"/var\"}}");
    alerts_inherit(world.alerts, &alert, &policy, world.now_ms);
    json_object_put(alert.document);
    ck_assert_int_le(alerts_due(world.alerts, &policy), world.now_ms + policy.clear_ms);
    look(&world, 10000, 0, 0);
    expect(&world, "end rcvbuf-burst warning 1000\n");
    DONE;
}
END_TEST

int main(void) {
    Suite *suite = suite_create("alerts");
    TCase *tests = tcase_create("alerts");
    tcase_add_test(tests, a_loss_begins_when_confirmed_and_ends_when_healthy);
    tcase_add_test(tests, the_end_is_when_the_loss_was_last_seen);
    tcase_add_test(tests, a_small_single_burst_is_no_alert);
    tcase_add_test(tests, a_large_single_burst_is_one);
    tcase_add_test(tests, floors_are_absolute_and_relative);
    tcase_add_test(tests, it_reminds_while_it_lasts_and_not_in_between);
    tcase_add_test(tests, another_cause_of_the_same_loss_changes_it);
    tcase_add_test(tests, only_the_first_cause_of_a_loss_is_told);
    tcase_add_test(tests, two_ports_are_two_alerts_and_a_port_found_later_is_not);
    tcase_add_test(tests, no_data_changes_nothing);
    tcase_add_test(tests, a_loss_without_a_rule_is_told);
    tcase_add_test(tests, an_estimate_of_nothing_is_told_while_its_counter_climbs);
    tcase_add_test(tests, a_level_rises_at_once_and_falls_late);
    tcase_add_test(tests, information_is_no_alert);
    tcase_add_test(tests, an_alert_of_the_run_before_goes_on);
    tcase_add_test(tests, an_alert_of_the_run_before_ends);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
