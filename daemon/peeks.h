// SPDX-License-Identifier: GPL-2.0-or-later
// Dense looks
//
// A timer beside the ticks that looks at what loses datagrams, as long as something does.
#pragma once

#include <systemd/sd-event.h>

#include "collectors/collector.h"

// 0 or -errno. The timer is off until it is armed; the collection must outlive it.
int peeks_new(sd_event *event, struct collection *collection, sd_event_source **ret);
// After each look: on or off, as the collection wants. 0 or -errno.
int peeks_arm(sd_event_source *timer);
