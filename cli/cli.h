// SPDX-License-Identifier: GPL-2.0-or-later
// Command line
//
// What all verbs share. A verb is one file and one row of the table in verbs.c.
#pragma once

#include <stdint.h>

#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/writer.h"
#include "core/config.h"

// Exit statuses; `why` adds 10 (causes found) and 11 (a critical one).
enum exit_status { STATUS_OK = 0, STATUS_ERROR = 1, STATUS_USAGE = 2, STATUS_NO_DATA = 3 };

// Options that every verb takes; their table is in globals.c.
enum {
    GLOBAL_ROOT,
    GLOBAL_DATABASE,
    GLOBAL_CONFIG,
    GLOBAL_COLOR,
    GLOBAL_JSON,
    GLOBAL_NOW,
    GLOBAL_HELP,
    N_GLOBALS,
};
extern const struct option_spec global_options[N_GLOBALS];

struct cli {
    struct option_list globals;
    const char *root; // NULL: the running host
    int64_t now_ms;   // wall clock
    bool json;
    struct terminal terminal;
    struct config_set *config;
    struct writer *writer; // to the standard output
};

struct verb {
    const char *name;
    const char *arguments; // as in the usage line: "TABLE.COLUMN"; "" for none
    const char *help;      // one line
    const char *more;      // a paragraph for --help and the manual page, or NULL
    const struct option_spec *options;
    size_t n_options;
    size_t least, most; // arguments
    // Returns an exit status. An error was told on the standard error, in one line.
    int (*run)(struct cli *cli, const struct option_list *options, char **arguments,
            size_t n_arguments);
};
extern const struct verb *const verbs[];
extern const size_t n_verbs;
const struct verb *verb_find(const char *name);

// Prints "udpdiag: ..." to the standard error, escaped, and returns `status`.
int complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same with the text of an errno (negative or positive): "udpdiag: ...: No space left on
// device". Returns STATUS_ERROR.
int complain_errno(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Reads the arguments of options. 0, or STATUS_USAGE after a line on the standard error.
int read_moment(const struct cli *cli, const char *option, const char *text, int64_t *ret_ms);
int read_span(const char *option, const char *text, int64_t least_ms, int64_t *ret_ms);

// Fills `cli` from the global options: root, clock, terminal, configuration, writer. 0 or an exit
// status.
int globals_apply(struct cli *cli);
void globals_done(struct cli *cli);

// The text of --help for a verb, or for all (NULL).
void usage_put(const struct cli *cli, const struct verb *verb, FILE *out);
// Verbs and options as mdoc(7), for udpdiag(1).
void usage_put_man(FILE *out);
