// SPDX-License-Identifier: GPL-2.0-or-later
// Rules fixture
#include "tests/rules/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/cleanup.h"

#define COUNTER(name, field)                                                                       \
    { name, COLUMN_COUNTER, "datagrams", "Counter", field }

static const struct column snmp_columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "Namespace", NULL },
    { "netns_pid", COLUMN_GAUGE, "", "Process", NULL },
    COUNTER("udp_in_datagrams", "UdpInDatagrams"),
    COUNTER("udp_out_datagrams", "UdpOutDatagrams"),
    COUNTER("udp_rcvbuf_errors", "UdpRcvbufErrors"),
    COUNTER("udp_in_csum_errors", "UdpInCsumErrors"),
    COUNTER("udp_sndbuf_errors", "UdpSndbufErrors"),
    COUNTER("udp_no_ports", "UdpNoPorts"),
};
static const struct column softnet_columns[] = {
    { "cpu", COLUMN_KEY_INTEGER, "", "CPU", NULL }, COUNTER("dropped", NULL),
    COUNTER("drop", NULL), // a word of SQL
};
static const struct column mount_columns[] = {
    { "mount", COLUMN_KEY_TEXT, "", "Mount point", NULL },
    { "used_bytes", COLUMN_GAUGE, "bytes", "Used", NULL },
    { "fstype", COLUMN_TEXT, "", "Type", NULL },
};
static const struct column seldom_columns[] = {
    { "thing", COLUMN_KEY_INTEGER, "", "Thing", NULL },
    COUNTER("drops", NULL),
};
#define TABLE(table, list)                                                                         \
    {                                                                                              \
        .name = table, .help = "Help", .per = "object", .source = "/proc", .columns = list,        \
        .n_columns = sizeof(list) / sizeof(list[0]), .n_keys = 1                                   \
    }
static const struct table snmp = TABLE("snmp", snmp_columns);
static const struct table softnet = TABLE("softnet", softnet_columns);
static const struct table mount = TABLE("mount", mount_columns);
static const struct table seldom = { .name = "seldom",
    .help = "Help",
    .per = "object",
    .source = "/proc",
    .columns = seldom_columns,
    .n_columns = 2,
    .n_keys = 1,
    .sparse = true };
const struct table *const fixture_tables[] = { &snmp, &softnet, &mount, &seldom };
const size_t n_fixture_tables = 4;

const struct rule_source fixture_ledger = { "ledger",
    "-- # a comment\n"
    "-- locus backlog\n-- direction receive\n-- from softnet\n-- counters dropped drop\n"
    "-- locus checksum\n-- direction receive\n-- from snmp\n-- counters udp_in_csum_errors\n"
    "SELECT netns, udp_in_csum_errors AS datagrams FROM snmp WHERE udp_in_csum_errors > 5\n"
    "-- locus socket-queue\n-- direction receive\n-- from snmp\n-- counters udp_rcvbuf_errors\n"
    "-- beside udp_in_datagrams\n"
    "-- locus no-listener\n-- direction receive\n-- past no\n-- estimated yes\n-- from snmp\n"
    "-- counters udp_no_ports\n"
    "SELECT netns, udp_no_ports AS datagrams FROM snmp WHERE udp_no_ports > 1000\n"
    "-- locus send-buffer\n-- direction send\n-- from snmp\n-- counters udp_sndbuf_errors\n"
    "SELECT netns, udp_sndbuf_errors - (SELECT total(datagrams) FROM ledger WHERE locus = 'backlog')\n"
    "       AS datagrams FROM snmp;\n" };

const struct rule_source fixture_spare = {
    "spare",
    "-- rule spare\n-- kind cause\n-- explains checksum\n-- severity info\n-- title Spare\n-- needs snmp\n"
    "-- ruled-out nothing in {seconds}, {steps} steps\nSELECT 1 AS lost, 1 AS confidence WHERE 0\n"
};

