// SPDX-License-Identifier: GPL-2.0-or-later
// Ranking
#include "rules/rank.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "rules/append.h"
#include "rules/remark.h"

// A loss of which less than this is left over is explained: counters are read one after the other,
// and move meanwhile.
#define UNEXPLAINED_SHARE 0.1
// Strays: fewer datagrams than this, or than this share of all.
#define NOISE_DATAGRAMS 10
#define NOISE_SHARE 0.00001

struct ranking {
    struct candidate *candidates;
    size_t n;
    struct verdict *verdict;
    int64_t *left; // per ledger entry: not yet explained
    size_t *order; // of candidates
    size_t n_order;
};

// A name that is not known fits every other.
static bool same_name(const char *a, const char *b) {
    return !a || !b || strcmp(a, b) == 0;
}

static bool same_number(int64_t a, int64_t b) {
    return a == CELL_NULL || b == CELL_NULL || a == b;
}

// A port, or a process with all of its sockets.
static bool names_socket(const struct subject *subject) {
    return subject->port != CELL_NULL || subject->pid != CELL_NULL;
}

// Both name one socket, or neither names any.
static bool same_socket(const struct subject *a, const struct subject *b) {
    if (!names_socket(a) || !names_socket(b))
        return names_socket(a) == names_socket(b);
    return same_number(a->port, b->port) && same_number(a->pid, b->pid) &&
           same_name(a->address, b->address);
}

static bool same_place(const struct cause *a, const struct cause *b) {
    return a->locus && b->locus && strcmp(a->locus, b->locus) == 0 &&
           same_name(a->subject.netns, b->subject.netns) && same_socket(&a->subject, &b->subject);
}

static bool fits(const struct ledger_entry *entry, const struct cause *cause) {
    return cause->locus && strcmp(entry->locus, cause->locus) == 0 &&
           same_name(entry->netns, cause->subject.netns);
}

static int64_t held(const struct ranking *ranking, const struct cause *cause, bool left) {
    int64_t sum = 0;
    for (size_t i = 0; i < ranking->verdict->n_ledger; i++)
        if (fits(&ranking->verdict->ledger[i], cause))
            sum += left ? ranking->left[i] : ranking->verdict->ledger[i].datagrams;
    return sum;
}

static void drop(struct ranking *ranking, size_t i) {
    cause_done(&ranking->candidates[i].cause);
    memmove(&ranking->candidates[i], &ranking->candidates[i + 1],
            (ranking->n - i - 1) * sizeof(*ranking->candidates));
    ranking->n--;
}

// No cause explains more than was lost.
static int cap_to_ledger(struct ranking *ranking) {
    for (size_t i = 0; i < ranking->n;) {
        struct cause *cause = &ranking->candidates[i].cause;
        int64_t most = cause->no_loss || cause->uncounted ? 0 : held(ranking, cause, false);
        if (cause->lost > most)
            cause->lost = most;
        if (most > 0 || cause->no_loss || cause->uncounted) {
            i++;
            continue;
        }
        int r = add_remark(&ranking->verdict->not_judged, &ranking->verdict->n_not_judged,
                cause->id, "names a loss at %s, where the ledger counts none", cause->locus);
        if (r < 0)
            return r;
        drop(ranking, i);
    }
    return 0;
}

static bool has_sharper(const struct ranking *ranking, const struct cause *cause) {
    for (size_t i = 0; i < ranking->n; i++) {
        const struct candidate *other = &ranking->candidates[i];
        if ((other->rule->kind == RULE_CAUSE || other->rule->kind == RULE_SIGN) &&
                !other->rule->general && !other->aside &&
                same_place(&other->cause, cause))
            return true;
    }
    return false;
}

static void drop_general(struct ranking *ranking) {
    for (size_t i = 0; i < ranking->n;)
        if (ranking->candidates[i].rule->general &&
                has_sharper(ranking, &ranking->candidates[i].cause))
            drop(ranking, i);
        else
            i++;
}

static int compare_subjects(const struct subject *a, const struct subject *b) {
    for (size_t i = 0; i < n_subject_fields; i++) {
        const struct subject_field *field = &subject_fields[i];
        int64_t difference;
        if (field->is_text) {
            const char *x = subject_text(a, field), *y = subject_text(b, field);
            difference = strcmp(x ? x : "", y ? y : "");
        } else {
            int64_t x = subject_number(a, field), y = subject_number(b, field);
            difference = (x > y) - (x < y);
        }
        if (difference)
            return difference < 0 ? -1 : 1;
    }
    return 0;
}

