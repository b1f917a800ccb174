// SPDX-License-Identifier: GPL-2.0-or-later
// Netlink messages
#include "tests/host/messages.h"

#define MESSAGE_BYTES 16384

struct rows rows;
struct nl_msg *message;

void teardown(void) {
    nlmsg_free(message);
    message = NULL;
    rows_done(&rows);
}

void begin(const struct table *table, int type, const void *header, size_t n) {
    rows_done(&rows);
    rows_init(&rows, table);
    nlmsg_free(message);
    message = nlmsg_alloc_size(MESSAGE_BYTES);
    nlmsg_put(message, 1, 1, type, 0, 0);
    ck_assert_int_eq(nlmsg_append(message, (void *) header, n, NLMSG_ALIGNTO), 0);
}
