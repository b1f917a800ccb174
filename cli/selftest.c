// SPDX-License-Identifier: GPL-2.0-or-later
// selftest: proof on this kernel
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/judge.h"
#include "cli/pause.h"
#include "cli/selftest_show.h"
#include "cli/verbs.h"
#include "core/cleanup.h"
#include "lab/needs.h"

#define SCENARIO_LIMIT_MS 60000
// Where chance decides, on a busy machine, whether the loss can be made, whether there is none
// where none should be, or whether others lose something too or take the CPUs that it is about, it
// is tried again; never where the answer is wrong without that.
#define TRIES 5
#define WAIT_STEP_MS 100

enum { LIST, QUICK, KEEP, WAIT };
static const struct option_spec options[] = {
    [LIST] = { "list", NULL, "Tell the scenarios, and run none" },
    [QUICK] = { "quick", NULL, "Run the quick ones only: less than a minute" },
    [KEEP] = { "keep", NULL, "Leave the lab of a single scenario as it is at the end" },
    [WAIT] = { "wait", "SECONDS", "Wait so long for another self-test to end; 0" },
};

struct run {
    const struct rule_set *rules;
    struct undo *undo;
    struct selftest_result *shared; // of the scenario that runs
    int document;                   // its last verdict
    bool keep, shows_progress;
    bool interrupted;
    sigset_t ending, before;
};

static json_object *read_document(int fd) {
    off_t n = lseek(fd, 0, SEEK_END);
    _cleanup_free_ char *text = n > 0 ? calloc(1, (size_t) n + 1) : NULL;
    if (!text || pread(fd, text, (size_t) n, 0) != n)
        return NULL;
    return json_tokener_parse(text);
}

static void tell_kept(const struct ground_result *ground) {
    fprintf(stderr,
            "udpdiag: the lab stays. Enter it: nsenter -t %d -m -p -n -u; end it: kill -KILL %d\n"
            "(the next self-test ends it and puts back what it changed)\n",
            (int) ground->kept, (int) ground->kept);
}

// Makes the lab and runs the scenario in it. 0 or -errno.
static int try(struct run *run, struct selftest_entry *entry, struct ground_result *ground) {
    struct selftest_task task = { entry->scenario, run->rules, run->shared, run->document };
    struct ground on = {
        .undo = run->undo,
        .family = entry->family,
        .host_limits = entry->scenario->needs & NEEDS_HOST_SYSCTL,
        .keep = run->keep,
        .limit_ms = SCENARIO_LIMIT_MS,
        .ending = &run->ending,
    };
    memset(run->shared, 0, sizeof(*run->shared));
    if (ftruncate(run->document, 0) < 0)
        return -errno;
    return ground_run(&on, selftest_play, &task, ground);
}

static void take(
        struct run *run, struct selftest_entry *entry, const struct ground_result *ground) {
    struct selftest_result *result = &entry->result;
    *result = *run->shared;
    if (ground->state == GROUND_SKIPPED)
        result->state = SELFTEST_SKIPPED;
    else if (ground->state != GROUND_DONE || *result->why)
        result->state = SELFTEST_FAILED;
    if (ground->state != GROUND_DONE)
        snprintf(result->why, sizeof(result->why), "%s", ground->text);
    json_object_put(entry->document);
    entry->document = result->state == SELFTEST_FAILED ? read_document(run->document) : NULL;
}

static bool is_chance(const struct selftest_entry *entry) {
    const struct selftest_result *result = &entry->result;
    return result->state == SELFTEST_FAILED &&
           (result->unprovoked || result->disturbed ||
                   (!entry->scenario->expects && !entry->scenario->unnamed && result->lost != 0));
}

static int run_entry(struct run *run, struct selftest_entry *entry) {
    int64_t start_ms = pause_clock_ms();
    struct ground_result ground = { 0 };
    char reason[SELFTEST_TEXT_SIZE];
    int r = 0;
    entry->done = true;
    if (needs_lacking(entry->scenario, reason, sizeof(reason))) {
        entry->result.state = SELFTEST_SKIPPED;
        snprintf(entry->result.why, sizeof(entry->result.why), "%s", reason);
        return 0;
    }
    for (int i = 0; r == 0 && i < TRIES && (i == 0 || is_chance(entry)); i++) {
        r = try(run, entry, &ground);
        if (r < 0)
            break;
        run->interrupted = ground.state == GROUND_INTERRUPTED;
        entry->done = !run->interrupted;
        take(run, entry, &ground);
        if (ground.kept > 0 || run->interrupted)
            break;
    }
    if (ground.kept > 0)
        tell_kept(&ground);
    if (ground.undo_left > 0)
        complain(0, "%d things could not be put back, see %s", ground.undo_left,
                undo_path(run->undo));
    entry->result.took_ms = pause_clock_ms() - start_ms;
    return r;
}