// Losses before what is none; what may have no part in it last; then by what is explained; the rest
// makes the order the same every time.
static int compare(const void *a, const void *b) {
    const struct candidate *x = a, *y = b;
    double x_score = (double) x->cause.lost * x->cause.confidence;
    double y_score = (double) y->cause.lost * y->cause.confidence;
    if (x->cause.no_loss != y->cause.no_loss)
        return x->cause.no_loss ? 1 : -1;
    if (x->aside != y->aside)
        return x->aside ? 1 : -1;
    if (x_score != y_score)
        return x_score > y_score ? -1 : 1;
    if (x->cause.severity != y->cause.severity)
        return x->cause.severity > y->cause.severity ? -1 : 1;
    if (x->cause.confidence != y->cause.confidence)
        return x->cause.confidence > y->cause.confidence ? -1 : 1;
    int r = strcmp(x->cause.id, y->cause.id);
    return r ? r : compare_subjects(&x->cause.subject, &y->cause.subject);
}

static bool is_placed(const struct ranking *ranking, size_t i) {
    for (size_t j = 0; j < ranking->n_order; j++)
        if (ranking->order[j] == i)
            return true;
    return false;
}

// Another socket's cause has no part in it.
static bool is_apart(const struct subject *a, const struct subject *b) {
    return names_socket(a) && names_socket(b) && !same_socket(a, b);
}

// Whether a cause whose remedy would cure this one too has yet to be placed.
static bool must_wait(const struct ranking *ranking, size_t i) {
    const struct candidate *candidate = &ranking->candidates[i];
    for (size_t j = 0; j < ranking->n; j++) {
        const struct candidate *other = &ranking->candidates[j];
        if (j != i && other->cause.no_loss <= candidate->cause.no_loss &&
                rule_comes_after(candidate->rule, other->cause.id) && !other->aside &&
                same_name(candidate->cause.subject.netns, other->cause.subject.netns) &&
                !is_apart(&candidate->cause.subject, &other->cause.subject) &&
                !is_placed(ranking, j))
            return true;
    }
    return false;
}

// The best that waits for none; in a circle, the best.
static size_t next_of(const struct ranking *ranking) {
    size_t best = ranking->n;
    for (size_t i = 0; i < ranking->n; i++) {
        if (is_placed(ranking, i))
            continue;
        if (!must_wait(ranking, i))
            return i;
        if (best == ranking->n)
            best = i;
    }
    return best;
}

// Whether the loss is one that a cause above, whose remedy would cure it too, explains.
static bool is_covered(const struct ranking *ranking, const struct candidate *candidate) {
    for (size_t i = 0; i < ranking->n_order; i++) {
        const struct cause *above = &ranking->candidates[ranking->order[i]].cause;
        if (rule_comes_after(candidate->rule, above->id) && same_place(above, &candidate->cause))
            return true;
    }
    return false;
}

static void take(struct ranking *ranking, const struct cause *cause) {
    int64_t lost = cause->lost;
    for (size_t i = 0; i < ranking->verdict->n_ledger && lost > 0; i++)
        if (fits(&ranking->verdict->ledger[i], cause)) {
            int64_t part = lost < ranking->left[i] ? lost : ranking->left[i];
            ranking->left[i] -= part;
            lost -= part;
        }
}

// What is left for a cause to explain: of the ledger, and of its own subject.
static int64_t left_for(const struct ranking *ranking, const struct candidate *candidate) {
    int64_t left = held(ranking, &candidate->cause, true), own = candidate->subject_lost;
    if (own == 0)
        return left;
    for (size_t i = 0; i < ranking->n_order; i++) {
        const struct cause *above = &ranking->candidates[ranking->order[i]].cause;
        if (!above->also && same_place(above, &candidate->cause))
            own -= above->lost;
    }
    return own < 0 ? 0 : own < left ? own : left;
}

// A cause of which most is left over has its own part of the loss; else it contributes to what
// those above explain.
static void place(struct ranking *ranking, size_t i) {
    struct candidate *candidate = &ranking->candidates[i];
    struct cause *cause = &candidate->cause;
    int64_t left = left_for(ranking, candidate);
    cause->also = !cause->no_loss && !cause->uncounted &&
                  (left < cause->lost / 2 || left == 0 || is_covered(ranking, candidate));
    if (!cause->also && !cause->no_loss && !cause->uncounted) {
        cause->lost = cause->lost < left ? cause->lost : left;
        take(ranking, cause);
    }
    ranking->order[ranking->n_order++] = i;
}

