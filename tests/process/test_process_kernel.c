// SPDX-License-Identifier: GPL-2.0-or-later
// Processes of this host
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/list.h"
#include "collectors/process.h"
#include "tests/collectors/rig.h"
#include "tests/process/actor.h"
#include "tests/process/watched.h"

static struct rig rig;
static struct actor actor;

static void watch(actor_part *play, bool lossy) {
    actor = actor_start(play);
    rig_start(&rig, &process_collector, NULL);
    watched_add(&rig.watch, actor.pid, actor.start_time, actor.inode, lossy);
    wait_ms(100);
    rig_look(&rig);
}

static void end(void) {
    actor_end(&actor);
    rig_stop(&rig);
}

static const cell *row_of(pid_t pid) {
    for (size_t i = 0; i < rig.rows.n; i++)
        if (rows_at(&rig.rows, i)[PROCESS_PID] == pid)
            return rows_at(&rig.rows, i);
    return NULL;
}

static const cell *row(void) {
    const cell *found = row_of(actor.pid);
    ck_assert_ptr_nonnull(found);
    return found;
}

static const char *text(int column) {
    return rows_text(&rig.rows, row()[column]);
}

// Dense looks for so long, then one more look at all.
static void look_for(int ms) {
    for (; ms > 0; ms -= 20) {
        wait_ms(20);
        process_collector.peek(&rig.context, rig.state);
    }
    rig_collect(&rig);
}

START_TEST(who_it_is) {
    watch(play_receive, true);
    char executable[256];
    ssize_t n = readlink("/proc/self/exe", executable, sizeof(executable) - 1);
    executable[n] = '\0';
    ck_assert_int_eq(row()[PROCESS_START_TIME], (cell) actor.start_time);
    ck_assert_str_eq(text(PROCESS_ROLE), "owner");
    ck_assert_str_eq(text(PROCESS_COMM), "test_process_ke");
    ck_assert_str_eq(text(PROCESS_EXECUTABLE), executable);
    ck_assert_int_eq(row()[PROCESS_UID], geteuid());
    ck_assert_int_eq(row()[PROCESS_THREADS], 1);
    ck_assert_int_eq(row()[PROCESS_NICE], 0);
    ck_assert_str_ne(text(PROCESS_CPUS_ALLOWED), "");
    ck_assert_int_ge(row()[PROCESS_LAST_CPU], 0);
    ck_assert(row()[PROCESS_HOTTEST_RUN] == CELL_NULL);
    ck_assert_int_eq(row()[PROCESS_LOOKS], 1);
    ck_assert_int_eq(rows_before_at(&rig.rows, 0)[PROCESS_LOOKS], 0);
    ck_assert_int_ge(row()[PROCESS_SWITCHES_VOLUNTARY], 1);
    end();
}
END_TEST

START_TEST(waits_for_datagrams) {
    actor_part *const plays[] = { play_receive, play_epoll };
    watch(plays[_i], true);
    look_for(200);
    ck_assert_str_eq(text(PROCESS_STATE), "S");
    ck_assert_int_eq(row()[PROCESS_LOOKS_SLEEPING], row()[PROCESS_LOOKS]);
    ck_assert_int_ge(row()[PROCESS_LOOKS], 10);
    ck_assert_int_eq(row()[PROCESS_READERS], 1);
    ck_assert_int_eq(row()[PROCESS_LOOKS_RECEIVING], row()[PROCESS_LOOKS]);
    ck_assert_int_le(row()[PROCESS_READER_RUN], 50);
    end();
}
END_TEST

START_TEST(computes) {
    watch(play_spin, true);
    look_for(500);
    ck_assert_str_eq(text(PROCESS_STATE), "R");
    ck_assert_str_eq(text(PROCESS_WAIT_CHANNEL), "");
    ck_assert_int_ge(row()[PROCESS_LOOKS_RUNNING], row()[PROCESS_LOOKS] - 1);
    ck_assert_int_eq(row()[PROCESS_READERS], 0);
    ck_assert_int_ge(row()[PROCESS_HOTTEST_RUN] + row()[PROCESS_HOTTEST_DELAY], 700);
    ck_assert_int_eq(row()[PROCESS_HOTTEST_THREAD], actor.pid);
    // It is a great user of CPU as well, and stays the owner.
    ck_assert_str_eq(text(PROCESS_ROLE), "owner");
    end();
}
END_TEST

START_TEST(sleeps_on_something_else) {
    static const struct {
        actor_part *play;
        const char *channel;
    } cases[] = { { play_futex, "futex" }, { play_sleep, "nanosleep" } };
    watch(cases[_i].play, true);
    look_for(200);
    ck_assert_str_eq(text(PROCESS_STATE), "S");
    ck_assert_int_eq(row()[PROCESS_LOOKS_SLEEPING], row()[PROCESS_LOOKS]);
    ck_assert_int_eq(row()[PROCESS_LOOKS_RECEIVING], 0);
    if (geteuid() == 0)
        ck_assert_msg(strstr(text(PROCESS_WAIT_CHANNEL), cases[_i].channel), "%s",
                text(PROCESS_WAIT_CHANNEL));
    end();
}
END_TEST

