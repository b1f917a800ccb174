// SPDX-License-Identifier: GPL-2.0-or-later
// Traffic program
#include "traffic.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
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
    { "to", VALUE_TEXT, FIELD(stream.to) },
    { "from", VALUE_TEXT, FIELD(stream.from) },
    { "device", VALUE_TEXT, FIELD(stream.device) },
    { "mac", VALUE_TEXT, FIELD(stream.mac) },
    { "port", VALUE_NUMBER, FIELD(stream.port), 1, 65535 },
    { "ports", VALUE_NUMBER, FIELD(stream.ports), 1, 10000 },
    { "size", VALUE_NUMBER, FIELD(stream.size), 1, STREAM_MAX_PAYLOAD },
    { "count", VALUE_NUMBER, FIELD(stream.count), 1, TRAFFIC_MAX_COUNT },
    { "rate", VALUE_NUMBER, FIELD(stream.rate), 0, 1000000 },
    { "mtu", VALUE_NUMBER, FIELD(stream.mtu), 576, 9000 },
    { "skip", VALUE_NUMBER, FIELD(stream.skip), 1, 100 },
    { "seconds", VALUE_NUMBER, FIELD(seconds), 1, TRAFFIC_MAX_SECONDS },
    { "rcvbuf", VALUE_NUMBER, FIELD(rcvbuf), 1, 1 << 30 },
    { "bad-checksum", VALUE_FLAG, FIELD(bad_checksum) },
    { "never-read", VALUE_FLAG, FIELD(never_read) },
#undef FIELD
};
enum { N_KNOWN = sizeof known / sizeof known[0] };

static const struct verb {
    const char *name;
    int (*run)(const struct options *options, struct truth *truth);
} verbs[] = {
    { "send", traffic_send },
    { "sink", traffic_sink },
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

int traffic_send(const struct options *options, struct truth *truth) {
    struct stream stream = options->stream;
    stream.damage = options->bad_checksum ? FRAME_BAD_CHECKSUM : FRAME_SOUND;
    int r = stream_send(&stream, truth);
    struct truth_counts counts = truth_counts(truth, TRUTH_ALL);
    if (r == 0)
        printf("{\"sent\": %" PRId64 ", \"refused\": %" PRId64 "}\n", counts.sent, counts.refused);
    return r;
}

static struct truth *the_truth;

// The last resort: no run outlives its time by more than a little, whatever it waits for.
static void stop(int signal_number) {
    atomic_store(&the_truth->time_is_up, 1);
    signal(SIGALRM, SIG_DFL);
    alarm(5);
}

static int usage(void) {
    fputs("usage: traffic send|sink --to ADDRESS --port N [--OPTION VALUE]...\n", stderr);
    for (int i = 0; i < N_KNOWN; i++)
        fprintf(stderr, "  --%s\n", known[i].name);
    return 2;
}

static int run(const struct verb *verb, const struct options *options) {
    int r = truth_new(&the_truth);
    if (r == 0) {
        struct sigaction action = { .sa_handler = stop };
        sigaction(SIGALRM, &action, NULL);
        sigaction(SIGTERM, &action, NULL);
        sigaction(SIGINT, &action, NULL);
        alarm((unsigned) options->seconds);
        r = verb->run(options, the_truth);
    }
    if (r < 0)
        fprintf(stderr, "traffic %s: %s\n", verb->name, strerror(-r));
    truth_free(the_truth);
    return r < 0;
}

int main(int argc, char **argv) {
    struct options options = { .stream = { .size = 100, .count = 1 }, .seconds = 10 };
    if (argc < 2 || read_options(argc - 1, argv + 1, &options) < 0 || !options.stream.to ||
            !options.stream.port)
        return usage();
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (!strcmp(argv[1], verbs[i].name))
            return run(&verbs[i], &options);
    return usage();
}
