// SPDX-License-Identifier: GPL-2.0-or-later
// Scenario parts
#pragma once

#include "lab/scenario.h"

enum { SMALL = 48, MEDIUM = 1000, LARGE = 4000, HUGE_SIZE = 60000, MTU = 1500 };

// A reader of LAB_PORT, "lab-reader", that takes all that comes.
int receive_all(struct lab *lab);
// Hand-made frames from the sender, all damaged alike.
int send_damaged(struct lab *lab, enum frame_damage damage, long size);
// Plain datagrams from the sender to LAB_PORT, that arrive if nothing is in the way.
int send_small(struct lab *lab);
