// SPDX-License-Identifier: GPL-2.0-or-later
// Raw files of a capture
#pragma once

#include <json-c/json.h>
#include <stdbool.h>

#include "cli/bundle.h"
#include "core/sample.h"
#include "core/source.h"

// Puts the files of /proc and /sys as they are now below `folder`; those of the processes of the
// sample too. Files that hold addresses are left out if these are hidden, and named in `left_out`
// (an array). One that cannot be read is not there. 0 or -errno: of the bundle.
int capture_raw(struct source *source, const struct sample *sample, bool hide_addresses,
        const char *folder, struct bundle *bundle, json_object *left_out);
