// SPDX-License-Identifier: GPL-2.0-or-later
// Alert keys
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/candidates.h"

// A key is fields that each end in a unit separator; the first two of a loss say where, the others
// what exactly.
#define SEPARATOR '\x1f'
#define WHERE_FIELDS 2

// Who reads, who hogs and what CPU it ran on change while the same loss goes on. A level is its
// subject.
static const char *const loss_fields[] = { "netns", "address", "port", "interface", NULL };
static const char *const level_fields[] = { "netns", "address", "port", "interface", "mount",
    "unit", "container", NULL };

static void put_field(FILE *out, const struct subject *subject, const char *name) {
    for (size_t i = 0; i < n_subject_fields; i++) {
        const struct subject_field *field = &subject_fields[i];
        if (strcmp(field->name, name) != 0)
            continue;
        if (field->is_text)
            fputs(subject_text(subject, field) ?: (strcmp(name, "netns") == 0 ? "host" : ""), out);
        else if (subject_number(subject, field) != CELL_NULL)
            fprintf(out, "%" PRId64, subject_number(subject, field));
    }
    fputc(SEPARATOR, out);
}

char *alert_key(const char *id, const char *locus, const struct subject *subject) {
    char *key = NULL;
    size_t size;
    FILE *out = open_memstream(&key, &size);
    if (!out)
        return NULL;
    fprintf(out, "%s%c", locus ?: id, SEPARATOR);
    for (const char *const *field = locus ? loss_fields : level_fields; *field; field++)
        put_field(out, subject, *field);
    if (fclose(out) == 0)
        return key;
    free(key);
    return NULL;
}

// What follows the locus and the namespace.
static const char *exact_part(const char *key) {
    for (int i = 0; i < WHERE_FIELDS && key; i++) {
        key = strchr(key, SEPARATOR);
        key = key ? key + 1 : NULL;
    }
    return key ?: "";
}

static bool is_exact(const char *part) {
    for (; *part; part++)
        if (*part != SEPARATOR)
            return true;
    return false;
}

bool alert_key_matches(const char *a, const char *b) {
    const char *exact_a = exact_part(a), *exact_b = exact_part(b);
    return exact_a - a == exact_b - b && memcmp(a, b, (size_t) (exact_a - a)) == 0 &&
           (!is_exact(exact_a) || !is_exact(exact_b));
}

int alert_document_read(json_object *document, struct subject *subject, char **ret_locus) {
    json_object *locus = NULL, *fields = NULL, *value;
    json_object_object_get_ex(document, "locus", &locus);
    json_object_object_get_ex(document, "subject", &fields);
    if (locus && !(*ret_locus = strdup(json_object_get_string(locus))))
        return -ENOMEM;
    for (size_t i = 0; i < n_subject_fields; i++) {
        const struct subject_field *field = &subject_fields[i];
        if (!json_object_object_get_ex(fields, field->name, &value) || !value)
            continue;
        if (!field->is_text)
            subject_set_number(subject, field, json_object_get_int64(value));
        else if (subject_set_text(subject, field, json_object_get_string(value)) < 0)
            return -ENOMEM;
    }
    return 0;
}
