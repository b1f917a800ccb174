// SPDX-License-Identifier: GPL-2.0-or-later
// Settings
//
// What SIGHUP reads again: the configuration, the rules, and what follows from them.
#pragma once

#include "core/config.h"
#include "daemon/alerts.h"
#include "daemon/options.h"
#include "daemon/outbox.h"
#include "daemon/loss_watch.h"

struct settings {
    struct config_set *set;
    const struct config *config;
    struct rule_set *rules;
    struct loss_watch *watch;
    struct alert_policy policy;
    int64_t step_ms;      // of the command line, or configured
    const char *database; // the same
};

// Mistakes are posted, one message per line. With `strict` (a reload) any mistake is a failure;
// otherwise a key with a mistake has its default, and a rule with one is left out. 0, 1: mistakes,
// or -errno with a message posted.
int settings_load(
        const struct options *options, bool strict, struct outbox *outbox, struct settings **ret);
struct settings *settings_free(struct settings *settings); // returns NULL
