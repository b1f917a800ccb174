// SPDX-License-Identifier: GPL-2.0-or-later
// Configuration texts
#include <stdbool.h>
#include <string.h>

#include "core/config.h"

static const char *section_before(size_t i) {
    return i == 0 ? "" : config_keys[i - 1].section;
}

void config_put_defaults(FILE *out) {
    fputs("# Every key with its default. Remove the # before a key and change its value.\n", out);
    for (size_t i = 0; i < n_config_keys; i++) {
        const struct config_key *key = &config_keys[i];
        if (strcmp(key->section, section_before(i)) != 0)
            fprintf(out, "\n[%s]\n", key->section);
        fprintf(out, "# %s.\n#%s =%s%s\n", key->help, key->key, *key->fallback ? " " : "",
                key->fallback);
    }
}

void config_put_man(FILE *out) {
    for (size_t i = 0; i < n_config_keys; i++) {
        const struct config_key *key = &config_keys[i];
        bool begins = strcmp(key->section, section_before(i)) != 0;
        if (begins && i > 0)
            fputs(".El\n", out);
        if (begins)
            fprintf(out, ".Ss \\(lB%s\\(rB\n.Bl -tag -width Ds\n", key->section);
        fprintf(out, ".It Cm %s Ns = Ns Ar %s\n%s.\nDefault:\n", key->key, key->unit, key->help);
        if (*key->fallback)
            fprintf(out, ".Ql %s .\n", key->fallback);
        else
            fputs("none.\n", out);
    }
    fputs(".El\n", out);
}
