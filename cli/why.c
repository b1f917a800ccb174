// SPDX-License-Identifier: GPL-2.0-or-later
// why: the answer
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/database.h"
#include "cli/judge.h"
#include "cli/narrow.h"
#include "cli/pasted.h"
#include "cli/verbs.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "core/mute.h"
#include "core/text.h"

#define WINDOW_DEFAULT_MS 600000
#define LIVE_DEFAULT_S 3
#define LIVE_LEAST_MS 200

enum { LIVE, SINCE, UNTIL, AT, PORT, PROCESS, NETNS, ALL, CAPTURE, SHOW_INPUT };
static const struct option_spec options[] = {
    [LIVE] = { "live", "[SECONDS]", "Look at this host now, for 3 seconds or as many as given" },
    [SINCE] = { "since", "MOMENT", "Begin of the window in the history; 10 minutes ago" },
    [UNTIL] = { "until", "MOMENT", "End of the window in the history; now" },
    [AT] = { "at", "MOMENT", "The 10 minutes around that moment" },
    [PORT] = { "port", "N", "Only what is about the sockets of this local port" },
    [PROCESS] = { "process", "NAME", "Only what is about the sockets of processes of this name" },
    [NETNS] = { "netns", "NAME", "Only what happened in this network namespace" },
    [ALL] = { "all", NULL, "Leave nothing out: every cause, all that was ruled out or not judged" },
    [CAPTURE] = { "capture", "PATH",
            "Judge a capture, or the outputs in a support bundle: a folder or an archive" },
    [SHOW_INPUT] = { "show-input", NULL,
            "Of files: also say what each line was taken for, and what was skipped" },
};

enum look {
    LOOK_AUTO, // history where it is fresh, else live
    LOOK_LIVE,
    LOOK_ONCE,    // one look: since boot
    LOOK_HISTORY, // asked for
};

struct request {
    enum look look;
    double seconds;           // of a live look
    int64_t start_ms, end_ms; // of the history
    bool all, up_to_now;
    struct socket_filter filter;
    bool newest; // no times given: where the history ends in the past, its last 10 minutes
};

static int read_live(const struct option_list *given, struct request *request) {
    const char *text = option_text(given, LIVE);
    int64_t ms = LIVE_DEFAULT_S * 1000;
    int r = text ? read_span("live", text, LIVE_LEAST_MS, &ms) : 0;
    request->look = LOOK_LIVE;
    request->seconds = (double) ms / 1e3;
    return r;
}

static int read_window(
        const struct cli *cli, const struct option_list *given, struct request *request) {
    const char *since = option_text(given, SINCE), *until = option_text(given, UNTIL);
    const char *at = option_text(given, AT);
    int r = 0;
    request->end_ms = cli->now_ms;
    if (until)
        r = read_moment(cli, "until", until, &request->end_ms);
    request->start_ms = request->end_ms - WINDOW_DEFAULT_MS;
    if (r == 0 && since)
        r = read_moment(cli, "since", since, &request->start_ms);
    if (r == 0 && at) {
        r = read_moment(cli, "at", at, &request->end_ms);
        request->start_ms = request->end_ms - WINDOW_DEFAULT_MS / 2;
        request->end_ms += WINDOW_DEFAULT_MS / 2;
    }
    if (r == 0 && request->start_ms >= request->end_ms)
        return complain(STATUS_USAGE, "the window ends before it begins");
    request->look = LOOK_HISTORY;
    request->up_to_now = !at && request->end_ms >= cli->now_ms;
    return r;
}

static int read_request(
        const struct cli *cli, const struct option_list *given, struct request *request) {
    bool live = option_given(given, LIVE), at = option_given(given, AT);
    bool from_to = option_given(given, SINCE) || option_given(given, UNTIL);
    *request = (struct request){ .seconds = LIVE_DEFAULT_S, .all = option_given(given, ALL) };
    int r = narrow_read(option_text(given, PORT), option_text(given, PROCESS),
            option_text(given, NETNS), &request->filter);
    if (r != 0)
        return r;
    if (live + at + from_to > 1)
        return complain(STATUS_USAGE, "--live, --at and --since with --until exclude each other");
    if (live)
        return read_live(given, request);
    if (at || from_to)
        return read_window(cli, given, request);
    request->end_ms = cli->now_ms;
    request->start_ms = cli->now_ms - WINDOW_DEFAULT_MS;
    request->up_to_now = request->newest = true;
    if (option_given(&cli->globals, GLOBAL_DATABASE))
        request->look = LOOK_HISTORY;
    else if (cli->root)
        request->look = LOOK_ONCE;
    return 0;
}

