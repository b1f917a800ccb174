// SPDX-License-Identifier: GPL-2.0-or-later
// Alert sinks
#include "daemon/sink.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "core/cleanup.h"
#include "core/moment.h"
#include "core/text.h"

static const struct {
    enum message message;
    const char *before;
} events[] = {
    [ALERT_BEGINS] = { MESSAGE_ALERT_BEGIN, "Alert" },
    [ALERT_REMINDS] = { MESSAGE_ALERT_REMINDER, "Still" },
    [ALERT_CHANGES] = { MESSAGE_ALERT_CHANGED, "Changed" },
    [ALERT_ENDS] = { MESSAGE_ALERT_END, "Over" },
};

static const int priorities[] = {
    [SEVERITY_INFO] = LOG_NOTICE,
    [SEVERITY_WARNING] = LOG_WARNING,
    [SEVERITY_CRITICAL] = LOG_CRIT,
};

static double seconds_of(const struct alert *alert) {
    return (double) (alert->last_ms - alert->begin_ms) / 1000.0;
}

// "Still: The reader of port 514 waits for the disk (12,431 datagrams lost in 10 min)". malloc()ed.
static char *sentence(enum alert_event event, const struct alert *alert) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "%s: %s", events[event].before, alert->title);
    if (alert->locus) {
        fputs(" (", out);
        text_put_count(out, alert->lost);
        fputs(" datagrams lost in ", out);
        text_put_duration(out, seconds_of(alert));
        fputc(')', out);
    } else if (event != ALERT_BEGINS) {
        fputs(event == ALERT_ENDS ? " (it lasted " : " (it has lasted ", out);
        text_put_duration(out, seconds_of(alert));
        fputc(')', out);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

// Every known part of the subject: UDPDIAG_PORT, UDPDIAG_MOUNT, ...
static void put_subject(struct letter *letter, json_object *document) {
    json_object *subject = NULL;
    if (!json_object_object_get_ex(document, "subject", &subject))
        return;
    json_object_object_foreach(subject, key, value) {
        char name[64] = "UDPDIAG_";
        size_t n = strlen(name);
        for (const char *c = key; *c && n + 1 < sizeof(name); c++)
            name[n++] = (char) toupper((unsigned char) *c);
        if (value)
            letter_field(letter, name, "%s", json_object_get_string(value));
    }
}

static void tell_journal(struct sink *sink, enum alert_event event, const struct alert *alert) {
    _cleanup_free_ char *text = sentence(event, alert);
    struct letter *letter = letter_new(events[event].message, "%s", text ?: alert->title);
    letter_priority(letter, event == ALERT_ENDS ? LOG_NOTICE : priorities[alert->severity]);
    letter_field(letter, "UDPDIAG_EVENT", "%s", alert_event_name(event));
    letter_field(letter, "UDPDIAG_CAUSE", "%s", alert->cause);
    letter_field(letter, "UDPDIAG_SUBJECT", "%s", alert->subject);
    letter_field(letter, "UDPDIAG_SEVERITY", "%s", severity_name(alert->severity));
    letter_field(letter, "UDPDIAG_SECONDS", "%.3f", seconds_of(alert));
    letter_field(letter, "UDPDIAG_REMINDERS", "%" PRId64, alert->reminders);
    letter_field(letter, "UDPDIAG_LOST", "%" PRId64, alert->lost);
    if (alert->locus)
        letter_field(letter, "UDPDIAG_LOCUS", "%s", alert->locus);
    put_subject(letter, alert->document);
    outbox_post(sink->outbox, letter);
}

static json_object *moment_json(int64_t ms) {
    char text[MOMENT_SIZE];
    return ms ? json_object_new_string(moment_format(ms, text)) : NULL;
}

static json_object *alert_json(const struct alert *alert) {
    json_object *object = json_object_new_object();
    json_object_object_add(object, "cause", json_object_new_string(alert->cause));
    json_object_object_add(object, "subject", json_object_new_string(alert->subject));
    json_object_object_add(
            object, "severity", json_object_new_string(severity_name(alert->severity)));
    json_object_object_add(object, "title", json_object_new_string(alert->title));
    json_object_object_add(object, "begin", moment_json(alert->begin_ms));
    json_object_object_add(object, "last", moment_json(alert->last_ms));
    json_object_object_add(object, "end", moment_json(alert->end_ms));
    json_object_object_add(object, "seconds", json_object_new_double(seconds_of(alert)));
    json_object_object_add(object, "reminders", json_object_new_int64(alert->reminders));
    json_object_object_add(object, "lost", json_object_new_int64(alert->lost));
    return object;
}

static void tell_programs(struct sink *sink, enum alert_event event, const struct alert *alert) {
    json_object *document = json_object_new_object();
    json_object_object_add(document, "schema", json_object_new_int(VERDICT_SCHEMA));
    json_object_object_add(document, "event", json_object_new_string(alert_event_name(event)));
    json_object_object_add(document, "host", json_object_new_string(sink->host));
    json_object_object_add(document, "kernel", json_object_new_string(sink->kernel));
    json_object_object_add(document, "alert", alert_json(alert));
    json_object_object_add(
            document, alert->locus ? "cause" : "level", json_object_get(alert->document));
    programs_tell(sink->programs, sink->directory, alert_event_name(event),
            json_object_to_json_string_ext(document, JSON_C_TO_STRING_PLAIN));
    json_object_put(document);
}

void sink_tell(void *userdata, enum alert_event event, const struct alert *alert) {
    struct sink *sink = userdata;
    struct kept *kept = sink->writer ? kept_new(alert) : NULL;
    if (kept)
        writer_keep_alert(sink->writer, kept);
    if (event == ALERT_GOES_ON)
        return;
    tell_journal(sink, event, alert);
    if (*sink->directory)
        tell_programs(sink, event, alert);
    if (sink->writer)
        writer_hurry(sink->writer);
}
