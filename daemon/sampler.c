// SPDX-License-Identifier: GPL-2.0-or-later
// Sampler
#include "daemon/sampler.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// A tick that comes late makes a step of up to two; more means that ticks were missed.
#define GAP_FACTOR 2.5

// The first line of a file, or "" where it cannot be read.
static void read_line(struct source *source, const char *path, char *ret, size_t size) {
    struct source_file file = SOURCE_FILE_CLOSED;
    if (source_read(source, &file, path) < 0)
        *ret = '\0';
    else
        snprintf(ret, size, "%.*s", (int) strcspn(source->buffer, "\n"), source->buffer);
    source_file_close(&file);
}

int sampler_init(struct sampler *sampler, const char *root) {
    *sampler = (struct sampler){ 0 };
    int r = source_init(&sampler->source, root);
    if (r < 0)
        return r;
    sampler->growth = growth_new(collector_tables(), n_collectors);
    sampler->sample = sample_new(collector_tables(), n_collectors);
    r = sampler->growth && sampler->sample ? collection_new(&sampler->source, &sampler->collection)
                                           : -ENOMEM;
    if (r < 0) {
        sampler_done(sampler);
        return r;
    }
    read_line(&sampler->source, "proc/sys/kernel/random/boot_id", sampler->boot_id,
            sizeof(sampler->boot_id));
    read_line(&sampler->source, "proc/sys/kernel/hostname", sampler->host, sizeof(sampler->host));
    read_line(&sampler->source, "proc/sys/kernel/osrelease", sampler->kernel,
            sizeof(sampler->kernel));
    return 0;
}

void sampler_done(struct sampler *sampler) {
    collection_free(sampler->collection);
    sample_free(sampler->sample);
    growth_free(sampler->growth);
    source_done(&sampler->source);
    *sampler = (struct sampler){ 0 };
}

int sampler_seed(struct sampler *sampler, const struct seed *seed) {
    int r = 0;
    for (size_t i = 0; i < seed->n_tables && r >= 0; i++)
        r = growth_seed(sampler->growth, i, &seed->totals[i], seed->wall_ms, seed->boottime_ms);
    return r;
}

int sampler_look(struct sampler *sampler, int64_t step_ms, struct step *step) {
    collection_look(sampler->collection, false, sampler->sample);
    int r = growth_step(sampler->growth, sampler->sample, step);
    if (r < 0)
        return r;
    if (!(step->flags & STEP_BASELINE) && (double) step->length_ms > GAP_FACTOR * (double) step_ms)
        step->flags |= STEP_GAP;
    return 0;
}
