// SPDX-License-Identifier: GPL-2.0-or-later
// Who and why
//
// The lines below the first one, which says what.
#include <stdlib.h>
#include <string.h>

#include "cli/locus.h"
#include "cli/verdict_text.h"
#include "core/cleanup.h"
#include "core/table.h"
#include "core/text.h"

#define NAMED 3

bool verdict_is_loss(const struct cause *cause, const char *locus) {
    return !cause->no_loss && !cause->also && !cause->muted &&
           (!locus || (cause->locus && strcmp(cause->locus, locus) == 0));
}

static const struct cause *first_loss(const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (verdict_is_loss(&verdict->causes[i], NULL))
            return &verdict->causes[i];
    return NULL;
}

// "rsyslogd (pid 812), rsyslog.service"; what is not a socket has an interface. malloc()ed.
static char *subject_text_of(const struct subject *subject) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (subject->process)
        fputs(subject->process, out);
    if (subject->pid != CELL_NULL)
        fprintf(out, subject->process ? " (pid %jd)" : "process %jd", (intmax_t) subject->pid);
    const char *const others[][2] = { { "", subject->unit }, { "container ", subject->container },
        { "interface ", subject->interface } };
    bool first = !subject->process && subject->pid == CELL_NULL;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (others[i][1]) {
            fprintf(out, "%s%s%s", first ? "" : ", ", others[i][0], others[i][1]);
            first = false;
        }
    fclose(out);
    return text;
}

static bool is_told(char *const *told, size_t n, const char *text) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(told[i], text) == 0)
            return true;
    return false;
}

// Those of the leading causes, each once.
static size_t collect_subjects(const struct verdict *verdict, char **ret) {
    size_t n = 0;
    for (size_t i = 0; i < verdict->n_causes && n < NAMED; i++) {
        if (!verdict_is_loss(&verdict->causes[i], NULL))
            continue;
        char *text = subject_text_of(&verdict->causes[i].subject);
        if (text && *text && !is_told(ret, n, text))
            ret[n++] = text;
        else
            free(text);
    }
    return n;
}

char *verdict_who(const struct verdict *verdict) {
    char *told[NAMED], *text = NULL;
    size_t size, n = collect_subjects(verdict, told);
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < n; i++) {
        if (out)
            fprintf(out, "%s%s", i > 0 ? "; " : "", told[i]);
        free(told[i]);
    }
    if (out)
        fclose(out);
    return text;
}

static size_t count_losses(const struct verdict *verdict) {
    size_t n = 0;
    for (size_t i = 0; i < verdict->n_causes; i++)
        n += verdict_is_loss(&verdict->causes[i], NULL);
    return n;
}

// "9,000 of them: the reader waits for the disk (confidence 0.93); 1 more cause below"
static char *why_text(const struct verdict *verdict, const struct cause *cause) {
    char *text = NULL;
    size_t size, more = count_losses(verdict) - 1;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (cause->lost > 0 && cause->lost < verdict->lost - verdict_muted(verdict)) {
        text_put_count(out, cause->lost);
        fputs(" of them: ", out);
    }
    fprintf(out, "%s (confidence %.2f)", cause->title, cause->confidence);
    if (more > 0)
        fprintf(out, "; %zu more cause%s below", more, more == 1 ? "" : "s");
    fclose(out);
    return text;
}

// What is left of the host's loss, and what is known of the sockets.
static void put_narrowing(const struct verdict_page *page, const struct verdict *verdict) {
    const struct narrowing *narrowing = verdict->narrowing;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fputs("This is only a part of the answer: the whole host lost ", out);
    text_put_count(out, narrowing->lost_in_all);
    fputs(" in that time.", out);
    fclose(out);
    text_wrap(page->out, text, 0, page->terminal->width);
    free(text);
    for (size_t i = 0; i < narrowing->n_known; i++)
        text_wrap(page->out, narrowing->known[i], 0, page->terminal->width);
}

void verdict_put_glance(const struct verdict_page *page, const struct verdict *verdict) {
    const struct cause *cause = first_loss(verdict);
    cause = verdict->lost > 0 || (cause && cause->uncounted) ? cause : NULL;
    int width = page->terminal->width;
    if (cause) {
        _cleanup_free_ char *who = verdict_who(verdict), *why = why_text(verdict, cause);
        if (who && *who)
            text_wrap(page->out, who, 0, width);
        else if (cause->locus && locus_at_socket(cause->locus))
            text_wrap(page->out,
                    verdict->n_next > 0
                            ? "Which program is not in what was given; see the end for what to ask for."
                            : "Which program is not known; udpdiag doctor tells what would show it.",
                    0, width);
        text_wrap(page->out, why ? why : "", 0, width);
    }
    if (verdict->narrowing)
        put_narrowing(page, verdict);
}
