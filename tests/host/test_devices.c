// SPDX-License-Identifier: GPL-2.0-or-later
// Devices of this kernel
//
// A network namespace of our own with a veth pair, queues and real losses, compared with what ip
// and tc say.
#include <arpa/inet.h>
#include <json-c/json.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collectors/list.h"
#include "core/cleanup.h"
#include "tests/collectors/rig.h"
#include "tests/host/rows.h"

static const char *refused; // why there is no namespace here

static bool run(const char *command) {
    return system(command) == 0;
}

static void setup(void) {
    if (!run("ip -V >/dev/null 2>&1 && tc -V >/dev/null 2>&1"))
        refused = "no ip and tc here";
    else if (unshare(CLONE_NEWNET) < 0)
        refused = "a network namespace is refused";
    else if (!run("echo 1 2>/dev/null >/proc/sys/net/ipv6/conf/default/disable_ipv6;" // its chatter
                  " ip link set lo up && ip link add va numtxqueues 2 type veth peer name vb &&"
                  " ip address add 10.11.0.1/24 dev va && ip link set va up && ip link set vb up &&"
                  " ip neighbour add 10.11.0.2 lladdr 02:00:00:00:00:02 dev va nud permanent"))
        refused = "no veth pair can be made";
}

#define NEEDS_NAMESPACE()                                                                          \
    if (refused) {                                                                                 \
        fprintf(stderr, "# skipped: %s\n", refused);                                               \
        return;                                                                                    \
    }

static void send_datagrams(const char *address, int n) {
    char data[1000] = "";
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
    inet_pton(AF_INET, address, &to.sin_addr);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    for (int i = 0; i < n; i++)
        if (sendto(fd, data, sizeof(data), MSG_DONTWAIT, (struct sockaddr *) &to, sizeof(to)) < 0)
            continue; // its queue was full
    close(fd);
}

static json_object *ask(const char *command) {
    char *text = calloc(1, 1 << 20);
    FILE *pipe = popen(command, "re");
    size_t n = fread(text, 1, (1 << 20) - 1, pipe);
    ck_assert_int_eq(pclose(pipe), 0);
    text[n] = '\0';
    json_object *answer = json_tokener_parse(text);
    free(text);
    ck_assert_ptr_nonnull(answer);
    return answer;
}

static json_object *get(json_object *object, const char *name) {
    json_object *value;
    return json_object_object_get_ex(object, name, &value) ? value : NULL;
}

static const char *get_text(json_object *object, const char *name) {
    const char *text = json_object_get_string(get(object, name));
    return text ? text : "";
}

static long find_row(const struct rows *rows, size_t column, const char *text) {
    for (size_t i = 0; i < rows->n; i++)
        if (strcmp(rows_text(rows, rows_at(rows, i)[column]), text) == 0)
            return (long) i;
    return -1;
}

static size_t row_of(const struct rig *rig, const char *interface) {
    long row = find_row(&rig->rows, 1, interface);
    ck_assert_msg(row >= 0, "no row of %s", interface);
    return (size_t) row;
}

// --- links

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

// --- queueing disciplines

static long find_qdisc(const struct rows *rows, json_object *qdisc) {
    bool root = get(qdisc, "root") != NULL;
    for (size_t i = 0; i < rows->n; i++)
        if (strcmp(text_of(rows, i, "interface"), get_text(qdisc, "dev")) == 0 &&
                strcmp(text_of(rows, i, "handle"), get_text(qdisc, "handle")) == 0 &&
                strcmp(text_of(rows, i, "parent"), root ? "root" : get_text(qdisc, "parent")) == 0)
            return (long) i;
    return -1;
}

