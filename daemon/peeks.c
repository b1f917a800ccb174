// SPDX-License-Identifier: GPL-2.0-or-later
// Dense looks
#include "daemon/peeks.h"

#include <time.h>

// They come at random times anyway.
#define PEEK_ACCURACY_USEC 2000

static int on_peek(sd_event_source *timer, uint64_t usec, void *userdata) {
    struct timespec now; // the time of the event loop may be from before a look
    clock_gettime(CLOCK_MONOTONIC, &now);
    collection_peek(userdata, (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000);
    return peeks_arm(timer);
}

int peeks_new(sd_event *event, struct collection *collection, sd_event_source **ret) {
    sd_event_source *timer = NULL;
    int r = sd_event_add_time(
            event, &timer, CLOCK_MONOTONIC, 0, PEEK_ACCURACY_USEC, on_peek, collection);
    if (r >= 0)
        r = sd_event_source_set_enabled(timer, SD_EVENT_OFF);
    if (r < 0)
        sd_event_source_unref(timer);
    else
        *ret = timer;
    return r < 0 ? r : 0;
}

int peeks_arm(sd_event_source *timer) {
    const struct collection *collection = sd_event_source_get_userdata(timer);
    if (!collection_wants_peek(collection))
        return sd_event_source_set_enabled(timer, SD_EVENT_OFF);
    int r = sd_event_source_set_time(timer, (uint64_t) collection_peek_due_us(collection));
    return r < 0 ? r : sd_event_source_set_enabled(timer, SD_EVENT_ON);
}
