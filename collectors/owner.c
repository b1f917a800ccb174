// SPDX-License-Identifier: GPL-2.0-or-later
// Socket owners
#include "collectors/list.h"

enum { INODE, PID, START_TIME, FD, NETNS, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
    [INODE] = { "inode", COLUMN_KEY_INTEGER, "", "socket, as in table socket", NULL },
    [PID] = { "pid", COLUMN_KEY_INTEGER, "", "process that holds it", NULL },
    [START_TIME] = { "start_time", COLUMN_IDENTITY, "ticks",
            "when that process began, since boot", "starttime" },
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
};

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    outcome_set(outcome, OUTCOME_ABSENT, "not read yet");
}

const struct collector owner_collector = { &owner_table, LANE_FAST, NULL, collect, NULL };
