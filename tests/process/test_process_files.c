// SPDX-License-Identifier: GPL-2.0-or-later
// Process files
#include <stdio.h>
#include <sys/syscall.h>

#include "collectors/process_files.h"
#include "tests/suite.h"

static bool same(struct span word, const char *text) {
    return word.n == strlen(text) && memcmp(word.text, text, word.n) == 0;
}

#define REST_3_10                                                                                  \
    " S 1 812 812 0 -1 4202752 11 22 33 44 1500 250 5 6 20 -5 4 0 123456 1000000 500 "             \
    "18446744073709551615 1 1 0 0 0 0 0 4096 81923 18446744073709551615 0 0 17 3 0 0 77 0 0\n"
// From 3.5 on there are 52 fields; later kernels add nothing before the CPU.
#define REST_6_18                                                                                  \
    " D 1 812 812 0 -1 4202752 11 22 33 44 1500 250 5 6 20 -5 4 0 123456 1000000 500 "             \
    "18446744073709551615 1 1 0 0 0 0 0 4096 81923 0 0 0 17 3 0 0 77 0 0 1 2 3 4 5 6 0\n"

START_TEST(stat_of_every_name) {
    static const char *const names[] = { "rsyslogd", "a b", "a) R 1 1", ")", "(", "((x))", "a\nb",
        "", "kworker/u8:3-events_unbound", "\x1b[31m", ") S 1 2 3 4 5 6 7 8" };
    static const char *const rests[] = { REST_3_10, REST_6_18 };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        for (size_t k = 0; k < 2; k++) {
            char text[512];
            struct process_stat stat;
            int n = snprintf(text, sizeof(text), "812 (%s)%s", names[i], rests[k]);
            ck_assert(parse_process_stat(text, (size_t) n, &stat));
            ck_assert(same(stat.comm, names[i]));
            ck_assert_int_eq(stat.state, k == 0 ? 'S' : 'D');
            ck_assert_int_eq(stat.major_faults, 33);
            ck_assert_int_eq(stat.user_ticks, 1500);
            ck_assert_int_eq(stat.system_ticks, 250);
            ck_assert_int_eq(stat.nice, -5);
            ck_assert_int_eq(stat.threads, 4);
            ck_assert_int_eq(stat.start_time, 123456);
            ck_assert_int_eq(stat.cpu, 3);
        }
}
END_TEST

START_TEST(stat_cut_anywhere_is_refused) {
    static const char text[] = "812 (a) b)" REST_6_18;
    struct process_stat stat;
    for (size_t n = 0; n < sizeof(text) - 1; n++)
        ck_assert_msg(!parse_process_stat(text, n, &stat), "%zu", n);
    ck_assert(parse_process_stat(text, sizeof(text) - 1, &stat));
}
END_TEST

START_TEST(stat_without_sense_is_refused) {
    static const char *const texts[] = { "", "\n", "812\n", "812 (a\n", "812 a)\n", ")a(\n",
        "812 (a)\n", "812 (a) S\n", "812 (a) 7 1 2\n",
        "812 (a) SS 1 812 812 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 99\n",
        "812 (a) S 1 812 812 0 -1 0 1 2 x 4 5 6 7 8 20 0 1 0 99\n",
        "812 (a) S 1 812 812 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 99999999999999999999\n" };
    struct process_stat stat;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        ck_assert_msg(!parse_process_stat(texts[i], strlen(texts[i]), &stat), "%zu", i);
    // A kernel that told no more than the start would do.
    static const char least[] = "812 (a) S 1 812 812 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 99\n";
    ck_assert(parse_process_stat(least, sizeof(least) - 1, &stat));
    ck_assert_int_eq(stat.start_time, 99);
    ck_assert(stat.cpu == CELL_NULL);
}
END_TEST

START_TEST(status_by_name) {
    // The kernel writes a newline in the name as \n, so that no line can be forged.
    static const char text[] =
            "Name:\tx\\nUid:\\t7\nUmask:\t0022\nState:\tS (sleeping)\nUid:\t1000\t1001\t1002\t1003\n"
            "Cpus_allowed:\tff\nCpus_allowed_list:\t0-3,8\nMems_allowed_list:\t0\n"
            "voluntary_ctxt_switches:\t41\nnonvoluntary_ctxt_switches:\t7\n";
    struct process_status status;
    parse_process_status(text, sizeof(text) - 1, &status);
    ck_assert_int_eq(status.uid, 1001);
    ck_assert(same(status.cpus_allowed, "0-3,8"));
    ck_assert_int_eq(status.switches_voluntary, 41);
    ck_assert_int_eq(status.switches_involuntary, 7);
    // Cut before its newline, the last line counts for nothing.
    parse_process_status(text, sizeof(text) - 2, &status);
    ck_assert(status.switches_involuntary == CELL_NULL);
    parse_process_status("", 0, &status);
    ck_assert(status.uid == CELL_NULL && status.cpus_allowed.n == 0);
    parse_process_status("Uid:\n", 5, &status);
    ck_assert(status.uid == CELL_NULL);
}
END_TEST

