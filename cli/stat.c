// SPDX-License-Identifier: GPL-2.0-or-later
// stat: the counters
//
// What netstat -su and nstat show, IPv4 and IPv6 side by side, with growth over an interval.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/judge.h"
#include "cli/live.h"
#include "cli/pause.h"
#include "cli/stat_rows.h"
#include "cli/verbs.h"
#include "collectors/collector.h"
#include "core/cleanup.h"
#include "core/growth.h"
#include "core/moment.h"

#define INTERVAL_MS 1000
#define INTERVAL_LEAST_MS 100

enum { WATCH, COUNT, NETNS, ONCE, ALL };
static const struct option_spec options[] = {
    [WATCH] = { "watch", "[SECONDS]", "Go on, and show the growth of every second or of so many" },
    [COUNT] = { "count", "N", "With --watch: end after N times" },
    [NETNS] = { "netns", "NAME",
            "Of this network namespace, not that of this program; a wrong name is answered with all of them" },
    [ONCE] = { "once", NULL, "One look, without growth" },
    [ALL] = { "all", NULL, "Counters of IP that are 0 as well" },
};

// The counters of one namespace at one moment.
struct look {
    const struct table *snmp;
    char *netns;
    cell *cells; // NULL: the namespace is not there
    int64_t monotonic_ms;
};

struct request {
    const char *netns;          // NULL: see find_netns()
    ino_t own_netns;            // 0: not known, or not this host
    int64_t interval_ms, count; // count: 0 endless
    bool watch, once, all;
};

enum {
    NAME,
    GROUP,
    SHORT,
    IPV4_NAME,
    IPV4,
    IPV4_GROWTH,
    IPV4_RATE,
    IPV6_NAME,
    IPV6,
    IPV6_GROWTH,
    IPV6_RATE,
    WORDS
};
static const struct writer_column columns[] = {
    [NAME] = { NULL, "COUNTER" },
    [GROUP] = { "group", NULL },
    [SHORT] = { "name", NULL },
    [IPV4_NAME] = { "ipv4_name", NULL },
    [IPV4] = { "ipv4", "IPv4", NULL, WRITER_RIGHT },
    [IPV4_GROWTH] = { "ipv4_growth", "growth", NULL, WRITER_RIGHT },
    [IPV4_RATE] = { "ipv4_rate", "rate", "/s", WRITER_RIGHT },
    [IPV6_NAME] = { "ipv6_name", NULL },
    [IPV6] = { "ipv6", "IPv6", NULL, WRITER_RIGHT },
    [IPV6_GROWTH] = { "ipv6_growth", "growth", NULL, WRITER_RIGHT },
    [IPV6_RATE] = { "ipv6_rate", "rate", "/s", WRITER_RIGHT },
    [WORDS] = { "netstat", NULL },
};
#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static const struct writer_column head_columns[] = {
    { "netns", NULL },
    { "at", NULL },
    { "seconds", NULL },
};
static const struct writer_table head = { NULL, NULL, NULL, head_columns, 3 };

static const char *name_of(const struct rows *rows, size_t i) {
    return rows_text(rows, rows_at(rows, i)[table_column(rows->table, "netns")]);
}

static int look_copy(struct look *look, const struct rows *rows, size_t i, int64_t monotonic_ms) {
    size_t size = rows->table->n_columns * sizeof(*look->cells);
    look->netns = strdup(name_of(rows, i));
    look->cells = malloc(size);
    if (!look->netns || !look->cells)
        return -ENOMEM;
    memcpy(look->cells, rows_at(rows, i), size);
    look->monotonic_ms = monotonic_ms;
    return 0;
}

static void look_done(struct look *look) {
    free(look->netns);
    free(look->cells);
    look->netns = NULL;
    look->cells = NULL;
}

static const struct rows *snmp_rows(const struct sample *sample) {
    for (size_t i = 0; i < sample->n_tables; i++)
        if (strcmp(sample->rows[i].table->name, "snmp") == 0)
            return &sample->rows[i];
    return NULL;
}

// Without a name it is the namespace that netstat would show: the one this program runs in; the
// host's where that one cannot be told. Returns rows->n if it is not there.
static size_t find_netns(const struct request *request, const struct rows *rows) {
    int inode = table_column(rows->table, "netns_inode");
    size_t i;
    for (i = 0; i < rows->n && !request->netns; i++)
        if (rows_at(rows, i)[inode] == (cell) request->own_netns)
            return i;
    for (i = 0; i < rows->n; i++)
        if (strcmp(name_of(rows, i), request->netns ? request->netns : "host") == 0)
            break;
    return i;
}

