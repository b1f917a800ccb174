// SPDX-License-Identifier: GPL-2.0-or-later
// Moments of losses
//
// Where losses were looked at more than once, only those looks make moments: what is lost between
// two of them is held against what the host did between the same two. A vmstat, a ps or an mpstat
// beside them belongs to one of these, whatever time it has of its own.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "formats/intake_private.h"
#include "formats/moments.h"

bool look_tells_losses(const struct intake *intake, const struct look *look) {
    for (size_t t = 0; look->table && t < intake->n_tables; t++)
        if (look->table[t] && table_counts_losses(intake->tables[t]))
            return true;
    return false;
}

static bool has_growth(const struct intake *intake, const struct look *look) {
    for (size_t t = 0; look->table && t < intake->n_tables; t++)
        if (look->table[t] && look->table[t]->grown.n > 0)
            return true;
    return false;
}

// A table that one format saw at several moments.
struct series {
    const struct format *format;
    size_t table, moment; // the first
    bool several;
};

struct series_list {
    struct series *items;
    size_t n;
};

static void series_done(struct series_list *list) {
    free(list->items);
}

static struct series *series_of(
        struct series_list *list, const struct format *format, size_t table, size_t moment) {
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].format == format && list->items[i].table == table)
            return &list->items[i];
    struct series *items = reallocarray(list->items, list->n + 1, sizeof(*items));
    if (!items)
        return NULL;
    list->items = items;
    items[list->n] = (struct series){ format, table, moment, false };
    return &items[list->n++];
}

static int find_series(const struct intake *intake, struct series_list *list) {
    for (size_t i = 0; i < intake->n_looks; i++)
        for (size_t t = 0; intake->look[i].table && t < intake->n_tables; t++) {
            const struct look *look = &intake->look[i];
            if (!look->table[t] || look->format->setting || !table_counts_losses(intake->tables[t]))
                continue;
            struct series *series = series_of(list, look->format, t, look->moment);
            if (!series)
                return -ENOMEM;
            series->several |= series->moment != look->moment;
        }
    return 0;
}

// Whether the look tells what was lost up to its moment: it is one of several, or gives growth.
static bool tells_growth(
        const struct intake *intake, const struct look *look, struct series_list *list) {
    if (has_growth(intake, look))
        return true;
    for (size_t t = 0; look->table && t < intake->n_tables; t++)
        if (look->table[t] && table_counts_losses(intake->tables[t])) {
            const struct series *series = series_of(list, look->format, t, look->moment);
            if (series && series->several)
                return true;
        }
    return false;
}

struct fold {
    struct intake *intake;
    struct moments *moments;
    bool *kept;  // one per moment: losses were looked at
    bool *grows; // losses are there as growth: the moment has a length of its own
};

static size_t last_kept(const struct fold *fold) {
    size_t last = 0;
    for (size_t m = 0; m < fold->moments->n; m++)
        if (fold->kept[m])
            last = m;
    return last;
}

static size_t kept_from(const struct fold *fold, size_t m) {
    while (m < fold->moments->n && !fold->kept[m])
        m++;
    return m < fold->moments->n ? m : last_kept(fold);
}

// The first at that time or later, or, where it was only begun then, later.
static size_t kept_at(const struct fold *fold, int64_t at_ms, bool begun) {
    for (size_t m = 0; m < fold->moments->n; m++)
        if (fold->kept[m] && fold->moments->at_ms[m] >= at_ms + begun)
            return m;
    return last_kept(fold);
}

// The next look at losses in the same file.
static size_t kept_behind(const struct fold *fold, size_t i) {
    const struct intake *intake = fold->intake;
    const char *file = intake->look[i].file;
    for (size_t k = i + 1; k < intake->n_looks && intake->look[k].file == file; k++)
        if (!intake->look[k].format->setting && look_tells_losses(intake, &intake->look[k]))
            return intake->look[k].moment;
    return last_kept(fold);
}

// What was watched for a while ended at its own time; of an output that has none, only the time of
// the stamp above it is known, when it had not begun.
static size_t place(const struct fold *fold, size_t i) {
    const struct look *look = &fold->intake->look[i];
    bool timed = look->at_ms != 0 && fold->moments->at_ms[last_kept(fold)] != 0;
    bool watched = has_growth(fold->intake, look);
    size_t m = timed     ? kept_at(fold, look->at_ms, watched && !look->own_time)
               : watched ? kept_behind(fold, i)
                         : kept_from(fold, look->moment);
    // Before the first look at counters nothing is known of losses.
    if (watched && !fold->grows[m] && m == kept_from(fold, 0))
        m = kept_from(fold, m + 1);
    return m;
}

// Drops the moments at which nobody looked at losses.
static void compact(struct fold *fold, size_t *places) {
    struct moments *moments = fold->moments;
    size_t n = 0;
    for (size_t m = 0; m < moments->n; m++) {
        places[m] = n;
        if (fold->kept[m])
            moments->at_ms[n++] = moments->at_ms[m];
    }
    moments->n = n;
    for (size_t i = 0; i < fold->intake->n_looks; i++)
        fold->intake->look[i].moment = places[fold->intake->look[i].moment];
}

int moments_fold(struct intake *intake, struct moments *moments) {
    _cleanup_free_ bool *kept = calloc(moments->n, sizeof(*kept));
    _cleanup_free_ bool *grows = calloc(moments->n, sizeof(*grows));
    _cleanup_free_ size_t *places = calloc(moments->n + intake->n_looks, sizeof(*places));
    struct fold fold = { intake, moments, kept, grows };
    size_t *host = places ? places + moments->n : NULL, n_kept = 0;
    _cleanup_(series_done) struct series_list list = { 0 };
    if (!kept || !grows || !places || find_series(intake, &list) < 0)
        return -ENOMEM;
    for (size_t i = 0; i < intake->n_looks; i++) {
        const struct look *look = &intake->look[i];
        if (look->format->setting || !look_tells_losses(intake, look) ||
                !tells_growth(intake, look, &list))
            continue;
        n_kept += !kept[look->moment];
        kept[look->moment] = true;
        grows[look->moment] |= has_growth(intake, look);
    }
    if (n_kept == 0)
        return 0;
    for (size_t i = 0; i < intake->n_looks; i++)
        host[i] = intake->look[i].format->setting || (look_tells_losses(intake, &intake->look[i]) &&
                                                             kept[intake->look[i].moment])
                          ? intake->look[i].moment
                          : place(&fold, i);
    for (size_t i = 0; i < intake->n_looks; i++)
        intake->look[i].moment = kept[host[i]] ? host[i] : kept_from(&fold, host[i]);
    compact(&fold, places);
    return 0;
}
