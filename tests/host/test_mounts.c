// SPDX-License-Identifier: GPL-2.0-or-later
// Mounted devices
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/mount_list.h"
#include "tests/host/rows.h"

static struct mount_list list;
static struct parse_problem problem;

static void parse(const char *text) {
    problem = (struct parse_problem){ 0 };
    ck_assert_int_eq(mount_list_parse(&list, text, strlen(text), &problem), 0);
}

static void teardown(void) {
    mount_list_done(&list);
}

// The mount points that were chosen, one per line.
static void expect(const char *points) {
    char text[4096] = "";
    for (size_t i = 0; i < list.n; i++) {
        strcat(text, list.text + list.items[i].point);
        strcat(text, "\n");
    }
    ck_assert_str_eq(text, points);
}

#define MOUNT(id, device, root, point, fstype, source, options)                                    \
    id " 1 " device " " root " " point " rw,relatime shared:7 - " fstype " " source " " options "\n"

START_TEST(fields) {
    parse("27 1 254:3 / /srv rw,nosuid,relatime shared:1 master:2 - ext4 /dev/vda3 rw,discard\n");
    ck_assert_problem(problem, -1);
    ck_assert_uint_eq(list.n, 1);
    const struct mount *mount = &list.items[0];
    ck_assert_int_eq(mount->id, 27);
    ck_assert_uint_eq(mount->disk_major, 254);
    ck_assert_uint_eq(mount->disk_minor, 3);
    ck_assert(mount->whole && !mount->read_only);
    ck_assert_str_eq(list.text + mount->point, "/srv");
    ck_assert_str_eq(list.text + mount->fstype, "ext4");
    ck_assert_str_eq(list.text + mount->source, "/dev/vda3");
}
END_TEST

// Blanks, tabs, newlines and backslashes are escaped; a name may look like an escape or like more
// fields.
START_TEST(hostile_names) {
    static const struct {
        const char *written, *name;
    } names[] = {
        { "/a\\040b", "/a b" },
        { "/a\\011b\\012c", "/a\tb\nc" },
        { "/a\\134040b", "/a\\040b" },
        { "/\\040-\\040ext4\\040/dev/sda\\040ro", "/ - ext4 /dev/sda ro" },
        { "/\\033[31mred", "/\033[31mred" },
        { "/cut\\04", "/cut\\04" },
        { "/cut\\", "/cut\\" },
        { "/not\\999octal\\400", "/not\\999octal\\400" },
        { "/\xff\xfe", "/\xff\xfe" },
        { "/a,ro,b", "/a,ro,b" },
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char line[256];
        snprintf(line, sizeof(line), MOUNT("30", "8:1", "/", "%s", "xfs", "/dev/sda1", "rw"),
                names[i].written);
        parse(line);
        ck_assert_problem(problem, -1);
        ck_assert_uint_eq(list.n, 1);
        ck_assert_str_eq(list.text + list.items[0].point, names[i].name);
        ck_assert(!list.items[0].read_only);
    }
}
END_TEST

START_TEST(what_can_fill_up) {
    parse(MOUNT("1", "254:0", "/", "/", "ext4", "/dev/vda", "rw") MOUNT(
            "2", "0:21", "/", "/proc", "proc", "proc", "rw") MOUNT("3", "0:22", "/",
            "/sys/fs/cgroup", "tmpfs", "tmpfs", "ro,size=4096k") MOUNT("4", "0:23", "/", "/run",
            "tmpfs", "tmpfs", "rw,size=800000k,mode=755") MOUNT("5", "0:24", "/", "/run/user/1000",
            "tmpfs", "tmpfs", "rw,size=800000k") MOUNT("6", "0:25", "/",
            "/run/credentials/a.service", "ramfs", "none",
            "rw,mode=700") MOUNT("7", "0:26", "/", "/dev/shm", "tmpfs", "tmpfs", "rw") MOUNT("8",
            "0:27", "/", "/tmp", "tmpfs", "tmpfs", "rw,nr_inodes=1048576") MOUNT("9", "0:28", "/",
            "/mnt/unlimited", "tmpfs", "tmpfs", "rw") MOUNT("10", "0:29", "/", "/mnt/limited",
            "tmpfs", "tmpfs", "rw,size=1024k") MOUNT("11", "7:0", "/", "/snap/core", "squashfs",
            "/dev/loop0", "ro") MOUNT("12", "11:0", "/", "/media/cd", "iso9660", "/dev/sr0",
            "ro") MOUNT("13", "0:30", "/", "/net", "nfs4", "server:/", "rw") MOUNT("14", "0:31",
            "/", "/fuse", "fuse.sshfs", "host:", "rw") MOUNT("15", "0:32", "/",
            "/var/lib/docker/overlay2/a/merged", "overlay", "overlay", "rw") MOUNT("16", "8:17",
            "/", "/boot/efi", "vfat", "/dev/sdb1", "rw") MOUNT("17", "0:33", "/", "/pool", "zfs",
            "pool", "rw") MOUNT("18", "0:34", "/@", "/data", "btrfs", "/dev/sdc", "rw") MOUNT("19",
            "0:34", "/@log", "/var/log", "btrfs", "/dev/sdc", "rw") MOUNT("20", "0:35", "/",
            "/var/lib/kubelet/pods/x/token", "tmpfs", "tmpfs", "rw,size=9k") MOUNT("21", "254:1",
            "/", "/broken", "ext4", "/dev/vdb", "ro,errors=remount-ro"));
    ck_assert_problem(problem, -1);
    expect("/\n/run\n/dev/shm\n/tmp\n/mnt/limited\n/boot/efi\n/pool\n/data\n/broken\n");
    ck_assert(list.items[8].read_only);
}
END_TEST

