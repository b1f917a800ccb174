// SPDX-License-Identifier: GPL-2.0-or-later
// Files of support bundles
//
// Which files of a sosreport, xsos or home-made tree are outputs that the formats know.
#pragma once

#include <stdbool.h>
#include <stddef.h>

bool bundle_wants(const char *path);
// The command that the file is the output of, as sos names them ("ethtool_-S_eth0"): "ethtool -S
// eth0". False: the path does not tell.
bool bundle_command(const char *path, char *ret, size_t size);
