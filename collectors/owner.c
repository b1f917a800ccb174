// SPDX-License-Identifier: GPL-2.0-or-later
// Socket owners
#include <errno.h>
#include <string.h>

#include "collectors/list.h"
#include "collectors/watch.h"

enum { INODE, PID, START_TIME, FD, NETNS, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
    [INODE] = { "inode", COLUMN_KEY_INTEGER, "", "socket, as in table socket", NULL },
    [PID] = { "pid", COLUMN_KEY_INTEGER, "", "process that holds it", NULL },
    [START_TIME] = { "start_time", COLUMN_IDENTITY, "ticks", "when that process began, since boot",
            "starttime" },
    [FD] = { "fd", COLUMN_GAUGE, "", "its file descriptor there; the lowest, if it has several",
            NULL },
    [NETNS] = { "netns", COLUMN_TEXT, "", "network namespace of the socket", NULL },
};

const struct table owner_table = {
    .name = "owner",
    .help = "the processes that hold the sockets of table socket",
    .per = "socket and process",
    .source = "/proc/PID/fd",
    .columns = columns,
    .n_columns = N_COLUMNS,
    .n_keys = 2,
    .sparse = true,
};

static int add_row(
        const struct watch *watch, const struct watched_owner *owner, struct rows *rows) {
    const char *netns = watch->sockets[owner->socket].netns;
    cell *row = rows_add(rows);
    if (!row)
        return -ENOMEM;
    row[INODE] = owner->inode;
    row[PID] = owner->pid;
    row[START_TIME] = (cell) owner->start_time;
    row[FD] = owner->fd;
    row[NETNS] = rows_put_text(rows, netns, strlen(netns));
    return 0;
}

static bool is_denied(const struct watch *watch) {
    for (size_t i = 0; i < watch->n_sockets; i++)
        if (watch->sockets[i].state == OWNER_DENIED)
            return true;
    return false;
}

// The search was the socket collector's.
static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    const struct watch *watch = context->watch;
    int r = 0;
    for (size_t i = 0; r == 0 && i < watch->n_owners; i++)
        r = add_row(watch, &watch->owners[i], rows);
    if (r < 0)
        outcome_set(outcome, OUTCOME_FAILED, "%s", strerror(-r));
    else if (is_denied(watch))
        outcome_set(outcome, rows->n > 0 ? OUTCOME_OK : OUTCOME_DENIED,
                "the files of %zu processes could not be seen: needs CAP_SYS_PTRACE and "
                "CAP_DAC_READ_SEARCH",
                watch->n_denied);
}

const struct collector owner_collector = { &owner_table, LANE_FAST, NULL, collect, NULL };
