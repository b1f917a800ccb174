// SPDX-License-Identifier: GPL-2.0-or-later
// Command line
#include "daemon/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/moment.h"

#define STEP_MIN_MS 100
#define STEP_MAX_MS 60000

static const struct {
    const char *name, *argument, *help;
    int letter;
} table[] = {
    { "config", "FILE", "read this file instead of the configuration folders", 'c' },
    { "database", "FILE", "the database", 'd' },
    { "root", "DIR", "read /proc and /sys below this directory", 'r' },
    { "step", "SPAN", "the time between two looks", 's' },
    { "steps", "N", "stop after so many", 'n' },
    { "help", NULL, "print this", 'h' },
    { "version", NULL, "print the version", 'v' },
};
#define N_OPTIONS (sizeof(table) / sizeof(table[0]))

static void print_help(void) {
    puts("udpdiagd [OPTION...]\n\nSamples the kernel's UDP counters, keeps them, and raises alerts.\n");
    for (size_t i = 0; i < N_OPTIONS; i++) {
        int n = printf(
                "  --%s%s%s", table[i].name, table[i].argument ? " " : "", table[i].argument ?: "");
        printf("%*s%s\n", 20 - n, "", table[i].help);
    }
    puts("\nSee udpdiagd(8).");
}

static int mistake(const char *name, const char *value, const char *wanted) {
    fprintf(stderr, "udpdiagd: --%s %s: %s; try --help\n", name, value, wanted);
    return -EINVAL;
}

static int read_step(const char *value, int64_t *ret) {
    int64_t ms;
    if (moment_parse_span(value, &ms) < 0 || ms < STEP_MIN_MS || ms > STEP_MAX_MS)
        return mistake("step", value, "a span from 100ms to 1min is wanted, such as 1s");
    *ret = ms;
    return 0;
}

static int read_count(const char *value, int64_t *ret) {
    char *end;
    errno = 0;
    long long count = strtoll(value, &end, 10);
    if (errno || end == value || *end || count < 1)
        return mistake("steps", value, "a number above 0 is wanted");
    *ret = count;
    return 0;
}

static int take(int letter, const char *value, struct options *options) {
    switch (letter) {
    case 'c':
        options->config = value;
        return 0;
    case 'd':
        options->database = value;
        return 0;
    case 'r':
        options->root = value;
        return 0;
    case 's':
        return read_step(value, &options->step_ms);
    case 'n':
        return read_count(value, &options->steps);
    case 'h':
        print_help();
        return 1;
    case 'v':
        puts("udpdiagd " UDPDIAG_VERSION);
        return 1;
    }
    return -EINVAL;
}

int options_read(int argc, char *argv[], struct options *ret) {
    struct option known[N_OPTIONS + 1] = { 0 };
    for (size_t i = 0; i < N_OPTIONS; i++)
        known[i] = (struct option){
            .name = table[i].name,
            .has_arg = table[i].argument ? required_argument : no_argument,
            .val = table[i].letter,
        };
    struct options options = { 0 };
    int letter, r = 0;
    opterr = 0;
    while (r == 0 && (letter = getopt_long(argc, argv, ":", known, NULL)) >= 0) {
        if (letter == '?' || letter == ':') {
            fprintf(stderr, "udpdiagd: %s %s; try --help\n", argv[optind - 1],
                    letter == '?' ? "is not an option" : "needs a value");
            return -EINVAL;
        }
        r = take(letter, optarg, &options);
    }
    if (r == 0 && optind < argc) {
        fprintf(stderr, "udpdiagd: %s: no arguments are wanted; try --help\n", argv[optind]);
        r = -EINVAL;
    }
    if (r == 0)
        *ret = options;
    return r;
}
