// SPDX-License-Identifier: GPL-2.0-or-later
// Alert keeping
#include "daemon/keeper.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Alerts that began and ended while the disk was stuck; beyond, the oldest are forgotten.
#define KEEPER_MAX 512

struct known {
    int64_t number, id;
};

struct keeper {
    struct kept *waiting[KEEPER_MAX]; // oldest first
    size_t n_waiting;
    struct known known[KEEPER_MAX]; // alerts that last
    size_t n_known;
};

struct kept *kept_free(struct kept *kept) {
    if (!kept)
        return NULL;
    for (size_t i = 0; i < sizeof(kept->texts) / sizeof(kept->texts[0]); i++)
        free(kept->texts[i]);
    free(kept);
    return NULL;
}

struct kept *kept_copy(const struct alert_record *record) {
    struct kept *kept = calloc(1, sizeof(*kept));
    if (!kept)
        return NULL;
    kept->record = *record;
    const char **fields[] = { &kept->record.cause, &kept->record.subject, &kept->record.severity,
        &kept->record.title, &kept->record.verdict };
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (!*fields[i])
            continue;
        *fields[i] = kept->texts[i] = strdup(*fields[i]);
        if (!kept->texts[i])
            return kept_free(kept);
    }
    return kept;
}

struct kept *kept_new(const struct alert *alert) {
    struct alert_record record = {
        .cause = alert->cause,
        .subject = alert->subject,
        .severity = severity_name(alert->severity),
        .title = alert->title,
        .begin_ms = alert->begin_ms,
        .last_ms = alert->last_ms,
        .end_ms = alert->end_ms,
        .reminders = alert->reminders,
        .lost = alert->lost,
        .muted = alert->muted,
        .verdict = json_object_to_json_string_ext(alert->document, JSON_C_TO_STRING_PLAIN),
    };
    struct kept *kept = kept_copy(&record);
    if (kept)
        kept->number = alert->number;
    return kept;
}

struct keeper *keeper_new(void) {
    return calloc(1, sizeof(struct keeper));
}

struct keeper *keeper_free(struct keeper *keeper) {
    if (!keeper)
        return NULL;
    for (size_t i = 0; i < keeper->n_waiting; i++)
        kept_free(keeper->waiting[i]);
    free(keeper);
    return NULL;
}

void keeper_put(struct keeper *keeper, struct kept *kept) {
    for (size_t i = 0; i < keeper->n_waiting; i++)
        if (keeper->waiting[i]->number == kept->number) {
            kept_free(keeper->waiting[i]);
            keeper->waiting[i] = kept;
            return;
        }
    if (keeper->n_waiting == KEEPER_MAX) {
        kept_free(keeper->waiting[0]);
        keeper->n_waiting--;
        memmove(keeper->waiting, keeper->waiting + 1, keeper->n_waiting * sizeof(*keeper->waiting));
    }
    keeper->waiting[keeper->n_waiting++] = kept;
}

size_t keeper_waiting(const struct keeper *keeper) {
    return keeper->n_waiting;
}

static struct known *find_known(struct keeper *keeper, int64_t number) {
    for (size_t i = 0; i < keeper->n_known; i++)
        if (keeper->known[i].number == number)
            return &keeper->known[i];
    return NULL;
}

void keeper_know(struct keeper *keeper, int64_t number, int64_t id) {
    struct known *known = find_known(keeper, number);
    if (!known && keeper->n_known < KEEPER_MAX)
        known = &keeper->known[keeper->n_known++];
    if (known)
        *known = (struct known){ number, id };
}

void keeper_take(struct keeper *keeper, struct keeper *from) {
    for (size_t i = 0; i < from->n_waiting; i++)
        keeper_put(keeper, from->waiting[i]);
    for (size_t i = 0; i < from->n_known; i++)
        keeper_know(keeper, from->known[i].number, from->known[i].id);
    from->n_waiting = from->n_known = 0;
}

static void forget(struct keeper *keeper, int64_t number) {
    struct known *known = find_known(keeper, number);
    if (known)
        *known = keeper->known[--keeper->n_known];
}

static int write_one(struct keeper *keeper, struct kept *kept, struct store *store) {
    struct known *known = find_known(keeper, kept->number);
    kept->record.id = known ? known->id : 0;
    int r = known ? alerts_update(store, &kept->record) : 1;
    // Another database than the one that knew it.
    if (r == 1)
        r = alerts_insert(store, &kept->record, &kept->record.id);
    // An open alert of the same cause and subject stands there already: it says the same.
    return r == -EEXIST ? 0 : r;
}

int keeper_write(struct keeper *keeper, struct store *store) {
    int r = 0;
    for (size_t i = 0; i < keeper->n_waiting && r >= 0; i++)
        r = write_one(keeper, keeper->waiting[i], store);
    return r;
}

void keeper_settle(struct keeper *keeper) {
    for (size_t i = 0; i < keeper->n_waiting; i++) {
        struct kept *kept = keeper->waiting[i];
        if (kept->record.end_ms)
            forget(keeper, kept->number);
        else
            keeper_know(keeper, kept->number, kept->record.id);
        kept_free(kept);
    }
    keeper->n_waiting = 0;
}
