// SPDX-License-Identifier: GPL-2.0-or-later
// Loci in words
#pragma once

#include <stdbool.h>

// "socket queue", and "at the socket queue" for the middle of a sentence. The id itself where there
// are no words for it.
const char *locus_name(const char *id);
const char *locus_place(const char *id);

// Whether it is a place of single sockets, and whether their drops count what is lost there.
bool locus_at_socket(const char *id);
bool locus_in_socket_drops(const char *id);
