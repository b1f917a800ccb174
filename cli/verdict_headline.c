// SPDX-License-Identifier: GPL-2.0-or-later
// First line
#include <stdlib.h>
#include <string.h>

#include "cli/locus.h"
#include "cli/verdict_text.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "core/table.h"
#include "core/text.h"

// A window that ends later than this before now is "the last 10 min", not a period between two
// times.
#define RECENT_MS 30000
#define LOCI_NAMED 3
#define PORTS_NAMED 4

static void put_seconds(FILE *out, double seconds) {
    // 599.8 s of samples are ten minutes to the reader.
    double rounded = (double) (int64_t) (seconds + 0.5);
    text_put_duration(out, seconds >= 10 ? rounded : seconds);
}

static void put_period(const struct verdict_page *page, const struct window *window, FILE *out) {
    char start[MOMENT_SIZE], end[MOMENT_SIZE];
    if (window->kind == WINDOW_SINCE_BOOT) {
        fputs("since boot", out);
    } else if (window->kind == WINDOW_CAPTURE && window->untimed) {
        fputs(window->steps > 1 ? "between the first look and the last" : "between two looks", out);
    } else if (window->kind == WINDOW_CAPTURE && window->undated) {
        fputs("in ", out);
        put_seconds(out, window->seconds);
    } else if (window->kind == WINDOW_LIVE || page->now_ms - window->end_ms < RECENT_MS) {
        fputs("in the last ", out);
        put_seconds(out, (double) (window->end_ms - window->start_ms) / 1e3);
    } else {
        fprintf(out, "between %s and %s",
                moment_format_short(window->start_ms, page->now_ms, start),
                moment_format_short(window->end_ms, page->now_ms, end));
    }
}

static void put_traffic(const struct verdict *verdict, FILE *out) {
    if (verdict->received == CELL_NULL)
        return;
    fputs(": ", out);
    text_put_count(out, verdict->received);
    fputs(verdict->received == 1 ? " datagram received" : " datagrams received", out);
    if (verdict->sent == CELL_NULL)
        return;
    fputs(", ", out);
    text_put_count(out, verdict->sent);
    fputs(" sent", out);
}

static int by_datagrams(const void *a, const void *b) {
    int64_t left = ((const struct ledger_entry *) a)->datagrams,
            right = ((const struct ledger_entry *) b)->datagrams;
    return left < right ? 1 : left > right ? -1 : 0;
}

// What was lost and is not muted.
static int64_t loud(const struct verdict *verdict) {
    return verdict->lost - verdict_muted(verdict);
}

static int64_t muted_at(const struct verdict *verdict, const struct ledger_entry *entry) {
    int64_t muted = 0;
    for (size_t i = 0; i < verdict->n_causes; i++) {
        const struct cause *cause = &verdict->causes[i];
        const char *netns = cause->subject.netns;
        if (cause->muted && !cause->also && cause->locus &&
                strcmp(cause->locus, entry->locus) == 0 &&
                (!netns || !entry->netns || strcmp(netns, entry->netns) == 0))
            muted += cause->lost;
    }
    return muted;
}

static void put_netns(const struct ledger_entry *entry, FILE *out) {
    if (entry->netns && strcmp(entry->netns, "host") != 0)
        fprintf(out, " of %s", entry->netns);
}

static void put_place(const struct ledger_entry *entry, FILE *out) {
    fputs(locus_place(entry->locus), out);
    put_netns(entry, out);
}

// The ports of a place, those that lost the most first.
static void put_ports(const struct verdict *verdict, const char *locus, size_t n, FILE *out) {
    size_t seen = 0;
    fputs(n == 1 ? ": port" : ": ports", out);
    for (size_t i = 0; i < verdict->n_causes; i++) {
        const struct cause *cause = &verdict->causes[i];
        if (!verdict_is_loss(cause, locus) || cause->subject.port == CELL_NULL)
            continue;
        if (seen == PORTS_NAMED) {
            fputs(", ...", out);
            return;
        }
        fprintf(out, "%s %jd",
                seen == 0       ? ""
                : seen + 1 == n ? " and"
                                : ",",
                (intmax_t) cause->subject.port);
        seen++;
    }
}

// "at one socket: port 514" where one cause explains everything and names it.
static void put_place_and_ports(
        const struct verdict *verdict, const struct ledger_entry *entry, FILE *out) {
    size_t n = 0;
    int64_t explained = 0;
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (verdict_is_loss(&verdict->causes[i], entry->locus) &&
                verdict->causes[i].subject.port != CELL_NULL) {
            n++;
            explained += verdict->causes[i].lost;
        }
    bool all = n > 0 && explained >= loud(verdict);
    if (all && n == 1 && locus_at_socket(entry->locus)) {
        fputs("at one socket", out);
        put_netns(entry, out);
    } else {
        put_place(entry, out);
    }
    if (all)
        put_ports(verdict, entry->locus, n, out);
}

