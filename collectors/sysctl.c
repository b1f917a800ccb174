// SPDX-License-Identifier: GPL-2.0-or-later
// Sysctl limits
//
// /proc/sys/net shows the namespace of the thread that looks, so that other namespaces need one
// that enters them. Limits of the whole host stand first, and have a value only in the host row.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/list.h"
#include "collectors/netns.h"
#include "collectors/outcome.h"
#include "collectors/scan.h"
#include "core/cleanup.h"

// More than a value has; one read returns all of it.
#define VALUE_BYTES 1024

#define G(name, field, unit, help)                                                                 \
    { name, COLUMN_GAUGE, unit, help, field }

static const struct column columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    G("rmem_default_bytes", "net.core.rmem_default", "bytes", "receive buffer of a new socket"),
    G("rmem_max_bytes", "net.core.rmem_max", "bytes", "largest SO_RCVBUF (the kernel doubles it)"),
    G("wmem_default_bytes", "net.core.wmem_default", "bytes", "send buffer of a new socket"),
    G("wmem_max_bytes", "net.core.wmem_max", "bytes", "largest SO_SNDBUF (the kernel doubles it)"),
    G("netdev_max_backlog", "net.core.netdev_max_backlog", "packets",
            "limit of each CPU's backlog"),
    G("netdev_budget", "net.core.netdev_budget", "packets", "packets per softirq round"),
    G("netdev_budget_usecs", "net.core.netdev_budget_usecs", "us", "time per softirq round"),
    G("dev_weight", "net.core.dev_weight", "packets", "packets per device and poll"),
    { "flow_limit_cpu_bitmap", COLUMN_TEXT, "", "CPUs that limit single flows, hexadecimal",
            "net.core.flow_limit_cpu_bitmap" },
    G("flow_limit_table_len", "net.core.flow_limit_table_len", "buckets", "flow limit table"),
    G("udp_mem_min_pages", "net.ipv4.udp_mem[0]", "pages",
            "UDP memory from which the kernel drops"),
    G("udp_mem_pressure_pages", "net.ipv4.udp_mem[1]", "pages", "no effect on UDP"),
    G("udp_mem_max_pages", "net.ipv4.udp_mem[2]", "pages", "no effect on UDP beyond udp_mem[0]"),
    G("nf_conntrack_max", "net.netfilter.nf_conntrack_max", "entries",
            "limit of each namespace's connection table"),
    G("nf_conntrack_buckets", "net.netfilter.nf_conntrack_buckets", "buckets",
            "connection hash table"),
    G("task_delayacct", "kernel.task_delayacct", "", "delay accounting is on (1) or off (0)"),
    G("udp_rmem_min_bytes", "net.ipv4.udp_rmem_min", "bytes",
            "receive memory that a socket may use although UDP memory is short"),
    G("ipfrag_high_thresh_bytes", "net.ipv4.ipfrag_high_thresh", "bytes",
            "memory for incomplete datagrams from which fragments are refused"),
    G("ipfrag_low_thresh_bytes", "net.ipv4.ipfrag_low_thresh", "bytes",
            "must not exceed the high threshold; no other effect since 4.17"),
    G("ipfrag_time_s", "net.ipv4.ipfrag_time", "s", "time to wait for missing fragments"),
    G("ipfrag_max_dist", "net.ipv4.ipfrag_max_dist", "fragments",
            "other fragments of one source allowed between two of a datagram; 0: off"),
    G("ip6frag_high_thresh_bytes", "net.ipv6.ip6frag_high_thresh", "bytes",
            "memory for incomplete datagrams from which fragments are refused"),
    G("ip6frag_low_thresh_bytes", "net.ipv6.ip6frag_low_thresh", "bytes",
            "must not exceed the high threshold; no other effect since 4.17"),
    G("ip6frag_time_s", "net.ipv6.ip6frag_time", "s", "time to wait for missing fragments"),
    G("nf_conntrack_frag6_high_thresh_bytes", "net.netfilter.nf_conntrack_frag6_high_thresh",
            "bytes", "replaces ip6frag_high_thresh where conntrack is in use"),
    G("nf_conntrack_frag6_low_thresh_bytes", "net.netfilter.nf_conntrack_frag6_low_thresh", "bytes",
            "must not exceed the high threshold"),
    G("nf_conntrack_frag6_timeout_s", "net.netfilter.nf_conntrack_frag6_timeout", "s",
            "replaces ip6frag_time where conntrack is in use"),
    G("rp_filter_all", "net.ipv4.conf.all.rp_filter", "",
            "reverse path filter: 0 off, 1 strict, 2 loose; or the interface's, if higher"),
    G("rp_filter_default", "net.ipv4.conf.default.rp_filter", "", "for new interfaces"),
    G("log_martians_all", "net.ipv4.conf.all.log_martians", "", "impossible addresses are logged"),
    G("igmp_force_version", "net.ipv4.conf.all.force_igmp_version", "",
            "forced IGMP version; 0: none"),
    G("ip_forward", "net.ipv4.ip_forward", "", "IPv4 is forwarded (1)"),
};

