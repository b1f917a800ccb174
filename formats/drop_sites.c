// SPDX-License-Identifier: GPL-2.0-or-later
// Drop sites
//
// dropwatch: "12 drops at udp_queue_rcv_skb+1f (0xffffffff81...)". perf script: a line for each
// event, "skb:kfree_skb: ... location=udp_queue_rcv_one_skb+0x1f reason: SOCKET_RCVBUFF",
// "udp:udp_fail_queue_ rcv_skb: rc=-12 port=514". Each is one packet lost while somebody watched.
// Most sites are of several kinds of loss, or of other protocols: only those that are of one kind
// count. The others are kept by name.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/list.h"
#include "formats/words.h"

struct loss {
    const char *table, *column;
    const char *beside; // counts the same packets as well; NULL: none
};

static const struct loss queue = { "snmp", "UdpRcvbufErrors", "UdpInErrors" };
static const struct loss queue6 = { "snmp", "Udp6RcvbufErrors", "Udp6InErrors" };
static const struct loss memory = { "snmp", "UdpMemErrors", "UdpInErrors" };
static const struct loss checksum = { "snmp", "UdpInCsumErrors", "UdpInErrors" };
static const struct loss backlog = { "softnet", "dropped", NULL };
static const struct loss no_port = { "snmp", "UdpNoPorts", NULL };
static const struct loss reverse_path = { "snmp", "TcpExtIPReversePathFilter", NULL };

// Functions that drop for want of room in the receive queue, up to 5.x.
static const struct {
    const char *name;
    const struct loss *loss;
} sites[] = {
    { "udp_queue_rcv_skb", &queue },
    { "__udp_queue_rcv_skb", &queue },
    { "udp_queue_rcv_one_skb", &queue },
    { "__udp_enqueue_schedule_skb", &queue },
    { "udpv6_queue_rcv_skb", &queue6 },
    { "__udpv6_queue_rcv_skb", &queue6 },
    { "udpv6_queue_rcv_one_skb", &queue6 },
    { "enqueue_to_backlog", &backlog },
};

// `function`: the reason alone is of other protocols too; NULL: it tells enough. Over IPv6 a bad
// checksum for a port that nobody reads has this reason as well.
static const struct {
    const char *name;
    const struct loss *loss;
    const char *function;
} reasons[] = {
    { "SOCKET_RCVBUFF", &queue, NULL },
    { "PROTO_MEM", &memory, NULL },
    { "UDP_CSUM", &checksum, NULL },
    { "CPU_BACKLOG", &backlog, NULL },
    { "IP_RPFILTER", &reverse_path, NULL },
    { "NO_SOCKET", &no_port, "__udp4_lib_rcv" },
};

struct event {
    uint64_t n;
    char function[64], reason[48]; // "": not told
    const struct loss *loss;       // NULL: of several kinds
    uint64_t cpu;
    bool ipv6, failed_queue;
};

static const struct loss *loss_of_site(const char *name) {
    for (size_t i = 0; i < sizeof(sites) / sizeof(sites[0]); i++)
        if (strcmp(sites[i].name, name) == 0)
            return sites[i].loss;
    return NULL;
}

static const struct loss *loss_of_reason(const char *name, const char *function) {
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
        if (strcmp(reasons[i].name, name) == 0 &&
                (!reasons[i].function || strcmp(reasons[i].function, function) == 0))
            return reasons[i].loss;
    return NULL;
}

static void keep_name(const char *text, char *ret, size_t size) {
    size_t n = 0;
    while (isalnum((unsigned char) text[n]) || text[n] == '_')
        n++;
    snprintf(ret, size, "%.*s", (int) (n < size - 1 ? n : size - 1), text);
}

// "12 drops at NAME+1f (0x...)", "1 drops at location 0xffff..." (no symbols).
static bool to_dropwatch(const struct line *line, struct event *ret) {
    struct word words[4];
    *ret = (struct event){ 0 };
    if (words_split(line->text, words, 4) < 4 || !word_count(&words[0], &ret->n) ||
            !word_begins(&words[1], "drop") || !word_is(&words[2], "at"))
        return false;
    keep_name(words[3].text, ret->function, sizeof(ret->function));
    if (strcmp(ret->function, "location") == 0) // there are no symbols
        ret->function[0] = '\0';
    ret->loss = loss_of_site(ret->function);
    return true;
}

static const char *value_of(const char *text, const char *name) {
    const char *at = strstr(text, name);
    return at ? at + strlen(name) + strspn(at + strlen(name), " ") : NULL;
}

