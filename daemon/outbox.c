// SPDX-License-Identifier: GPL-2.0-or-later
// Outgoing messages
#define SD_JOURNAL_SUPPRESS_LOCATION
#include "daemon/outbox.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>

#include "core/text.h"
#include "daemon/thread.h"

// As many as a stuck journal may hold back; later ones are counted, not kept.
#define OUTBOX_LETTERS 64
#define LETTER_FIELDS 20

struct letter {
    int priority;
    const char *id; // of the message type
    char *text;
    char *fields[LETTER_FIELDS]; // NAME=value
    size_t n_fields;
};

struct outbox {
    pthread_mutex_t lock;
    pthread_cond_t posted;
    pthread_t thread;
    bool journal, stop;
    struct letter *letters[OUTBOX_LETTERS]; // oldest first
    size_t n, n_lost;
};

bool outbox_has_journal(void) {
    const char *stream = getenv("JOURNAL_STREAM");
    unsigned long long device, inode;
    struct stat status;
    return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 && fstat(2, &status) == 0 &&
           status.st_dev == device && status.st_ino == inode;
}

static struct letter *letter_free(struct letter *letter) {
    if (!letter)
        return NULL;
    for (size_t i = 0; i < letter->n_fields; i++)
        free(letter->fields[i]);
    free(letter->text);
    free(letter);
    return NULL;
}

struct letter *letter_new(enum message message, const char *format, ...) {
    struct letter *letter = calloc(1, sizeof(*letter));
    if (!letter)
        return NULL;
    letter->priority = message_types[message].priority;
    letter->id = message_types[message].id;
    va_list arguments;
    va_start(arguments, format);
    int r = vasprintf(&letter->text, format, arguments);
    va_end(arguments);
    if (r < 0) {
        letter->text = NULL;
        return letter_free(letter);
    }
    return letter;
}

void letter_priority(struct letter *letter, int priority) {
    if (letter)
        letter->priority = priority;
}

void letter_field(struct letter *letter, const char *name, const char *format, ...) {
    if (!letter || letter->n_fields == LETTER_FIELDS)
        return;
    char *value = NULL, *field = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&value, format, arguments) >= 0 && asprintf(&field, "%s=%s", name, value) >= 0)
        letter->fields[letter->n_fields++] = field;
    va_end(arguments);
    free(value);
}

static int send_to_journal(const struct letter *letter) {
    char head[4][1024];
    struct iovec parts[LETTER_FIELDS + 4];
    snprintf(head[0], sizeof(head[0]), "MESSAGE=%s", letter->text);
    snprintf(head[1], sizeof(head[1]), "PRIORITY=%d", letter->priority);
    snprintf(head[2], sizeof(head[2]), "SYSLOG_IDENTIFIER=udpdiagd");
    snprintf(head[3], sizeof(head[3]), "MESSAGE_ID=%s", letter->id);
    int n = 0;
    for (int i = 0; i < 4; i++)
        parts[n++] = (struct iovec){ head[i], strlen(head[i]) };
    for (size_t i = 0; i < letter->n_fields; i++)
        parts[n++] = (struct iovec){ letter->fields[i], strlen(letter->fields[i]) };
    return sd_journal_sendv(parts, n);
}

static void send_to_stderr(const struct letter *letter) {
    fputs("udpdiagd: ", stderr);
    text_put(stderr, letter->text);
    fputc('\n', stderr);
    fflush(stderr);
}

static void send(struct outbox *outbox, struct letter *letter, size_t n_lost) {
    if (n_lost > 0)
        letter_field(letter, "UDPDIAG_MESSAGES_LOST", "%zu", n_lost);
    if (!outbox->journal || send_to_journal(letter) < 0)
        send_to_stderr(letter);
    letter_free(letter);
}

static void *run(void *argument) {
    struct outbox *outbox = argument;
    pthread_mutex_lock(&outbox->lock);
    while (outbox->n > 0 || !outbox->stop) {
        if (outbox->n == 0) {
            pthread_cond_wait(&outbox->posted, &outbox->lock);
            continue;
        }
        struct letter *letter = outbox->letters[0];
        size_t n_lost = outbox->n_lost;
        outbox->n_lost = 0;
        outbox->n--;
        memmove(outbox->letters, outbox->letters + 1, outbox->n * sizeof(*outbox->letters));
        pthread_mutex_unlock(&outbox->lock);
        send(outbox, letter, n_lost);
        pthread_mutex_lock(&outbox->lock);
    }
    pthread_mutex_unlock(&outbox->lock);
    return NULL;
}

struct outbox *outbox_new(bool journal) {
    struct outbox *outbox = calloc(1, sizeof(*outbox));
    if (!outbox)
        return NULL;
    outbox->journal = journal;
    pthread_mutex_init(&outbox->lock, NULL);
    pthread_cond_init(&outbox->posted, NULL);
    if (thread_start(&outbox->thread, "messages", run, outbox) < 0) {
        free(outbox);
        return NULL;
    }
    return outbox;
}

void outbox_post(struct outbox *outbox, struct letter *letter) {
    if (!letter)
        return;
    pthread_mutex_lock(&outbox->lock);
    if (outbox->n < OUTBOX_LETTERS) {
        outbox->letters[outbox->n++] = letter;
        letter = NULL;
        pthread_cond_signal(&outbox->posted);
    } else {
        outbox->n_lost++;
    }
    pthread_mutex_unlock(&outbox->lock);
    letter_free(letter);
}

struct outbox *outbox_free(struct outbox *outbox, int seconds) {
    if (!outbox)
        return NULL;
    pthread_mutex_lock(&outbox->lock);
    outbox->stop = true;
    pthread_cond_signal(&outbox->posted);
    pthread_mutex_unlock(&outbox->lock);
    // A thread that is stuck keeps its memory: the process ends anyway.
    if (thread_join(outbox->thread, seconds) < 0)
        return NULL;
    pthread_cond_destroy(&outbox->posted);
    pthread_mutex_destroy(&outbox->lock);
    free(outbox);
    return NULL;
}
