// SPDX-License-Identifier: GPL-2.0-or-later
// Command line options
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct option_spec {
    const char *name;
    const char *argument; // NULL: takes none; "[SECONDS]": may take one; "DIR": takes one
    const char *help;
};

struct option_value {
    const char **texts; // each time it was given; NULL where its argument was left out
    size_t n;           // 0: not given
};

struct option_list {
    const struct option_spec *specs;
    size_t n;
    struct option_value *values; // one per spec
};

// Reads options of both lists out of argv (argv[0] is skipped, and the order of argv changed),
// those behind arguments too unless `stop_at_argument`. Returns the index of the first argument, or
// -EINVAL after one line on the standard error, or -ENOMEM.
int options_parse(int argc, char **argv, const struct option_list *globals,
        const struct option_list *own, bool stop_at_argument);

// Makes room for the values of `specs`. 0 or -ENOMEM.
int option_list_init(struct option_list *list, const struct option_spec *specs, size_t n);
void option_list_done(struct option_list *list);

bool option_given(const struct option_list *list, size_t option);
// The argument it was given last, or NULL.
const char *option_text(const struct option_list *list, size_t option);