// 0, 1: there is no such namespace, or -errno.
static int take_look(struct live *live, const struct request *request, struct look *ret) {
    int r = live_look(live);
    if (r < 0)
        return r;
    const struct rows *rows = snmp_rows(live_sample(live));
    size_t i = find_netns(request, rows);
    *ret = (struct look){ .snmp = rows->table };
    return i < rows->n ? look_copy(ret, rows, i, live_sample(live)->monotonic_ms) : 1;
}

static int tell_missing(struct live *live, const char *netns) {
    const struct rows *rows = snmp_rows(live_sample(live));
    char *names = NULL;
    size_t size;
    FILE *out = open_memstream(&names, &size);
    int key = table_column(rows->table, "netns");
    for (size_t i = 0; out && i < rows->n; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", rows_text(rows, rows_at(rows, i)[key]));
    if (out)
        fclose(out);
    int r = rows->n == 0 ? complain(STATUS_NO_DATA, "there are no counters to read")
                         : complain(STATUS_ERROR, "there is no network namespace %s, but %s", netns,
                                   names);
    free(names);
    return r;
}

static cell value_at(const struct look *look, int column) {
    return look->cells && column >= 0 ? look->cells[column] : CELL_NULL;
}

// Another namespace under the same name begins anew.
static bool is_same(const struct look *before, const struct look *now) {
    int inode = table_column(now->snmp, "netns_inode");
    return before->cells && now->cells && (inode < 0 || before->cells[inode] == now->cells[inode]);
}

static void put_family(
        struct writer *writer, const struct look *before, const struct look *now, int column) {
    double seconds = (double) (now->monotonic_ms - before->monotonic_ms) / 1e3;
    cell growth = is_same(before, now) && column >= 0
                          ? growth_of(value_at(before, column), value_at(now, column), seconds)
                          : CELL_NULL;
    writer_text(writer, column >= 0 ? now->snmp->columns[column].field : NULL);
    writer_integer(writer, value_at(now, column));
    writer_integer(writer, growth);
    writer_real(writer, growth == CELL_NULL || seconds <= 0 ? NAN : (double) growth / seconds);
}

static bool is_zero(const struct look *look, int column) {
    cell value = value_at(look, column);
    return value == CELL_NULL || value == 0;
}

static void put_rows(struct cli *cli, const struct request *request, const struct look *before,
        const struct look *now, const struct stat_row *rows, size_t n) {
    static const size_t of_growth[] = { IPV4_GROWTH, IPV4_RATE, IPV6_GROWTH, IPV6_RATE };
    struct writer_column shown_columns[N_COLUMNS];
    const struct writer_table table = { "counters", NULL, NULL, shown_columns, N_COLUMNS };
    memcpy(shown_columns, columns, sizeof(columns));
    for (size_t i = 0; i < 4 && !before->cells; i++) // of one look there is no growth to show
        shown_columns[of_growth[i]].label = NULL;
    writer_begin(cli->writer, &table);
    for (size_t i = 0; i < n; i++) {
        const struct stat_row *row = &rows[i];
        bool shown = cli->json || request->all || strcmp(row->group, "Udp") == 0;
        if (!shown && is_zero(now, row->ipv4) && is_zero(now, row->ipv6))
            continue;
        int named = row->ipv4 >= 0 ? row->ipv4 : row->ipv6;
        writer_row(cli->writer, STYLE_PLAIN);
        writer_text(cli->writer, now->snmp->columns[named].field);
        writer_text(cli->writer, row->group);
        writer_text(cli->writer, row->name);
        put_family(cli->writer, before, now, row->ipv4);
        put_family(cli->writer, before, now, row->ipv6);
        writer_text(cli->writer, stat_words(row));
    }
    writer_end(cli->writer);
}

static void put_head(struct cli *cli, const char *netns, int64_t wall_ms, double seconds) {
    char moment[MOMENT_SIZE];
    _cleanup_free_ char *text = NULL;
    int n = isnan(seconds) ? asprintf(&text, "%s at %s", netns,
                                     moment_format_short(wall_ms, wall_ms, moment))
                           : asprintf(&text, "%s at %s, growth in %.3g s", netns,
                                     moment_format_short(wall_ms, wall_ms, moment), seconds);
    writer_record(cli->writer, &head);
    writer_text(cli->writer, netns);
    writer_moment(cli->writer, wall_ms);
    writer_real(cli->writer, seconds);
    writer_end(cli->writer);
    writer_sentence(cli->writer, STYLE_BOLD, n < 0 ? netns : text);
}

static int put_look(struct cli *cli, const struct request *request, const struct look *before,
        const struct look *now, int64_t wall_ms) {
    _cleanup_free_ struct stat_row *rows = calloc(now->snmp->n_columns, sizeof(*rows));
    if (!rows)
        return complain_errno(ENOMEM, "counters");
    size_t n = stat_rows(now->snmp, rows);
    put_head(cli, now->netns, wall_ms,
            before->cells ? (double) (now->monotonic_ms - before->monotonic_ms) / 1e3 : NAN);
    put_rows(cli, request, before, now, rows, n);
    return STATUS_OK;
}

static int fail(const struct cli *cli, struct live *live, const struct request *request, int r) {
    return r == 1 ? tell_missing(live, request->netns ? request->netns : "host")
                  : complain_errno(r, "%s", cli->root ? cli->root : "/proc");
}

// Looks, waits, looks again and shows the difference, as often as asked.
static int watch(
        struct cli *cli, const struct request *request, struct live *live, struct look *before) {
    int64_t next_ms = pause_clock_ms();
    for (int64_t i = 0; request->count == 0 || i < request->count; i++) {
        struct look now;
        next_ms += request->interval_ms;
        if (pause_until(next_ms) == 1)
            return STATUS_OK;
        int r = take_look(live, request, &now);
        if (r != 0)
            return fail(cli, live, request, r);
        if (request->watch && cli->terminal.is_terminal && !cli->json)
            fputs("\033[H\033[J", stdout);
        r = put_look(cli, request, before, &now, live_sample(live)->wall_ms);
        look_done(before);
        *before = now;
        if (r != STATUS_OK || ferror(stdout))
            return r;
        if (request->watch)
            writer_next(cli->writer);
    }
    return STATUS_OK;
}

static int look_and_show(struct cli *cli, const struct request *request, struct live *live) {
    _cleanup_(look_done) struct look before = { 0 };
    struct look none = { 0 };
    sigset_t mask;
    int r = take_look(live, request, &before);
    if (r != 0)
        return fail(cli, live, request, r);
    if (request->once)
        return put_look(cli, request, &none, &before, live_sample(live)->wall_ms);
    pause_begin(&mask);
    r = watch(cli, request, live, &before);
    pause_end(&mask);
    return r;
}

static int read_count(const char *text, int64_t *ret) {
    char *end;
    long long n = strtoll(text, &end, 10);
    if (*end || n < 1 || n > 1000000000)
        return complain(STATUS_USAGE, "--count %s is no number of times", text);
    *ret = n;
    return 0;
}

static ino_t own_netns(void) {
    struct stat status;
    return stat("/proc/self/ns/net", &status) == 0 ? status.st_ino : 0;
}

static int read_request(
        const struct cli *cli, const struct option_list *given, struct request *request) {
    const char *watch_text = option_text(given, WATCH), *count = option_text(given, COUNT);
    const char *netns = option_text(given, NETNS);
    *request = (struct request){
        .netns = netns,
        .own_netns = cli->root ? 0 : own_netns(),
        .interval_ms = INTERVAL_MS,
        .count = 1,
        .watch = option_given(given, WATCH),
        .all = option_given(given, ALL),
    };
    // The files of a capture do not grow.
    request->once = option_given(given, ONCE) || (cli->root && !request->watch);
    if (request->once && request->watch)
        return complain(STATUS_USAGE, "--once and --watch exclude each other");
    if (count && !request->watch)
        return complain(STATUS_USAGE, "--count needs --watch");
    request->count = request->watch ? 0 : 1;
    int r = watch_text ? read_span("watch", watch_text, INTERVAL_LEAST_MS, &request->interval_ms)
                       : 0;
    return r == 0 && count ? read_count(count, &request->count) : r;
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    struct request request;
    _cleanup_(judge_live_done) struct live *live = NULL;
    int r = read_request(cli, given, &request);
    if (r != 0)
        return r;
    r = live_new(cli->root, LIVE_COUNTERS, &live);
    if (r < 0)
        return complain_errno(r, "%s", cli->root ? cli->root : "/");
    return look_and_show(cli, &request, live);
}

const struct verb verb_stat = {
    .name = "stat",
    .arguments = "",
    .help = "Show the counters of netstat -su, IPv4 and IPv6, with their growth",
    .more = "Two looks, a second apart. Columns: the counter by nstat's name, its value, its growth between the looks "
            "and the rate of that, for IPv4 and for IPv6. A counter that this kernel does not have is shown as a dash.",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .run = run,
};
