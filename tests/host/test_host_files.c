// SPDX-License-Identifier: GPL-2.0-or-later
// Host files
//
// softnet_stat, stat, pressure, meminfo, vmstat and diskstats as each kernel writes them, and
// broken.
#include "collectors/list.h"
#include "collectors/parse.h"
#include "tests/host/rows.h"

static struct rows rows;
static struct parse_problem problem;

static void use(const struct table *table) {
    rows_done(&rows);
    rows_init(&rows, table);
    problem = (struct parse_problem){ 0 };
}

static bool softnet(const char *text, const char *online) {
    use(&softnet_table);
    return parse_softnet_stat(text, strlen(text), online, &rows, &problem);
}

#define COLUMNS_10                                                                                 \
    "0000beef 00000002 00000003 00000000 00000000 00000000 00000000 00000000 00000009 0000000a"
#define COLUMNS_11 COLUMNS_10 " 0000000b"
#define COLUMNS_13(cpu) COLUMNS_11 " 00000007 " cpu
#define COLUMNS_15(cpu) COLUMNS_13(cpu) " 00000004 00000003"

START_TEST(softnet_of_each_kernel) {
    ck_assert(!softnet(COLUMNS_10 "\n" COLUMNS_10 "\n", "0-1\n"));
    ck_assert_problem(problem, -1);
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_cell(&rows, 1, "cpu", 1);
    ck_assert_cell(&rows, 1, "processed", 0xbeef);
    ck_assert_cell(&rows, 1, "received_rps", 10);
    ck_assert_cell(&rows, 1, "flow_limit_count", CELL_NULL);

    ck_assert(!softnet(COLUMNS_11 "\n", ""));
    ck_assert_cell(&rows, 0, "flow_limit_count", 11);
    ck_assert_cell(&rows, 0, "backlog_length", CELL_NULL);

    ck_assert(softnet(COLUMNS_13("00000000") "\n" COLUMNS_13("00000005") "\n", "0-1\n"));
    ck_assert_cell(&rows, 1, "cpu", 5);
    ck_assert_cell(&rows, 1, "backlog_length", 7);
    ck_assert_cell(&rows, 1, "input_queue_length", CELL_NULL);

    ck_assert(softnet(COLUMNS_15("00000010") "\n", ""));
    ck_assert_problem(problem, -1);
    ck_assert_cell(&rows, 0, "cpu", 16);
    ck_assert_cell(&rows, 0, "dropped", 2);
    ck_assert_cell(&rows, 0, "time_squeeze", 3);
    ck_assert_cell(&rows, 0, "cpu_collision", 9);
    ck_assert_cell(&rows, 0, "input_queue_length", 4);
    ck_assert_cell(&rows, 0, "process_queue_length", 3);

    softnet(COLUMNS_15("00000000") " 0000abcd\n", ""); // a later kernel
    ck_assert_problem(problem, -1);
    ck_assert_cell(&rows, 0, "process_queue_length", 3);
}
END_TEST

START_TEST(softnet_lines_are_online_cpus) {
    softnet(COLUMNS_11 "\n" COLUMNS_11 "\n" COLUMNS_11 "\n", "0,2-3,8\n");
    ck_assert_cell(&rows, 0, "cpu", 0);
    ck_assert_cell(&rows, 1, "cpu", 2);
    ck_assert_cell(&rows, 2, "cpu", 3);
    softnet(COLUMNS_11 "\n" COLUMNS_11 "\n", "4\n"); // more lines than CPUs
    ck_assert_uint_eq(rows.n, 1);
    ck_assert_problem(problem, 2);
}
END_TEST

static const struct {
    const char *text;
    int line;
    size_t rows;
} broken_softnet[] = {
    { "", 0, 0 },
    { COLUMNS_15("00000000"), 1, 0 },                                  // no newline
    { COLUMNS_15("00000000") "\n" COLUMNS_10, 2, 1 },                  // cut between two words
    { COLUMNS_15("00000000") "\n" COLUMNS_13("00000001") "\n", 2, 1 }, // another number of columns
    { COLUMNS_15("00000000") "\n" COLUMNS_15("00000000") "\n", 2, 1 }, // a CPU twice
    { COLUMNS_11 " 00000001\n", 1, 0 },                                // 12: no kernel
    { "0000beef 00000002 00000003\n", 1, 0 },
    { "\n" COLUMNS_15("00000000") "\n", 1, 1 },
    { "0000beeg" COLUMNS_15("00000000") "\n", 1, 0 },
    { "cpu  1 2 3\n", 1, 0 },
    { "\xff\xfe\x01\n", 1, 0 },
};

