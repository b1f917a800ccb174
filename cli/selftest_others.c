// SPDX-License-Identifier: GPL-2.0-or-later
// Others' load
#include "cli/selftest_others.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/pause.h"
#include "core/cleanup.h"

// What the hypervisor took is others' as well; softirq is mostly the lab's.
static int64_t busy_ticks(void) {
    long long user, nice, system, idle, iowait, irq, softirq, steal;
    _cleanup_fclose_ FILE *file = fopen("/proc/stat", "re");
    if (!file || fscanf(file, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &user, &nice, &system,
                         &idle, &iowait, &irq, &softirq, &steal) != 8)
        return 0;
    return user + nice + system + steal;
}

// Its own ticks, and those of its children that have ended.
static int64_t ticks_of(const char *pid) {
    char path[300], text[1024];
    long long user, system, children_user, children_system;
    snprintf(path, sizeof(path), "/proc/%s/stat", pid);
    _cleanup_fclose_ FILE *file = fopen(path, "re");
    size_t n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
    text[n] = '\0';
    const char *rest = strrchr(text, ')'); // a name may hold blanks
    if (!rest ||
            sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld %lld %lld",
                    &user, &system, &children_user, &children_system) != 4)
        return 0;
    return user + system + children_user + children_system;
}

static int64_t own_ticks(void) {
    int64_t sum = 0;
    DIR *dir = opendir("/proc");
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (isdigit((unsigned char) entry->d_name[0]))
            sum += ticks_of(entry->d_name);
    if (dir)
        closedir(dir);
    return sum;
}

void selftest_others_begin(struct selftest_others *others) {
    others->at_ms = pause_clock_ms();
    others->ticks = busy_ticks() - own_ticks();
}

double selftest_others_cpus(const struct selftest_others *others) {
    int64_t ms = pause_clock_ms() - others->at_ms;
    int64_t ticks = busy_ticks() - own_ticks() - others->ticks;
    if (ms <= 0 || ticks <= 0)
        return 0;
    return 1000.0 * (double) ticks / (double) sysconf(_SC_CLK_TCK) / (double) ms;
}
