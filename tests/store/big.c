// SPDX-License-Identifier: GPL-2.0-or-later
// Store measurement
//
// Fills a database with made-up growth of a busy host, through the collectors' own tables, and
// prints what a value costs and how long windows take:
// big FILE [SECONDS [NAMESPACES [CPUS [READERS]]]]
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collectors/collector.h"
#include "core/cleanup.h"
#include "core/window.h"

#define START_MS INT64_C(1796000000345) // end of November 2026
#define COMMIT_STEPS 5
#define MAX_OBJECTS 128
#define MAX_COLUMNS 256

struct host {
    uint64_t random;
    size_t objects[64]; // per table
    double rates[64][MAX_OBJECTS][MAX_COLUMNS];
    cell totals[64][MAX_OBJECTS][MAX_COLUMNS];
    size_t readers; // programs that lose at a socket each; 0: made-up rows there
    int64_t sampled, stored; // values
};

static double uniform(struct host *host) {
    host->random ^= host->random << 13;
    host->random ^= host->random >> 7;
    host->random ^= host->random << 17;
    return (double) (host->random >> 11) / 9007199254740992.0;
}

static size_t n_objects(const char *table, size_t namespaces, size_t cpus) {
    static const struct {
        const char *table;
        size_t n;
    } fixed[] = {
        { "link", 3 },
        { "qdisc", 4 },
        { "nic", 2 },
        { "pressure", 4 },
        { "memory", 1 },
        { "disk", 3 },
        { "mount", 3 },
    };
    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
        if (strcmp(fixed[i].table, table) == 0)
            return fixed[i].n;
    if (strcmp(table, "cpu") == 0 || strcmp(table, "softnet") == 0)
        return cpus;
    return namespaces;
}

// What counts losses stands still on a busy host that is well, except for full socket buffers,
// which overflow in one minute of twenty.
static bool is_loss(const char *column) {
    static const char *const words[] = { "err", "drop", "fail", "discard", "timeout", "no_ports",
        "missed", "limit", "no_route", "truncated", "unknown", "overlaps", "reverse_path",
        "squeeze" };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strstr(column, words[i]))
            return true;
    return false;
}
#define LOSS_PER_SECOND 400.0
#define LOSS_PER_READER 20 // in a second
#ifndef LOSSY_MINUTE_EVERY
#define LOSSY_MINUTE_EVERY 20
#endif

static bool is_full_buffer(const char *column) {
    return strcmp(column, "udp_rcvbuf_errors") == 0 || strcmp(column, "udp_in_errors") == 0;
}

// Four counters in ten of a namespace move on a busy host, and most of what a CPU does.
static void make_host(struct host *host, size_t namespaces, size_t cpus) {
    host->random = 88172645463325252ull;
    for (size_t t = 0; t < n_collectors; t++) {
        const struct table *table = collector_tables()[t];
        host->objects[t] = n_objects(table->name, namespaces, cpus);
        for (size_t o = 0; o < host->objects[t]; o++)
            for (size_t c = 0; c < table->n_columns; c++) {
                double busy = uniform(host) < 0.4 ? pow(10, uniform(host) * 5) : 0;
                if (is_loss(table->columns[c].name))
                    busy = o == 0 && is_full_buffer(table->columns[c].name) ? LOSS_PER_SECOND : 0;
                host->rates[t][o][c] = o == 0 ? busy : busy * 0.05;
                host->totals[t][o][c] = (cell) (uniform(host) * 1e9);
            }
    }
}

static cell growth_now(struct host *host, double rate) {
    return (cell) (rate * (0.7 + 0.6 * uniform(host)) + uniform(host));
}

// Tables of links know the host's namespace only.
static void put_key(struct rows *rows, cell *row, size_t c, size_t object) {
    static const char *const names[] = { "netns", "interface", "handle", "parent", "resource" };
    static const char *const words[] = { "host", "eth", "800", "root", "memory" };
    const struct table *table = rows->table;
    if (!column_is_text(&table->columns[c])) {
        row[c] = (cell) object;
        return;
    }
    char key[32];
    snprintf(key, sizeof(key), object ? "container%zu" : "host", object);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], table->columns[c].name) == 0 && (i > 0 || table->n_keys > 1))
            snprintf(key, sizeof(key), i ? "%s%zu" : "%s", words[i], object);
    row[c] = rows_put_text(rows, key, strlen(key));
}

