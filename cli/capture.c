// SPDX-License-Identifier: GPL-2.0-or-later
// capture: take this host along
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/aliases.h"
#include "cli/bundle.h"
#include "cli/capture_netlink.h"
#include "cli/capture_raw.h"
#include "cli/judge.h"
#include "cli/verbs.h"
#include "collectors/rtnl.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "formats/capture.h"

#define FOR_DEFAULT_MS 10000
#define FOR_LEAST_MS 400 // two looks
#define FOR_MOST_MS 600000
#define PATH_SIZE 64

enum { FOR, HIDE_ADDRESSES };
static const struct option_spec options[] = {
    [FOR] = { "for", "SECONDS", "Look for so long, at most 10 minutes; 10 seconds" },
    [HIDE_ADDRESSES] = { "hide-addresses", NULL,
            "Give each address another name, and leave out files that hold addresses" },
};

struct taking {
    struct bundle *bundle;
    struct source *source;
    struct aliases *aliases; // NULL: addresses are not hidden
    struct capture_dumps dumps;
    json_object *left_out;
    unsigned looks;
    int64_t start_ms, end_ms;
    size_t bytes;
};

static int put_raw(struct taking *taking, const struct sample *sample, const char *folder) {
    int r = taking->aliases ? capture_dumps_leave_out(folder, taking->left_out)
                            : capture_dumps_put(&taking->dumps, taking->looks, folder,
                                      taking->bundle, taking->left_out);
    return r < 0 ? r
                 : capture_raw(taking->source, sample, taking->aliases, folder, taking->bundle,
                           taking->left_out);
}

// With each look of the live host.
static int take_look(void *data, const struct sample *sample) {
    struct taking *taking = data;
    _cleanup_free_ char *text = NULL;
    char path[PATH_SIZE];
    size_t length;
    if (taking->looks == CAPTURE_MAX_LOOKS)
        return 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return -ENOMEM;
    int r = sample_text_write(
            sample, taking->aliases ? aliases_replace : NULL, taking->aliases, out);
    if (fclose(out) != 0 && r == 0)
        r = -ENOMEM;
    if (r < 0)
        return r;
    if (taking->looks++ == 0)
        taking->start_ms = sample->wall_ms;
    taking->end_ms = sample->wall_ms;
    snprintf(path, sizeof(path), CAPTURE_LOOK, taking->looks);
    taking->dumps.look = taking->looks + 1; // those of the next one
    r = bundle_put(taking->bundle, path, text, length);
    return r < 0 || taking->looks > 1 ? r : put_raw(taking, sample, CAPTURE_FIRST);
}

static void add(json_object *object, const char *key, json_object *value) {
    json_object_object_add(object, key, value);
}

static json_object *moment(int64_t ms) {
    char text[MOMENT_SIZE];
    return json_object_new_string(moment_format(ms, text));
}

