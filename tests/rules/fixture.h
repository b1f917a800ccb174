// SPDX-License-Identifier: GPL-2.0-or-later
// Rules fixture
//
// Three small tables, a ledger over them, and ways to judge a hand-made window by hand-made rules.
#pragma once

#include "rules/rule.h"
#include "rules/set.h"
#include "tests/suite.h"

extern const struct table *const fixture_tables[];
extern const size_t n_fixture_tables;

// "ledger": socket-queue and checksum of snmp, backlog of softnet, send-buffer of snmp; "spare": a
// rule that never fires.
extern const struct rule_source fixture_ledger;
extern const struct rule_source fixture_spare;

// A folder that is removed by fixture_folder_free().
char *fixture_folder(void);
void fixture_folder_free(char *folder);
// Writes folder/name; content of n bytes.
void fixture_write(const char *folder, const char *name, const char *content, size_t n);

// What checking a rule "sample.sql" of this text says, without the folder: malloc()ed.
char *fixture_problems(const char *text);

// Judges ten steps of a second each, filled by `sql`, by the rules given (with the ledger).
// `ret_json` may be NULL.
struct verdict *fixture_judge(const char *sql, const struct rule_source *rules, size_t n_rules);
struct verdict *fixture_judge_as(
        enum window_kind kind, const char *sql, const struct rule_source *rules, size_t n_rules);

const struct cause *fixture_cause(const struct verdict *verdict, const char *id); // NULL: none
const char *fixture_remark(
        const struct remark *remarks, size_t n, const char *id); // its text, or NULL