static void put_places(const struct verdict *verdict, FILE *out) {
    _cleanup_free_ struct ledger_entry *sorted = calloc(verdict->n_ledger + 1, sizeof(*sorted));
    size_t n = 0;
    for (size_t i = 0; sorted && i < verdict->n_ledger; i++)
        if (verdict->ledger[i].datagrams > muted_at(verdict, &verdict->ledger[i])) {
            sorted[n] = verdict->ledger[i];
            sorted[n++].datagrams -= muted_at(verdict, &verdict->ledger[i]);
        }
    if (n == 0)
        return;
    qsort(sorted, n, sizeof(*sorted), by_datagrams);
    if (n == 1) {
        fputs(loud(verdict) == 1 ? ", " : ", all ", out);
        put_place_and_ports(verdict, &sorted[0], out);
        return;
    }
    for (size_t i = 0; i < n && i < LOCI_NAMED; i++) {
        fputs(i == 0 ? ": " : ", ", out);
        text_put_count(out, sorted[i].datagrams);
        fputc(' ', out);
        put_place(&sorted[i], out);
    }
    if (n > LOCI_NAMED)
        fputs(", and elsewhere", out);
}

// " at port 514 in web": what the answer is about, where it was narrowed.
static void put_narrowing(const struct narrowing *narrowing, FILE *out) {
    if (narrowing->process)
        fprintf(out, " by %s", narrowing->process);
    if (narrowing->port != CELL_NULL)
        fprintf(out, " at port %jd", (intmax_t) narrowing->port);
    if (narrowing->netns)
        fprintf(out, " in %s", narrowing->netns);
}

static void put_loss(const struct verdict_page *page, const struct verdict *verdict, FILE *out) {
    bool estimated = false;
    for (size_t i = 0; i < verdict->n_ledger; i++)
        estimated |= verdict->ledger[i].estimated && verdict->ledger[i].datagrams > 0;
    fputs(estimated ? "About " : "", out);
    text_put_count(out, loud(verdict));
    fputs(loud(verdict) == 1 ? " datagram lost " : " datagrams lost ", out);
    put_period(page, &verdict->window, out);
    if (verdict->narrowing)
        put_narrowing(verdict->narrowing, out);
    else
        put_places(verdict, out);
}

// Where a change ended it, that is part of the answer.
static void put_cure(const struct verdict_page *page, const struct verdict *verdict, FILE *out) {
    char moment[MOMENT_SIZE];
    for (size_t i = 0; i < verdict->n_changes; i++)
        if (verdict->changes[i].last_word) {
            fprintf(out, "; cured at %s: %s",
                    moment_format_short(verdict->changes[i].at_ms, page->now_ms, moment),
                    verdict->changes[i].what);
            return;
        }
}

static void put_muted(const struct verdict *verdict, FILE *out) {
    int64_t muted = verdict_muted(verdict);
    if (muted == 0)
        return;
    fputs("; ", out);
    text_put_count(out, muted);
    fputs(" muted", out);
}

static void put_answer(const struct verdict_page *page, const struct verdict *verdict, FILE *out) {
    if (loud(verdict) > 0) {
        put_loss(page, verdict, out);
        put_cure(page, verdict, out);
        put_muted(verdict, out);
        return;
    }
    static const char *const answers[] = {
        [VERDICT_CAUSES] = "No counter at hand tells how many datagrams were lost ",
        [VERDICT_HEALTHY] = "Nothing lost ",
        [VERDICT_PAST_ONLY] = "Nothing lost ",
        [VERDICT_ONE_SNAPSHOT] = "Nothing lost ",
        [VERDICT_CANNOT_TELL] = "Cannot tell whether datagrams were lost ",
    };
    bool partly = verdict->kind == VERDICT_ONE_SNAPSHOT && verdict->received == CELL_NULL;
    fputs(partly ? "No loss counted, as far as the counters at hand go, " : answers[verdict->kind], out);
    put_period(page, &verdict->window, out);
    if (verdict->narrowing)
        put_narrowing(verdict->narrowing, out);
    put_traffic(verdict, out);
    put_muted(verdict, out);
    if (verdict->kind == VERDICT_PAST_ONLY)
        fputs("; the losses in the counters are old, nothing grows now", out);
}

char *verdict_headline(const struct verdict *verdict, int64_t now_ms) {
    struct verdict_page page = { .now_ms = now_ms };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    put_answer(&page, verdict, out);
    fclose(out);
    return text;
}

void verdict_put_headline(const struct verdict_page *page, const struct verdict *verdict) {
    _cleanup_free_ char *text = verdict_headline(verdict, page->now_ms);
    enum style style = loud(verdict) > 0                      ? STYLE_BOLD
                       : verdict->kind == VERDICT_CANNOT_TELL ? STYLE_WARNING
                       : verdict->kind == VERDICT_CAUSES      ? STYLE_WARNING // uncounted
                                                              : STYLE_GOOD;
    style_begin(page->terminal, page->out, style);
    text_wrap(page->out, text ? text : "", 0, page->terminal->width);
    style_end(page->terminal, page->out, style);
    verdict_put_glance(page, verdict);
    if (verdict->kind == VERDICT_ONE_SNAPSHOT)
        text_wrap(page->out,
                verdict->n_next > 0
                        ? "One look cannot tell whether something is lost now: a second one would."
                        : "One look cannot tell whether it still goes on: compare with a second one, or use --live.",
                0, page->terminal->width);
}
