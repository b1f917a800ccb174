// SPDX-License-Identifier: GPL-2.0-or-later
// Host choices
//
// What is taken of files that hold more than is wanted, or say it in several ways.
#include <stdio.h>
#include <string.h>

#include "collectors/link.h"
#include "collectors/list.h"
#include "core/cleanup.h"
#include "tests/collectors/rig.h"

// --- a part of a file

// Writes a vmstat whose wanted names stand behind `before` other bytes, and in front of more.
static void write_vmstat(struct rig *rig, size_t before, int value, const char *more) {
    char text[16384];
    size_t n = 0;
    while (n < before)
        n += (size_t) snprintf(text + n, sizeof(text) - n, "nr_other 1\n");
    n += (size_t) snprintf(text + n, sizeof(text) - n,
            "pswpin %d\nallocstall_dma %d\nallocstall_normal %d\npgmajfault %d\n%s", value, value,
            value, value, more);
    for (int i = 0; i < 400; i++)
        n += (size_t) snprintf(text + n, sizeof(text) - n, "nr_rest 1\n");
    rig_write(rig, "proc/vmstat", text, n);
}

static void check_vmstat(struct rig *rig, int value, cell oom_kill) {
    rig_collect(rig);
    ck_assert_msg(rig->outcome.state == OUTCOME_OK, "%s", rig->outcome.reason);
    ck_assert_int_eq(rig_value(rig, "host", "pswpin"), value);
    ck_assert_int_eq(rig_value(rig, "host", "allocstall"), 2 * value);
    ck_assert_int_eq(rig_value(rig, "host", "pgmajfault"), value);
    ck_assert_int_eq(rig_value(rig, "host", "oom_kill"), oom_kill);
}

// Only the beginning is read once it is known to hold what is wanted, and all again when it does
// not.
START_TEST(vmstat_is_read_as_far_as_needed) {
    struct rig rig;
    rig_start_empty(&rig, &memory_collector);
    rig_write(&rig, "proc/meminfo", "MemTotal: 8 kB\n", strlen("MemTotal: 8 kB\n"));
    write_vmstat(&rig, 1000, 3, "");
    check_vmstat(&rig, 3, CELL_NULL);
    write_vmstat(&rig, 1000, 5, "");
    check_vmstat(&rig, 5, CELL_NULL);
    ck_assert_uint_lt(rig.source.size, 2000);
    for (size_t before = 1000; before < 3000; before += 7) { // cut everywhere
        write_vmstat(&rig, before, 1234567, "");
        check_vmstat(&rig, 1234567, CELL_NULL);
    }
    write_vmstat(&rig, 9000, 8, "oom_kill 2\n");
    check_vmstat(&rig, 8, 2);
    write_vmstat(&rig, 100, 9, "oom_kill 4\n");
    check_vmstat(&rig, 9, 4);
    write_vmstat(&rig, 100, 9, "oom_kill x\n");
    rig_collect(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_FAILED);
    ck_assert_msg(strstr(rig.outcome.reason, "/proc/vmstat:"), "%s", rig.outcome.reason);
    rig_remove(&rig, "proc/vmstat");
    rig_collect(&rig);
    rig_stop(&rig);
}
END_TEST

// --- interfaces in a directory

START_TEST(link_from_net_dev) {
    static const char text[] =
            "Inter-|   Receive                                                |  Transmit\n"
            " face |bytes    packets errs drop fifo frame compressed multicast|"
            "bytes    packets errs drop fifo colls carrier compressed\n"
            "    lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n"
            "eth0:1:2000 20 2 3 4 5 6 7 3000 30 1 2 3 4 5 6\n"; // an alias, and no blank
    struct rig rig;
    rig_start_empty(&rig, &link_collector);
    rig_write(&rig, "proc/net/dev", text, strlen(text));
    rig_collect(&rig);
    ck_assert_msg(rig.outcome.state == OUTCOME_OK, "%s", rig.outcome.reason);
    ck_assert_uint_eq(rig.rows.n, 2);
    const cell *lo = rows_at(&rig.rows, 0), *eth0 = rows_at(&rig.rows, 1);
    ck_assert_str_eq(rows_text(&rig.rows, eth0[LINK_INTERFACE]), "eth0:1");
    int dropped = table_column(&link_table, "rx_dropped"),
        missed = table_column(&link_table, "rx_missed_errors");
    // drop is the sum of two: known only where it is 0.
    ck_assert(lo[dropped] == 0 && lo[missed] == 0);
    ck_assert(eth0[dropped] == CELL_NULL && eth0[missed] == CELL_NULL);
    ck_assert_int_eq(eth0[table_column(&link_table, "rx_bytes")], 2000);
    ck_assert_int_eq(eth0[table_column(&link_table, "rx_fifo_errors")], 4);
    ck_assert_int_eq(eth0[table_column(&link_table, "multicast")], 7);
    ck_assert_int_eq(eth0[table_column(&link_table, "tx_dropped")], 2);
    ck_assert_int_eq(eth0[table_column(&link_table, "collisions")], 4);
    ck_assert_int_eq(eth0[table_column(&link_table, "tx_compressed")], 6);
    ck_assert_int_eq(lo[table_column(&link_table, "rx_crc_errors")], 0);
    ck_assert(eth0[table_column(&link_table, "rx_crc_errors")] == CELL_NULL);
    ck_assert(eth0[LINK_MTU] == CELL_NULL);
    rig_stop(&rig);
}
END_TEST

