// SPDX-License-Identifier: GPL-2.0-or-later
// Judge
//
// Decides when the recent past is worth judging, judges it, and shows the alerts what came out. In
// quiet times that is every other minute; when something is lost, at once, and then less and less
// often until something changes.
#pragma once

#include "daemon/alerts.h"
#include "daemon/settings.h"

struct judge;

// The settings must outlive it, or be replaced. NULL: out of memory.
struct judge *judge_new(const struct settings *settings, const char *host, const char *kernel,
        alert_sink *sink, void *userdata);
struct judge *judge_free(struct judge *judge); // returns NULL
void judge_set_settings(struct judge *judge, const struct settings *settings);
struct alerts *judge_alerts(struct judge *judge);

// Takes a step and the look that it ends with. 0, 1: it shows a loss, or -errno.
int judge_add(struct judge *judge, const struct step *step, const struct sample *sample);
// Judges if it is time to, or (last) if there is any loss that was not judged yet. 0: no, 1:
// judge_line() is new, or -errno.
int judge_run(struct judge *judge, const struct sample *sample, bool last);
// One line for people: what the last judgement said.
const char *judge_line(const struct judge *judge);
