// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/PID/status, stat
//
// Both say themselves of which process they are. What a process did is told by the first thread
// alone where it has one.
#include <string.h>

#include "formats/host.h"
#include "formats/list.h"
#include "formats/place.h"

enum { STAT_FIELDS = 52, STAT_LEAST = 41, USER_HZ = 100 };

struct stat {
    uint64_t pid;
    struct word comm;
    char state;
    uint64_t field[STAT_FIELDS]; // by their numbers in proc(5); those of signed ones are 0
};

static const char *content_of(const struct line *line, const char *pattern) {
    char path[PLACE_SIZE];
    const char *rest;
    if (place_prefix(line->text, path, sizeof(path), &rest) && place_is(path, pattern, NULL))
        return rest;
    return line->text;
}

// "1284 (rsyslogd) D 1 1284 ...": the name may hold blanks and brackets.
static bool to_stat(const struct line *line, struct stat *ret) {
    const char *text = content_of(line, "/proc/*/stat");
    struct word words[STAT_FIELDS];
    struct word pid;
    const char *open = strchr(text, '('), *close = strrchr(text, ')');
    *ret = (struct stat){ 0 };
    if (!open || !close || close < open || words_split(text, &pid, 1) != 1 ||
            !word_count(&pid, &ret->pid) || ret->pid == 0 || open != pid.text + pid.length + 1)
        return false;
    ret->comm = (struct word){ open + 1, (size_t) (close - open - 1) };
    size_t n = words_split(close + 1, words, STAT_FIELDS - 3);
    if (n < STAT_LEAST - 3 || words[0].length != 1 || !strchr("DIKPRSTtWXxZ", words[0].text[0]))
        return false;
    ret->state = words[0].text[0];
    for (size_t i = 1; i < n; i++)
        if (words[i].text[0] != '-' && !word_count(&words[i], &ret->field[i + 3]))
            return false;
    return true;
}

// fs/proc/array.c: 12 majflt, 14 utime, 15 stime, 20 num_threads, 39 processor.
static void put_stat(struct intake *intake, const struct line *line, const struct stat *stat) {
    host_process_row(intake, line, stat->pid);
    host_set_word(intake, "comm", &stat->comm);
    intake_set_text(intake, "state", (const char[]){ stat->state, '\0' });
    intake_set(intake, "major_faults", stat->field[12]);
    intake_set(intake, "user_us", stat->field[14] * (1000000 / USER_HZ));
    intake_set(intake, "system_us", stat->field[15] * (1000000 / USER_HZ));
    intake_set(intake, "threads", stat->field[20]);
    intake_set(intake, "last_cpu", stat->field[39]);
}

// "Name:	rsyslogd" and the lines below it.
static const char *value_of(const struct line *line, const char *name) {
    const char *text = content_of(line, "/proc/*/status");
    size_t n = strlen(name);
    if (line->kind != LINE_TEXT || strncmp(text, name, n) != 0 || text[n] != ':')
        return NULL;
    return text + n + 1 + strspn(text + n + 1, " \t");
}

struct status {
    struct word name, state, pid, threads, cpus, voluntary, involuntary;
};

static struct word first_word(const char *text) {
    struct word word = { "", 0 };
    words_split(text, &word, 1);
    return word;
}

static size_t to_status(const struct lines *lines, size_t i, struct status *ret) {
    const char *value = value_of(&lines->line[i], "Name");
    const struct word none = { "", 0 };
    *ret = (struct status){ none, none, none, none, none, none, none };
    if (value)
        ret->name = (struct word){ value, strlen(value) };
    struct {
        const char *name;
        struct word *target;
    } values[] = { { "State", &ret->state }, { "Pid", &ret->pid }, { "Threads", &ret->threads },
        { "Cpus_allowed_list", &ret->cpus }, { "voluntary_ctxt_switches", &ret->voluntary },
        { "nonvoluntary_ctxt_switches", &ret->involuntary } };
    for (i++; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        if (value_of(&lines->line[i], "Name") || !strchr(lines->line[i].text, ':'))
            break;
        for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++)
            if ((value = value_of(&lines->line[i], values[k].name)))
                *values[k].target = first_word(value);
    }
    return i;
}

static bool is_status(const struct lines *lines, size_t i) {
    struct status status;
    uint64_t pid;
    if (!value_of(&lines->line[i], "Name"))
        return false;
    to_status(lines, i, &status);
    return status.state.length == 1 && word_count(&status.pid, &pid) && pid > 0;
}

static void put_word(struct intake *intake, const char *column, const struct word *word) {
    if (word->length > 0)
        intake_put(intake, column, word);
}

static void put_status(
        struct intake *intake, const struct line *line, const struct status *status) {
    uint64_t pid = 0, threads = 0;
    word_count(&status->pid, &pid);
    host_process_row(intake, line, pid);
    if (status->name.length > 0)
        host_set_word(intake, "comm", &status->name);
    intake_set_text(intake, "state", (const char[]){ status->state.text[0], '\0' });
    put_word(intake, "threads", &status->threads);
    if (status->cpus.length > 0)
        host_set_word(intake, "cpus_allowed", &status->cpus);
    if (!word_count(&status->threads, &threads) || threads != 1)
        return;
    put_word(intake, "switches_voluntary", &status->voluntary);
    put_word(intake, "switches_involuntary", &status->involuntary);
}

static int begins(const struct lines *lines, size_t i) {
    struct stat stat;
    return to_stat(&lines->line[i], &stat) || is_status(lines, i) ? FORMAT_CERTAIN : FORMAT_NO;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct stat stat;
    struct status status;
    intake_listed(intake, "process");
    if (!to_stat(&lines->line[i], &stat)) {
        size_t end = to_status(lines, i, &status);
        put_status(intake, &lines->line[i], &status);
        return end;
    }
    uint64_t first = 0;
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT && to_stat(&lines->line[i], &stat);
            i++) {
        if (stat.pid == first)
            break; // the next look
        first = first ? first : stat.pid;
        put_stat(intake, &lines->line[i], &stat);
    }
    return i;
}

const struct format format_proc_pid = {
    .name = "proc-pid",
    .help = "/proc/PID/status, /proc/PID/stat",
    .begins = begins,
    .read = read_block,
};
