// SPDX-License-Identifier: GPL-2.0-or-later
// Alert states
//
// What lasts: turns the verdicts of consecutive evaluations into alerts with a beginning, reminders
// and an end. Knows no clock, no database and no journal: times come with each look, and what
// happens goes to one function.
#pragma once

#include "core/verdict.h"

// What the ledger's counters say of the time since the look before; the verdict's window is longer.
struct fresh {
    char *locus, *direction, *netns; // netns NULL: host-wide
    int64_t since, window;     // datagrams (fragments for reassembly) since then, and in the window
    int64_t first_ms, last_ms; // the first lossy moment since then, and the last
};

struct look {
    const struct verdict *verdict;
    const struct fresh *fresh;
    size_t n_fresh;
    int64_t wall_ms, boottime_ms;
    int64_t observed_ms; // time sampled since the look before, gaps left out
    const char *const
            *blind; // loci whose counters could not be read: no news of them is not good news
    size_t n_blind;
};

struct alert_policy {
    int64_t floor;      // datagrams in the window below which a loss is not an alert
    double floor_ratio; // and the share of all datagrams
    int64_t confirm;    // looks in a row
    int64_t remind_ms, clear_ms;
};

enum alert_event {
    ALERT_BEGINS,
    ALERT_REMINDS,
    ALERT_CHANGES,
    ALERT_ENDS,
    ALERT_GOES_ON, // for the database only: its figures grew, or whatever happens to a muted one
};
const char *alert_event_name(
        enum alert_event event); // "begin", "reminder", "changed", "end", "running"

struct alert {
    int64_t number;                // of this run; the database counts for itself
    char *cause, *subject, *title; // title: of the cause, or the sentence of the level
    char *locus;                   // NULL: a level
    enum severity severity;
    int64_t begin_ms, last_ms, end_ms; // wall clock; end_ms 0: it lasts
    int64_t reminders, lost;
    bool muted;            // expected, by the configuration: kept, but nobody is told
    json_object *document; // the cause or level as in the verdict

    // What it takes to go on judging
    char *key;
    bool running; // begun, not ended
    bool told;    // somebody knows of it
    bool present; // in the look before
    int64_t confirmed, healthy_ms, lower_ms;
    int64_t confirmed_ms, remind_ms; // boot time
    double lost_exactly;
    char *challenger; // another cause that leads the same loss now
    int64_t challenged;
};
struct alert *alert_free(struct alert *alert); // returns NULL

typedef void alert_sink(void *userdata, enum alert_event event, const struct alert *alert);

struct alerts;
// Returns NULL: out of memory.
struct alerts *alerts_new(alert_sink *sink, void *userdata);
struct alerts *alerts_free(struct alerts *alerts); // returns NULL

// Takes over an alert that ran when the daemon stopped: cause, subject, title, severity, begin_ms,
// last_ms, reminders, lost, and document are set. Returns its number, -ENOBUFS (too many) or
// -ENOMEM.
int64_t alerts_inherit(struct alerts *alerts, const struct alert *before,
        const struct alert_policy *policy, int64_t boottime_ms);

int alerts_look(struct alerts *alerts, const struct look *look,
        const struct alert_policy *policy); // 0 or -ENOMEM

size_t alerts_running(const struct alerts *alerts);
// Losses that are not confirmed yet: the next lossy step should be looked at without delay.
bool alerts_waiting(const struct alerts *alerts);
bool alerts_losing(const struct alerts *alerts); // an alert about a loss runs
// Boot time at which a look is due though nothing happens, for a reminder or an end; INT64_MAX:
// never.
int64_t alerts_due(const struct alerts *alerts, const struct alert_policy *policy);
