// SPDX-License-Identifier: GPL-2.0-or-later
// Remedies tried
//
// Runs what the answer says, as it says it, in the place it was given for.
#include "cli/selftest.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "core/cleanup.h"

static const char ask_for[] = "ask for ";

static const struct remedy *choose(const struct cause *cause, const char *match) {
    for (size_t i = 0; i < cause->n_remedies; i++) {
        const struct remedy *remedy = &cause->remedies[i];
        if (remedy->command && (match ? strstr(remedy->command, match) != NULL : !!remedy->undo))
            return remedy;
    }
    return NULL;
}

// "let it ask for 1 MiB (1048576; the kernel doubles it)"; 0: nothing of the kind.
static long asked_bytes(const struct cause *cause, const struct remedy **ret) {
    for (size_t i = 0; i < cause->n_remedies; i++) {
        const char *at = strstr(cause->remedies[i].text, ask_for);
        const char *number = at ? strchr(at, '(') : NULL;
        if (number && isdigit((unsigned char) number[1])) {
            *ret = &cause->remedies[i];
            return strtol(number + 1, NULL, 10);
        }
    }
    return 0;
}

static int reopen(struct lab *lab, long rcvbuf) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < lab_readers(lab); i++) {
        struct reader reader = *lab_reader(lab, (int) i);
        if (rcvbuf > 0) {
            reader.rcvbuf = rcvbuf;
            reader.force = 0;
        }
        r = lab_receive_anew(lab, (int) i, &reader);
    }
    return r;
}

// "sysctl -w NAME=VALUE": what is of the whole host has to be put back at the end.
static int keep_sysctls(struct lab *lab, const char *command) {
    static const char word[] = "sysctl -w ";
    char path[128];
    int r = 0;
    for (const char *at = command; r == 0 && (at = strstr(at, word));) {
        at += strlen(word);
        snprintf(path, sizeof(path), "%.*s", (int) strcspn(at, "="), at);
        for (char *dot = path; (dot = strchr(dot, '.'));)
            *dot = '/';
        r = lab_keep_sysctl(lab, path);
    }
    return r;
}

static int run_command(struct lab *lab, const char *command, char *ret, size_t size) {
    snprintf(ret, size, "%s", command);
    int r = keep_sysctls(lab, command);
    return r < 0 ? r : lab_run(lab, LAB_RECEIVER, "%s", command);
}

static int fix_buffer(struct lab *lab, const struct cause *cause, char *command, size_t size) {
    const struct remedy *remedy = NULL;
    long bytes = asked_bytes(cause, &remedy);
    if (bytes <= 0)
        return 1;
    int r = remedy->command ? run_command(lab, remedy->command, command, size) : 0;
    if (!remedy->command)
        snprintf(command, size, "SO_RCVBUF %ld", bytes);
    return r < 0 ? r : reopen(lab, bytes);
}

static int fix_own(struct lab *lab, const struct scenario *scenario, const struct cause *cause,
        char *command, size_t size) {
    const struct remedy *remedy = choose(cause, scenario->fix_match);
    snprintf(command, size, "%s", remedy ? remedy->command : "");
    return scenario->own_fix(lab, remedy ? remedy->command : NULL);
}

static int fix_command(struct lab *lab, const struct scenario *scenario, const struct cause *cause,
        char *command, size_t size) {
    const struct remedy *remedy = choose(cause, scenario->fix_match);
    if (!remedy)
        return 1;
    int r = run_command(lab, remedy->command, command, size);
    return r == 0 && scenario->fix == FIX_COMMAND_REOPEN ? reopen(lab, 0) : r;
}

int selftest_fix(struct lab *lab, const struct scenario *scenario, const struct verdict *verdict,
        char *command, size_t size) {
    const struct cause *cause = selftest_first(scenario, verdict);
    switch (scenario->fix) {
    case FIX_COMMAND:
    case FIX_COMMAND_REOPEN:
        return fix_command(lab, scenario, cause, command, size);
    case FIX_BUFFER:
        return fix_buffer(lab, cause, command, size);
    case FIX_OWN:
        return fix_own(lab, scenario, cause, command, size);
    case FIX_BIGGER_FAILS:
        snprintf(command, size, "SO_RCVBUFFORCE, twice as large");
        return lab_enlarge(lab);
    case FIX_NONE:
        break;
    }
    return 1;
}

bool selftest_is_early(const struct verdict *verdict) {
    bool early = false, cured = false;
    for (size_t i = 0; i < verdict->n_changes; i++) {
        early |= verdict->changes[i].verdict == CHANGE_TOO_EARLY;
        cured |= verdict->changes[i].verdict == CHANGE_CURED;
    }
    return early && !cured;
}

bool selftest_cured(const struct verdict *verdict, bool *ret_seen) {
    bool cured = false;
    *ret_seen = verdict->n_changes > 0;
    for (size_t i = 0; i < verdict->n_changes; i++)
        cured |= verdict->changes[i].verdict == CHANGE_CURED;
    return cured;
}
