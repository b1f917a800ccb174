// SPDX-License-Identifier: GPL-2.0-or-later
// Ranking
//
// One loss has one cause: what is explained at a place and namespace never exceeds what the ledger
// holds there, nor what is explained of a socket its own loss, where that is told: sockets are rivals
// of none but their own causes. Causes stand by datagrams explained x confidence; below each, marked "also", those
// that contribute to the same loss.
#pragma once

#include "rules/rule.h"

struct candidate {
    struct cause cause;
    const struct rule *rule;
    int64_t subject_lost; // what its subject lost there in all; 0: not told
    bool aside;           // may have no part in the loss: it leads no other cause
};

// Moves the candidates into verdict->causes in their order; what does not hold is freed. Loss that
// no cause explains becomes a note. The array itself stays the caller's. 0 or -ENOMEM: then the
// candidates are freed too.
int rank_causes(struct candidate *candidates, size_t n, struct verdict *verdict);
