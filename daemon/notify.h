// SPDX-License-Identifier: GPL-2.0-or-later
// Service notification
//
// What sd_notify(3) does, without ever waiting: a service manager that does not read for a while
// (it may be stuck on the very disk) must not stop the sampling.
#pragma once

// Lines such as "READY=1". 0 also where there is no service manager; -EAGAIN: it does not read now;
// or another -errno.
int notify(const char *state);
