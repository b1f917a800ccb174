// SPDX-License-Identifier: GPL-2.0-or-later
// Private lab
#include "lab/lab.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lab/ground.h"
#include "lab/private.h"

#define UNTIL_STEP_MS 10
#define CACHE_LINE 64

_Static_assert(GROUND_TEXT_SIZE == LAB_TEXT_SIZE, "the same texts");

int lab_family(const struct lab *lab) {
    return lab->family;
}

const char *lab_v6(const struct lab *lab) {
    return lab->family == 6 ? "6" : "";
}

const char *lab_scratch(const struct lab *lab) {
    return lab->scratch;
}

bool lab_is_root(const struct lab *lab) {
    return lab->is_root;
}

#define LINK_ADDRESSES(n)                                                                          \
    {                                                                                              \
        { "10.77." #n ".2", "10.77." #n ".1" }, {                                                  \
            "fd77:" #n "::2", "fd77:" #n "::1"                                                     \
        }                                                                                          \
    }
static const char *const addresses[][2][2] = {
    { { "127.0.0.1", "127.0.0.1" }, { "::1", "::1" } },
    LINK_ADDRESSES(1),
    LINK_ADDRESSES(2),
    LINK_ADDRESSES(3),
    LINK_ADDRESSES(4),
    LINK_ADDRESSES(5),
    LINK_ADDRESSES(6),
    LINK_ADDRESSES(7),
    LINK_ADDRESSES(8),
    LINK_ADDRESSES(9),
};

const char *lab_address(const struct lab *lab, enum lab_place place, int link) {
    return addresses[link][lab->family == 6][place == LAB_SENDER];
}

__attribute__((format(printf, 3, 0))) static int tell(
        struct lab *lab, int r, const char *format, va_list arguments) {
    vsnprintf(lab->text, sizeof(lab->text), format, arguments);
    return r;
}

int lab_skip(struct lab *lab, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int r = tell(lab, LAB_SKIPPED, format, arguments);
    va_end(arguments);
    return r;
}

int lab_fail(struct lab *lab, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int r = tell(lab, LAB_FAILED, format, arguments);
    va_end(arguments);
    return r;
}

const char *ground_text(const struct lab *lab) {
    return lab->text;
}

void ground_watch(struct lab *lab, int (*watch)(void *data, int64_t until_ms), void *data) {
    lab->watch = watch;
    lab->watch_data = data;
}

int lab_pause(struct lab *lab, int64_t ms) {
    int64_t until_ms = lab_clock_ms() + ms;
    if (lab->watch)
        return lab->watch(lab->watch_data, until_ms);
    struct timespec until = { .tv_sec = until_ms / 1000, .tv_nsec = until_ms % 1000 * 1000000 };
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
    return 0;
}

int lab_until(struct lab *lab, int64_t limit_ms, int (*is_true)(struct lab *lab)) {
    int64_t end_ms = lab_clock_ms() + limit_ms;
    for (;;) {
        int r = is_true(lab);
        if (r != 0)
            return r < 0 ? r : 0;
        if (lab_clock_ms() >= end_ms)
            return -ETIMEDOUT;
        r = lab_pause(lab, UNTIL_STEP_MS);
        if (r < 0)
            return r;
    }
}

void *lab_shared(struct lab *lab, size_t size) {
    size = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (size > sizeof(lab->shared) - lab->shared_used)
        return NULL;
    void *memory = lab->shared + lab->shared_used;
    lab->shared_used += size;
    return memory;
}

int lab_last_cpu(const struct lab *lab) {
    cpu_set_t cpus;
    if (sched_getaffinity(0, sizeof(cpus), &cpus) < 0)
        return 1;
    int last = 0;
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &cpus))
            last = i;
    return last + 1;
}
