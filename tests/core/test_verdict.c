// SPDX-License-Identifier: GPL-2.0-or-later
// Verdict document
#include "core/verdict.h"

#include <math.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/text.h"
#include "tests/suite.h"

#define HOSTILE "a\x1b[2J\"\\\xff\n\xe2\x80\xae"

// The names of an object's fields in their order.
static char *keys(json_object *object) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    json_object_object_foreach(object, key, value) {
        (void) value;
        fprintf(out, "%s ", key);
    }
    fclose(out);
    return text;
}

static json_object *at(json_object *object, const char *key) {
    json_object *value;
    ck_assert_msg(json_object_object_get_ex(object, key, &value), "no %s", key);
    return value;
}
static json_object *first(json_object *object, const char *key) {
    return json_object_array_get_idx(at(object, key), 0);
}

static char *copy(const char *text) {
    return strdup(text);
}

static struct verdict *make(void) {
    struct verdict *v = calloc(1, sizeof(*v));
    v->kind = VERDICT_CAUSES;
    v->window = (struct window){ WINDOW_HISTORY, 1764471600000, 1764472200000, 600, 600, 0 };
    v->host = copy(HOSTILE);
    v->kernel = copy("6.18.0");
    v->received = 4200000;
    v->sent = CELL_NULL;
    v->lost = 12431;
    v->ledger = calloc(1, sizeof(*v->ledger));
    v->ledger[v->n_ledger++] = (struct ledger_entry){ copy("socket-queue"), copy("receive"),
        copy("host"), 12431, false, NULL };
    v->causes = calloc(1, sizeof(*v->causes));
    struct cause *cause = &v->causes[v->n_causes++];
    *cause = (struct cause){ .id = copy("reader-blocked-disk"),
        .locus = copy("socket-queue"),
        .title = copy(HOSTILE),
        .severity = SEVERITY_WARNING,
        .confidence = 0.93,
        .lost = 12431,
        .subject = subject_none };
    cause->subject.port = 514;
    cause->subject.process = copy(HOSTILE);
    cause->evidence = calloc(1, sizeof(*cause->evidence));
    cause->evidence[cause->n_evidence++] =
            (struct finding){ copy("blocked_share"), copy("ratio"), copy("text"), 0.41 };
    cause->against = calloc(1, sizeof(*cause->against));
    cause->against[cause->n_against++] =
            (struct finding){ copy("word"), copy(""), copy("text"), NAN };
    cause->remedies = calloc(1, sizeof(*cause->remedies));
    cause->remedies[cause->n_remedies++] =
            (struct remedy){ copy("do"), copy("sysctl -w x=1"), NULL };
    cause->nots = calloc(1, sizeof(*cause->nots));
    cause->nots[cause->n_nots++] = copy("not");
    v->levels = calloc(1, sizeof(*v->levels));
    v->levels[v->n_levels++] = (struct level){ .id = copy("disk-fill"),
        .unit = copy("percent"),
        .text = copy("text"),
        .severity = SEVERITY_CRITICAL,
        .subject = subject_none,
        .value = 83.1 };
    v->ruled_out = calloc(1, sizeof(*v->ruled_out));
    v->ruled_out[v->n_ruled_out++] = (struct remark){ copy("rp-filter"), copy("none"), NULL };
    v->notes = calloc(1, sizeof(*v->notes));
    v->notes[v->n_notes++] = (struct remark){ NULL, copy("old"), NULL };
    v->not_judged = calloc(1, sizeof(*v->not_judged));
    v->not_judged[v->n_not_judged++] =
            (struct remark){ copy("conntrack-full"), copy("no conntrack"), NULL };
    return v;
}

START_TEST(has_the_fields_that_others_read) {
    struct verdict *v = make();
    json_object *json = verdict_json(v);
    json_object *cause = first(json, "causes");
    const struct {
        json_object *object;
        const char *keys;
    } shapes[] = {
        { json, "schema host kernel window filter traffic lost ledger causes levels changes ruled_out notes not_judged next verdict " },
        { at(json, "window"), "kind start end seconds steps complete gaps " },
        { at(json, "traffic"), "received sent " },
        { first(json, "ledger"), "locus direction datagrams estimated netns counters " },
        { cause,
                "id rule locus severity confidence lost no_loss uncounted also muted title subject evidence against do not " },
        { at(cause, "subject"),
                "port address process pid unit container interface mount cpu netns " },
        { first(cause, "evidence"), "name value unit text " },
        { first(cause, "do"), "text command undo " },
        { first(cause, "not"), "text " },
        { first(json, "levels"), "id severity muted subject value unit text do " },
        { first(json, "ruled_out"), "id text " },
        { first(json, "notes"), "text values " },
        { first(json, "not_judged"), "id reason " },
    };
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        _cleanup_free_ char *found = keys(shapes[i].object);
        ck_assert_str_eq(found, shapes[i].keys);
    }
    json_object_put(json);
    verdict_free(v);
}
END_TEST

