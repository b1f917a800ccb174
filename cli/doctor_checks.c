// SPDX-License-Identifier: GPL-2.0-or-later
// Checks of a host
#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/database.h"
#include "cli/doctor.h"
#include "collectors/netns.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "core/text.h"

const char *health_name(enum health health) {
    static const char *const names[] = {
        [HEALTH_OK] = "ok",
        [HEALTH_MISSING] = "missing",
        [HEALTH_ABSENT] = "absent",
    };
    return names[health];
}

static const struct {
    const char *table, *blind;
} sources[] = {
    { "snmp", "whether datagrams are lost at all, and at which place" },
    { "sockstat", "how much memory UDP and reassembly hold" },
    { "sysctl", "the limits: how large buffers may be" },
    { "softnet", "losses at the backlog of a CPU" },
    { "link", "losses that interfaces count" },
    { "nic", "rings that are too small, and losses that only the driver counts" },
    { "qdisc", "losses at queueing disciplines" },
    { "conntrack", "losses by connection tracking" },
    { "cpu", "busy, stolen and softirq time of the CPUs" },
    { "pressure", "whether programs waited for CPU, memory or disks" },
    { "memory", "swapping and short memory" },
    { "disk", "busy disks" },
    { "mount", "file systems that fill up" },
    { "socket", "which socket loses datagrams, and how full its queue is" },
    { "owner", "which program holds a socket" },
    { "process", "why a program did not read: CPU, disk, swap, or asleep" },
    { "cgroup", "CPU quotas and memory limits of units and containers" },
};

const char *doctor_blind(const char *table) {
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
        if (strcmp(sources[i].table, table) == 0)
            return sources[i].blind;
    return NULL;
}

// The text of a small file; NULL: it cannot be read.
static const char *read_file(const struct doctor *doctor, const char *path, int *ret_error) {
    struct source_file file = SOURCE_FILE_CLOSED;
    int r = source_read(doctor->source, &file, path);
    source_file_close(&file);
    *ret_error = r;
    return r == 0 ? doctor->source->buffer : NULL;
}

void doctor_begin(struct doctor *doctor, const struct cli *cli, struct source *source) {
    int error;
    *doctor = (struct doctor){ .cli = cli, .source = source };
    const char *text = source->live ? read_file(doctor, "proc/self/status", &error) : NULL;
    const char *line = text ? strstr(text, "\nCapEff:") : NULL;
    doctor->capabilities_known =
            line && sscanf(line, " CapEff: %" SCNx64, &doctor->capabilities) == 1;
}

static enum health test_capability(
        const struct doctor *doctor, const struct doctor_check *check, FILE *detail) {
    if (!doctor->capabilities_known) {
        fputs("a directory needs no privileges", detail);
        return HEALTH_ABSENT;
    }
    bool has = doctor->capabilities >> check->number & 1;
    fputs(has ? "this process has it" : "this process does not have it", detail);
    return has ? HEALTH_OK : HEALTH_MISSING;
}

// Since 5.14 it can be switched; before, a boot option decided, and it was on.
static enum health test_delayacct(
        const struct doctor *doctor, const struct doctor_check *check, FILE *detail) {
    int error;
    const char *text = read_file(doctor, "proc/sys/kernel/task_delayacct", &error);
    if (!text) {
        fputs("this kernel has no such switch", detail);
        return HEALTH_ABSENT;
    }
    fputs(*text == '1' ? "on" : "off", detail);
    return *text == '1' ? HEALTH_OK : HEALTH_MISSING;
}

static enum health test_pressure(
        const struct doctor *doctor, const struct doctor_check *check, FILE *detail) {
    int error;
    bool there = read_file(doctor, "proc/pressure/io", &error) != NULL;
    fputs(there ? "/proc/pressure is there" : "no /proc/pressure", detail);
    return there ? HEALTH_OK : HEALTH_MISSING;
}

// The options of the file system mounted at /proc: hidepid=invisible, 2, 1, noaccess, ptraceable.
static enum health test_hidepid(
        const struct doctor *doctor, const struct doctor_check *check, FILE *detail) {
    int error;
    const char *text = read_file(doctor, "proc/self/mounts", &error), *last = NULL;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, "proc /proc ", 11) == 0)
            last = line;
    if (!last) {
        fputs("the options of /proc cannot be seen", detail);
        return HEALTH_ABSENT;
    }
    _cleanup_free_ char *options = strndup(last, strcspn(last, "\n"));
    const char *hidden = options ? strstr(options, "hidepid=") : NULL;
    bool may = doctor->capabilities >> CAP_SYS_PTRACE & 1;
    if (!hidden || strncmp(hidden, "hidepid=off", 11) == 0 || hidden[8] == '0') {
        fputs("/proc shows all processes", detail);
        return HEALTH_OK;
    }
    fprintf(detail, "/proc is mounted with %.*s%s", (int) strcspn(hidden, ", "), hidden,
            may ? ", which this process may overlook" : "");
    return may ? HEALTH_OK : HEALTH_MISSING;
}

