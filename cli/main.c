// SPDX-License-Identifier: GPL-2.0-or-later
// udpdiag
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/cleanup.h"
#include "core/nearest.h"

// A database opened as descriptor 1 or 2 would be written over by our own output.
static int occupy_standard_streams(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            return -1;
    return 0;
}

static const struct verb *choose_verb(const char *name) {
    const struct verb *verb = verb_find(name);
    if (verb)
        return verb;
    struct nearest nearest;
    nearest_init(&nearest, name);
    for (size_t i = 0; i < n_verbs; i++)
        nearest_try(&nearest, verbs[i]->name);
    if (nearest.best)
        complain(0, "there is no verb %s, did you mean %s?", name, nearest.best);
    else
        complain(0, "there is no verb %s, see udpdiag --help", name);
    return NULL;
}

static int check_arguments(const struct verb *verb, char **arguments, size_t n) {
    if (n < verb->least)
        return complain(STATUS_USAGE, "%s needs %s, see udpdiag %s --help", verb->name,
                verb->arguments, verb->name);
    if (n > verb->most)
        return complain(STATUS_USAGE, "%s does not take \"%s\", see udpdiag %s --help", verb->name,
                arguments[verb->most], verb->name);
    return 0;
}

static int help(struct cli *cli, const struct verb *verb) {
    terminal_init(&cli->terminal, COLOR_NEVER);
    usage_put(cli, verb, stdout);
    return STATUS_OK;
}

static int run_verb(struct cli *cli, const struct verb *verb, int argc, char **argv) {
    _cleanup_(option_list_done) struct option_list options = { 0 };
    if (option_list_init(&options, verb->options, verb->n_options) < 0)
        return complain_errno(ENOMEM, "options");
    int at = options_parse(argc, argv, &cli->globals, &options, false);
    if (at < 0)
        return STATUS_USAGE;
    if (option_given(&cli->globals, GLOBAL_HELP))
        return help(cli, verb);
    size_t n = (size_t) (argc - at);
    int r = check_arguments(verb, argv + at, n);
    if (r == 0)
        r = globals_apply(cli);
    return r == 0 ? verb->run(cli, &options, argv + at, n) : r;
}

static int run(struct cli *cli, int argc, char **argv) {
    _cleanup_(option_list_done) struct option_list none = { 0 };
    if (option_list_init(&none, NULL, 0) < 0 ||
            option_list_init(&cli->globals, global_options, N_GLOBALS) < 0)
        return complain_errno(ENOMEM, "options");
    int at = options_parse(argc, argv, &cli->globals, &none, true);
    if (at < 0)
        return STATUS_USAGE;
    if (at == argc && option_given(&cli->globals, GLOBAL_HELP))
        return help(cli, NULL);
    if (at == argc)
        return complain(STATUS_USAGE, "say what to do: udpdiag why, or udpdiag --help");
    const struct verb *verb = choose_verb(argv[at]);
    return verb ? run_verb(cli, verb, argc - at, argv + at) : STATUS_USAGE;
}

// A reader that went away wants no more output and no message either.
static int finish_output(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (errno == EPIPE)
        return STATUS_ERROR;
    return complain_errno(errno, "standard output");
}

int main(int argc, char **argv) {
    if (occupy_standard_streams() < 0)
        return STATUS_ERROR;
    setlocale(LC_CTYPE, "");
    // Otherwise each allocation of SQLite takes a lock and is counted: a tenth of an answer's time.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    struct cli cli = { 0 };
    int status = run(&cli, argc, argv);
    globals_done(&cli);
    return finish_output(status);
}