// "swapper     0 [001]  1234.567890: skb:kfree_skb: ..."
static uint64_t cpu_of(const char *text) {
    const char *bracket = strchr(text, '[');
    return bracket ? strtoul(bracket + 1, NULL, 10) : 0;
}

static bool to_perf(const struct line *line, struct event *ret) {
    const char *freed = strstr(line->text, "kfree_skb: "), *text;
    const char *failed = strstr(line->text, "udp_fail_queue_rcv_skb: ");
    *ret = (struct event){ .n = 1, .cpu = cpu_of(line->text), .failed_queue = failed != NULL };
    if (failed) {
        text = value_of(failed, "rc=");
        ret->ipv6 = strstr(failed, "AF_INET6") && !strstr(failed, "::ffff:");
        ret->loss = text && atoi(text) == -12    ? &queue
                    : text && atoi(text) == -105 ? &memory
                                                 : NULL;
        return text != NULL;
    }
    if (!freed || !(text = value_of(freed, "protocol=")))
        return false;
    long protocol = strtol(text, NULL, 0); // EtherType
    ret->ipv6 = protocol == 0x86dd;
    if ((text = value_of(freed, "location=")) && !isdigit((unsigned char) *text))
        keep_name(text, ret->function, sizeof(ret->function));
    if ((text = value_of(freed, "reason:")) && strncmp(text, "NOT_SPECIFIED", 13) != 0)
        keep_name(text, ret->reason, sizeof(ret->reason));
    ret->loss = loss_of_reason(ret->reason, ret->function);
    if (!ret->loss)
        ret->loss = loss_of_site(ret->function);
    if (protocol != 0x0800 && protocol != 0x86dd)
        ret->loss = NULL;
    return true;
}

static bool to_event(const struct line *line, struct event *ret) {
    return line->kind == LINE_TEXT && (to_dropwatch(line, ret) || to_perf(line, ret));
}

static int begins(const struct lines *lines, size_t i) {
    struct event event;
    return to_event(&lines->line[i], &event) ? FORMAT_CERTAIN : FORMAT_NO;
}

static void put(struct intake *intake, const struct line *line, const struct event *event) {
    char cpu[24], column[64];
    snprintf(cpu, sizeof(cpu), "%u", (unsigned) event->cpu);
    bool per_cpu = strcmp(event->loss->table, "softnet") == 0;
    intake_row(intake, line, event->loss->table, per_cpu ? (const char *const[]){ cpu } : NULL);
    bool ipv6 = event->ipv6 && strncmp(event->loss->column, "Udp", 3) == 0 &&
                event->loss->column[3] != '6';
    snprintf(column, sizeof(column), "%s%s", ipv6 ? "Udp6" : "",
            event->loss->column + (ipv6 ? 3 : 0));
    intake_grow(intake, column, event->n);
    if (!event->loss->beside)
        return;
    snprintf(column, sizeof(column), "%s%s", ipv6 ? "Udp6" : "",
            event->loss->beside + (ipv6 ? 3 : 0));
    intake_grow(intake, column, event->n);
}

static void keep_site(struct intake *intake, const struct line *line, const struct event *event) {
    if (!event->function[0] && !event->reason[0]) {
        intake_unused(intake, line);
        return;
    }
    intake_row(intake, line, "drop_site", (const char *const[]){ event->function, event->reason });
    intake_grow(intake, "packets", event->n);
}

// An event of each tracepoint may be there for the same packet: then that of the queue counts.
static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct event event;
    size_t begin = i, end = i;
    bool has_failed = false;
    // perf prints the stack below an event, indented, and an empty line.
    for (size_t k = i; k < lines->n && lines->line[k].kind != LINE_COMMAND; k++) {
        bool stack = lines->line[k].kind == LINE_BLANK || lines->line[k].indent >= 8;
        bool is = to_event(&lines->line[k], &event);
        if (!is && !stack)
            break;
        has_failed |= is && event.failed_queue;
        end = is || lines->line[k].kind == LINE_TEXT ? k + 1 : end;
    }
    for (i = begin; i < end; i++) {
        const struct line *line = &lines->line[i];
        if (!to_event(line, &event))
            continue;
        bool twice = has_failed && !event.failed_queue && event.loss &&
                     (event.loss == &queue || event.loss == &memory);
        if (event.loss && !twice)
            put(intake, line, &event);
        else if (!twice)
            keep_site(intake, line, &event);
    }
    return end;
}

const struct format format_drop_sites = {
    .name = "drop-sites",
    .help = "dropwatch; perf script of skb:kfree_skb and udp:udp_fail_queue_rcv_skb",
    .begins = begins,
    .read = read_block,
};
