// SPDX-License-Identifier: GPL-2.0-or-later
// Settings
#include "daemon/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/collector.h"
#include "core/cleanup.h"

struct settings *settings_free(struct settings *settings) {
    if (!settings)
        return NULL;
    loss_watch_free(settings->watch);
    rules_free(settings->rules);
    config_free(settings->set);
    free(settings);
    return NULL;
}

static int load_rules(struct settings *settings, FILE *problems) {
    const struct config *config = settings->config;
    int r = rules_load(
            config->rules_dir, collector_tables(), n_collectors, problems, &settings->rules);
    if (r < 0)
        return r;
    // Rules of the rules.d folder may have no such parameter: they then decide for themselves.
    (void) rules_set_param(
            settings->rules, "disk-fill", "warning", (double) config->disk_warning_percent);
    (void) rules_set_param(
            settings->rules, "disk-fill", "critical", (double) config->disk_critical_percent);
    return loss_watch_new(settings->rules, collector_tables(), n_collectors, &settings->watch);
}

static int load(const struct options *options, FILE *problems, struct settings *settings) {
    int r = config_load(options->config, "", problems, &settings->set);
    if (r < 0)
        return r;
    const struct config *config = settings->config = config_values(settings->set);
    settings->step_ms = options->step_ms ? options->step_ms : config->step_ms;
    settings->database = options->database ?: config->database;
    settings->policy = (struct alert_policy){
        .floor = config->alert_floor,
        .floor_ratio = config->alert_floor_ratio,
        .confirm = config->alert_confirm,
        .remind_ms = config->alert_remind_ms,
        .clear_ms = config->alert_clear_ms,
    };
    return load_rules(settings, problems);
}

static size_t post_lines(struct outbox *outbox, char *lines) {
    size_t n = 0;
    char *rest = lines;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        if (!*line)
            continue;
        n++;
        outbox_say(outbox, MESSAGE_CONFIG_PROBLEM, "%s", line);
    }
    return n;
}

int settings_load(
        const struct options *options, bool strict, struct outbox *outbox, struct settings **ret) {
    struct settings *settings = calloc(1, sizeof(*settings));
    _cleanup_free_ char *lines = NULL;
    size_t size;
    FILE *problems = settings ? open_memstream(&lines, &size) : NULL;
    if (!problems) {
        free(settings);
        return -ENOMEM;
    }
    int r = load(options, problems, settings);
    fclose(problems);
    size_t n = lines ? post_lines(outbox, lines) : 0;
    if (r < 0 && n == 0)
        outbox_say(outbox, MESSAGE_CONFIG_PROBLEM, "%s: %s", options->config ?: "The configuration",
                strerror(-r));
    if (r >= 0 && strict && n > 0)
        r = 1;
    if (r != 0)
        settings_free(settings);
    else
        *ret = settings;
    return r;
}
