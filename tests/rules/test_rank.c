// SPDX-License-Identifier: GPL-2.0-or-later
// Ranking
#include <stdio.h>
#include <string.h>

#include "core/cleanup.h"
#include "tests/rules/fixture.h"

#define N(array) (sizeof(array) / sizeof(array[0]))

// A cause at the locus that returns the rows of VALUES (netns, interface, lost, confidence).
#define ROWS(name, locus, rest, rows)                                                                                    \
    {                                                                                                                    \
        name, "-- rule " name "\n-- kind cause\n-- explains " locus                                                      \
              "\n-- severity warning\n-- title " name "\n"                                                               \
              "-- needs snmp\n-- ruled-out none\n" rest                                                                  \
              "SELECT column1 AS netns, column2 AS interface, column3 AS lost, column4 AS confidence FROM (VALUES " rows \
              ")\n"                                                                                                      \
    }
// The same of sockets: VALUES (port, pid, lost, confidence, what the socket lost).
#define SOCKETS(name, rest, rows)                                                                  \
    {                                                                                              \
        name, "-- rule " name                                                                      \
              "\n-- kind cause\n-- explains socket-queue\n-- severity warning\n-- title " name     \
              "\n-- needs snmp\n-- ruled-out none\n" rest                                          \
              "SELECT 'host' AS netns, column1 AS port, column2 AS pid, column3 AS lost,"          \
              " column4 AS confidence, column5 AS subject_lost FROM (VALUES " rows ")\n"           \
    }
#define NO_LOSS(name, confidence)                                                                  \
    {                                                                                              \
        name, "-- rule " name "\n-- kind no-loss\n-- explains -\n-- severity info\n-- title " name \
              "\n"                                                                                 \
              "-- needs snmp\nSELECT " confidence " AS confidence\n"                               \
    }

// 1000 at socket-queue of host, 400 at checksum of host, 100 at socket-queue of box, 300 at
// backlog.
static const char loss[] =
        "INSERT INTO snmp(step, netns, udp_in_datagrams, udp_rcvbuf_errors, udp_in_csum_errors)"
        " VALUES (1, 'host', 5, 1000, 400), (2, 'box', 5, 100, 0);"
        "INSERT INTO softnet(step, cpu, dropped) VALUES (1, 0, 300);";

// "first 1000, second 900 also": the causes in their order.
static char *order(const struct verdict *verdict) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < verdict->n_causes; i++) {
        const struct cause *cause = &verdict->causes[i];
        fprintf(out, "%s%s", i ? ", " : "", cause->id);
        if (cause->subject.netns && strcmp(cause->subject.netns, "host") != 0)
            fprintf(out, "@%s", cause->subject.netns);
        if (cause->subject.port != CELL_NULL)
            fprintf(out, ":%lld", (long long) cause->subject.port);
        if (!cause->no_loss)
            fprintf(out, " %lld", (long long) cause->lost);
        fputs(cause->also ? " also" : "", out);
    }
    fclose(out);
    return text;
}