const struct table sysctl_table = {
    .name = "sysctl",
    .help = "limits and switches of the network stack",
    .per = "network namespace; limits of the whole host only in the row of \"host\"",
    .source = "/proc/sys/net, /proc/sys/kernel/task_delayacct",
    .columns = columns,
    .n_columns = sizeof(columns) / sizeof(columns[0]),
    .n_keys = 1,
};

// The first column with a value of its own in each namespace.
#define FIRST_PER_NETNS "udp_rmem_min_bytes"

enum { N_COLUMNS = sizeof(columns) / sizeof(columns[0]), PATH_SIZE = 80 };

struct sysctl {
    size_t first_per_netns;
    struct source_file own[N_COLUMNS]; // of the namespace of this process: kept open
    char paths[N_COLUMNS][PATH_SIZE];
    size_t words[N_COLUMNS]; // which word of the file
};

// "net.ipv4.udp_mem[1]": the second word of proc/sys/net/ipv4/udp_mem.
static void set_path(struct sysctl *sysctl, size_t i) {
    char *path = sysctl->paths[i];
    snprintf(path, PATH_SIZE, "proc/sys/%s", columns[i].field);
    char *bracket = strchr(path, '[');
    if (bracket) {
        sysctl->words[i] = (size_t) (bracket[1] - '0');
        *bracket = '\0';
    }
    for (char *dot = path; (dot = strchr(dot, '.'));)
        *dot = '/';
}

static int start(struct collect_context *context, void **ret_state) {
    struct sysctl *sysctl = calloc(1, sizeof(*sysctl));
    if (!sysctl)
        return -ENOMEM;
    sysctl->first_per_netns = (size_t) table_column(&sysctl_table, FIRST_PER_NETNS);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        sysctl->own[i] = SOURCE_FILE_CLOSED;
        if (columns[i].field)
            set_path(sysctl, i);
    }
    *ret_state = sysctl;
    return 0;
}

static void stop(void *state) {
    struct sysctl *sysctl = state;
    for (size_t i = 0; i < N_COLUMNS; i++)
        source_file_close(&sysctl->own[i]);
    free(sysctl);
}

// One look at the sysctls of one namespace.
struct look {
    struct sysctl *sysctl;
    struct source *source;
    struct netns_list *list;
    const struct netns *netns;
    struct rows *rows;
    cell *row;
    struct outcome *outcome;
    size_t n_refused; // namespaces that could not be entered
};

static cell value_of(struct look *look, size_t i, struct parse_problem *problem) {
    struct line_scan scan = { look->source->buffer, look->source->buffer + look->source->size };
    struct span line, word = { 0 };
    cell value = CELL_NULL;
    if (!next_line(&scan, &line))
        parse_problem_add(problem, 0, "the file is empty");
    else if (scan.cut)
        parse_problem_add(problem, scan.number, "the line is cut");
    else
        for (size_t k = 0; k <= look->sysctl->words[i]; k++)
            word = next_word(&line);
    if (problem->text)
        return CELL_NULL;
    if (columns[i].kind == COLUMN_TEXT)
        return rows_put_text(look->rows, word.text, word.n);
    if (!parse_number(word.text, word.n, columns[i].kind, &value))
        parse_problem_add(problem, scan.number, "not a number in range");
    return value;
}

