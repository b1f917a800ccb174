// SPDX-License-Identifier: GPL-2.0-or-later
// Lab scenarios
//
// A scenario is one row: what it does, and which answer is right.
#pragma once

#include "lab/process.h"
#include "lab/traffic.h"

enum lab_needs {
    NEEDS_ROOT = 1 << 0,       // real root
    NEEDS_CGROUP_CPU = 1 << 1, // a CPU controller, v1 or v2 (implies root, as those below)
    NEEDS_CGROUP_MEMORY = 1 << 2,
    NEEDS_FREEZER = 1 << 3,
    NEEDS_ZRAM = 1 << 4,
    NEEDS_FUSE = 1 << 5,
    NEEDS_LOOP = 1 << 6,
    NEEDS_TWO_CPUS = 1 << 7,
    NEEDS_DELAYACCT = 1 << 8,   // kernel.task_delayacct can be switched on (done by the lab)
    NEEDS_HOST_SYSCTL = 1 << 9, // sysctls of the whole host
    NEEDS_CONNTRACK = 1 << 10,
};

enum lab_families { LAB_IPV4, LAB_IPV6, LAB_BOTH }; // LAB_BOTH: two scenarios, ID and ID-ipv6

// What is done with the first cause's remedy.
enum lab_fix {
    FIX_NONE,
    FIX_COMMAND,        // its command is run as printed, where the receiver is
    FIX_COMMAND_REOPEN, // and then the receivers are started anew
    FIX_BUFFER,         // the receivers are started anew with the buffer that its text asks for
    FIX_OWN,            // the scenario's own_fix()
    FIX_BIGGER_FAILS,   // it says that a bigger buffer will not help: it is made bigger, and loss
                        // goes on
};

struct scenario {
    const char *id;      // lower case and dashes; mostly the cause's id, with a word more
    const char *title;   // one line, what is done
    const char *expects; // id of the cause that must come first; NULL: a control, no cause at all
    const char *also;    // ids that must stand among the causes too, separated by blanks (pairs)
    const char *never; // near misses: ids that must not stand among the causes, separated by blanks
    const char *locus; // where the ledger must have the loss; NULL: not looked at
    int port;          // of the first cause's subject; 0: not looked at
    const char *process; // of the first cause's subject; NULL: not looked at
    enum lab_families families;
    unsigned needs;         // lab_needs
    const char *tools;      // programs it runs, separated by blanks: "tc nft"
    bool quick, quick_ipv6; // part of the quick set, as with the one family, as with the other
    bool unnamed;        // lost, and no data tells why: no cause at all, and `cannot-tell`
    bool no_loss;        // nothing is lost: provoke() is called once, the cause is one without loss
    int64_t least_lost;  // provoke() is repeated until so much is lost; 0: 200
    const char *inexact; // why the ledger cannot be exact; NULL: it must be
    // Opens receivers, sets limits. What is lost in it is the past.
    int (*setup)(struct lab *lab);
    // One burst of 100 to 1000 ms. Repeated: see least_lost. A control's is called once.
    int (*provoke)(struct lab *lab);
    enum lab_fix fix;
    // Which command is run: the first that contains this; NULL: the first that can be undone.
    const char *fix_match;
    // FIX_OWN: does what the command says (NULL: the remedies have none) where it cannot be run as
    // it is, such as systemctl without a unit. `command`: the one that would be run.
    int (*own_fix)(struct lab *lab, const char *command);
    // What must have happened besides the loss for the run to count, such as throttling in the
    // loss: 0, 1: not yet, provoke once more; or -errno. NULL: nothing.
    int (*happened)(struct lab *lab);
};

// Each file of lab/scenarios has one list; lab/scenarios.c has them all.
struct scenario_list {
    const struct scenario *scenarios;
    size_t n;
};
#define SCENARIO_LIST(name, array)                                                                 \
    const struct scenario_list name = { array, sizeof(array) / sizeof((array)[0]) }

extern const struct scenario_list scenarios_queue, scenarios_reader, scenarios_stops,
        scenarios_waits,
        scenarios_controls; // receivers
extern const struct scenario_list scenarios_path, scenarios_fragments, scenarios_ports,
        scenarios_filters, scenarios_backlog, scenarios_send,
        scenarios_pairs; // the rest of the way

// Scenario i of all lists, NULL beyond the last.
const struct scenario *scenario_at(size_t i);
