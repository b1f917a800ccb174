// SPDX-License-Identifier: GPL-2.0-or-later
// Captures and support bundles
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/confine.h"
#include "cli/database.h"
#include "cli/pasted.h"
#include "collectors/collector.h"
#include "core/cleanup.h"
#include "formats/bundle_files.h"
#include "formats/capture.h"
#include "formats/input.h"

#define COMMAND_SIZE 256

static bool is_wanted(const char *path) {
    return capture_wants(path) || bundle_wants(path);
}

static int tell_failure(const char *path, int error) {
    if (error == -EFBIG)
        return complain(STATUS_ERROR, "%s: more files or bytes than can be read (%zu MiB)", path,
                TREE_MAX_BYTES >> 20);
    if (error == -EBADMSG)
        return complain(STATUS_NO_DATA,
                "%s is no folder and no archive that can be read (tar, plain or "
                "packed with gzip, bzip2, xz or zstd)",
                path);
    return complain_errno(error, "%s", path);
}

// The bytes of a folder are read with the rights of the user who asked, without a look at them;
// those of an archive, which has to be unpacked, without any.
static int read_tree(const char *path, struct pasted *pasted) {
    struct stat status;
    _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &status) < 0)
        return complain_errno(errno, "%s", path);
    tzset(); // the last file that is needed
    int r = S_ISDIR(status.st_mode) ? tree_read_folder(fd, is_wanted, &pasted->tree) : 0;
    int confined = confine();
    if (confined < 0)
        return complain_errno(confined, "giving up privileges");
    if (r == 0 && !S_ISDIR(status.st_mode))
        r = tree_read_archive(fd, is_wanted, &pasted->tree);
    if (r == -EBADMSG && pasted->tree.n > 0)
        r = asprintf(&pasted->problem, "%s is cut or damaged: what comes after %s is missing", path,
                    pasted->tree.file[pasted->tree.n - 1].path) < 0
                    ? -ENOMEM
                    : 0;
    return r < 0 ? tell_failure(path, r) : 0;
}

static int read_capture(const char *path, const char *root, struct pasted *pasted) {
    struct capture_facts facts;
    int r = capture_store(&pasted->tree, root, collector_tables(), n_collectors, pasted->store,
            &pasted->steps, &facts);
    if (r < 0)
        return database_failed(pasted->store, r);
    if (r == 1 && facts.looks < 2)
        return complain(STATUS_NO_DATA, "%s: %s", path, facts.problem);
    if (r == 1 && !pasted->problem && !(pasted->problem = strdup(facts.problem)))
        return complain_errno(ENOMEM, "%s", path);
    snprintf(pasted->host, sizeof(pasted->host), "%s", facts.host);
    snprintf(pasted->kernel, sizeof(pasted->kernel), "%s", facts.kernel);
    return 0;
}

// With the command before it that the name of the file tells; the lines keep their numbers.
static int read_output(struct pasted *pasted, struct tree_file *file) {
    char command[COMMAND_SIZE];
    enum input_kind kind;
    struct lines *lines = &pasted->lines[pasted->n];
    bool told = bundle_command(file->path, command, sizeof(command));
    int r = input_decode(&file->text, &file->length, &kind);
    if (r < 0 || kind != INPUT_TEXT)
        return r;
    _cleanup_free_ char *text = NULL;
    int n = asprintf(
            &text, "%s%s%s%s", told ? "$ " : "", told ? command : "", told ? "\n" : "", file->text);
    if (n < 0)
        return -ENOMEM;
    r = lines_init(lines, file->path, text, (size_t) n);
    if (r < 0)
        return r;
    pasted->n++;
    for (size_t i = 0; told && i < lines->n; i++)
        lines->line[i].number -= lines->line[i].number > 0;
    return recognise(pasted->intake, lines);
}

static int read_outputs(struct cli *cli, const char *path, struct pasted *pasted) {
    pasted->lines = calloc(pasted->tree.n + 1, sizeof(*pasted->lines));
    pasted->intake = intake_new(collector_tables(), n_collectors);
    int r = pasted->lines && pasted->intake ? 0 : -ENOMEM;
    for (size_t i = 0; r == 0 && i < pasted->tree.n; i++)
        r = read_output(pasted, &pasted->tree.file[i]);
    if (r == 0)
        r = intake_store(pasted->intake, pasted->store, cli->now_ms, &pasted->steps);
    if (r < 0)
        return complain_errno(r, "%s", path);
    return r == 1 ? complain(STATUS_NO_DATA,
                            "nothing in %s is known: no capture, and no outputs of netstat, ss, "
                            "/proc/net and the like",
                            path)
                  : 0;
}

int pasted_read_tree(struct cli *cli, const char *path, struct pasted *ret) {
    _cleanup_free_ char *error = NULL, *root = NULL;
    *ret = (struct pasted){ 0 };
    int r = read_tree(path, ret);
    if (r != 0)
        return r;
    if (store_open(NULL, STORE_MEMORY, collector_tables(), n_collectors, &ret->store, &error) < 0)
        return complain(STATUS_ERROR, "%s: %s", path, error ? error : "out of memory");
    root = capture_root(&ret->tree);
    return root ? read_capture(path, root, ret) : read_outputs(cli, path, ret);
}
