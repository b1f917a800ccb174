// SPDX-License-Identifier: GPL-2.0-or-later
// Rule cases
//
// Runs the cases of a folder (its README.md says how one is written), one TAP line each. A test
// program of its own kind, so that a failed line is named after its file.
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/collector.h"
#include "core/cleanup.h"
#include "core/text.h"
#include "rules/set.h"
#include "tests/rules/answer.h"

#define START_MS INT64_C(1764471600000) // 2025-11-30 03:00:00 UTC

struct frame {
    enum window_kind kind;
    int64_t steps, step_ms;
    char base[16]; // "": base.sql; "none"; or what stands on top of it
};

struct run {
    const char *folder;
    struct rule_set *rules;
    bool rewrite, show;
    int number, failed;
};

static char *read_text(const char *folder, const char *name) {
    _cleanup_free_ char *path = NULL;
    char *text = NULL;
    size_t size = 0;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return NULL;
    _cleanup_fclose_ FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        return strdup("");
    }
    return text;
}

static void read_frame(const char *text, struct frame *frame) {
    *frame = (struct frame){ WINDOW_LIVE, 60, 1000, "" };
    for (const char *p = text; strncmp(p, "--", 2) == 0;
            p += strcspn(p, "\n") + (p[strcspn(p, "\n")] != 0)) {
        char word[16], value[16];
        if (sscanf(p, "-- %15s %15s", word, value) != 2)
            continue;
        for (enum window_kind kind = WINDOW_LIVE; kind <= WINDOW_SINCE_BOOT; kind++)
            if (strcmp(word, "kind") == 0 && strcmp(value, window_kind_name(kind)) == 0)
                frame->kind = kind;
        if (strcmp(word, "base") == 0)
            snprintf(frame->base, sizeof(frame->base), "%s", value);
        if (strcmp(word, "steps") == 0)
            sscanf(p, "-- steps %" SCNd64 " %" SCNd64, &frame->steps, &frame->step_ms);
    }
    if (frame->kind == WINDOW_SINCE_BOOT) {
        frame->steps = 1;
        frame->step_ms = 86400000;
    }
}

static bool execute(sqlite3 *db, const char *sql, const char *what, FILE *out) {
    char *error = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &error) == SQLITE_OK)
        return true;
    fprintf(out, "%s: %s\n", what, error);
    sqlite3_free(error);
    return false;
}

static bool make_steps(sqlite3 *db, const struct frame *frame, FILE *out) {
    char sql[512];
    snprintf(sql, sizeof(sql),
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %" PRId64 ")"
            " INSERT INTO main.step(step, end_ms, length_ms, flags) SELECT i, %" PRId64
            " + i * %" PRId64 ", %" PRId64 ", %d FROM n",
            frame->steps, START_MS, frame->step_ms, frame->step_ms,
            frame->kind == WINDOW_SINCE_BOOT ? STEP_SINCE_BOOT : 0);
    return execute(db, sql, "steps", out);
}

static void put_last(FILE *sql, const struct table *table) {
    fprintf(sql, "INSERT INTO main.\"%s_last\"(step", table->name);
    for (size_t i = 0; i < table->n_columns; i++)
        fprintf(sql, ", \"%s\"", table->columns[i].name);
    fputs(") SELECT max(step)", sql); // which row bare columns are taken from
    for (size_t i = 0; i < table->n_columns; i++)
        fprintf(sql, table->columns[i].kind == COLUMN_COUNTER ? ", sum(\"%s\")" : ", \"%s\"",
                table->columns[i].name);
    fprintf(sql, " FROM main.\"%s\" WHERE NOT EXISTS (SELECT 1 FROM main.\"%s_last\") GROUP BY ",
            table->name, table->name);
    for (size_t i = 0; i < table->n_keys; i++)
        fprintf(sql, "%s\"%s\"", i ? ", " : "", table->columns[i].name);
    fprintf(sql,
            "; INSERT OR IGNORE INTO outcome(table_name, state, reason)"
            " SELECT '%s', iif(count(*) > 0, 'ok', 'absent'), iif(count(*) > 0, '', 'not on this host')"
            " FROM main.\"%s\";",
            table->name, table->name);
}

