// SPDX-License-Identifier: GPL-2.0-or-later
// Turns of namespaces
#include "collectors/netns_turns.h"

#include <time.h>

#include "collectors/netns.h"

// A look counts for a quarter of the mean.
#define MEAN_LOOKS 4

void netns_turns_init(struct netns_list *list) {
    list->turns[NETNS_COUNTERS].budget_us = NETNS_COUNTERS_US_PER_S;
    list->turns[NETNS_LIMITS].budget_us = NETNS_LIMITS_US_PER_S;
}

int64_t netns_turns_clock_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void learn_cost(struct netns_turns *turns) {
    if (turns->n_due == 0)
        return;
    double cost = (double) turns->spent_us / (double) turns->n_due;
    turns->mean_us += turns->mean_us > 0 ? (cost - turns->mean_us) / MEAN_LOOKS : cost;
}

// How many a look has to read for a round to end in time.
static size_t how_many_needed(const struct netns_turns *turns, int64_t passed_ms) {
    double needed = (double) turns->n_others * (double) passed_ms / NETNS_ROUND_MS;
    return needed < (double) turns->n_others ? (size_t) needed + 1 : turns->n_others;
}

static size_t how_many_fit(const struct netns_turns *turns, int64_t passed_ms) {
    double budget_us = (double) turns->budget_us * (double) passed_ms / 1000;
    if (turns->mean_us * (double) turns->n_others <= budget_us)
        return turns->n_others;
    return (size_t) (budget_us / turns->mean_us) + 1;
}

static void take_turn(struct netns_turns *turns, struct netns_turn *turn) {
    turn->due = true;
    turn->round = turns->round;
    turns->n_due++;
}

// Those that were never read: what is lost before the first look at a namespace stays unknown.
static void take_new(struct netns_list *list, unsigned kind) {
    for (size_t i = 1; i < list->n; i++) {
        struct netns_turn *turn = &list->items[i].turn[kind];
        turn->due = false;
        if (turn->round == 0)
            take_turn(&list->turns[kind], turn);
    }
}

static void take_lossy(struct netns_list *list, unsigned kind, size_t n) {
    for (size_t i = 1; i < list->n && n > 0; i++) {
        struct netns_turn *turn = &list->items[i].turn[kind];
        if (turn->due || !list->items[i].lossy)
            continue;
        take_turn(&list->turns[kind], turn);
        n--;
    }
}

static void take_rest_of_round(struct netns_list *list, unsigned kind, size_t n) {
    struct netns_turns *turns = &list->turns[kind];
    for (size_t i = 1; i < list->n && turns->n_due < n; i++) {
        struct netns_turn *turn = &list->items[i].turn[kind];
        if (!turn->due && turn->round != turns->round)
            take_turn(turns, turn);
    }
}

void netns_turns_begin(struct netns_list *list, unsigned kind, int64_t now_ms, bool all) {
    struct netns_turns *turns = &list->turns[kind];
    learn_cost(turns);
    turns->spent_us = 0;
    turns->n_due = 0;
    turns->n_others = list->n - 1;
    if (turns->round == 0)
        turns->round = 1;
    size_t needed = how_many_needed(turns, now_ms - turns->begun_ms);
    size_t n = all ? turns->n_others : how_many_fit(turns, now_ms - turns->begun_ms);
    n = n > needed ? n : needed;
    turns->begun_ms = now_ms;
    take_new(list, kind);
    // The others have half of the look at least, and all that they need.
    if (kind == NETNS_COUNTERS)
        take_lossy(list, kind, n - needed < n / 2 ? n - needed : n / 2);
    take_rest_of_round(list, kind, n);
    if (turns->n_due >= n)
        return;
    turns->round++;
    take_rest_of_round(list, kind, n);
}

void netns_turns_note(const struct netns_list *list, unsigned kind, struct outcome *outcome) {
    const struct netns_turns *turns = &list->turns[kind];
    if (turns->n_due == 0 || turns->n_due >= turns->n_others || outcome->reason[0])
        return;
    outcome_set(outcome, OUTCOME_OK,
            "%zu namespaces: each is read every %zu looks, since they may cost %.1f %% of one CPU",
            turns->n_others, (turns->n_others + turns->n_due - 1) / turns->n_due,
            (double) turns->budget_us / 10000);
}
