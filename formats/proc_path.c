// SPDX-License-Identifier: GPL-2.0-or-later
// Files known by their path
//
// Files of /proc and /sys whose content does not say of what it is: pressure, those of one process,
// of one control group. Their path stands before each line, above them, in the command, or is the
// name of the file.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/host.h"
#include "formats/list.h"
#include "formats/proc_path.h"
#include "formats/place.h"

struct kind {
    const char *pattern;
    // One line. `name`: what stands for the * of the pattern. False: not a line of that file.
    pathed_line *take;
};

// "some avg10=0.00 avg60=0.00 avg300=0.00 total=3222927319"
bool pathed_pressure(const char *text, const char *which, struct word *ret_total) {
    struct word words[6];
    size_t n = words_split(text, words, 6);
    if (n < 2 || !word_is(&words[0], which) || !word_begins(&words[n - 1], "total="))
        return false;
    *ret_total = (struct word){ words[n - 1].text + 6, words[n - 1].length - 6 };
    uint64_t total;
    return word_count(ret_total, &total);
}

static bool take_pressure(struct intake *intake, const struct line *line, const char *text,
        const char *path, const char *name) {
    struct word total;
    bool some = pathed_pressure(text, "some", &total);
    if (!some && !pathed_pressure(text, "full", &total))
        return false;
    intake_row(intake, line, "pressure", (const char *const[]){ name });
    intake_put(intake, some ? "some_total_us" : "full_total_us", &total);
    return true;
}

static bool open_process(struct intake *intake, const struct line *line, const char *name) {
    uint64_t pid;
    if (!text_count(name, &pid) || pid == 0)
        return false;
    host_process_row(intake, line, pid);
    return true;
}

// "read_bytes: 4096"
static bool take_io(struct intake *intake, const struct line *line, const char *text,
        const char *path, const char *name) {
    static const char *const others[] = {
        "rchar:", "wchar:", "syscr:", "syscw:", "cancelled_write_bytes:"
    };
    struct word words[3];
    if (words_split(text, words, 3) != 2 || !open_process(intake, line, name))
        return false;
    if (word_is(&words[0], "read_bytes:"))
        return intake_put(intake, "read_bytes", &words[1]);
    if (word_is(&words[0], "write_bytes:"))
        return intake_put(intake, "write_bytes", &words[1]);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (word_is(&words[0], others[i]))
            return true;
    return false;
}

// "205755 1436503 1": time run, time waited, both in ns, of the first thread only. Of a process
// with more threads it does not tell.
static bool take_schedstat(struct intake *intake, const struct line *line, const char *text,
        const char *path, const char *name) {
    struct word words[4];
    uint64_t run, delay;
    if (words_split(text, words, 4) != 3 || !word_count(&words[0], &run) ||
            !word_count(&words[1], &delay) || !open_process(intake, line, name))
        return false;
    intake_set(intake, "run_us", run / 1000);
    intake_set(intake, "delay_us", delay / 1000);
    intake_note(intake, line, "schedstat of a process is of its first thread only");
    return true;
}

static bool take_wchan(struct intake *intake, const struct line *line, const char *text,
        const char *path, const char *name) {
    struct word words[2];
    if (words_split(text, words, 2) != 1 || !open_process(intake, line, name))
        return false;
    return word_is(&words[0], "0") || host_set_word(intake, "wait_channel", &words[0]);
}

static bool take_comm(struct intake *intake, const struct line *line, const char *text,
        const char *path, const char *name) {
    return open_process(intake, line, name) && intake_set_text(intake, "comm", text);
}

static bool is_controller(const char *list, size_t n, const char *controller) {
    size_t length = strlen(controller);
    for (const char *at = list; at + length <= list + n; at++)
        if (memcmp(at, controller, length) == 0 && (at == list || at[-1] == ',') &&
                (at + length == list + n || at[length] == ','))
            return true;
    return false;
}

// "0::/system.slice/rsyslog.service", or of version 1 "4:memory:/...".
static bool take_process_cgroup(struct intake *intake, const struct line *line, const char *text,
        const char *path, const char *name) {
    const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    if (!second || second[1] != '/' || !open_process(intake, line, name))
        return false;
    size_t n = (size_t) (second - first - 1);
    if (n == 0) {
        intake_set_text(intake, "unified_cgroup", second + 1);
        if (text[0] == '0' && line->text == text) // the only one, as far as it is known
            intake_set_text(intake, "cgroup", second + 1);
    }
    if (is_controller(first + 1, n, "cpu"))
        intake_set_text(intake, "cgroup", second + 1);
    if (is_controller(first + 1, n, "memory"))
        intake_set_text(intake, "memory_cgroup", second + 1);
    if (is_controller(first + 1, n, "freezer"))
        intake_set_text(intake, "freezer_cgroup", second + 1);
    return true;
}

static const struct kind kinds[] = {
    { "/proc/pressure/*", take_pressure },
    { "/proc/*/io", take_io },
    { "/proc/*/schedstat", take_schedstat },
    { "/proc/*/wchan", take_wchan },
    { "/proc/*/comm", take_comm },
    { "/proc/*/cgroup", take_process_cgroup },
};

static pathed_line *find_kind(const char *path, char *name) {
    name[0] = '\0';
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (place_is(path, kinds[i].pattern, name))
            return kinds[i].take;
    return cgroup_line(path);
}

// Outputs of one line of commands: the content tells the kind of file, and the order which of them.
static const struct {
    const char *first; // word of the first line; NULL: three numbers
    const char *pattern;
} contents[] = {
    { "rchar:", "/proc/*/io" },
    { NULL, "/proc/*/schedstat" },
    { "some", "/proc/pressure/*" },
    { "some", "/*.pressure" },
    { "usage_usec", "/cpu.stat" },
    { "nr_periods", "/cpu.stat" },
    { "low", "/memory.events" },
};

