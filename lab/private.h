// SPDX-License-Identifier: GPL-2.0-or-later
// Lab state
#pragma once

#include "lab/process.h"
#include "lab/traffic.h"

#define LAB_TEXT_SIZE 512
#define LAB_PATH_SIZE 64

struct lab {
    int family; // 4 or 6
    bool is_root;
    bool keeps; // it stays when its scenario is over
    enum lab_phase phase;
    int netns[2];   // LAB_RECEIVER, LAB_SENDER
    pid_t sender;   // a process that lives in the sender's namespace
    int hand;       // socket to the process that does things on the host; -1: none
    unsigned links; // bit N: link N is there
    char scratch[LAB_PATH_SIZE];
    char text[LAB_TEXT_SIZE]; // why it failed, or was skipped
    // Waits until that moment of lab_clock_ms(), and looks meanwhile. NULL: just sleeps.
    int (*watch)(void *data, int64_t until_ms);
    void *watch_data;
    char *shared; // memory of lab_shared()
    size_t shared_used;
    struct lab_traffic *traffic; // of the receivers and senders, in shared memory; see traffic.c
    struct lab_faults *faults;   // of whoever makes faults
};

// Sets up what `traffic` is. Called once, before anything of a scenario. 0 or -errno.
int lab_traffic_init(struct lab *lab);
// Returned by lab_skip() and lab_fail().
#define LAB_SKIPPED (-ECANCELED)
#define LAB_FAILED (-EPROTO)
