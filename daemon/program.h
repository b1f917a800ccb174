// SPDX-License-Identifier: GPL-2.0-or-later
// One program run
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Why a program that lies in the folder is not run, or NULL: it may be. Who can write it could run
// anything as this user.
const char *program_refused(int directory, const char *name);
// Starts it with `document` as its standard input. 0 or -errno.
int program_start(
        const char *path, const char *event, const char *document, bool journal, pid_t *ret);
// Whether it has ended, and then how, in words; "" for success.
bool program_ended(pid_t pid, char *ret_how, size_t size);
// Kills it with all of its session that stayed in its process group, and reaps it.
void program_kill(pid_t pid);
