// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted outputs
#include "cli/pasted.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/confine.h"
#include "cli/database.h"
#include "cli/next_steps.h"
#include "collectors/collector.h"
#include "core/cleanup.h"
#include "formats/input.h"
#include "rules/remark.h"

void pasted_done(struct pasted *pasted) {
    intake_free(pasted->intake);
    for (size_t i = 0; i < pasted->n; i++)
        lines_done(&pasted->lines[i]);
    free(pasted->lines);
    store_close(pasted->store);
    tree_done(&pasted->tree);
    free(pasted->problem);
    *pasted = (struct pasted){ 0 };
}

struct files {
    int *fd;
    size_t n;
};

static void files_close(struct files *files) {
    for (size_t i = 0; i < files->n; i++)
        if (files->fd[i] > STDERR_FILENO)
            close(files->fd[i]);
    free(files->fd);
}

static bool is_folder(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
}

// O_NONBLOCK: a FIFO without a writer must not hold us up.
static int open_all(char **paths, size_t n, struct files *ret) {
    ret->fd = calloc(n, sizeof(*ret->fd));
    if (!ret->fd)
        return complain_errno(ENOMEM, "input");
    for (; ret->n < n; ret->n++) {
        const char *path = paths[ret->n];
        int fd = strcmp(path, "-") == 0
                         ? STDIN_FILENO
                         : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (fd < 0)
            return complain_errno(errno, "%s", path);
        ret->fd[ret->n] = fd;
        if (is_folder(fd))
            return complain(STATUS_ERROR, "%s is a folder: why --capture reads one", path);
        // A pipe whose writer takes its time is waited for.
        if (fd != STDIN_FILENO && fcntl(fd, F_SETFL, 0) < 0)
            return complain_errno(errno, "%s", path);
    }
    return 0;
}

static int tell_unreadable(const char *path, enum input_kind kind) {
    static const char *const reasons[] = {
        [INPUT_EMPTY] = "is empty",
        [INPUT_COMPRESSED] = "is compressed: unpack it first",
        [INPUT_BINARY] = "is no text",
    };
    return complain(STATUS_NO_DATA, "%s %s", path, reasons[kind]);
}

static int read_failed(const char *path, int error) {
    if (error == -EFBIG)
        return complain(STATUS_ERROR, "%s: more than %zu MiB of input; leave out what is not about "
                                      "the network", path, INPUT_MAX_BYTES >> 20);
    if (error == -E2BIG)
        return complain(STATUS_ERROR, "%s: more lines or outputs than can be read", path);
    return complain_errno(error, "%s", path);
}

static int read_file(struct pasted *pasted, const char *path, int fd, size_t *room) {
    _cleanup_free_ char *text = NULL;
    size_t length;
    enum input_kind kind;
    int r = input_read(fd, *room, &text, &length);
    if (r == 0) {
        *room -= length;
        r = input_decode(&text, &length, &kind);
    }
    if (r == 0 && kind != INPUT_TEXT && pasted->n == 0)
        return tell_unreadable(path, kind);
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (r == 0)
        r = lines_init(&pasted->lines[pasted->n], name, text, length);
    if (r == 0)
        r = recognise(pasted->intake, &pasted->lines[pasted->n++]);
    return r < 0 ? read_failed(path, r) : 0;
}

static int read_all(struct pasted *pasted, char **paths, const struct files *files) {
    size_t room = INPUT_MAX_BYTES;
    int r = 0;
    pasted->lines = calloc(files->n, sizeof(*pasted->lines));
    pasted->intake = intake_new(collector_tables(), n_collectors);
    if (!pasted->lines || !pasted->intake)
        return complain_errno(ENOMEM, "input");
    for (size_t i = 0; r == 0 && i < files->n; i++)
        r = read_file(pasted, paths[i], files->fd[i], &room);
    return r;
}

static int store_all(struct cli *cli, struct pasted *pasted) {
    _cleanup_free_ char *error = NULL;
    int r = store_open(NULL, STORE_MEMORY, collector_tables(), n_collectors, &pasted->store, &error);
    if (r < 0)
        return complain_errno(r, "input");
    r = intake_store(pasted->intake, pasted->store, cli->now_ms, &pasted->steps);
    if (r < 0)
        return database_failed(pasted->store, r);
    if (r == 1)
        return complain(STATUS_NO_DATA,
                "nothing in this input is known; paste what netstat -su, nstat -az, ss -uamnp or "
                "/proc/net/snmp says");
    return 0;
}

int pasted_read(struct cli *cli, char **paths, size_t n, struct pasted *ret) {
    _cleanup_(files_close) struct files files = { 0 };
    *ret = (struct pasted){ 0 };
    int r = open_all(paths, n, &files);
    if (r != 0)
        return r;
    tzset(); // the last file that is needed
    r = confine();
    if (r < 0)
        return complain_errno(r, "giving up privileges");
    r = read_all(ret, paths, &files);
    return r == 0 ? store_all(cli, ret) : r;
}

// What the formats remarked is a gap of the verdict.
static int add_notes(const struct pasted *pasted, struct verdict *verdict) {
    const struct remark_text *notes;
    size_t n = pasted->intake ? intake_notes(pasted->intake, &notes) : 0;
    int r = pasted->problem
                    ? add_remark(&verdict->gaps, &verdict->n_gaps, NULL, "%s", pasted->problem)
                    : 0;
    if (r == 0 && pasted->tree.refused > 0)
        r = add_remark(&verdict->gaps, &verdict->n_gaps, NULL,
                "links and paths that lead out are not followed (%zu): %s", pasted->tree.refused,
                pasted->tree.first_refused);
    if (r == 0 && pasted->tree.too_large > 0)
        r = add_remark(&verdict->gaps, &verdict->n_gaps, NULL,
                "files of more than %zu MiB are not read: %zu", TREE_FILE_MAX_BYTES >> 20,
                pasted->tree.too_large);
    for (size_t i = 0; r == 0 && i < n; i++)
        r = notes[i].line == 0
                    ? add_remark(&verdict->gaps, &verdict->n_gaps, NULL, "%s", notes[i].text)
                    : add_remark(&verdict->gaps, &verdict->n_gaps, NULL, "%s, line %u: %s",
                              notes[i].file, notes[i].line, notes[i].text);
    return r;
}

int pasted_judge(const struct rule_set *rules, struct pasted *pasted, struct verdict **ret) {
    const struct intake_steps *steps = &pasted->steps;
    struct window window;
    int r = window_open(pasted->store, steps->kind, steps->start_ms, steps->end_ms, &window);
    if (r != 0)
        return r;
    window.measured = !pasted->intake;
    window.pasted = pasted->intake != NULL;
    window.untimed = !steps->timed;
    window.undated = !steps->dated;
    const struct intake *intake = pasted->intake;
    r = rules_judge(rules, pasted->store, &window, intake ? intake_host_name(intake) : pasted->host,
            intake ? intake_kernel_release(intake) : pasted->kernel, ret);
    if (r < 0)
        return r;
    r = add_notes(pasted, *ret);
    return r < 0 || !intake ? r : next_steps_find(rules, *ret);
}
