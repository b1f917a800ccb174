// SPDX-License-Identifier: GPL-2.0-or-later
// Verdicts as text
#pragma once

#include "core/verdict.h"

// The verdict in lines that a person reviews as a diff. With a rule: all texts of that rule and the
// heads of the others; with NULL: all levels and notes. malloc()ed.
char *answer_text(const struct verdict *verdict, const char *rule);
bool answer_fired(const struct verdict *verdict, const char *rule);
