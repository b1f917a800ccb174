// SPDX-License-Identifier: GPL-2.0-or-later
// Queueing disciplines of this kernel
//
// With real losses, compared with what tc says.
#include <stdio.h>
#include <string.h>

#include "collectors/list.h"
#include "tests/host/devices.h"

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

int main(void) {
    Suite *suite = suite_create("qdiscs of this kernel");
    TCase *own = tcase_create("namespace");
    tcase_set_timeout(own, 60);
    tcase_add_checked_fixture(own, enter_namespace, NULL);
    tcase_add_test(own, a_queue_that_overflows);
    tcase_add_test(own, no_queue_at_all);
    tcase_add_test(own, a_tree_of_classes);
    tcase_add_test(own, a_queue_for_each_cpu);
    suite_add_tcase(suite, own);
    return suite_main(suite);
}