static int tell(struct cli *cli, const struct request *request, struct store *store,
        struct verdict *verdict, int64_t now_ms) {
    bool complete = verdict->window.kind == WINDOW_LIVE; // all sockets were asked for
    int r = socket_filter_given(&request->filter)
                    ? narrow_verdict(store, &request->filter, complete, verdict)
                    : 0;
    if (r == 0 && request->look == LOOK_AUTO && !complete)
        r = narrow_look_now(&request->filter, verdict);
    if (r != 0)
        return r < 0 ? database_failed(store, r) : STATUS_ERROR;
    mute_verdict(config_values(cli->config), verdict);
    writer_verdict(cli->writer, verdict, request->all, now_ms);
    return verdict_exit_status(verdict);
}

static int answer_live(struct cli *cli, struct request *request, const struct rule_set *rules) {
    bool once = request->look == LOOK_ONCE;
    _cleanup_(judge_live_done) struct live *live = NULL;
    _cleanup_(judge_verdict_done) struct verdict *verdict = NULL;
    int r = live_new(cli->root, once ? LIVE_SINCE_BOOT : LIVE_WINDOW, &live);
    if (r < 0)
        return complain_errno(r, "%s", cli->root ? cli->root : "/");
    request->filter.here = !cli->root;
    if (request->filter.port != CELL_NULL || request->filter.process)
        live_want_all_sockets(live);
    r = once ? live_look(live) : live_run(live, rules, request->seconds);
    if (r == 0)
        r = judge_live(rules, live, &verdict);
    if (r < 0)
        return database_failed(live_store(live), r);
    if (r == 1)
        return complain(
                STATUS_NO_DATA, "%s has nothing to read", cli->root ? cli->root : "this host");
    return tell(cli, request, live_store(live), verdict, live_sample(live)->wall_ms);
}

static int tell_empty(const struct cli *cli, struct store *store, const struct database_age *age) {
    char first[MOMENT_SIZE], last[MOMENT_SIZE];
    int64_t first_ms;
    if (age->last_ms == 0 || database_first(store, &first_ms) < 0 || first_ms == CELL_NULL)
        return database_tell_stale(age);
    return complain(STATUS_NO_DATA, "no samples in that window; the history reaches from %s to %s",
            moment_format_short(first_ms, cli->now_ms, first),
            moment_format_short(age->last_ms, cli->now_ms, last));
}

static int answer_history(struct cli *cli, const struct request *request,
        const struct rule_set *rules, struct store *store, const struct database_age *age) {
    _cleanup_(judge_verdict_done) struct verdict *verdict = NULL;
    int r = judge_history(rules, store, request->start_ms, request->end_ms, &verdict);
    if (r < 0)
        return database_failed(store, r);
    if (r == 1)
        return tell_empty(cli, store, age);
    int status = tell(cli, request, store, verdict, cli->now_ms);
    return age->fresh || !request->up_to_now ? status : database_tell_stale(age);
}

static int answer_asked_history(
        struct cli *cli, struct request *request, const struct rule_set *rules) {
    _cleanup_(database_close) struct store *store = NULL;
    struct database_age age;
    int r = database_open(cli, &store);
    if (r != 0)
        return r;
    r = database_age(cli, store, &age);
    if (r < 0)
        return database_failed(store, r);
    if (request->newest && !age.fresh && age.last_ms > 0) {
        request->end_ms = age.last_ms;
        request->start_ms = age.last_ms - WINDOW_DEFAULT_MS;
    }
    return answer_history(cli, request, rules, store, &age);
}

static void tell_why_live(const struct request *request, const char *reason) {
    fputs("udpdiag: ", stderr);
    text_put(stderr, reason);
    fputs("; looking for ", stderr);
    text_put_duration(stderr, request->seconds);
    fputc('\n', stderr);
}

// Why the history cannot answer: malloc()ed.
static char *history_reason(const struct cli *cli, const struct database_age *age) {
    char moment[MOMENT_SIZE], *reason;
    if (age->last_ms == 0 || age->fresh)
        return strdup("the history is still empty");
    int n = asprintf(&reason, "the history ends at %s",
            moment_format_short(age->last_ms, cli->now_ms, moment));
    return n < 0 ? NULL : reason;
}