START_TEST(softnet_broken) {
    softnet(broken_softnet[_i].text, "0-7\n");
    ck_assert_problem(problem, broken_softnet[_i].line);
    ck_assert_uint_eq(rows.n, broken_softnet[_i].rows);
}
END_TEST

START_TEST(cpu_lists) {
    cell cpu;
    ck_assert(cpu_list_nth("0-3\n", 3, &cpu) && cpu == 3);
    ck_assert(cpu_list_nth("0,4-5,9\n", 2, &cpu) && cpu == 5);
    ck_assert(cpu_list_nth("0,4-5,9\n", 3, &cpu) && cpu == 9);
    ck_assert(!cpu_list_nth("0,4-5,9\n", 4, &cpu));
    ck_assert(!cpu_list_nth("", 0, &cpu));
    ck_assert(!cpu_list_nth("x", 0, &cpu));
    ck_assert(!cpu_list_nth("5-2", 0, &cpu));
}
END_TEST

static void cpu(const char *text) {
    use(&cpu_table);
    parse_proc_stat(text, strlen(text), &rows, &problem);
}

START_TEST(cpu_times) {
    cpu("cpu  30 3 30 300 30 3 3 3 0 0\n"
        "cpu0 10 1 12 100 10 1 1 2 3 4\n"
        "cpu2 20 2 18 200 20 2 2 1 0 0\n"
        "intr 1234 0 0 0\n"
        "cpu9 9 9 9\n"); // not there in any kernel; nothing behind the CPUs is looked at
    ck_assert_problem(problem, -1);
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_cell(&rows, 0, "user", 10);
    ck_assert_cell(&rows, 0, "guest_nice", 4);
    ck_assert_cell(&rows, 1, "cpu", 2);
    ck_assert_cell(&rows, 1, "iowait", 20);
    ck_assert_cell(&rows, 1, "steal", 1);
    cpu("cpu  1 1 1 1 1 1 1 1 1 1 5\ncpu0 1 1 1 1 1 1 1 1 1 1 5\n"); // a later kernel
    ck_assert_problem(problem, -1);
}
END_TEST

static const struct {
    const char *text;
    int line;
    size_t rows;
} broken_cpu[] = {
    { "", 0, 0 },
    { "intr 12\n", 0, 0 },
    { "cpu  1 2 3", 1, 0 },
    { "cpu  1 1 1 1 1 1 1 1 1 1\ncpu0 1 1 1 1 1 1 1 1 1 12", 2, 0 },
    { "cpu0 1 1 1 1 1 1 1 1 1 1\ncpu1 1 1 1 1\n", 2, 1 },
    { "cpu0 1 1 1 1 1 1 1 1 1 1\ncpu0 1 1 1 1 1 1 1 1 1 1\n", 2, 1 },
    { "cpu0 1 1 -1 1 1 1 1 1 1 1\n", 1, 0 },
    { "cpux 1 1 1 1 1 1 1 1 1 1\n", 1, 0 },
};

START_TEST(cpu_broken) {
    cpu(broken_cpu[_i].text);
    ck_assert_problem(problem, broken_cpu[_i].line);
    ck_assert_uint_eq(rows.n, broken_cpu[_i].rows);
}
END_TEST

static struct pressure pressure(const char *text) {
    struct pressure result;
    problem = (struct parse_problem){ 0 };
    parse_pressure(text, strlen(text), &result, &problem);
    return result;
}

START_TEST(pressure_totals) {
    struct pressure p = pressure("some avg10=0.12 avg60=0.00 avg300=0.00 total=123456\n"
                                 "full avg10=0.00 avg60=0.00 avg300=0.00 total=1234\n");
    ck_assert_problem(problem, -1);
    ck_assert_int_eq(p.some, 123456);
    ck_assert_int_eq(p.full, 1234);
    p = pressure("some avg10=0.12 avg60=0.00 avg300=0.00 total=5\n"); // cpu before 5.13
    ck_assert_problem(problem, -1);
    ck_assert(p.full == CELL_NULL);
    p = pressure("full avg10=0.12 avg60=0.00 avg300=0.00 total=7\n"); // irq
    ck_assert_problem(problem, -1);
    ck_assert(p.some == CELL_NULL && p.full == 7);
}
END_TEST

