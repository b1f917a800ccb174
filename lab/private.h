// SPDX-License-Identifier: GPL-2.0-or-later
// Lab state
#pragma once

#include "lab/process.h"
#include "lab/traffic.h"

#define LAB_TEXT_SIZE 512
#define LAB_PATH_SIZE 64
#define LAB_SHARED_BYTES (64 << 10)
#define LAB_HOST_SYSCTLS 16

// What lab_skip() and lab_fail() return.
#define LAB_SKIPPED (-ECANCELED)
#define LAB_FAILED (-EPROTO)

struct lab {
    int family; // 4 or 6
    bool is_root, has_ipv6;
    enum lab_phase phase;
    int netns[2]; // LAB_RECEIVER, LAB_SENDER
    bool kept;    // it stays, and its outcome is
    int outcome;
    int hand; // socket to the process that does things on the host
    char scratch[LAB_PATH_SIZE];
    char text[LAB_TEXT_SIZE];                   // why it failed, or was skipped
    int (*watch)(void *data, int64_t until_ms); // NULL: just sleeps
    void *watch_data;
    size_t shared_used;
    _Alignas(64) char shared[LAB_SHARED_BYTES]; // memory of lab_shared()
    int host_sysctls[LAB_HOST_SYSCTLS];         // files, see sysctls.c
    struct lab_traffic *traffic;                // see traffic.c
    struct lab_faults *faults;                  // of whoever makes faults
};

// Sets up what `traffic` is: before anything of a scenario. 0 or -errno.
int lab_traffic_init(struct lab *lab);

// namespaces.c, for process 1: enters the namespaces, which become the lab's. `host_limits`: all
// sysctls of the whole host are there, not only those of net.core.
int lab_enter(struct lab *lab, uid_t uid, gid_t gid, bool host_limits);
// sysctls.c: opens those of the host, and later mounts them where programs look for them.
void lab_sysctls_take(struct lab *lab);
int lab_sysctls_put(struct lab *lab, bool all);
void lab_sysctls_uncover(void);                         // in a mount namespace of its own
bool lab_is_host_sysctl(const char *path);              // "net/core/rmem_max"

// links.c: the sender's namespace, interfaces, addresses.
int lab_links_init(struct lab *lab);

// hand.c: the one side asks, the other does it; its answer.
enum lab_hand_verb { HAND_RUN, HAND_UNDO };
int lab_hand_ask(
        struct lab *lab, enum lab_hand_verb verb, const char *command, char *said, size_t size);
struct undo;
void lab_hand_serve(int socket, struct undo *undo); // one request
