// SPDX-License-Identifier: GPL-2.0-or-later
// Loci in words
#pragma once

// "socket queue", and "at the socket queue" for the middle of a sentence. The id itself where there
// are no words for it.
const char *locus_name(const char *id);
const char *locus_place(const char *id);