START_TEST(is_blocked) {
    watch(play_vfork, true);
    look_for(200);
    ck_assert_str_eq(text(PROCESS_STATE), "D");
    ck_assert_int_eq(row()[PROCESS_LOOKS_BLOCKED], row()[PROCESS_LOOKS]);
    ck_assert_str_eq(text(PROCESS_BLOCKED_CHANNEL), text(PROCESS_WAIT_CHANNEL));
    if (geteuid() == 0)
        ck_assert_str_ne(text(PROCESS_BLOCKED_CHANNEL), "");
    end();
}
END_TEST

START_TEST(waits_for_a_thread_that_is_blocked) {
    watch(play_queue, true);
    look_for(200);
    look_for(200);
    // The thread that reads sleeps; the one that it waits for is blocked.
    ck_assert_int_eq(row()[PROCESS_READERS], 1);
    ck_assert_int_eq(row()[PROCESS_LOOKS_BLOCKED], 0);
    ck_assert_int_ge(row()[PROCESS_LOOKS_OTHER_BLOCKED], row()[PROCESS_LOOKS] / 2);
    end();
}
END_TEST

START_TEST(is_stopped) {
    watch(play_stop, true);
    look_for(200);
    ck_assert_str_eq(text(PROCESS_STATE), "T");
    cell looks = row()[PROCESS_LOOKS];
    ck_assert_int_ge(looks, 10);
    ck_assert_int_eq(row()[PROCESS_LOOKS_STOPPED], looks);
    end();
}
END_TEST

START_TEST(writes_to_a_disk) {
    watch(play_write, true);
    look_for(700);
    look_for(700);
    cell written = row()[PROCESS_WRITE_BYTES];
    const cell *before = rows_before_at(&rig.rows, 0);
    ck_assert(before && before[PROCESS_WRITE_BYTES] != CELL_NULL);
    ck_assert_int_gt(written, before[PROCESS_WRITE_BYTES]);
    ck_assert_int_gt(row()[PROCESS_SWITCHES_VOLUNTARY], before[PROCESS_SWITCHES_VOLUNTARY]);
    end();
}
END_TEST

START_TEST(the_thread_that_reads_is_found) {
    watch(play_threads, true);
    look_for(300);
    ck_assert_int_eq(row()[PROCESS_THREADS], 3);
    ck_assert_str_eq(text(PROCESS_HOTTEST_NAME), "spinner");
    ck_assert_int_eq(row()[PROCESS_READERS], 1);
    // It sleeps, whatever the other one does.
    look_for(300);
    ck_assert_str_eq(text(PROCESS_STATE), "S");
    ck_assert_int_le(row()[PROCESS_READER_RUN], 100);
    ck_assert_int_ge(row()[PROCESS_HOTTEST_RUN] + row()[PROCESS_HOTTEST_DELAY], 700);
    ck_assert_int_gt(row()[PROCESS_RUN], 10000);
    end();
}
END_TEST

START_TEST(who_else_uses_the_cpu_is_named) {
    struct actor hog = actor_start(play_spin);
    setpriority(PRIO_PROCESS, (id_t) hog.pid, -20); // whatever else runs here
    watch(play_sleep, true);
    for (int i = 0; i < 3 && !row_of(hog.pid); i++)
        look_for(600);
    const cell *found = row_of(hog.pid);
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(rows_text(&rig.rows, found[PROCESS_ROLE]), "cpu");
    ck_assert_int_gt(found[PROCESS_USER] + found[PROCESS_SYSTEM], 0);
    ck_assert(found[PROCESS_LOOKS] == CELL_NULL);
    // Nothing is lost any more: nobody else is looked at.
    rig.watch.lossy = false;
    rig_collect(&rig);
    ck_assert_ptr_null(row_of(hog.pid));
    ck_assert_uint_eq(rig.rows.n, 1);
    actor_end(&hog);
    end();
}
END_TEST

START_TEST(another_process_of_the_same_number_is_not_taken) {
    watch(play_sleep, true);
    rig.watch.owners[0].start_time--;
    rig.watch.processes[0].start_time--;
    rig_collect(&rig);
    ck_assert_ptr_null(row_of(actor.pid));
    rig.watch.processes[0].start_time++;
    rig_collect(&rig);
    ck_assert_ptr_nonnull(row_of(actor.pid));
    // What it used in between belongs to no step.
    ck_assert(row()[PROCESS_USER] == CELL_NULL);
    ck_assert(row()[PROCESS_LOOKS] == 1);
    rig_collect(&rig);
    ck_assert(row()[PROCESS_USER] != CELL_NULL);
    end();
}
END_TEST

