// SPDX-License-Identifier: GPL-2.0-or-later
// Devices of our own
#include "tests/host/devices.h"

#include <arpa/inet.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

const char *refused;

bool run(const char *command) {
    return system(command) == 0;
}

void enter_namespace(void) {
    if (!run("ip -V >/dev/null 2>&1 && tc -V >/dev/null 2>&1"))
        refused = "no ip and tc here";
    else if (unshare(CLONE_NEWNET) < 0)
        refused = "a network namespace is refused";
    else if (!run("echo 1 2>/dev/null >/proc/sys/net/ipv6/conf/default/disable_ipv6;" // its chatter
                  " ip link set lo up && ip link add va numtxqueues 2 type veth peer name vb &&"
                  " ip address add 10.11.0.1/24 dev va && ip link set va up && ip link set vb up &&"
                  " ip neighbour add 10.11.0.2 lladdr 02:00:00:00:00:02 dev va nud permanent"))
        refused = "no veth pair can be made";
}

void send_datagrams(const char *address, int n) {
    char data[1000] = "";
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
    inet_pton(AF_INET, address, &to.sin_addr);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    for (int i = 0; i < n; i++)
        if (sendto(fd, data, sizeof(data), MSG_DONTWAIT, (struct sockaddr *) &to, sizeof(to)) < 0)
            continue; // its queue was full
    close(fd);
}

json_object *ask(const char *command) {
    char *text = calloc(1, 1 << 20);
    FILE *pipe = popen(command, "re");
    size_t n = fread(text, 1, (1 << 20) - 1, pipe);
    ck_assert_int_eq(pclose(pipe), 0);
    text[n] = '\0';
    json_object *answer = json_tokener_parse(text);
    free(text);
    ck_assert_ptr_nonnull(answer);
    return answer;
}

json_object *get(json_object *object, const char *name) {
    json_object *value;
    return json_object_object_get_ex(object, name, &value) ? value : NULL;
}

const char *get_text(json_object *object, const char *name) {
    const char *text = json_object_get_string(get(object, name));
    return text ? text : "";
}

long find_row(const struct rows *rows, size_t column, const char *text) {
    for (size_t i = 0; i < rows->n; i++)
        if (strcmp(rows_text(rows, rows_at(rows, i)[column]), text) == 0)
            return (long) i;
    return -1;
}

size_t row_of(const struct rig *rig, const char *interface) {
    long row = find_row(&rig->rows, 1, interface);
    ck_assert_msg(row >= 0, "no row of %s", interface);
    return (size_t) row;
}
