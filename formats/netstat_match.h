// SPDX-License-Identifier: GPL-2.0-or-later
// Lines of netstat -s
#pragma once

#include "formats/lines.h"
#include "formats/netstat_words.h"
#include "formats/words.h"

// What a line of netstat -s says.
struct netstat_item {
    const struct netstat_word *word; // words that a counter has; NULL: it is printed by name
    struct word label;               // that name
    struct word number;
    bool translated;
};

// A number as it may stand in such a line, also one that cannot be right.
bool netstat_number(const struct word *word);
// A line with one counter, and perhaps somebody's remark behind it. false: it is none.
bool netstat_match(const char *text, struct netstat_item *ret);
// The next counter of a text in which several lines were put into one, and where it ends: only
// English words. NULL: there is none.
const char *netstat_match_next(const char *text, struct netstat_item *ret);
