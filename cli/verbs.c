// SPDX-License-Identifier: GPL-2.0-or-later
// Verb list
#include "cli/verbs.h"

#include <string.h>

const struct verb *const verbs[] = {
    &verb_why,
    &verb_capture,
    &verb_sockets,
    &verb_explain,
    &verb_doctor,
    &verb_selftest,
    &verb_stat,
    &verb_status,
    &verb_history,
    &verb_alerts,
    &verb_rules,
    &verb_tables,
    &verb_config,
    &verb_version,
    &verb_help,
};
const size_t n_verbs = sizeof(verbs) / sizeof(verbs[0]);

const struct verb *verb_find(const char *name) {
    for (size_t i = 0; i < n_verbs; i++)
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
    return NULL;
}
