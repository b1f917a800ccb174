// SPDX-License-Identifier: GPL-2.0-or-later
// Global options
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "core/text.h"

const struct option_spec global_options[N_GLOBALS] = {
    [GLOBAL_ROOT] = { "root", "DIR",
            "Take DIR for the root directory: read proc, sys, netlink, etc and var below it" },
    [GLOBAL_DATABASE] = { "database", "FILE",
            "The history to read in place of the configured one" },
    [GLOBAL_CONFIG] = { "config", "FILE", "Read this configuration file alone" },
    [GLOBAL_COLOR] = { "color", "WHEN", "auto, always or never; NO_COLOR counts for auto" },
    [GLOBAL_JSON] = { "json", NULL, "Print one JSON document" },
    [GLOBAL_NOW] = { "now", "MOMENT", "Take this for the present when reading history" },
    [GLOBAL_HELP] = { "help", NULL, "Print this text, or that of a verb" },
};

__attribute__((format(printf, 1, 0))) static void put_complaint(
        const char *format, va_list arguments, const char *reason) {
    _cleanup_free_ char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    fputs("udpdiag: ", stderr);
    text_put(stderr, text ? text : "out of memory");
    if (reason)
        fprintf(stderr, ": %s", reason);
    fputc('\n', stderr);
}

int complain(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put_complaint(format, arguments, NULL);
    va_end(arguments);
    return status;
}

int complain_errno(int error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put_complaint(format, arguments, strerror(error < 0 ? -error : error));
    va_end(arguments);
    return STATUS_ERROR;
}

int read_moment(const struct cli *cli, const char *option, const char *text, int64_t *ret_ms) {
    if (moment_parse(text, cli->now_ms, ret_ms) == 0)
        return 0;
    return complain(STATUS_USAGE,
            "--%s %s is no time; write -2h, \"10 min ago\", 03:12, yesterday or 2026-11-30T03:12:45Z",
            option, text);
}

int read_span(const char *option, const char *text, int64_t least_ms, int64_t *ret_ms) {
    int64_t ms;
    if (moment_parse_span(text, &ms) < 0)
        return complain(
                STATUS_USAGE, "--%s %s is no length of time; write 5, 500ms or 2min", option, text);
    if (ms < least_ms)
        return complain(STATUS_USAGE, "--%s %s is too short, at least %g s are needed", option,
                text, (double) least_ms / 1e3);
    *ret_ms = ms;
    return 0;
}

static int64_t wall_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int apply_color(struct cli *cli) {
    static const char *const names[] = {
        [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"
    };
    const char *text = option_text(&cli->globals, GLOBAL_COLOR);
    for (int i = COLOR_AUTO; i <= COLOR_NEVER; i++)
        if (!text || strcmp(text, names[i]) == 0) {
            terminal_init(&cli->terminal, (enum color) i);
            return 0;
        }
    return complain(STATUS_USAGE, "--color %s is none of auto, always, never", text);
}

static int apply_now(struct cli *cli) {
    const char *text = option_text(&cli->globals, GLOBAL_NOW);
    cli->now_ms = wall_clock_ms();
    return text ? read_moment(cli, "now", text, &cli->now_ms) : 0;
}

static int apply_config(struct cli *cli) {
    const char *path = option_text(&cli->globals, GLOBAL_CONFIG);
    int r = config_load(path, cli->root ? cli->root : "", stderr, &cli->config);
    return r < 0 ? complain_errno(r, "%s", path ? path : "configuration") : 0;
}

int globals_apply(struct cli *cli) {
    const char *root = option_text(&cli->globals, GLOBAL_ROOT);
    cli->root = root && strcmp(root, "/") != 0 ? root : NULL;
    cli->json = option_given(&cli->globals, GLOBAL_JSON);
    int r = apply_color(cli);
    if (r == 0)
        r = apply_now(cli);
    if (r == 0)
        r = apply_config(cli);
    if (r != 0)
        return r;
    cli->writer = writer_new(cli->json, &cli->terminal, cli->now_ms, stdout);
    return cli->writer ? 0 : complain_errno(ENOMEM, "output");
}

void globals_done(struct cli *cli) {
    cli->writer = writer_free(cli->writer);
    cli->config = config_free(cli->config);
    option_list_done(&cli->globals);
}