static void compare_qdiscs(const struct rows *rows, const char *command) {
    static const char *const columns[] = { "bytes", "packets", "drops", "overlimits", "requeues",
        "qlen" };
    json_object *qdiscs = ask(command);
    size_t found = 0;
    for (size_t i = 0; i < json_object_array_length(qdiscs); i++) {
        json_object *qdisc = json_object_array_get_idx(qdiscs, i);
        if (strcmp(get_text(qdisc, "kind"), "noqueue") == 0)
            continue; // it counts nothing
        found++;
        long row = find_qdisc(rows, qdisc);
        ck_assert_msg(row >= 0, "no row of %s", json_object_to_json_string(qdisc));
        ck_assert_text(rows, (size_t) row, "kind", get_text(qdisc, "kind"));
        for (size_t k = 0; k < sizeof(columns) / sizeof(columns[0]); k++)
            ck_assert_cell(
                    rows, (size_t) row, columns[k], json_object_get_int64(get(qdisc, columns[k])));
        ck_assert_cell(
                rows, (size_t) row, "backlog_bytes", json_object_get_int64(get(qdisc, "backlog")));
    }
    json_object_put(qdiscs);
    ck_assert_uint_eq(rows->n, found);
}

// The drops that the leaves of an interface add up to, and those of its root.
static cell sum_of_drops(const struct rows *rows, const char *interface, bool of_root) {
    cell sum = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (strcmp(text_of(rows, i, "interface"), interface) == 0 &&
                (of_root ? strcmp(text_of(rows, i, "parent"), "root") == 0
                         : cell_of(rows, i, "leaf") == 1))
            sum += cell_of(rows, i, "drops");
    return sum;
}

START_TEST(a_queue_that_overflows) {
    struct rig rig;
    NEEDS_NAMESPACE();
    ck_assert(run("ip link set vb up;"
                  " tc qdisc add dev va root handle 8001: tbf rate 64kbit burst 2000 limit 4000"));
    send_datagrams("10.11.0.2", 200);
    ck_assert(run("ip link set va down")); // nothing moves while it is looked at
    rig_start(&rig, &qdisc_collector, NULL);
    rig_look(&rig);
    ck_assert_msg(rig.outcome.state == OUTCOME_OK, "%s", rig.outcome.reason);
    compare_qdiscs(&rig.rows, "tc -j -s qdisc show");
    long row = find_row(&rig.rows, 4, "tbf");
    ck_assert_int_ge(row, 0);
    ck_assert_text(&rig.rows, (size_t) row, "handle", "8001:");
    ck_assert_cell(&rig.rows, (size_t) row, "leaf", 1);
    ck_assert_int_ge(cell_of(&rig.rows, (size_t) row, "drops"), 100);
    rig_stop(&rig);
}
END_TEST

START_TEST(no_queue_at_all) {
    struct rig rig;
    NEEDS_NAMESPACE();
    rig_start(&rig, &qdisc_collector, NULL);
    rig_look(&rig); // noqueue counts nothing
    ck_assert_int_eq(rig.outcome.state, OUTCOME_ABSENT);
    ck_assert_uint_eq(rig.rows.n, 0);
    rig_stop(&rig);
}
END_TEST

START_TEST(a_tree_of_classes) {
    struct rig rig;
    NEEDS_NAMESPACE();
    if (!run("tc qdisc add dev va root handle 1: htb default 1 2>/dev/null")) {
        fprintf(stderr, "# skipped: this kernel has no htb\n");
        return;
    }
    ck_assert(run("tc class add dev va parent 1: classid 1:1 htb rate 64kbit quantum 1500 &&"
                  " tc class add dev va parent 1: classid 1:2 htb rate 64kbit quantum 1500 &&"
                  " ip link set va txqueuelen 5"));
    rig_start(&rig, &qdisc_collector, NULL);
    rig_look(&rig);
    long root = find_row(&rig.rows, 4, "htb");
    ck_assert_int_ge(root, 0);
    ck_assert_cell(&rig.rows, (size_t) root, "leaf", 1); // what is below it is hidden
    ck_assert(run("tc qdisc add dev va parent 1:2 handle 20: pfifo limit 5 &&"
                  " tc qdisc add dev va parent 1:1 handle 10: pfifo limit 5 &&"
                  " tc qdisc del dev va parent 1:1"));
    send_datagrams("10.11.0.2", 100); // all to the class whose discipline is hidden
    rig_look(&rig);
    compare_qdiscs(&rig.rows, "tc -j -s qdisc show invisible");
    root = find_row(&rig.rows, 4, "htb");
    ck_assert_cell(&rig.rows, (size_t) root, "leaf", 0);
    rig_stop(&rig);
}
END_TEST

