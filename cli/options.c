// SPDX-License-Identifier: GPL-2.0-or-later
// Command line options
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "core/cleanup.h"
#include "core/nearest.h"

int option_list_init(struct option_list *list, const struct option_spec *specs, size_t n) {
    *list = (struct option_list){ specs, n, calloc(n + 1, sizeof(*list->values)) };
    return list->values ? 0 : -ENOMEM;
}

void option_list_done(struct option_list *list) {
    for (size_t i = 0; list->values && i < list->n; i++)
        free(list->values[i].texts);
    free(list->values);
    *list = (struct option_list){ 0 };
}

bool option_given(const struct option_list *list, size_t option) {
    return list->values[option].n > 0;
}

const char *option_text(const struct option_list *list, size_t option) {
    const struct option_value *value = &list->values[option];
    return value->n > 0 ? value->texts[value->n - 1] : NULL;
}

static int add_value(struct option_value *value, const char *text) {
    const char **texts = reallocarray(value->texts, value->n + 1, sizeof(*texts));
    if (!texts)
        return -ENOMEM;
    value->texts = texts;
    texts[value->n++] = text;
    return 0;
}

// getopt's numbers for the options of the two lists: above those of characters.
enum { GLOBAL_BASE = 1000, OWN_BASE = 2000 };

static void fill_long_options(struct option *to, const struct option_list *list, int base) {
    for (size_t i = 0; i < list->n; i++) {
        const char *argument = list->specs[i].argument;
        to[i] = (struct option){
            .name = list->specs[i].name,
            .has_arg = !argument          ? no_argument
                       : *argument == '[' ? optional_argument
                                          : required_argument,
            .val = base + (int) i,
        };
    }
}

// getopt takes an optional argument only behind "="; a number in the next word is meant as well.
static const char *optional_number(int argc, char **argv) {
    if (optarg || optind >= argc || !isdigit((unsigned char) argv[optind][0]))
        return optarg;
    return argv[optind++];
}

static int take_option(int c, int argc, char **argv, const struct option_list *list, int base) {
    size_t i = (size_t) (c - base);
    const char *argument = list->specs[i].argument;
    return add_value(
            &list->values[i], argument && *argument == '[' ? optional_number(argc, argv) : optarg);
}

static void try_options(struct nearest *nearest, const struct option_list *list) {
    for (size_t i = 0; i < list->n; i++)
        nearest_try(nearest, list->specs[i].name);
}

// What getopt stopped at, for people: "-x" or "--name".
static void name_bad_option(char **argv, char *name, size_t size) {
    const char *word = argv[optind - 1];
    if (optopt > 0 && optopt < GLOBAL_BASE)
        snprintf(name, size, "-%c", optopt);
    else
        snprintf(name, size, "%.*s", (int) strcspn(word, "="), word);
}

static int bad_option(
        int c, char **argv, const struct option_list *globals, const struct option_list *own) {
    char name[NEAREST_MAX];
    name_bad_option(argv, name, sizeof(name));
    if (c == ':')
        return complain(-EINVAL, "%s needs an argument, see --help", name);
    if (optopt >= GLOBAL_BASE)
        return complain(-EINVAL, "%s takes no argument, see --help", name);
    struct nearest nearest;
    nearest_init(&nearest, name + strspn(name, "-"));
    try_options(&nearest, globals);
    try_options(&nearest, own);
    if (nearest.best)
        return complain(-EINVAL, "unknown option %s, did you mean --%s?", name, nearest.best);
    return complain(-EINVAL, "unknown option %s, see --help", name);
}

int options_parse(int argc, char **argv, const struct option_list *globals,
        const struct option_list *own, bool stop_at_argument) {
    _cleanup_free_ struct option *options = calloc(globals->n + own->n + 1, sizeof(*options));
    if (!options)
        return -ENOMEM;
    fill_long_options(options, own, OWN_BASE);
    fill_long_options(options + own->n, globals, GLOBAL_BASE);
    optind = 0; // begin anew
    opterr = 0;
    for (;;) {
        int c = getopt_long(argc, argv, stop_at_argument ? "+:h" : ":h", options, NULL);
        if (c == -1)
            return optind;
        int r;
        if (c == 'h')
            r = add_value(&globals->values[GLOBAL_HELP], NULL);
        else if (c >= OWN_BASE)
            r = take_option(c, argc, argv, own, OWN_BASE);
        else if (c >= GLOBAL_BASE)
            r = take_option(c, argc, argv, globals, GLOBAL_BASE);
        else
            r = bad_option(c, argv, globals, own);
        if (r < 0)
            return r;
    }
}
