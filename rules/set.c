// SPDX-License-Identifier: GPL-2.0-or-later
// Rule set
#include "rules/set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "rules/append.h"
#include "rules/load.h"
#include "rules/sandbox.h"

static const char ledger_name[] = "ledger";
static const char views_name[] = "views";
static const char built_in[] = "built in";

// A set that is being filled. Queries are checked on a window in which nothing happened, made when
// there is need.
struct loading {
    struct rule_set *set;
    struct store *store;
    struct sandbox sandbox;
    FILE *problems;
};

static int need_window(struct loading *loading) {
    if (loading->store)
        return 0;
    int r = load_empty_window(loading->set->tables, loading->set->n_tables, &loading->store);
    if (r == 0)
        r = sandbox_enter(&loading->sandbox, loading->store);
    if (r == 0)
        r = ledger_create(&loading->sandbox);
    return r == 0 ? views_clear(&loading->set->views, &loading->sandbox) : r;
}

static struct rule *find(const struct rule_set *set, const char *id) {
    for (size_t i = 0; i < set->n; i++)
        if (strcmp(set->rules[i].id, id) == 0)
            return &set->rules[i];
    return NULL;
}

// Puts the rule into the set, in place of one of that name.
static int put(struct rule_set *set, struct rule *rule) {
    struct rule *place = find(set, rule->id);
    if (place)
        rule_done(place);
    else
        place = append(set->rules, set->n);
    if (!place) {
        rule_done(rule);
        return -ENOMEM;
    }
    *place = *rule;
    return 0;
}

// 0: good, 1: has problems, or -errno; *ret to be rule_done()d on 0 only.
static int read_rule(struct loading *loading, const char *id, const char *text, const char *file,
        const char *origin, bool check, struct rule *ret) {
    struct rule_set *set = loading->set;
    struct problems problems = { loading->problems, file, 0 };
    struct vocabulary vocabulary = { set->tables, set->n_tables, &set->ledger };
    int r = rule_parse(id, text, origin, &vocabulary, &problems, ret);
    if (r == 0 && check)
        r = need_window(loading);
    if (r == 0 && check)
        r = rule_check(ret, &loading->sandbox, &problems);
    if (r)
        rule_done(ret);
    return r;
}

static int read_ledger(struct loading *loading, const char *text, const char *file, bool check,
        struct ledger *ret) {
    struct problems problems = { loading->problems, file, 0 };
    int r = ledger_parse(text, loading->set->tables, loading->set->n_tables, &problems, ret);
    if (r == 0 && check)
        r = need_window(loading);
    return r == 0 && check ? ledger_check(ret, &loading->sandbox, &problems) : r;
}

// With the window that is checked on; the tables of the views are made here, with their mistakes
// told.
static int read_views(struct loading *loading, const char *text, const char *file, bool check) {
    struct problems problems = { loading->problems, file, 0 };
    struct views views;
    int r = views_parse(text, &problems, &views);
    if (r == 0 && check)
        r = need_window(loading);
    if (r == 0 && check)
        r = views_check(&views, &loading->sandbox, &problems);
    if (r == 0)
        loading->set->views = views;
    else
        views_done(&views);
    return r;
}

static int add_source(struct loading *loading, const struct rule_source *source, bool check) {
    _cleanup_free_ char *file = NULL;
    struct rule rule;
    if (asprintf(&file, "%s.sql (%s)", source->name, built_in) < 0) {
        file = NULL;
        return -ENOMEM;
    }
    if (strcmp(source->name, ledger_name) == 0)
        return read_ledger(loading, source->text, file, check, &loading->set->ledger);
    if (strcmp(source->name, views_name) == 0)
        return read_views(loading, source->text, file, check);
    int r = read_rule(loading, source->name, source->text, file, built_in, check, &rule);
    return r ? r : put(loading->set, &rule);
}

// The ledger first, then the views: the rules name its loci, and ask their tables.
static int rank_of(const char *name) {
    return strcmp(name, ledger_name) == 0 ? 0 : strcmp(name, views_name) == 0 ? 1 : 2;
}

static int add_sources(
        struct loading *loading, const struct rule_source *sources, size_t n, bool check) {
    for (int rank = 0; rank <= 2; rank++)
        for (size_t i = 0; i < n; i++) {
            if (rank_of(sources[i].name) != rank)
                continue;
            int r = add_source(loading, &sources[i], check);
            if (r < 0)
                return r;
        }
    return 0;
}

static int add_file(const char *id, const char *path, const char *text, void *data) {
    struct loading *loading = data;
    struct problems problems = { loading->problems, path, 0 };
    struct rule rule, *masked = find(loading->set, id);
    if (rank_of(id) < 2) {
        problem(&problems, 0, "the %s built in", rank_of(id) == 0 ? "ledger is" : "views are");
        return 0;
    }
    if (text) {
        int r = read_rule(loading, id, text, path, path, true, &rule);
        return r == 0 ? put(loading->set, &rule) : r < 0 ? r : 0;
    }
    if (!masked) // one that no longer exists, or not yet
        return 0;
    char *origin = strdup(path);
    if (!origin)
        return -ENOMEM;
    free(masked->origin);
    masked->origin = origin;
    masked->masked = true;
    return 0;
}

