// SPDX-License-Identifier: GPL-2.0-or-later
// sockets: who loses how much
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/database.h"
#include "cli/judge.h"
#include "cli/live.h"
#include "cli/narrow.h"
#include "cli/narrow_known.h"
#include "cli/socket_list.h"
#include "cli/verbs.h"
#include "cli/verdict_text.h"
#include "core/cleanup.h"
#include "core/text.h"

#define LIVE_DEFAULT_MS 1000
#define LIVE_LEAST_MS 200
#define WINDOW_DEFAULT_MS 600000

enum { LOSSY, PORT, PROCESS, NETNS, LIVE, SINCE };
static const struct option_spec options[] = {
    [LOSSY] = { "lossy", NULL, "Only sockets that lost datagrams in that time" },
    [PORT] = { "port", "N", "Only sockets of this local port" },
    [PROCESS] = { "process", "NAME", "Only sockets of processes of this name" },
    [NETNS] = { "netns", "NAME", "Only sockets in this network namespace" },
    [LIVE] = { "live", "[SECONDS]", "Look for so long; 1 second" },
    [SINCE] = { "since", "MOMENT",
            "From the history, which has only sockets that something happened to; 10 minutes ago" },
};

struct request {
    struct socket_filter filter;
    bool history;
    double seconds;
    int64_t start_ms;
};

static int read_request(
        const struct cli *cli, const struct option_list *given, struct request *request) {
    const char *since = option_text(given, SINCE), *live = option_text(given, LIVE);
    int64_t live_ms = LIVE_DEFAULT_MS;
    *request = (struct request){ .start_ms = CELL_NULL };
    int r = narrow_read(option_text(given, PORT), option_text(given, PROCESS),
            option_text(given, NETNS), &request->filter);
    if (r == 0 && since && option_given(given, LIVE))
        return complain(STATUS_USAGE, "--live and --since exclude each other");
    if (r == 0 && since)
        r = read_moment(cli, "since", since, &request->start_ms);
    if (r == 0 && live)
        r = read_span("live", live, LIVE_LEAST_MS, &live_ms);
    request->filter.lossy = option_given(given, LOSSY);
    request->seconds = (double) live_ms / 1e3;
    request->history =
            since || (option_given(&cli->globals, GLOBAL_DATABASE) && !option_given(given, LIVE));
    return r;
}

static const struct writer_column columns[] = {
    { "lost", "LOST", "", WRITER_RIGHT },
    { "rate", "RATE", "datagrams/s", WRITER_RIGHT },
    { "drops", "TOTAL", "", WRITER_RIGHT },
    { "queue_bytes", "QUEUE", "bytes", WRITER_RIGHT },
    { "queue_max_bytes", NULL },
    { "rmem_bytes", NULL },
    { "rcvbuf_bytes", "BUFFER", "bytes", WRITER_RIGHT },
    { "netns", NULL },
    { "protocol", NULL },
    { "address", NULL },
    { "port", NULL },
    { "peer_address", NULL },
    { "peer_port", NULL },
    { "interface", NULL },
    { "uid", NULL },
    { "inode", NULL },
    { "cookie", NULL },
    { "owner_state", NULL },
    { "kernel_user", NULL },
    { NULL, "SOCKET" },
    { "owners", "OWNER", NULL, WRITER_WRAP },
};
static const struct writer_table table = { "sockets", NULL, NULL, columns,
    sizeof(columns) / sizeof(columns[0]) };

static json_object *owners_json(const struct socket_info *socket) {
    json_object *owners = json_object_new_array();
    for (size_t i = 0; owners && i < socket->n_owners; i++) {
        const struct socket_owner *owner = &socket->owners[i];
        json_object *json = json_object_new_object();
        json_object_object_add(json, "pid", json_object_new_int64(owner->pid));
        json_object_object_add(json, "process", text_json(owner->process));
        json_object_object_add(json, "executable", text_json(owner->executable));
        json_object_object_add(json, "unit", text_json(owner->unit));
        json_object_object_add(json, "container", text_json(owner->container));
        json_object_array_add(owners, json);
    }
    return owners;
}

static void put_socket(struct writer *writer, const struct socket_info *socket, double seconds) {
    _cleanup_free_ char *name = socket_name(socket), *owners = socket_owners_text(socket);
    bool known = socket->drops != CELL_NULL && seconds > 0;
    writer_row(writer, known && socket->drops > 0 ? STYLE_WARNING : STYLE_PLAIN);
    writer_integer(writer, socket->drops);
    writer_real(writer, known ? (double) socket->drops / seconds : NAN);
    writer_integer(writer, socket->total_drops);
    writer_integer(writer, socket->queue_bytes);
    writer_integer(writer, socket->highest_queue_bytes);
    writer_integer(writer, socket->rmem_bytes);
    writer_integer(writer, socket->rcvbuf_bytes);
    writer_text(writer, socket->netns);
    writer_text(writer, socket->protocol);
    writer_text(writer, socket->address);
    writer_integer(writer, socket->port);
    writer_text(writer, socket->peer_address);
    writer_integer(writer, socket->peer_port);
    writer_text(writer, socket->interface);
    writer_integer(writer, socket->uid);
    writer_integer(writer, socket->inode);
    writer_integer(writer, socket->cookie);
    writer_text(writer, socket->owner_state);
    writer_text(writer, socket->kernel_user);
    writer_text(writer, name);
    writer_nested(writer, owners_json(socket), owners);
}

