// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted interfaces
//
// Rows of tables link and nic, and which interface an output is about where it does not say so
// itself.
#pragma once

#include "formats/intake.h"
#include "formats/lines.h"
#include "formats/words.h"

#define INTERFACE_SIZE 64

// The kind of an interface of that name (table link), by what the kernel, udev and the programs
// that make them call them: "" for hardware, also where nothing is known. NULL: no name of an
// interface looks like that.
const char *interface_kind(const char *name);

// The interface that a command is about: "ethtool -S eth0 | grep miss", "tc -s qdisc show dev
// eth0".
bool interface_of_command(const char *command, char *ret, size_t size);
// The interface that the block at line i is about, by its command, the line above it or the name of
// its file. False, and an empty name: not known.
bool interface_of_block(const struct lines *lines, size_t i, char *ret, size_t size);

// Opens a row of table link, with its kind by its name and flags (UP,BROADCAST,...; NULL: not
// told). An empty name stays to be found.
void interface_row(
        struct intake *intake, const struct line *line, const char *name, const char *flags);
// The same where the kind is told.
void interface_row_of_kind(
        struct intake *intake, const struct line *line, const char *name, const char *kind);
// The columns that are sums of others: of a sum that is 0 the parts are known.
void interface_put_dropped(struct intake *intake, const struct word *number);
void interface_put_frame(struct intake *intake, const struct word *number);
void interface_put_carrier(struct intake *intake, const struct word *number);
