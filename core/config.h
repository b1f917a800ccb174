// SPDX-License-Identifier: GPL-2.0-or-later
// Configuration
//
// INI files: udpdiag.conf in /etc/udpdiag, /run/udpdiag, /usr/local/lib/udpdiag, /usr/lib/udpdiag
// (the first one found), then the drop-ins udpdiag.conf.d/*.conf of all those folders, sorted by
// name, a name in an earlier folder hiding the same in a later one. The keys stand in one table;
// the commented defaults, udpdiag.conf(5) and `udpdiag config` come from it.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/store.h"

#define CONFIG_LIST_SIZE 2048
#define CONFIG_BLANKS " \t,"

struct config {
    int64_t step_ms;            // [collect] step = 1s
    char database[4096];        // [store] database = /var/lib/udpdiag/udpdiag.db
    struct retention retention; // [store] keep-steps, keep-minutes, keep-hours, max-size
    // [alert]
    int64_t alert_floor;      // datagrams lost per evaluation below which nothing is raised
    double alert_floor_ratio; // and share of the received datagrams
    int64_t alert_confirm;    // consecutive evaluations
    int64_t alert_remind_ms;
    int64_t alert_clear_ms; // health needed before an alert ends
    int64_t disk_warning_percent, disk_critical_percent;
    char alert_dir[4096]; // programs that are told of alerts
    char rules_dir[4096]; // [rules] directory
    // [mute]: words separated by CONFIG_BLANKS; see core/mute.h
    char mute_ports[CONFIG_LIST_SIZE], mute_units[CONFIG_LIST_SIZE];
    char mute_causes[CONFIG_LIST_SIZE], mute_mounts[CONFIG_LIST_SIZE];
};

enum config_type {
    CONFIG_SPAN,
    CONFIG_SIZE,
    CONFIG_COUNT,
    CONFIG_PERCENT,
    CONFIG_RATIO,
    CONFIG_PATH,
    CONFIG_WORDS,
    CONFIG_PORTS,
};

struct config_key {
    const char *section, *key, *unit, *help, *fallback;
    enum config_type type;
    size_t offset; // of the value in struct config
    int64_t per;   // CONFIG_SPAN: milliseconds per unit of the field (1, or 1000 for seconds)
    int64_t smallest, greatest; // in the unit of the field; not for ratios and paths
};
extern const struct config_key config_keys[];
extern const size_t n_config_keys;

// Where a value comes from: file NULL for the built-in default.
struct config_origin {
    char *file;
    int line;
};

struct config_set;
// Reads one file (path given) or the standard folders below `root` ("" for the host). Problems
// (unknown key, bad value, unreadable file) are printed as "file:line: text" lines into `problems`;
// each keeps the default. 0, or -ENOENT where `path` was given and does not exist, or -errno.
int config_load(const char *path, const char *root, FILE *problems, struct config_set **ret);
struct config_set *config_free(struct config_set *set); // returns NULL
const struct config *config_values(const struct config_set *set);
const struct config_origin *config_origin(
        const struct config_set *set, size_t key); // index into config_keys
// The effective value of a key as text, as it stands in the file. Valid as long as the set.
const char *config_text(const struct config_set *set, size_t key);
// Reads a value into its field of `values`. 0, -EINVAL: not of the key's type, -ERANGE: outside its
// limits.
int config_key_parse(const struct config_key *key, const char *text, struct config *values);
// The commented default file.
void config_put_defaults(FILE *out);
// The key descriptions as mdoc(7), for udpdiag.conf(5).
void config_put_man(FILE *out);