static bool begins_content(const struct line *line, const char *first) {
    struct word words[4];
    uint64_t number;
    size_t n = line->kind == LINE_TEXT ? words_split(line->text, words, 4) : 0;
    if (first)
        return n > 1 && word_is(&words[0], first);
    for (size_t i = 0; i < n; i++)
        if (!word_count(&words[i], &number))
            return false;
    return n == 3;
}

#define OUTPUT_LINES_MAX 200

static bool place_by_order(const struct lines *lines, size_t i, char *ret, size_t size) {
    for (size_t c = 0; c < sizeof(contents) / sizeof(contents[0]); c++) {
        size_t n = 0, k = i;
        if (!begins_content(&lines->line[i], contents[c].first))
            continue;
        while (k > 0 && i - k < OUTPUT_LINES_MAX && lines->line[k - 1].kind != LINE_COMMAND)
            n += begins_content(&lines->line[--k], contents[c].first);
        if (k > 0 && lines->line[k - 1].kind == LINE_COMMAND &&
                place_argument_like(lines->line[k - 1].text, contents[c].pattern, n, ret, size))
            return true;
    }
    return false;
}

// What the line is of: by its own prefix, by what stands above the block, or by order.
struct source {
    char path[PLACE_SIZE], name[PLACE_SIZE];
    const char *text;
    pathed_line *take; // NULL: none of ours
};

static bool find_source(const struct lines *lines, size_t i, struct source *ret) {
    const struct line *line = &lines->line[i];
    ret->text = line->text;
    if (!place_prefix(line->text, ret->path, sizeof(ret->path), &ret->text) &&
            !place_by_order(lines, i, ret->path, sizeof(ret->path)) &&
            !place_of(lines, i, ret->path, sizeof(ret->path)))
        return false;
    ret->take = find_kind(ret->path, ret->name);
    return ret->take != NULL;
}

// Files of one line.
static bool is_single(const char *path) {
    static const char *const longer[] = { "/proc/pressure/*", "/proc/*/io", "/proc/*/cgroup",
        "/*.stat", "/*.events", "/*.pressure", "/memory.oom_control" };
    for (size_t i = 0; i < sizeof(longer) / sizeof(longer[0]); i++)
        if (place_is(path, longer[i], NULL))
            return false;
    return true;
}

static bool is_heading(const struct line *line) {
    char path[PLACE_SIZE], name[PLACE_SIZE];
    return place_heading(line, path, sizeof(path)) && find_kind(path, name);
}

// "cat /proc/pressure/*": groups of lines in the order of the alphabet, each beginning with "some";
// irq, where the kernel counts it, has "full" alone.
static bool is_pressures(const struct lines *lines, size_t i) {
    const char *command = lines_command(lines, i);
    struct word total;
    return command && strstr(command, "/proc/pressure/*") &&
           pathed_pressure(lines->line[i].text, "some", &total);
}

static size_t take_pressures(struct intake *intake, const struct lines *lines, size_t i) {
    static const char *const three[] = { "cpu", "io", "memory" };
    static const char *const four[] = { "cpu", "io", "irq", "memory" };
    struct word total;
    size_t end = lines_block_end(lines, i), n_some = 0, n_full = 0, at = SIZE_MAX;
    for (size_t k = i; k < end; k++) {
        n_some += pathed_pressure(lines->line[k].text, "some", &total);
        n_full += pathed_pressure(lines->line[k].text, "full", &total);
    }
    bool irq = n_full == 4 || (n_full == 3 && n_some == 3 && end - i == 7);
    const char *const *names = irq ? four : three;
    if (n_some != 3) {
        intake_note(intake, &lines->line[i], "which pressures these are is not told; not used");
        return end;
    }
    bool full_before = false;
    for (size_t k = i; k < end; k++) {
        bool some = pathed_pressure(lines->line[k].text, "some", &total);
        if (!some && !pathed_pressure(lines->line[k].text, "full", &total))
            continue;
        at += some || full_before;
        full_before = !some;
        if (at < (irq ? 4 : 3))
            take_pressure(intake, &lines->line[k], lines->line[k].text, NULL, names[at]);
        else
            intake_skip(intake, &lines->line[k]);
    }
    return end;
}

static int begins(const struct lines *lines, size_t i) {
    struct source source;
    if (is_heading(&lines->line[i]) || is_pressures(lines, i))
        return FORMAT_CERTAIN;
    return find_source(lines, i, &source) ? FORMAT_CERTAIN - 20 : FORMAT_NO;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct source source = { .take = NULL };
    char next[PLACE_SIZE];
    if (is_pressures(lines, i))
        return take_pressures(intake, lines, i);
    size_t begin = i;
    bool headed = is_heading(&lines->line[i]);
    i += headed;
    if (i == lines->n || lines->line[i].kind != LINE_TEXT || !find_source(lines, i, &source))
        return begin + 1;
    bool prefixed = source.text != lines->line[i].text;
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        if (is_heading(line) || (prefixed && !find_source(lines, i, &source)))
            break;
        if (!prefixed && place_by_order(lines, i, next, sizeof(next)) &&
                strcmp(next, source.path) != 0)
            break; // the same of another file
        bool taken = source.take(
                intake, line, prefixed ? source.text : line->text, source.path, source.name);
        if (!taken && !prefixed)
            break; // another output
        if (!taken)
            intake_skip(intake, line);
        if (!prefixed && is_single(source.path)) {
            i++;
            break;
        }
    }
    return i > begin ? i : begin + 1;
}

const struct format format_proc_path = {
    .name = "proc-path",
    .help = "/proc/pressure, files of /proc/PID and of control groups, with their paths",
    .begins = begins,
    .read = read_block,
};
