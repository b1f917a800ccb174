// SPDX-License-Identifier: GPL-2.0-or-later
// Turns of namespaces
//
// Where the files of all namespaces would cost too much, each look reads some of them, in turn; the
// host and new namespaces always, and those that lost datagrams before others. Counters are cumulative, so that nothing is
// lost by a later look: their growth is told over a longer time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct netns_list;
struct outcome;

enum {
    NETNS_COUNTERS, // files of proc/PID/net, for several tables, each step
    NETNS_LIMITS,   // sysctls, in the slow lane
    N_NETNS_TURNS,
};

// CPU time that namespaces other than the host's may cost, in microseconds per second: 2.5 % of one
// CPU for the counters, so that with the sockets of 500 namespaces (6 %) and all else a step of a
// second stays below 100 ms; 50 ms in one slow look (10 s) for the limits, which seldom change.
#define NETNS_COUNTERS_US_PER_S 25000
#define NETNS_LIMITS_US_PER_S 5000
// Whatever it costs, each namespace is read within this time: its rows have to appear in every
// minute of the wall clock, also when looks come late.
#define NETNS_ROUND_MS 40000

struct netns_turns {
    int64_t budget_us;  // per second
    int64_t begun_ms;   // the look that runs, or the last one
    int64_t spent_us;   // in it
    double mean_us;     // of one namespace, over some looks; 0: not known
    size_t n_due, n_others; // in it, without the host
    unsigned round;     // what is read in this round has its number; 0: none yet
};

void netns_turns_init(struct netns_list *list);
// A look begins: chooses who is due. `all`: everyone.
void netns_turns_begin(struct netns_list *list, unsigned kind, int64_t now_ms, bool all);
// Says in how many looks each namespace is read, where that is not every one and nothing else is
// said yet.
void netns_turns_note(const struct netns_list *list, unsigned kind, struct outcome *outcome);
// CPU time of this thread, in microseconds.
int64_t netns_turns_clock_us(void);
