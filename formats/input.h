// SPDX-License-Identifier: GPL-2.0-or-later
// Raw input
//
// What was pasted, as bytes: read whole, and made UTF-8 with LF line ends.
#pragma once

#include <stddef.h>

// More than anybody pastes; a support bundle's largest outputs have a tenth of it.
#define INPUT_MAX_BYTES ((size_t) 64 << 20)

// Reads a descriptor to its end; at most `room` bytes. *ret is malloc()ed, with a NUL behind it. 0,
// -errno, or -EFBIG.
int input_read(int fd, size_t room, char **ret, size_t *ret_length);

enum input_kind {
    INPUT_TEXT,
    INPUT_EMPTY,
    INPUT_COMPRESSED,
    INPUT_BINARY,
};
// Makes UTF-16 UTF-8, takes byte order marks off, and makes CRLF and CR LF, in place or in new
// memory. Tells what it is: of anything but text nothing can be read. 0 or -ENOMEM.
int input_decode(char **text, size_t *length, enum input_kind *ret);