START_TEST(link_kinds_in_a_directory) {
    static const struct {
        const char *path, *text, *kind;
    } signs[] = {
        { "uevent", "DEVTYPE=vxlan\nINTERFACE=if0\n", "vxlan" },
        { "bridge/bridge_id", "1\n", "bridge" }, { "device/vendor", "0x8086\n", "" },
        { "type", "772\n", "" }, { "type", "1\n", NULL }, { "uevent", "DEVTYPE=vx", NULL }, // cut
    };
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        struct rig rig;
        char path[128];
        rig_start_empty(&rig, &link_collector);
        snprintf(path, sizeof(path), "sys/class/net/if0/%s", signs[i].path);
        rig_write(&rig, path, signs[i].text, strlen(signs[i].text));
        rig_write(&rig, "sys/class/net/if0/statistics/rx_dropped", "12\n", 3);
        rig_write(&rig, "sys/class/net/if0/statistics/rx_missed_errors", "12", 2); // cut
        rig_collect(&rig);
        ck_assert_uint_eq(rig.rows.n, 1);
        const cell *row = rows_at(&rig.rows, 0);
        ck_assert_int_eq(row[LINK_KIND] == CELL_NULL, !signs[i].kind);
        ck_assert_str_eq(rows_text(&rig.rows, row[LINK_KIND]), signs[i].kind ? signs[i].kind : "");
        ck_assert_int_eq(row[table_column(&link_table, "rx_dropped")], 12);
        ck_assert(row[table_column(&link_table, "rx_missed_errors")] == CELL_NULL);
        ck_assert_int_eq(rig.outcome.state, OUTCOME_FAILED);
        ck_assert_ptr_nonnull(strstr(rig.outcome.reason, "rx_missed_errors:1"));
        rig_stop(&rig);
    }
}
END_TEST

// --- which devices

START_TEST(disks_that_matter) {
    static const char text[] =
            "   8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n   8 1 sda1 1 0 0 0 0 0 0 0 0 0 0\n"
            "   8 2 sda2 1 0 0 0 0 0 0 0 0 0 0\n"
            " 259 0 nvme0n1 1 0 0 0 0 0 0 0 0 0 0\n 259 1 nvme0n1p1 1 0 0 0 0 0 0 0 0 0 0\n"
            "   7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n 104 0 cciss/c0d0 1 0 0 0 0 0 0 0 0 0 0\n"
            "   8 3 sda2 9 9 9 9 9 9 9 9 9 9 9\n"; // the name again: not believed
    static const char mounts[] = "1 0 8:2 / / rw - ext4 /dev/sda2 rw\n";
    for (int with_sysfs = 0; with_sysfs < 2; with_sysfs++) {
        struct rig rig;
        rig_start_empty(&rig, &disk_collector);
        rig_write(&rig, "proc/diskstats", text, strlen(text));
        rig_write(&rig, "proc/self/mountinfo", mounts, strlen(mounts));
        for (int i = 0; with_sysfs && i < 3; i++) {
            static const char *const paths[] = { "sys/block/sda/size", "sys/block/nvme0n1/size",
                "sys/block/cciss!c0d0/size" };
            rig_write(&rig, paths[i], "1\n", 2);
        }
        rig_collect(&rig);
        _cleanup_free_ char *dump = rig_dump(&rig);
        ck_assert_uint_eq(rig.rows.n, 4);
        ck_assert_ptr_nonnull(strstr(dump, "device=sda "));
        ck_assert_ptr_nonnull(strstr(dump, "device=sda2 reads_completed=1 "));
        ck_assert_ptr_nonnull(strstr(dump, "device=nvme0n1 "));
        ck_assert_ptr_nonnull(strstr(dump, "device=cciss/c0d0 "));
        rig_stop(&rig);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("host choices");
    TCase *tcase = tcase_create("choices");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, vmstat_is_read_as_far_as_needed);
    tcase_add_test(tcase, link_from_net_dev);
    tcase_add_test(tcase, link_kinds_in_a_directory);
    tcase_add_test(tcase, disks_that_matter);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
