// SPDX-License-Identifier: GPL-2.0-or-later
// Checks of a host
#pragma once

#include "cli/cli.h"
#include "core/source.h"

enum health {
    HEALTH_OK,
    HEALTH_MISSING, // something can be done about it
    HEALTH_ABSENT,  // not on this kernel or host, or not to be asked here
};
const char *health_name(enum health health); // "ok", "missing", "absent"

struct doctor {
    const struct cli *cli;
    struct source *source;
    uint64_t capabilities; // effective, of this process
    bool capabilities_known;
};

struct doctor_check {
    const char *name;
    // Writes what was found, for people.
    enum health (*test)(
            const struct doctor *doctor, const struct doctor_check *check, FILE *detail);
    int number;         // of a capability
    const char *blind;  // what cannot be seen without it
    const char *remedy; // how to get it
};
extern const struct doctor_check doctor_checks[];
extern const size_t n_doctor_checks;

// Reads what the checks need.
void doctor_begin(struct doctor *doctor, const struct cli *cli, struct source *source);
// What is not seen where a collector's table cannot be read; NULL: no such table.
const char *doctor_blind(const char *table);
