// SPDX-License-Identifier: GPL-2.0-or-later
// Sockets of a window
#include "cli/socket_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"

// Names are cut at so many bytes by the kernel (TASK_COMM_LEN with its NUL).
#define COMM_LENGTH 15

// One row per socket and owner. The number of an inode is unique on the host, across namespaces.
static const char sql[] =
        "SELECT s.netns, s.protocol, s.address, s.interface, s.peer_address, s.owner_state,"
        " s.kernel_user, s.cookie, s.inode, s.port, s.peer_port, s.uid, s.drops, t.drops,"
        " s.queue_bytes, max(s.queue_bytes_max, coalesce(s.queue_peak_bytes_max, 0)),"
        " s.rmem_bytes, s.rcvbuf_bytes, o.pid, p.comm, p.executable, p.unit, p.container"
        " FROM temp.socket s LEFT JOIN temp.socket_total t USING (netns, cookie, inode)"
        " LEFT JOIN temp.owner o ON o.inode = s.inode AND s.inode <> 0"
        " LEFT JOIN temp.process p ON p.pid = o.pid AND p.start_time IS o.start_time"
        " WHERE (?1 IS NULL OR s.port = ?1) AND (?2 IS NULL OR s.netns = ?2)"
        " AND (NOT ?3 OR s.drops > 0)"
        " ORDER BY s.drops DESC, t.drops DESC, s.netns, s.port, s.address, s.cookie, s.inode, o.pid";

static const size_t texts[] = {
    offsetof(struct socket_info, netns),
    offsetof(struct socket_info, protocol),
    offsetof(struct socket_info, address),
    offsetof(struct socket_info, interface),
    offsetof(struct socket_info, peer_address),
    offsetof(struct socket_info, owner_state),
    offsetof(struct socket_info, kernel_user),
};
static const size_t numbers[] = {
    offsetof(struct socket_info, cookie),
    offsetof(struct socket_info, inode),
    offsetof(struct socket_info, port),
    offsetof(struct socket_info, peer_port),
    offsetof(struct socket_info, uid),
    offsetof(struct socket_info, drops),
    offsetof(struct socket_info, total_drops),
    offsetof(struct socket_info, queue_bytes),
    offsetof(struct socket_info, highest_queue_bytes),
    offsetof(struct socket_info, rmem_bytes),
    offsetof(struct socket_info, rcvbuf_bytes),
};
static const size_t owner_texts[] = {
    offsetof(struct socket_owner, process),
    offsetof(struct socket_owner, executable),
    offsetof(struct socket_owner, unit),
    offsetof(struct socket_owner, container),
};
#define N(array) (sizeof(array) / sizeof((array)[0]))

static char **text_at(void *object, size_t offset) {
    return (char **) ((char *) object + offset);
}

// An empty word is as good as none.
static int take_texts(
        sqlite3_stmt *row, int column, void *object, const size_t *offsets, size_t n) {
    for (size_t i = 0; i < n; i++, column++) {
        const char *text = (const char *) sqlite3_column_text(row, column);
        if (text && *text && !(*text_at(object, offsets[i]) = strdup(text)))
            return -ENOMEM;
    }
    return 0;
}

static void owner_done(struct socket_owner *owner) {
    for (size_t i = 0; i < N(owner_texts); i++)
        free(*text_at(owner, owner_texts[i]));
}

static void info_done(struct socket_info *info) {
    for (size_t i = 0; i < N(texts); i++)
        free(*text_at(info, texts[i]));
    for (size_t i = 0; i < info->n_owners; i++)
        owner_done(&info->owners[i]);
    free(info->owners);
}

void socket_list_done(struct socket_list *list) {
    for (size_t i = 0; i < list->n; i++)
        info_done(&list->list[i]);
    free(list->list);
    *list = (struct socket_list){ 0 };
}

static int64_t number_of(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? CELL_NULL
                                                           : sqlite3_column_int64(row, column);
}

static bool is_same(const struct socket_info *info, const struct socket_info *other) {
    return info->cookie == other->cookie && info->inode == other->inode &&
           strcmp(info->netns, other->netns) == 0;
}

static int take_owner(sqlite3_stmt *row, int column, struct socket_info *info) {
    if (sqlite3_column_type(row, column) == SQLITE_NULL)
        return 0;
    struct socket_owner *owners = reallocarray(info->owners, info->n_owners + 1, sizeof(*owners));
    if (!owners)
        return -ENOMEM;
    info->owners = owners;
    struct socket_owner *owner = &owners[info->n_owners++];
    *owner = (struct socket_owner){ .pid = sqlite3_column_int64(row, column) };
    return take_texts(row, column + 1, owner, owner_texts, N(owner_texts));
}

static int take_row(sqlite3_stmt *row, struct socket_list *list, size_t *capacity) {
    struct socket_info info = { 0 };
    int r = take_texts(row, 0, &info, texts, N(texts)), column = N(texts);
    for (size_t i = 0; i < N(numbers); i++)
        *(int64_t *) ((char *) &info + numbers[i]) = number_of(row, column++);
    if (r == 0 && list->n > 0 && is_same(&list->list[list->n - 1], &info)) {
        info_done(&info);
        return take_owner(row, column, &list->list[list->n - 1]);
    }
    if (list->n == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 64;
        struct socket_info *grown = reallocarray(list->list, *capacity, sizeof(*grown));
        r = grown ? r : -ENOMEM;
        list->list = grown ? grown : list->list;
    }
    if (r < 0) {
        info_done(&info);
        return r;
    }
    list->list[list->n++] = info;
    return take_owner(row, column, &list->list[list->n - 1]);
}

