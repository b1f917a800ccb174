// SPDX-License-Identifier: GPL-2.0-or-later
// Database for tests
//
// make_database FILE END_MS [NETNS [AGO_S [sockets|cured]]]: ten minutes of 1-s steps that end at END_MS (wall
// clock), as the daemon stores them. The namespace NETNS ("host") receives 1,000 datagrams a
// second; 100 a second are lost at the socket queue in the ten seconds that begin AGO_S (300)
// before the end. With "sockets", those who lost them are known: port 514 of rsyslogd 90 %, port
// 8125 of statsd 10 %; two more sockets lose nothing. With "cured" too, and net.core.rmem_default is
// set to 4 MiB after the loss. /var is filled to 83 %. Three alerts: one
// lasts, one ended, one is muted.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/collector.h"
#include "core/alerts.h"
#include "core/growth.h"
#include "core/store.h"

#define STEPS 600
#define LOSS_STEPS 10
#define BOOT_MS INT64_C(100000000)

static void fail(const char *what, int error) {
    fprintf(stderr, "make_database: %s: %s\n", what, strerror(-error));
    exit(1);
}

static void set(struct rows *rows, cell *row, const char *name, int64_t value) {
    int column = table_column(rows->table, name);
    if (column < 0)
        fail(name, -2);
    row[column] = value;
}

static struct rows *rows_of(struct sample *sample, const char *name) {
    for (size_t i = 0; i < sample->n_tables; i++)
        if (strcmp(sample->rows[i].table->name, name) == 0)
            return &sample->rows[i];
    fail(name, -2);
    return NULL;
}

static void fill_snmp(struct rows *rows, const char *netns, int64_t received, int64_t lost) {
    cell *row = rows_add(rows);
    for (size_t i = 0; i < rows->table->n_columns; i++)
        if (rows->table->columns[i].kind == COLUMN_COUNTER)
            row[i] = 0;
    row[0] = rows_put_text(rows, netns, strlen(netns));
    set(rows, row, "netns_inode", 4026531840);
    set(rows, row, "netns_pid", 1);
    set(rows, row, "udp_in_datagrams", 5000000 + received);
    set(rows, row, "udp_out_datagrams", 7000);
    set(rows, row, "udp_rcvbuf_errors", 40 + lost);
    set(rows, row, "udp_in_errors", 40 + lost);
    set(rows, row, "udp6_mem_errors", CELL_NULL); // a kernel without it
}

static void fill_memory(struct rows *rows, int64_t step) {
    cell *row = rows_add(rows);
    row[0] = rows_put_text(rows, "host", 4);
    set(rows, row, "total_bytes", INT64_C(8) << 30);
    set(rows, row, "available_bytes", (INT64_C(2) << 30) + step / 60 * (INT64_C(64) << 20));
}

static void fill_mount(struct rows *rows) {
    cell *row = rows_add(rows);
    row[0] = rows_put_text(rows, "/var", 4);
    set(rows, row, "device", rows_put_text(rows, "vdb", 3));
    set(rows, row, "fstype", rows_put_text(rows, "ext4", 4));
    set(rows, row, "size_bytes", INT64_C(100) << 30);
    set(rows, row, "used_bytes", INT64_C(83) << 30);
    set(rows, row, "available_bytes", INT64_C(17) << 30);
    set(rows, row, "inodes", 1000000);
    set(rows, row, "inodes_used", 1000);
    set(rows, row, "read_only", 0);
}

static const struct {
    int64_t cookie, inode, port, share, pid; // share: per cent of the loss; pid 0: not found
    const char *address, *state, *user, *process, *unit;
} sockets[] = {
    { 11, 9001, 514, 90, 812, "0.0.0.0", "found", "", "rsyslogd", "rsyslog.service" },
    { 12, 9002, 8125, 10, 99, "127.0.0.1", "found", "", "statsd", "statsd.service" },
    { 13, 9003, 53, 0, 0, "::", "denied", "", NULL, NULL },
    { 14, 0, 4789, 0, 0, "0.0.0.0", "kernel", "vxlan", NULL, NULL },
};

static void set_text(struct rows *rows, cell *row, const char *name, const char *text) {
    set(rows, row, name, rows_put_text(rows, text, strlen(text)));
}

static void fill_owner(struct sample *sample, size_t i, const char *netns) {
    struct rows *owners = rows_of(sample, "owner"), *processes = rows_of(sample, "process");
    cell *row = rows_add(owners);
    set(owners, row, "inode", sockets[i].inode);
    set(owners, row, "pid", sockets[i].pid);
    set(owners, row, "start_time", 1000 + sockets[i].pid);
    set_text(owners, row, "netns", netns);
    row = rows_add(processes);
    set(processes, row, "pid", sockets[i].pid);
    set(processes, row, "start_time", 1000 + sockets[i].pid);
    set_text(processes, row, "comm", sockets[i].process);
    set_text(processes, row, "unit", sockets[i].unit);
}

static void fill_sockets(struct sample *sample, const char *netns, int64_t lost, bool full) {
    struct rows *rows = rows_of(sample, "socket");
    for (size_t i = 0; i < sizeof(sockets) / sizeof(sockets[0]); i++) {
        cell *row = rows_add(rows);
        set_text(rows, row, "netns", netns);
        set(rows, row, "cookie", sockets[i].cookie);
        set(rows, row, "inode", sockets[i].inode);
        set_text(rows, row, "protocol", "udp");
        set_text(rows, row, "address", sockets[i].address);
        set(rows, row, "port", sockets[i].port);
        set(rows, row, "rcvbuf_bytes", 212992);
        set(rows, row, "queue_bytes", full && sockets[i].share ? 212000 : 0);
        set(rows, row, "drops", lost * sockets[i].share / 100);
        set_text(rows, row, "owner_state", sockets[i].state);
        set_text(rows, row, "kernel_user", sockets[i].user);
        if (sockets[i].pid)
            fill_owner(sample, i, netns);
    }
}

