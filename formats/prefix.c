// SPDX-License-Identifier: GPL-2.0-or-later
// Line prefixes
#include "formats/prefix.h"

#include <ctype.h>
#include <string.h>

#include "formats/clock.h"

// What people run to get what they paste.
static const char *const programs[] = { "netstat", "nstat", "ss", "ip", "ifconfig", "ethtool", "tc",
    "sysctl", "cat", "grep", "egrep", "fgrep", "zgrep", "head", "tail", "awk", "watch", "sudo",
    "doas", "su", "for", "while", "df", "free", "vmstat", "iostat", "mpstat", "pidstat", "top",
    "ps", "sar", "conntrack", "nft", "iptables", "ip6tables", "iptables-save", "dropwatch", "perf",
    "dmesg", "journalctl", "uptime", "uname", "hostname", "lscpu", "lsof", "numactl", "echo",
    "sleep", "column", "udpdiag", "date", "w", "who", "hostnamectl", "lsb_release", "mount",
    "lsblk", "ls", "lspci", "tcpdump", "rtnl", "lnstat", "rdma", "docker", "kubectl", "chroot",
    "nsenter", "time" };

static bool is_program(const char *word, size_t length) {
    for (size_t i = length; i-- > 0;)
        if (word[i] == '/') {
            word += i + 1;
            length -= i + 1;
            break;
        }
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
        if (strlen(programs[i]) == length && memcmp(programs[i], word, length) == 0)
            return true;
    return false;
}

static bool begins_program(const char *text) {
    return is_program(text, strcspn(text, " \t;|"));
}

static void drop_front(struct line *line, const char *to) {
    line->length -= (size_t) (to - line->text);
    line->text = to;
}

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t");
}

static void make_command(struct line *line, const char *command) {
    drop_front(line, skip_blanks(command));
    line->kind = LINE_COMMAND;
}

static bool is_mark(char c) {
    return c == '$' || c == '#' || c == '%' || c == '>';
}

// "[root@host ~]# ", "root@host:/# ", "root@host:~$ ", "host:~ # ", "bash-4.2$ ". Where the mark
// ends; NULL: no prompt. An @ is before the mark, or one of the shells' own names.
static const char *behind_prompt(const char *text) {
    static const char *const shells[] = { "bash-", "sh-", "zsh-" };
    size_t length = strcspn(text, "$#%>");
    const char *at = memchr(text, '@', length);
    bool shell = false;
    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
        shell |= strncmp(text, shells[i], strlen(shells[i])) == 0 && !memchr(text, ' ', length);
    if (length > 80 || !is_mark(text[length]) ||
            (text[length + 1] && !isspace((unsigned char) text[length + 1])))
        return NULL;
    // "user@host": a word that stands first, perhaps behind a bracket, and no address in a
    // sentence.
    if (!shell && (!at || at == text || memchr(text, ' ', (size_t) (at - text)) ||
                          memchr(text, '<', length)))
        return NULL;
    return text + length + 1;
}

// "$ netstat -su", "# ifconfig", "host:~ # ss -u": a mark alone makes a prompt only before a
// program.
static const char *behind_mark(const char *text) {
    size_t length = strcspn(text, "$#%>");
    if (length > 40 || !is_mark(text[length]))
        return NULL;
    const char *command = skip_blanks(text + length + 1);
    // A path or a name of the host before it.
    bool host = isalpha((unsigned char) text[0]) &&
                strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
                        length;
    const char *path = strpbrk(text, ":~/]");
    if (length > 0 && (text[length - 1] == '-' || !(host || (path && path < text + length))))
        return NULL;
    bool dollar = text[0] == '$' && text[1] == ' ' && islower((unsigned char) *command);
    return dollar || begins_program(command) ? command : NULL;
}

// "➜  ~ netstat -su", "❯ ss -u": what shells of these years draw.
static const char *behind_drawn_mark(const char *text) {
    static const char *const marks[] = { "\xe2\x9e\x9c", "\xe2\x9d\xaf", "\xce\xbb", "\xc2\xbb",
        "\xe2\x80\xba", "\xe2\x96\xb6" };
    struct word words[6];
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (strncmp(text, marks[i], strlen(marks[i])) != 0)
            continue;
        size_t n = words_split(text + strlen(marks[i]), words, 6);
        for (size_t w = 0; w < n; w++)
            if (is_program(words[w].text, words[w].length))
                return words[w].text;
    }
    return NULL;
}

