// SPDX-License-Identifier: GPL-2.0-or-later
// Block places
//
// Some files of /proc and /sys do not say what they are: the path does, which stands above them
// (head, tail), in the command, or is the name of the file of a capture.
#pragma once

#include "formats/lines.h"

#define PLACE_SIZE 256

// A line that names a path and nothing else: "==> /proc/pressure/cpu <==", "/proc/uptime:". Also of
// the form "proc/..." and "sys/...".
bool place_heading(const struct line *line, char *ret, size_t size);
// The path whose content begins at line i: of the heading before it, the only one of the command,
// or the name of the file where that begins there. False: not known.
bool place_of(const struct lines *lines, size_t i, char *ret, size_t size);
// The n-th path (from 0) that a command shows: "cat /proc/A /proc/B".
bool place_argument(const char *command, size_t n, char *ret, size_t size);
// The n-th path of such a form (place_is()) in a line of commands: "cat /proc/A/io; cat /proc/B/io".
bool place_argument_like(
        const char *command, const char *pattern, size_t n, char *ret, size_t size);
// Of a line "/proc/net/FILE:content", as grep writes: the path, and in *ret_rest where the content
// begins.
bool place_prefix(const char *text, char *ret, size_t size, const char **ret_rest);

// Whether the path is such a file, wherever its tree stands: "/proc/*/io"; * is one name, kept in
// `name` (of PLACE_SIZE; NULL: not wanted).
bool place_is(const char *path, const char *pattern, char *name);
