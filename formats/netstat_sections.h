// SPDX-License-Identifier: GPL-2.0-or-later
// Sections of netstat -s
#pragma once

#include "formats/lines.h"
#include "formats/words.h"

enum section_kind {
    SECTION_IP,
    SECTION_ICMP,
    SECTION_ICMP_MSG,
    SECTION_UDP,
    SECTION_NAMES, // counters by name: IpExt, TcpExt
    SECTION_OTHER,
};

struct netstat_section {
    const char *name;
    enum section_kind kind;
    unsigned bit; // of its own
};

const struct netstat_section *netstat_section(const char *name); // NULL: there is none
// "Udp:" alone in a line, or as a word; NULL: no heading.
const struct netstat_section *netstat_heading(const struct line *line);
const struct netstat_section *netstat_heading_word(const struct word *word);
// The section of a counter that is known by its name alone; NULL: several have one of that name.
const struct netstat_section *netstat_section_of_label(const struct word *label);
