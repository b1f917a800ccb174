// SPDX-License-Identifier: GPL-2.0-or-later
// Lists of processes
#include "formats/process_list.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "formats/host.h"

enum { COLUMNS_MAX = 32 };

static const struct {
    const char *heading;
    size_t at; // in struct process_heading
} names[] = {
#define NAME(heading, member)                                                                      \
    { heading, offsetof(struct process_heading, member) }
    NAME("PID", pid),
    NAME("S", state),
    NAME("STATE", state),
    NAME("STAT", stat),
    NAME("WCHAN", wchan),
    NAME("COMMAND", command),
    NAME("CMD", command),
    NAME("COMM", command),
    NAME("ARGS", command),
    NAME("%CPU", cpu),
    NAME("TIME+", cpu_time),
    NAME("NLWP", threads),
    NAME("THCNT", threads),
    NAME("LWP", thread),
    NAME("TID", thread),
    NAME("SPID", thread),
    NAME("PSR", last_cpu),
    NAME("P", last_cpu),
    // top in German, French, Polish, Portuguese, Romanian, Swedish (procps 4.0: po/*.po)
    NAME("BEFEHL", command),
    NAME("COM.", command),
    NAME("KOMENDA", command),
    NAME("COMANDO", command),
    NAME("COMANDA", command),
    NAME("KOMMANDO", command),
    NAME("ZEIT+", cpu_time),
    NAME("TEMPS+", cpu_time),
    NAME("CZAS+", cpu_time),
    NAME("TEMPO+", cpu_time),
    NAME("TIMP+", cpu_time),
    NAME("TID+", cpu_time),
    NAME("nTH", threads),
    NAME("nWT", threads),
    NAME("aTR", threads),
    NAME("VKAN", wchan),
#undef NAME
};

bool process_heading(const char *text, struct process_heading *ret) {
    struct word words[COLUMNS_MAX];
    struct process_heading heading = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0 };
    if (!strstr(text, "PID"))
        return false;
    heading.n = words_split(text, words, COLUMNS_MAX);
    for (size_t i = 0; i < heading.n; i++)
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
            if (word_is(&words[i], names[k].heading))
                *(int *) ((char *) &heading + names[k].at) = (int) i;
    if (heading.pid < 0 || heading.n < 3 || (heading.command < 0 && heading.stat < 0))
        return false;
    // Only the last may have blanks.
    if (heading.command >= 0 && heading.command != (int) heading.n - 1)
        return false;
    *ret = heading;
    return true;
}

static struct word at(const struct word *words, int i) {
    return i >= 0 ? words[i] : (struct word){ "", 0 };
}

static bool is_state(const struct word *word) {
    return word->length > 0 && word->length < 8 && strchr("DIKPRSTtWXxZU", word->text[0]) &&
           strspn(word->text + 1, "<NLsl+") + 1 >= word->length;
}

// ps f draws a tree before the command.
static const char *without_tree(const char *text) {
    return text + strspn(text, " |\\_`-");
}

bool process_row(const char *text, const struct process_heading *heading, struct process_row *ret) {
    struct word words[COLUMNS_MAX];
    struct process_row row = { .command = "" };
    size_t n = words_split(text, words, heading->n);
    if (n < heading->n || !word_count(&words[heading->pid], &row.pid) || row.pid == 0 ||
            row.pid > 1 << 22)
        return false;
    struct word state = at(words, heading->stat >= 0 ? heading->stat : heading->state);
    if (state.length > 0 && !is_state(&state))
        return false;
    row.state = state.length > 0 ? state.text[0] : '\0';
    row.single = heading->stat >= 0 && !memchr(state.text, 'l', state.length);
    row.wchan = at(words, heading->wchan);
    row.cpu = at(words, heading->cpu);
    row.cpu_time = at(words, heading->cpu_time);
    row.threads = at(words, heading->threads);
    row.last_cpu = at(words, heading->last_cpu);
    struct word thread = at(words, heading->thread);
    if (thread.length > 0 && !word_count(&thread, &row.thread))
        return false;
    if (heading->command >= 0)
        row.command = without_tree(words[heading->command].text);
    *ret = row;
    return true;
}

// The name of the program: "[kworker/0:1]", "/usr/sbin/rsyslogd -n", "nginx: worker process",
// "-bash". top cuts what does not fit and marks it with a +.
static void put_command(struct intake *intake, const char *command) {
    char name[64];
    size_t n = strcspn(command, " \t"), begin = 0;
    if (command[0] == '[') {
        begin = 1;
        n = strcspn(command, "]");
    }
    for (size_t i = begin; command[0] == '/' && i < n; i++)
        if (command[i] == '/')
            begin = i + 1;
    begin += command[0] == '-';
    while (n > begin && strchr(":+", command[n - 1]))
        n--;
    if (n <= begin)
        return;
    n = n - begin < sizeof(name) - 1 ? n - begin : sizeof(name) - 1;
    memcpy(name, command + begin, n);
    name[n < 15 ? n : 15] = '\0'; // the kernel keeps 15
    intake_set_text(intake, "comm", name);
}

static void put_number(struct intake *intake, const char *column, const struct word *word) {
    uint64_t value;
    if (word_count(word, &value))
        intake_set(intake, column, value);
}

// top's TIME+: minutes, seconds and their hundredths, "1:27.86". The TIME of ps is in whole
// seconds, too coarse to compare two looks.
static void put_time(struct intake *intake, const struct word *word) {
    const char *colon = memchr(word->text, ':', word->length);
    struct word minutes = { word->text, colon ? (size_t) (colon - word->text) : 0 };
    uint64_t m;
    double s;
    if (!colon || !word_count(&minutes, &m) || m > 1u << 30)
        return;
    struct word seconds = { colon + 1, word->length - minutes.length - 1 };
    if (seconds.length == 5 && word_decimal(&seconds, &s) && s >= 0)
        intake_set(intake, "run_us", m * 60000000 + (uint64_t) (s * 1e6 + 0.5));
}

void process_put(struct intake *intake, const struct line *line, const struct process_row *row,
        bool measured) {
    double cpu;
    host_process_row(intake, line, row->pid);
    put_command(intake, row->command);
    if (row->state)
        intake_set_text(intake, "state", (const char[]){ row->state, '\0' });
    if (row->wchan.length > 0 && !word_is(&row->wchan, "-") && !word_is(&row->wchan, "0"))
        host_set_word(intake, "wait_channel", &row->wchan);
    put_number(intake, "threads", &row->threads);
    if (row->single && row->threads.length == 0)
        intake_set(intake, "threads", 1);
    put_number(intake, "last_cpu", &row->last_cpu);
    if (row->thread == 0)
        put_time(intake, &row->cpu_time);
    // Of one CPU.
    if (row->thread == 0 && measured && word_decimal(&row->cpu, &cpu) && cpu >= 0)
        intake_rate(intake, "run_us", cpu * 10000);
}
