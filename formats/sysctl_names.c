// SPDX-License-Identifier: GPL-2.0-or-later
// Names of settings
#include "formats/sysctl_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// Last parts that say what they are.
static const struct {
    const char *part, *name;
} short_names[] = {
    { "rmem_max", "net.core.rmem_max" },
    { "rmem_default", "net.core.rmem_default" },
    { "wmem_max", "net.core.wmem_max" },
    { "wmem_default", "net.core.wmem_default" },
    { "netdev_max_backlog", "net.core.netdev_max_backlog" },
    { "netdev_budget", "net.core.netdev_budget" },
    { "netdev_budget_usecs", "net.core.netdev_budget_usecs" },
    { "dev_weight", "net.core.dev_weight" },
    { "flow_limit_table_len", "net.core.flow_limit_table_len" },
    { "flow_limit_cpu_bitmap", "net.core.flow_limit_cpu_bitmap" },
    { "udp_mem", "net.ipv4.udp_mem" },
    { "udp_rmem_min", "net.ipv4.udp_rmem_min" },
    { "ipfrag_high_thresh", "net.ipv4.ipfrag_high_thresh" },
    { "ipfrag_low_thresh", "net.ipv4.ipfrag_low_thresh" },
    { "ipfrag_time", "net.ipv4.ipfrag_time" },
    { "ipfrag_max_dist", "net.ipv4.ipfrag_max_dist" },
    { "ip6frag_high_thresh", "net.ipv6.ip6frag_high_thresh" },
    { "ip6frag_low_thresh", "net.ipv6.ip6frag_low_thresh" },
    { "ip6frag_time", "net.ipv6.ip6frag_time" },
    { "nf_conntrack_max", "net.netfilter.nf_conntrack_max" },
    { "nf_conntrack_count", "net.netfilter.nf_conntrack_count" },
    { "nf_conntrack_buckets", "net.netfilter.nf_conntrack_buckets" },
    { "ip_conntrack_max", "net.netfilter.nf_conntrack_max" },
    { "ip_conntrack_count", "net.netfilter.nf_conntrack_count" },
    { "task_delayacct", "kernel.task_delayacct" },
};
#define N_SHORT_NAMES (sizeof(short_names) / sizeof(short_names[0]))

static const char *const roots[] = { "net.", "kernel.", "vm.", "fs.", "user.", "dev.", "sunrpc.",
    "abi.", "debug.", "crypto." };

struct word word_trimmed(struct word word, const char *what) {
    while (word.length > 0 && strchr(what, word.text[0])) {
        word.text++;
        word.length--;
    }
    while (word.length > 0 && strchr(what, word.text[word.length - 1]))
        word.length--;
    return word;
}

static bool full_name(const char *name) {
    for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
        if (strncmp(name, roots[i], strlen(roots[i])) == 0)
            return name[strlen(roots[i])] != '\0';
    return false;
}

static bool name_letters(const char *name) {
    for (; *name; name++)
        if (!isalnum((unsigned char) *name) && !strchr("._-/@+", *name))
            return false;
    return true;
}

// sysctl's own rule: where a slash comes before a dot, slashes separate and dots belong to the name
// of an interface (net/ipv4/conf/eth0.5/rp_filter).
static void to_dots(char *name) {
    size_t first = strcspn(name, "./");
    bool slashes = name[first] == '/';
    for (char *at = name; slashes && *at; at++)
        *at = *at == '/' ? '.' : *at == '.' ? '/' : *at;
}

static bool expand_short(char *name) {
    for (size_t i = 0; i < N_SHORT_NAMES; i++)
        if (strcmp(name, short_names[i].part) == 0) {
            snprintf(name, SYSCTL_NAME_SIZE, "%s", short_names[i].name);
            return true;
        }
    return false;
}

// Older homes of the same settings.
static void to_present_name(char *name) {
    if (strcmp(name, "net.nf_conntrack_max") == 0 ||
            strcmp(name, "net.ipv4.netfilter.ip_conntrack_max") == 0 ||
            strcmp(name, "net.ipv4.ip_conntrack_max") == 0)
        snprintf(name, SYSCTL_NAME_SIZE, "net.netfilter.nf_conntrack_max");
    if (strcmp(name, "net.ipv4.netfilter.ip_conntrack_count") == 0)
        snprintf(name, SYSCTL_NAME_SIZE, "net.netfilter.nf_conntrack_count");
    if (strcmp(name, "net.ipv4.netfilter.ip_conntrack_buckets") == 0)
        snprintf(name, SYSCTL_NAME_SIZE, "net.netfilter.nf_conntrack_buckets");
}

bool sysctl_name(struct word word, char *ret) {
    static const char hash_size[] = "/sys/module/nf_conntrack/parameters/hashsize";
    word = word_trimmed(word, "\"'`*|,;()[]{}<>-");
    if (word.length == 0 || word.length >= SYSCTL_NAME_SIZE ||
            !(memchr(word.text, '_', word.length) || memchr(word.text, '.', word.length) ||
                    memchr(word.text, '/', word.length)))
        return false;
    if (word_is(&word, hash_size)) {
        snprintf(ret, SYSCTL_NAME_SIZE, "net.netfilter.nf_conntrack_buckets");
        return true;
    }
    for (size_t i = 0; i < 2; i++) // captures have their paths without a root
        if (word_begins(&word, &"/proc/sys/"[i])) {
            word.text += strlen("/proc/sys/") - i;
            word.length -= strlen("/proc/sys/") - i;
        }
    snprintf(ret, SYSCTL_NAME_SIZE, "%.*s", (int) word.length, word.text);
    if (!name_letters(ret))
        return false;
    to_dots(ret);
    to_present_name(ret);
    return full_name(ret) || expand_short(ret);
}
