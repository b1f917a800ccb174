// SPDX-License-Identifier: GPL-2.0-or-later
// Socket files
#include "tests/socket/files.h"

#include <stdio.h>
#include <stdlib.h>

#include "collectors/list.h"

struct rig rig;

void set_up(void) {
    rig_start_empty(&rig, &socket_collector);
    rig.context.now_ms = 5000000;
}

void tear_down(void) {
    rig_stop(&rig);
}

void write_udp(const char *path, const struct socket_line *lines, size_t n) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fputs(NAMES, out);
    for (size_t i = 0; i < n; i++)
        fprintf(out,
                "%5zu: 0100007F:%04X 00000000:0000 07 00000000:%08X 00:00000000 00000000   101        0 "
                "%u 2 0000000000000000 %u         \n",
                i, lines[i].port, lines[i].queue, lines[i].inode, lines[i].drops);
    fclose(out);
    rig_write(&rig, path, text, length);
    free(text);
}

void look(void) {
    rig.context.now_ms += 1000;
    rig_look(&rig);
}

long row_of(unsigned port) {
    for (size_t i = 0; i < rig.rows.n; i++)
        if (rows_at(&rig.rows, i)[SOCKET_PORT] == (cell) port)
            return (long) i;
    return -1;
}

cell value(unsigned port, int column) {
    long i = row_of(port);
    ck_assert_msg(i >= 0, "no row of port %u", port);
    return rows_at(&rig.rows, (size_t) i)[column];
}

const char *text(unsigned port, int column) {
    return rows_text(&rig.rows, value(port, column));
}

cell before(unsigned port, int column) {
    ck_assert_int_ge(row_of(port), 0);
    return rows_before_at(&rig.rows, (size_t) row_of(port))[column];
}