// History if it is there and fresh. Otherwise says why not, and looks.
static int answer_auto(struct cli *cli, struct request *request, const struct rule_set *rules) {
    _cleanup_(database_close) struct store *store = NULL;
    _cleanup_(judge_verdict_done) struct verdict *verdict = NULL;
    _cleanup_free_ char *reason = NULL;
    struct database_age age = { 0 };
    int r = database_try(cli, &store, &reason);
    if (r == 0)
        r = database_age(cli, store, &age);
    if (r == 0 && age.fresh) {
        r = judge_history(rules, store, request->start_ms, request->end_ms, &verdict);
        if (r == 0)
            return tell(cli, request, store, verdict, cli->now_ms);
    }
    if (!reason)
        reason = r < 0 ? strdup(strerror(-r)) : history_reason(cli, &age);
    tell_why_live(request, reason ? reason : "out of memory");
    return answer_live(cli, request, rules);
}

static int judge_files(struct cli *cli, struct request *request, const struct rule_set *rules,
        struct pasted *pasted) {
    _cleanup_(judge_verdict_done) struct verdict *verdict = NULL;
    int r = pasted_judge(rules, pasted, &verdict);
    if (r < 0)
        return database_failed(pasted->store, r);
    if (r == 1)
        return complain(STATUS_NO_DATA, "nothing in this input can be judged");
    request->filter.here = false;
    return tell(cli, request, pasted->store, verdict, cli->now_ms);
}

// What was pasted: nothing of this host is in the answer.
static int answer_files(struct cli *cli, const struct option_list *given, struct request *request,
        const struct rule_set *rules, char **paths, size_t n) {
    _cleanup_(pasted_done) struct pasted pasted;
    const char *capture = option_text(given, CAPTURE);
    int r = capture ? pasted_read_tree(cli, capture, &pasted) : pasted_read(cli, paths, n, &pasted);
    if (r == 0)
        r = judge_files(cli, request, rules, &pasted);
    // Also where nothing was known: then it says why.
    if (option_given(given, SHOW_INPUT) && pasted.intake)
        pasted_show(cli->writer, &pasted, request->all || cli->json);
    return r;
}

static int check_files(const struct cli *cli, const struct option_list *given, size_t n_files) {
    bool capture = option_given(given, CAPTURE);
    bool elsewhere = option_given(given, LIVE) || option_given(given, AT) ||
                     option_given(given, SINCE) || option_given(given, UNTIL) || cli->root ||
                     option_given(&cli->globals, GLOBAL_DATABASE);
    if ((n_files > 0 || capture) && elsewhere)
        return complain(STATUS_USAGE, "files and captures are judged alone, without --live, --at, --since, "
                                      "--until, --root or --database");
    if (n_files > 0 && capture)
        return complain(STATUS_USAGE, "files and --capture exclude each other");
    if (n_files == 0 && !capture && option_given(given, SHOW_INPUT))
        return complain(STATUS_USAGE, "--show-input needs files");
    return 0;
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    struct request request;
    _cleanup_(judge_rules_done) struct rule_set *rules = NULL;
    int r = check_files(cli, given, n_arguments);
    if (r == 0)
        r = read_request(cli, given, &request);
    if (r == 0)
        r = judge_rules(cli, &rules);
    if (r != 0)
        return r;
    if (n_arguments > 0 || option_given(given, CAPTURE)) {
        request.look = LOOK_ONCE;
        return answer_files(cli, given, &request, rules, arguments, n_arguments);
    }
    if (request.look == LOOK_AUTO)
        return answer_auto(cli, &request, rules);
    if (request.look == LOOK_HISTORY)
        return answer_asked_history(cli, &request, rules);
    return answer_live(cli, &request, rules);
}

const struct verb verb_why = {
    .name = "why",
    .arguments = "[FILE...]",
    .help = "Say why datagrams are lost, or that none are",
    .more = "Answers from the history of the last 10 minutes if the daemon is running, else from a look of a few "
            "seconds. With --root it tells the growth since boot. "
            "The first lines tell what was lost, who lost it and why. With --port, --process or --netns the host is judged "
            "as a whole and only what is about these sockets is told: the losses are then those of the sockets, the "
            "ledger is that of their namespace. "
            "Files are what somebody pasted: outputs of netstat, nstat, ss, ip, ethtool, sysctl and the like, or files of "
            "/proc, in any order and mixture, twice for two moments; - is the standard input. They are read without "
            "privileges and judged alone. "
            "Exit status: 0 nothing lost, 10 causes found, 11 a critical one, 1 error, 2 wrong usage, "
            "3 no data, or the history ends in the past.",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .most = SIZE_MAX,
    .run = run,
};
