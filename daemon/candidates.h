// SPDX-License-Identifier: GPL-2.0-or-later
// Alert candidates
#pragma once

#include "daemon/alerts.h"

// What one look has to say on one loss or level: the first-ranked cause of each.
struct candidate {
    char *key;
    const char *id, *title, *locus, *netns; // of the verdict; locus NULL: a level
    char *made_title;                       // where no rule has one
    const struct subject *subject;
    const struct cause *cause; // one of cause and level, or neither: a loss that no rule explains
    const struct level *level;
    enum severity severity;
    bool present; // lost something since the look before, and above the floors
    bool large;   // so far above them that a single burst is worth an alert
    double lost;  // datagrams since the look before
    int64_t first_ms, last_ms;
    struct alert *alert; // matched
};

struct candidates {
    struct candidate *all;
    size_t n;
    struct subject *subjects; // of those that no rule explains
};

// 0 or -ENOMEM. They point into the look.
int candidates_find(
        const struct look *look, const struct alert_policy *policy, struct candidates *ret);
void candidates_done(struct candidates *candidates);
bool candidate_is_muted(const struct candidate *candidate);
// The cause or level as the verdict shows it; the caller json_object_put()s it. NULL: out of
// memory.
json_object *candidate_json(const struct candidate *candidate);

// The name by which a loss (locus given) or level (NULL) is known again. It leaves out what may
// change while it lasts, such as the process. malloc()ed or NULL.
char *alert_key(const char *id, const char *locus, const struct subject *subject);
// Whether both are losses at the same place, one of them known less exactly.
bool alert_key_matches(const char *a, const char *b);
// The subject and the locus (NULL: a level) of a document that candidate_json() made. 0 or -ENOMEM.
int alert_document_read(json_object *document, struct subject *subject, char **ret_locus);
