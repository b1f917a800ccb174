// SPDX-License-Identifier: GPL-2.0-or-later
// Live looks
#include "cli/live.h"

#include <errno.h>
#include <string.h>

#include "cli/pause.h"
#include "collectors/collector.h"
#include "core/cleanup.h"
#include "core/growth.h"

// A window needs several steps, since coincidence in time is evidence; a look costs a few
// milliseconds.
#define STEPS_WANTED 10
#define STEP_LEAST_MS 200
#define STEP_MOST_MS 500
// Beyond it the file is no uptime: a hundred years.
#define UPTIME_MAX_S 3.2e9

struct live {
    struct source source;
    struct collection *collection;
    struct growth *growth;
    struct sample *sample;
    struct step *step;
    struct store *store;
    enum live_use use;
    int64_t first_ms; // wall clock of the first look; 0: none yet
    int (*seen)(void *data, const struct sample *sample); // NULL: nobody wants to know
    void *seen_data;
    int64_t last_ms;  // monotonic, of live_look_at_all()
};

static int live_start(struct live *live, const char *root) {
    const struct table *const *tables = collector_tables();
    _cleanup_free_ char *error = NULL;
    int r = source_init(&live->source, root);
    if (r < 0)
        return r;
    r = collection_new(&live->source, &live->collection);
    if (r < 0)
        return r;
    live->sample = sample_new(tables, n_collectors);
    if (!live->sample || live->use == LIVE_COUNTERS)
        return live->sample ? 0 : -ENOMEM;
    live->growth = growth_new(tables, n_collectors);
    live->step = step_new(tables, n_collectors);
    if (!live->growth || !live->step)
        return -ENOMEM;
    if (live->use == LIVE_SINCE_BOOT)
        growth_since_boot(live->growth);
    else
        growth_repeat_first(live->growth);
    return store_open(NULL, STORE_MEMORY, tables, n_collectors, &live->store, &error);
}

int live_new(const char *root, enum live_use use, struct live **ret) {
    struct live *live = calloc(1, sizeof(*live));
    if (!live)
        return -ENOMEM;
    *live = (struct live){ .source.root = -1, .use = use };
    int r = live_start(live, root);
    if (r < 0) {
        live_free(live);
        return r;
    }
    *ret = live;
    return 0;
}

struct live *live_free(struct live *live) {
    if (!live)
        return NULL;
    store_close(live->store);
    step_free(live->step);
    sample_free(live->sample);
    growth_free(live->growth);
    collection_free(live->collection);
    source_done(&live->source);
    free(live);
    return NULL;
}

void live_want_all_sockets(struct live *live) {
    collection_want_all_sockets(live->collection);
}

// The machine a directory was taken from was up for another time than this one.
static void take_uptime(struct live *live) {
    struct source_file file = SOURCE_FILE_CLOSED;
    double seconds;
    if (!live->source.live && source_read(&live->source, &file, "proc/uptime") == 0 &&
            sscanf(live->source.buffer, "%lf", &seconds) == 1 && seconds > 0 &&
            seconds < UPTIME_MAX_S)
        live->sample->boottime_ms = (int64_t) (seconds * 1000);
    source_file_close(&file);
}

static int look(struct live *live, bool all) {
    collection_look(live->collection, all, live->sample);
    if (live->use == LIVE_SINCE_BOOT)
        take_uptime(live);
    if (live->first_ms == 0)
        live->first_ms = live->sample->wall_ms;
    if (live->use == LIVE_COUNTERS)
        return 0;
    int r = live->seen ? live->seen(live->seen_data, live->sample) : 0;
    if (r == 0)
        r = growth_step(live->growth, live->sample, live->step);
    return r < 0 ? r : store_write_step(live->store, live->step);
}

int live_look(struct live *live) {
    return look(live, false);
}

const struct sample *live_sample(const struct live *live) {
    return live->sample;
}

struct source *live_source(struct live *live) {
    return &live->source;
}

void live_on_look(
        struct live *live, int (*seen)(void *data, const struct sample *sample), void *data) {
    live->seen = seen;
    live->seen_data = data;
}

struct store *live_store(struct live *live) {
    return live->store;
}

