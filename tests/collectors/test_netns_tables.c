// SPDX-License-Identifier: GPL-2.0-or-later
// Tables per network namespace
#include <stdio.h>
#include <string.h>

#include "collectors/list.h"
#include "core/cleanup.h"
#include "tests/collectors/rig.h"

static const char *const kernels[] = { "3.10", "4.18-el8", "5.4", "6.1", "6.18" };
#define N_KERNELS ((int) (sizeof(kernels) / sizeof(kernels[0])))

static const struct collector *const tested[] = { &snmp_collector, &sockstat_collector,
    &sysctl_collector, &conntrack_collector };

START_TEST(fixtures_give_exact_values) {
    struct rig rig;
    char folder[256];
    const char *kernel = kernels[_i];
    for (size_t i = 0; i < sizeof(tested) / sizeof(tested[0]); i++) {
        rig_start(&rig, tested[i], fixture(kernel, folder, sizeof(folder)));
        rig_look(&rig);
        rig_look(&rig); // the files are kept open
        bool absent = strcmp(kernel, "5.4") == 0 && tested[i] == &conntrack_collector;
        ck_assert_int_eq(rig.outcome.state, absent ? OUTCOME_ABSENT : OUTCOME_OK);
        ck_assert_int_eq(rig.outcome.reason[0] != '\0', absent);
        rig_check_expected(&rig, kernel);
        rig_stop(&rig);
    }
}
END_TEST

// Files of the 6.18 fixture.
static const struct {
    const struct collector *collector;
    const char *path;
} files[] = {
    { &snmp_collector, "proc/1/net/snmp" },
    { &snmp_collector, "proc/1/net/netstat" },
    { &snmp_collector, "proc/1/net/snmp6" },
    { &sockstat_collector, "proc/1/net/sockstat" },
    { &sockstat_collector, "proc/1/net/sockstat6" },
    { &conntrack_collector, "proc/1/net/stat/nf_conntrack" },
    { &sysctl_collector, "proc/sys/net/ipv4/udp_mem" },
    { &sysctl_collector, "proc/sys/net/core/rmem_max" },
};
#define N_FILES ((int) (sizeof(files) / sizeof(files[0])))

static void check_certain(const struct rig *rig, const cell *whole, size_t cut) {
    const struct table *table = rig->collector->table;
    for (size_t i = 1; rig->rows.n > 0 && i < table->n_columns; i++) {
        cell value = rows_at(&rig->rows, 0)[i];
        ck_assert_msg(value == CELL_NULL || value == whole[i], "%s is wrong, cut at %zu",
                table->columns[i].name, cut);
    }
}

