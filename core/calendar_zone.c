// SPDX-License-Identifier: GPL-2.0-or-later
// Time zones
#include "core/calendar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/cleanup.h"

// timegm() and mktime() return -1 both for a failure and for the last second of 1969; tm_wday tells
// them apart.
static int make_time(struct tm *tm, bool utc, time_t *ret) {
    tm->tm_wday = -1;
    time_t seconds = utc ? timegm(tm) : mktime(tm);
    if (seconds == (time_t) -1 && tm->tm_wday == -1)
        return -EINVAL;
    *ret = seconds;
    return 0;
}

// In the zone of the process, or at a fixed offset.
static int resolve_here(const struct calendar *calendar, int64_t now_ms, int64_t *ret_ms) {
    bool fixed = calendar->zone == ZONE_OFFSET;
    long offset_s = fixed ? calendar->offset_s : 0;
    time_t now = (time_t) (now_ms / 1000 + offset_s), seconds;
    struct tm today, tm;
    if (fixed ? !gmtime_r(&now, &today) : !localtime_r(&now, &today))
        return -EINVAL;
    tm = (struct tm){
        .tm_year = calendar->has_date ? calendar->year - 1900 : today.tm_year,
        .tm_mon = calendar->has_date ? calendar->month - 1 : today.tm_mon,
        .tm_mday = calendar->has_date ? calendar->day : today.tm_mday + calendar->day_shift,
        .tm_hour = calendar->hour,
        .tm_min = calendar->minute,
        .tm_sec = calendar->second,
        .tm_isdst = calendar->is_dst,
    };
    int r = make_time(&tm, fixed, &seconds);
    if (r < 0)
        return r;
    if (calendar->weekday >= 0 && tm.tm_wday != calendar->weekday)
        return -EINVAL;
    *ret_ms = ((int64_t) seconds - offset_s) * 1000 + calendar->millisecond;
    return 0;
}

// The C library takes an unknown TZ for UTC without a word, so look first.
static int zone_exists(const char *name) {
    char path[CALENDAR_ZONE_SIZE + 32];
    struct stat st;
    snprintf(path, sizeof(path), "/usr/share/zoneinfo/%s", name);
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? 0 : -EINVAL;
}

static void resolve_in_child(const struct calendar *calendar, int64_t now_ms, int pipe_fd) {
    int64_t ms;
    if (setenv("TZ", calendar->name, 1) < 0)
        _exit(1);
    tzset();
    if (resolve_here(calendar, now_ms, &ms) < 0)
        _exit(1);
    _exit(write(pipe_fd, &ms, sizeof(ms)) != (ssize_t) sizeof(ms));
}

// TZ belongs to the whole process, so another zone is asked in a process of its own.
static int resolve_named(const struct calendar *calendar, int64_t now_ms, int64_t *ret_ms) {
    int ends[2];
    if (zone_exists(calendar->name) < 0)
        return -EINVAL;
    if (pipe(ends) < 0)
        return -errno;
    _cleanup_close_ int in = ends[0];
    _cleanup_close_ int out = ends[1];
    pid_t pid = fork();
    if (pid < 0)
        return -errno;
    if (pid == 0)
        resolve_in_child(calendar, now_ms, out);
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return -EINVAL;
    int64_t ms;
    if (read(in, &ms, sizeof(ms)) != (ssize_t) sizeof(ms))
        return -EIO;
    *ret_ms = ms;
    return 0;
}

int calendar_resolve(const struct calendar *calendar, int64_t now_ms, int64_t *ret_ms) {
    return calendar->zone == ZONE_NAMED ? resolve_named(calendar, now_ms, ret_ms)
                                        : resolve_here(calendar, now_ms, ret_ms);
}
