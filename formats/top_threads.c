// SPDX-License-Identifier: GPL-2.0-or-later
// Threads in top
#include "formats/top_threads.h"

#include <string.h>

#include "formats/command.h"
#include "formats/host.h"

// "-p 812", "-Hp 812", "-p812", but not "-p 812,813", which are two.
static uint64_t pid_of_command(const char *command) {
    struct word words[WORDS_MAX];
    size_t n = command ? words_split(command, words, WORDS_MAX) : 0;
    uint64_t pid;
    for (size_t i = 0; i < n; i++) {
        const char *p =
                words[i].text[0] == '-' ? memchr(words[i].text, 'p', words[i].length) : NULL;
        size_t behind = p ? (size_t) (words[i].text + words[i].length - p - 1) : 0;
        struct word value = { p ? p + 1 : NULL, behind };
        if (p && behind == 0 && i + 1 < n)
            value = words[i + 1];
        if (p && !memchr(value.text, ',', value.length) && word_count(&value, &pid))
            return pid;
    }
    return 0;
}

void top_threads_init(struct top_threads *threads, const char *command) {
    *threads = (struct top_threads){ .listed = command_has_option(command, "top", 'H'),
        .pid = pid_of_command(command),
        .most = -1 };
}

// "Threads:   4 total, ..."
void top_threads_summary(struct top_threads *threads, const struct line *line) {
    static const char *const begins[] = { "Threads:", "Hilos:", "Wątki:", "Trådar:" };
    struct word words[2];
    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        if (strncmp(line->text + line->indent, begins[i], strlen(begins[i])) == 0) {
            threads->listed = true;
            if (words_split(line->text + line->indent, words, 2) == 2)
                word_count(&words[1], &threads->total);
        }
}

void top_threads_add(struct top_threads *threads, struct intake *intake, const struct line *line,
        const struct process_row *row, bool measures) {
    double run;
    if (threads->pid == 0) {
        intake_unused(intake, line);
        return;
    }
    threads->n++;
    if (!measures || !word_decimal(&row->cpu, &run) || run < 0)
        return;
    threads->run += run;
    if (run <= threads->most)
        return;
    threads->most = run;
    threads->busiest = *row;
}

void top_threads_put(
        const struct top_threads *threads, struct intake *intake, const struct line *line) {
    if (threads->n == 0)
        return;
    host_process_row(intake, line, threads->pid);
    if (threads->total > 0)
        intake_set(intake, "threads", threads->total);
    if (threads->most < 0)
        return;
    uint64_t permille = threads->most < 100 ? (uint64_t) (threads->most * 10) : 1000;
    intake_set(intake, "hottest_thread", threads->busiest.pid);
    intake_set_text(intake, "hottest_name", threads->busiest.command);
    intake_set(intake, "hottest_run_permille", permille);
    intake_set(intake, "reader_run_permille", permille);
    if (threads->n == threads->total)
        intake_rate(intake, "run_us", threads->run * 10000);
}