static bool fill_rest(sqlite3 *db, FILE *out) {
    _cleanup_free_ char *sql = NULL;
    size_t size;
    FILE *text = open_memstream(&sql, &size);
    for (size_t i = 0; i < n_collectors; i++)
        put_last(text, collector_tables()[i]);
    fclose(text);
    return execute(db, sql, "totals", out);
}

static bool fill_base(const struct run *run, sqlite3 *db, const char *name, FILE *out) {
    _cleanup_free_ char *text = read_text(run->folder, name);
    if (text)
        return execute(db, text, name, out);
    fprintf(out, "no %s\n", name);
    return false;
}

static bool fill(const struct run *run, sqlite3 *db, const struct frame *frame, const char *name,
        const char *text, FILE *out) {
    char top[32];
    bool none = strcmp(frame->base, "none") == 0;
    snprintf(top, sizeof(top), "base-%s.sql", frame->base);
    return make_steps(db, frame, out) && (none || fill_base(run, db, "base.sql", out)) &&
           (none || !*frame->base || fill_base(run, db, top, out)) &&
           execute(db, text, name, out) && fill_rest(db, out);
}

// The verdict of a case, or NULL with the reason in `out`.
static struct verdict *judge(const struct run *run, const char *name, const char *text, FILE *out) {
    struct store *store = NULL;
    struct verdict *verdict = NULL;
    struct frame frame;
    struct window window;
    _cleanup_free_ char *error = NULL;
    read_frame(text, &frame);
    if (store_open(NULL, STORE_MEMORY, collector_tables(), n_collectors, &store, &error) < 0) {
        fprintf(out, "store: %s\n", error);
        return NULL;
    }
    int64_t end_ms = START_MS + frame.steps * frame.step_ms;
    if (fill(run, store_db(store), &frame, name, text, out)) {
        int r = window_open(store, frame.kind, START_MS, end_ms, &window);
        if (r == 0)
            r = rules_judge(run->rules, store, &window, "host", "6.18.0", &verdict);
        if (r != 0)
            fprintf(out, "window or rules: %s: %s\n", r < 0 ? strerror(-r) : "no step",
                    store_error(store));
    }
    store_close(store);
    return verdict;
}

// 1, 0: whether the rule must fire; -1: not a case of one rule.
static int demand(const char *name, char *rule, size_t size) {
    const char *dot = strchr(name, '.');
    snprintf(rule, size, "%.*s", (int) (dot - name), name);
    if (strncmp(dot, ".fire", 5) == 0)
        return 1;
    return strncmp(dot, ".near", 5) == 0 ? 0 : -1;
}

static void report(struct run *run, bool ok, const char *name, const char *text) {
    run->failed += !ok;
    printf("%sok %d - %s\n", ok ? "" : "not ", ++run->number, name);
    for (const char *p = ok && !run->show ? "" : text; *p;) {
        int n = (int) strcspn(p, "\n");
        printf("# %.*s\n", n, p);
        p += n + (p[n] != '\0');
    }
}

static void rewrite(const struct run *run, const char *expected, const char *answer) {
    _cleanup_free_ char *path = NULL;
    if (asprintf(&path, "%s/%s", run->folder, expected) < 0)
        return;
    _cleanup_fclose_ FILE *file = fopen(path, "we");
    if (file)
        fputs(answer, file);
}

