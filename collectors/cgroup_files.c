// SPDX-License-Identifier: GPL-2.0-or-later
// Cgroup files
#include "collectors/cgroup_files.h"

#include "collectors/parse.h"

// Version 1 says "no limit" with a number: as many bytes as there can be pages.
#define NO_LIMIT (INT64_C(1) << 62)

static bool is(struct span word, const char *text) {
    return word.n == strlen(text) && memcmp(word.text, text, word.n) == 0;
}

static struct span first_line(const char *text, size_t length) {
    struct line_scan scan = { .at = text, .end = text + length };
    struct span line = { "", 0 };
    return next_line(&scan, &line) && !scan.cut ? line : (struct span){ "", 0 };
}

// One number. "max", -1 or a very large one mean that there is no limit.
static void parse_one(const struct cgroup_file *file, const char *text, size_t length, cell *row) {
    struct span line = first_line(text, length), word = next_word(&line);
    cell value;
    if (parse_number(word.text, word.n, COLUMN_GAUGE, &value) && value < NO_LIMIT)
        row[file->column] = value;
}

// cpu.max: "QUOTA PERIOD" or "max PERIOD".
static void parse_quota(
        const struct cgroup_file *file, const char *text, size_t length, cell *row) {
    struct span line = first_line(text, length);
    struct span quota = next_word(&line), period = next_word(&line);
    cell value;
    if (!parse_number(period.text, period.n, COLUMN_GAUGE, &value))
        return;
    row[CGROUP_PERIOD] = value;
    if (parse_number(quota.text, quota.n, COLUMN_GAUGE, &value))
        row[CGROUP_QUOTA] = value;
}

struct cgroup_key {
    const char *name; // NULL: end of the list
    int column;
    cell per; // units of the file in one of the column
};

static void parse_keys(const struct cgroup_file *file, const char *text, size_t length, cell *row) {
    struct line_scan scan = { .at = text, .end = text + length };
    for (struct span line; next_line(&scan, &line) && !scan.cut;) {
        struct span name = next_word(&line), word = next_word(&line);
        const struct cgroup_key *key = file->keys;
        while (key->name && !is(name, key->name))
            key++;
        cell value;
        if (key->name && parse_number(word.text, word.n, COLUMN_GAUGE, &value))
            row[key->column] = value / key->per;
    }
}

// freezer.state (version 1): THAWED, FREEZING, FROZEN. cgroup.events: "frozen 1". Both tell it too
// where a group above was frozen. Where both versions are there, either freezes.
static void parse_frozen(
        const struct cgroup_file *file, const char *text, size_t length, cell *row) {
    static const struct {
        const char *line;
        cell frozen;
    } lines[] = { { "FROZEN", 1 }, { "FREEZING", 1 }, { "THAWED", 0 }, { "frozen 1", 1 },
        { "frozen 0", 0 } };
    struct line_scan scan = { .at = text, .end = text + length };
    for (struct span line; next_line(&scan, &line) && !scan.cut;)
        for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
            if (is(line, lines[i].line) && row[file->column] < lines[i].frozen)
                row[file->column] = lines[i].frozen;
}

static void parse_some(const struct cgroup_file *file, const char *text, size_t length, cell *row) {
    struct parse_problem problem = { 0 };
    struct pressure pressure;
    parse_pressure(text, length, &pressure, &problem);
    row[file->column] = pressure.some;
}

static const struct cgroup_key cpu_keys[] = {
    { "nr_periods", CGROUP_PERIODS, 1 },
    { "nr_throttled", CGROUP_THROTTLED_PERIODS, 1 },
    { "throttled_usec", CGROUP_THROTTLED, 1 },    // version 2
    { "throttled_time", CGROUP_THROTTLED, 1000 }, // version 1: nanoseconds
    { NULL },
};
static const struct cgroup_key memory_keys[] = {
    { "high", CGROUP_MEMORY_HIGH_EVENTS, 1 },
    { "max", CGROUP_MEMORY_MAX_EVENTS, 1 },
    { "oom_kill", CGROUP_OOM_EVENTS, 1 }, // version 1: since 4.13, in memory.oom_control
    { NULL },
};
static const struct cgroup_key socket_keys[] = { { "sock", CGROUP_SOCKET_MEMORY, 1 }, { NULL } };

#define CPU CGROUP_PART_CPU
#define MEMORY CGROUP_PART_MEMORY
#define FREEZER CGROUP_PART_FREEZER
#define UNIFIED CGROUP_PART_UNIFIED

const struct cgroup_file cgroup_files[] = {
    { CPU, 2, "cpu.max", parse_quota },
    { CPU, 2, "cpu.stat", parse_keys, .keys = cpu_keys },
    { CPU, 1, "cpu.cfs_quota_us", parse_one, CGROUP_QUOTA },
    { CPU, 1, "cpu.cfs_period_us", parse_one, CGROUP_PERIOD },
    { CPU, 1, "cpu.stat", parse_keys, .keys = cpu_keys },
    { MEMORY, 2, "memory.current", parse_one, CGROUP_MEMORY_CURRENT },
    { MEMORY, 2, "memory.high", parse_one, CGROUP_MEMORY_HIGH },
    { MEMORY, 2, "memory.max", parse_one, CGROUP_MEMORY_MAX },
    { MEMORY, 2, "memory.events", parse_keys, .keys = memory_keys },
    { MEMORY, 2, "memory.stat", parse_keys, .keys = socket_keys, .costly = true },
    { MEMORY, 1, "memory.usage_in_bytes", parse_one, CGROUP_MEMORY_CURRENT },
    { MEMORY, 1, "memory.limit_in_bytes", parse_one, CGROUP_MEMORY_MAX },
    { MEMORY, 1, "memory.failcnt", parse_one, CGROUP_MEMORY_MAX_EVENTS },
    { MEMORY, 1, "memory.oom_control", parse_keys, .keys = memory_keys },
    { MEMORY, 1, "memory.kmem.tcp.usage_in_bytes", parse_one, CGROUP_SOCKET_MEMORY },
    { MEMORY, 1, "memory.kmem.tcp.limit_in_bytes", parse_one, CGROUP_SOCKET_MEMORY_MAX },
    { MEMORY, 1, "memory.kmem.tcp.max_usage_in_bytes", parse_one, CGROUP_SOCKET_MEMORY_PEAK },
    { FREEZER, 1, "freezer.state", parse_frozen, CGROUP_FROZEN },
    { UNIFIED, 2, "cgroup.events", parse_frozen, CGROUP_FROZEN },
    { UNIFIED, 2, "cpu.pressure", parse_some, CGROUP_CPU_SOME },
    { UNIFIED, 2, "memory.pressure", parse_some, CGROUP_MEMORY_SOME },
    { UNIFIED, 2, "io.pressure", parse_some, CGROUP_IO_SOME },
};
const size_t n_cgroup_files = sizeof(cgroup_files) / sizeof(cgroup_files[0]);

static bool ends(struct span word, const char *with) {
    size_t n = strlen(with);
    return word.n > n && memcmp(word.text + word.n - n, with, n) == 0;
}

struct span cgroup_unit(struct span path) {
    while (path.n > 0) {
        const char *slash = memrchr(path.text, '/', path.n), *end = path.text + path.n;
        const char *begin = slash ? slash + 1 : path.text;
        struct span word = { begin, (size_t) (end - begin) };
        if (ends(word, ".service") || ends(word, ".scope") || ends(word, ".slice"))
            return word;
        path = cgroup_parent(path);
    }
    return (struct span){ "", 0 };
}
