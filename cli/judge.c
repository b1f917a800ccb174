// SPDX-License-Identifier: GPL-2.0-or-later
// Judgement
#include "cli/judge.h"

#include <errno.h>

#include "collectors/collector.h"
#include "core/cleanup.h"

char *judge_rules_folder(const struct cli *cli) {
    char *path;
    int n = asprintf(
            &path, "%s%s", cli->root ? cli->root : "", config_values(cli->config)->rules_dir);
    return n < 0 ? NULL : path;
}

int judge_rules(const struct cli *cli, struct rule_set **ret) {
    const struct config *config = config_values(cli->config);
    _cleanup_free_ char *folder = judge_rules_folder(cli);
    if (!folder)
        return complain_errno(ENOMEM, "rules");
    int r = rules_load(folder, collector_tables(), n_collectors, stderr, ret);
    if (r < 0)
        return complain_errno(r, "rules");
    // A masked rule has no parameters: -ENOENT is fine.
    rules_set_param(*ret, "disk-fill", "warning", (double) config->disk_warning_percent);
    rules_set_param(*ret, "disk-fill", "critical", (double) config->disk_critical_percent);
    return 0;
}

int judge_history(const struct rule_set *rules, struct store *store, int64_t start_ms,
        int64_t end_ms, struct verdict **ret) {
    char host[LIVE_NAME_SIZE] = "", kernel[LIVE_NAME_SIZE] = "";
    struct window window;
    int r = window_open(store, WINDOW_HISTORY, start_ms, end_ms, &window);
    if (r != 0)
        return r;
    store_get_meta(store, "host", host, sizeof(host));
    store_get_meta(store, "kernel", kernel, sizeof(kernel));
    return rules_judge(rules, store, &window, host, kernel, ret);
}

int judge_live(const struct rule_set *rules, struct live *live, struct verdict **ret) {
    char host[LIVE_NAME_SIZE], kernel[LIVE_NAME_SIZE];
    struct window window;
    int r = live_window(live, &window);
    if (r != 0)
        return r;
    live_names(live, host, kernel);
    return rules_judge(rules, live_store(live), &window, host, kernel, ret);
}

void judge_rules_done(struct rule_set **rules) {
    *rules = rules_free(*rules);
}

void judge_verdict_done(struct verdict **verdict) {
    *verdict = verdict_free(*verdict);
}

void judge_live_done(struct live **live) {
    *live = live_free(*live);
}
