// SPDX-License-Identifier: GPL-2.0-or-later
// Collector rig
//
// Runs one collector on a fixture, on a folder the test writes, or on this host.
#pragma once

#include "collectors/collector.h"
#include "collectors/netns.h"
#include "collectors/watch.h"
#include "tests/suite.h"

struct rig {
    struct source source;
    struct netns_list netns;
    struct watch watch;
    struct collect_context context;
    const struct collector *collector;
    void *state;
    struct rows rows;
    struct outcome outcome;
    char folder[64]; // "" where the root is not the test's own
};

// root: a directory, NULL for the host.
void rig_start(struct rig *rig, const struct collector *collector, const char *root);
// A folder of its own below /tmp, removed by rig_stop().
void rig_start_empty(struct rig *rig, const struct collector *collector);
void rig_stop(struct rig *rig);

// Discovers namespaces and collects. context.now_ms is the test's: 0 unless it is set.
void rig_look(struct rig *rig);
// Collects only.
void rig_collect(struct rig *rig);

// A cell of the only row, or of the one whose first key is `key`. Fails the test where there is no
// such row.
cell rig_value(const struct rig *rig, const char *key, const char *column);
// Each row as "column=value column=value ...\n", "-" for CELL_NULL, sorted. malloc()ed.
char *rig_dump(const struct rig *rig);

// The folder of a fixture ("6.1").
const char *fixture(const char *kernel, char *buffer, size_t size);
// Compares the rows with tests/collectors/expected/KERNEL/TABLE, or rewrites that file where
// UPDATE_EXPECTED is set.
void rig_check_expected(const struct rig *rig, const char *kernel);

// Writes below rig->folder, with the folders above.
void rig_write(const struct rig *rig, const char *path, const char *text, size_t n);
void rig_link(const struct rig *rig, const char *path, const char *target);
void rig_remove(const struct rig *rig, const char *path);
// The text of a file of a fixture, terminated. malloc()ed.
char *fixture_read(const char *kernel, const char *path, size_t *ret_n);
