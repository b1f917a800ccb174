// SPDX-License-Identifier: GPL-2.0-or-later
// Verdict
//
// The ranked causes of a window, with what was ruled out and what could not be judged: the document
// that `why --json` prints (schema 1), and that text output and alerts read.
#pragma once

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/window.h"

#define VERDICT_SCHEMA 1

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_CRITICAL };
const char *severity_name(enum severity severity);

enum verdict_kind {
    VERDICT_CAUSES,
    VERDICT_HEALTHY,
    VERDICT_PAST_ONLY,
    VERDICT_ONE_SNAPSHOT,
    VERDICT_CANNOT_TELL
};
const char *verdict_kind_name(enum verdict_kind kind);

// Who or what it is about. Text is NULL and numbers are CELL_NULL where it is not known. Texts are
// owned.
struct subject {
    char *netns, *address, *process, *unit, *container, *interface, *mount;
    int64_t port, pid, cpu;
};
extern const struct subject subject_none;
// The fields in the order in which they are shown, for code that handles them all alike.
struct subject_field {
    const char *name;
    bool is_text;
    size_t offset;
};
extern const struct subject_field subject_fields[];
extern const size_t n_subject_fields;
const char *subject_text(const struct subject *subject, const struct subject_field *field);
int64_t subject_number(const struct subject *subject, const struct subject_field *field);
int subject_set_text(struct subject *subject, const struct subject_field *field,
        const char *text); // 0, or -1: out of memory
void subject_set_number(struct subject *subject, const struct subject_field *field, int64_t value);
void subject_done(struct subject *subject); // frees its texts
// A stable name of the subject: equal subjects have equal names ("port 514, process rsyslogd").
// malloc()ed.
char *subject_name(const struct subject *subject);

struct finding { // a piece of evidence
    char *name, *unit, *text;
    double value;
};
struct remedy {
    char *text, *command, *undo; // command and undo may be NULL
};
struct cause {
    char *id, *locus, *title;
    char *rule; // the rule that tells it, where that has another name; else NULL
    enum severity severity;
    double confidence; // 0..1
    int64_t lost;      // datagrams; 0 for causes that are no loss
    bool no_loss;      // kept apart: never makes the verdict "causes"
    bool uncounted;    // the input shows it, but nothing in it counts what was lost
    bool also;         // contributes to a loss that a cause above it explains
    bool muted;        // expected, by the configuration
    struct subject subject;
    struct finding *evidence, *against;
    size_t n_evidence, n_against;
    struct remedy *remedies;
    size_t n_remedies;
    char **nots;
    size_t n_nots;
};
struct ledger_entry {
    char *locus, *direction, *netns; // netns NULL: host-wide counter
    int64_t datagrams;
    bool estimated;
    json_object *counters; // { "udp_rcvbuf_errors": 12431 }
};
struct level {
    char *id, *unit, *text;
    enum severity severity;
    struct subject subject;
    bool muted; // expected, by the configuration
    double value;
    struct remedy *remedies;
    size_t n_remedies;
};
struct remark { // ruled_out, notes, not_judged: which rule (NULL: the engine itself), and the text
    char *id, *text;
    char *locus;         // of the rule; NULL: none, or a note or gap
    char *table;         // not_judged only: the table it lacks something of, or NULL
    json_object *values; // notes only, else NULL
};

// What a change of a setting did to the loss that it bears on.
enum change_verdict {
    CHANGE_CURED,
    CHANGE_NO_EFFECT,
    CHANGE_BETTER,
    CHANGE_WORSE,
    CHANGE_MOVED, // less is lost here, and about as much more at `moved_to`
    CHANGE_TOO_EARLY,
};
const char *change_verdict_name(enum change_verdict verdict); // "cured", "no-effect", ...

struct change {
    int64_t at_ms;               // wall clock: seen first in the step that ends then
    char *what;                  // "net.core.rmem_default", "receive buffer of port 514"
    char *from, *to, *unit;      // as people read them
    double from_value, to_value; // NAN: a word, or none
    struct subject subject;
    char *locus;
    double before_rate, after_rate;       // datagrams lost per second
    double before_seconds, after_seconds; // how long each side was seen
    enum change_verdict verdict;
    char *moved_to; // a locus; else NULL
    bool last_word; // everything in the window was lost before it
};

// What to run to know more.
struct next_step {
    char *command, *text; // what it would tell
};

// What the answer was narrowed to: a port, the sockets of a process, a namespace. NULL and
// CELL_NULL: not by that.
struct narrowing {
    int64_t port;
    char *process, *netns;
    int64_t lost_in_all; // datagrams, of the whole host
    size_t n_sockets;    // found
    char **known;        // sentences: what is known of them
    size_t n_known;
};

struct verdict {
    enum verdict_kind kind;
    struct window window;
    char *host, *kernel;
    int64_t received, sent; // datagrams, all namespaces; CELL_NULL: not known
    int64_t lost;           // sum of the ledger
    struct ledger_entry *ledger;
    size_t n_ledger;
    struct cause *causes;
    size_t n_causes;
    struct level *levels;
    size_t n_levels;
    struct remark *ruled_out, *notes, *not_judged, *gaps;
    size_t n_ruled_out, n_notes, n_not_judged, n_gaps;
    struct change *changes; // in time order
    size_t n_changes;
    struct next_step *next; // of pasted outputs: the most deciding first
    size_t n_next;
    // NULL: the whole host. Else `lost` is that of the sockets or the namespace.
    struct narrowing *narrowing;
};

struct verdict *verdict_free(struct verdict *verdict); // returns NULL
void cause_done(struct cause *cause);                  // frees what it holds
void level_done(struct level *level);
void ledger_entry_done(struct ledger_entry *entry);
void change_done(struct change *change);
void remark_done(struct remark *remark);
void next_step_done(struct next_step *next);
struct narrowing *narrowing_free(struct narrowing *narrowing); // returns NULL
// The JSON document; the caller json_object_put()s it. NULL: out of memory.
json_object *verdict_json(const struct verdict *verdict);
// One cause, or one level, as it stands in the document: what alert programs get.
json_object *cause_json(const struct cause *cause);
json_object *level_json(const struct level *level);
// Text as valid UTF-8, and numbers without a needless fraction; null for NULL and what is no
// number.
json_object *text_json(const char *text);
json_object *number_json(double value);
// Datagrams that muted causes explain.
int64_t verdict_muted(const struct verdict *verdict);
// Exit status of `why`: 0, 10, 11 or 3.
int verdict_exit_status(const struct verdict *verdict);
