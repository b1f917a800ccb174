// SPDX-License-Identifier: GPL-2.0-or-later
// Alert programs
#include "daemon/programs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

#include "core/cleanup.h"
#include "daemon/program.h"
#include "daemon/thread.h"

// More than anyone needs; all run at once.
#define MAX_PROGRAMS 16
#define POLL_MS 20

struct event {
    char *directory, *name, *document;
};

struct programs {
    struct outbox *outbox;
    bool journal;
    pthread_mutex_t lock;
    pthread_cond_t told;
    pthread_t thread;
    bool started, stop;
    struct event events[PROGRAM_EVENTS]; // oldest first
    size_t n;
};

struct run {
    char name[NAME_MAX + 1];
    pid_t pid;
};

static void event_done(struct event *event) {
    free(event->directory);
    free(event->name);
    free(event->document);
}

static void complain(
        struct programs *programs, const char *directory, const char *name, const char *what) {
    struct letter *letter = letter_new(
            MESSAGE_ALERT_PROGRAM_FAILED, "Alert program %s/%s %s", directory, name, what);
    letter_field(letter, "UDPDIAG_PROGRAM", "%s/%s", directory, name);
    outbox_post(programs->outbox, letter);
}

// Hidden files and what editors and package managers leave behind are no programs.
static int is_program(const struct dirent *entry) {
    const char *name = entry->d_name;
    size_t n = strlen(name);
    return name[0] != '.' && name[n - 1] != '~' && !strstr(name, ".dpkg-") && !strstr(name, ".rpm");
}

static bool is_executable_file(int directory, const char *name) {
    struct stat status;
    return fstatat(directory, name, &status, 0) == 0 && S_ISREG(status.st_mode) &&
           (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH));
}

static bool start(struct programs *programs, const struct event *event, int directory,
        const char *name, struct run *ret) {
    const char *refused = program_refused(directory, name);
    char path[PATH_MAX];
    int r = -ENAMETOOLONG;
    if (!refused &&
            snprintf(path, sizeof(path), "%s/%s", event->directory, name) < (int) sizeof(path))
        r = program_start(path, event->name, event->document, programs->journal, &ret->pid);
    if (refused || r < 0) {
        char what[256];
        snprintf(what, sizeof(what), "is not run: %s", refused ?: strerror(-r));
        complain(programs, event->directory, name, what);
        return false;
    }
    snprintf(ret->name, sizeof(ret->name), "%s", name);
    return true;
}

static size_t start_all(struct programs *programs, const struct event *event, struct run *runs) {
    _cleanup_close_ int directory = open(event->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return 0; // no such folder: no programs
    const char *refused = program_refused(directory, ".");
    if (refused) {
        char what[128];
        snprintf(what, sizeof(what), "are not run: %s", refused);
        complain(programs, event->directory, "*", what);
        return 0;
    }
    struct dirent **entries;
    int n_entries = scandir(event->directory, &entries, is_program, alphasort);
    size_t n = 0;
    for (int i = 0; i < n_entries; i++) {
        if (n < MAX_PROGRAMS && is_executable_file(directory, entries[i]->d_name))
            n += start(programs, event, directory, entries[i]->d_name, &runs[n]);
        free(entries[i]);
    }
    if (n_entries >= 0)
        free(entries);
    return n;
}

// Forgets the runs that have ended. How many are left.
static size_t reap(struct programs *programs, const char *directory, struct run *runs, size_t n) {
    for (size_t i = 0; i < n;) {
        char how[64];
        if (!program_ended(runs[i].pid, how, sizeof(how))) {
            i++;
            continue;
        }
        if (how[0])
            complain(programs, directory, runs[i].name, how);
        runs[i] = runs[--n];
    }
    return n;
}

static bool is_stopping(struct programs *programs) {
    pthread_mutex_lock(&programs->lock);
    bool stop = programs->stop;
    pthread_mutex_unlock(&programs->lock);
    return stop;
}

static void handle(struct programs *programs, const struct event *event) {
    struct run runs[MAX_PROGRAMS];
    size_t n = start_all(programs, event, runs);
    for (int ms = 0; n > 0 && ms < PROGRAM_SECONDS * 1000 && !is_stopping(programs);
            ms += POLL_MS) {
        nanosleep(&(struct timespec){ .tv_nsec = POLL_MS * 1000000L }, NULL);
        n = reap(programs, event->directory, runs, n);
    }
    for (size_t i = 0; i < n; i++) {
        program_kill(runs[i].pid);
        complain(programs, event->directory, runs[i].name,
                is_stopping(programs) ? "was killed, as udpdiagd stops"
                                      : "took too long and was killed");
    }
}

static void *run(void *argument) {
    struct programs *programs = argument;
    // Capabilities of the thread that starts a program would pass on to it.
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    pthread_mutex_lock(&programs->lock);
    while (!programs->stop) {
        if (programs->n == 0) {
            pthread_cond_wait(&programs->told, &programs->lock);
            continue;
        }
        struct event event = programs->events[0];
        programs->n--;
        memmove(programs->events, programs->events + 1, programs->n * sizeof(event));
        pthread_mutex_unlock(&programs->lock);
        handle(programs, &event);
        event_done(&event);
        pthread_mutex_lock(&programs->lock);
    }
    pthread_mutex_unlock(&programs->lock);
    return NULL;
}

struct programs *programs_new(struct outbox *outbox, bool journal) {
    struct programs *programs = calloc(1, sizeof(*programs));
    if (!programs)
        return NULL;
    programs->outbox = outbox;
    programs->journal = journal;
    pthread_mutex_init(&programs->lock, NULL);
    pthread_cond_init(&programs->told, NULL);
    return programs;
}

struct programs *programs_free(struct programs *programs) {
    if (!programs)
        return NULL;
    pthread_mutex_lock(&programs->lock);
    programs->stop = true;
    pthread_cond_signal(&programs->told);
    pthread_mutex_unlock(&programs->lock);
    // A thread that waits for a disk keeps its memory: the process ends anyway.
    if (programs->started && thread_join(programs->thread, 1) < 0)
        return NULL;
    for (size_t i = 0; i < programs->n; i++)
        event_done(&programs->events[i]);
    pthread_cond_destroy(&programs->told);
    pthread_mutex_destroy(&programs->lock);
    free(programs);
    return NULL;
}

// Whether the event was taken.
static bool enqueue(struct programs *programs, struct event *event) {
    if (!event->directory || !event->name || !event->document || programs->n == PROGRAM_EVENTS)
        return false;
    if (!programs->started && thread_start(&programs->thread, "programs", run, programs) < 0)
        return false;
    programs->started = true;
    programs->events[programs->n++] = *event;
    pthread_cond_signal(&programs->told);
    return true;
}

void programs_tell(
        struct programs *programs, const char *directory, const char *event, const char *document) {
    struct event copy = { strdup(directory), strdup(event), strdup(document) };
    pthread_mutex_lock(&programs->lock);
    bool taken = enqueue(programs, &copy);
    pthread_mutex_unlock(&programs->lock);
    if (taken)
        return;
    event_done(&copy);
    complain(programs, directory, "*", "are not run: too many events wait");
}