// What a program that loses in some seconds and reads well in the others has, by column.
static const struct {
    const char *table, *column;
    cell value, per_reader, lossy; // `lossy`: in a second with loss, in place of `value`
} reader_cells[] = {
    { "socket", "cookie", 1000, 1, 1000 },
    { "socket", "inode", 5000, 1, 5000 },
    { "socket", "port", 6000, 1, 6000 },
    { "socket", "rcvbuf_bytes", 212992, 0, 212992 },
    { "socket", "queue_bytes", 0, 0, 212992 },
    { "socket", "queue_peak_bytes", 4096, 0, 212992 },
    { "socket", "drops", 0, 0, LOSS_PER_READER },
    { "socket", "looks", 10, 0, 10 },
    { "socket", "looks_full", 0, 0, 8 },
    { "socket", "looks_empty", 9, 0, 1 },
    { "socket", "reuseport_members", 1, 0, 1 },
    { "socket", "owners", 1, 0, 1 },
    { "owner", "inode", 5000, 1, 5000 },
    { "owner", "pid", 2000, 1, 2000 },
    { "owner", "start_time", 100, 0, 100 },
    { "process", "pid", 2000, 1, 2000 },
    { "process", "start_time", 100, 0, 100 },
    { "process", "threads", 1, 0, 1 },
    { "process", "run_us", 200000, 0, 300000 },
    { "process", "delay_us", 1000, 0, 2000 },
    { "process", "looks", 10, 0, 10 },
    { "process", "looks_running", 2, 0, 3 },
    { "process", "looks_sleeping", 8, 0, 1 },
    { "process", "looks_blocked", 0, 0, 6 },
    { "process", "looks_receiving", 8, 0, 1 },
    { "process", "block_delay_us", 0, 0, 600000 },
};

static bool is_of_readers(const char *table) {
    return strcmp(table, "socket") == 0 || strcmp(table, "owner") == 0 ||
           strcmp(table, "process") == 0;
}

static cell reader_cell(const struct host *host, size_t t, size_t o, size_t c, bool lossy) {
    const struct table *table = collector_tables()[t];
    for (size_t i = 0; i < sizeof(reader_cells) / sizeof(reader_cells[0]); i++)
        if (strcmp(reader_cells[i].table, table->name) == 0 &&
                strcmp(reader_cells[i].column, table->columns[c].name) == 0)
            return (lossy ? reader_cells[i].lossy : reader_cells[i].value) +
                   reader_cells[i].per_reader * (cell) o;
    return is_full_buffer(table->columns[c].name) && lossy
                   ? LOSS_PER_READER * (cell) host->readers
                   : 0;
}

static void put_reader_text(struct rows *rows, cell *row, size_t c) {
    static const char *const texts[][2] = { { "netns", "host" }, { "protocol", "udp" },
        { "address", "0.0.0.0" }, { "owner_state", "found" }, { "role", "owner" },
        { "comm", "reader" }, { "state", "S" }, { "cgroup", "/system.slice/reader.service" } };
    const char *text = "";
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (strcmp(texts[i][0], rows->table->columns[c].name) == 0)
            text = texts[i][1];
    row[c] = rows_put_text(rows, text, strlen(text));
}

static bool put_reader(
        struct host *host, size_t t, size_t o, struct rows *rows, int64_t second, bool total) {
    const struct table *table = rows->table;
    cell *row = rows_add(rows);
    bool lossy = second / 60 % LOSSY_MINUTE_EVERY == 0;
    for (size_t c = 0; c < table->n_columns; c++) {
        cell now = reader_cell(host, t, o, c, lossy);
        if (column_is_text(&table->columns[c]))
            put_reader_text(rows, row, c);
        else if (table->columns[c].kind == COLUMN_COUNTER)
            row[c] = total ? host->totals[t][o][c] : now;
        else
            row[c] = now;
        host->sampled += !total;
        if (table->columns[c].kind == COLUMN_COUNTER && !total)
            host->totals[t][o][c] += now;
    }
    return true;
}

