// SPDX-License-Identifier: GPL-2.0-or-later
// Program queues
//
// What a program says of the queues inside it (rsyslog's impstats): where one is at its limit, the
// program stops reading its sockets. Only from outputs that somebody pasted.
#include "collectors/list.h"

static const struct column columns[] = {
    { "program", COLUMN_KEY_TEXT, "", "rsyslogd", NULL },
    { "queue", COLUMN_KEY_TEXT, "", "its name for the queue", NULL },
    { "entries", COLUMN_GAUGE, "entries", "in the queue", "size" },
    { "highest", COLUMN_GAUGE, "entries", "most that were ever in it: the limit where it is full",
            "maxqsize" },
    { "enqueued", COLUMN_COUNTER, "entries", "put into it", "enqueued" },
    { "full", COLUMN_COUNTER, "times", "it was at its limit", "full" },
    { "discarded", COLUMN_COUNTER, "entries", "thrown away since it was full or nearly so",
            "discarded.full, discarded.nf" },
};

const struct table program_queue_table = {
    .name = "program_queue",
    .help = "queues inside of programs, as they report them",
    .per = "program, queue",
    .source = "impstats of rsyslog (pasted outputs only)",
    .columns = columns,
    .n_columns = sizeof(columns) / sizeof(columns[0]),
    .n_keys = 2,
    .sparse = true,
};

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    outcome_set(outcome, OUTCOME_ABSENT, "only read from pasted outputs");
}

const struct collector program_queue_collector = { &program_queue_table, LANE_SLOW, NULL, collect,
    NULL };
