// SPDX-License-Identifier: GPL-2.0-or-later
// Network namespaces
//
// Every namespace that a process lives in, and one living process of each to read it through. The
// host is the namespace of process 1; it stands first, and is there also when nothing but proc/net
// can be read.
#pragma once

#include <dirent.h>
#include <stdint.h>
#include <sys/types.h>

#include "collectors/collector.h"
#include "collectors/netns_turns.h"

#define NETNS_NAME_SIZE 96

enum { NETNS_UDP, NETNS_UDP6, NETNS_UDPLITE, NETNS_UDPLITE6, N_NETNS_SOCKETS };

struct netns_turn {
    unsigned round; // in which it was read last; 0: never
    bool due;       // to be read in this look
};

struct netns {
    char name[NETNS_NAME_SIZE]; // "host"; stays the same while the namespace lives
    uint64_t inode;             // of the namespace; 0: not known (/proc/PID/ns/net is closed to us)
    uint64_t net_inode; // of its net/dev, which is open to all; 0: the source is a directory
    pid_t pid;          // the member it is read through; 0: proc/net is read
    pid_t candidate;    // found by the discovery that runs; 0: nobody yet
    bool host;
    struct netns_turn turn[N_NETNS_TURNS];
    uint64_t errors; // UDP errors, as the snmp collector read them last
    bool lossy;      // they grew before that
    // Sockets in use, as the sockstat collector read it last; CELL_NULL: not known.
    cell in_use[N_NETNS_SOCKETS];
};

// Nobody has to begin a look where all are read.
static inline bool netns_is_due(const struct netns *netns, unsigned kind) {
    return netns->host || netns->turn[kind].due || netns->turn[kind].round == 0;
}

static inline void netns_forget_in_use(struct netns *netns) {
    for (size_t i = 0; i < N_NETNS_SOCKETS; i++)
        netns->in_use[i] = CELL_NULL;
}

struct netns_list {
    struct source *source;
    struct netns *items; // the host first
    size_t n, capacity;
    uint64_t own_inode; // namespace of this process; 0: the source is a directory
    size_t unseen;      // processes whose namespace could not be told
    struct netns_turns turns[N_NETNS_TURNS];
    DIR *proc;          // NULL: no processes to be seen
};

// 0 or -errno. Discovers nothing yet: there is the host alone.
int netns_list_init(struct netns_list *list, struct source *source);
void netns_list_done(struct netns_list *list);
// Looks at every process. Namespaces without one are gone. 0, or -ENOMEM: some may be missing.
int netns_list_discover(struct netns_list *list);
// Whether each namespace still has the process that it is read through; if not, it is time to
// discover.
bool netns_list_is_current(const struct netns_list *list);

// The path of a file of proc/PID/net. Returns buffer.
#define NETNS_PATH_SIZE 64
char *netns_path(const struct netns *netns, const char *file, char *buffer);
// Reads it into source->buffer. Only the host's files are kept open in `host_file`: an open file of
// another namespace would keep that namespace from being destroyed. 0 or -errno; -ESRCH: the
// process is gone.
int netns_read(const struct netns_list *list, const struct netns *netns,
        struct source_file *host_file, const char *file);

// The same of a list, as source_read_records() does.
int netns_read_records(const struct netns_list *list, const struct netns *netns,
        struct source_file *host_file, const char *file, size_t record_bytes);

// Chooses the name of items[i], different from those of all others (netns_name.c).
void netns_choose_name(const struct netns_list *list, size_t i);