START_TEST(io_by_name) {
    static const char text[] =
            "rchar: 9\nwchar: 8\nsyscr: 7\nsyscw: 6\nread_bytes: 4096\nwrite_bytes: 8192\n"
            "cancelled_write_bytes: 1\n";
    struct process_io io;
    parse_process_io(text, sizeof(text) - 1, &io);
    ck_assert_int_eq(io.read_bytes, 4096);
    ck_assert_int_eq(io.write_bytes, 8192);
    parse_process_io(text, 60, &io);
    ck_assert(io.write_bytes == CELL_NULL);
}
END_TEST

START_TEST(schedstat_of_a_thread) {
    struct process_schedstat times;
    ck_assert(parse_process_schedstat("3581239043 12345 17\n", 20, &times));
    ck_assert_int_eq(times.run_ns, 3581239043);
    ck_assert_int_eq(times.delay_ns, 12345);
    ck_assert(!parse_process_schedstat("3581239043 12345 17", 19, &times));
    ck_assert(!parse_process_schedstat("3581239043\n", 11, &times));
    ck_assert(!parse_process_schedstat("\n", 1, &times));
    ck_assert(!parse_process_schedstat("", 0, &times));
}
END_TEST

START_TEST(system_call_of_a_thread) {
    char text[128];
    struct process_syscall call;
    int n = snprintf(
            text, sizeof(text), "%d 0x4 0x7ffe 0xa 0x0 0x0 0x0 0x7ffd 0x7f66\n", SYS_recvfrom);
    ck_assert(parse_process_syscall(text, (size_t) n, &call));
    ck_assert_int_eq(call.number, SYS_recvfrom);
    ck_assert_uint_eq(call.first, 4);
    ck_assert(syscall_receives(call.number) && !syscall_waits_for_events(call.number));
    ck_assert(syscall_waits_for_events(SYS_epoll_pwait) && !syscall_receives(SYS_epoll_pwait));
    ck_assert(!syscall_receives(SYS_futex) && !syscall_waits_for_events(SYS_futex));
    static const char *const others[] = { "running\n", "-1 0x7ffd 0x7f66\n", "", "\n", "45\n",
        "45 4\n", "45 0x4\n", "45 0x4 0x0" };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        ck_assert_msg(!parse_process_syscall(others[i], strlen(others[i]), &call), "%s", others[i]);
}
END_TEST

static bool is_wanted(void *userdata, int fd, uint64_t inode) {
    return (uint64_t) fd == ((uint64_t *) userdata)[0] || inode == ((uint64_t *) userdata)[1];
}

START_TEST(what_an_epoll_instance_watches) {
    static const char text[] =
            "pos:\t0\nflags:\t02\nmnt_id:\t17\nino:\t1038\n"
            "tfd:        3 events:       19 data:     7f6600000003  pos:0 ino:b0644 sdev:9\n"
            "tfd:       12 events:       19 data:                c\n";
    uint64_t by_inode[] = { 99, 0xb0644 }, by_fd[] = { 12, 1 }, neither[] = { 4, 0x1038 };
    ck_assert(epoll_fdinfo_has(text, sizeof(text) - 1, is_wanted, by_inode));
    ck_assert(epoll_fdinfo_has(text, sizeof(text) - 1, is_wanted, by_fd));
    ck_assert(!epoll_fdinfo_has(text, sizeof(text) - 1, is_wanted, neither));
    ck_assert(!epoll_fdinfo_has(text, sizeof(text) - 2, is_wanted, by_fd));
}
END_TEST

START_TEST(wait_channels_of_receiving) {
    static const char *const receiving[] = { "__skb_wait_for_more_packets", "ep_poll",
        "do_epoll_wait" };
    static const char *const others[] = { "", "0", "futex_do_wait", "poll_schedule_timeout",
        "folio_wait_bit", "__refrigerator", "do_signal_stop" };
    for (size_t i = 0; i < 3; i++)
        ck_assert(wait_channel_receives((struct span){ receiving[i], strlen(receiving[i]) }));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        ck_assert(!wait_channel_receives((struct span){ others[i], strlen(others[i]) }));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("process files");
    TCase *tcase = tcase_create("parsers");
    tcase_add_test(tcase, stat_of_every_name);
    tcase_add_test(tcase, stat_cut_anywhere_is_refused);
    tcase_add_test(tcase, stat_without_sense_is_refused);
    tcase_add_test(tcase, status_by_name);
    tcase_add_test(tcase, io_by_name);
    tcase_add_test(tcase, schedstat_of_a_thread);
    tcase_add_test(tcase, system_call_of_a_thread);
    tcase_add_test(tcase, what_an_epoll_instance_watches);
    tcase_add_test(tcase, wait_channels_of_receiving);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