char *fixture_folder(void) {
    char *folder = strdup("/tmp/udpdiag-rules-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    return folder;
}

void fixture_folder_free(char *folder) {
    _cleanup_free_ char *command = NULL;
    ck_assert(asprintf(&command, "rm -r '%s'", folder) > 0);
    ck_assert_int_eq(system(command), 0);
    free(folder);
}

void fixture_write(const char *folder, const char *name, const char *content, size_t n) {
    _cleanup_free_ char *path = NULL;
    ck_assert(asprintf(&path, "%s/%s", folder, name) > 0);
    FILE *file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(content, 1, n, file), n);
    fclose(file);
}

// Cuts the folder off each line.
static void cut_folder(char *text, const char *folder) {
    size_t n = strlen(folder) + 1;
    for (char *p; (p = strstr(text, folder));)
        memmove(p, p + n, strlen(p + n) + 1);
}

char *fixture_problems(const char *text) {
    _cleanup_free_ char *path = NULL;
    char *folder = fixture_folder(), *problems = NULL;
    size_t size;
    FILE *out = open_memstream(&problems, &size);
    fixture_write(folder, "sample.sql", text, strlen(text));
    ck_assert(asprintf(&path, "%s/sample.sql", folder) > 0);
    int r = rule_set_check(&fixture_ledger, 1, path, fixture_tables, n_fixture_tables, out);
    fclose(out);
    ck_assert_int_eq(r, size > 0);
    cut_folder(problems, folder);
    fixture_folder_free(folder);
    return problems;
}

static void run(sqlite3 *db, const char *sql) {
    char *error = NULL;
    sqlite3_exec(db, sql, NULL, NULL, &error);
    ck_assert_msg(!error, "%s: %s", sql, error);
}

static struct rule_set *load(const struct rule_source *rules, size_t n_rules) {
    struct rule_source sources[16] = { fixture_ledger };
    struct rule_set *set;
    char *problems = NULL;
    size_t size;
    FILE *out = open_memstream(&problems, &size);
    ck_assert_uint_lt(n_rules, 15);
    for (size_t i = 0; i < n_rules; i++)
        sources[i + 1] = rules[i];
    ck_assert_int_eq(rule_set_new(sources, n_rules + 1, true, NULL, fixture_tables,
                             n_fixture_tables, out, &set),
            0);
    fclose(out);
    ck_assert_str_eq(problems, "");
    free(problems);
    return set;
}

struct verdict *fixture_judge_as(
        enum window_kind kind, const char *sql, const struct rule_source *rules, size_t n_rules) {
    struct store *store;
    struct window window;
    struct verdict *verdict;
    char *error = NULL;
    struct rule_set *set = load(rules, n_rules);
    ck_assert_int_eq(
            store_open(NULL, STORE_MEMORY, fixture_tables, n_fixture_tables, &store, &error), 0);
    run(store_db(store),
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)"
            " INSERT INTO main.step(step, end_ms, length_ms, flags) SELECT i, i * 1000, 1000, 0 FROM n");
    run(store_db(store), sql);
    ck_assert_int_eq(window_open(store, kind, 0, 10000, &window), 0);
    ck_assert_int_eq(rules_judge(set, store, &window, "host", "kernel", &verdict), 0);
    store_close(store);
    rules_free(set);
    return verdict;
}

struct verdict *fixture_judge(const char *sql, const struct rule_source *rules, size_t n_rules) {
    return fixture_judge_as(WINDOW_LIVE, sql, rules, n_rules);
}

const struct cause *fixture_cause(const struct verdict *verdict, const char *id) {
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (strcmp(verdict->causes[i].id, id) == 0)
            return &verdict->causes[i];
    return NULL;
}

const char *fixture_remark(const struct remark *remarks, size_t n, const char *id) {
    for (size_t i = 0; i < n; i++)
        if (remarks[i].id && strcmp(remarks[i].id, id) == 0)
            return remarks[i].text;
    return NULL;
}
