// SPDX-License-Identifier: GPL-2.0-or-later
// Step queue
#include "daemon/queue.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What a consumer that keeps up leaves behind is worth keeping; more was for a stall that is over.
#define SPARE_STEPS 20

struct queue {
    pthread_mutex_t lock;
    const struct table *const *tables;
    size_t n_tables, max_steps, max_bytes;
    struct step **steps; // oldest first
    size_t *bytes;       // of each
    size_t n, n_taken;
    struct step *spare[SPARE_STEPS];
    size_t n_spare, n_merged;
};

// The very first look has no length and no growth: with another it is that other.
int step_join(struct step *step, const struct step *later) {
    bool growth = !(later->flags & STEP_BASELINE);
    int r = step_merge(step, later);
    if (growth)
        step->flags &= ~(unsigned) STEP_BASELINE;
    return r;
}

struct queue *queue_new(
        const struct table *const *tables, size_t n_tables, size_t max_steps, size_t max_bytes) {
    struct queue *queue = calloc(1, sizeof(*queue));
    if (!queue)
        return NULL;
    *queue = (struct queue){
        .tables = tables,
        .n_tables = n_tables,
        .max_steps = max_steps,
        .max_bytes = max_bytes,
        .steps = calloc(max_steps + 1, sizeof(struct step *)),
        .bytes = calloc(max_steps + 1, sizeof(size_t)),
    };
    pthread_mutex_init(&queue->lock, NULL);
    return queue->steps && queue->bytes ? queue : queue_free(queue);
}

struct queue *queue_free(struct queue *queue) {
    if (!queue)
        return NULL;
    for (size_t i = 0; i < queue->n; i++)
        step_free(queue->steps[i]);
    for (size_t i = 0; i < queue->n_spare; i++)
        step_free(queue->spare[i]);
    free(queue->steps);
    free(queue->bytes);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
    return NULL;
}

static void spare(struct queue *queue, struct step *step) {
    if (queue->n_spare < SPARE_STEPS)
        queue->spare[queue->n_spare++] = step;
    else
        step_free(step);
}

static size_t rows_bytes(const struct rows *rows) {
    return rows->n * rows->table->n_columns * sizeof(cell) + rows->text_length;
}

static size_t step_bytes(const struct step *step) {
    size_t bytes = sizeof(*step) + step->n_tables * sizeof(*step->outcome);
    for (size_t i = 0; i < step->n_tables; i++)
        bytes += rows_bytes(&step->growth[i]) + rows_bytes(&step->total[i]);
    return bytes;
}

static bool is_full(const struct queue *queue) {
    if (queue->n > queue->max_steps)
        return true;
    size_t bytes = 0;
    for (size_t i = queue->n_taken; i < queue->n; i++)
        bytes += queue->bytes[i];
    return bytes > queue->max_bytes;
}

static void remove_steps(struct queue *queue, size_t at, size_t n) {
    queue->n -= n;
    memmove(&queue->steps[at], &queue->steps[at + n], (queue->n - at) * sizeof(*queue->steps));
    memmove(&queue->bytes[at], &queue->bytes[at + n], (queue->n - at) * sizeof(*queue->bytes));
}

// Merges the two waiting neighbours that are shortest together: resolution is lost evenly. False:
// there are none.
static bool merge_shortest(struct queue *queue) {
    size_t best = 0;
    int64_t best_ms = INT64_MAX;
    for (size_t i = queue->n_taken; i + 1 < queue->n; i++) {
        int64_t ms = queue->steps[i]->length_ms + queue->steps[i + 1]->length_ms;
        if (ms < best_ms) {
            best_ms = ms;
            best = i;
        }
    }
    if (best_ms == INT64_MAX)
        return false;
    struct step *later = queue->steps[best + 1];
    // Without memory for the merged rows, those that fit are there and the others are lost.
    (void) step_join(queue->steps[best], later);
    queue->bytes[best] = step_bytes(queue->steps[best]);
    remove_steps(queue, best + 1, 1);
    queue->n_merged++;
    spare(queue, later);
    return true;
}

struct step *queue_blank(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    struct step *step = queue->n_spare > 0 ? queue->spare[--queue->n_spare] : NULL;
    pthread_mutex_unlock(&queue->lock);
    if (!step)
        return step_new(queue->tables, queue->n_tables);
    step_clear(step);
    return step;
}

void queue_add(struct queue *queue, struct step *step) {
    pthread_mutex_lock(&queue->lock);
    queue->bytes[queue->n] = step_bytes(step);
    queue->steps[queue->n++] = step;
    while (is_full(queue) && merge_shortest(queue))
        ;
    pthread_mutex_unlock(&queue->lock);
}

void queue_drop(struct queue *queue, struct step *step) {
    pthread_mutex_lock(&queue->lock);
    spare(queue, step);
    pthread_mutex_unlock(&queue->lock);
}

int queue_add_copy(struct queue *queue, const struct step *step) {
    struct step *copy = queue_blank(queue);
    if (!copy)
        return -ENOMEM;
    int r = step_copy(copy, step);
    if (r < 0) {
        queue_drop(queue, copy);
        return r;
    }
    queue_add(queue, copy);
    return 0;
}

size_t queue_take(struct queue *queue, struct step **ret_steps, size_t max) {
    pthread_mutex_lock(&queue->lock);
    // Those taken cannot be merged: the other half always can.
    if (max > queue->max_steps / 2)
        max = queue->max_steps / 2;
    size_t n = queue->n < max ? queue->n : max;
    memcpy(ret_steps, queue->steps, n * sizeof(*ret_steps));
    queue->n_taken = n;
    pthread_mutex_unlock(&queue->lock);
    return n;
}

void queue_done(struct queue *queue, size_t n) {
    pthread_mutex_lock(&queue->lock);
    for (size_t i = 0; i < n; i++)
        spare(queue, queue->steps[i]);
    remove_steps(queue, 0, n);
    queue->n_taken = 0;
    pthread_mutex_unlock(&queue->lock);
}

size_t queue_length(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    size_t n = queue->n;
    pthread_mutex_unlock(&queue->lock);
    return n;
}

size_t queue_merged(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    size_t n = queue->n_merged;
    queue->n_merged = 0;
    pthread_mutex_unlock(&queue->lock);
    return n;
}
