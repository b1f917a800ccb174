// SPDX-License-Identifier: GPL-2.0-or-later
// version
#include <sqlite3.h>

#include "cli/verbs.h"
#include "core/store.h"

static const struct writer_column columns[] = {
    { "version", "udpdiag" },
    { "database_schema", "database schema" },
    { "sqlite", "SQLite" },
};
static const struct writer_table record = { NULL, NULL, NULL, columns, 3 };

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    writer_record(cli->writer, &record);
    writer_text(cli->writer, UDPDIAG_VERSION);
    writer_integer(cli->writer, STORE_SCHEMA);
    writer_text(cli->writer, sqlite3_libversion());
    writer_end(cli->writer);
    return STATUS_OK;
}

const struct verb verb_version = {
    .name = "version",
    .arguments = "",
    .help = "Print the version",
    .run = run,
};