START_TEST(pressure_broken) {
    struct pressure p =
            pressure("some avg10=0.12 avg60=0.00 avg300=0.00 total=5\nfull avg10=0.00 total=12");
    ck_assert_problem(problem, 2);
    ck_assert(p.some == 5 && p.full == CELL_NULL);
    p = pressure("some avg10=0.12\n");
    ck_assert_problem(problem, 1);
    ck_assert(p.some == CELL_NULL);
    pressure("");
    ck_assert_problem(problem, 0);
    p = pressure("some total=99999999999999999999\n");
    ck_assert_problem(problem, 1);
    ck_assert(p.some == CELL_NULL);
}
END_TEST

static void memory(parse_function *parse, const char *text) {
    struct field_index *index = field_index_new(&memory_table);
    use(&memory_table);
    parse(text, strlen(text), index, rows_add(&rows), &problem);
    field_index_free(index);
}

START_TEST(memory_sizes) {
    memory(parse_meminfo,
            "MemTotal:       16314580 kB\nMemFree:         1000000 kB\n"
            "MemAvailable:   12000000 kB\nBuffers:          120000 kB\n"
            "SwapTotal:             0 kB\nSwapFree:              0 kB\nHugePages_Total:       0\n");
    ck_assert_problem(problem, -1);
    ck_assert_cell(&rows, 0, "total_bytes", 16314580ll * 1024);
    ck_assert_cell(&rows, 0, "available_bytes", 12000000ll * 1024);
    ck_assert_cell(&rows, 0, "swap_total_bytes", 0);
    ck_assert_cell(&rows, 0, "pswpin", CELL_NULL);
    memory(parse_meminfo, "MemTotal: 8 kB\nMemFree: 4 kB\n"); // 3.10
    ck_assert_problem(problem, -1);
    ck_assert_cell(&rows, 0, "available_bytes", CELL_NULL);
    memory(parse_meminfo, "MemTotal: 8 kB\nMemFree: 4");
    ck_assert_problem(problem, 2);
    ck_assert_cell(&rows, 0, "free_bytes", CELL_NULL);
    memory(parse_meminfo, "MemTotal: 99999999999999999 kB\n");
    ck_assert_cell(&rows, 0, "total_bytes", CELL_NULL);
    memory(parse_meminfo, "");
    ck_assert_problem(problem, 0);
}
END_TEST

START_TEST(memory_events) {
    memory(parse_vmstat, "nr_free_pages 12\npswpin 3\npswpout 4\npgmajfault 5\nallocstall 6\n");
    ck_assert_problem(problem, -1);
    ck_assert_cell(&rows, 0, "pswpin", 3);
    ck_assert_cell(&rows, 0, "pgmajfault", 5);
    ck_assert_cell(&rows, 0, "allocstall", 6);
    ck_assert_cell(&rows, 0, "oom_kill", CELL_NULL);
    memory(parse_vmstat, "pswpin 3\nallocstall_dma 1\nallocstall_dma32 2\nallocstall_normal 30\n"
                         "allocstall_movable 400\npgmajfault 5\noom_kill 2\n"); // from 4.10
    ck_assert_problem(problem, -1);
    ck_assert_cell(&rows, 0, "allocstall", 433);
    ck_assert_cell(&rows, 0, "oom_kill", 2);
    memory(parse_vmstat, "pswpin 3\nallocstall_dma 1\nallocstall_dma32 2x\nallocstall_normal 3\n");
    ck_assert_problem(problem, 3);
    ck_assert_cell(&rows, 0, "allocstall", CELL_NULL);
    memory(parse_vmstat,
            "pswpin 3\nallocstall_dma 1\nallocstall_dma32 2"); // the rest of the sum is cut
    ck_assert_problem(problem, 3);
    ck_assert_cell(&rows, 0, "allocstall", CELL_NULL);
    memory(parse_vmstat, "pswpin 3\nallocstall_dma 1\nallocstall_dma32 2\n");
    ck_assert_cell(&rows, 0, "allocstall", CELL_NULL);
}
END_TEST

static bool is_disk(void *userdata, size_t n, const struct disk_name *name) {
    return n < 99 && strcmp(name->name, userdata) == 0;
}