static size_t count_readable(const struct netns_list *list) {
    struct source_file host = SOURCE_FILE_CLOSED;
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += netns_read(list, &list->items[i], &host, "snmp") == 0;
    source_file_close(&host);
    return n;
}

static enum health test_namespaces(
        const struct doctor *doctor, const struct doctor_check *check, FILE *detail) {
    struct netns_list list;
    int r = netns_list_init(&list, doctor->source);
    if (r < 0) {
        fputs(strerror(-r), detail);
        return HEALTH_MISSING;
    }
    netns_list_discover(&list);
    size_t n = count_readable(&list);
    fprintf(detail, "%zu of %zu can be read", n, list.n);
    if (list.unseen > 0)
        fprintf(detail, "; of %zu processes it is not known where they live", list.unseen);
    enum health health = n == list.n && list.unseen == 0 ? HEALTH_OK : HEALTH_MISSING;
    netns_list_done(&list);
    return health;
}

static enum health test_database(
        const struct doctor *doctor, const struct doctor_check *check, FILE *detail) {
    _cleanup_(database_close) struct store *store = NULL;
    _cleanup_free_ char *reason = NULL, *path = database_path(doctor->cli);
    int r = database_try(doctor->cli, &store, &reason);
    if (r < 0)
        fputs(reason ? reason : strerror(-r), detail);
    else
        fprintf(detail, "%s can be read", path ? path : "it");
    return r < 0 ? HEALTH_MISSING : HEALTH_OK;
}

static enum health test_daemon(
        const struct doctor *doctor, const struct doctor_check *check, FILE *detail) {
    _cleanup_(database_close) struct store *store = NULL;
    _cleanup_free_ char *reason = NULL;
    struct database_age age = { 0 };
    char moment[MOMENT_SIZE];
    int r = database_try(doctor->cli, &store, &reason);
    if (r == 0)
        r = database_age(doctor->cli, store, &age);
    if (r < 0 || age.last_ms == 0) {
        fputs("has written nothing that could be read", detail);
        return HEALTH_MISSING;
    }
    fprintf(detail, "wrote last at %s",
            moment_format_short(age.last_ms, doctor->cli->now_ms, moment));
    return age.fresh ? HEALTH_OK : HEALTH_MISSING;
}

const struct doctor_check doctor_checks[] = {
    { "daemon", test_daemon, 0, "what happened before somebody looked; alerts",
            "systemctl enable --now udpdiagd" },
    { "database", test_database, 0, "the history", "usermod -aG udpdiag USER, and log in again" },
    { "namespaces", test_namespaces, 0, "losses and sockets in the others",
            "run as root: it takes CAP_SYS_PTRACE to tell where a process lives" },
    { "CAP_SYS_PTRACE", test_capability, CAP_SYS_PTRACE,
            "owners of sockets of other users, what their processes wait for",
            "run as root; the unit of the daemon has it" },
    { "CAP_DAC_READ_SEARCH", test_capability, CAP_DAC_READ_SEARCH,
            "owners of sockets of other users, and what they read and write",
            "run as root; the unit of the daemon has it" },
    { "CAP_NET_ADMIN", test_capability, CAP_NET_ADMIN,
            "how long processes wait for disks and swap (taskstats), filters of sockets",
            "run as root; the unit of the daemon has it" },
    { "CAP_SYS_ADMIN", test_capability, CAP_SYS_ADMIN,
            "limits (sysctl) and sockets' buffers in other network namespaces", "run as root" },
    { "delay accounting", test_delayacct, 0, "how long processes wait for disks and swap",
            "sysctl -w kernel.task_delayacct=1 (counts for processes started from then on)" },
    { "pressure", test_pressure, 0, "whether programs waited for CPU, memory or disks",
            "boot with psi=1 (a kernel since 4.20)" },
    { "hidepid", test_hidepid, 0, "processes of other users",
            "run as root, or mount -o remount,hidepid=0 /proc" },
};
const size_t n_doctor_checks = sizeof(doctor_checks) / sizeof(doctor_checks[0]);
