// SPDX-License-Identifier: GPL-2.0-or-later
// Expected losses
#include "core/mute.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Counters are read one after the other: so small a part of the loss may be left over.
#define REST_SHARE 0.1
#define WORD_SIZE 256

// Words are separated by blanks or commas; each may have the wildcards of fnmatch(3).
static bool in_list(const char *list, const char *text) {
    char word[WORD_SIZE];
    if (!text || !*text)
        return false;
    for (const char *p = list + strspn(list, CONFIG_BLANKS); *p; p += strspn(p, CONFIG_BLANKS)) {
        size_t n = strcspn(p, CONFIG_BLANKS);
        if (n < sizeof(word)) {
            memcpy(word, p, n);
            word[n] = '\0';
            if (fnmatch(word, text, 0) == 0)
                return true;
        }
        p += n;
    }
    return false;
}

bool mute_matches(const struct config *config, const char *id, const struct subject *subject) {
    char port[24] = "";
    if (subject->port != CELL_NULL)
        snprintf(port, sizeof(port), "%" PRId64, subject->port);
    return in_list(config->mute_ports, port) || in_list(config->mute_units, subject->unit) ||
           in_list(config->mute_causes, id) || in_list(config->mute_mounts, subject->mount);
}

static bool same_text(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool contributes(const struct cause *cause, const struct cause *above) {
    return cause->also && above && same_text(cause->locus, above->locus) &&
           same_text(cause->subject.netns, above->subject.netns) &&
           (cause->subject.port == above->subject.port || cause->subject.port == CELL_NULL);
}

static void mark(const struct config *config, struct verdict *verdict) {
    const struct cause *above = NULL; // the last that is no contributor
    for (size_t i = 0; i < verdict->n_causes; i++) {
        struct cause *cause = &verdict->causes[i];
        cause->muted = mute_matches(config, cause->id, &cause->subject) ||
                       (above && above->muted && contributes(cause, above));
        if (!cause->also)
            above = cause;
    }
    for (size_t i = 0; i < verdict->n_levels; i++) {
        struct level *level = &verdict->levels[i];
        level->muted = mute_matches(config, level->id, &level->subject);
    }
}

static bool has_loud_cause(const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (!verdict->causes[i].no_loss && !verdict->causes[i].muted)
            return true;
    return false;
}

void mute_verdict(const struct config *config, struct verdict *verdict) {
    mark(config, verdict);
    int64_t muted = verdict_muted(verdict);
    if (verdict->kind != VERDICT_CAUSES || muted == 0 || has_loud_cause(verdict))
        return;
    double rest = (double) (verdict->lost - muted);
    verdict->kind = rest > REST_SHARE * (double) verdict->lost  ? VERDICT_CANNOT_TELL
                    : verdict->window.kind == WINDOW_SINCE_BOOT ? VERDICT_ONE_SNAPSHOT
                                                                : VERDICT_HEALTHY;
}