START_TEST(a_queue_for_each_cpu) {
    struct rig rig;
    NEEDS_NAMESPACE();
    if (!run("tc qdisc add dev va root handle 1: mq 2>/dev/null")) {
        fprintf(stderr, "# skipped: this kernel has no mq\n");
        return;
    }
    ck_assert(run(
            "tc qdisc add dev va parent 1:1 handle 10: tbf rate 64kbit burst 2000 limit 4000 &&"
            " tc qdisc add dev va parent 1:2 handle 20: tbf rate 64kbit burst 2000 limit 4000 &&"
            " tc qdisc add dev va ingress"));
    send_datagrams("10.11.0.2", 100);
    ck_assert(run("ip link set va down"));
    rig_start(&rig, &qdisc_collector, NULL);
    rig_look(&rig);
    compare_qdiscs(&rig.rows, "tc -j -s qdisc show");
    ck_assert_int_ge(sum_of_drops(&rig.rows, "va", false), 50);
    // mq shows the sum of its queues, but of those that hang there now only.
    ck_assert_int_eq(sum_of_drops(&rig.rows, "va", false), sum_of_drops(&rig.rows, "va", true));
    long ingress = find_row(&rig.rows, 4, "ingress");
    ck_assert_text(&rig.rows, (size_t) ingress, "parent", "ffff:fff1");
    rig_stop(&rig);
}
END_TEST

// --- a list that changes while it is read

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

// --- adapters

START_TEST(no_adapter_in_a_namespace) {
    struct rig rig;
    NEEDS_NAMESPACE();
    rig_start(&rig, &nic_collector, NULL);
    rig_look(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_ABSENT); // a veth pair is none
    ck_assert_uint_eq(rig.rows.n, 0);
    rig_stop(&rig);
}
END_TEST

static bool has_hardware(const char *interface) {
    char path[128];
    snprintf(path, sizeof(path), "/sys/class/net/%s/device", interface);
    return access(path, F_OK) == 0;
}

START_TEST(adapters_of_this_host) {
    struct rig rig;
    rig_start(&rig, &nic_collector, NULL);
    for (int look = 0; look < 2; look++) { // the second with what the first has chosen
        rig_look(&rig);
        ck_assert_msg(rig.outcome.state == OUTCOME_OK || rig.outcome.state == OUTCOME_ABSENT, "%s",
                rig.outcome.reason);
        for (size_t i = 0; i < rig.rows.n; i++) {
            ck_assert_str_ne(text_of(&rig.rows, i, "driver"), "");
            cell ring = cell_of(&rig.rows, i, "rx_ring"),
                 most = cell_of(&rig.rows, i, "rx_ring_max");
            ck_assert(ring == CELL_NULL || (ring >= 0 && ring <= most));
        }
    }
    struct if_nameindex *names = if_nameindex();
    for (size_t i = 0; names && names[i].if_index; i++)
        if (has_hardware(names[i].if_name))
            row_of(&rig, names[i].if_name);
    if_freenameindex(names);
    rig_stop(&rig);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("devices");
    TCase *own = tcase_create("namespace"), *host = tcase_create("host");
    tcase_set_timeout(own, 60);
    tcase_add_checked_fixture(own, setup, NULL);
    tcase_add_test(own, links_are_those_of_ip);
    tcase_add_test(own, links_come_and_go);
    tcase_add_test(own, a_queue_that_overflows);
    tcase_add_test(own, no_queue_at_all);
    tcase_add_test(own, a_tree_of_classes);
    tcase_add_test(own, a_queue_for_each_cpu);
    tcase_add_test(own, changes_while_reading);
    tcase_add_test(own, no_adapter_in_a_namespace);
    tcase_add_test(host, adapters_of_this_host);
    suite_add_tcase(suite, own);
    suite_add_tcase(suite, host);
    return suite_main(suite);
}
