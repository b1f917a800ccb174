// SPDX-License-Identifier: GPL-2.0-or-later
// uname
#include <stdio.h>
#include <string.h>

#include "formats/list.h"
#include "formats/words.h"

#define NAME_SIZE 128

struct host {
    char name[NAME_SIZE], kernel[NAME_SIZE];
};

static void keep(char *target, const struct word *word) {
    snprintf(target, NAME_SIZE, "%.*s", (int) word->length, word->text);
}

// "5.15.0-91-generic"
static bool is_release(const struct word *word) {
    uint64_t major;
    const char *dot = memchr(word->text, '.', word->length);
    struct word first = { word->text, dot ? (size_t) (dot - word->text) : 0 };
    return dot && word_count(&first, &major) && major >= 2 && major < 100 &&
           (size_t) (dot - word->text) + 1 < word->length && dot[1] >= '0' && dot[1] <= '9';
}

static bool asks_release(const char *command) {
    return command && strstr(command, "uname") && strstr(command, "-r");
}

// uname -a: "Linux HOST RELEASE #1 SMP ..."; /proc/version: "Linux version RELEASE (...) ...";
// hostnamectl: "Kernel: Linux RELEASE", "Static hostname: HOST"; uname -r.
static bool parse(const struct lines *lines, size_t i, struct host *ret) {
    struct word words[5];
    size_t n = words_split(lines->line[i].text, words, 5);
    *ret = (struct host){ 0 };
    if (n >= 4 && word_is(&words[0], "Linux") && word_is(&words[1], "version") &&
            is_release(&words[2]))
        keep(ret->kernel, &words[2]);
    else if (n >= 4 && word_is(&words[0], "Linux") && is_release(&words[2]) &&
             words[3].text[0] == '#') {
        keep(ret->name, &words[1]);
        keep(ret->kernel, &words[2]);
    } else if (n == 3 && word_is(&words[0], "Kernel:") && is_release(&words[2]))
        keep(ret->kernel, &words[2]);
    else if (n == 3 && word_is(&words[0], "Static") && word_is(&words[1], "hostname:"))
        keep(ret->name, &words[2]);
    else if (n == 1 && is_release(&words[0]) && asks_release(lines_command(lines, i)))
        keep(ret->kernel, &words[0]);
    return ret->name[0] || ret->kernel[0];
}

static int begins(const struct lines *lines, size_t i) {
    struct host host;
    return parse(lines, i, &host) ? FORMAT_CERTAIN : FORMAT_NO;
}

static size_t read_line(struct intake *intake, const struct lines *lines, size_t i) {
    struct host host;
    if (parse(lines, i, &host)) {
        intake_host(intake, host.name);
        intake_kernel(intake, host.kernel);
    }
    return i + 1;
}

const struct format format_uname = {
    .name = "uname",
    .help = "uname -a, /proc/version, hostnamectl",
    .begins = begins,
    .read = read_line,
};
