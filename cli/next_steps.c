// SPDX-License-Identifier: GPL-2.0-or-later
// Next steps
#include "cli/next_steps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"

#define NEXT_MOST 4
// A command that decides less than this part of what the first one does is not worth the asking.
#define NEXT_LEAST 0.12

// Which command fills which table, and what for.
static const struct source {
    const char *tables[4];
    const char *command, *text;
} sources[] = {
    { { "snmp" }, "nstat -n; sleep 10; nstat -z",
            "what UDP and IP count, as growth over ten seconds" },
    { { "socket", "owner" }, "ss -uamnpe; sleep 10; ss -uamnpe",
            "which socket loses, whose it is, and its buffer" },
    { { "process" },
            "top -b -n 2 -d 5 | grep -A 20 '^top'; ps -eLo pid,stat,wchan:24,comm | grep ' D'",
            "what the reader does: runs, waits for a CPU or for a disk" },
    { { "sysctl" },
            "sysctl net.core.rmem_default net.core.rmem_max net.core.netdev_max_backlog net.ipv4.udp_mem "
            "net.ipv4.ipfrag_high_thresh net.ipv4.ipfrag_time net.ipv4.ipfrag_max_dist",
            "the limits that the counters are held against" },
    { { "sockstat" }, "cat /proc/net/sockstat /proc/net/sockstat6",
            "memory of UDP and of fragments that wait" },
    { { "softnet" }, "cat /proc/net/softnet_stat; sleep 10; cat /proc/net/softnet_stat",
            "the backlog of each CPU, before UDP" },
    { { "link" }, "ip -s -s link; sleep 10; ip -s -s link", "errors and drops of each interface" },
    { { "nic" }, "ethtool -S INTERFACE; ethtool -g INTERFACE",
            "losses in the adapter, and its rings" },
    { { "qdisc" }, "tc -s qdisc", "what was dropped on the way out" },
    { { "conntrack" },
            "conntrack -S; sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max",
            "connection tracking" },
    { { "cpu" }, "mpstat -P ALL 5 2", "whether a CPU is at its limit, and with what" },
    { { "disk", "pressure" }, "iostat -xz 5 2; grep . /proc/pressure/*",
            "whether a disk holds the reader up" },
    { { "memory" }, "vmstat 5 3", "swapping" },
    { { "mount" }, "df; df -i", "full file systems" },
};
#define N_SOURCES (sizeof(sources) / sizeof(sources[0]))

static const struct source *source_of(const char *table) {
    for (size_t i = 0; i < N_SOURCES; i++)
        for (size_t t = 0; t < 4 && sources[i].tables[t]; t++)
            if (strcmp(sources[i].tables[t], table) == 0)
                return &sources[i];
    return NULL;
}

static double lost_at(const struct verdict *verdict, const char *locus) {
    int64_t lost = 0;
    for (size_t i = 0; i < verdict->n_ledger; i++)
        if (locus && strcmp(verdict->ledger[i].locus, locus) == 0)
            lost += verdict->ledger[i].datagrams;
    return verdict->lost > 0 ? (double) lost / (double) verdict->lost : 0;
}

static bool is_named(const struct verdict *verdict, const char *locus) {
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (verdict->causes[i].locus && strcmp(verdict->causes[i].locus, locus) == 0)
            return true;
    return false;
}

// A rule of the place that lost decides most; where nothing is known to be lost, or a sign points
// at a place, every other place may be the one.
static double weight_of(const struct verdict *verdict, const struct remark *remark) {
    if (!remark->locus)
        return 0.02;
    if (verdict->lost > 0)
        return 0.005 + lost_at(verdict, remark->locus);
    return is_named(verdict, remark->locus) ? 1 : 0.2;
}

// Half of all that can be said needs growth: when, how fast, together with what. A second look at
// the counters that tell the loss gives it.
static void weigh_second_look(
        const struct rule_set *rules, const struct verdict *verdict, double sum, double *weights) {
    const struct rules_counter *counters;
    size_t n = rules_counters(rules, &counters);
    for (size_t i = 0; i < verdict->n_ledger; i++)
        for (size_t c = 0; c < n; c++)
            if (strcmp(counters[c].locus, verdict->ledger[i].locus) == 0) {
                const struct source *source = source_of(counters[c].table);
                if (source)
                    weights[source - sources] += sum * lost_at(verdict, verdict->ledger[i].locus);
                break;
            }
}

static void weigh(const struct rule_set *rules, const struct verdict *verdict, double *weights) {
    double sum = 0;
    for (size_t i = 0; i < verdict->n_not_judged; i++) {
        const struct remark *remark = &verdict->not_judged[i];
        const struct source *source = remark->table ? source_of(remark->table) : NULL;
        if (!source)
            continue;
        double weight = weight_of(verdict, remark);
        weights[source - sources] += weight;
        sum += weight;
    }
    bool one_look = verdict->window.kind == WINDOW_SINCE_BOOT;
    if (verdict->lost > 0 && one_look)
        weigh_second_look(rules, verdict, sum, weights);
    else if (verdict->lost == 0 && (verdict->received == CELL_NULL || one_look))
        weights[source_of("snmp") - sources] += sum;
}

static const char *interface_of(const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (verdict->causes[i].subject.interface && *verdict->causes[i].subject.interface)
            return verdict->causes[i].subject.interface;
    return NULL;
}

// Names come from the input, and the command is meant to be pasted.
static bool is_plain(const char *name) {
    return name[strspn(name,
                   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@")] == '\0' &&
           name[0] != '-';
}

static char *with_interface(const char *command, const char *interface) {
    static const char mark[] = "INTERFACE";
    char *text = NULL;
    size_t size;
    if (!interface || !is_plain(interface))
        return strdup(command);
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (const char *at; (at = strstr(command, mark)); command = at + strlen(mark))
        fprintf(out, "%.*s%s", (int) (at - command), command, interface);
    fputs(command, out);
    fclose(out);
    return text;
}

static int add(struct verdict *verdict, const struct source *source) {
    struct next_step *next =
            reallocarray(verdict->next, verdict->n_next + 1, sizeof(*verdict->next));
    if (!next)
        return -ENOMEM;
    verdict->next = next;
    struct next_step step = { with_interface(source->command, interface_of(verdict)),
        strdup(source->text) };
    if (!step.command || !step.text) {
        next_step_done(&step);
        return -ENOMEM;
    }
    next[verdict->n_next++] = step;
    return 0;
}

int next_steps_find(const struct rule_set *rules, struct verdict *verdict) {
    double weights[N_SOURCES] = { 0 }, most = 0;
    weigh(rules, verdict, weights);
    for (size_t n = 0; n < NEXT_MOST; n++) {
        size_t best = 0;
        for (size_t i = 1; i < N_SOURCES; i++)
            if (weights[i] > weights[best])
                best = i;
        most = n == 0 ? weights[best] : most;
        if (weights[best] <= 0 || weights[best] < NEXT_LEAST * most)
            return 0;
        weights[best] = 0;
        int r = add(verdict, &sources[best]);
        if (r < 0)
            return r;
    }
    return 0;
}
