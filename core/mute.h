// SPDX-License-Identifier: GPL-2.0-or-later
// Expected losses
//
// What the section [mute] of the configuration names is still counted and shown, marked as muted.
// It raises no alert, and decides neither the headline nor the exit status.
#pragma once

#include "core/config.h"
#include "core/verdict.h"

// Whether a cause or level of this id and subject is muted.
bool mute_matches(const struct config *config, const char *id, const struct subject *subject);
// Marks the causes and levels that are muted, and what contributes to such a loss; `kind` is then
// what the others say.
void mute_verdict(const struct config *config, struct verdict *verdict);
