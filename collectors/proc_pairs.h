// SPDX-License-Identifier: GPL-2.0-or-later
// Named values
//
// Pure parsers of the /proc files that name their values. Each value goes to the column whose
// `field` is that name (its first word and the name, with or without a space between them); names
// without a column are ignored. What cannot be understood leaves its columns as they are and is
// reported; a line that ends without a newline was cut, so that nothing of it counts.
#pragma once

#include "collectors/field_index.h"

// The first thing in a text that was not understood; text NULL: there is none. Lines count from 1,
// 0 is the text as a whole.
struct parse_problem {
    size_t line;
    const char *text;
};
void parse_problem_add(struct parse_problem *problem, size_t line, const char *text);

// One parser for each shape. `problem` must be initialised; problems are added to it.
typedef void parse_function(const char *text, size_t length, const struct field_index *index,
        cell *row, struct parse_problem *problem);

parse_function parse_proc_pairs;  // net/snmp, net/netstat: "Udp: names" above "Udp: values"
parse_function parse_proc_lines;  // net/snmp6, vmstat: "name value"; meminfo: "name: value unit"
parse_function parse_proc_groups; // net/sockstat: "UDP: name value name value"

// The n characters as a decimal number of that kind. A negative counter is a 32-bit one that some
// kernels print signed. False: not a number, or out of range.
bool parse_number(const char *text, size_t n, enum column_kind kind, cell *ret);