START_TEST(each_device_once) {
    parse(MOUNT("1", "8:1", "/srv/a", "/jail/a", "ext4", "/dev/sda1", "rw") // a directory of it
            MOUNT("2", "8:1", "/", "/", "ext4", "/dev/sda1", "rw")
                    MOUNT("3", "8:1", "/", "/again", "ext4", "/dev/sda1", "rw")
                            MOUNT("4", "8:1", "/srv/b", "/jail/b", "ext4", "/dev/sda1", "rw")
                                    MOUNT("5", "8:2", "/data", "/data", "xfs", "/dev/sda2", "rw"));
    expect("/\n/data\n");
    parse(MOUNT("1", "8:1", "/", "/mnt", "ext4", "/dev/sda1", "rw")
                    MOUNT("2", "8:2", "/", "/mnt", "ext4", "/dev/sda2", "rw")); // mounted over it
    expect("/mnt\n");
    ck_assert_int_eq(list.items[0].id, 2);
}
END_TEST

START_TEST(container) {
    parse(MOUNT("1", "0:40", "/", "/", "overlay", "overlay", "rw,lowerdir=/a,upperdir=/b") MOUNT(
            "2", "8:1", "/var/lib/docker/containers/x/hosts", "/etc/hosts", "ext4", "/dev/sda1",
            "rw") MOUNT("3", "8:2", "/", "/volume", "ext4", "/dev/sdb", "rw"));
    expect("/\n/volume\n");
}
END_TEST

// A service that may not write sees everything through read-only mounts. The file system decides.
START_TEST(read_only_is_the_file_system) {
    parse("1 0 8:1 / / ro,relatime - ext4 /dev/sda1 rw,errors=remount-ro\n");
    ck_assert(!list.items[0].read_only);
    parse("1 0 8:1 / / rw,relatime - ext4 /dev/sda1 ro,errors=remount-ro\n");
    ck_assert(list.items[0].read_only);
}
END_TEST

START_TEST(sources) {
    parse("1 0 0:50 / /tmp rw - tmpfs  rw,size=1k\n"); // an empty source
    ck_assert_problem(problem, -1);
    ck_assert_str_eq(list.text + list.items[0].source, "");
    parse("1 0 8:1 / / rw - ext4 /dev/mapper/a\\040b rw\n");
    ck_assert_str_eq(list.text + list.items[0].source, "/dev/mapper/a b");
}
END_TEST

static const struct {
    const char *text;
    int line;
    size_t n;
} broken[] = {
    { "", 0, 0 }, { "1 0 8:1 / / rw - ext4 /dev/sda1 rw", 1, 0 }, // no newline
    { "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:2 / /var rw - ex", 2, 1 },
    { "1 0 8:1 / / rw ext4 /dev/sda1 rw\n", 1, 0 }, // no separator
    { "1 0 8:1 / / rw - ext4\n", 1, 0 }, { "x 0 8:1 / / rw - ext4 /dev/sda1 rw\n", 1, 0 },
    { "1 0 8-1 / / rw - ext4 /dev/sda1 rw\n", 1, 0 },
    { "1 0 8:99999999999 / / rw - ext4 /dev/sda1 rw\n", 1, 0 },
    { "\n\n1 0 8:1 / / rw - ext4 /dev/sda1 rw\n", 1, 1 },
    { "/dev/sda1 / ext4 rw 0 0\n", 1, 0 }, // mounts, not mountinfo
};

START_TEST(broken_lines) {
    parse(broken[_i].text);
    ck_assert_problem(problem, broken[_i].line);
    ck_assert_uint_eq(list.n, broken[_i].n);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mounts");
    TCase *tcase = tcase_create("mountinfo");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, fields);
    tcase_add_test(tcase, hostile_names);
    tcase_add_test(tcase, what_can_fill_up);
    tcase_add_test(tcase, each_device_once);
    tcase_add_test(tcase, container);
    tcase_add_test(tcase, read_only_is_the_file_system);
    tcase_add_test(tcase, sources);
    tcase_add_loop_test(tcase, broken_lines, 0, (int) (sizeof(broken) / sizeof(broken[0])));
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