static bool put_object(
        struct host *host, size_t t, size_t o, struct rows *rows, int64_t second, bool total) {
    const struct table *table = rows->table;
    cell *row = rows_add(rows);
    bool news = second % 60 == 0;
    int64_t minute = second / 60;
    for (size_t c = 0; c < table->n_columns; c++) {
        enum column_kind kind = table->columns[c].kind;
        double rate = host->rates[t][o][c];
        bool full_buffer = is_full_buffer(table->columns[c].name);
        if (full_buffer && minute % LOSSY_MINUTE_EVERY)
            rate = 0;
        if (c < table->n_keys)
            put_key(rows, row, c, o);
        else if (kind == COLUMN_TEXT)
            row[c] = rows_put_text(rows, "veth", 4);
        else if (kind != COLUMN_COUNTER || total)
            row[c] = host->totals[t][o][c] +
                     (kind == COLUMN_GAUGE && rate > 1e4 ? (cell) (uniform(host) * 100) : 0);
        else if (full_buffer && o == 0 && host->readers > 0)
            row[c] = reader_cell(host, t, o, c, rate > 0);
        else
            row[c] = rate > 0 && uniform(host) < rate ? growth_now(host, rate) : 0;
        news |= kind == COLUMN_COUNTER && !total && row[c] != 0;
        host->sampled += !total;
        if (kind == COLUMN_COUNTER && !total)
            host->totals[t][o][c] += row[c];
    }
    return news;
}

static void put_table(struct host *host, size_t t, struct step *step, int64_t second) {
    bool slow = collectors[t]->lane == LANE_SLOW;
    step->outcome[t].state = slow && second % 10 ? OUTCOME_NOT_DUE : OUTCOME_OK;
    if (slow && second % 10)
        return;
    bool readers = host->readers > 0 && is_of_readers(collector_tables()[t]->name);
    bool (*put)(struct host *, size_t, size_t, struct rows *, int64_t, bool) =
            readers ? put_reader : put_object;
    for (size_t o = 0; o < (readers ? host->readers : host->objects[t]); o++) {
        if (!put(host, t, o, &step->growth[t], second, false)) {
            rows_drop_last(&step->growth[t]);
            continue;
        }
        put(host, t, o, &step->total[t], second, true);
        host->stored += (int64_t) step->growth[t].table->n_columns;
    }
}

