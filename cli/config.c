// SPDX-License-Identifier: GPL-2.0-or-later
// config: effective values
#include "core/config.h"

#include "cli/verbs.h"
#include "core/cleanup.h"

enum { DEFAULTS, MAN };
static const struct option_spec options[] = {
    [DEFAULTS] = { "defaults", NULL,
            "Print a configuration file with every key and its default, commented" },
    [MAN] = { "man", NULL, "Print the keys as mdoc, for the manual page" },
};

static const struct writer_column columns[] = {
    { "section", "SECTION" },
    { "key", "KEY" },
    { "value", "VALUE" },
    { "file", NULL },
    { "line", NULL },
    { NULL, "FROM" },
};
static const struct writer_table table = { "config", NULL, NULL, columns,
    sizeof(columns) / sizeof(columns[0]) };

static void put_key(struct cli *cli, size_t i) {
    const struct config_origin *origin = config_origin(cli->config, i);
    _cleanup_free_ char *from = NULL;
    if (origin->file && asprintf(&from, "%s:%d", origin->file, origin->line) < 0)
        from = NULL;
    writer_row(cli->writer, origin->file ? STYLE_BOLD : STYLE_PLAIN);
    writer_text(cli->writer, config_keys[i].section);
    writer_text(cli->writer, config_keys[i].key);
    writer_text(cli->writer, config_text(cli->config, i));
    writer_text(cli->writer, origin->file);
    writer_integer(cli->writer, origin->file ? origin->line : CELL_NULL);
    writer_text(cli->writer, from ? from : "default");
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    if (option_given(given, DEFAULTS)) {
        config_put_defaults(stdout);
        return STATUS_OK;
    }
    if (option_given(given, MAN)) {
        config_put_man(stdout);
        return STATUS_OK;
    }
    writer_begin(cli->writer, &table);
    for (size_t i = 0; i < n_config_keys; i++)
        put_key(cli, i);
    writer_end(cli->writer);
    return STATUS_OK;
}

const struct verb verb_config = {
    .name = "config",
    .arguments = "",
    .help = "Show the effective configuration and where each value comes from",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .run = run,
};
