// SPDX-License-Identifier: GPL-2.0-or-later
// Captures
//
// What `udpdiag capture` makes: a tree with
// - manifest.json: what it is, of which host, when, and what was left out;
// - looks/NNNN.txt: one sample each (core/sample_text.h), as the collectors had it: files parsed,
// netlink's
//   answers as rows;
// - verdict.json: what `why --live --json` said of it;
// - first/ and last/: the files of /proc and /sys as they were at both ends, for people and for
// other
//   programs; in netlink/ the answers to the dumps of those looks (collectors/rtnl.h). The
//   collectors read such a folder as a host.
// The samples are what is judged, so that the verdict is the one that was there.
#pragma once

#include <json-c/json.h>

#include "core/store.h"
#include "formats/steps.h"
#include "formats/tree.h"

#define CAPTURE_VERSION 1
#define CAPTURE_MANIFEST "manifest.json"
#define CAPTURE_VERDICT "verdict.json"
#define CAPTURE_LOOK "looks/%04u.txt"
#define CAPTURE_FIRST "first"
#define CAPTURE_LAST "last"
#define CAPTURE_MAX_LOOKS 9999

// A file that such a tree has, apart from those for people.
bool capture_wants(const char *path);

struct capture_facts {
    char host[256], kernel[256];
    unsigned looks;
    char problem[512]; // where it is no capture, or damaged: for people
};

// The tree's folder that holds the manifest: "" or "NAME/". NULL: it is no capture. malloc()ed.
char *capture_root(const struct tree *tree);
// Writes the steps of all samples. 0; 1: `problem` says what is wrong and from where on nothing was
// read (what was read before counts; looks may be 0); or -errno.
int capture_store(const struct tree *tree, const char *root, const struct table *const *tables,
        size_t n_tables, struct store *store, struct intake_steps *ret,
        struct capture_facts *facts);