START_TEST(an_ended_process_has_no_row) {
    watch(play_sleep, true);
    ck_assert_ptr_nonnull(row_of(actor.pid));
    actor_end(&actor);
    process_collector.peek(&rig.context, rig.state);
    rig_collect(&rig);
    ck_assert_uint_eq(rig.rows.n, 0);
    ck_assert_int_ne(rig.outcome.state, OUTCOME_FAILED);
    rig_stop(&rig);
}
END_TEST

START_TEST(one_that_began_since_the_look_before_counts_from_zero) {
    rig_start(&rig, &process_collector, NULL);
    rig_look(&rig);
    wait_ms(50);
    actor = actor_start(play_spin);
    watched_add(&rig.watch, actor.pid, actor.start_time, actor.inode, true);
    wait_ms(100);
    rig_collect(&rig);
    const cell *before = rows_before_at(&rig.rows, 0);
    ck_assert_int_eq(before[PROCESS_USER], 0);
    ck_assert_int_ge(row()[PROCESS_USER] + row()[PROCESS_SYSTEM], 0);
    end();
}
END_TEST

static const char *const hostile_names[] = { "a) S 1 2 (b", "x\ny", "\x1b[2J", ")))" };

static void play_name(int number) {
    prctl(PR_SET_NAME, hostile_names[number]);
    play_sleep(-1);
}
static void play_name_0(int socket) {
    play_name(0);
}
static void play_name_1(int socket) {
    play_name(1);
}
static void play_name_2(int socket) {
    play_name(2);
}
static void play_name_3(int socket) {
    play_name(3);
}

START_TEST(hostile_names_are_taken_as_they_are) {
    actor_part *const plays[] = { play_name_0, play_name_1, play_name_2, play_name_3 };
    watch(plays[_i], true);
    ck_assert_str_eq(text(PROCESS_COMM), hostile_names[_i]);
    ck_assert_str_eq(text(PROCESS_HOTTEST_NAME), hostile_names[_i]);
    ck_assert_int_eq(row()[PROCESS_THREADS], 1);
    ck_assert_int_eq(row()[PROCESS_NICE], 0);
    end();
}
END_TEST

static int look_as_nobody(pid_t own) {
    struct actor own_actor = { .pid = own, .start_time = start_time_of(own) };
    if (setgroups(0, NULL) < 0 || setgid(65534) < 0 || setuid(65534) < 0)
        return 2;
    prctl(PR_SET_DUMPABLE, 1);
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    rig_start(&rig, &process_collector, NULL);
    watched_add(&rig.watch, own, own_actor.start_time, 1, true);
    watched_add(&rig.watch, child, start_time_of(child), 2, true);
    rig_look(&rig);
    rig_collect(&rig);
    const cell *foreign = row_of(own), *mine = row_of(child);
    bool good = foreign && mine && foreign[PROCESS_EXECUTABLE] == CELL_NULL &&
                foreign[PROCESS_WRITE_BYTES] == CELL_NULL &&
                foreign[PROCESS_BLOCK_DELAY] == CELL_NULL && foreign[PROCESS_USER] != CELL_NULL &&
                mine[PROCESS_WRITE_BYTES] != CELL_NULL && rig.outcome.state == OUTCOME_DENIED &&
                rig.outcome.reason[0];
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return good ? 0 : 1;
}

START_TEST(without_privileges_the_own_processes_only) {
    if (geteuid() != 0)
        return; // all the other tests are of this kind then
    actor = actor_start(play_sleep);
    pid_t pid = fork();
    if (pid == 0)
        _exit(look_as_nobody(actor.pid));
    int status;
    waitpid(pid, &status, 0);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    actor_end(&actor);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("process on this host");
    TCase *tcase = tcase_create("looks");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, who_it_is);
    tcase_add_loop_test(tcase, waits_for_datagrams, 0, 2);
    tcase_add_test(tcase, computes);
    tcase_add_loop_test(tcase, sleeps_on_something_else, 0, 2);
    tcase_add_test(tcase, is_blocked);
    tcase_add_test(tcase, waits_for_a_thread_that_is_blocked);
    tcase_add_test(tcase, is_stopped);
    tcase_add_test(tcase, writes_to_a_disk);
    tcase_add_test(tcase, the_thread_that_reads_is_found);
    tcase_add_test(tcase, who_else_uses_the_cpu_is_named);
    tcase_add_test(tcase, another_process_of_the_same_number_is_not_taken);
    tcase_add_test(tcase, an_ended_process_has_no_row);
    tcase_add_test(tcase, one_that_began_since_the_look_before_counts_from_zero);
    tcase_add_loop_test(tcase, hostile_names_are_taken_as_they_are, 0, 4);
    tcase_add_test(tcase, without_privileges_the_own_processes_only);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
