// SPDX-License-Identifier: GPL-2.0-or-later
// impstats of rsyslog
//
// "main Q: origin=core.queue size=0 enqueued=28432 full=0 ...", one line a queue, once an interval;
// or the same as JSON. Counters are sums, or of the interval where resetCounters is on: then they
// fall.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "formats/list.h"
#include "formats/words.h"

enum { NAME_SIZE = 128, QUEUES_MAX = 64 };

struct queue {
    char name[NAME_SIZE];
    uint64_t size, enqueued, full, discarded, highest;
    bool has_size, has_enqueued, has_full, has_discarded, has_highest;
};

// The number behind a name: "size=12", "\"size\": 12".
static bool number_of(const char *text, const char *name, uint64_t *ret) {
    size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += n) {
        if (at == text || !strchr(" \t\"{,", at[-1]))
            continue;
        const char *value = at + n + (at[n] == '"');
        value += strspn(value, " \t");
        if (*value != '=' && *value != ':')
            continue;
        value += 1 + strspn(value + 1, " \t\"");
        struct word word = { value, strspn(value, "0123456789") };
        return word_count(&word, ret);
    }
    return false;
}

// JSON: what stands behind "name":.
static bool json_name(const char *text, char *ret) {
    const char *at = strstr(text, "\"name\"");
    at = at ? strchr(at + 6, '"') : NULL;
    size_t n = at ? strcspn(at + 1, "\"") : 0;
    if (n == 0 || n >= NAME_SIZE)
        return false;
    snprintf(ret, NAME_SIZE, "%.*s", (int) n, at + 1);
    return true;
}

// Else what stands before ": origin=" (before version 8.? ": size="), behind the tag of the logger.
static bool plain_name(const char *text, char *ret) {
    const char *end = strstr(text, ": origin=");
    if (!end)
        end = strstr(text, ": size=");
    static const char *const tags[] = { "rsyslogd-pstats: ", "impstats: ", "pstats: " };
    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
        const char *tag = strstr(text, tags[i]);
        if (tag && end && tag < end)
            text = tag + strlen(tags[i]);
    }
    text += strspn(text, " \t");
    if (!end || end <= text || (size_t) (end - text) >= NAME_SIZE)
        return false;
    snprintf(ret, NAME_SIZE, "%.*s", (int) (end - text), text);
    return true;
}

static bool to_queue(const struct line *line, struct queue *ret) {
    const char *text = line->text;
    struct queue queue = { 0 };
    uint64_t nearly;
    if (line->kind != LINE_TEXT || (!json_name(text, queue.name) && !plain_name(text, queue.name)))
        return false;
    queue.has_size = number_of(text, "size", &queue.size);
    queue.has_enqueued = number_of(text, "enqueued", &queue.enqueued);
    queue.has_full = number_of(text, "full", &queue.full);
    queue.has_discarded = number_of(text, "discarded.full", &queue.discarded);
    if (number_of(text, "discarded.nf", &nearly))
        queue.discarded += nearly;
    queue.has_highest = number_of(text, "maxqsize", &queue.highest);
    if (!queue.has_size || !queue.has_enqueued)
        return false;
    *ret = queue;
    return true;
}

// Other lines of impstats: inputs, actions, resources.
static bool is_other(const struct line *line) {
    static const char *const signs[] = { "origin=", "\"origin\"",
        "submitted=", "called.recvmmsg=", "resource-usage:", "processed=" };
    for (size_t i = 0; line->kind == LINE_TEXT && i < sizeof(signs) / sizeof(signs[0]); i++)
        if (strstr(line->text, signs[i]))
            return true;
    return false;
}

static int begins(const struct lines *lines, size_t i) {
    struct queue queue;
    if (to_queue(&lines->line[i], &queue))
        return FORMAT_CERTAIN;
    return is_other(&lines->line[i]) && strstr(lines->line[i].text, "origin") ? FORMAT_LIKELY
                                                                              : FORMAT_NO;
}

// Of a queue that the block told of before.
struct known {
    char name[NAME_SIZE];
    uint64_t enqueued;
    bool resets; // its counters are of the interval: they fall
    size_t look; // the last that had it
};

struct block {
    struct known known[QUEUES_MAX];
    size_t n;
};

static struct known *known_of(struct block *block, const char *name) {
    for (size_t i = 0; i < block->n; i++)
        if (strcmp(block->known[i].name, name) == 0)
            return &block->known[i];
    if (block->n == QUEUES_MAX)
        return NULL;
    struct known *known = &block->known[block->n++];
    *known = (struct known){ .look = SIZE_MAX };
    snprintf(known->name, sizeof(known->name), "%s", name);
    return known;
}

static void find_resets(struct block *block, const struct lines *lines, size_t i, size_t end) {
    struct queue queue;
    for (; i < end; i++) {
        struct known *known =
                to_queue(&lines->line[i], &queue) ? known_of(block, queue.name) : NULL;
        if (!known)
            continue;
        known->resets |= queue.enqueued < known->enqueued;
        known->enqueued = queue.enqueued;
    }
}

static void put_counter(struct intake *intake, const char *column, uint64_t value, bool is_growth) {
    if (is_growth)
        intake_grow(intake, column, value);
    else
        intake_set(intake, column, value);
}

static void put(
        struct intake *intake, const struct line *line, const struct queue *queue, bool reset) {
    intake_row(intake, line, "program_queue", (const char *const[]){ "rsyslogd", queue->name });
    intake_set(intake, "entries", queue->size);
    put_counter(intake, "enqueued", queue->enqueued, reset);
    if (queue->has_highest)
        intake_set(intake, "highest", queue->highest);
    if (queue->has_full)
        put_counter(intake, "full", queue->full, reset);
    if (queue->has_discarded)
        put_counter(intake, "discarded", queue->discarded, reset);
}

static size_t block_end(const struct lines *lines, size_t i) {
    struct queue queue;
    while (i < lines->n && (to_queue(&lines->line[i], &queue) || is_other(&lines->line[i])))
        i++;
    return i;
}

// A queue that comes again, or another time, is of the next look.
static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    size_t end = block_end(lines, i), n_looks = 0;
    _cleanup_free_ struct block *block = calloc(1, sizeof(*block));
    struct queue queue;
    int64_t at_ms = lines->line[i].at_ms;
    if (block)
        find_resets(block, lines, i, end);
    for (; block && i < end; i++) {
        const struct line *line = &lines->line[i];
        struct known *known = to_queue(line, &queue) ? known_of(block, queue.name) : NULL;
        if (!known) {
            intake_unused(intake, line);
            continue;
        }
        if (known->look == n_looks || line->at_ms != at_ms) {
            intake_look(intake, line, line->at_ms);
            if (at_ms > 0 && line->at_ms > at_ms)
                intake_span(intake, line->at_ms - at_ms);
            at_ms = line->at_ms;
            n_looks++;
        }
        known->look = n_looks;
        put(intake, line, &queue, known->resets);
    }
    return end;
}

const struct format format_impstats = {
    .name = "impstats",
    .help = "statistics of rsyslog (impstats), also as JSON",
    .begins = begins,
    .read = read_block,
};
