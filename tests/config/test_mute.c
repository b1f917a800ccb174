// SPDX-License-Identifier: GPL-2.0-or-later
// Expected losses
//
// From the words of the configuration to what is told.
#include <stdio.h>
#include <string.h>

#include "core/mute.h"
#include "daemon/alerts.h"
#include "tests/suite.h"

#define N(array) (sizeof(array) / sizeof(array[0]))

static const struct config_key *key_named(const char *section, const char *name) {
    for (size_t i = 0; i < n_config_keys; i++)
        if (strcmp(config_keys[i].section, section) == 0 && strcmp(config_keys[i].key, name) == 0)
            return &config_keys[i];
    ck_abort_msg("no key %s", name);
}

static int set(struct config *config, const char *name, const char *value) {
    return config_key_parse(key_named("mute", name), value, config);
}

static struct cause make_cause(const char *id, int64_t port, const char *unit, int64_t lost) {
    struct cause cause = { .id = (char *) id,
        .locus = (char *) "socket-queue",
        .title = (char *) "Title",
        .severity = SEVERITY_CRITICAL,
        .lost = lost,
        .subject = subject_none };
    cause.subject.port = port;
    cause.subject.unit = (char *) unit;
    cause.subject.netns = (char *) "host";
    return cause;
}

static const struct {
    const char *key, *value, *id, *unit, *mount;
    int64_t port;
    bool muted;
} matches[] = {
    { "port", "514", "rcvbuf-burst", NULL, NULL, 514, true },
    { "port", "514, 8125\t9000", "rcvbuf-burst", NULL, NULL, 8125, true },
    { "port", "514", "rcvbuf-burst", NULL, NULL, 51, false },
    { "port", "514", "rcvbuf-burst", NULL, NULL, 5140, false },
    { "port", "514", "rcvbuf-burst", NULL, NULL, CELL_NULL, false },
    { "port", "", "rcvbuf-burst", NULL, NULL, 514, false },
    { "unit", "a.service test-*.service", "x", "test-7.service", NULL, 514, true },
    { "unit", "a.service", "x", "aa.service", NULL, 514, false },
    { "unit", "*", "x", NULL, NULL, 514, false },
    { "cause", "no-listener disk-fill", "disk-fill", NULL, "/var", CELL_NULL, true },
    { "cause", "no-listener", "no-listener-scan", NULL, NULL, CELL_NULL, false },
    { "mount", "/scratch /mnt/*", "disk-fill", NULL, "/mnt/usb", CELL_NULL, true },
    { "mount", "/scratch", "disk-fill", NULL, "/", CELL_NULL, false },
};

START_TEST(words) {
    struct config config = { 0 };
    struct subject subject = subject_none;
    subject.port = matches[_i].port;
    subject.unit = (char *) matches[_i].unit;
    subject.mount = (char *) matches[_i].mount;
    ck_assert_int_eq(set(&config, matches[_i].key, matches[_i].value), 0);
    ck_assert_int_eq(mute_matches(&config, matches[_i].id, &subject), matches[_i].muted);
}
END_TEST

START_TEST(values) {
    struct config config = { 0 };
    ck_assert_int_eq(set(&config, "port", "syslog"), -22);
    ck_assert_int_eq(set(&config, "port", "514x"), -22);
    ck_assert_int_eq(set(&config, "port", "0"), -34);
    ck_assert_int_eq(set(&config, "port", "65536"), -34);
    ck_assert_int_eq(set(&config, "port", " 1,65535 "), 0);
    char long_list[CONFIG_LIST_SIZE + 1];
    memset(long_list, 'a', sizeof(long_list) - 1);
    long_list[sizeof(long_list) - 1] = '\0';
    ck_assert_int_eq(set(&config, "unit", long_list), -34);
}
END_TEST

