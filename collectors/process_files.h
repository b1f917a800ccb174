// SPDX-License-Identifier: GPL-2.0-or-later
// Process files
//
// Pure parsers of the files of /proc/PID and /proc/PID/task/TID. What cannot be understood, or was
// cut, counts for nothing.
#pragma once

#include "collectors/scan.h"
#include "core/table.h"

// stat. The name is as the process chose it: it may hold blanks, newlines and ')'.
struct process_stat {
    struct span comm;
    char state;
    cell major_faults, user_ticks, system_ticks, nice, threads, start_time;
    cell cpu; // CELL_NULL: not told
};
bool parse_process_stat(const char *text, size_t length, struct process_stat *ret);

// status; what is missing is CELL_NULL or empty. The switches are those of one thread.
struct process_status {
    cell uid, switches_voluntary, switches_involuntary;
    struct span cpus_allowed;
};
void parse_process_status(const char *text, size_t length, struct process_status *ret);

// io: bytes that went through to disks; what is missing is CELL_NULL.
struct process_io {
    cell read_bytes, write_bytes;
};
void parse_process_io(const char *text, size_t length, struct process_io *ret);

// schedstat: nanoseconds of running, and of waiting for a CPU while ready.
struct process_schedstat {
    cell run_ns, delay_ns;
};
bool parse_process_schedstat(const char *text, size_t length, struct process_schedstat *ret);

// syscall: the system call a thread sleeps in, and its first argument. False: it runs, or none.
struct process_syscall {
    long number;
    unsigned long first;
};
bool parse_process_syscall(const char *text, size_t length, struct process_syscall *ret);
// Whether the call waits for datagrams of a socket that is its first argument, or for events of an
// epoll instance that is.
bool syscall_receives(long number);
bool syscall_waits_for_events(long number);

// fdinfo of an epoll instance: whether `wants` says so of one of the files that it watches. inode
// 0: not told.
bool epoll_fdinfo_has(const char *text, size_t length,
        bool (*wants)(void *userdata, int fd, uint64_t inode), void *userdata);

// Wait channels: functions of the kernel in which only a wait for input of a socket or of several
// files is spent.
bool wait_channel_receives(struct span name);
