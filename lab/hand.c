// SPDX-License-Identifier: GPL-2.0-or-later
// Host hand
//
// A lab cannot reach out of its namespaces: the process that made it does what has to be done on
// the host.
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lab/private.h"
#include "lab/shell.h"
#include "lab/undo.h"

#define COMMAND_SIZE 4096

struct request {
    enum lab_hand_verb verb;
    char command[COMMAND_SIZE];
};

struct answer {
    int status; // of the command, or -errno
    char said[LAB_TEXT_SIZE];
};

int lab_hand_ask(
        struct lab *lab, enum lab_hand_verb verb, const char *command, char *said, size_t size) {
    struct request request = { .verb = verb };
    struct answer answer;
    size_t n = strlen(command);
    if (n >= sizeof(request.command))
        return -E2BIG;
    memcpy(request.command, command, n);
    if (send(lab->hand, &request, offsetof(struct request, command) + n, MSG_NOSIGNAL) < 0)
        return -errno;
    if (recv(lab->hand, &answer, sizeof(answer), 0) != (ssize_t) sizeof(answer))
        return -EPIPE;
    if (said && size > 0) {
        size_t copied = strnlen(answer.said, sizeof(answer.said) - 1);
        copied = copied < size ? copied : size - 1;
        memcpy(said, answer.said, copied);
        said[copied] = '\0';
    }
    return answer.status;
}

void lab_hand_serve(int socket, struct undo *undo) {
    static const struct shell here = { .netns = -1 };
    struct request request;
    struct answer answer = { .status = -EINVAL };
    ssize_t n = recv(socket, &request, sizeof(request) - 1, MSG_DONTWAIT);
    if (n < (ssize_t) offsetof(struct request, command))
        return;
    ((char *) &request)[n] = '\0';
    if (request.verb == HAND_RUN)
        answer.status = shell_run(&here, request.command, answer.said, sizeof(answer.said));
    else if (request.verb == HAND_UNDO)
        answer.status = undo_add(undo, request.command);
    // It may have ended meanwhile.
    (void) !send(socket, &answer, sizeof(answer), MSG_NOSIGNAL | MSG_DONTWAIT);
}