static int put_manifest(struct taking *taking, struct live *live) {
    char host[LIVE_NAME_SIZE], kernel[LIVE_NAME_SIZE];
    json_object *manifest = json_object_new_object();
    if (!manifest)
        return -ENOMEM;
    live_names(live, host, kernel);
    add(manifest, "udpdiag_capture", json_object_new_int(CAPTURE_VERSION));
    add(manifest, "version", json_object_new_string(UDPDIAG_VERSION));
    add(manifest, "host", text_json(host));
    add(manifest, "kernel", text_json(kernel));
    add(manifest, "machine", json_object_new_string(rtnl_machine()));
    add(manifest, "start", moment(taking->start_ms));
    add(manifest, "end", moment(taking->end_ms));
    add(manifest, "looks", json_object_new_int((int32_t) taking->looks));
    add(manifest, "addresses", json_object_new_string(taking->aliases ? "hidden" : "as they are"));
    add(manifest, "left_out", json_object_get(taking->left_out));
    const char *text = json_object_to_json_string_ext(
            manifest, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
    int r = text ? bundle_put(taking->bundle, CAPTURE_MANIFEST, text, strlen(text)) : -ENOMEM;
    json_object_put(manifest);
    return r;
}

// What why --live says of it, for whoever opens the capture without this program.
static int put_verdict(struct taking *taking, struct live *live, const struct rule_set *rules) {
    _cleanup_(judge_verdict_done) struct verdict *verdict = NULL;
    if (taking->aliases)
        return 0; // it has addresses
    int r = judge_live(rules, live, &verdict);
    json_object *document = r == 0 ? verdict_json(verdict) : NULL;
    const char *text = document ? json_object_to_json_string_ext(document,
                                          JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE)
                                : NULL;
    if (r == 0)
        r = text ? bundle_put(taking->bundle, CAPTURE_VERDICT, text, strlen(text)) : -ENOMEM;
    json_object_put(document);
    return r < 0 ? r : 0;
}

static int take(
        struct taking *taking, struct live *live, const struct rule_set *rules, double seconds) {
    live_on_look(live, take_look, taking);
    int r = live_run(live, rules, seconds);
    if (r == 0)
        r = put_raw(taking, live_sample(live), CAPTURE_LAST);
    if (r == 0)
        r = put_verdict(taking, live, rules);
    if (r == 0)
        r = put_manifest(taking, live);
    return r < 0 ? r : bundle_finish(taking->bundle);
}

static const struct writer_column columns[] = {
    { "capture", "capture" },
    { "looks", "looks" },
    { "seconds", "seconds" },
    { NULL, "judge it with" },
};
static const struct writer_table record = { NULL, NULL, NULL, columns,
    sizeof(columns) / sizeof(columns[0]) };

static void tell(struct cli *cli, const char *path, const struct taking *taking) {
    _cleanup_free_ char *command = NULL;
    if (asprintf(&command, "udpdiag why --capture %s", path) < 0)
        command = NULL;
    writer_record(cli->writer, &record);
    writer_text(cli->writer, path);
    writer_integer(cli->writer, taking->looks);
    writer_real(cli->writer, (double) (taking->end_ms - taking->start_ms) / 1e3);
    writer_text(cli->writer, command);
    writer_end(cli->writer);
}

static void taking_done(struct taking *taking) {
    capture_dumps_done(&taking->dumps);
    bundle_free(taking->bundle);
    aliases_free(taking->aliases);
    json_object_put(taking->left_out);
}

static int prepare(struct cli *cli, const char *path, bool hide_addresses, struct taking *taking) {
    taking->left_out = json_object_new_array();
    taking->aliases = hide_addresses ? aliases_new() : NULL;
    if (!taking->left_out || (hide_addresses && !taking->aliases))
        return complain_errno(ENOMEM, "%s", path);
    int r = bundle_new(path, &taking->bundle);
    if (r == -EEXIST || r == -ENOTEMPTY)
        return complain(STATUS_ERROR, "%s is there already", path);
    return r < 0 ? complain_errno(r, "%s", path) : 0;
}

static int read_seconds(const struct option_list *given, double *ret) {
    int64_t ms = FOR_DEFAULT_MS;
    const char *text = option_text(given, FOR);
    int r = text ? read_span("for", text, FOR_LEAST_MS, &ms) : 0;
    if (r == 0 && ms > FOR_MOST_MS)
        return complain(STATUS_USAGE, "--for %s is too long, at most 10min are taken", text);
    *ret = (double) ms / 1e3;
    return r;
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    _cleanup_(taking_done) struct taking taking = { 0 };
    _cleanup_(judge_live_done) struct live *live = NULL;
    _cleanup_(judge_rules_done) struct rule_set *rules = NULL;
    double seconds = 0;
    int r = read_seconds(given, &seconds);
    if (r == 0)
        r = judge_rules(cli, &rules);
    if (r == 0)
        r = prepare(cli, arguments[0], option_given(given, HIDE_ADDRESSES), &taking);
    if (r != 0)
        return r;
    r = live_new(cli->root, LIVE_WINDOW, &live);
    if (r < 0)
        return complain_errno(r, "%s", cli->root ? cli->root : "/");
    taking.source = live_source(live);
    taking.dumps.look = 1;
    if (!taking.aliases)
        capture_dumps_begin(&taking.dumps, taking.source);
    r = take(&taking, live, rules, seconds);
    if (r < 0)
        return complain_errno(r, "%s", arguments[0]);
    tell(cli, arguments[0], &taking);
    return STATUS_OK;
}

const struct verb verb_capture = {
    .name = "capture",
    .arguments = "DIR|FILE.tar.zst",
    .help = "Take along what this host shows, to be judged elsewhere",
    .more = "Looks at the host as why --live does and keeps every look: what the collectors read, as text, and at both ends "
            "the files of /proc and /sys and the answers of netlink as they are. The end of the name tells how it is packed: .tar, .tar.gz, .tar.xz, "
            ".tar.zst; any other name is a new folder. No contents of packets, no command lines and no environment are "
            "taken; process names, paths of programs, names of units and interfaces, and addresses are.",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .least = 1,
    .most = 1,
    .run = run,
};