static int move_cause(struct ranking *ranking, size_t i) {
    struct cause *cause = append(ranking->verdict->causes, ranking->verdict->n_causes);
    if (!cause)
        return -ENOMEM;
    *cause = ranking->candidates[i].cause;
    ranking->candidates[i].cause = (struct cause){ 0 };
    return 0;
}

// Those that contribute to the cause moved last.
static int move_contributors(struct ranking *ranking) {
    size_t above = ranking->verdict->n_causes - 1;
    for (size_t i = 0; i < ranking->n_order; i++) {
        const struct cause *cause = &ranking->candidates[ranking->order[i]].cause;
        if (cause->id && cause->also && same_place(&ranking->verdict->causes[above], cause) &&
                move_cause(ranking, ranking->order[i]) < 0)
            return -ENOMEM;
    }
    return 0;
}

static int move_causes(struct ranking *ranking) {
    for (int also = 0; also <= 1; also++)
        for (size_t i = 0; i < ranking->n_order; i++) {
            const struct cause *cause = &ranking->candidates[ranking->order[i]].cause;
            if (!cause->id || cause->also != also)
                continue;
            if (move_cause(ranking, ranking->order[i]) < 0 || move_contributors(ranking) < 0)
                return -ENOMEM;
        }
    return 0;
}

static bool has_contributor(const struct verdict *verdict, const struct ledger_entry *entry) {
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (verdict->causes[i].also && fits(entry, &verdict->causes[i]))
            return true;
    return false;
}

// Most rules say nothing of so little.
static bool is_noise(const struct ranking *ranking, size_t i) {
    const struct verdict *verdict = ranking->verdict;
    bool sending = strcmp(verdict->ledger[i].direction, "send") == 0;
    int64_t moved = sending ? verdict->sent : verdict->received;
    double whole = (double) (moved == CELL_NULL ? 0 : moved) + (double) verdict->lost;
    return ranking->left[i] < NOISE_DATAGRAMS || (double) ranking->left[i] < NOISE_SHARE * whole;
}

// What no rule explains is said.
static int note_unexplained(struct ranking *ranking) {
    struct verdict *verdict = ranking->verdict;
    for (size_t i = 0; i < verdict->n_ledger; i++) {
        const struct ledger_entry *entry = &verdict->ledger[i];
        if ((double) ranking->left[i] <= UNEXPLAINED_SHARE * (double) entry->datagrams ||
                has_contributor(verdict, entry))
            continue;
        _cleanup_free_ char *count = count_text(ranking->left[i]);
        bool elsewhere = entry->netns && strcmp(entry->netns, "host") != 0;
        int r = !count ? -ENOMEM
                       : add_remark(&verdict->notes, &verdict->n_notes, NULL,
                                 "%s datagrams at %s%s%s: %s", count, entry->locus,
                                 elsewhere ? " in " : "", elsewhere ? entry->netns : "",
                                 is_noise(ranking, i) ? "too few to judge"
                                                      : "no rule explains them");
        if (r < 0)
            return r;
        struct remark *note = &verdict->notes[verdict->n_notes - 1];
        note->values = json_object_new_object();
        json_object_object_add(note->values, entry->locus, json_object_new_int64(ranking->left[i]));
    }
    return 0;
}

static int rank(struct ranking *ranking) {
    int r = cap_to_ledger(ranking);
    if (r < 0)
        return r;
    drop_general(ranking);
    if (ranking->n > 0)
        qsort(ranking->candidates, ranking->n, sizeof(*ranking->candidates), compare);
    while (ranking->n_order < ranking->n)
        place(ranking, next_of(ranking));
    r = move_causes(ranking);
    return r < 0 ? r : note_unexplained(ranking);
}

int rank_causes(struct candidate *candidates, size_t n, struct verdict *verdict) {
    _cleanup_free_ int64_t *left = calloc(verdict->n_ledger + 1, sizeof(*left));
    _cleanup_free_ size_t *order = calloc(n + 1, sizeof(*order));
    struct ranking ranking = { candidates, n, verdict, left, order, 0 };
    for (size_t i = 0; left && i < verdict->n_ledger; i++)
        left[i] = verdict->ledger[i].datagrams;
    int r = left && order ? rank(&ranking) : -ENOMEM;
    for (size_t i = 0; i < ranking.n; i++)
        cause_done(&ranking.candidates[i].cause);
    return r;
}
