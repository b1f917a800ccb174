// SPDX-License-Identifier: GPL-2.0-or-later
// Step queue
//
// Steps on their way to a consumer that may stand still for long. Bounded in number and bytes: when
// it is full, neighbouring steps are merged, the shortest first, so that nothing is lost, only
// coarser. Buffers are used again. Any thread may call any function; one thread adds, one takes.
#pragma once

#include <stdbool.h>

#include "core/sample.h"

// step_merge() for a step that may be empty or the very first look. 0 or -ENOMEM.
int step_join(struct step *step, const struct step *later);

struct queue;

// Returns NULL: out of memory.
struct queue *queue_new(
        const struct table *const *tables, size_t n_tables, size_t max_steps, size_t max_bytes);
struct queue *queue_free(struct queue *queue); // returns NULL

// A cleared step for the caller to fill and to give back by queue_add() or queue_drop(). NULL: out
// of memory.
struct step *queue_blank(struct queue *queue);
void queue_add(struct queue *queue, struct step *step);
void queue_drop(struct queue *queue, struct step *step);
// A copy of the step, added. 0 or -ENOMEM.
int queue_add_copy(struct queue *queue, const struct step *step);

// The oldest steps, at most `max`, into ret_steps; they stay untouched until queue_done() or
// queue_undo().
size_t queue_take(struct queue *queue, struct step **ret_steps, size_t max);
// The oldest n of those taken are consumed, the others wait again.
void queue_done(struct queue *queue, size_t n);

size_t queue_length(struct queue *queue); // those taken included
// How often steps were merged since the last call.
size_t queue_merged(struct queue *queue);