#define MAX_RULES 5
static const struct {
    const char *what;
    struct rule_source rules[MAX_RULES];
    const char *order, *note;
} cases[] = {
    { "by datagrams times confidence",
            { ROWS("much", "socket-queue", "", "('host', NULL, 1000, 0.3)"),
                    ROWS("sure", "checksum", "", "('host', NULL, 400, 0.9)") },
            "sure 400, much 1000", "300 datagrams at backlog: no rule explains them" },
    { "one loss has one cause, the next contributes",
            { ROWS("first", "socket-queue", "", "('host', NULL, 1000, 0.9)"),
                    ROWS("second", "socket-queue", "", "('host', NULL, 900, 0.5)") },
            "first 1000, second 900 also", NULL },
    { "what contributes stands below what it contributes to",
            { ROWS("first", "socket-queue", "", "('host', NULL, 1000, 0.9)"),
                    ROWS("second", "socket-queue", "", "('host', NULL, 1000, 0.3)"),
                    ROWS("other", "checksum", "", "('host', NULL, 400, 0.9)") },
            "first 1000, second 1000 also, other 400", NULL },
    { "a cause has no more than the ledger",
            { ROWS("greedy", "socket-queue", "", "('host', NULL, 123456, 0.5)") }, "greedy 1000",
            NULL },
    { "subjects share the loss",
            { ROWS("port", "backlog", "", "(NULL, 'eth0', 200, 0.9), (NULL, 'eth1', 100, 0.9)") },
            "port 200, port 100", NULL },
    { "a part that is a little too large is cut",
            { ROWS("port", "backlog", "", "('host', 'eth0', 200, 0.9), (NULL, 'eth1', 150, 0.9)") },
            "port 200, port 100", NULL },
    { "the general one stands back",
            { ROWS("vague", "socket-queue", "-- general yes\n", "('host', NULL, 1000, 0.9)"),
                    ROWS("sharp", "socket-queue", "", "('host', NULL, 800, 0.2)") },
            "sharp 800", "200 datagrams at socket-queue: no rule explains them" },
    { "but not in another namespace, nor at another place",
            { ROWS("vague", "socket-queue", "-- general yes\n",
                      "('host', NULL, 1000, 0.9), ('box', NULL, 100, 0.9)"),
                    ROWS("vague-sum", "checksum", "-- general yes\n", "('host', NULL, 400, 0.1)"),
                    ROWS("sharp", "socket-queue", "", "('host', NULL, 1000, 0.2)") },
            "sharp 1000, vague@box 100, vague-sum 400", NULL },
    { "what another's remedy would cure comes below it",
            { ROWS("root", "socket-queue", "", "('host', NULL, 400, 0.3)"),
                    ROWS("result", "socket-queue", "-- after other root\n",
                            "('host', NULL, 600, 0.9)") },
            "root 400, result 600 also", NULL },
    { "also from another place, but then with its own loss",
            { ROWS("root", "backlog", "", "(NULL, NULL, 300, 0.1)"),
                    ROWS("result", "socket-queue", "-- after root\n",
                            "('host', NULL, 1000, 0.9)") },
            "root 300, result 1000", NULL },
    { "not in another namespace",
            { ROWS("root", "socket-queue", "", "('box', NULL, 100, 0.3)"),
                    ROWS("result", "socket-queue", "-- after root\n",
                            "('host', NULL, 1000, 0.9)") },
            "result 1000, root@box 100", NULL },
    { "a circle is no trap",
            { ROWS("hen", "socket-queue", "-- after egg\n", "('host', NULL, 1000, 0.9)"),
                    ROWS("egg", "socket-queue", "-- after hen\n", "('host', NULL, 1000, 0.8)") },
            "hen 1000, egg 1000 also", NULL },
    { "what is no loss comes last",
            { NO_LOSS("calm", "1"), NO_LOSS("calmer", "0.5"),
                    ROWS("sharp", "socket-queue", "", "('host', NULL, 1000, 0.01)") },
            "sharp 1000, calm, calmer", NULL },
    { "equals stand in a fixed order",
            { ROWS("beta", "socket-queue", "", "('host', NULL, 500, 0.5)"),
                    ROWS("alpha", "socket-queue", "",
                            "('host', 'eth1', 250, 0.5), ('host', 'eth0', 250, 0.5)") },
            "beta 500, alpha 250, alpha 250", NULL },
    { "a loss without a cause is said",
            { ROWS("other", "checksum", "", "('host', NULL, 400, 0.9)") }, "other 400",
            "100 datagrams at socket-queue in box: no rule explains them" },
    { "sockets have their own losses, and their causes contribute to these only",
            { SOCKETS("slow", "", "(53, 7, 600, 0.9, 600), (514, 8, 400, 0.5, 400)"),
                    SOCKETS("stopped", "", "(514, 8, 400, 0.8, 400)"),
                    SOCKETS("small", "", "(53, 7, 500, 0.3, 600)") },
            "slow:53 600, small:53 500 also, stopped:514 400, slow:514 400 also", NULL },
    { "a cause that leaves a part of a socket's loss to another",
            { SOCKETS("morning", "", "(53, 7, 350, 0.9, 600)"),
                    SOCKETS("evening", "", "(53, 7, 250, 0.5, 600)") },
            "morning:53 350, evening:53 250", NULL },
    { "the general one stands back beside a sharper one of the same socket only",
            { SOCKETS("vague", "-- general yes\n",
                      "(53, 7, 500, 0.9, 500), (53, 9, 300, 0.9, 300), (NULL, NULL, 200, 0.9, NULL)"),
                    SOCKETS("sharp", "", "(53, 7, 500, 0.2, 500)") },
            "vague:53 300, vague 200, sharp:53 500", NULL },
    { "one of all processes at a port is about each of them",
            { SOCKETS("each", "", "(53, 7, 500, 0.5, 500), (53, 9, 500, 0.5, 500)"),
                    SOCKETS("all", "", "(53, NULL, 1000, 0.6, 1000)") },
            "all:53 1000, each:53 500 also, each:53 500 also", NULL },
    { "one of all ports of a process is about each of them, and of no other process",
            { SOCKETS("each", "", "(53, 7, 500, 0.5, 500), (514, 8, 300, 0.9, 300)"),
                    SOCKETS("all", "", "(NULL, 7, 600, 0.9, 600)") },
            "all 600, each:53 500 also, each:514 300", NULL },
    { "the remedy of one socket's cause cures no other's",
            { SOCKETS("root", "", "(53, 7, 400, 0.3, 400)"),
                    SOCKETS("result", "-- after root\n", "(53, 7, 400, 0.9, 400), (514, 8, 600, 0.9, 600)") },
            "result:514 600, root:53 400, result:53 400 also", NULL },
    { "a few left over are not worth a word",
            { ROWS("most", "socket-queue", "", "('host', NULL, 950, 0.9), ('box', NULL, 100, 0.9)"),
                    ROWS("sum", "checksum", "", "('host', NULL, 400, 0.9)"),
                    ROWS("log", "backlog", "", "(NULL, NULL, 300, 0.5)") },
            "most 950, sum 400, log 300, most@box 100", "" },
};