// "nstat -n; sleep 1; nstat | grep Udp", at the begin of a line: options, a pipe or a path leave no
// doubt. "free memory" is none.
static bool is_bare_command(const char *text) {
    size_t first = strcspn(text, " \t");
    if (!is_program(text, first))
        return false;
    const char *rest = skip_blanks(text + first);
    if (*rest == '\0')
        return true;
    // In "ip -s link", not in "top - 12:00:00 up".
    if (rest[0] == '-' && (isalpha((unsigned char) rest[1]) || rest[1] == '-'))
        return true;
    if (rest[0] == '/' || strstr(rest, " | ") || strstr(rest, "; ") || begins_program(rest))
        return true;
    return strncmp(text, "sysctl ", 7) == 0 && strchr(rest, '.') && !strchr(rest, ':');
}

static bool take_prompt_off(struct line *line) {
    const char *text = skip_blanks(line->text);
    const char *command = behind_prompt(text);
    if (!command)
        command = behind_mark(text);
    if (!command)
        command = behind_drawn_mark(text);
    if (!command && is_bare_command(text))
        command = text;
    if (command)
        make_command(line, command);
    return command != NULL;
}

// "[info] [main.cpp:1173] text": groups of a logger, but not "[0]: rx_discards" of a driver nor the
// time of the kernel's log, "[ 1423.035722]".
static const char *behind_groups(const char *text) {
    const char *at = skip_blanks(text), *behind = NULL;
    while (*at == '[') {
        size_t inner = strspn(at + 1, " 0123456789.");
        const char *end = strchr(at, ']');
        // iptables-save -c writes "[12:3450] -A INPUT".
        if (!end || end - at > 60 || at[1 + inner] == ']' || end[1] == ':' ||
                strncmp(end + 1, " -A ", 4) == 0)
            break;
        behind = end + 1;
        at = skip_blanks(behind);
    }
    if (*at == '\0') // nothing else is in the line: a stamp, or "[...]"
        return NULL;
    return behind;
}

// Days before each month, in the leap year that stands for the one that is not known.
static int64_t day_of(int month, uint64_t day) {
    static const int before[] = { 0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335 };
    return LINE_YEARLESS_DAYS + before[month - 1] + (int64_t) day - 1;
}

// "Nov 19 20:32:11 host tag[123]: text", the month as journalctl translates it. Where the text
// begins; NULL: no such line.
static const char *behind_syslog(const char *text, int64_t *ret_ms) {
    struct word words[6];
    int64_t time_ms;
    uint64_t day;
    size_t n = words_split(text, words, 6);
    if (n < 6)
        return NULL;
    int month = clock_month(&words[0]);
    if (month == 0 || !word_count(&words[1], &day) || day < 1 || day > 31 ||
            clock_time(&words[2], 1, &time_ms) != 1 || words[4].text[words[4].length - 1] != ':')
        return NULL;
    *ret_ms = day_of(month, day) * CLOCK_DAY_MS + time_ms;
    return words[4].text + words[4].length;
}

// "2026-11-30T12:00:01.123Z text", "2026-11-30 12:00:01,123 text", "[2026-11-30 12:00:01] text".
static const char *behind_stamp(const char *text, int64_t *ret_ms) {
    struct word words[4];
    bool bracket = *text == '[';
    if (!isdigit((unsigned char) text[bracket]) || !isdigit((unsigned char) text[bracket + 1]))
        return NULL;
    size_t n = words_split(text + bracket, words, 4);
    for (size_t i = 0; bracket && i < n; i++)
        if (memchr(words[i].text, ']', words[i].length)) {
            words[i].length = (size_t) ((const char *) memchr(words[i].text, ']', words[i].length) -
                                        words[i].text);
            n = i + 1;
        }
    size_t taken = clock_stamp(words, n, ret_ms);
    if (taken == 0)
        return NULL;
    const char *end = words[taken - 1].text + words[taken - 1].length;
    end += *end == ']';
    // A stamp alone is the output of date.
    return *skip_blanks(end) ? end : NULL;
}

static void take_log_prefix_off(struct line *line) {
    const char *text = skip_blanks(line->text), *behind;
    int64_t at_ms = 0;
    behind = behind_stamp(text, &at_ms);
    if (!behind)
        behind = behind_syslog(text, &at_ms);
    if (behind) {
        line->at_ms = at_ms;
        drop_front(line, behind + (*behind == ' '));
    }
    behind = behind_groups(line->text);
    if (behind)
        drop_front(line, behind);
}

void prefix_take_off(struct line *line) {
    if (take_prompt_off(line))
        return;
    take_log_prefix_off(line);
    take_prompt_off(line);
}
