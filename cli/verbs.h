// SPDX-License-Identifier: GPL-2.0-or-later
// Verb list
#pragma once

#include "cli/cli.h"

extern const struct verb verb_why, verb_capture, verb_sockets, verb_explain, verb_doctor, verb_stat,
        verb_status, verb_history, verb_alerts, verb_rules, verb_selftest, verb_tables, verb_config,
        verb_version, verb_help;