static bool has_note(const struct verdict *verdict, const char *text) {
    for (size_t i = 0; i < verdict->n_notes; i++)
        if (strcmp(verdict->notes[i].text, text) == 0)
            return true;
    return *text == '\0' && verdict->n_notes == 0;
}

START_TEST(ranks) {
    size_t n = 0;
    while (n < MAX_RULES && cases[_i].rules[n].name)
        n++;
    struct verdict *verdict = fixture_judge(loss, cases[_i].rules, n);
    _cleanup_free_ char *text = order(verdict);
    ck_assert_msg(strcmp(text, cases[_i].order) == 0, "%s: %s", cases[_i].what, text);
    ck_assert_msg(!cases[_i].note || has_note(verdict, cases[_i].note), "%s", cases[_i].what);
    ck_assert_int_eq(verdict->lost, 1800);
    verdict_free(verdict);
}
END_TEST

// Whatever rules claim, what stands as explained at a place is no more than was lost there.
START_TEST(never_explains_more_than_was_lost) {
    unsigned seed = (unsigned) _i + 1;
    char rows[2][400] = { "", "" };
    for (int i = 0; i < 10; i++) {
        char row[40];
        seed = seed * 1664525 + 1013904223;
        snprintf(row, sizeof(row), "%s('%s','e%d',%u,0.%u)", i < 2 ? "" : ",",
                seed >> 30 ? "host" : "box", i, (seed >> 8) % 1500, 1 + (seed >> 20) % 9);
        strcat(rows[i % 2], row);
    }
    static const char form[] =
            "-- rule %c\n-- kind cause\n-- explains socket-queue\n-- severity warning\n-- title x\n"
            "-- needs snmp\n-- ruled-out none\nSELECT column1 AS netns, column2 AS interface,"
            " column3 AS lost, column4 AS confidence FROM (VALUES %s)\n";
    _cleanup_free_ char *a = NULL, *b = NULL;
    ck_assert(asprintf(&a, form, 'a', rows[0]) > 0 && asprintf(&b, form, 'b', rows[1]) > 0);
    const struct rule_source rules[] = { { "a", a }, { "b", b } };
    struct verdict *verdict = fixture_judge(loss, rules, 2);
    int64_t host = 0, box = 0;
    for (size_t i = 0; i < verdict->n_causes; i++) {
        const struct cause *cause = &verdict->causes[i];
        bool in_box = strcmp(cause->subject.netns, "box") == 0;
        ck_assert_int_le(cause->lost, in_box ? 100 : 1000);
        if (!cause->also)
            *(in_box ? &box : &host) += cause->lost;
    }
    ck_assert_int_le(host, 1000);
    ck_assert_int_le(box, 100);
    ck_assert(!verdict->causes[0].also);
    verdict_free(verdict);
}
END_TEST

START_TEST(tells_of_a_loss_that_the_ledger_lacks) {
    const struct rule_source rules[] = { ROWS(
            "dreamer", "checksum", "", "('box', NULL, 50, 0.9)") };
    struct verdict *verdict = fixture_judge(loss, rules, 1);
    ck_assert_uint_eq(verdict->n_causes, 0);
    ck_assert_str_eq(fixture_remark(verdict->not_judged, verdict->n_not_judged, "dreamer"),
            "names a loss at checksum, where the ledger counts none");
    verdict_free(verdict);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rank");
    TCase *tcase = tcase_create("rank");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, ranks, 0, N(cases));
    tcase_add_loop_test(tcase, never_explains_more_than_was_lost, 0, 20);
    tcase_add_test(tcase, tells_of_a_loss_that_the_ledger_lacks);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
