// SPDX-License-Identifier: GPL-2.0-or-later
// tc -s qdisc
//
// "qdisc fq_codel 0: dev eth0 root refcnt 2 ...", then " Sent N bytes N pkt (dropped N, overlimits
// N requeues N)" and " backlog 0b 0p requeues 0". Asked for one device, it leaves dev out.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "formats/interface.h"
#include "formats/list.h"
#include "formats/sizes.h"

#define QDISCS_MAX 4096 // an adapter with 256 queues has 257
#define HANDLE_SIZE 16

struct qdisc {
    const struct line *line;
    char interface[INTERFACE_SIZE];
    char handle[HANDLE_SIZE], parent[HANDLE_SIZE]; // "8001:", "root", "1:10"
    char kind[32];
    uint64_t bytes, packets, dropped, overlimits, requeues, backlog, qlen;
    bool has_sent, has_backlog;
};

static bool keep(const struct word *word, char *ret, size_t size) {
    if (word->length >= size)
        return false;
    memcpy(ret, word->text, word->length);
    ret[word->length] = '\0';
    return true;
}

// ":1" is a class of the discipline 0:.
static void complete_parent(struct qdisc *qdisc) {
    size_t n = strlen(qdisc->parent);
    if (qdisc->parent[0] != ':' || n + 2 > sizeof(qdisc->parent))
        return;
    memmove(qdisc->parent + 1, qdisc->parent, n + 1);
    qdisc->parent[0] = '0';
}

// [deleted] and offloaded may stand before dev.
static bool parse_title(const struct line *line, struct qdisc *ret) {
    struct word words[WORDS_MAX];
    size_t n = words_split(line->text, words, WORDS_MAX);
    struct qdisc qdisc = { .line = line };
    if (n < 3 || !word_is(&words[0], "qdisc") || !keep(&words[1], qdisc.kind, sizeof(qdisc.kind)) ||
            words[2].text[words[2].length - 1] != ':' ||
            !keep(&words[2], qdisc.handle, sizeof(qdisc.handle)))
        return false;
    for (size_t i = 3; i < n; i++) {
        if (word_is(&words[i], "dev") && i + 1 < n)
            keep(&words[i + 1], qdisc.interface, sizeof(qdisc.interface));
        else if (word_is(&words[i], "root") && !*qdisc.parent)
            strcpy(qdisc.parent, "root");
        else if (word_is(&words[i], "parent") && i + 1 < n && !*qdisc.parent)
            keep(&words[i + 1], qdisc.parent, sizeof(qdisc.parent));
    }
    complete_parent(&qdisc);
    *ret = qdisc;
    return true;
}

// "Sent 537047 bytes 6808 pkt (dropped 0, overlimits 0 requeues 0)"; pkts in some versions.
static bool parse_sent(const struct line *line, struct qdisc *qdisc) {
    struct word words[16];
    size_t n = words_split(line->text, words, 16);
    uint64_t dropped, overlimits, requeues;
    if (n < 9 || !word_is(&words[0], "Sent") || !word_begins(&words[5], "(dropped"))
        return false;
    struct word lost = words[6], again = words[10 < n ? 10 : n - 1];
    if (lost.text[lost.length - 1] == ',')
        lost.length--;
    if (again.text[again.length - 1] == ')')
        again.length--;
    if (!word_count(&words[1], &qdisc->bytes) || !word_count(&words[3], &qdisc->packets) ||
            !word_count(&lost, &dropped) || !word_count(&words[8], &overlimits))
        return false;
    qdisc->dropped = dropped;
    qdisc->overlimits = overlimits;
    qdisc->requeues = word_count(&again, &requeues) ? requeues : 0;
    qdisc->has_sent = true;
    return true;
}

// "backlog 12Kb 10p requeues 0": b are bytes.
static bool parse_backlog(const struct line *line, struct qdisc *qdisc) {
    struct word words[4];
    double bytes;
    size_t n = words_split(line->text, words, 4);
    if (n < 3 || !word_is(&words[0], "backlog"))
        return false;
    struct word size = words[1], packets = words[2];
    if (size.text[size.length - 1] == 'b')
        size.length--;
    if (packets.text[packets.length - 1] == 'p')
        packets.length--;
    if (!word_size(&size, 1, &bytes) || !word_count(&packets, &qdisc->qlen))
        return false;
    qdisc->backlog = (uint64_t) bytes;
    qdisc->has_backlog = true;
    return true;
}