static void run_case(struct run *run, const char *name) {
    _cleanup_free_ char *text = read_text(run->folder, name), *answer = NULL, *note = NULL;
    char rule[64], expected[300];
    size_t size;
    int must = demand(name, rule, sizeof(rule));
    snprintf(expected, sizeof(expected), "%.*s.expected", (int) (strlen(name) - 4), name);
    FILE *out = open_memstream(&note, &size);
    struct verdict *verdict = judge(run, name, text, out);
    bool ok = verdict != NULL;
    if (verdict) {
        answer = answer_text(verdict, must < 0 ? NULL : rule);
        if (must >= 0 && answer_fired(verdict, rule) != must) {
            ok = false;
            fprintf(out, "%s must %sfire\n", rule, must ? "" : "not ");
        }
        if (run->rewrite)
            rewrite(run, expected, answer);
        _cleanup_free_ char *before = read_text(run->folder, expected);
        if (!before || strcmp(before, answer) != 0) {
            ok = false;
            fprintf(out, "%s differs (--rewrite writes it); was:\n%s\nis:\n", expected,
                    before ? before : "");
        }
        fputs(answer, out);
        verdict_free(verdict);
    }
    fclose(out);
    report(run, ok, name, note);
}

static int is_case(const struct dirent *entry) {
    size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".sql") == 0 &&
           strncmp(entry->d_name, "base", 4) != 0;
}

// Every rule has a window that fires it and one that nearly does.
static void check_coverage(struct run *run, struct dirent **cases, int n_cases) {
    _cleanup_free_ char *missing = NULL;
    size_t size;
    FILE *out = open_memstream(&missing, &size);
    for (size_t i = 0; i < rules_count(run->rules); i++) {
        struct rule_info info;
        int seen[2] = { 0 };
        rules_info(run->rules, i, &info);
        for (int j = 0; j < n_cases; j++) {
            char rule[64];
            int must = demand(cases[j]->d_name, rule, sizeof(rule));
            if (must >= 0 && strcmp(rule, info.id) == 0)
                seen[must]++;
        }
        if (!seen[0] || !seen[1])
            fprintf(out, "%s has no %s case\n", info.id, seen[1] ? "near" : "fire");
    }
    fclose(out);
    report(run, size == 0, "every rule has a fire and a near case", missing);
}

static bool is_wanted(const char *name, char **prefixes, int n) {
    for (int i = 0; i < n; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return n == 0;
}

static void load_rules(struct run *run, const char *override) {
    _cleanup_free_ char *problems = NULL;
    size_t size;
    FILE *out = open_memstream(&problems, &size);
    int r = rule_set_new(rules_builtin, n_rules_builtin, true, override, collector_tables(),
            n_collectors, out, &run->rules);
    fclose(out);
    if (r < 0) {
        printf("Bail out! rules: %s\n", strerror(-r));
        exit(1);
    }
    report(run, size == 0, "all rules are free of mistakes", problems);
}

int main(int argc, char **argv) {
    static const struct option options[] = {
        { "rewrite", no_argument, NULL, 'w' },
        { "folder", required_argument, NULL, 'f' },
        { "rules", required_argument, NULL, 'r' },
        { 0 },
    };
    struct run run = { .folder = CASES_FOLDER };
    const char *override = NULL;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) >= 0;)
        if (o == 'w')
            run.rewrite = true;
        else if (o == 'f')
            run.folder = optarg;
        else if (o == 'r')
            override = optarg;
        else
            return 2;
    run.show = optind < argc;
    load_rules(&run, override);
    struct dirent **cases;
    int n = scandir(run.folder, &cases, is_case, alphasort);
    if (n < 0) {
        printf("Bail out! %s: %s\n", run.folder, strerror(errno));
        return 1;
    }
    if (!run.show)
        check_coverage(&run, cases, n);
    for (int i = 0; i < n; i++) {
        if (is_wanted(cases[i]->d_name, argv + optind, argc - optind))
            run_case(&run, cases[i]->d_name);
        free(cases[i]);
    }
    free(cases);
    rules_free(run.rules);
    printf("1..%d\n", run.number);
    return run.failed > 0;
}
