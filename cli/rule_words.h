// SPDX-License-Identifier: GPL-2.0-or-later
// Words of a rule
#pragma once

#include <stdio.h>

#include "rules/rules.h"

// The rule of that name and its number (may be NULL). 0, or STATUS_USAGE after a line on the
// standard error, with the name that was probably meant.
int rule_words_find(
        const struct rule_set *rules, const char *id, struct rule_info *ret, size_t *ret_index);

// A title with its placeholders in capitals, but without those that follow a word directly: they
// add to it what only some results have.
void rule_words_put_title(FILE *out, const char *title);
// Any text with all its placeholders in capitals.
void rule_words_put(FILE *out, const char *text);
