// SPDX-License-Identifier: GPL-2.0-or-later
// Softnet backlog
#include "collectors/list.h"

enum { CPU, PROCESSED, DROPPED, TIME_SQUEEZE, CPU_COLLISION, RECEIVED_RPS, FLOW_LIMIT_COUNT,
       BACKLOG_LENGTH, INPUT_QUEUE_LENGTH, PROCESS_QUEUE_LENGTH, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
    [CPU] = { "cpu", COLUMN_KEY_INTEGER, "", "CPU number", "column 13" },
    [PROCESSED] = { "processed", COLUMN_COUNTER, "packets",
                    "packets this CPU handed to the protocols", "column 1" },
    [DROPPED] = { "dropped", COLUMN_COUNTER, "packets",
                  "packets lost because the backlog queue of this CPU was full", "column 2" },
    [TIME_SQUEEZE] = { "time_squeeze", COLUMN_COUNTER, "events",
                       "times the receive softirq stopped with work left; not a loss", "column 3" },
    [CPU_COLLISION] = { "cpu_collision", COLUMN_COUNTER, "events",
                        "transmit lock collisions, always 0 since 4.15", "column 9" },
    [RECEIVED_RPS] = { "received_rps", COLUMN_COUNTER, "interrupts",
                       "wake-ups by other CPUs for steered packets, not packets", "column 10" },
    [FLOW_LIMIT_COUNT] = { "flow_limit_count", COLUMN_COUNTER, "packets",
                           "of dropped: those of one flow above its limit, counted at the steering CPU",
                           "column 11" },
    [BACKLOG_LENGTH] = { "backlog_length", COLUMN_GAUGE, "packets", "packets in the backlog now",
                         "column 12" },
    [INPUT_QUEUE_LENGTH] = { "input_queue_length", COLUMN_GAUGE, "packets",
                             "of backlog_length: not yet taken over by this CPU", "column 14" },
    [PROCESS_QUEUE_LENGTH] = { "process_queue_length", COLUMN_GAUGE, "packets",
                               "of backlog_length: taken over, being processed", "column 15" },
};

const struct table softnet_table = { "softnet", "receive backlog of each CPU", "CPU",
                                     "/proc/net/softnet_stat", columns, N_COLUMNS, 1 };
