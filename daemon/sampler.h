// SPDX-License-Identifier: GPL-2.0-or-later
// Sampler
//
// Looks at the host and says what grew since the look before.
#pragma once

#include "collectors/collector.h"
#include "core/growth.h"
#include "daemon/database.h"

struct sampler {
    struct source source;
    struct collection *collection;
    struct growth *growth;
    struct sample *sample; // the newest look
    char boot_id[64], host[256], kernel[256];
};

// root: as source_init() takes it. 0 or -errno.
int sampler_init(struct sampler *sampler, const char *root);
void sampler_done(struct sampler *sampler);
// Before the first look: the growth since the run before is then told by it. 0 or -ENOMEM.
int sampler_seed(struct sampler *sampler, const struct seed *seed);
// One look. A step much longer than step_ms is marked as a gap. 0 or -ENOMEM.
int sampler_look(struct sampler *sampler, int64_t step_ms, struct step *step);
