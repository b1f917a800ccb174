// SPDX-License-Identifier: GPL-2.0-or-later
// Database opening
#include "daemon/database.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cleanup.h"

#define READER_GROUP "udpdiag"

// Straight from the file: asking the name service would load its modules, and might ask a network.
static int group_of_readers(gid_t *ret) {
    _cleanup_fclose_ FILE *file = fopen("/etc/group", "re");
    struct group *group;
    while (file && (group = fgetgrent(file)))
        if (strcmp(group->gr_name, READER_GROUP) == 0) {
            *ret = group->gr_gid;
            return 0;
        }
    return -ENOENT;
}

// The set-group-ID bit hands the group down to the files, whoever makes them.
static void make_folder(const char *path) {
    _cleanup_free_ char *folder = strdup(path);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (!slash || slash == folder)
        return;
    *slash = '\0';
    if (mkdir(folder, 0750) < 0)
        return; // it is there, or opening the database tells why not
    gid_t group;
    if (group_of_readers(&group) == 0 && chown(folder, (uid_t) -1, group) == 0)
        (void) chmod(folder, 02750);
}

static int set_aside(const char *path, struct outbox *outbox, const char *why) {
    int r = store_set_aside(path);
    if (r < 0)
        return r;
    struct letter *letter = letter_new(MESSAGE_STORE_SET_ASIDE,
            "The database is damaged and was set aside as %s.damaged; a new one is begun: %s", path,
            why);
    letter_field(letter, "UDPDIAG_DATABASE", "%s", path);
    outbox_post(outbox, letter);
    return 0;
}

int database_open(const struct database_options *options, struct outbox *outbox, struct store **ret,
        char **ret_error) {
    make_folder(options->path);
    _cleanup_free_ char *damage = NULL;
    int r = store_open(
            options->path, STORE_WRITE, options->tables, options->n_tables, ret, &damage);
    if (r == -EUCLEAN && set_aside(options->path, outbox, damage ?: "it cannot be read") == 0)
        return store_open(
                options->path, STORE_WRITE, options->tables, options->n_tables, ret, ret_error);
    if (r < 0) {
        *ret_error = damage;
        damage = NULL;
    }
    return r;
}

int database_sign(struct store *store, const struct database_options *options, int64_t now_ms) {
    char step[32], pid[32], start[32];
    snprintf(step, sizeof(step), "%" PRId64, options->step_ms);
    snprintf(pid, sizeof(pid), "%d", (int) getpid());
    snprintf(start, sizeof(start), "%" PRId64, now_ms);
    const char *const meta[][2] = {
        { "boot_id", options->boot_id },
        { "host", options->host },
        { "kernel", options->kernel },
        { "step_ms", step },
        { "daemon_pid", pid },
        { "daemon_start_ms", start },
        { "daemon_version", UDPDIAG_VERSION },
    };
    int r = 0;
    for (size_t i = 0; i < sizeof(meta) / sizeof(meta[0]) && r >= 0; i++)
        r = store_set_meta(store, meta[i][0], meta[i][1]);
    return r;
}

struct seed *seed_free(struct seed *seed) {
    if (!seed)
        return NULL;
    for (size_t i = 0; seed->totals && i < seed->n_tables; i++)
        rows_done(&seed->totals[i]);
    free(seed->totals);
    free(seed);
    return NULL;
}

static int read_totals(
        struct store *store, const struct database_options *options, struct seed *seed) {
    seed->totals = calloc(options->n_tables, sizeof(*seed->totals));
    if (!seed->totals)
        return -ENOMEM;
    seed->n_tables = options->n_tables;
    for (size_t i = 0; i < options->n_tables; i++)
        rows_init(&seed->totals[i], options->tables[i]);
    int r = 0;
    for (size_t i = 0; i < options->n_tables && r >= 0; i++)
        r = store_last(store, i, &seed->totals[i]);
    return r;
}

int database_seed(struct store *store, const struct database_options *options, struct seed **ret) {
    char boot_id[64] = "";
    int64_t wall_ms, boottime_ms;
    int r = store_get_meta(store, "boot_id", boot_id, sizeof(boot_id));
    if (r != 0)
        return r;
    // After a boot the counters started anew: what they lost in between, nobody knows.
    if (strcmp(boot_id, options->boot_id) != 0)
        return 1;
    r = store_last_time(store, &wall_ms, &boottime_ms);
    if (r < 0)
        return r;
    if (wall_ms == 0)
        return 1;
    struct seed *seed = calloc(1, sizeof(*seed));
    if (!seed)
        return -ENOMEM;
    r = read_totals(store, options, seed);
    if (r < 0) {
        seed_free(seed);
        return r;
    }
    seed->wall_ms = wall_ms;
    seed->boottime_ms = boottime_ms;
    *ret = seed;
    return 0;
}
