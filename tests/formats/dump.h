// SPDX-License-Identifier: GPL-2.0-or-later
// Intake dump
#pragma once

#include <stdio.h>

#include "formats/intake.h"

// Everything that the intake holds, in lines: what tests compare with.
void dump_intake(FILE *out, const struct intake *intake);
