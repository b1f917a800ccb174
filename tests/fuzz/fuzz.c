// SPDX-License-Identifier: GPL-2.0-or-later
// Fuzz targets
//
// FUZZ_TARGET names one: a format, which reads a block at every line that it would take; "paste",
// all that why FILE does before the judgement; "bytes", what is done before there are lines;
// "look", a sample of a capture; "netlink", an answer of the kernel that a capture keeps;
// "archive", a capture or support bundle that is packed. With FUZZ_TARGET=list it prints their
// names.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collectors/kernel_ports.h"
#include "collectors/link.h"
#include "collectors/qdisc.h"
#include "collectors/sock_diag.h"
#include "core/sample_text.h"
#include "formats/bundle_files.h"
#include "formats/capture.h"
#include "formats/input.h"
#include "formats/list.h"
#include "formats/reading.h"
#include "formats/steps.h"

#define NOW_MS INT64_C(1796000000000)

static const struct format *format; // of the target; NULL: another one
static void (*target)(const uint8_t *data, size_t size);

static char *copy_of(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

// The same for all runs, since making its tables takes longer than all else; no run leaves
// anything.
static struct store *the_store(void) {
    static struct store *store;
    char *error = NULL;
    if (!store &&
            store_open(NULL, STORE_MEMORY, collector_tables(), n_collectors, &store, &error) < 0)
        abort();
    return store;
}

static void store_intake(struct intake *intake) {
    struct intake_steps steps;
    if (store_begin(the_store()) < 0 || intake_store(intake, the_store(), NOW_MS, &steps) < 0)
        abort(); // whatever is read has to fit together
    store_rollback(the_store());
}

static void read_blocks(struct intake *intake, const struct lines *lines) {
    for (size_t i = 0; i < lines->n && intake_error(intake) == 0;) {
        bool offered = lines->line[i].kind == LINE_TEXT ||
                       (lines->line[i].kind == LINE_COMMAND && format->commands);
        if (!offered || format->begins(lines, i) == FORMAT_NO) {
            i++;
            continue;
        }
        intake_begin(intake, format, lines, &lines->line[i]);
        size_t end = format->read(intake, lines, i);
        intake_end(intake);
        if (end > lines->n)
            abort();
        i = end > i ? end : i + 1;
    }
}

static void fuzz_text(const uint8_t *data, size_t size) {
    char *text = copy_of(data, size);
    enum input_kind kind;
    struct lines lines;
    if (input_decode(&text, &size, &kind) < 0 || lines_init(&lines, "paste.txt", text, size) < 0)
        abort();
    struct intake *intake = intake_new(collector_tables(), n_collectors);
    if (format)
        read_blocks(intake, &lines);
    else
        recognise(intake, &lines);
    if (!format && intake_error(intake) == 0)
        store_intake(intake);
    intake_free(intake);
    lines_done(&lines);
    free(text);
}

static void fuzz_bytes(const uint8_t *data, size_t size) {
    char *text = copy_of(data, size);
    enum input_kind kind;
    struct lines lines;
    if (input_decode(&text, &size, &kind) < 0 || strlen(text) > size ||
            lines_init(&lines, "paste.txt", text, size) < 0)
        abort();
    lines_done(&lines);
    free(text);
}

static void fuzz_look(const uint8_t *data, size_t size) {
    char *text = copy_of(data, size);
    unsigned line;
    struct sample *sample = sample_new(collector_tables(), n_collectors);
    sample_text_read(sample, text, &line);
    sample_free(sample);
    free(text);
}

struct netlink {
    struct rows links, qdiscs;
    struct kernel_ports ports;
};

static int visit_netlink(void *userdata, struct nlmsghdr *message) {
    struct netlink *netlink = userdata;
    struct qdisc_place place;
    struct socket_view view;
    link_add_message(message, "host", &netlink->links);
    qdisc_add_message(message, "host", "eth0", &netlink->qdiscs, &place);
    kernel_ports_add_message(&netlink->ports, message);
    sock_diag_parse(message, &view);
    return 0;
}

// What is refused as a whole is read as far as it goes.
static void fuzz_netlink(const uint8_t *data, size_t size) {
    struct netlink netlink = { .ports = KERNEL_PORTS_EMPTY };
    const char *problem;
    char *text = malloc(size > 0 ? size : 1); // nothing may be read behind it
    memcpy(text, data, size);
    rows_init(&netlink.links, &link_table);
    rows_init(&netlink.qdiscs, &qdisc_table);
    if (rtnl_feed_whole(text, size, visit_netlink, &netlink, &problem) == -EBADMSG &&
            size >= NLMSG_HDRLEN) {
        struct rtnl_answer answer = { .sequence = ((struct nlmsghdr *) text)->nlmsg_seq };
        rtnl_feed(&answer, text, size, visit_netlink, &netlink);
    }
    kernel_ports_done(&netlink.ports);
    rows_done(&netlink.qdiscs);
    rows_done(&netlink.links);
    free(text);
}

static bool is_wanted(const char *path) {
    return capture_wants(path) || bundle_wants(path);
}

static void fuzz_archive(const uint8_t *data, size_t size) {
    struct tree tree;
    int fd = memfd_create("archive", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t) size || lseek(fd, 0, SEEK_SET) < 0)
        abort();
    tree_read_archive(fd, is_wanted, &tree);
    char *root = capture_root(&tree);
    if (root) {
        struct intake_steps steps;
        struct capture_facts facts;
        if (store_begin(the_store()) < 0)
            abort();
        capture_store(&tree, root, collector_tables(), n_collectors, the_store(), &steps, &facts);
        store_rollback(the_store());
    }
    free(root);
    tree_done(&tree);
    close(fd);
}

static const struct {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
} others[] = {
    { "paste", fuzz_text },
    { "bytes", fuzz_bytes },
    { "look", fuzz_look },
    { "netlink", fuzz_netlink },
    { "archive", fuzz_archive },
};
enum { N_OTHERS = sizeof others / sizeof others[0] };

static void list_targets(void) {
    for (size_t i = 0; i < n_formats; i++)
        puts(formats[i]->name);
    for (size_t i = 0; i < N_OTHERS; i++)
        puts(others[i].name);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    const char *name = getenv("FUZZ_TARGET");
    for (size_t i = 0; name && i < n_formats; i++)
        if (strcmp(formats[i]->name, name) == 0) {
            format = formats[i];
            target = fuzz_text;
        }
    for (size_t i = 0; name && i < N_OTHERS; i++)
        if (strcmp(others[i].name, name) == 0)
            target = others[i].run;
    if (target)
        return 0;
    list_targets();
    exit(name && strcmp(name, "list") == 0 ? 0 : 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target(data, size);
    return 0;
}
