// SPDX-License-Identifier: GPL-2.0-or-later
// Words of netstat -s
//
// net-tools (statistics.c) prints the counters that it has words for in words, the others by name.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum netstat_family {
    WORDS_IP, // Ip and Ip6
    WORDS_ICMP,
    WORDS_UDP,
};

struct netstat_word {
    enum netstat_family family;
    const char *field;  // of the MIB, without the section: "RcvbufErrors"
    const char *phrase; // with # for the number, without a full stop
};
extern const struct netstat_word netstat_words[], netstat_translations[];
extern const size_t n_netstat_words, n_netstat_translations;
