// SPDX-License-Identifier: GPL-2.0-or-later
// Block recognition
//
// At each line the format that is surest reads its block. Lines that none knows are skipped, and
// said to be.
#include "formats/intake_private.h"
#include "formats/list.h"
#include "formats/reading.h"

#define FORMAT_ADDRESS(name) &format_##name,
const struct format *const formats[] = { FORMAT_LIST(FORMAT_ADDRESS) };
const size_t n_formats = sizeof(formats) / sizeof(formats[0]);

// So many lines in a row that nothing knows are noise: with two seconds for each hundred thousand
// more of it would only cost time.
#define UNKNOWN_MOST 100000

static const struct format *surest(const struct lines *lines, size_t i) {
    const struct format *best = NULL;
    int most = FORMAT_NO;
    for (size_t f = 0; f < n_formats; f++) {
        if (lines->line[i].kind != LINE_TEXT && !formats[f]->commands)
            continue;
        int sure = formats[f]->begins(lines, i);
        if (sure > most) {
            most = sure;
            best = formats[f];
        }
    }
    return best;
}

static size_t read_block(
        struct intake *intake, const struct format *format, const struct lines *lines, size_t i) {
    intake_begin(intake, format, lines, &lines->line[i]);
    size_t end = format->read(intake, lines, i);
    end = end > i ? end : i + 1; // whatever it says, it goes on
    end = end < lines->n ? end : lines->n;
    size_t last = end;
    while (last > i + 1 && lines->line[last - 1].kind != LINE_TEXT)
        last--;
    intake_record(intake, RECORD_READ, &lines->line[i], &lines->line[last - 1]);
    intake_end(intake);
    return end;
}

static bool is_noise(struct intake *intake, const struct line *line, size_t unknown) {
    if (unknown < UNKNOWN_MOST)
        return false;
    intake_note(intake, line, "nothing in the %d lines before is known: the rest is not read",
            UNKNOWN_MOST);
    return true;
}

int recognise(struct intake *intake, const struct lines *lines) {
    size_t unknown = 0;
    intake->time_ms = intake->sleep_ms = 0;
    intake->file = lines->name;
    for (size_t i = 0; i < lines->n && intake->error == 0;) {
        if (is_noise(intake, &lines->line[i], unknown))
            break;
        if (lines->line[i].kind == LINE_BLANK) {
            i++;
            continue;
        }
        if (lines->line[i].cut)
            intake_note(intake, &lines->line[i], "longer than %zu KiB: the rest of it is not read",
                    LINE_MAX_BYTES >> 10);
        const struct format *format = surest(lines, i);
        if (format) {
            i = read_block(intake, format, lines, i);
            unknown = 0;
            continue;
        }
        intake->format = NULL;
        if (lines->line[i].kind == LINE_TEXT)
            intake_skip(intake, &lines->line[i]);
        unknown++;
        i++;
    }
    return intake->error;
}
