// SPDX-License-Identifier: GPL-2.0-or-later
// Port scenarios
//
// Datagrams for which there is no socket.
#include "lab/scenarios/common.h"

#include <signal.h>

enum { CLOSED = 5099, OTHER = 5001, PROBES = 64 };

static int local_sender(struct lab *lab) {
    return lab_send(
            lab, LAB_RECEIVER, &(struct stream){ .port = CLOSED, .count = 300, .rate = 600 });
}

static int remote_sender(struct lab *lab) {
    return lab_send(
            lab, LAB_SENDER, &(struct stream){ .port = CLOSED, .count = 400, .rate = 1000 });
}

// "Start the service that should read there": there is no command for it.
static int start_service(struct lab *lab, const char *command) {
    return lab_receive(lab, LAB_RECEIVER,
            &(struct reader){ .name = "lab-service", .port = CLOSED, .rcvbuf = 2000000 }, NULL);
}

static int usual_reader(struct lab *lab) {
    return lab_receive(
            lab, LAB_RECEIVER, &(struct reader){ .name = "lab-reader", .rcvbuf = 106496 }, NULL);
}

// Most of its buffer is filled once while it stops, since a socket to which nothing happens is not
// looked at.
static int fill_for_a_moment(struct lab *lab, pid_t pid) {
    int r = lab_signal(lab, pid, SIGSTOP);
    if (r == 0)
        r = lab_send(lab, LAB_SENDER, &(struct stream){ .count = 180, .rate = 3000 });
    if (r == 0)
        r = lab_pause(lab, 150);
    if (r == 0)
        r = lab_signal(lab, pid, SIGCONT);
    return r < 0 ? r : lab_pause(lab, 150);
}

static int reader_dies(struct lab *lab) {
    pid_t pid = lab_reader_pid(lab, 0);
    bool lives = lab_alive(lab, pid);
    int r = lives ? fill_for_a_moment(lab, pid) : 0;
    if (r == 0)
        r = lab_send_begin(lab, LAB_SENDER, &(struct stream){ .count = 600, .rate = 900 });
    if (r == 0)
        r = lab_pause(lab, 100);
    if (r == 0 && lives)
        r = lab_end(lab, pid);
    return r < 0 ? r : lab_sent(lab);
}

static int scan(struct lab *lab) {
    int r = lab_send(lab, LAB_SENDER, &(struct stream){ .count = 500, .rate = 1000 });
    return r < 0 ? r
                 : lab_send(lab, LAB_SENDER,
                           &(struct stream){ .flow = LAB_STRAY,
                                   .port = CLOSED,
                                   .ports = PROBES,
                                   .size = 10,
                                   .count = 15,
                                   .rate = 15 });
}

// ---- Multicast

static const char *group(struct lab *lab) {
    return lab_family(lab) == 6 ? "ff15::77" : "239.77.0.1";
}

static int member(struct lab *lab, long port) {
    return lab_receive(lab, LAB_RECEIVER,
            &(struct reader){ .name = "lab-member",
                    .join = group(lab),
                    .device = "b1",
                    .port = port,
                    .rcvbuf = 2000000 },
            NULL);
}

static int member_of_other_port(struct lab *lab) {
    return member(lab, OTHER);
}

static int to_group(struct lab *lab) {
    return lab_send(lab, LAB_SENDER,
            &(struct stream){ .flow = LAB_STRAY,
                    .to = group(lab),
                    .device = "a1",
                    .size = MEDIUM,
                    .count = 400,
                    .rate = 1000 });
}

static const struct scenario scenarios[] = {
    { .id = "no-listener-local",
            .quick = true,
            .quick_ipv6 = true,
            .title = "A sender on the same host to a closed port",
            .expects = "no-listener",
            .never = "no-listener-scan",
            .locus = "no-listener",
            .families = LAB_BOTH,
            .setup = receive_all,
            .provoke = local_sender,
            .fix = FIX_OWN,
            .own_fix = start_service },
    { .id = "no-listener",
            .title = "A steady stream from elsewhere to a closed port",
            .expects = "no-listener",
            .never = "no-listener-scan",
            .locus = "no-listener",
            .families = LAB_BOTH,
            .setup = receive_all,
            .provoke = remote_sender,
            .fix = FIX_OWN,
            .own_fix = start_service },
    { .id = "no-listener-died",
            .title = "A reader that dies while its sender goes on",
            .expects = "no-listener",
            .never = "no-listener-scan reader-not-reading",
            .locus = "no-listener",
            .port = LAB_PORT,
            .process = "lab-reader",
            .families = LAB_BOTH,
            .setup = usual_reader,
            .provoke = reader_dies },
    { .id = "no-listener-scan",
            .title = "A few probes of closed ports",
            .expects = "no-listener-scan",
            .never = "no-listener",
            .families = LAB_BOTH,
            .no_loss = true,
            .setup = receive_all,
            .provoke = scan },
    { .id = "multicast-unjoined",
            .title = "A group that nobody joined, which no counter tells: nothing else is blamed",
            .never = "multicast-ignored no-listener no-listener-scan",
            .families = LAB_BOTH,
            .no_loss = true,
            .setup = receive_all,
            .provoke = to_group },
    { .id = "multicast-ignored",
            .title = "A group that is joined, and a port that nobody reads",
            .expects = "multicast-ignored",
            .never = "no-listener no-listener-scan",
            .families = LAB_BOTH,
            .no_loss = true,
            .setup = member_of_other_port,
            .provoke = to_group },
};
SCENARIO_LIST(scenarios_ports, scenarios);
