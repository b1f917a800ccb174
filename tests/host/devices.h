// SPDX-License-Identifier: GPL-2.0-or-later
// Devices of our own
//
// A network namespace with a veth pair, va and vb, and what ip and tc say of it.
#pragma once

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "tests/collectors/rig.h"
#include "tests/host/rows.h"

extern const char *refused; // why there is no namespace here, or NULL

bool run(const char *command); // whether it succeeds
void enter_namespace(void);    // what begins each test

#define NEEDS_NAMESPACE()                                                                          \
    if (refused) {                                                                                 \
        fprintf(stderr, "# skipped: %s\n", refused);                                               \
        return;                                                                                    \
    }

// Of 1000 bytes, to the discard port; those that its queue has no room for are lost.
void send_datagrams(const char *address, int n);

// What a command says in JSON: to be put by the caller.
json_object *ask(const char *command);
json_object *get(json_object *object, const char *name);     // NULL: it has none
const char *get_text(json_object *object, const char *name); // "" where it has none

// The row where a column is that text, or -1; that of an interface, which must be there.
long find_row(const struct rows *rows, size_t column, const char *text);
size_t row_of(const struct rig *rig, const char *interface);
