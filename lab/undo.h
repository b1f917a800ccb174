// SPDX-License-Identifier: GPL-2.0-or-later
// Undo journal
//
// What a lab changes outside of its own namespaces is written down, on disk, before it is changed:
// one shell command a line. It is played back when the lab has ended, by this process or by the
// next.
#pragma once

struct undo;

// Opens the journal of this user and plays back what an earlier run left behind. 0, 1: another run,
// of whichever user, goes on, or -errno.
int undo_open(struct undo **ret);
// 0 or -errno; -EINVAL: it has more than one line.
int undo_add(struct undo *undo, const char *command);
// Runs the commands, the last one first. Those that fail are tried again for a while, since some
// have to wait for the end of what they are in the way of; then they stay written down. Returns how
// many are left, or -errno.
int undo_play(struct undo *undo);
const char *undo_path(const struct undo *undo);
// Leaves what is written down to the next run. NULL always.
struct undo *undo_close(struct undo *undo);
