// SPDX-License-Identifier: GPL-2.0-or-later
// Process looks
#include "collectors/process_looks.h"

#include <stdio.h>
#include <string.h>

#include "collectors/process.h"
#include "collectors/process_files.h"

#define FILE_SIZE 48
// fs/proc/array.c, task_state_array[]; the idle kernel thread (I) sleeps too.
static const char letters[] = "RSDTtIZX";
_Static_assert(sizeof(letters) - 1 == sizeof(((struct looks *) 0)->states) / sizeof(unsigned),
        "one counter for each letter");

void looks_set_thread(struct looks *looks, pid_t tid) {
    if (looks->tid == tid)
        return;
    source_file_close(&looks->stat);
    source_file_close(&looks->wait_channel);
    looks->tid = tid;
}

void looks_done(struct looks *looks) {
    looks_set_thread(looks, 0);
}

static int read_file(const struct looks *looks, struct source *source, const struct folder *process,
        struct source_file *file, const char *name) {
    if (file->fd < 0) {
        char path[FILE_SIZE];
        snprintf(path, sizeof(path), "task/%d/%s", (int) looks->tid, name);
        int fd = folder_open_file(source, process, path, 0);
        if (fd < 0)
            return fd;
        file->fd = fd;
    }
    return source_read(source, file, name);
}

static struct channel *find_channel(struct looks *looks, struct span name) {
    size_t i = 0;
    while (i < looks->n_channels &&
            (strlen(looks->channels[i].name) != name.n ||
                    memcmp(looks->channels[i].name, name.text, name.n) != 0))
        i++;
    if (i == CHANNELS_MAX || name.n >= CHANNEL_SIZE)
        return NULL;
    if (i == looks->n_channels) {
        looks->channels[i] = (struct channel){ 0 };
        memcpy(looks->channels[i].name, name.text, name.n);
        looks->n_channels++;
    }
    return &looks->channels[i];
}

// "0": it does not wait, or may not be seen. Compilers put ".constprop.0" and the like behind
// names.
static struct span channel_name(const struct source *source) {
    struct span name = { source->buffer, strcspn(source->buffer, ".\n") };
    return name.n == 1 && name.text[0] == '0' ? (struct span){ "", 0 } : name;
}

static void count(struct looks *looks, char state, struct span channel) {
    const char *letter = strchr(letters, state);
    if (letter && state != '\0')
        looks->states[letter - letters]++;
    looks->all++;
    looks->running += state == 'R';
    looks->sleeping += state == 'S' || state == 'I';
    looks->blocked += state == 'D';
    looks->stopped += state == 'T' || state == 't';
    looks->receiving += state == 'S' && wait_channel_receives(channel);
    struct channel *entry = channel.n > 0 ? find_channel(looks, channel) : NULL;
    if (entry) {
        entry->waits++;
        entry->blocked += state == 'D';
    }
}

int looks_take(struct looks *looks, struct source *source, const struct folder *process) {
    struct process_stat stat;
    struct span channel = { "", 0 };
    int r = read_file(looks, source, process, &looks->stat, "stat");
    if (r < 0)
        return r;
    if (!parse_process_stat(source->buffer, source->size, &stat))
        return 0;
    looks->cpu = stat.cpu;
    if (stat.state != 'R' && read_file(looks, source, process, &looks->wait_channel, "wchan") == 0)
        channel = channel_name(source);
    count(looks, stat.state, channel);
    return 0;
}

bool looks_at_other(
        struct looks *looks, struct source *source, const struct folder *process, pid_t tid) {
    char file[FILE_SIZE];
    struct process_stat stat;
    snprintf(file, sizeof(file), "task/%d/stat", (int) tid);
    if (folder_read(source, process, file) < 0 ||
            !parse_process_stat(source->buffer, source->size, &stat) || stat.state != 'D')
        return false;
    snprintf(file, sizeof(file), "task/%d/wchan", (int) tid);
    struct span name = { "", 0 };
    if (folder_read(source, process, file) == 0)
        name = channel_name(source);
    struct channel *channel = name.n > 0 ? find_channel(looks, name) : NULL;
    if (channel)
        channel->blocked++;
    return true;
}

static cell put(struct rows *rows, const char *text) {
    return rows_put_text(rows, text, strlen(text));
}

static void tell_channels(const struct looks *looks, struct rows *rows, cell *row) {
    const struct channel *waits = NULL, *blocked = NULL;
    for (size_t i = 0; i < looks->n_channels; i++) {
        const struct channel *channel = &looks->channels[i];
        if (channel->waits > (waits ? waits->waits : 0))
            waits = channel;
        if (channel->blocked > (blocked ? blocked->blocked : 0))
            blocked = channel;
    }
    row[PROCESS_WAIT_CHANNEL] = put(rows, waits ? waits->name : "");
    row[PROCESS_BLOCKED_CHANNEL] = put(rows, blocked ? blocked->name : "");
}

void looks_tell(struct looks *looks, struct rows *rows, cell *row) {
    size_t most = 0;
    for (size_t i = 1; i < sizeof(letters) - 1; i++)
        if (looks->states[i] > looks->states[most])
            most = i;
    if (looks->states[most] > 0) {
        row[PROCESS_STATE] = rows_put_text(rows, &letters[most], 1);
        tell_channels(looks, rows, row);
        row[PROCESS_LAST_CPU] = looks->cpu;
    }
    row[PROCESS_LOOKS] = looks->all;
    row[PROCESS_LOOKS_RUNNING] = looks->running;
    row[PROCESS_LOOKS_SLEEPING] = looks->sleeping;
    row[PROCESS_LOOKS_BLOCKED] = looks->blocked;
    row[PROCESS_LOOKS_STOPPED] = looks->stopped;
    row[PROCESS_LOOKS_RECEIVING] = looks->receiving;
    row[PROCESS_LOOKS_OTHER_BLOCKED] = looks->other_blocked;
    memset(looks->states, 0, sizeof(looks->states));
    looks->n_channels = 0;
}
