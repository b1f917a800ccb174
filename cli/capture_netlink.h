// SPDX-License-Identifier: GPL-2.0-or-later
// Netlink answers of a capture
#pragma once

#include <json-c/json.h>

#include "cli/bundle.h"
#include "core/source.h"

// The dumps of the look that is made, as the kernel gave them.
struct capture_dumps {
    struct source_tap tap;
    struct capture_dump *items;
    size_t n;
    unsigned look; // dumps belong to this one; whoever looks raises it
    int error;     // -ENOMEM: one is not complete
};
// From now on the dumps of this source are kept; both must stay where they are. Its tap must be
// taken off before the dumps are done with.
void capture_dumps_begin(struct capture_dumps *dumps, struct source *source);
void capture_dumps_done(struct capture_dumps *dumps);

// Puts the dumps of that look below `folder`, and of which machine they are. One that is too large
// is left out, and named in `left_out` (an array). 0 or -errno.
int capture_dumps_put(const struct capture_dumps *dumps, unsigned look, const char *folder,
        struct bundle *bundle, json_object *left_out);
// They hold addresses: none is there.
int capture_dumps_leave_out(const char *folder, json_object *left_out);
