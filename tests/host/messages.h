// SPDX-License-Identifier: GPL-2.0-or-later
// Netlink messages
//
// Made here as kernels of several ages make them, and the rows that they become.
#pragma once

#include <netlink/msg.h>

#include "tests/host/rows.h"

extern struct rows rows;
extern struct nl_msg *message;

void teardown(void); // frees both

// Begins a message of that type, and with it the rows of a table anew; attributes are added to it
// with nla_put_*().
void begin(const struct table *table, int type, const void *header, size_t n);