static int64_t step_length_ms(double seconds) {
    double ms = seconds * 1000 / STEPS_WANTED;
    return ms < STEP_LEAST_MS ? STEP_LEAST_MS : ms > STEP_MOST_MS ? STEP_MOST_MS : (int64_t) ms;
}

// Waits for the next look; while datagrams are lost there are short looks in between. 0, or 1:
// interrupted.
static int pause_and_peek(struct live *live, int64_t next_ms) {
    for (;;) {
        collection_peek(live->collection, pause_clock_ms() * 1000);
        int64_t due_us = collection_peek_due_us(live->collection);
        bool last = due_us > next_ms * 1000;
        if (pause_until(last ? next_ms : due_us / 1000 + 1) == 1)
            return 1;
        if (last)
            return 0;
    }
}

static bool has_grown(const struct rows *growth, const char *name) {
    int column = table_column(growth->table, name);
    for (size_t i = 0; column >= 0 && i < growth->n; i++) {
        cell value = rows_at(growth, i)[column];
        if (value != CELL_NULL && value > 0)
            return true;
    }
    return false;
}

static bool has_loss(const struct live *live, const struct rule_set *rules) {
    const struct rules_counter *counters;
    size_t n = rules ? rules_counters(rules, &counters) : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < n_collectors; t++) {
            const struct rows *growth = &live->step->growth[t];
            if (strcmp(growth->table->name, counters[i].table) == 0 &&
                    has_grown(growth, counters[i].column))
                return true;
        }
    return false;
}

// The limits that a loss is compared with are read when it begins, and the slow counters with the
// last look, which else would be seen once only. Not with each look: many namespaces take their
// time.
static int look_until_end(struct live *live, const struct rule_set *rules, double seconds) {
    int64_t start_ms = pause_clock_ms(), end_ms = start_ms + (int64_t) (seconds * 1000);
    int64_t step_ms = step_length_ms(seconds), next_ms = start_ms;
    bool loss = false, before;
    int r = live_look(live);
    while (r == 0 && next_ms < end_ms) {
        next_ms += step_ms;
        if (next_ms > end_ms - step_ms / 2)
            next_ms = end_ms;
        if (pause_and_peek(live, next_ms) == 1)
            end_ms = next_ms; // a last look, for what has been so far
        before = loss;
        loss = has_loss(live, rules);
        r = look(live, next_ms == end_ms || (loss && !before));
    }
    return r;
}

int live_run(struct live *live, const struct rule_set *rules, double seconds) {
    sigset_t before;
    pause_begin(&before);
    int r = look_until_end(live, rules, seconds);
    pause_end(&before);
    return r;
}

int live_look_at_all(struct live *live) {
    live->last_ms = pause_clock_ms();
    return look(live, true);
}

int live_wait(struct live *live, int64_t step_ms, int64_t until_ms) {
    for (;;) {
        int64_t next_ms = live->last_ms + step_ms;
        bool last = next_ms > until_ms;
        if (pause_and_peek(live, last ? until_ms : next_ms) == 1)
            return 1;
        if (last)
            return 0;
        int r = live_look_at_all(live);
        if (r < 0)
            return r;
    }
}

int live_window(struct live *live, struct window *ret) {
    const struct step *step = live->step;
    if (step->flags & STEP_SINCE_BOOT)
        return window_open(
                live->store, WINDOW_SINCE_BOOT, step->end_ms - step->length_ms, step->end_ms, ret);
    return window_open(live->store, WINDOW_LIVE, live->first_ms, step->end_ms, ret);
}

static void read_name(struct live *live, const char *path, char *name) {
    struct source_file file = SOURCE_FILE_CLOSED;
    *name = '\0';
    if (source_read(&live->source, &file, path) == 0) {
        size_t n = strcspn(live->source.buffer, "\n");
        n = n < LIVE_NAME_SIZE ? n : LIVE_NAME_SIZE - 1;
        memcpy(name, live->source.buffer, n);
        name[n] = '\0';
    }
    source_file_close(&file);
}

void live_names(struct live *live, char *host, char *kernel) {
    read_name(live, "proc/sys/kernel/hostname", host);
    read_name(live, "proc/sys/kernel/osrelease", kernel);
}