static void read_column(struct look *look, size_t i, struct source_file *file) {
    struct parse_problem problem = { 0 };
    const char *path = look->sysctl->paths[i];
    int r = source_read_records(look->source, file, path, VALUE_BYTES);
    if (r == -ENOENT || r == -ENOTDIR)
        return; // this kernel or namespace has none
    if (r < 0) {
        outcome_read_error(look->outcome, path, r);
        return;
    }
    look->row[i] = value_of(look, i, &problem);
    outcome_problem(look->outcome, path, &problem);
}

// Returns whether there was anything.
static bool read_columns(struct look *look, bool own) {
    struct sysctl *sysctl = look->sysctl;
    bool any = false;
    for (size_t i = look->netns->host ? 1 : sysctl->first_per_netns; i < N_COLUMNS; i++) {
        struct source_file once = SOURCE_FILE_CLOSED;
        read_column(look, i, own ? &sysctl->own[i] : &once);
        source_file_close(&once);
        any |= look->row[i] != CELL_NULL;
    }
    return any;
}

static bool is_own(const struct look *look, const struct netns *netns) {
    if (!look->source->live)
        return netns->host;
    return netns->inode == look->list->own_inode;
}

static cell *add_row(struct look *look) {
    look->row = rows_add(look->rows);
    if (look->row)
        look->row[0] = rows_put_text(look->rows, look->netns->name, NETNS_NAME_SIZE);
    return look->row;
}

static int enter(const struct look *look) {
    char path[NETNS_PATH_SIZE];
    snprintf(path, sizeof(path), "proc/%d/ns/net", (int) look->netns->pid);
    _cleanup_close_ int fd = source_open(look->source, path, 0);
    if (fd < 0)
        return fd;
    return setns(fd, CLONE_NEWNET) < 0 ? -errno : 0;
}

// Runs in a thread of its own, which ends in the namespace it was in last.
static void *read_others(void *data) {
    struct look *look = data;
    for (size_t i = 0; i < look->list->n; i++) {
        look->netns = &look->list->items[i];
        if (is_own(look, look->netns) || !netns_is_due(look->netns, NETNS_LIMITS) || !add_row(look))
            continue;
        int r = enter(look);
        if (r == 0)
            read_columns(look, false);
        else if (r == -EPERM || r == -EACCES)
            look->n_refused++;
    }
    look->list->turns[NETNS_LIMITS].spent_us = netns_turns_clock_us();
    return NULL;
}

// A few open files and small frames: far below this.
#define THREAD_STACK_BYTES ((size_t) 256 << 10)

static bool run_thread(struct look *look) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    bool started = pthread_create(&thread, &attributes, read_others, look) == 0;
    pthread_attr_destroy(&attributes);
    return started && pthread_join(thread, NULL) == 0;
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    struct look look = { state, context->source, context->netns, .rows = rows, .outcome = outcome };
    size_t n_others = 0;
    for (size_t i = 0; i < look.list->n; i++) {
        look.netns = &look.list->items[i];
        if (!is_own(&look, look.netns))
            n_others++;
        else if (add_row(&look) && !read_columns(&look, true))
            rows_drop_last(rows);
    }
    if (n_others > 0 && look.source->live && !run_thread(&look))
        look.n_refused = n_others;
    if (look.n_refused > 0 && outcome->state == OUTCOME_OK)
        outcome_set(outcome, OUTCOME_OK,
                "limits of other namespaces (%zu) could not be read: needs CAP_SYS_ADMIN",
                look.n_refused);
    if (rows->n == 0 && outcome->state == OUTCOME_OK)
        outcome_set(outcome, OUTCOME_ABSENT, "no proc/sys/net");
    netns_turns_note(look.list, NETNS_LIMITS, outcome);
}

const struct collector sysctl_collector = { &sysctl_table, LANE_SLOW, start, collect, stop };
