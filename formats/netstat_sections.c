// SPDX-License-Identifier: GPL-2.0-or-later
// Sections of netstat -s
#include "formats/netstat_sections.h"

#include <string.h>

static const struct netstat_section sections[] = {
    { "Ip", SECTION_IP, 1u << 0 },
    { "Ip6", SECTION_IP, 1u << 1 },
    { "Icmp", SECTION_ICMP, 1u << 2 },
    { "Icmp6", SECTION_ICMP, 1u << 3 },
    { "IcmpMsg", SECTION_ICMP_MSG, 1u << 4 },
    { "Udp", SECTION_UDP, 1u << 5 },
    { "Udp6", SECTION_UDP, 1u << 6 },
    { "UdpLite", SECTION_UDP, 1u << 7 },
    { "UdpLite6", SECTION_UDP, 1u << 8 },
    { "IpExt", SECTION_NAMES, 1u << 9 },
    { "TcpExt", SECTION_NAMES, 1u << 10 },
    { "Tcp", SECTION_OTHER, 1u << 11 },
    { "Tcp6", SECTION_OTHER, 1u << 12 },
    { "Sctp", SECTION_OTHER, 1u << 13 },
    { "MPTcpExt", SECTION_OTHER, 1u << 14 },
    { "Icmp6Msg", SECTION_OTHER, 1u << 15 },
};
#define N_SECTIONS (sizeof(sections) / sizeof(sections[0]))

const struct netstat_section *netstat_section(const char *name) {
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (strcmp(sections[i].name, name) == 0)
            return &sections[i];
    return NULL;
}

const struct netstat_section *netstat_heading_word(const struct word *word) {
    for (size_t i = 0; i < N_SECTIONS; i++) {
        size_t length = strlen(sections[i].name);
        if (word->length == length + 1 && word->text[length] == ':' &&
                memcmp(word->text, sections[i].name, length) == 0)
            return &sections[i];
    }
    return NULL;
}

const struct netstat_section *netstat_heading(const struct line *line) {
    struct word words[2];
    if (line->kind != LINE_TEXT || words_split(line->text, words, 2) != 1)
        return NULL;
    return netstat_heading_word(&words[0]);
}

// Sections of counters that are known by their names alone.
const struct netstat_section *netstat_section_of_label(const struct word *label) {
    static const struct {
        const char *prefix, *section;
    } names[] = {
        { "RcvbufErrors", "Udp" },
        { "SndbufErrors", "Udp" },
        { "IgnoredMulti", "Udp" },
        { "MemErrors", "Udp" },
        { "Udp6", "Udp6" },
        { "UdpLite6", "UdpLite6" },
        { "Ip6", "Ip6" },
        { "InType", "IcmpMsg" },
        { "OutType", "IcmpMsg" },
        { "InNoRoutes", "IpExt" },
        { "InTruncatedPkts", "IpExt" },
        { "InMcastPkts", "IpExt" },
        { "OutMcastPkts", "IpExt" },
        { "InBcastPkts", "IpExt" },
        { "OutBcastPkts", "IpExt" },
        { "InOctets", "IpExt" },
        { "OutOctets", "IpExt" },
        { "InMcastOctets", "IpExt" },
        { "OutMcastOctets", "IpExt" },
        { "InNoECTPkts", "IpExt" },
        { "InECT", "IpExt" },
        { "InCEPkts", "IpExt" },
        { "ReasmOverlaps", "IpExt" },
        { "IPReversePathFilter", "TcpExt" },
        { "PFMemallocDrop", "TcpExt" },
        { "OutTransmits", "Ip" },
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (word_begins(label, names[i].prefix))
            return netstat_section(names[i].section);
    return NULL;
}