START_TEST(a_cut_file_gives_gaps) {
    struct rig rig;
    size_t n;
    cell whole[256];
    const char *path = files[_i].path;
    _cleanup_free_ char *text = fixture_read("6.18", path, &n);
    rig_start_empty(&rig, files[_i].collector);
    rig_write(&rig, path, text, n);
    rig_look(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    ck_assert_uint_eq(rig.rows.n, 1);
    memcpy(whole, rows_at(&rig.rows, 0), rig.collector->table->n_columns * sizeof(cell));
    // Every third byte; a cut between two lines cannot be told by a line.
    for (size_t cut = 0; cut<n; cut += cut> 200 ? 3 : 1) {
        if (cut > 0 && text[cut - 1] == '\n')
            continue;
        rig_write(&rig, path, text, cut);
        rig_collect(&rig);
        ck_assert_int_eq(rig.outcome.state, OUTCOME_FAILED);
        ck_assert_msg(strstr(rig.outcome.reason, path), "%s", rig.outcome.reason);
        check_certain(&rig, whole, cut);
    }
    rig_stop(&rig);
}
END_TEST

static void check_broken(struct rig *rig, const char *path, const char *text, const char *reason) {
    rig_write(rig, path, text, strlen(text));
    rig_look(rig);
    ck_assert_int_eq(rig->outcome.state, OUTCOME_FAILED);
    ck_assert_str_eq(rig->outcome.reason, reason);
}

START_TEST(failures_are_told_by_file_and_line) {
    struct rig rig;
    rig_start_empty(&rig, &snmp_collector);
    check_broken(&rig, "proc/net/snmp", "", "/proc/net/snmp: the file is empty");
    ck_assert_uint_eq(rig.rows.n, 0);
    check_broken(&rig, "proc/net/snmp", "Udp: NoPorts InDatagrams\nUdp: 1\n",
            "/proc/net/snmp:2: as many values as names were expected");
    check_broken(&rig, "proc/net/snmp", "Ip: InReceives\nIp: 1\n",
            "/proc/net/snmp: what every kernel has is missing");
    ck_assert_int_eq(rig_value(&rig, "host", "ip_in_receives"), 1);
    check_broken(&rig, "proc/net/snmp", "Udp: NoPorts InDatagrams\nUdp: x 2\n",
            "/proc/net/snmp:2: not a number in range");
    ck_assert_int_eq(rig_value(&rig, "host", "udp_in_datagrams"), 2);
    ck_assert_int_eq(rig_value(&rig, "host", "udp_no_ports"), CELL_NULL);
    rig_stop(&rig);

    rig_start_empty(&rig, &conntrack_collector);
    check_broken(&rig, "proc/net/stat/nf_conntrack", "entries found\n00000001 00000002\n00000001\n",
            "/proc/net/stat/nf_conntrack:3: as many hexadecimal values as names were expected");
    ck_assert_uint_eq(rig.rows.n, 0);
    check_broken(&rig, "proc/net/stat/nf_conntrack", "entries found\n1 2\n",
            "/proc/net/stat/nf_conntrack:2: as many hexadecimal values as names were expected");
    rig_stop(&rig);

    rig_start_empty(&rig, &sysctl_collector);
    check_broken(&rig, "proc/sys/net/ipv4/udp_mem", "12 34\n",
            "/proc/sys/net/ipv4/udp_mem:1: not a number in range");
    ck_assert_int_eq(rig_value(&rig, "host", "udp_mem_min_pages"), 12);
    ck_assert_int_eq(rig_value(&rig, "host", "udp_mem_max_pages"), CELL_NULL);
    rig_stop(&rig);
}
END_TEST

START_TEST(what_is_not_there_is_absent) {
    struct rig rig;
    for (size_t i = 0; i < sizeof(tested) / sizeof(tested[0]); i++) {
        rig_start_empty(&rig, tested[i]);
        rig_look(&rig);
        ck_assert_int_eq(rig.outcome.state, OUTCOME_ABSENT);
        ck_assert_uint_eq(rig.rows.n, 0);
        ck_assert_int_ne(rig.outcome.reason[0], '\0');
        rig_stop(&rig);
    }
}
END_TEST

START_TEST(unknown_names_are_ignored) {
    struct rig rig;
    static const char snmp[] =
            "Quic: InDatagrams\nQuic: 5\nUdp: New InDatagrams Newer\nUdp: 1 2 -3\n";
    static const char conntrack[] = "new entries drop\n00000009 00000001 00000002\n"
                                    "00000009 00000001 fffffffe\n";
    rig_start_empty(&rig, &snmp_collector);
    rig_write(&rig, "proc/1/net/snmp", snmp, strlen(snmp));
    rig_look(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    ck_assert_int_eq(rig_value(&rig, "host", "udp_in_datagrams"), 2);
    ck_assert_int_eq(rig_value(&rig, "host", "netns_pid"), 1);
    rig_stop(&rig);
    rig_start_empty(&rig, &conntrack_collector);
    rig_write(&rig, "proc/net/stat/nf_conntrack", conntrack, strlen(conntrack));
    rig_look(&rig);
    ck_assert_int_eq(rig_value(&rig, "host", "count"), 1);
    ck_assert_int_eq(rig_value(&rig, "host", "drop"), 0); // modulo 2^32
    ck_assert_int_eq(rig_value(&rig, "host", "insert_failed"), CELL_NULL);
    rig_stop(&rig);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tables per network namespace");
    TCase *tcase = tcase_create("fixtures");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, fixtures_give_exact_values, 0, N_KERNELS);
    tcase_add_loop_test(tcase, a_cut_file_gives_gaps, 0, N_FILES);
    tcase_add_test(tcase, failures_are_told_by_file_and_line);
    tcase_add_test(tcase, what_is_not_there_is_absent);
    tcase_add_test(tcase, unknown_names_are_ignored);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
