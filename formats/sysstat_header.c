// SPDX-License-Identifier: GPL-2.0-or-later
// Headers of sysstat
#include "formats/sysstat_header.h"

#include <stdio.h>
#include <string.h>

#include "formats/clock.h"

bool sysstat_header(const struct word *words, size_t n) {
    return n >= 5 && word_is(&words[0], "Linux") && words[2].text[0] == '(' &&
           (memchr(words[n - 1].text, ')', words[n - 1].length) ||
                   memchr(words[n - 2].text, '_', words[n - 2].length));
}

void sysstat_take_header(
        struct intake *intake, const struct word *words, size_t n, struct sysstat_host *ret) {
    char name[128];
    uint64_t cpus;
    snprintf(name, sizeof(name), "%.*s", (int) words[2].length - 2, words[2].text + 1);
    intake_host(intake, words[2].length > 2 ? name : NULL);
    snprintf(name, sizeof(name), "%.*s", (int) words[1].length, words[1].text);
    intake_kernel(intake, name);
    for (size_t i = 3; i < n; i++) {
        struct word word = words[i];
        clock_date(&word, &ret->day_ms);
        if (word.text[0] != '(')
            continue;
        word.text++;
        word.length--;
        if (word_count(&word, &cpus) && cpus < 100000)
            ret->n_cpus = (unsigned) cpus;
    }
}

size_t sysstat_average(const struct word *words, size_t n) {
    if (n > 1 && word_is(&words[1], ":"))
        return 2;
    bool label = n > 0 && words[0].length > 3 && words[0].text[words[0].length - 1] == ':' &&
                 (words[0].text[0] < '0' || words[0].text[0] > '9') &&
                 !word_is(&words[0], "avg-cpu:") && !word_is(&words[0], "Device:");
    return label ? 1 : 0;
}

int64_t sysstat_growing(int64_t before_ms, int64_t now_ms) {
    while (before_ms >= 0 && now_ms < before_ms - CLOCK_DAY_MS / 2)
        now_ms += CLOCK_DAY_MS;
    return now_ms;
}
