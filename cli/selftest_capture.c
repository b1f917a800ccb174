// SPDX-License-Identifier: GPL-2.0-or-later
// Scenario captures
//
// Every look of a scenario is kept as `udpdiag capture` keeps it, read again as `why --capture`
// reads it, and has to give the verdict that was there.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/pasted.h"
#include "cli/selftest.h"
#include "collectors/collector.h"
#include "core/cleanup.h"
#include "core/sample_text.h"
#include "formats/capture.h"

#define MANIFEST "{\"udpdiag_capture\": 1}"

static int add_file(struct tree *tree, const char *path, char *text, size_t length) {
    struct tree_file *files = reallocarray(tree->file, tree->n + 1, sizeof(*files));
    char *name = strdup(path);
    if (files)
        tree->file = files;
    if (!files || !name || !text) {
        free(name);
        free(text);
        return -ENOMEM;
    }
    tree->file[tree->n++] = (struct tree_file){ name, text, length };
    return 0;
}

int selftest_keep_look(void *data, const struct sample *sample) {
    struct tree *tree = data;
    char path[32], *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return -ENOMEM;
    snprintf(path, sizeof(path), CAPTURE_LOOK, (unsigned) tree->n + 1);
    int r = sample_text_write(sample, NULL, NULL, out);
    if (fclose(out) != 0 && r == 0)
        r = -ENOMEM;
    if (r < 0) {
        free(text);
        return r;
    }
    return add_file(tree, path, text, length);
}

// Reading changes the texts; the looks go on to be kept. They are in the order of their names, and
// the manifest's comes after these.
static int copy(const struct tree *looks, struct tree *ret) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < looks->n; i++)
        r = add_file(ret, looks->file[i].path, strdup(looks->file[i].text), looks->file[i].length);
    return r < 0 ? r : add_file(ret, CAPTURE_MANIFEST, strdup(MANIFEST), strlen(MANIFEST));
}

static int judge(const struct rule_set *rules, const struct verdict *live, struct pasted *capture,
        struct verdict **ret) {
    _cleanup_free_ char *error = NULL;
    struct capture_facts facts;
    int r = store_open(
            NULL, STORE_MEMORY, collector_tables(), n_collectors, &capture->store, &error);
    if (r == 0)
        r = capture_store(&capture->tree, "", collector_tables(), n_collectors, capture->store,
                &capture->steps, &facts);
    if (r != 0)
        return r < 0 ? r : -EBADMSG;
    snprintf(capture->host, sizeof(capture->host), "%s", live->host);
    snprintf(capture->kernel, sizeof(capture->kernel), "%s", live->kernel);
    return pasted_judge(rules, capture, ret);
}

static json_object *document_of(const struct verdict *verdict) {
    json_object *document = verdict_json(verdict), *window;
    if (json_object_object_get_ex(document, "window", &window))
        json_object_object_del(window, "kind");
    return document;
}

static bool is_same(const struct verdict *a, const struct verdict *b, char *ret, size_t size) {
    json_object *x = document_of(a), *y = document_of(b), *other;
    bool same = true;
    json_object_object_foreach(x, key, value) {
        if (same &&
                (!json_object_object_get_ex(y, key, &other) || !json_object_equal(value, other))) {
            snprintf(ret, size, "%s", key);
            same = false;
        }
    }
    json_object_put(x);
    json_object_put(y);
    return same;
}

int selftest_check_capture(const struct rule_set *rules, const struct tree *looks,
        const struct verdict *verdict, char *ret, size_t size) {
    _cleanup_(pasted_done) struct pasted capture = { 0 };
    struct verdict *again = NULL;
    int r = copy(looks, &capture.tree);
    if (r == 0)
        r = judge(rules, verdict, &capture, &again);
    if (r == 0)
        r = !is_same(verdict, again, ret, size);
    else if (r == 1)
        r = -ENODATA;
    verdict_free(again);
    return r;
}
