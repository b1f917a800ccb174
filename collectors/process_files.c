// SPDX-License-Identifier: GPL-2.0-or-later
// Process files
#include "collectors/process_files.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "collectors/proc_pairs.h"

static bool is(struct span word, const char *text) {
    return word.n == strlen(text) && memcmp(word.text, text, word.n) == 0;
}

static bool is_cut(const char *text, size_t length) {
    return length == 0 || text[length - 1] != '\n';
}

static bool take_number(struct span *line, enum column_kind kind, cell *ret) {
    struct span word = next_word(line);
    return parse_number(word.text, word.n, kind, ret);
}

// A small number that may be negative.
static bool parse_signed(struct span word, cell *ret) {
    bool negative = word.n > 0 && word.text[0] == '-';
    cell value;
    if (!parse_number(word.text + negative, word.n - negative, COLUMN_GAUGE, &value))
        return false;
    *ret = negative ? -value : value;
    return true;
}

// fs/proc/array.c, do_task_stat(): numbers of the fields as proc(5) counts them, from 1.
enum { FIELD_STATE = 3, FIELD_NEEDED = 22, FIELD_CPU = 39 };

static cell *stat_field(struct process_stat *stat, int field) {
    switch (field) {
    case 12:
        return &stat->major_faults;
    case 14:
        return &stat->user_ticks;
    case 15:
        return &stat->system_ticks;
    case 19:
        return &stat->nice;
    case 20:
        return &stat->threads;
    case FIELD_NEEDED:
        return &stat->start_time;
    case FIELD_CPU:
        return &stat->cpu;
    default:
        return NULL;
    }
}

// The name stands between the first '(' and the last ')': whatever it holds, behind it there are
// only numbers.
bool parse_process_stat(const char *text, size_t length, struct process_stat *ret) {
    const char *open = memchr(text, '(', length), *close = memrchr(text, ')', length);
    if (!open || !close || close < open || is_cut(text, length))
        return false;
    struct process_stat stat = { .comm = { open + 1, (size_t) (close - open - 1) },
        .cpu = CELL_NULL };
    struct span rest = { close + 1, length - 1 - (size_t) (close + 1 - text) };
    struct span state = next_word(&rest);
    if (state.n != 1 || !isalpha((unsigned char) state.text[0]))
        return false;
    stat.state = state.text[0];
    for (int field = FIELD_STATE + 1; field <= FIELD_CPU; field++) {
        struct span word = next_word(&rest);
        cell *value = stat_field(&stat, field);
        if (value && !parse_signed(word, value) && field <= FIELD_NEEDED)
            return false;
    }
    *ret = stat;
    return true;
}

// fs/proc/array.c, proc_pid_status(). The name is escaped in it, so that each line is the kernel's.
void parse_process_status(const char *text, size_t length, struct process_status *ret) {
    struct line_scan scan = { .at = text, .end = text + length };
    *ret = (struct process_status){ CELL_NULL, CELL_NULL, CELL_NULL, { "", 0 } };
    for (struct span line; next_line(&scan, &line) && !scan.cut;) {
        struct span name = next_word(&line);
        if (is(name, "Uid:")) {
            next_word(&line); // the real one; then the effective
            take_number(&line, COLUMN_GAUGE, &ret->uid);
        } else if (is(name, "Cpus_allowed_list:")) {
            ret->cpus_allowed = next_word(&line);
        } else if (is(name, "voluntary_ctxt_switches:")) {
            take_number(&line, COLUMN_COUNTER, &ret->switches_voluntary);
        } else if (is(name, "nonvoluntary_ctxt_switches:")) {
            take_number(&line, COLUMN_COUNTER, &ret->switches_involuntary);
        }
    }
}

void parse_process_io(const char *text, size_t length, struct process_io *ret) {
    struct line_scan scan = { .at = text, .end = text + length };
    *ret = (struct process_io){ CELL_NULL, CELL_NULL };
    for (struct span line; next_line(&scan, &line) && !scan.cut;) {
        struct span name = next_word(&line);
        if (is(name, "read_bytes:"))
            take_number(&line, COLUMN_COUNTER, &ret->read_bytes);
        else if (is(name, "write_bytes:"))
            take_number(&line, COLUMN_COUNTER, &ret->write_bytes);
    }
}

bool parse_process_schedstat(const char *text, size_t length, struct process_schedstat *ret) {
    if (is_cut(text, length))
        return false;
    struct span line = { text, length - 1 };
    struct process_schedstat value;
    if (!take_number(&line, COLUMN_COUNTER, &value.run_ns) ||
            !take_number(&line, COLUMN_COUNTER, &value.delay_ns))
        return false;
    *ret = value;
    return true;
}

// fs/proc/base.c, proc_pid_syscall(): "running", or "-1 SP PC" outside of a system call, or
// "NUMBER ARGUMENTS SP PC" with six arguments in hexadecimal.
bool parse_process_syscall(const char *text, size_t length, struct process_syscall *ret) {
    if (is_cut(text, length) || !isdigit((unsigned char) text[0]))
        return false;
    char *end;
    long number = strtol(text, &end, 10);
    if (*end != ' ' || strncmp(end + 1, "0x", 2) != 0)
        return false;
    unsigned long first = strtoul(end + 1, &end, 16);
    if (*end != ' ')
        return false;
    *ret = (struct process_syscall){ number, first };
    return true;
}

// The numbers are those of this program's own architecture: what a 32-bit program does on a 64-bit
// kernel is not recognised.
bool syscall_receives(long number) {
    switch (number) {
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_read:
    case SYS_readv:
#ifdef SYS_recv
    case SYS_recv:
#endif
#ifdef SYS_recvmmsg_time64
    case SYS_recvmmsg_time64:
#endif
        return true;
    default:
        return false;
    }
}

bool syscall_waits_for_events(long number) {
    switch (number) {
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
#ifdef SYS_epoll_pwait2
    case SYS_epoll_pwait2:
#endif
        return true;
    default:
        return false;
    }
}

static uint64_t find_inode(struct span line) {
    for (struct span word; (word = next_word(&line)).n > 0;)
        if (word.n > 4 && memcmp(word.text, "ino:", 4) == 0)
            return strtoull(word.text + 4, NULL, 16);
    return 0;
}

// fs/eventpoll.c, ep_show_fdinfo(): "tfd:        5 events:       19 data: 7f6600000003  pos:0
// ino:b0644 sdev:9"; older kernels end before pos.
bool epoll_fdinfo_has(const char *text, size_t length,
        bool (*wants)(void *userdata, int fd, uint64_t inode), void *userdata) {
    struct line_scan scan = { .at = text, .end = text + length };
    for (struct span line; next_line(&scan, &line) && !scan.cut;) {
        cell fd;
        if (is(next_word(&line), "tfd:") && take_number(&line, COLUMN_GAUGE, &fd) &&
                wants(userdata, (int) fd, find_inode(line)))
            return true;
    }
    return false;
}

// net/core/datagram.c, fs/eventpoll.c (ep_poll, by 6.x also under the name of its caller),
// io_uring. poll() and select() wait in one function for everything, a resolver's answer too: they
// tell nothing.
bool wait_channel_receives(struct span name) {
    static const char *const names[] = { "__skb_wait_for_more_packets", "wait_for_packet",
        "__skb_recv_udp", "ep_poll", "do_epoll_wait", "io_cqring_wait" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (is(name, names[i]))
            return true;
    return false;
}
