// SPDX-License-Identifier: GPL-2.0-or-later
// Collector outcomes
#include "collectors/outcome.h"

#include <errno.h>
#include <string.h>

static enum outcome_state state_of(int error) {
    switch (-error) {
    case ENOENT:
    case ENOTDIR:
    case ENODEV:
    case EOPNOTSUPP:
        return OUTCOME_ABSENT;
    case EACCES:
    case EPERM:
        return OUTCOME_DENIED;
    default:
        return OUTCOME_FAILED;
    }
}

void outcome_read_error(struct outcome *outcome, const char *path, int error) {
    if (outcome->state != OUTCOME_OK)
        return;
    enum outcome_state state = state_of(error);
    if (error == -ENOENT)
        outcome_set(outcome, state, "no /%s here", path);
    else
        outcome_set(outcome, state, "/%s: %s", path, strerror(-error));
}

void outcome_problem(
        struct outcome *outcome, const char *path, const struct parse_problem *problem) {
    if (!problem->text || outcome->state == OUTCOME_FAILED)
        return;
    if (problem->line > 0)
        outcome_set(outcome, OUTCOME_FAILED, "/%s:%zu: %s", path, problem->line, problem->text);
    else
        outcome_set(outcome, OUTCOME_FAILED, "/%s: %s", path, problem->text);
}
