// SPDX-License-Identifier: GPL-2.0-or-later
// Alert candidates
#include "daemon/candidates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A loss so many times above both floors needs no second look: a burst within one step may be all
// of it.
#define LARGE_FACTOR 10

struct list {
    struct candidate *candidates;
    size_t n;
};

static bool same_netns(const char *a, const char *b) {
    return strcmp(a ?: "host", b ?: "host") == 0;
}

// The counters' news of a locus, summed over the entries that fit: those of the namespace, or all
// if it is not known.
static struct fresh fresh_of(const struct look *look, const char *locus, const char *netns) {
    struct fresh sum = { .first_ms = INT64_MAX };
    for (size_t i = 0; i < look->n_fresh; i++) {
        const struct fresh *fresh = &look->fresh[i];
        if (strcmp(fresh->locus, locus) != 0 || (netns && !same_netns(fresh->netns, netns)))
            continue;
        sum.since += fresh->since;
        sum.window += fresh->window;
        if (fresh->since > 0 && fresh->first_ms < sum.first_ms)
            sum.first_ms = fresh->first_ms;
        if (fresh->since > 0 && fresh->last_ms > sum.last_ms)
            sum.last_ms = fresh->last_ms;
    }
    return sum;
}

static const struct ledger_entry *ledger_of(const struct verdict *verdict, const char *locus) {
    for (size_t i = 0; i < verdict->n_ledger; i++)
        if (strcmp(verdict->ledger[i].locus, locus) == 0)
            return &verdict->ledger[i];
    return NULL;
}

static bool is_above(double weight, int64_t whole, const struct alert_policy *policy, int factor) {
    return weight >= factor * (double) policy->floor &&
           weight >= factor * policy->floor_ratio * (double) whole;
}

// `lost` in the window, as the ledger has it. An estimate may be 0 datagrams although fragments are
// lost all the time (ReasmFails climbs): there the counters decide.
static void weigh(struct candidate *candidate, int64_t lost, const struct look *look,
        const struct alert_policy *policy) {
    const struct verdict *verdict = look->verdict;
    const struct ledger_entry *entry = ledger_of(verdict, candidate->locus);
    struct fresh fresh = fresh_of(look, candidate->locus, candidate->netns);
    bool sending = entry && entry->direction && strcmp(entry->direction, "send") == 0;
    int64_t whole = (sending ? verdict->sent : verdict->received) + verdict->lost;
    int64_t weight = entry && entry->estimated && fresh.window > lost ? fresh.window : lost;
    double share = fresh.window > 0 ? (double) fresh.since / (double) fresh.window : 0;
    candidate->present =
            fresh.since > 0 && weight > 0 && is_above((double) weight, whole, policy, 1);
    // What the window has of before does not make a trickle large.
    candidate->large =
            candidate->present && is_above((double) weight * share, whole, policy, LARGE_FACTOR);
    candidate->lost =
            fresh.window > 0 ? (double) lost * (double) fresh.since / (double) fresh.window : 0;
    candidate->first_ms = fresh.since > 0 ? fresh.first_ms : look->wall_ms;
    candidate->last_ms = fresh.since > 0 ? fresh.last_ms : look->wall_ms;
}

// Takes the candidate unless one of the same key is ranked before it. 0 or -ENOMEM.
static int add(struct list *list, struct candidate candidate) {
    candidate.key = alert_key(candidate.id, candidate.locus, candidate.subject);
    if (!candidate.key) {
        free(candidate.made_title);
        return -ENOMEM;
    }
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->candidates[i].key, candidate.key) == 0) {
            free(candidate.key);
            free(candidate.made_title);
            return 0;
        }
    list->candidates[list->n++] = candidate;
    return 0;
}

static int add_cause(struct list *list, const struct cause *cause, const struct look *look,
        const struct alert_policy *policy) {
    if (cause->no_loss || cause->also || !cause->locus)
        return 0;
    struct candidate candidate = {
        .id = cause->id,
        .title = cause->title,
        .locus = cause->locus,
        .netns = cause->subject.netns,
        .subject = &cause->subject,
        .cause = cause,
        .severity = cause->severity,
    };
    weigh(&candidate, cause->lost, look, policy);
    return add(list, candidate);
}