static void disks(const char *text, const char *wanted) {
    use(&disk_table);
    parse_diskstats(text, strlen(text), is_disk, (void *) wanted, &rows, &problem);
}

#define NUMBERS_11 "1 2 3 4 5 6 7 8 9 10 11"
#define NUMBERS_15 NUMBERS_11 " 12 13 14 15"
#define NUMBERS_17 NUMBERS_15 " 16 17"

START_TEST(disk_of_each_kernel) {
    disks("   8       0 sda " NUMBERS_11 "\n   8       1 sda1 " NUMBERS_11 "\n", "sda");
    ck_assert_problem(problem, -1);
    ck_assert_uint_eq(rows.n, 1);
    ck_assert_text(&rows, 0, "device", "sda");
    ck_assert_cell(&rows, 0, "reads_completed", 1);
    ck_assert_cell(&rows, 0, "time_reading_ms", 4);
    ck_assert_cell(&rows, 0, "writes_completed", 5);
    ck_assert_cell(&rows, 0, "io_in_progress", 9);
    ck_assert_cell(&rows, 0, "time_io_ms", 10);
    ck_assert_cell(&rows, 0, "weighted_time_io_ms", 11);
    ck_assert_cell(&rows, 0, "flush_requests", CELL_NULL);
    disks(" 253 0 dm-0 " NUMBERS_15 "\n", "dm-0"); // from 4.18: discards, which no column holds
    ck_assert_problem(problem, -1);
    ck_assert_cell(&rows, 0, "flush_requests", CELL_NULL);
    disks(" 259 0 nvme0n1 " NUMBERS_17 "\n", "nvme0n1"); // from 5.5
    ck_assert_cell(&rows, 0, "flush_requests", 16);
    ck_assert_cell(&rows, 0, "time_flushing_ms", 17);
    disks(" 259 0 nvme0n1 " NUMBERS_17 " 18\n", "nvme0n1"); // a later kernel
    ck_assert_problem(problem, -1);
    ck_assert_cell(&rows, 0, "time_flushing_ms", 17);
}
END_TEST

START_TEST(disk_unused) {
    disks("   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", "loop0");
    ck_assert_problem(problem, -1);
    ck_assert_uint_eq(rows.n, 0);
}
END_TEST

static const struct {
    const char *text;
    int line;
} broken_disks[] = {
    { "   8       0 sda " NUMBERS_17, 1 },
    { "   8       0 sda 1 2 3 4\n", 1 }, // partitions before 2.6.25
    { "   8       0 sda " NUMBERS_11 " 12\n", 1 },
    { "   8       0 sda " NUMBERS_15 " 16\n", 1 },
    { "   8       0 sda 1 2 3 4 5 6 7 8 9 10 x\n", 1 },
    { "   8       0\n", 1 },
    { "sda 8 0 " NUMBERS_11 "\n", 1 },
    { "   8       1 sdb " NUMBERS_11 "\n   8       0 sda 1 2\n", 2 },
    { "\n", 1 },
};

START_TEST(disk_broken) {
    disks(broken_disks[_i].text, "sda");
    ck_assert_problem(problem, broken_disks[_i].line);
    ck_assert_uint_eq(rows.n, 0);
}
END_TEST

#define N(array) ((int) (sizeof(array) / sizeof((array)[0])))

int main(void) {
    Suite *suite = suite_create("host files");
    TCase *tcase = tcase_create("parsers");
    rows_init(&rows, &softnet_table);
    tcase_add_test(tcase, softnet_of_each_kernel);
    tcase_add_test(tcase, softnet_lines_are_online_cpus);
    tcase_add_loop_test(tcase, softnet_broken, 0, N(broken_softnet));
    tcase_add_test(tcase, cpu_lists);
    tcase_add_test(tcase, cpu_times);
    tcase_add_loop_test(tcase, cpu_broken, 0, N(broken_cpu));
    tcase_add_test(tcase, pressure_totals);
    tcase_add_test(tcase, pressure_broken);
    tcase_add_test(tcase, memory_sizes);
    tcase_add_test(tcase, memory_events);
    tcase_add_test(tcase, disk_of_each_kernel);
    tcase_add_test(tcase, disk_unused);
    tcase_add_loop_test(tcase, disk_broken, 0, N(broken_disks));
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
