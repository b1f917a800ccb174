// SPDX-License-Identifier: GPL-2.0-or-later
// Link files
//
// What a directory holds about interfaces. Read once per look, so that nothing is kept open.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/link.h"
#include "collectors/outcome.h"
#include "collectors/scan.h"
#include "core/cleanup.h"

static int read_path(struct source *source, const char *path) {
    struct source_file file = SOURCE_FILE_CLOSED;
    int r = source_read(source, &file, path);
    source_file_close(&file);
    return r;
}

// The one line of a file, without its newline; -EBADMSG: it was cut.
static int read_line(struct source *source, const char *path, struct span *ret) {
    int r = read_path(source, path);
    if (r < 0)
        return r;
    struct line_scan scan = { .at = source->buffer, .end = source->buffer + source->size };
    return next_line(&scan, ret) && !scan.cut ? 0 : -EBADMSG;
}

struct interface {
    struct source *source;
    const char *name;
    struct outcome *outcome;
};

static void report(struct interface *interface, const char *path, const char *text) {
    outcome_problem(interface->outcome, path, &(struct parse_problem){ 1, text });
}

// A file that is not there leaves the column NULL, as on the kernels that lack it.
static int read_text(struct interface *interface, const char *file, struct span *ret) {
    char path[512];
    snprintf(path, sizeof(path), "sys/class/net/%s/%s", interface->name, file);
    int r = read_line(interface->source, path, ret);
    if (r == -EBADMSG)
        report(interface, path, "the line is cut");
    return r;
}

static cell read_number(struct interface *interface, const char *folder, const char *file) {
    char path[512];
    struct span line;
    cell value;
    snprintf(path, sizeof(path), "%s/%s/%s", folder, interface->name, file);
    int r = read_line(interface->source, path, &line);
    if (r == 0 && parse_number(line.text, line.n, COLUMN_GAUGE, &value))
        return value;
    if (r == 0 || r == -EBADMSG)
        report(interface, path, "not a number");
    return CELL_NULL;
}

static cell read_attribute(struct interface *interface, const char *file) {
    return read_number(interface, "sys/class/net", file);
}

static bool has_entry(struct interface *interface, const char *file) {
    char path[512];
    snprintf(path, sizeof(path), "sys/class/net/%s/%s", interface->name, file);
    _cleanup_close_ int fd = source_open(interface->source, path, 0);
    return fd >= 0;
}

static cell read_devtype(struct interface *interface, struct rows *rows) {
    static const char key[] = "DEVTYPE=";
    char path[512];
    snprintf(path, sizeof(path), "sys/class/net/%s/uevent", interface->name);
    if (read_path(interface->source, path) < 0)
        return CELL_NULL;
    struct line_scan scan = { .at = interface->source->buffer,
        .end = interface->source->buffer + interface->source->size };
    for (struct span line; next_line(&scan, &line) && !scan.cut;)
        if (line.n > sizeof(key) - 1 && memcmp(line.text, key, sizeof(key) - 1) == 0)
            return rows_put_text(rows, line.text + sizeof(key) - 1, line.n - (sizeof(key) - 1));
    return CELL_NULL;
}

// sysfs does not tell the kind of all virtual devices: what shows neither a kind nor hardware is
// NULL.
static cell read_kind(struct interface *interface, struct rows *rows) {
    static const char *const signs[][2] = {
        { "bridge", "bridge" },
        { "bonding", "bond" },
        { "tun_flags", "tun" },
        { "device", "" },
    };
    cell kind = read_devtype(interface, rows);
    for (size_t i = 0; kind == CELL_NULL && i < sizeof(signs) / sizeof(signs[0]); i++)
        if (has_entry(interface, signs[i][0]))
            kind = rows_put_text(rows, signs[i][1], strlen(signs[i][1]));
    if (kind == CELL_NULL && read_attribute(interface, "type") == ARPHRD_LOOPBACK)
        kind = rows_put_text(rows, "", 0);
    return kind;
}

static void add_interface(
        struct source *source, const char *name, struct rows *rows, struct outcome *outcome) {
    struct interface interface = { source, name, outcome };
    struct span text;
    cell *row = rows_add(rows);
    if (!row)
        return;
    row[LINK_NETNS] = rows_put_text(rows, "host", 4);
    row[LINK_INTERFACE] = rows_put_text(rows, name, strlen(name));
    row[LINK_IFINDEX] = read_attribute(&interface, "ifindex");
    if (read_text(&interface, "operstate", &text) == 0)
        row[LINK_OPERSTATE] = rows_put_text(rows, text.text, text.n);
    row[LINK_KIND] = read_kind(&interface, rows);
    row[LINK_MASTER_IFINDEX] =
            has_entry(&interface, "master") ? read_attribute(&interface, "master/ifindex") : 0;
    row[LINK_MTU] = read_attribute(&interface, "mtu");
    row[LINK_TX_QUEUE_LENGTH] = read_attribute(&interface, "tx_queue_len");
    row[LINK_RP_FILTER] = read_number(&interface, "proc/sys/net/ipv4/conf", "rp_filter");
    for (size_t i = LINK_STATISTICS; i < N_LINK_COLUMNS; i++) {
        char file[64];
        snprintf(file, sizeof(file), "statistics/%s", link_table.columns[i].field);
        row[i] = read_attribute(&interface, file);
    }
}