START_TEST(writes_values_as_they_are) {
    struct verdict *v = make();
    json_object *json = verdict_json(v), *cause = first(json, "causes");
    ck_assert_int_eq(json_object_get_int(at(json, "schema")), 1);
    ck_assert_str_eq(json_object_get_string(at(json, "verdict")), "causes");
    ck_assert_str_eq(json_object_get_string(at(at(json, "window"), "kind")), "history");
    ck_assert_str_eq(json_object_to_json_string(at(at(json, "window"), "seconds")), "600");
    ck_assert(json_object_get_boolean(at(at(json, "window"), "complete")));
    ck_assert_ptr_null(at(at(json, "traffic"), "sent"));
    ck_assert_str_eq(json_object_to_json_string(at(cause, "confidence")), "0.93");
    ck_assert_str_eq(json_object_to_json_string(at(first(json, "levels"), "value")), "83.1");
    ck_assert_ptr_null(at(first(cause, "against"), "value"));
    ck_assert_ptr_null(at(first(cause, "do"), "undo"));
    ck_assert_int_eq(json_object_get_int(at(at(cause, "subject"), "port")), 514);
    ck_assert_ptr_null(at(at(cause, "subject"), "pid"));
    ck_assert_ptr_null(at(at(cause, "subject"), "mount"));
    // RFC 3339, whatever the zone.
    ck_assert_uint_ge(strlen(json_object_get_string(at(at(json, "window"), "start"))),
            strlen("2025-11-30T03:00:00Z"));
    json_object_put(json);
    verdict_free(v);
}
END_TEST

START_TEST(is_valid_json_whatever_the_texts_hold) {
    struct verdict *v = make();
    json_object *json = verdict_json(v);
    const char *text = json_object_to_json_string(json);
    ck_assert(text_is_utf8(text, strlen(text)));
    for (const char *p = text; *p; p++)
        ck_assert_msg((unsigned char) *p >= 0x20, "a control character in %s", p);
    json_object *again = json_tokener_parse(text);
    ck_assert_ptr_nonnull(again);
    ck_assert_str_eq(
            json_object_get_string(at(again, "host")), "a\x1b[2J\"\\\xef\xbf\xbd\n\xe2\x80\xae");
    json_object_put(again);
    json_object_put(json);
    verdict_free(v);
}
END_TEST

START_TEST(names_subjects) {
    struct subject subject = subject_none;
    _cleanup_free_ char *host = subject_name(&subject);
    ck_assert_str_eq(host, "host");
    subject.mount = (char *) "/var";
    subject.pid = 812;
    _cleanup_free_ char *name = subject_name(&subject);
    ck_assert_str_eq(name, "pid 812, mount /var");
}
END_TEST

START_TEST(gives_the_exit_status) {
    struct verdict *v = make();
    ck_assert_int_eq(verdict_exit_status(v), 10);
    v->causes[0].severity = SEVERITY_CRITICAL;
    ck_assert_int_eq(verdict_exit_status(v), 11);
    v->causes[0].no_loss = true;
    ck_assert_int_eq(verdict_exit_status(v), 0);
    v->kind = VERDICT_CANNOT_TELL;
    ck_assert_int_eq(verdict_exit_status(v), 3);
    verdict_free(v);
    ck_assert_ptr_null(verdict_free(NULL));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("verdict");
    TCase *tcase = tcase_create("verdict");
    tcase_add_test(tcase, has_the_fields_that_others_read);
    tcase_add_test(tcase, writes_values_as_they_are);
    tcase_add_test(tcase, is_valid_json_whatever_the_texts_hold);
    tcase_add_test(tcase, names_subjects);
    tcase_add_test(tcase, gives_the_exit_status);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