// Read every ten steps; `since`: steps since it was changed.
static void fill_sysctl(struct sample *sample, const char *netns, int64_t step, int64_t since) {
    struct rows *rows = rows_of(sample, "sysctl");
    if (step > 0 && since % 10 != 0) {
        outcome_set(&sample->outcome[rows - sample->rows], OUTCOME_NOT_DUE, "%s", "");
        return;
    }
    cell *row = rows_add(rows);
    set_text(rows, row, "netns", netns);
    set(rows, row, "rmem_default_bytes", since >= 0 ? 4194304 : 212992);
}

struct content {
    const char *netns;
    int64_t ago;
    bool sockets, cured;
};

static void fill(
        struct sample *sample, const struct content *content, int64_t step, int64_t end_ms) {
    int64_t ago = content->ago;
    int64_t lossy = step - (STEPS - ago);
    lossy = lossy < 0 ? 0 : lossy > LOSS_STEPS ? LOSS_STEPS : lossy;
    sample->wall_ms = end_ms - (STEPS - step) * 1000;
    sample->boottime_ms = sample->monotonic_ms = BOOT_MS + step * 1000;
    for (size_t i = 0; i < sample->n_tables; i++) {
        rows_clear(&sample->rows[i]);
        outcome_set(&sample->outcome[i], OUTCOME_ABSENT, "not in this test");
    }
    fill_snmp(rows_of(sample, "snmp"), content->netns, step * 1000 - lossy * 100, lossy * 100);
    if (content->sockets)
        fill_sockets(sample, content->netns, lossy * 100, lossy > 0 && lossy < LOSS_STEPS);
    if (content->cured)
        fill_sysctl(sample, content->netns, step, step - (STEPS - ago + LOSS_STEPS + 13));
    for (size_t i = 0; i < sample->n_tables && content->sockets; i++)
        if (strcmp(sample->rows[i].table->name, "socket") == 0)
            outcome_set(&sample->outcome[i], OUTCOME_OK, "%s", "");
    fill_memory(rows_of(sample, "memory"), step);
    fill_mount(rows_of(sample, "mount"));
    outcome_set(&sample->outcome[0], OUTCOME_OK, "%s", "");
}

static void write_steps(struct store *store, const struct content *content, int64_t end_ms) {
    const struct table *const *tables = collector_tables();
    struct sample *sample = sample_new(tables, n_collectors);
    struct growth *growth = growth_new(tables, n_collectors);
    struct step *step = step_new(tables, n_collectors);
    int r = store_begin(store);
    for (int64_t i = 0; i <= STEPS && r == 0; i++) {
        fill(sample, content, i, end_ms);
        r = growth_step(growth, sample, step);
        if (r == 0)
            r = store_write_step(store, step);
    }
    if (r < 0 || (r = store_commit(store)) < 0)
        fail("steps", r);
    step_free(step);
    growth_free(growth);
    sample_free(sample);
}

static void write_alerts(struct store *store, int64_t end_ms) {
    const struct alert_record alerts[] = {
        { .cause = "socket-queue-overflow",
                .subject = "netns host",
                .severity = "critical",
                .title = "Queues \033[31moverflow",
                .begin_ms = end_ms - 60000,
                .last_ms = end_ms - 1000,
                .reminders = 2,
                .lost = 1000,
                .verdict = "{\"id\":\"socket-queue-overflow\",\"lost\":1000}" },
        { .cause = "disk-fill",
                .subject = "mount /var",
                .severity = "warning",
                .title = "/var is filled to 83 %",
                .begin_ms = end_ms - 500000,
                .last_ms = end_ms - 400000,
                .end_ms = end_ms - 340000 },
        { .cause = "rp-filter",
                .subject = "netns host",
                .severity = "warning",
                .title = "The filter drops",
                .begin_ms = end_ms - 50000,
                .last_ms = end_ms - 1000,
                .lost = 7,
                .muted = true },
    };
    for (size_t i = 0; i < sizeof(alerts) / sizeof(alerts[0]); i++) {
        int64_t id;
        int r = alerts_insert(store, &alerts[i], &id);
        if (r < 0)
            fail("alert", r);
    }
}

int main(int argc, char **argv) {
    if (argc < 3)
        fail("FILE END_MS [NETNS [AGO_S]]", -22);
    int64_t end_ms = strtoimax(argv[2], NULL, 10);
    struct store *store = NULL;
    char *error = NULL, pid[32], start[32];
    int r = store_open(argv[1], STORE_WRITE, collector_tables(), n_collectors, &store, &error);
    if (r < 0)
        fail(error ? error : argv[1], r);
    const struct content content = { argc > 3 ? argv[3] : "host", argc > 4 ? atoi(argv[4]) : 300,
        argc > 5, argc > 5 && strcmp(argv[5], "cured") == 0 };
    write_steps(store, &content, end_ms);
    write_alerts(store, end_ms);
    snprintf(pid, sizeof(pid), "%d", (int) getppid());
    snprintf(start, sizeof(start), "%" PRId64, end_ms - STEPS * 1000);
    const char *const meta[][2] = { { "host", "testhost" }, { "kernel", "6.1.0" },
        { "step_ms", "1000" }, { "daemon_pid", pid }, { "daemon_start_ms", start } };
    for (size_t i = 0; i < sizeof(meta) / sizeof(meta[0]); i++)
        if ((r = store_set_meta(store, meta[i][0], meta[i][1])) < 0)
            fail("meta", r);
    store_close(store);
    free(error);
    return 0;
}