// net/core/net-procfs.c: the columns of net/dev, the same in all kernels. NULL: a sum without a column.
static const char *const net_dev_fields[] = {
    "rx_bytes",
    "rx_packets",
    "rx_errors",
    "rx_dropped_unsplit",
    "rx_fifo_errors",
    "rx_frame_unsplit",
    "rx_compressed",
    "multicast",
    "tx_bytes",
    "tx_packets",
    "tx_errors",
    "tx_dropped",
    "tx_fifo_errors",
    "collisions",
    NULL,
    "tx_compressed",
};
#define N_NET_DEV_FIELDS (sizeof(net_dev_fields) / sizeof(net_dev_fields[0]))
// If a sum is 0, so are its parts.
static const struct {
    size_t at;
    const char *parts[4];
} net_dev_sums[] = {
    { 3, { "rx_dropped", "rx_missed_errors" } },
    { 5, { "rx_length_errors", "rx_over_errors", "rx_crc_errors", "rx_frame_errors" } },
    { 14, { "tx_carrier_errors", "tx_aborted_errors", "tx_window_errors", "tx_heartbeat_errors" } },
};

static cell *column(cell *row, const char *name) {
    return &row[table_column(&link_table, name)];
}

static void store_net_dev(cell *row, const cell *values) {
    for (size_t i = 0; i < N_NET_DEV_FIELDS; i++)
        if (net_dev_fields[i])
            *column(row, net_dev_fields[i]) = values[i];
    for (size_t i = 0; i < sizeof(net_dev_sums) / sizeof(net_dev_sums[0]); i++)
        for (size_t k = 0; k < 4 && values[net_dev_sums[i].at] == 0 && net_dev_sums[i].parts[k];
                k++)
            *column(row, net_dev_sums[i].parts[k]) = 0;
}

static bool parse_net_dev_line(struct span line, struct rows *rows) {
    cell values[N_NET_DEV_FIELDS];
    const char *colon = memrchr(line.text, ':', line.n); // an alias has a colon in its name
    if (!colon)
        return false;
    struct span name = { line.text, (size_t) (colon - line.text) };
    name = next_word(&name);
    line = (struct span){ colon + 1, line.n - (size_t) (colon + 1 - line.text) };
    for (size_t i = 0; i < N_NET_DEV_FIELDS; i++) {
        struct span word = next_word(&line);
        if (!parse_number(word.text, word.n, COLUMN_GAUGE, &values[i]))
            return false;
    }
    cell *row = name.n > 0 && next_word(&line).n == 0 ? rows_add(rows) : NULL;
    if (!row)
        return false;
    row[LINK_NETNS] = rows_put_text(rows, "host", 4);
    row[LINK_INTERFACE] = rows_put_text(rows, name.text, name.n);
    store_net_dev(row, values);
    return true;
}

void parse_net_dev(
        const char *text, size_t length, struct rows *rows, struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    for (struct span line; next_line(&scan, &line);) {
        if (scan.cut || (scan.number > 2 && !parse_net_dev_line(line, rows)))
            parse_problem_add(problem, scan.number, "not an interface and 16 numbers");
    }
    if (scan.number == 0)
        parse_problem_add(problem, 0, "empty");
}

static void read_net_dev(struct source *source, struct rows *rows, struct outcome *outcome) {
    static const char path[] = "proc/net/dev";
    struct parse_problem problem = { 0 };
    int r = read_path(source, path);
    if (r == 0)
        parse_net_dev(source->buffer, source->size, rows, &problem);
    else
        outcome_read_error(outcome, path, r);
    outcome_problem(outcome, path, &problem);
}

void link_collect_files(struct source *source, struct rows *rows, struct outcome *outcome) {
    int fd = source_open(source, "sys/class/net", O_DIRECTORY);
    DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
    if (!directory) {
        if (fd >= 0)
            close(fd);
        read_net_dev(source, rows, outcome);
        return;
    }
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "bonding_masters") != 0)
            add_interface(source, entry->d_name, rows, outcome);
    closedir(directory);
    if (rows->n == 0)
        read_net_dev(source, rows, outcome);
}