static bool is_explained(const struct verdict *verdict, const struct ledger_entry *entry) {
    for (size_t i = 0; i < verdict->n_causes; i++) {
        const struct cause *cause = &verdict->causes[i];
        if (!cause->no_loss && cause->locus && strcmp(cause->locus, entry->locus) == 0 &&
                (!cause->subject.netns || same_netns(cause->subject.netns, entry->netns)))
            return true;
    }
    return false;
}

// A loss is told also where no rule knows why.
static int add_unexplained(struct list *list, const struct ledger_entry *entry,
        struct subject *subject, const struct look *look, const struct alert_policy *policy) {
    if (entry->datagrams <= 0 || is_explained(look->verdict, entry))
        return 0;
    *subject = subject_none;
    subject->netns = entry->netns;
    struct candidate candidate = {
        .id = entry->locus,
        .locus = entry->locus,
        .netns = entry->netns,
        .subject = subject,
        .severity = SEVERITY_WARNING,
    };
    if (asprintf(&candidate.made_title, "Datagrams are lost at %s, and no rule tells why",
                entry->locus) < 0)
        return -ENOMEM;
    candidate.title = candidate.made_title;
    weigh(&candidate, entry->datagrams, look, policy);
    return add(list, candidate);
}

static int add_level(struct list *list, const struct level *level, const struct look *look) {
    if (level->severity < SEVERITY_WARNING)
        return 0;
    return add(list, (struct candidate){
                             .id = level->id,
                             .title = level->text,
                             .subject = &level->subject,
                             .level = level,
                             .severity = level->severity,
                             .present = true,
                             .first_ms = look->wall_ms,
                             .last_ms = look->wall_ms,
                     });
}

static int find(struct list *list, struct subject *subjects, const struct look *look,
        const struct alert_policy *policy) {
    const struct verdict *verdict = look->verdict;
    int r = 0;
    for (size_t i = 0; i < verdict->n_causes && r >= 0; i++)
        r = add_cause(list, &verdict->causes[i], look, policy);
    for (size_t i = 0; i < verdict->n_ledger && r >= 0; i++)
        r = add_unexplained(list, &verdict->ledger[i], &subjects[i], look, policy);
    for (size_t i = 0; i < verdict->n_levels && r >= 0; i++)
        r = add_level(list, &verdict->levels[i], look);
    return r;
}

int candidates_find(
        const struct look *look, const struct alert_policy *policy, struct candidates *ret) {
    const struct verdict *verdict = look->verdict;
    size_t most = verdict->n_causes + verdict->n_ledger + verdict->n_levels;
    struct list list = { .candidates = calloc(most + 1, sizeof(*list.candidates)) };
    struct candidates found = { .subjects = calloc(verdict->n_ledger + 1, sizeof(struct subject)) };
    int r = list.candidates && found.subjects ? find(&list, found.subjects, look, policy) : -ENOMEM;
    found.all = list.candidates;
    found.n = list.n;
    if (r < 0)
        candidates_done(&found);
    else
        *ret = found;
    return r;
}

void candidates_done(struct candidates *candidates) {
    for (size_t i = 0; i < candidates->n; i++) {
        free(candidates->all[i].key);
        free(candidates->all[i].made_title);
    }
    free(candidates->all);
    free(candidates->subjects);
}

bool candidate_is_muted(const struct candidate *candidate) {
    return (candidate->cause && candidate->cause->muted) ||
           (candidate->level && candidate->level->muted);
}

json_object *candidate_json(const struct candidate *candidate) {
    if (candidate->cause)
        return cause_json(candidate->cause);
    if (candidate->level)
        return level_json(candidate->level);
    json_object *document = json_object_new_object(), *subject = json_object_new_object();
    json_object_object_add(document, "id", json_object_new_string(candidate->id));
    json_object_object_add(document, "locus", json_object_new_string(candidate->locus));
    json_object_object_add(
            document, "severity", json_object_new_string(severity_name(candidate->severity)));
    json_object_object_add(document, "title", json_object_new_string(candidate->title));
    if (candidate->netns)
        json_object_object_add(subject, "netns", json_object_new_string(candidate->netns));
    json_object_object_add(document, "subject", subject);
    return document;
}