static double seconds_now(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void fail(struct store *store, const char *what, int r) {
    if (r >= 0)
        return;
    fprintf(stderr, "%s: %s\n", what, store ? store_error(store) : strerror(-r));
    exit(EXIT_FAILURE);
}

static double fill(struct store *store, struct host *host, int64_t seconds) {
    struct step *step = step_new(collector_tables(), n_collectors);
    double cpu = 0;
    for (int64_t i = 0; i < seconds; i++) {
        step_clear(step);
        step->end_ms = START_MS + i * 1000;
        step->length_ms = 1000;
        step->boottime_ms = 1000000 + i * 1000;
        for (size_t t = 0; t < n_collectors; t++)
            put_table(host, t, step, i);
        double before = seconds_now(CLOCK_PROCESS_CPUTIME_ID);
        if (i % COMMIT_STEPS == 0)
            fail(store, "begin", store_begin(store));
        fail(store, "write", store_write_step(store, step));
        if (i % COMMIT_STEPS == COMMIT_STEPS - 1 || i == seconds - 1)
            fail(store, "commit", store_commit(store));
        if (i % 60 == 59)
            fail(store, "maintain", store_maintain(store, &RETENTION_DEFAULT, step->end_ms));
        cpu += seconds_now(CLOCK_PROCESS_CPUTIME_ID) - before;
    }
    step_free(step);
    return cpu;
}

static int64_t integer(struct store *store, const char *sql) {
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(store_db(store), sql, -1, &statement, NULL);
    int64_t value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return value;
}

static void report_level(struct store *store, const char *suffix, double *ret_bytes) {
    double bytes = 0;
    for (size_t t = 0; t < n_collectors; t++) {
        char sql[256];
        snprintf(sql, sizeof(sql), "SELECT sum(pgsize) FROM dbstat WHERE name='%s%s'",
                collector_tables()[t]->name, suffix);
        bytes += (double) integer(store, sql);
    }
    *ret_bytes = bytes;
}

static void report(struct store *store, const struct host *host, int64_t seconds, double cpu) {
    double bytes[4];
    static const char *const suffixes[] = { "", "_minute", "_hour", "_last" };
    for (size_t i = 0; i < 4; i++)
        report_level(store, suffixes[i], &bytes[i]);
    double days = (double) seconds / 86400;
    printf("%" PRId64 " steps, %.0f values a step, %.1f us CPU a step to store\n", seconds,
            (double) host->sampled / (double) seconds, cpu / (double) seconds * 1e6);
    printf("steps: %.2f bytes a stored value, %.2f a sampled value, %.1f MB a day\n",
            bytes[0] / (double) host->stored, bytes[0] / (double) host->sampled,
            bytes[0] / days / 1e6);
    printf("minutes: %.2f MB a day; hours: %.3f MB a day\n", bytes[1] / days / 1e6,
            bytes[2] / days / 1e6);
}

static void time_window(struct store *store, const char *name, int64_t end_ms, int64_t span_ms) {
    struct window window = { 0 };
    double best = 1e9, first = 0;
    for (int i = 0; i < 6; i++) {
        double before = seconds_now(CLOCK_MONOTONIC);
        fail(store, "window",
                window_open(store, WINDOW_HISTORY, end_ms - span_ms, end_ms, &window));
        double took = seconds_now(CLOCK_MONOTONIC) - before;
        first = i == 0 ? took : first;
        best = took < best ? took : best;
    }
    printf("window of %-8s %5" PRId64 " steps: %6.1f ms first, %6.1f ms again\n", name,
            window.steps, first * 1e3, best * 1e3);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs("usage: big FILE [SECONDS [NAMESPACES [CPUS [READERS]]]]\n", stderr);
        return 2;
    }
    int64_t seconds = argc > 2 ? atoll(argv[2]) : 86400;
    struct host *host = calloc(1, sizeof(*host));
    struct store *store = NULL;
    _cleanup_free_ char *error = NULL;
    make_host(host, argc > 3 ? (size_t) atoi(argv[3]) : 1, argc > 4 ? (size_t) atoi(argv[4]) : 4);
    host->readers = argc > 5 ? (size_t) atoi(argv[5]) : 0;
    double before = seconds_now(CLOCK_MONOTONIC);
    if (store_open(argv[1], STORE_WRITE, collector_tables(), n_collectors, &store, &error) < 0) {
        fprintf(stderr, "%s\n", error);
        return EXIT_FAILURE;
    }
    printf("made and opened in %.1f ms\n", (seconds_now(CLOCK_MONOTONIC) - before) * 1e3);
    double cpu = fill(store, host, seconds);
    report(store, host, seconds, cpu);
    store = store_close(store);
    static const struct {
        const char *name;
        int64_t ms;
    } spans[] = { { "1 min", 60000 }, { "10 min", 600000 }, { "1 hour", 3600000 },
        { "6 hours", 21600000 }, { "1 day", 86400000 } };
    int64_t end_ms = START_MS + (seconds - 1) * 1000;
    for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
        before = seconds_now(CLOCK_MONOTONIC);
        fail(NULL, "open",
                store_open(argv[1], STORE_READ, collector_tables(), n_collectors, &store, &error));
        double took = seconds_now(CLOCK_MONOTONIC) - before;
        printf("open %.1f ms; ", took * 1e3);
        time_window(store, spans[i].name, end_ms, spans[i].ms);
        store = store_close(store);
    }
    free(host);
    return EXIT_SUCCESS;
}