START_TEST(verdicts) {
    struct config config = { 0 };
    struct cause causes[] = { make_cause("reader-stopped", 514, "a.service", 900),
        make_cause("rcvbuf-burst", 514, "a.service", 900),
        make_cause("rcvbuf-burst", 53, "b.service", 100) };
    causes[1].also = true;
    struct verdict verdict = {
        .kind = VERDICT_CAUSES, .lost = 1000, .causes = causes, .n_causes = 3
    };
    ck_assert_int_eq(set(&config, "cause", "reader-stopped"), 0);
    mute_verdict(&config, &verdict);
    ck_assert(causes[0].muted);
    ck_assert_msg(causes[1].muted, "what contributes to a muted loss is muted");
    ck_assert(!causes[2].muted);
    ck_assert_int_eq(verdict_muted(&verdict), 900);
    ck_assert_int_eq(verdict_exit_status(&verdict), 11);
    ck_assert_int_eq(verdict.lost, 1000);
    ck_assert_int_eq(set(&config, "port", "53"), 0);
    mute_verdict(&config, &verdict);
    ck_assert_int_eq(verdict_exit_status(&verdict), 0);
    ck_assert_int_eq(verdict.kind, VERDICT_HEALTHY);
}
END_TEST

// What is left over without a cause is not muted.
START_TEST(rest) {
    struct config config = { 0 };
    struct cause causes[] = { make_cause("reader-stopped", 514, NULL, 500) };
    struct verdict verdict = {
        .kind = VERDICT_CAUSES, .lost = 1000, .causes = causes, .n_causes = 1
    };
    ck_assert_int_eq(set(&config, "port", "514"), 0);
    mute_verdict(&config, &verdict);
    ck_assert_int_eq(verdict.kind, VERDICT_CANNOT_TELL);
}
END_TEST

struct told {
    int begun, ended, kept;
    bool muted;
};

static void write_down(void *userdata, enum alert_event event, const struct alert *alert) {
    struct told *told = userdata;
    told->begun += event == ALERT_BEGINS;
    told->ended += event == ALERT_ENDS;
    told->kept += event == ALERT_GOES_ON;
    told->muted = alert->muted;
}

static void look(struct alerts *alerts, struct verdict *verdict, int64_t now_ms) {
    static const struct alert_policy policy = { 10, 0, 2, 1800000, 60000 };
    struct look at = {
        .verdict = verdict, .wall_ms = now_ms, .boottime_ms = now_ms, .observed_ms = 30000
    };
    ck_assert_int_eq(alerts_look(alerts, &at, &policy), 0);
}

// A muted alert is kept and told to nobody; what was told before it was muted is told to end.
START_TEST(alert) {
    struct config config = { 0 };
    struct told told = { 0 };
    struct level level = { .id = (char *) "disk-fill",
        .text = (char *) "/var is 83 % full",
        .severity = SEVERITY_WARNING,
        .subject = subject_none };
    level.subject.mount = (char *) "/var";
    struct verdict verdict = { .levels = &level, .n_levels = 1 };
    struct alerts *alerts = alerts_new(write_down, &told);
    if (_i == 0)
        ck_assert_int_eq(set(&config, "mount", "/var"), 0);
    for (int i = 1; i < 4; i++) {
        mute_verdict(&config, &verdict);
        look(alerts, &verdict, i * 30000);
    }
    ck_assert_int_eq(told.begun, _i);
    ck_assert_int_gt(told.kept, 0);
    ck_assert_int_eq(told.muted, !_i);
    ck_assert_int_eq(set(&config, "mount", "/var"), 0);
    mute_verdict(&config, &verdict);
    look(alerts, &verdict, 120000);
    ck_assert(told.muted);
    verdict.n_levels = 0;
    for (int i = 5; i < 9; i++)
        look(alerts, &verdict, i * 30000);
    ck_assert_int_eq(told.ended, _i);
    alerts_free(alerts);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mute");
    TCase *tests = tcase_create("mute");
    tcase_add_loop_test(tests, words, 0, (int) N(matches));
    tcase_add_test(tests, values);
    tcase_add_test(tests, verdicts);
    tcase_add_test(tests, rest);
    tcase_add_loop_test(tests, alert, 0, 2);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
