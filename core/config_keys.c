// SPDX-License-Identifier: GPL-2.0-or-later
// Configuration keys
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/moment.h"

#define FIELD(name) offsetof(struct config, name)
#define MAX_COUNT INT64_C(1000000000000)
#define MAX_SPAN_S INT64_C(315576000) // ten years
#define KIB (INT64_C(1) << 10)
#define MIB (INT64_C(1) << 20)
#define GIB (INT64_C(1) << 30)
#define TIB (INT64_C(1) << 40)

const struct config_key config_keys[] = {
    { "collect", "step", "span", "How often the counters are read", "1s", CONFIG_SPAN,
            FIELD(step_ms), 1, 100, 60000 },
    { "store", "database", "path", "The history, an SQLite database", "/var/lib/udpdiag/udpdiag.db",
            CONFIG_PATH, FIELD(database) },
    { "store", "keep-steps", "span", "How long every step is kept", "1d", CONFIG_SPAN,
            FIELD(retention.steps_s), 1000, 600, MAX_SPAN_S },
    { "store", "keep-minutes", "span", "How long sums per minute are kept", "30d", CONFIG_SPAN,
            FIELD(retention.minutes_s), 1000, 3600, MAX_SPAN_S },
    { "store", "keep-hours", "span", "How long sums per hour are kept", "365d", CONFIG_SPAN,
            FIELD(retention.hours_s), 1000, 3600, MAX_SPAN_S },
    { "store", "max-size", "size",
            "Most bytes that the database takes; the oldest is deleted first", "256M", CONFIG_SIZE,
            FIELD(retention.max_bytes), 1, 16 * MIB, TIB },
    { "alert", "floor", "datagrams", "Losing fewer than this in one evaluation raises no alert",
            "10", CONFIG_COUNT, FIELD(alert_floor), 1, 1, MAX_COUNT },
    { "alert", "floor-ratio", "ratio",
            "Nor does losing less than this share of the datagrams received", "0.01%", CONFIG_RATIO,
            FIELD(alert_floor_ratio) },
    { "alert", "confirm", "evaluations",
            "So many evaluations in a row must agree before an alert begins; one is enough for a loss of "
            "ten times both floors", "2", CONFIG_COUNT,
            FIELD(alert_confirm), 1, 1, 1000 },
    { "alert", "remind", "span", "An alert that lasts is repeated this often", "30min", CONFIG_SPAN,
            FIELD(alert_remind_ms), 1, 10000, MAX_SPAN_S * 1000 },
    { "alert", "clear", "span", "An alert ends after this long without its cause", "1min",
            CONFIG_SPAN, FIELD(alert_clear_ms), 1, 1000, 86400000 },
    { "alert", "disk-warning", "percent", "A file system filled to this level raises a warning",
            "80%", CONFIG_PERCENT, FIELD(disk_warning_percent), 1, 1, 100 },
    { "alert", "disk-critical", "percent",
            "A file system filled to this level raises a critical alert", "90%", CONFIG_PERCENT,
            FIELD(disk_critical_percent), 1, 1, 100 },
    { "alert", "directory", "path", "Programs that are run when an alert begins, lasts or ends",
            "/etc/udpdiag/alert.d", CONFIG_PATH, FIELD(alert_dir) },
    { "rules", "directory", "path", "Rules here replace or add to those built in",
            "/etc/udpdiag/rules.d", CONFIG_PATH, FIELD(rules_dir) },
    { "mute", "port", "ports",
            "Losses at these local ports are expected: counted and shown, but no alert", "",
            CONFIG_PORTS, FIELD(mute_ports) },
    { "mute", "unit", "units", "The same of sockets of these units, such as statsd.service or test-*",
            "", CONFIG_WORDS, FIELD(mute_units) },
    { "mute", "cause", "causes", "The same of these causes and levels, by the name of their rule", "",
            CONFIG_WORDS, FIELD(mute_causes) },
    { "mute", "mount", "mounts", "The same of what concerns file systems mounted here", "",
            CONFIG_WORDS, FIELD(mute_mounts) },
};
const size_t n_config_keys = sizeof(config_keys) / sizeof(config_keys[0]);