static int compare(const void *a, const void *b) {
    return strcmp(((const struct rule *) a)->id, ((const struct rule *) b)->id);
}

static int add_folder(struct loading *loading, const char *dir) {
    int r = dir ? load_folder(dir, loading->problems, add_file, loading) : 0;
    if (loading->set->n > 0)
        qsort(loading->set->rules, loading->set->n, sizeof(struct rule), compare);
    return r;
}

static int check_file(const char *id, const char *path, const char *text, void *data) {
    struct loading *loading = data;
    struct problems problems = { loading->problems, path, 0 };
    struct rule rule;
    if (!text) {
        problem(&problems, 0, "not a regular file");
        return 1;
    }
    if (strcmp(id, ledger_name) == 0) {
        struct ledger ledger;
        int r = read_ledger(loading, text, path, true, &ledger);
        ledger_done(&ledger);
        return r;
    }
    if (strcmp(id, views_name) == 0) {
        problem(&problems, 0, "the views are built in");
        return 1;
    }
    int r = read_rule(loading, id, text, path, path, true, &rule);
    if (r == 0)
        rule_done(&rule);
    return r;
}

static void loading_done(struct loading *loading) {
    sandbox_leave(&loading->sandbox);
    store_close(loading->store);
    rules_free(loading->set);
}

// Fills a new set with the sources. 0 or -errno.
static int begin(struct loading *loading, const struct rule_source *sources, size_t n_sources,
        bool check, const struct table *const *tables, size_t n_tables, FILE *problems) {
    *loading = (struct loading){ .set = calloc(1, sizeof(struct rule_set)), .problems = problems };
    if (!loading->set)
        return -ENOMEM;
    loading->set->tables = tables;
    loading->set->n_tables = n_tables;
    return add_sources(loading, sources, n_sources, check);
}

int rule_set_new(const struct rule_source *sources, size_t n_sources, bool check, const char *dir,
        const struct table *const *tables, size_t n_tables, FILE *problems, struct rule_set **ret) {
    struct loading loading;
    int r = begin(&loading, sources, n_sources, check, tables, n_tables, problems);
    if (r == 0)
        r = add_folder(&loading, dir);
    if (r == 0) {
        *ret = loading.set;
        loading.set = NULL;
    }
    loading_done(&loading);
    return r;
}

int rule_set_check(const struct rule_source *sources, size_t n_sources, const char *path,
        const struct table *const *tables, size_t n_tables, FILE *problems) {
    struct loading loading;
    int r = begin(&loading, sources, n_sources, false, tables, n_tables, problems);
    if (r == 0)
        r = load_file(path, problems, check_file, &loading);
    loading_done(&loading);
    return r;
}

int rules_load(const char *dir, const struct table *const *tables, size_t n_tables, FILE *problems,
        struct rule_set **ret) {
    return rule_set_new(
            rules_builtin, n_rules_builtin, false, dir, tables, n_tables, problems, ret);
}

int rules_check(
        const char *path, const struct table *const *tables, size_t n_tables, FILE *problems) {
    return rule_set_check(rules_builtin, n_rules_builtin, path, tables, n_tables, problems);
}

struct rule_set *rules_free(struct rule_set *set) {
    if (!set)
        return NULL;
    for (size_t i = 0; i < set->n; i++)
        rule_done(&set->rules[i]);
    free(set->rules);
    ledger_done(&set->ledger);
    views_done(&set->views);
    free(set);
    return NULL;
}

size_t rules_count(const struct rule_set *set) {
    return set->n;
}

void rules_info(const struct rule_set *set, size_t i, struct rule_info *ret) {
    const struct rule *rule = &set->rules[i];
    const char *title = rule_value(rule, WORD_TITLE);
    const char *loci = rule_loci(rule);
    *ret = (struct rule_info){ .id = rule->id,
        .locus = loci ? loci : "-",
        .title = title ? title : rule_value(rule, WORD_TEXT),
        .severity = severity_name(rule->severity),
        .kind = rule_kind_name(rule->kind),
        .text = rule->text,
        .origin = rule->origin,
        .masked = rule->masked };
}

size_t rules_lines(const struct rule_set *set, size_t i, struct rule_line *ret, size_t n) {
    const struct header *header = &set->rules[i].header;
    for (size_t j = 0; j < header->n && j < n; j++) {
        const struct header_line *line = &header->lines[j];
        ret[j] = (struct rule_line){ rule_word_name(line->word),
            { line->part[0], line->part[1], line->part[2] } };
    }
    return header->n;
}

const char *rules_made_table(const struct rule_set *set, size_t i) {
    static const char *const ledger[] = { "ledger", "loss_step" };
    size_t n = sizeof(ledger) / sizeof(ledger[0]);
    if (i < n)
        return ledger[i];
    return i - n < set->views.n ? set->views.views[i - n].name : NULL;
}

size_t rules_counters(const struct rule_set *set, const struct rules_counter **ret) {
    *ret = set->ledger.counters;
    return set->ledger.n_counters;
}

int rules_set_param(struct rule_set *set, const char *id, const char *param, double value) {
    struct rule *rule = find(set, id);
    for (size_t i = 0; rule && i < rule->n_params; i++)
        if (strcmp(rule->params[i].name + 1, param) == 0) {
            rule->params[i].value = value;
            return 0;
        }
    return -ENOENT;
}