static int run_all(struct run *run, struct selftest_list *list) {
    int64_t start_ms = pause_clock_ms();
    size_t n = 0, chosen = 0;
    int r = 0;
    for (size_t i = 0; i < list->n; i++)
        chosen += list->entries[i].chosen;
    for (size_t i = 0; r == 0 && i < list->n && !run->interrupted; i++) {
        if (!list->entries[i].chosen)
            continue;
        n++;
        if (run->shows_progress)
            fprintf(stderr, "\r\033[K%zu of %zu: %s", n, chosen, list->entries[i].id);
        r = run_entry(run, &list->entries[i]);
    }
    if (run->shows_progress)
        fputs("\r\033[K", stderr);
    list->took_ms = pause_clock_ms() - start_ms;
    return r;
}

static bool choose(struct selftest_list *list, const char *name) {
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->entries[i].id, name) == 0) {
            list->entries[i].chosen = true;
            return true;
        }
    return false;
}

// 0 or an exit status.
static int choose_all(
        struct selftest_list *list, const struct option_list *given, char **names, size_t n_names) {
    bool quick = option_given(given, QUICK);
    size_t n = 0;
    for (size_t i = 0; i < list->n && n_names == 0; i++)
        list->entries[i].chosen = !quick || list->entries[i].quick;
    for (size_t i = 0; i < n_names; i++)
        if (!choose(list, names[i]))
            return complain(STATUS_USAGE, "no scenario is called %s; see --list", names[i]);
    for (size_t i = 0; i < list->n; i++)
        n += list->entries[i].chosen;
    if (option_given(given, KEEP) && n != 1)
        return complain(STATUS_USAGE, "--keep is for a single scenario; these are %zu", n);
    return 0;
}

static void block_signals(struct run *run) {
    sigemptyset(&run->ending);
    sigaddset(&run->ending, SIGINT);
    sigaddset(&run->ending, SIGTERM);
    sigaddset(&run->ending, SIGHUP);
    sigprocmask(SIG_BLOCK, &run->ending, &run->before);
}

static int open_journal(struct run *run, int64_t wait_ms) {
    int64_t end_ms = pause_clock_ms() + wait_ms;
    int r;
    while ((r = undo_open(&run->undo)) == 1 && pause_clock_ms() < end_ms)
        pause_until(pause_clock_ms() + WAIT_STEP_MS);
    if (r == 1)
        return complain(STATUS_ERROR, "another self-test is running");
    return r < 0 ? complain_errno(r, "the undo journal of the lab") : 0;
}

static int run_chosen(struct run *run, struct selftest_list *list) {
    run->document = memfd_create("udpdiag-selftest", MFD_CLOEXEC);
    run->shared = mmap(
            NULL, sizeof(*run->shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int r = run->document < 0 || run->shared == MAP_FAILED ? -errno : 0;
    block_signals(run);
    if (r == 0)
        r = run_all(run, list);
    sigprocmask(SIG_SETMASK, &run->before, NULL);
    if (run->shared != MAP_FAILED)
        munmap(run->shared, sizeof(*run->shared));
    if (run->document >= 0)
        close(run->document);
    return r;
}

static int status_of(const struct run *run, const struct selftest_list *list) {
    struct selftest_figures figures;
    selftest_figures(list, &figures);
    if (figures.failed > 0 || run->interrupted)
        return STATUS_ERROR;
    return figures.passed > 0 ? STATUS_OK : STATUS_NO_DATA;
}

static int test(struct cli *cli, const struct option_list *given, struct selftest_list *list) {
    _cleanup_(judge_rules_done) struct rule_set *rules = NULL;
    struct run run = { .keep = option_given(given, KEEP), .shows_progress = isatty(STDERR_FILENO) };
    const char *wait = option_text(given, WAIT);
    int64_t wait_ms = 0;
    int r = wait ? read_span("wait", wait, 0, &wait_ms) : 0;
    if (r == 0)
        r = judge_rules(cli, &rules);
    if (r == 0)
        r = open_journal(&run, wait_ms);
    if (r != 0)
        return r;
    run.rules = rules;
    r = run_chosen(&run, list);
    undo_close(run.undo);
    if (r < 0)
        return complain_errno(r, "the lab");
    selftest_show(cli->writer, list);
    return status_of(&run, list);
}

static int run_verb(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    _cleanup_(selftest_list_done) struct selftest_list list;
    int r = selftest_list_init(&list);
    if (r < 0)
        return complain_errno(r, "scenarios");
    r = choose_all(&list, given, arguments, n_arguments);
    if (r != 0)
        return r;
    if (!option_given(given, LIST))
        return test(cli, given, &list);
    selftest_show_list(cli->writer, &list);
    return STATUS_OK;
}

const struct verb verb_selftest = {
    .name = "selftest",
    .arguments = "[SCENARIO...]",
    .help = "Lose datagrams for real in a private lab, and check the answers to it",
    .more = "Each scenario makes network namespaces of its own, a receiver and a sender, causes one kind of loss, counts "
            "it by numbers in the datagrams, and asks the same code as why --live. Where the answer has a command as "
            "remedy, it is run and must end the loss. No packet leaves the machine; what a lab changes outside of its "
            "namespaces is put back at its end, or by the next run. As root all of them can run, else those that a "
            "user namespace allows. Exit status: 0 all answers are right, 1 one is not, 2 wrong usage, 3 none could run.",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .least = 0,
    .most = 1000,
    .run = run_verb,
};
