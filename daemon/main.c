// SPDX-License-Identifier: GPL-2.0-or-later
// Main program
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/daemon.h"
#include "daemon/memory.h"

static int run(
        const struct options *options, struct outbox *outbox, bool journal, bool *ret_stuck) {
    struct daemon *daemon;
    int r = daemon_new(options, outbox, journal, &daemon);
    if (r < 0)
        return r;
    r = daemon_run(daemon);
    *ret_stuck = daemon_free(daemon);
    outbox_say(outbox, MESSAGE_STOPPED, "udpdiagd stopped");
    return r;
}

int main(int argc, char *argv[]) {
    struct options options;
    int r = options_read(argc, argv, &options);
    if (r != 0)
        return r < 0 ? 2 : EXIT_SUCCESS;
    memory_set_up();
    // Otherwise each allocation of SQLite takes a lock of all threads and is counted.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    umask(0027);
    signal(SIGPIPE, SIG_IGN);
    bool journal = outbox_has_journal(), stuck = false;
    struct outbox *outbox = outbox_new(journal);
    if (!outbox) {
        fputs("udpdiagd: cannot start a thread\n", stderr);
        return EXIT_FAILURE;
    }
    r = run(&options, outbox, journal, &stuck);
    outbox_free(outbox, 1);
    if (stuck)
        _exit(r < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
    return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
