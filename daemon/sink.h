// SPDX-License-Identifier: GPL-2.0-or-later
// Alert sinks
//
// Where the events of an alert go: the journal, the programs of alert.d, and the database.
#pragma once

#include "daemon/alerts.h"
#include "daemon/outbox.h"
#include "daemon/programs.h"
#include "daemon/writer.h"

struct sink {
    struct outbox *outbox;
    struct programs *programs;
    struct writer *writer; // NULL: no database
    const char *directory; // alert.d
    const char *host, *kernel;
};

// An alert_sink; userdata is a struct sink.
void sink_tell(void *userdata, enum alert_event event, const struct alert *alert);
