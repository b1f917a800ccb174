// SPDX-License-Identifier: GPL-2.0-or-later
// tables: declarations
#include <string.h>

#include "cli/mdoc.h"
#include "cli/verbs.h"
#include "collectors/collector.h"
#include "core/nearest.h"

enum { MAN };
static const struct option_spec options[] = {
    [MAN] = { "man", NULL, "Print all tables as mdoc, for the manual page" },
};

static const struct writer_column list_columns[] = {
    { "name", "TABLE" },
    { "per", NULL },
    { "columns", "COLUMNS", NULL, WRITER_RIGHT },
    { "source", NULL },
    { "help", "WHAT", NULL, WRITER_WRAP },
};
static const struct writer_table list = { "tables", NULL, NULL, list_columns, 5 };

static const struct writer_column table_columns[] = {
    { "table", "table" },
    { "help", "what" },
    { "per", "one row per" },
    { "source", "read from" },
};
static const struct writer_table about = { NULL, NULL, NULL, table_columns, 4 };

static const struct writer_column column_columns[] = {
    { "name", "COLUMN" },
    { "kind", "KIND" },
    { "unit", "UNIT" },
    { "field", NULL },
    { "help", "WHAT", NULL, WRITER_WRAP },
};
static const struct writer_table details = { "columns", NULL, NULL, column_columns, 5 };

static void put_list(struct writer *writer) {
    const struct table *const *tables = collector_tables();
    writer_begin(writer, &list);
    for (size_t i = 0; i < n_collectors; i++) {
        writer_row(writer, STYLE_PLAIN);
        writer_text(writer, tables[i]->name);
        writer_text(writer, tables[i]->per);
        writer_integer(writer, (int64_t) tables[i]->n_columns);
        writer_text(writer, tables[i]->source);
        writer_text(writer, tables[i]->help);
    }
    writer_end(writer);
}

static void put_table(struct writer *writer, const struct table *table) {
    writer_record(writer, &about);
    writer_text(writer, table->name);
    writer_text(writer, table->help);
    writer_text(writer, table->per);
    writer_text(writer, table->source);
    writer_end(writer);
    writer_begin(writer, &details);
    for (size_t i = 0; i < table->n_columns; i++) {
        const struct column *column = &table->columns[i];
        writer_row(writer, STYLE_PLAIN);
        writer_text(writer, column->name);
        writer_text(writer, column_kind_name(column->kind));
        writer_text(writer, column->unit);
        writer_text(writer, column->field);
        writer_text(writer, column->help);
    }
    writer_end(writer);
}

static void put_man(FILE *out) {
    const struct table *const *tables = collector_tables();
    for (size_t i = 0; i < n_collectors; i++) {
        const struct table *table = tables[i];
        fprintf(out, ".Ss %s\n", table->name);
        mdoc_put_line(out, table->help);
        fprintf(out, "One row per %s, from ", table->per);
        mdoc_put_line(out, table->source);
        fputs(".Bl -tag -width Ds -compact\n", out);
        for (size_t j = 0; j < table->n_columns; j++) {
            const struct column *column = &table->columns[j];
            fprintf(out, ".It Va %s\n%s%s%s: ", column->name, column_kind_name(column->kind),
                    *column->unit ? ", " : "", column->unit);
            mdoc_put_line(out, column->help);
        }
        fputs(".El\n", out);
    }
}

static int tell_unknown(const char *name) {
    struct nearest nearest;
    nearest_init(&nearest, name);
    for (size_t i = 0; i < n_collectors; i++)
        nearest_try(&nearest, collector_tables()[i]->name);
    if (nearest.best)
        return complain(STATUS_USAGE, "there is no table %s, did you mean %s?", name, nearest.best);
    return complain(STATUS_USAGE, "there is no table %s, see udpdiag tables", name);
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    if (option_given(given, MAN)) {
        put_man(stdout);
        return STATUS_OK;
    }
    if (n_arguments == 0) {
        put_list(cli->writer);
        return STATUS_OK;
    }
    const struct table *table = table_find(collector_tables(), n_collectors, arguments[0]);
    if (!table)
        return tell_unknown(arguments[0]);
    put_table(cli->writer, table);
    return STATUS_OK;
}

const struct verb verb_tables = {
    .name = "tables",
    .arguments = "[NAME]",
    .help = "Show which tables are sampled, or the columns of one",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .most = 1,
    .run = run,
};
