// SPDX-License-Identifier: GPL-2.0-or-later
// Traffic program
#include "traffic.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum value_kind { VALUE_TEXT, VALUE_NUMBER, VALUE_FLAG };

static const struct known_option {
    const char *name;
    enum value_kind kind;
    size_t offset;
    long low, high;
} known[] = {
#define FIELD(f) offsetof(struct options, f)
    { "to", VALUE_TEXT, FIELD(to) },
    { "from", VALUE_TEXT, FIELD(from) },
    { "device", VALUE_TEXT, FIELD(device) },
    { "mac", VALUE_TEXT, FIELD(mac) },
    { "port", VALUE_NUMBER, FIELD(port), 1, 65535 },
    { "ports", VALUE_NUMBER, FIELD(ports), 1, 10000 },
    { "size", VALUE_NUMBER, FIELD(size), 0, TRAFFIC_MAX_PAYLOAD },
    { "count", VALUE_NUMBER, FIELD(count), 1, TRAFFIC_MAX_COUNT },
    { "rate", VALUE_NUMBER, FIELD(rate), 0, 1000000 },
    { "seconds", VALUE_NUMBER, FIELD(seconds), 1, TRAFFIC_MAX_SECONDS },
    { "cpu", VALUE_NUMBER, FIELD(cpu), 0, CPU_SETSIZE - 1 },
    { "rcvbuf", VALUE_NUMBER, FIELD(rcvbuf), 1, 1 << 30 },
    { "mtu", VALUE_NUMBER, FIELD(mtu), 576, 9000 },
    { "skip", VALUE_NUMBER, FIELD(skip), 0, 100 },
    { "again", VALUE_NUMBER, FIELD(again), 0, 100 },
    { "bad-checksum", VALUE_FLAG, FIELD(bad_checksum) },
    { "never-read", VALUE_FLAG, FIELD(never_read) },
#undef FIELD
};
enum { N_KNOWN = sizeof known / sizeof known[0] };

static const struct verb {
    const char *name;
    int (*run)(const struct options *options);
} verbs[] = {
    { "send", traffic_send },
    { "sink", traffic_sink },
    { "frames", traffic_frames },
};

static int set_option(struct options *options, const struct known_option *known_option) {
    char *field = (char *) options + known_option->offset, *end;
    if (known_option->kind == VALUE_FLAG) {
        *(bool *) field = true;
        return 0;
    }
    if (known_option->kind == VALUE_TEXT) {
        *(const char **) field = optarg;
        return 0;
    }
    errno = 0;
    long value = strtol(optarg, &end, 10);
    if (errno || end == optarg || *end || value < known_option->low || value > known_option->high)
        return -EINVAL;
    *(long *) field = value;
    return 0;
}

static int read_options(int argc, char **argv, struct options *ret) {
    struct option long_options[N_KNOWN + 1] = { 0 };
    for (int i = 0; i < N_KNOWN; i++)
        long_options[i] = (struct option){ known[i].name, known[i].kind != VALUE_FLAG, NULL, i };
    for (int i; (i = getopt_long(argc, argv, "", long_options, NULL)) >= 0;) {
        if (i >= N_KNOWN)
            return -EINVAL;
        if (set_option(ret, &known[i]) < 0) {
            fprintf(stderr, "traffic: bad value for --%s: %s\n", known[i].name, optarg);
            return -EINVAL;
        }
    }
    return optind == argc ? 0 : -EINVAL;
}

static int pin(long cpu) {
    if (cpu < 0)
        return 0;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t) cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) < 0 ? -errno : 0;
}

static int usage(void) {
    fputs("usage: traffic send|sink|frames --to ADDRESS --port N [--OPTION VALUE]...\n", stderr);
    for (int i = 0; i < N_KNOWN; i++)
        fprintf(stderr, "  --%s\n", known[i].name);
    return 2;
}

int main(int argc, char **argv) {
    struct options options = {
        .ports = 1, .size = 100, .count = 1, .seconds = 10, .cpu = -1, .skip = -1, .again = -1
    };
    if (argc < 2 || read_options(argc - 1, argv + 1, &options) < 0 || !options.to || !options.port)
        return usage();
    // The last resort: no run outlives its time by more than a little, whatever it waits for.
    alarm((unsigned) options.seconds + 5);
    int r = pin(options.cpu);
    if (r < 0) {
        fprintf(stderr, "traffic: CPU %ld: %s\n", options.cpu, strerror(-r));
        return 1;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (!strcmp(argv[1], verbs[i].name)) {
            r = verbs[i].run(&options);
            if (r < 0)
                fprintf(stderr, "traffic %s: %s\n", argv[1], strerror(-r));
            return r < 0;
        }
    return usage();
}
