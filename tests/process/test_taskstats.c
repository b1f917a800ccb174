// SPDX-License-Identifier: GPL-2.0-or-later
// Delay accounting
#include <errno.h>
#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/taskstats.h>
#include <netlink/attr.h>
#include <string.h>
#include <unistd.h>

#include "collectors/taskstats.h"
#include "tests/process/actor.h"
#include "tests/suite.h"

#define PID 812
#define MOST 1024

struct message {
    struct nlmsghdr header;
    struct genlmsghdr generic;
    char attributes[MOST];
};

static char *put(char *at, int type, const void *data, size_t n) {
    struct nlattr attribute = { .nla_type = (uint16_t) type,
        .nla_len = (uint16_t) (NLA_HDRLEN + n) };
    memcpy(at, &attribute, sizeof(attribute));
    memcpy(at + NLA_HDRLEN, data, n);
    return at + NLA_ALIGN(NLA_HDRLEN + n);
}

// What the kernel answers, with a structure of so many bytes.
static struct message make(
        uint16_t version, size_t n, const struct taskstats *values, uint64_t copies) {
    struct message message = { .generic.cmd = TASKSTATS_CMD_NEW };
    char inner[MOST] = "", stats[MOST] = "";
    uint32_t pid = PID;
    memcpy(stats, values, sizeof(*values));
    memcpy(stats, &version, sizeof(version));
    memcpy(stats + 400, &copies, sizeof(copies));
    char *end = put(inner, TASKSTATS_TYPE_TGID, &pid, sizeof(pid));
    end = put(end, TASKSTATS_TYPE_NULL, "", 0);
    end = put(end, TASKSTATS_TYPE_STATS, stats, n);
    end = put(message.attributes, TASKSTATS_TYPE_AGGR_TGID, inner, (size_t) (end - inner));
    message.header.nlmsg_len = (uint32_t) (end - (char *) &message);
    message.header.nlmsg_type = 25;
    return message;
}

static const struct taskstats values = { .blkio_count = 3,
    .blkio_delay_total = 5000999,
    .swapin_count = 1,
    .swapin_delay_total = 7000,
    .freepages_count = 1,
    .freepages_delay_total = 9000,
    .nvcsw = 41,
    .nivcsw = 7 };

START_TEST(every_version) {
    static const struct {
        uint16_t version;
        size_t n;
    } kernels[] = { { 8, 328 }, { 9, 344 }, { 10, 352 }, { 11, 368 }, { 13, 416 }, { 14, 432 },
        { 16, 576 }, { 17, 640 }, { 99, 900 } };
    for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
        struct message message = make(kernels[i].version, kernels[i].n, &values, 0);
        struct task_delays delays;
        ck_assert(taskstats_parse(&message.header, PID, &delays));
        ck_assert_int_eq(delays.block_us, 5000);
        ck_assert_int_eq(delays.swap_us, 7);
        ck_assert_int_eq(delays.reclaim_us, 9);
        ck_assert_int_eq(delays.switches_voluntary, 41);
        ck_assert_int_eq(delays.switches_involuntary, 7);
        ck_assert(!taskstats_parse(&message.header, PID + 1, &delays));
    }
}
END_TEST

START_TEST(the_odd_version_is_not_read) {
    struct message message = make(15, 560, &values, 1);
    struct task_delays delays;
    ck_assert(taskstats_parse(&message.header, PID, &delays));
    ck_assert(delays.block_us == CELL_NULL && delays.switches_voluntary == CELL_NULL);
}
END_TEST

START_TEST(zeros_are_not_known) {
    struct taskstats none = { .cpu_count = 17, .cpu_delay_total = 99, .nvcsw = 5 };
    struct message message = make(16, 576, &none, 0);
    struct task_delays delays;
    ck_assert(taskstats_parse(&message.header, PID, &delays));
    ck_assert(delays.block_us == CELL_NULL && delays.swap_us == CELL_NULL &&
              delays.reclaim_us == CELL_NULL);
    ck_assert_int_eq(delays.switches_voluntary, 5);
    // A process that copied a page on write is counted: it has not waited for a disk yet.
    message = make(16, 576, &none, 1);
    ck_assert(taskstats_parse(&message.header, PID, &delays));
    ck_assert_int_eq(delays.block_us, 0);
    // That field means something else in older versions.
    message = make(11, 416, &none, 1);
    ck_assert(taskstats_parse(&message.header, PID, &delays));
    ck_assert(delays.block_us == CELL_NULL);
}
END_TEST

START_TEST(cut_messages_are_refused) {
    struct task_delays delays;
    struct message message = make(8, 327, &values, 0);
    ck_assert(!taskstats_parse(&message.header, PID, &delays));
    message = make(8, 0, &values, 0);
    ck_assert(!taskstats_parse(&message.header, PID, &delays));
    message = make(16, 576, &values, 0);
    uint32_t length = message.header.nlmsg_len;
    for (uint32_t n = 0; n < length; n++) {
        message.header.nlmsg_len = n;
        ck_assert_msg(!taskstats_parse(&message.header, PID, &delays), "%u", n);
    }
}
END_TEST

static const char sysctl[] = "/proc/sys/kernel/task_delayacct";
static char before = '\0'; // '0': switched on for the test

static bool set(char value) {
    int fd = open(sysctl, O_WRONLY | O_CLOEXEC);
    bool done = fd >= 0 && write(fd, &value, 1) == 1;
    if (fd >= 0)
        close(fd);
    return done;
}

static void switch_on(void) {
    int fd = open(sysctl, O_RDONLY | O_CLOEXEC);
    char value;
    if (fd >= 0 && read(fd, &value, 1) == 1 && value == '0' && set('1'))
        before = value;
    if (fd >= 0)
        close(fd);
}

static void switch_back(void) {
    if (before)
        set(before);
}

START_TEST(this_kernel_answers) {
    struct taskstats_asker asker = TASKSTATS_CLOSED;
    struct task_delays first, second, unknown;
    struct actor actor = actor_start(play_write);
    wait_ms(50);
    int r = taskstats_read(&asker, actor.pid, &first);
    if (r == -EPERM || r == -ENOENT) { // not privileged, or built without: said once and for all
        ck_assert_int_eq(taskstats_read(&asker, actor.pid, &first), r);
        actor_end(&actor);
        return;
    }
    ck_assert_int_eq(r, 0);
    wait_ms(200);
    ck_assert_int_eq(taskstats_read(&asker, actor.pid, &second), 0);
    ck_assert_int_gt(second.switches_voluntary, first.switches_voluntary);
    if (second.block_us != CELL_NULL && first.block_us != CELL_NULL)
        ck_assert_int_gt(second.block_us, first.block_us);
    else
        ck_assert(!before);
    actor_end(&actor);
    ck_assert_int_eq(taskstats_read(&asker, actor.pid, &unknown), -ESRCH);
    ck_assert_int_eq(taskstats_read(&asker, getpid(), &unknown), 0);
    taskstats_close(&asker);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("taskstats");
    TCase *tcase = tcase_create("messages");
    tcase_add_test(tcase, every_version);
    tcase_add_test(tcase, the_odd_version_is_not_read);
    tcase_add_test(tcase, zeros_are_not_known);
    tcase_add_test(tcase, cut_messages_are_refused);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("kernel");
    tcase_add_unchecked_fixture(tcase, switch_on, switch_back);
    tcase_add_test(tcase, this_kernel_answers);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
