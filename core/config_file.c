// SPDX-License-Identifier: GPL-2.0-or-later
// Configuration file
#include "core/config_set.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/nearest.h"
#include "core/text.h"

struct config_unit {
    const char *name;
    int64_t size;
};

// One file while it is parsed.
struct reading {
    struct config_set *set;
    const char *path;
    FILE *file, *problems;
    int line;
    int error;
};

static void report_place(const struct reading *reading) {
    text_put(reading->problems, reading->path);
    fprintf(reading->problems, ":%d: ", reading->line);
}

// The library breaks longer lines into pieces that it takes for lines of their own.
static void skip_long_line(struct reading *reading, char *buffer, int size) {
    int c;
    report_place(reading);
    fprintf(reading->problems, "line longer than %d characters, ignored\n", size - 2);
    while ((c = getc(reading->file)) != EOF && c != '\n')
        ;
    buffer[0] = '\0';
}

// Counts lines, which the library does not tell. Removes the blanks before a key, since the library
// takes an indented line for more of the value above it.
static char *read_line(char *buffer, int size, void *stream) {
    struct reading *reading = stream;
    if (!fgets(buffer, size, reading->file))
        return NULL;
    reading->line++;
    size_t n = strlen(buffer);
    if (n > 0 && buffer[n - 1] != '\n' && !feof(reading->file))
        skip_long_line(reading, buffer, size);
    size_t blanks = strspn(buffer, " \t");
    memmove(buffer, buffer + blanks, strlen(buffer + blanks) + 1);
    return buffer;
}

static void report_unknown(const struct reading *reading, const char *section, const char *name) {
    struct nearest nearest;
    nearest_init(&nearest, name);
    bool section_known = false;
    for (size_t i = 0; i < n_config_keys; i++)
        if (strcmp(config_keys[i].section, section) == 0) {
            section_known = true;
            nearest_try(&nearest, config_keys[i].key);
        }
    report_place(reading);
    if (!*section) {
        fputs("a key outside any [section], ignored\n", reading->problems);
        return;
    }
    fputs(section_known ? "unknown key " : "unknown section [", reading->problems);
    text_put(reading->problems, section_known ? name : section);
    fputs(section_known ? "" : "]", reading->problems);
    if (section_known && nearest.best)
        fprintf(reading->problems, ", did you mean %s?", nearest.best);
    fputs("\n", reading->problems);
}

// As it is written in a file: in the largest unit that has no remainder.
static void put_in_units(FILE *out, int64_t value, const struct config_unit *units, size_t n) {
    size_t i = 0;
    while (i + 1 < n && value % units[i + 1].size == 0)
        i++;
    fprintf(out, "%" PRId64 "%s", value / units[i].size, units[i].name);
}

static void put_limit(FILE *out, const struct config_key *key, int64_t limit) {
    static const struct config_unit spans[] = { { "ms", 1 }, { "s", 1000 }, { "min", 60000 },
        { "h", 3600000 }, { "d", 86400000 } };
    static const struct config_unit sizes[] = { { "", 1 }, { "K", 1 << 10 }, { "M", 1 << 20 },
        { "G", 1 << 30 }, { "T", INT64_C(1) << 40 } };
    if (key->type == CONFIG_SPAN)
        put_in_units(out, limit * key->per, spans, sizeof(spans) / sizeof(spans[0]));
    else if (key->type == CONFIG_SIZE)
        put_in_units(out, limit, sizes, sizeof(sizes) / sizeof(sizes[0]));
    else
        fprintf(out, "%" PRId64 "%s", limit, key->type == CONFIG_PERCENT ? "%" : "");
}

static void report_range(FILE *out, const struct config_key *key) {
    switch (key->type) {
    case CONFIG_PORTS:
        fputs(" is too long, or has a number that is not between 1 and 65535", out);
        return;
    case CONFIG_PATH:
    case CONFIG_WORDS:
        fputs(" is too long", out);
        return;
    case CONFIG_RATIO:
        fputs(" is not between 0% and 100%", out);
        return;
    default:
        fputs(" is not between ", out);
        put_limit(out, key, key->smallest);
        fputs(" and ", out);
        put_limit(out, key, key->greatest);
    }
}

static void report_value(const struct reading *reading, const struct config_key *key,
        const char *value, const char *kept, int error) {
    static const char *const wanted[] = {
        [CONFIG_SPAN] = "a time span such as 500ms, 10min or 30d",
        [CONFIG_SIZE] = "a size such as 256M",
        [CONFIG_COUNT] = "a whole number",
        [CONFIG_PERCENT] = "a percentage such as 80%",
        [CONFIG_RATIO] = "a share such as 0.01%",
        [CONFIG_PATH] = "an absolute path",
        [CONFIG_WORDS] = "a list of words",
        [CONFIG_PORTS] = "a list of port numbers such as 514 8125",
    };
    report_place(reading);
    fprintf(reading->problems, "%s = ", key->key);
    text_put(reading->problems, value);
    if (error == -ERANGE)
        report_range(reading->problems, key);
    else
        fprintf(reading->problems, " is not %s", wanted[key->type]);
    fputs(", ", reading->problems);
    text_put(reading->problems, *kept ? kept : "nothing");
    fputs(" stays\n", reading->problems);
}

static int set_key(struct reading *reading, size_t i, const char *value) {
    struct config_set *set = reading->set;
    int r = config_key_parse(&config_keys[i], value, &set->values);
    if (r < 0) {
        report_value(reading, &config_keys[i], value, set->text[i], r);
        return 0;
    }
    char *text = strdup(value), *file = strdup(reading->path);
    if (!text || !file) {
        free(text);
        free(file);
        return -ENOMEM;
    }
    free(set->text[i]);
    free(set->origin[i].file);
    set->text[i] = text;
    set->origin[i] = (struct config_origin){ .file = file, .line = reading->line };
    return 0;
}

// The library's convention: nonzero goes on.
static int take_key(void *user, const char *section, const char *name, const char *value) {
    struct reading *reading = user;
    for (size_t i = 0; i < n_config_keys; i++)
        if (strcmp(config_keys[i].section, section) == 0 && strcmp(config_keys[i].key, name) == 0) {
            reading->error = set_key(reading, i, value);
            return reading->error == 0;
        }
    report_unknown(reading, section, name);
    return 1;
}

int config_set_read(struct config_set *set, const char *path, FILE *problems) {
    // O_NONBLOCK: a FIFO in a directory that came from elsewhere must not block.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return -errno;
    _cleanup_fclose_ FILE *file = fdopen(fd, "r");
    if (!file) {
        int r = -errno;
        close(fd);
        return r;
    }
    struct reading reading = { .set = set, .path = path, .file = file, .problems = problems };
    int line = ini_parse_stream(read_line, &reading, take_key, &reading);
    if (reading.error < 0)
        return reading.error;
    if (ferror(file))
        return -EIO;
    if (line > 0) {
        reading.line = line;
        report_place(&reading);
        fputs("neither [section] nor key = value, ignored\n", problems);
    }
    return line < 0 ? -ENOMEM : 0;
}