// "4 sockets; 2 of them lost 1,000 datagrams in 10 min"
static void put_summary(struct writer *writer, const struct socket_list *list, double seconds) {
    size_t lossy = 0, size;
    int64_t lost = 0;
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < list->n; i++)
        if (list->list[i].drops != CELL_NULL && list->list[i].drops > 0) {
            lossy++;
            lost += list->list[i].drops;
        }
    if (!out)
        return;
    fprintf(out, "%zu socket%s; ", list->n, list->n == 1 ? "" : "s");
    if (lossy > 0)
        fprintf(out, "%zu of them lost ", lossy);
    else
        fputs("none of them lost any", out);
    if (lossy > 0)
        text_put_count(out, lost);
    fputs(lost == 1 ? " datagram in " : lossy > 0 ? " datagrams in " : " datagram in ", out);
    text_put_duration(out, seconds);
    fclose(out);
    writer_sentence(writer, lossy > 0 ? STYLE_BOLD : STYLE_GOOD, text);
    free(text);
}

// Nothing to list: that sockets could not be read is another answer than that there are none.
static int tell_none(struct cli *cli, struct store *store, const struct socket_filter *filter) {
    _cleanup_free_ char *blind = NULL;
    int r = narrow_find_blindness(store, &blind);
    if (r < 0)
        return database_failed(store, r);
    if (blind)
        return complain(STATUS_NO_DATA, "sockets were not read: %s", blind);
    writer_sentence(cli->writer, STYLE_PLAIN,
            filter->lossy ? "no socket lost datagrams in that time" : "no such socket");
    return STATUS_OK;
}

static int show(struct cli *cli, struct store *store, const struct request *request,
        const struct window *window) {
    static const struct writer_column record_columns[] = { { "kind", NULL }, { "seconds", NULL } };
    static const struct writer_table record = { NULL, NULL, NULL, record_columns, 2 };
    _cleanup_(socket_list_done) struct socket_list list = { 0 };
    int r = socket_list_read(store, &request->filter, &list);
    if (r < 0)
        return database_failed(store, r);
    writer_record(cli->writer, &record);
    writer_text(cli->writer, window_kind_name(window->kind));
    writer_real(cli->writer, window->seconds);
    writer_end(cli->writer);
    if (list.n > 0)
        put_summary(cli->writer, &list, window->seconds);
    writer_begin(cli->writer, &table);
    for (size_t i = 0; i < list.n; i++)
        put_socket(cli->writer, &list.list[i], window->seconds);
    writer_end(cli->writer);
    return list.n > 0 ? STATUS_OK : tell_none(cli, store, &request->filter);
}

static int show_history(struct cli *cli, const struct request *request) {
    _cleanup_(database_close) struct store *store = NULL;
    struct database_age age;
    struct window window;
    int r = database_open(cli, &store);
    if (r != 0)
        return r;
    r = database_age(cli, store, &age);
    int64_t end_ms = age.fresh || request->start_ms != CELL_NULL ? cli->now_ms : age.last_ms;
    int64_t start_ms =
            request->start_ms != CELL_NULL ? request->start_ms : end_ms - WINDOW_DEFAULT_MS;
    if (r == 0)
        r = window_open(store, WINDOW_HISTORY, start_ms, end_ms, &window);
    if (r < 0)
        return database_failed(store, r);
    if (r == 1)
        return database_tell_stale(&age);
    r = show(cli, store, request, &window);
    return r != STATUS_OK || age.fresh ? r : database_tell_stale(&age);
}

static int show_live(struct cli *cli, struct request *request) {
    _cleanup_(judge_live_done) struct live *live = NULL;
    struct window window;
    int r = live_new(cli->root, cli->root ? LIVE_SINCE_BOOT : LIVE_WINDOW, &live);
    if (r < 0)
        return complain_errno(r, "%s", cli->root ? cli->root : "/");
    live_want_all_sockets(live);
    request->filter.here = !cli->root;
    r = cli->root ? live_look(live) : live_run(live, NULL, request->seconds);
    if (r == 0)
        r = live_window(live, &window);
    if (r < 0)
        return database_failed(live_store(live), r);
    if (r == 1)
        return complain(STATUS_NO_DATA, "there is nothing to read");
    return show(cli, live_store(live), request, &window);
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    struct request request;
    int r = read_request(cli, given, &request);
    if (r != 0)
        return r;
    return request.history ? show_history(cli, &request) : show_live(cli, &request);
}

const struct verb verb_sockets = {
    .name = "sockets",
    .arguments = "",
    .help = "List the UDP sockets with what they lost, their queue, buffer and owner",
    .more = "Looks at this host for a second; those that lost the most stand first. LOST and RATE are of that time, TOTAL "
            "since the socket was opened; QUEUE is what waits to be read, BUFFER its limit. Without root, owners of "
            "other users' sockets are not visible.",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .run = run,
};
