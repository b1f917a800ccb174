// SPDX-License-Identifier: GPL-2.0-or-later
// Quiet sockets
#pragma once

#include "formats/reading.h"

// Leaves out of long listings the sockets to which nothing happens in any look: none dropped, and
// the queue less than half full; and of the others all but those that lose most. Table socket has
// no more of a live host either. 0 or -ENOMEM.
int quiet_leave_out(struct intake *intake);
