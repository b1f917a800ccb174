// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted interfaces
#include "formats/interface.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// In this order. # stands for a number, * for anything.
static const struct {
    const char *pattern, *kind;
} names[] = {
    { "lo", "" },
    // udev's names of hardware, and older ones; with a number behind a dot they are VLANs
    { "eth#", "" },
    { "eno#", "" },
    { "eno#np#", "" },
    { "ens#", "" },
    { "ens#*", "" },
    { "enp#*", "" },
    { "enP#*", "" },
    { "enx*", "" },
    { "enc#*", "" },
    { "end#", "" },
    { "em#", "" },
    { "em#_#", "" },
    { "p#p#", "" },
    { "p#p#_#", "" },
    { "wlan#", "" },
    { "wl*#", "" },
    { "ww*#", "" },
    { "ib#", "" },
    { "ib*#", "" },
    { "usb#", "" },
    { "net#", "" },
    { "lan#", "" },
    { "wan#", "" },
    { "venet#", "" },
    { "bond#", "bond" },
    { "bond*", "bond" },
    { "team#", "team" },
    { "docker#", "bridge" },
    { "docker_gwbridge", "bridge" },
    { "br#", "bridge" },
    { "br-*", "bridge" },
    { "bridge#", "bridge" },
    { "virbr#", "bridge" },
    { "virbr#-nic", "tun" },
    { "lxcbr#", "bridge" },
    { "lxdbr#", "bridge" },
    { "vmbr#", "bridge" },
    { "xenbr#", "bridge" },
    { "cni#", "bridge" },
    { "cbr#", "bridge" },
    { "podman#", "bridge" },
    { "ovs-system", "openvswitch" },
    { "veth*", "veth" },
    { "cali*", "veth" },
    { "lxc*", "veth" },
    { "fwpr*", "veth" },
    { "fwln*", "veth" },
    { "vnet#", "tun" },
    { "tap*", "tun" },
    { "tun#", "tun" },
    { "flannel.#", "vxlan" },
    { "flannel-wg", "wireguard" },
    { "vxlan*", "vxlan" },
    { "cilium_vxlan", "vxlan" },
    { "cilium_geneve", "geneve" },
    { "vxlan_sys_#", "vxlan" },
    { "genev_sys_#", "geneve" },
    { "geneve*", "geneve" },
    { "wg#", "wireguard" },
    { "wg-*", "wireguard" },
    { "gretap*", "gretap" },
    { "gre#", "gre" },
    { "erspan#", "erspan" },
    { "ip6gre#", "ip6gre" },
    { "ip6tnl#", "ip6tnl" },
    { "tunl#", "ipip" },
    { "ipip*", "ipip" },
    { "sit#", "sit" },
    { "ip_vti#", "vti" },
    { "ppp#", "ppp" },
    { "pppoe#", "ppp" },
    { "dummy#", "dummy" },
    { "kube-ipvs#", "dummy" },
    { "ifb#", "ifb" },
    { "macvlan*", "macvlan" },
    { "macvtap#", "macvtap" },
    { "ipvlan*", "ipvlan" },
    { "vlan#", "vlan" },
    { "nlmon#", "nlmon" },
    { "vrf*", "vrf" },
};

static const char *skip_digits(const char *text) {
    return text + strspn(text, "0123456789");
}

static bool is_match(const char *pattern, const char *name) {
    for (; *pattern && *pattern != '*'; pattern++) {
        if (*pattern == '#') {
            if (!isdigit((unsigned char) *name))
                return false;
            name = skip_digits(name);
        } else if (*name++ != *pattern) {
            return false;
        }
    }
    if (*pattern == '*' && pattern[1]) // a number at its end
        return *name && isdigit((unsigned char) name[strlen(name) - 1]);
    return *pattern == '*' || !*name;
}

static bool is_name(const char *name) {
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char) *at) && !strchr("._-@", *at))
            return false;
    return *name && strlen(name) < INTERFACE_SIZE;
}

const char *interface_kind(const char *name) {
    char device[INTERFACE_SIZE];
    if (!is_name(name))
        return NULL;
    snprintf(device, sizeof(device), "%s", name);
    char *dot = strrchr(device, '.');
    bool vlan = dot && dot[1] && !*skip_digits(dot + 1);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (is_match(names[i].pattern, name))
            return vlan && !strchr(names[i].pattern, '.') ? "vlan" : names[i].kind;
    if (!vlan)
        return NULL;
    *dot = '\0';
    return interface_kind(device) ? "vlan" : NULL;
}

static bool keep(const struct word *word, char *ret, size_t size) {
    if (word->length == 0 || word->length >= size)
        return false;
    memcpy(ret, word->text, word->length);
    ret[word->length] = '\0';
    return is_name(ret);
}

// A word that is the name of an interface, whatever signs stand around it.
static bool keep_known(struct word word, char *ret, size_t size) {
    while (word.length > 0 && !isalnum((unsigned char) word.text[0])) {
        word.text++;
        word.length--;
    }
    while (word.length > 0 && !isalnum((unsigned char) word.text[word.length - 1]))
        word.length--;
    return keep(&word, ret, size) && interface_kind(ret);
}

