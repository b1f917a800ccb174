// SPDX-License-Identifier: GPL-2.0-or-later
// Files of support bundles
#include "formats/bundle_files.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

// * goes over folders too: a bundle has a folder of its own name at its top.
static const char *const wanted[] = {
    "*proc/net/snmp",
    "*proc/net/snmp6",
    "*proc/net/netstat",
    "*proc/net/sockstat*",
    "*proc/net/udp*",
    "*proc/net/dev",
    "*proc/net/softnet_stat",
    "*proc/net/stat/nf_conntrack",
    "*proc/[0-9]*/net/snmp*",
    "*proc/stat",
    "*proc/meminfo",
    "*proc/vmstat",
    "*proc/diskstats",
    "*proc/uptime",
    "*proc/pressure/*",
    "*proc/sys/net/core/*",
    "*proc/sys/net/ipv4/udp_*",
    "*proc/sys/net/ipv4/ipfrag_*",
    "*proc/sys/net/ipv6/ip6frag_*",
    "*proc/sys/net/netfilter/nf_conntrack_*",
    "*sos_commands/networking/*",
    "*sos_commands/process/*",
    "*sos_commands/memory/*",
    "*sos_commands/filesys/df*",
    "*sos_commands/kernel/sysctl*",
    "*sos_commands/kernel/dmesg*",
    "*sos_commands/kernel/uname*",
    "*sos_commands/host/*",
    "*sos_commands/general/*",
    "*sos_commands/date/*",
    "*sos_commands/block/iostat*",
    "*sos_commands/sar/*",
    "*sos_commands/conntrack/*",
    "*sos_commands/firewall_tables/*",
};
// Trees that somebody made by hand have what they have at the top, or in a folder.
static const char *const never[] = {
    "*proc/*",
    "*sys/*",
    "*etc/*",
    "*usr/*",
    "*boot/*",
    "*lib/*",
    "*dev/*",
    "*run/*",
    "*var/*",
    "*netlink/*", // of a capture: nothing to be read as text
    "*sos_commands/*",
    "*sos_logs/*",
    "*sos_reports/*",
    "*sos_strings/*",
};
#define DEPTH 2

static bool matches(const char *const *patterns, size_t n, const char *path) {
    for (size_t i = 0; i < n; i++)
        if (fnmatch(patterns[i], path, 0) == 0)
            return true;
    return false;
}

static size_t depth_of(const char *path) {
    size_t n = 0;
    for (; (path = strchr(path, '/')); path++)
        n++;
    return n;
}

bool bundle_wants(const char *path) {
    return matches(wanted, sizeof(wanted) / sizeof(wanted[0]), path) ||
           (depth_of(path) <= DEPTH && !matches(never, sizeof(never) / sizeof(never[0]), path));
}

bool bundle_command(const char *path, char *ret, size_t size) {
    const char *name = strrchr(path, '/');
    if (!strstr(path, "sos_commands/") || !name ||
            (size_t) snprintf(ret, size, "%s", name + 1) >= size)
        return false;
    for (char *at = ret; (at = strchr(at, '_')); at++)
        *at = ' ';
    return true;
}
