// SPDX-License-Identifier: GPL-2.0-or-later
// Verdict for people
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "cli/terminal.h"
#include "core/verdict.h"

// Of what belongs to a cause or level.
#define PAGE_INDENT 3

// Where a verdict is written, and how much of it.
struct verdict_page {
    const struct terminal *terminal;
    FILE *out;
    bool all;
    int64_t now_ms;
};

void verdict_put_text(const struct verdict *verdict, const struct terminal *terminal, bool all,
        int64_t now_ms, FILE *out);

// The answer in one line, malloc()ed; NULL: out of memory.
char *verdict_headline(const struct verdict *verdict, int64_t now_ms);

// Who lost what is explained first: "rsyslogd (pid 812), rsyslog.service". malloc()ed; an empty
// text: not known; NULL: out of memory.
char *verdict_who(const struct verdict *verdict);
// Whether the cause is a loss of its own at that place; NULL: any.
bool verdict_is_loss(const struct cause *cause, const char *locus);

// Its parts. The first line is the answer.
void verdict_put_headline(const struct verdict_page *page, const struct verdict *verdict);
void verdict_put_glance(const struct verdict_page *page, const struct verdict *verdict);
void verdict_put_causes(const struct verdict_page *page, const struct verdict *verdict);
void verdict_put_levels(const struct verdict_page *page, const struct verdict *verdict);
void verdict_put_changes(const struct verdict_page *page, const struct verdict *verdict);
void verdict_put_ledger(const struct verdict_page *page, const struct verdict *verdict);
void verdict_put_next(const struct verdict_page *page, const struct verdict *verdict);
void verdict_put_remarks(const struct verdict_page *page, const struct verdict *verdict);

// A label in its column and the text behind it, wrapped; the label NULL or "" where it is that of
// the line above.
void page_put(const struct verdict_page *page, int indent, const char *label, enum style style,
        const char *text);
// A command on a line of its own, never wrapped, so that it can be pasted; nothing where there is
// none.
void page_put_command(
        const struct verdict_page *page, int indent, const char *label, const char *command);
// What to do, with its command and how to undo it.
void page_put_remedy(const struct verdict_page *page, const struct remedy *remedy, bool first);
// printf into a malloc()ed text; "" where memory is out. Never NULL for the caller to print: free()
// it.
char *page_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
