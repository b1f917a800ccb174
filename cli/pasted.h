// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted outputs
//
// Files that people were sent, read into a store in memory. Opening comes first: what is read after
// it is read without privileges.
#pragma once

#include "cli/cli.h"
#include "core/verdict.h"
#include "formats/reading.h"
#include "formats/steps.h"
#include "formats/tree.h"
#include "rules/rules.h"

struct pasted {
    struct intake *intake; // NULL: a capture, which needs none
    struct lines *lines; // one per file
    size_t n;
    struct store *store;
    struct intake_steps steps;
    struct tree tree;
    char host[256], kernel[256]; // of a capture
    char *problem;               // what of it could not be read
};

// Opens the files ("-": the standard input), gives up privileges, reads them. 0, or an exit status
// after a line on the standard error: STATUS_NO_DATA where nothing in them was known.
int pasted_read(struct cli *cli, char **paths, size_t n, struct pasted *ret);
// The same of a capture or support bundle: a folder or an archive.
int pasted_read_tree(struct cli *cli, const char *path, struct pasted *ret);
void pasted_done(struct pasted *pasted);
// Verdict over all that was read. 0 or -errno.
int pasted_judge(const struct rule_set *rules, struct pasted *pasted, struct verdict **ret);
// What each line was taken for. `all`: also lines of a known output that no table has room for.
void pasted_show(struct writer *writer, const struct pasted *pasted, bool all);
