// SPDX-License-Identifier: GPL-2.0-or-later
// Host rows
#include "formats/host.h"

#include <inttypes.h>
#include <stdio.h>

void host_memory_row(struct intake *intake, const struct line *line) {
    intake_row(intake, line, "memory", (const char *const[]){ "host" });
}

void host_cpu_row(struct intake *intake, const struct line *line, int cpu) {
    char key[16];
    snprintf(key, sizeof(key), "%d", cpu);
    intake_row(intake, line, "cpu", (const char *const[]){ key });
}

void host_process_row(struct intake *intake, const struct line *line, uint64_t pid) {
    char key[24];
    snprintf(key, sizeof(key), "%" PRIu64, pid);
    intake_row(intake, line, "process", (const char *const[]){ key });
    intake_set(intake, "start_time", 0);
}

bool host_set_word(struct intake *intake, const char *column, const struct word *word) {
    char text[256];
    snprintf(text, sizeof(text), "%.*s", (int) (word->length < 255 ? word->length : 255),
            word->text);
    return intake_set_text(intake, column, text);
}
