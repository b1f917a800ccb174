// SPDX-License-Identifier: GPL-2.0-or-later
// Usage text
//
// --help and the manual page come from the tables of verbs and options.
#include <string.h>

#include "cli/cli.h"
#include "cli/mdoc.h"
#include "cli/verbs.h"
#include "core/text.h"

#define HELP_COLUMN 22

static void put_entry(const struct terminal *terminal, FILE *out, const char *text, int columns,
        const char *help) {
    fprintf(out, "  %s", text);
    if (columns + 4 > HELP_COLUMN)
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    else
        fprintf(out, "%*s", HELP_COLUMN - 2 - columns, "");
    text_wrap(out, help, HELP_COLUMN, terminal->width);
}

static void put_options(
        const struct terminal *terminal, FILE *out, const struct option_spec *options, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char text[80];
        int columns = snprintf(text, sizeof(text), "--%s%s%s", options[i].name,
                options[i].argument ? " " : "", options[i].argument ? options[i].argument : "");
        put_entry(terminal, out, text, columns, options[i].help);
    }
}

static void put_verb(const struct cli *cli, const struct verb *verb, FILE *out) {
    fprintf(out, "usage: udpdiag %s%s%s%s\n\n", verb->name, verb->n_options ? " [OPTION...]" : "",
            *verb->arguments ? " " : "", verb->arguments);
    fprintf(out, "%s.\n", verb->help);
    if (verb->more) {
        fputc('\n', out);
        text_wrap(out, verb->more, 0, cli->terminal.width);
    }
    if (verb->n_options) {
        fputs("\nOptions:\n", out);
        put_options(&cli->terminal, out, verb->options, verb->n_options);
    }
}

static void put_overview(const struct cli *cli, FILE *out) {
    fputs("usage: udpdiag [OPTION...] VERB [ARGUMENT...]\n\n"
          "Says why this host loses UDP datagrams.\n\nVerbs:\n",
            out);
    for (size_t i = 0; i < n_verbs; i++)
        put_entry(
                &cli->terminal, out, verbs[i]->name, (int) strlen(verbs[i]->name), verbs[i]->help);
}

void usage_put(const struct cli *cli, const struct verb *verb, FILE *out) {
    if (verb)
        put_verb(cli, verb, out);
    else
        put_overview(cli, out);
    fputs("\nOptions of every verb:\n", out);
    put_options(&cli->terminal, out, global_options, N_GLOBALS);
}

static void put_man_options(FILE *out, const struct option_spec *options, size_t n) {
    fputs(".Bl -tag -width Ds\n", out);
    for (size_t i = 0; i < n; i++) {
        const char *argument = options[i].argument;
        fprintf(out, ".It Fl -%s", options[i].name);
        if (argument && *argument == '[')
            fprintf(out, " Op Ar %.*s", (int) strlen(argument) - 2, argument + 1);
        else if (argument)
            fprintf(out, " Ar %s", argument);
        fputc('\n', out);
        mdoc_put_line(out, options[i].help);
    }
    fputs(".El\n", out);
}

static void put_man_verb(FILE *out, const struct verb *verb) {
    fprintf(out, ".Ss udpdiag %s%s%s\n", verb->name, *verb->arguments ? " " : "", verb->arguments);
    mdoc_put_line(out, verb->help);
    if (verb->more) {
        fputs(".Pp\n", out);
        mdoc_put_line(out, verb->more);
    }
    if (verb->n_options > 0)
        put_man_options(out, verb->options, verb->n_options);
}

void usage_put_man(FILE *out) {
    for (size_t i = 0; i < n_verbs; i++)
        put_man_verb(out, verbs[i]);
    fputs(".Ss Options of every verb\n", out);
    put_man_options(out, global_options, N_GLOBALS);
}

enum { HELP_MAN };
static const struct option_spec options[] = {
    [HELP_MAN] = { "man", NULL, "Print verbs and options as mdoc, for the manual page" },
};

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    const struct verb *verb = n_arguments > 0 ? verb_find(arguments[0]) : NULL;
    if (option_given(given, HELP_MAN)) {
        usage_put_man(stdout);
        return STATUS_OK;
    }
    if (n_arguments > 0 && !verb)
        return complain(STATUS_USAGE, "there is no verb %s, see udpdiag --help", arguments[0]);
    usage_put(cli, verb, stdout);
    return STATUS_OK;
}

const struct verb verb_help = {
    .name = "help",
    .arguments = "[VERB]",
    .help = "Explain a verb and its options",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .most = 1,
    .run = run,
};