static bool is_multiqueue(const struct qdisc *qdisc) {
    static const char *const kinds[] = { "mq", "mqprio", "taprio", "multiq" };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(qdisc->kind, kinds[i]) == 0)
            return true;
    return false;
}

static bool is_child(const struct qdisc *qdisc, const struct qdisc *of) {
    size_t n = strlen(of->handle);
    return qdisc != of && strncmp(qdisc->parent, of->handle, n) == 0 && qdisc->parent[n] != '\0';
}

static bool is_beside(const struct qdisc *a, const struct qdisc *b) {
    return strcmp(a->interface, b->interface) == 0;
}

// Those of an interface stand together. Handles of the kernel's making are 0 for all: only the root
// of them has classes.
static bool is_leaf(const struct qdisc *all, size_t n, const struct qdisc *qdisc) {
    bool unnamed = strcmp(qdisc->handle, "0:") == 0;
    if (unnamed && (strcmp(qdisc->parent, "root") != 0 || !is_multiqueue(qdisc)))
        return true;
    const struct qdisc *first = qdisc;
    while (first > all && is_beside(first - 1, qdisc))
        first--;
    for (; first < all + n && is_beside(first, qdisc); first++)
        if (is_child(first, qdisc))
            return false;
    return true;
}

static void put(
        struct intake *intake, const struct qdisc *all, size_t n, const struct qdisc *qdisc) {
    if (strcmp(qdisc->kind, "noqueue") == 0) // virtual devices have it instead of a discipline
        return;
    intake_row(intake, qdisc->line, "qdisc",
            (const char *const[]){ NULL, qdisc->interface, qdisc->handle, qdisc->parent });
    intake_set_text(intake, "kind", qdisc->kind);
    intake_set(intake, "leaf", is_leaf(all, n, qdisc));
    if (qdisc->has_sent) {
        intake_set(intake, "bytes", qdisc->bytes);
        intake_set(intake, "packets", qdisc->packets);
        intake_set(intake, "drops", qdisc->dropped);
        intake_set(intake, "overlimits", qdisc->overlimits);
        intake_set(intake, "requeues", qdisc->requeues);
    }
    if (qdisc->has_backlog) {
        intake_set(intake, "backlog_bytes", qdisc->backlog);
        intake_set(intake, "qlen", qdisc->qlen);
    }
}

static bool is_same(const struct qdisc *a, const struct qdisc *b) {
    return is_beside(a, b) && strcmp(a->handle, b->handle) == 0 &&
           strcmp(a->parent, b->parent) == 0;
}

static void put_all(struct intake *intake, const struct qdisc *all, size_t n) {
    intake_listed(intake, "qdisc");
    for (size_t i = 0; i < n; i++)
        put(intake, all, n, &all[i]);
}

// What disciplines tell of themselves, which is indented unless that was lost.
static bool is_detail(const struct line *line) {
    static const char *const begins[] = { "maxpacket", "new_flows_len", "flows", "throttled", "gc ",
        "direct_packets_stat", "prob ", "ecn_mark", "avg_", "drop_overlimit", "marked", "memory ",
        "capacity", "rate ", "count ", "Sent ", "backlog " };
    const char *text = line->text + line->indent;
    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        if (strncmp(text, begins[i], strlen(begins[i])) == 0)
            return true;
    return line->indent > 0;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    _cleanup_free_ struct qdisc *all = calloc(QDISCS_MAX, sizeof(*all));
    char interface[INTERFACE_SIZE];
    size_t n = 0;
    struct qdisc next;
    if (!all)
        return i + 1;
    interface_of_block(lines, i, interface, sizeof(interface));
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        if (parse_title(line, &next)) {
            if (!*next.interface)
                strcpy(next.interface, interface);
            if (n == QDISCS_MAX || (n > 0 && is_same(&all[0], &next)))
                break; // the next look
            all[n++] = next;
        } else if (!parse_sent(line, &all[n - 1]) && !parse_backlog(line, &all[n - 1]) &&
                   !is_detail(line)) {
            break;
        }
    }
    put_all(intake, all, n);
    return i;
}

static int begins(const struct lines *lines, size_t i) {
    struct qdisc qdisc;
    return parse_title(&lines->line[i], &qdisc) ? FORMAT_CERTAIN : FORMAT_NO;
}

const struct format format_tc_qdisc = {
    .name = "tc-qdisc",
    .help = "tc -s qdisc",
    .begins = begins,
    .read = read_block,
};
