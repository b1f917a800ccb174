// SPDX-License-Identifier: GPL-2.0-or-later
// Alert rows
#pragma once

#include "cli/terminal.h"
#include "core/alerts.h"

// How an alert is shown in a table: its style, and its title, malloc()ed (NULL: out of memory).
enum style alert_style(const struct alert_record *alert);
char *alert_text(const struct alert_record *alert);