static size_t first_command(const struct word *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (word_is(&words[i], "|") || word_is(&words[i], ";") || word_is(&words[i], "&&") ||
                word_is(&words[i], ">"))
            return i;
    return n;
}

static bool is_program(const struct word *word, const char *name) {
    size_t n = strlen(name);
    return word->length >= n && memcmp(word->text + word->length - n, name, n) == 0 &&
           (word->length == n || word->text[word->length - n - 1] == '/');
}

bool interface_of_command(const char *command, char *ret, size_t size) {
    struct word words[WORDS_MAX];
    size_t n = command ? words_split(command, words, WORDS_MAX) : 0;
    n = first_command(words, n);
    bool ethtool = false;
    for (size_t i = 0; i < n; i++) {
        if (word_is(&words[i], "dev") && i + 1 < n)
            return keep(&words[i + 1], ret, size);
        if (ethtool && words[i].text[0] != '-')
            return keep(&words[i], ret, size);
        ethtool |= is_program(&words[i], "ethtool");
    }
    for (size_t i = n; i > 0; i--)
        if (keep_known(words[i - 1], ret, size))
            return true;
    return false;
}

// "eth0:", "=== eth0 ===", "NIC statistics for eth0:".
static bool of_heading(const struct line *line, char *ret, size_t size) {
    struct word words[8];
    size_t n = words_split(line->text, words, 8);
    for (size_t i = n; n <= 6 && i > 0; i--)
        if (keep_known(words[i - 1], ret, size))
            return true;
    return false;
}

// sos_commands/networking/ethtool_-S_eth0
static bool of_file(const char *file, char *ret, size_t size) {
    const char *base = strrchr(file, '/');
    base = base ? base + 1 : file;
    for (const char *at = base; *at; at += strcspn(at, "_- "), at += strspn(at, "_- ")) {
        struct word word = { at, strcspn(at, "_ ") };
        if (keep_known(word, ret, size))
            return true;
        const char *end = memchr(word.text, '.', word.length);
        if (end && keep_known((struct word){ at, (size_t) (end - at) }, ret, size))
            return true;
    }
    return false;
}

bool interface_of_block(const struct lines *lines, size_t i, char *ret, size_t size) {
    const char *command = lines_command(lines, i);
    size_t above = i;
    *ret = '\0';
    if (command && interface_of_command(command, ret, size))
        return true;
    if (!command && of_heading(&lines->line[i], ret, size))
        return true;
    while (above > 0 && lines->line[above - 1].kind == LINE_BLANK)
        above--;
    if (above > 0 && lines->line[above - 1].kind == LINE_TEXT &&
            of_heading(&lines->line[above - 1], ret, size))
        return true;
    if (lines->name && of_file(lines->name, ret, size))
        return true;
    *ret = '\0';
    return false;
}

static bool has_flag(const char *flags, const char *flag) {
    size_t n = strlen(flag);
    for (const char *at = flags; (at = strstr(at, flag)); at += n)
        if ((at == flags || !isalpha((unsigned char) at[-1])) && !isalpha((unsigned char) at[n]))
            return true;
    return false;
}

void interface_row(
        struct intake *intake, const struct line *line, const char *name, const char *flags) {
    const char *kind = interface_kind(name);
    if (flags && has_flag(flags, "MASTER"))
        kind = kind && *kind ? kind : "bond";
    interface_row_of_kind(intake, line, name, kind ? kind : "");
}

void interface_row_of_kind(
        struct intake *intake, const struct line *line, const char *name, const char *kind) {
    intake_row(intake, line, "link", (const char *const[]){ NULL, name });
    if (!intake_has(intake, "kind"))
        intake_set_text(intake, "kind", kind);
}

static void put_sum(struct intake *intake, const char *sum, const struct word *number,
        const char *const *parts) {
    uint64_t value;
    if (sum)
        intake_put(intake, sum, number);
    for (; word_count(number, &value) && value == 0 && *parts; parts++)
        if (!intake_has(intake, *parts))
            intake_set(intake, *parts, 0);
}

// net/core/net-procfs.c dev_seq_printf_stats()
void interface_put_dropped(struct intake *intake, const struct word *number) {
    static const char *const parts[] = { "rx_dropped", "rx_missed_errors", NULL };
    put_sum(intake, "rx_dropped_unsplit", number, parts);
}

void interface_put_frame(struct intake *intake, const struct word *number) {
    static const char *const parts[] = { "rx_length_errors", "rx_over_errors", "rx_crc_errors",
        "rx_frame_errors", NULL };
    put_sum(intake, "rx_frame_unsplit", number, parts);
}

void interface_put_carrier(struct intake *intake, const struct word *number) {
    static const char *const parts[] = { "tx_carrier_errors", "tx_aborted_errors",
        "tx_window_errors", "tx_heartbeat_errors", NULL };
    put_sum(intake, NULL, number, parts);
}
