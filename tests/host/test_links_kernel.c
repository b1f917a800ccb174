// SPDX-License-Identifier: GPL-2.0-or-later
// Links of this kernel
//
// Compared with what ip says, and while they come and go.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collectors/list.h"
#include "tests/host/devices.h"

static const struct {
    const char *direction, *name, *column;
} counters[] = {
    { "rx", "bytes", "rx_bytes" },
    { "rx", "packets", "rx_packets" },
    { "rx", "errors", "rx_errors" },
    { "rx", "dropped", "rx_dropped" },
    { "rx", "over_errors", "rx_over_errors" },
    { "rx", "multicast", "multicast" },
    { "rx", "length_errors", "rx_length_errors" },
    { "rx", "crc_errors", "rx_crc_errors" },
    { "rx", "frame_errors", "rx_frame_errors" },
    { "rx", "fifo_errors", "rx_fifo_errors" },
    { "rx", "missed_errors", "rx_missed_errors" },
    { "tx", "bytes", "tx_bytes" },
    { "tx", "packets", "tx_packets" },
    { "tx", "errors", "tx_errors" },
    { "tx", "dropped", "tx_dropped" },
    { "tx", "carrier_errors", "tx_carrier_errors" },
    { "tx", "collisions", "collisions" },
    { "tx", "aborted_errors", "tx_aborted_errors" },
    { "tx", "fifo_errors", "tx_fifo_errors" },
    { "tx", "window_errors", "tx_window_errors" },
    { "tx", "heartbeat_errors", "tx_heartbeat_errors" },
};

static void compare_link(const struct rows *rows, size_t row, json_object *link) {
    ck_assert_cell(rows, row, "ifindex", json_object_get_int64(get(link, "ifindex")));
    ck_assert_cell(rows, row, "mtu_bytes", json_object_get_int64(get(link, "mtu")));
    ck_assert_cell(rows, row, "tx_queue_length", json_object_get_int64(get(link, "txqlen")));
    ck_assert_int_eq(strcasecmp(text_of(rows, row, "operstate"), get_text(link, "operstate")), 0);
    ck_assert_text(rows, row, "kind", get_text(get(link, "linkinfo"), "info_kind"));
    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
        json_object *side = get(get(link, "stats64"), counters[i].direction);
        if (get(side, counters[i].name))
            ck_assert_cell(rows, row, counters[i].column,
                    json_object_get_int64(get(side, counters[i].name)));
    }
}

START_TEST(links_are_those_of_ip) {
    struct rig rig;
    NEEDS_NAMESPACE();
    ck_assert(run("ip link set vb mtu 1280 && echo 2 >/proc/sys/net/ipv4/conf/vb/rp_filter"));
    send_datagrams("10.11.0.2", 500);
    send_datagrams("127.0.0.1", 50);
    rig_start(&rig, &link_collector, NULL);
    rig_look(&rig);
    ck_assert_msg(rig.outcome.state == OUTCOME_OK, "%s", rig.outcome.reason);
    json_object *links = ask("ip -j -d -s -s link show");
    ck_assert_uint_eq(rig.rows.n, json_object_array_length(links));
    for (size_t i = 0; i < rig.rows.n; i++) {
        json_object *link = json_object_array_get_idx(links, i);
        compare_link(&rig.rows, row_of(&rig, get_text(link, "ifname")), link);
    }
    json_object_put(links);
    size_t vb = row_of(&rig, "vb");
    ck_assert_cell(&rig.rows, vb, "rp_filter", 2);
    ck_assert_cell(&rig.rows, vb, "mtu_bytes", 1280);
    ck_assert_cell(&rig.rows, vb, "xdp_attached", 0);
    ck_assert_int_ge(cell_of(&rig.rows, row_of(&rig, "lo"), "rx_packets"), 50);
    rig_stop(&rig);
}
END_TEST

START_TEST(links_come_and_go) {
    struct rig rig;
    NEEDS_NAMESPACE();
    rig_start(&rig, &link_collector, NULL);
    rig_look(&rig);
    cell before = cell_of(&rig.rows, row_of(&rig, "vb"), "ifindex");
    ck_assert(run("ip link set vb down && ip link set vb name renamed"));
    rig_look(&rig);
    ck_assert_int_eq(cell_of(&rig.rows, row_of(&rig, "renamed"), "ifindex"), before);
    ck_assert_text(&rig.rows, row_of(&rig, "renamed"), "operstate", "down");
    ck_assert_int_eq(find_row(&rig.rows, 1, "vb"), -1);
    ck_assert(run("ip link del va && ip link add va type veth peer name vb"));
    rig_look(&rig);
    ck_assert_int_ne(cell_of(&rig.rows, row_of(&rig, "vb"), "ifindex"), before); // another object
    rig_stop(&rig);
}
END_TEST

static pid_t start_changes(void) {
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < 2000; i++)
        if (!run("ip link add c0 type veth peer name c1 && ip link del c0"))
            break;
    _exit(0);
}

static void check_unique(const struct rows *rows) {
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert_str_ne(text_of(rows, i, "interface"), text_of(rows, k, "interface"));
}

START_TEST(changes_while_reading) {
    struct rig rig;
    NEEDS_NAMESPACE();
    for (int i = 0; i < 30; i++) { // several datagrams long
        char command[96];
        snprintf(command, sizeof(command), "ip link add x%d type veth peer name y%d", i, i);
        ck_assert(run(command));
    }
    rig_start(&rig, &link_collector, NULL);
    rig_look(&rig);
    pid_t pid = start_changes();
    int good = 0, looks = 0;
    for (time_t end = time(NULL) + 3; time(NULL) < end; looks++) {
        rig_collect(&rig);
        good += rig.outcome.state == OUTCOME_OK;
        if (rig.outcome.state != OUTCOME_OK)
            ck_assert_msg(strstr(rig.outcome.reason, "changed") && rig.rows.n == 0, "%s",
                    rig.outcome.reason);
        else
            ck_assert_uint_ge(rig.rows.n, 63);
        check_unique(&rig.rows);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    ck_assert_int_ge(good, looks / 2);
    rig_stop(&rig);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("links of this kernel");
    TCase *own = tcase_create("namespace");
    tcase_set_timeout(own, 60);
    tcase_add_checked_fixture(own, enter_namespace, NULL);
    tcase_add_test(own, links_are_those_of_ip);
    tcase_add_test(own, links_come_and_go);
    tcase_add_test(own, changes_while_reading);
    suite_add_tcase(suite, own);
    return suite_main(suite);
}
