// SPDX-License-Identifier: GPL-2.0-or-later
// Sockets opened anew
//
// A program that is restarted binds its port again: another socket, with another buffer perhaps,
// takes the place of one that is gone.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/text.h"
#include "rules/changes_scan.h"

static const struct setting reopened = { "socket", NULL, "socket-queue", SCOPE_PORT, NULL, false };

// Only addresses that had several sockets are asked for.
// Members of a reuseport group come and go beside each other, and take no one's place.
static const char sql[] =
        "WITH again AS ("
        " SELECT netns, address, port, protocol FROM socket"
        " GROUP BY netns, address, port, protocol HAVING count(*) > 1),"
        "life AS ("
        " SELECT netns, address, port, protocol, cookie, inode, min(step) AS first,"
        "  max(step) AS last FROM (SELECT 1 FROM again LIMIT 1) CROSS JOIN socket_step"
        "  CROSS JOIN again USING (netns, address, port, protocol)"
        " GROUP BY netns, address, port, protocol, cookie, inode"
        " HAVING max(coalesce(reuseport_members, 1)) <= 1),"
        "pair AS ("
        " SELECT b.netns, b.address, b.port, b.first, b.cookie, b.inode, a.last, a.cookie AS old_cookie,"
        "  a.inode AS old_inode, row_number() OVER (PARTITION BY b.netns, b.cookie, b.inode"
        "  ORDER BY a.last DESC) AS nth"
        " FROM life b JOIN life a USING (netns, address, port, protocol) WHERE a.last < b.first)"
        " SELECT p.first, p.netns, p.address, p.port,"
        "  (SELECT rcvbuf_bytes FROM socket_step s WHERE s.step = p.last AND s.netns = p.netns"
        "   AND s.cookie = p.old_cookie AND s.inode = p.old_inode),"
        "  (SELECT rcvbuf_bytes FROM socket_step s WHERE s.step = p.first AND s.netns = p.netns"
        "   AND s.cookie = p.cookie AND s.inode = p.inode),"
        "  o.pid, x.comm, n.pid, y.comm"
        " FROM pair p LEFT JOIN owner o ON o.inode = p.old_inode AND o.inode > 0"
        " LEFT JOIN process x ON x.pid = o.pid AND x.start_time IS o.start_time"
        " LEFT JOIN owner n ON n.inode = p.inode AND n.inode > 0"
        " LEFT JOIN process y ON y.pid = n.pid AND y.start_time IS n.start_time"
        " WHERE nth = 1 GROUP BY p.netns, p.cookie, p.inode ORDER BY p.first";
enum { AT, NETNS, ADDRESS, PORT, OLD_BUFFER, BUFFER, OLD_PID, OLD_NAME, PID, NAME };

static const char *text_of(sqlite3_stmt *row, int column) {
    return (const char *) sqlite3_column_text(row, column);
}

// "rsyslogd (pid 812), buffer 208 KiB"
static char *side_text(sqlite3_stmt *row, int buffer, int pid, int name) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const char *comm = text_of(row, name);
    bool owned = sqlite3_column_type(row, pid) != SQLITE_NULL;
    if (owned)
        fprintf(out, "%s%spid %" PRId64 "%s", comm ? comm : "", comm ? " (" : "",
                (int64_t) sqlite3_column_int64(row, pid), comm ? ")" : "");
    else
        fputs("a socket", out);
    if (sqlite3_column_type(row, buffer) != SQLITE_NULL) {
        fputs(owned ? ", buffer " : " with a buffer of ", out);
        text_put_bytes(out, sqlite3_column_int64(row, buffer));
    }
    fclose(out);
    return text;
}

static int fill_subject(sqlite3_stmt *row, struct subject *subject) {
    const char *netns = text_of(row, NETNS), *address = text_of(row, ADDRESS);
    const char *name = text_of(row, NAME);
    subject->port = sqlite3_column_int64(row, PORT);
    if (sqlite3_column_type(row, PID) != SQLITE_NULL)
        subject->pid = sqlite3_column_int64(row, PID);
    subject->netns = netns ? strdup(netns) : NULL;
    subject->address = address ? strdup(address) : NULL;
    subject->process = name ? strdup(name) : NULL;
    return (netns && !subject->netns) || (address && !subject->address) ||
                           (name && !subject->process)
                   ? -ENOMEM
                   : 0;
}

static int take(struct change_scan *scan, sqlite3_stmt *row) {
    size_t at = change_scan_index(scan, sqlite3_column_int64(row, AT));
    struct found_change *found = at < scan->n_steps ? change_scan_add(scan, &reopened, at) : NULL;
    if (!found)
        return 0;
    struct change *change = &found->change;
    if (fill_subject(row, &change->subject) < 0)
        return -ENOMEM;
    bool elsewhere = change->subject.netns && strcmp(change->subject.netns, "host") != 0;
    if (asprintf(&change->what, "socket of port %" PRId64 "%s%s opened anew", change->subject.port,
                elsewhere ? " in " : "", elsewhere ? change->subject.netns : "") < 0)
        change->what = NULL;
    change->from = side_text(row, OLD_BUFFER, OLD_PID, OLD_NAME);
    change->to = side_text(row, BUFFER, PID, NAME);
    change->unit = strdup("");
    return change->what && change->from && change->to && change->unit ? 0 : -ENOMEM;
}

// An address that had several sockets.
static const char again_sql[] =
        "EXISTS (SELECT 1 FROM socket GROUP BY netns, address, port, protocol HAVING count(*) > 1)";

int change_scan_reopened(struct change_scan *scan) {
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    int r = 0;
    if (!sandbox_holds(scan->sandbox, again_sql))
        return 0;
    if (sandbox_own(scan->sandbox, sql, &row) != SQLITE_OK)
        return -EIO;
    while (r == 0 && sandbox_step(scan->sandbox, row) == SQLITE_ROW)
        r = take(scan, row);
    return r;
}