static int within_limits(const struct config_key *key, int64_t value, int64_t *field) {
    if (value < key->smallest || value > key->greatest)
        return -ERANGE;
    *field = value;
    return 0;
}

static int parse_span(const struct config_key *key, const char *text, int64_t *field) {
    int64_t ms;
    int r = moment_parse_span(text, &ms);
    return r < 0 ? r : within_limits(key, ms / key->per, field);
}

// Digits, then what follows them in *ret_rest.
static int parse_integer(const char *text, int64_t *ret, const char **ret_rest) {
    char *end;
    if (*text < '0' || *text > '9')
        return -EINVAL;
    errno = 0;
    intmax_t value = strtoimax(text, &end, 10);
    if (errno == ERANGE)
        return -ERANGE;
    *ret = value;
    *ret_rest = end;
    return 0;
}

static int parse_count(
        const struct config_key *key, const char *text, const char *suffix, int64_t *field) {
    int64_t value;
    const char *rest;
    int r = parse_integer(text, &value, &rest);
    if (r < 0)
        return r;
    rest += strspn(rest, " ");
    if (*rest && strcmp(rest, suffix) != 0)
        return -EINVAL;
    return within_limits(key, value, field);
}

static int parse_size(const struct config_key *key, const char *text, int64_t *field) {
    static const struct {
        const char *name;
        int64_t bytes;
    } units[] = {
        { "", 1 },
        { "B", 1 },
        { "K", KIB },
        { "KiB", KIB },
        { "M", MIB },
        { "MiB", MIB },
        { "G", GIB },
        { "GiB", GIB },
        { "T", TIB },
        { "TiB", TIB },
    };
    int64_t value;
    const char *rest;
    int r = parse_integer(text, &value, &rest);
    if (r < 0)
        return r;
    rest += strspn(rest, " ");
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(rest, units[i].name) == 0)
            return __builtin_mul_overflow(value, units[i].bytes, &value)
                           ? -ERANGE
                           : within_limits(key, value, field);
    return -EINVAL;
}

static int parse_ratio(const char *text, double *field) {
    char *end;
    if ((*text < '0' || *text > '9') && *text != '.')
        return -EINVAL;
    double value = strtod(text, &end);
    end += strspn(end, " ");
    if (strcmp(end, "%") == 0)
        value /= 100;
    else if (*end)
        return -EINVAL;
    if (!isfinite(value) || value < 0 || value > 1)
        return -ERANGE;
    *field = value;
    return 0;
}

static int parse_path(const char *text, char *field) {
    if (*text != '/')
        return -EINVAL;
    if (strlen(text) >= sizeof(((struct config *) 0)->database))
        return -ERANGE;
    strcpy(field, text);
    return 0;
}

static int parse_words(const char *text, char *field) {
    if (strlen(text) >= CONFIG_LIST_SIZE)
        return -ERANGE;
    strcpy(field, text);
    return 0;
}

static int parse_ports(const char *text, char *field) {
    for (const char *p = text + strspn(text, CONFIG_BLANKS); *p; p += strspn(p, CONFIG_BLANKS)) {
        int64_t port;
        int r = parse_integer(p, &port, &p);
        if (r < 0)
            return r;
        if (port < 1 || port > 65535)
            return -ERANGE;
        if (*p && !strchr(CONFIG_BLANKS, *p))
            return -EINVAL;
    }
    return parse_words(text, field);
}

int config_key_parse(const struct config_key *key, const char *text, struct config *values) {
    void *field = (char *) values + key->offset;
    switch (key->type) {
    case CONFIG_SPAN:
        return parse_span(key, text, field);
    case CONFIG_SIZE:
        return parse_size(key, text, field);
    case CONFIG_COUNT:
        return parse_count(key, text, "", field);
    case CONFIG_PERCENT:
        return parse_count(key, text, "%", field);
    case CONFIG_RATIO:
        return parse_ratio(text, field);
    case CONFIG_PATH:
        return parse_path(text, field);
    case CONFIG_WORDS:
        return parse_words(text, field);
    case CONFIG_PORTS:
        return parse_ports(text, field);
    }
    return -EINVAL;
}
