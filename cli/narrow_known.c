// SPDX-License-Identifier: GPL-2.0-or-later
// What is known of sockets
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/narrow_known.h"
#include "core/cleanup.h"
#include "core/text.h"

#define KNOWN_SHOWN 4

static void finalize(sqlite3_stmt **statement) {
    sqlite3_finalize(*statement);
}

int narrow_find_blindness(struct store *store, char **ret) {
    static const char sql[] = "SELECT reason FROM main.outcome WHERE table_name = 'socket'"
                              " AND state IN ('absent', 'denied', 'failed')";
    _cleanup_(finalize) sqlite3_stmt *row = NULL;
    *ret = NULL;
    if (sqlite3_prepare_v2(store_db(store), sql, -1, &row, NULL) != SQLITE_OK)
        return -EIO;
    if (sqlite3_step(row) != SQLITE_ROW)
        return 0;
    const char *reason = (const char *) sqlite3_column_text(row, 0);
    *ret = strdup(reason && *reason ? reason : "for an unknown reason");
    return *ret ? 0 : -ENOMEM;
}

static int add_known(struct narrowing *narrowing, char *sentence) {
    char **known = reallocarray(narrowing->known, narrowing->n_known + 1, sizeof(*known));
    if (!known || !sentence) {
        free(sentence);
        narrowing->known = known ? known : narrowing->known;
        return -ENOMEM;
    }
    narrowing->known = known;
    known[narrowing->n_known++] = sentence;
    return 0;
}

// "0.0.0.0:514, rsyslogd (pid 812), rsyslog.service: 31 dropped in this time, 31 since it was
// opened, at most 200 KiB of 208 KiB waiting"
static char *socket_sentence(const struct socket_info *socket, bool now) {
    _cleanup_free_ char *name = socket_name(socket), *owners = socket_owners_text(socket);
    char *text = NULL;
    size_t size;
    FILE *out = name && owners ? open_memstream(&text, &size) : NULL;
    if (!out)
        return NULL;
    fprintf(out, "%s%s, %s: ", now ? "now: " : "", name, owners);
    if (!now) {
        text_put_count(out, socket->drops == CELL_NULL ? 0 : socket->drops);
        fputs(" dropped in this time, ", out);
    }
    if (socket->total_drops != CELL_NULL) {
        text_put_count(out, socket->total_drops);
        fputs(now ? " dropped since it was opened" : " since it was opened", out);
    }
    if (socket->highest_queue_bytes != CELL_NULL) {
        fputs("; at most ", out);
        text_put_bytes(out, socket->highest_queue_bytes);
    }
    if (socket->rcvbuf_bytes != CELL_NULL) {
        fputs(socket->highest_queue_bytes != CELL_NULL ? " of " : "; buffer ", out);
        text_put_bytes(out, socket->rcvbuf_bytes);
    }
    fputs(socket->highest_queue_bytes != CELL_NULL ? " waiting" : "", out);
    fclose(out);
    return text;
}

static char *nothing_sentence(
        const struct socket_filter *filter, const char *blind, bool complete) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (blind) {
        fprintf(out, "sockets were not read: %s", blind);
        fclose(out);
        return text;
    }
    fputs(complete ? "there is no socket" : "no socket was seen", out);
    if (filter->process)
        fprintf(out, " of a process %s", filter->process);
    if (filter->port != CELL_NULL)
        fprintf(out, " on port %" PRId64, filter->port);
    if (filter->netns)
        fprintf(out, " in %s", filter->netns);
    if (!complete)
        fputs("; those to which nothing happens are not stored", out);
    fclose(out);
    return text;
}

int narrow_tell_known(const struct socket_filter *filter, const struct socket_list *sockets,
        const char *blind, bool complete, struct narrowing *narrowing) {
    int r = 0;
    if (sockets->n == 0)
        return add_known(narrowing, nothing_sentence(filter, blind, complete));
    for (size_t i = 0; r == 0 && i < sockets->n && i < KNOWN_SHOWN; i++)
        r = add_known(narrowing, socket_sentence(&sockets->list[i], false));
    char *more = NULL;
    if (r == 0 && sockets->n > KNOWN_SHOWN)
        r = asprintf(&more, "and %zu more sockets", sockets->n - KNOWN_SHOWN) < 0
                    ? -ENOMEM
                    : add_known(narrowing, more);
    return r;
}

int narrow_tell_now(const struct socket_list *sockets, struct narrowing *narrowing) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < sockets->n && i < KNOWN_SHOWN; i++)
        r = add_known(narrowing, socket_sentence(&sockets->list[i], true));
    return r;
}
