// SPDX-License-Identifier: GPL-2.0-or-later
// Owner search
//
//     owners INODE...        searches for who holds these sockets; prints the CPU time in
//     microseconds
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "collectors/owner_search.h"

static int64_t clock_us(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int main(int argc, char **argv) {
    struct source source;
    struct owner_search *search;
    struct watch watch = WATCH_EMPTY;
    watch.sockets = calloc((size_t) argc, sizeof(*watch.sockets));
    if (!watch.sockets || source_init(&source, NULL) < 0 || owner_search_new(&source, &search) < 0)
        return 1;
    for (int i = 1; i < argc; i++)
        watch.sockets[watch.n_sockets++].inode = (uint32_t) strtoul(argv[i], NULL, 10);
    int64_t before_us = clock_us(CLOCK_PROCESS_CPUTIME_ID);
    do { // one look after the other
        if (owner_search_run(search, &watch, clock_us(CLOCK_MONOTONIC) / 1000) < 0)
            return 1;
    } while (owner_search_is_running(search));
    printf("%lld\n", (long long) (clock_us(CLOCK_PROCESS_CPUTIME_ID) - before_us));
    fprintf(stderr, "owners: %zu of %zu sockets, %zu processes could not be seen\n", watch.n_owners,
            watch.n_sockets, watch.n_denied);
    owner_search_free(search);
    watch_done(&watch);
    source_done(&source);
    return 0;
}