bool socket_process_matches(const char *wanted, const char *name, const char *executable) {
    const char *slash = executable ? strrchr(executable, '/') : NULL;
    if (executable &&
            (strcmp(executable, wanted) == 0 || (slash && strcmp(slash + 1, wanted) == 0)))
        return true;
    if (!name)
        return false;
    return strcmp(name, wanted) == 0 ||
           (strlen(wanted) > COMM_LENGTH && strlen(name) == COMM_LENGTH &&
                   strncmp(name, wanted, COMM_LENGTH) == 0);
}

static bool is_wanted(const struct socket_info *info, const struct socket_filter *filter) {
    for (size_t i = 0; i < info->n_owners && filter->process; i++)
        if (socket_process_matches(
                    filter->process, info->owners[i].process, info->owners[i].executable))
            return true;
    return !filter->process;
}

static void drop_unwanted(struct socket_list *list, const struct socket_filter *filter) {
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        if (is_wanted(&list->list[i], filter))
            list->list[n++] = list->list[i];
        else
            info_done(&list->list[i]);
    list->n = n;
}

static void name_owner(struct socket_owner *owner) {
    char path[64], name[64];
    snprintf(path, sizeof(path), "/proc/%" PRId64 "/comm", owner->pid);
    _cleanup_fclose_ FILE *file = owner->process ? NULL : fopen(path, "re");
    size_t n = file ? fread(name, 1, sizeof(name) - 1, file) : 0;
    name[n] = '\0';
    if (n > 0 && name[n - 1] == '\n')
        name[n - 1] = '\0';
    if (*name && n > 0)
        owner->process = strdup(name);
}

static void name_owners(struct socket_list *list) {
    for (size_t i = 0; i < list->n; i++)
        for (size_t j = 0; j < list->list[i].n_owners; j++)
            name_owner(&list->list[i].owners[j]);
}

static void finalize(sqlite3_stmt **statement) {
    sqlite3_finalize(*statement);
}

int socket_list_read(
        struct store *store, const struct socket_filter *filter, struct socket_list *ret) {
    _cleanup_(finalize) sqlite3_stmt *rows = NULL;
    _cleanup_(socket_list_done) struct socket_list list = { 0 };
    size_t capacity = 0;
    int r;
    if (sqlite3_prepare_v2(store_db(store), sql, -1, &rows, NULL) != SQLITE_OK)
        return -EIO;
    if (filter->port != CELL_NULL)
        sqlite3_bind_int64(rows, 1, filter->port);
    if (filter->netns)
        sqlite3_bind_text(rows, 2, filter->netns, -1, SQLITE_STATIC);
    sqlite3_bind_int(rows, 3, filter->lossy);
    while ((r = sqlite3_step(rows)) == SQLITE_ROW)
        if (take_row(rows, &list, &capacity) < 0)
            return -ENOMEM;
    if (r != SQLITE_DONE)
        return -EIO;
    if (filter->here)
        name_owners(&list);
    drop_unwanted(&list, filter);
    *ret = list;
    list = (struct socket_list){ 0 };
    return 0;
}

char *socket_name(const struct socket_info *socket) {
    char *name;
    bool bracket = socket->address && strchr(socket->address, ':');
    bool elsewhere = strcmp(socket->netns, "host") != 0;
    int n = asprintf(&name, "%s%s%s:%" PRId64 "%s%s", bracket ? "[" : "",
            socket->address ? socket->address : "*", bracket ? "]" : "", socket->port,
            elsewhere ? " in " : "", elsewhere ? socket->netns : "");
    return n < 0 ? NULL : name;
}

static void put_owner(FILE *out, const struct socket_owner *owner) {
    if (owner->process)
        fprintf(out, "%s (pid %" PRId64 ")", owner->process, owner->pid);
    else
        fprintf(out, "process %" PRId64, owner->pid);
    const char *const where[] = { owner->unit, owner->container };
    for (size_t i = 0; i < N(where); i++)
        if (where[i])
            fprintf(out, "%s%s", i == 0 ? ", " : ", container ", where[i]);
}

static void put_nobody(FILE *out, const struct socket_info *socket) {
    const char *state = socket->owner_state ? socket->owner_state : "unknown";
    if (strcmp(state, "kernel") == 0)
        fprintf(out, "the kernel%s%s%s", socket->kernel_user ? " (" : "",
                socket->kernel_user ? socket->kernel_user : "", socket->kernel_user ? ")" : "");
    else
        fputs(strcmp(state, "denied") == 0 ? "not visible without more privileges" : "unknown",
                out);
}

char *socket_owner_text(const struct socket_owner *owner) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    put_owner(out, owner);
    fclose(out);
    return text;
}

char *socket_owners_text(const struct socket_info *socket) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < socket->n_owners; i++) {
        fputs(i > 0 ? "; " : "", out);
        put_owner(out, &socket->owners[i]);
    }
    if (socket->n_owners == 0)
        put_nobody(out, socket);
    fclose(out);
    return text;
}
