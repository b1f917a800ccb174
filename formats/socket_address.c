// SPDX-License-Identifier: GPL-2.0-or-later
// Socket addresses
#include <ctype.h>
#include <string.h>

#include "formats/sockets.h"

// What getservbyname() of the host that was looked at made of the ports: IANA's names, and those
// that /etc/services of the distributions has beside them.
static const struct {
    const char *name;
    unsigned port;
} services[] = {
    { "echo", 7 },
    { "discard", 9 },
    { "daytime", 13 },
    { "chargen", 19 },
    { "time", 37 },
    { "domain", 53 },
    { "bootps", 67 },
    { "bootpc", 68 },
    { "tftp", 69 },
    { "http", 80 },
    { "kerberos", 88 },
    { "kerberos-sec", 88 },
    { "sunrpc", 111 },
    { "ntp", 123 },
    { "epmap", 135 },
    { "loc-srv", 135 },
    { "netbios-ns", 137 },
    { "netbios-dgm", 138 },
    { "snmp", 161 },
    { "snmp-trap", 162 },
    { "snmptrap", 162 },
    { "xdmcp", 177 },
    { "svrloc", 427 },
    { "https", 443 },
    { "kpasswd", 464 },
    { "isakmp", 500 },
    { "biff", 512 },
    { "comsat", 512 },
    { "who", 513 },
    { "syslog", 514 },
    { "talk", 517 },
    { "ntalk", 518 },
    { "route", 520 },
    { "router", 520 },
    { "timed", 525 },
    { "dhcpv6-client", 546 },
    { "dhcpv6-server", 547 },
    { "asf-rmcp", 623 },
    { "ipp", 631 },
    { "ldap", 389 },
    { "domain-s", 853 },
    { "openvpn", 1194 },
    { "ms-sql-m", 1434 },
    { "l2f", 1701 },
    { "l2tp", 1701 },
    { "radius", 1812 },
    { "radius-acct", 1813 },
    { "radacct", 1813 },
    { "ssdp", 1900 },
    { "nfs", 2049 },
    { "iscsi-target", 3260 },
    { "rfe", 5002 },
    { "stun", 3478 },
    { "turn", 3478 },
    { "vxlan", 4789 },
    { "ipsec-nat-t", 4500 },
    { "ipsec-msft", 4500 },
    { "iax", 4569 },
    { "sip", 5060 },
    { "sip-tls", 5061 },
    { "mdns", 5353 },
    { "llmnr", 5355 },
    { "hostmon", 5355 },
    { "netflow", 2055 },
    { "iop", 2055 },
    { "geneve", 6081 },
    { "sflow", 6343 },
    { "bfd-control", 3784 },
    { "bfd-echo", 3785 },
    { "ptp-event", 319 },
    { "ptp-general", 320 },
    { "syslog-tls", 6514 },
};

static bool parse_port(const char *text, size_t n, struct pasted_address *ret) {
    struct word word = { text, n };
    uint64_t port;
    ret->has_port = true;
    ret->port = 0;
    if (n == 1 && *text == '*')
        return true;
    if (strspn(text, "0123456789") >= n && word_count(&word, &port)) {
        ret->port = port;
        return port <= UINT16_MAX;
    }
    for (size_t i = 0; i < sizeof(services) / sizeof(services[0]); i++)
        if (word_is(&word, services[i].name)) {
            ret->port = services[i].port;
            return true;
        }
    ret->has_port = false;
    return n > 0 && isalpha((unsigned char) *text);
}

static bool keep(char *to, const char *text, size_t n) {
    if (n >= SOCKET_TEXT_SIZE)
        return false;
    memcpy(to, text, n);
    to[n] = '\0';
    return true;
}

static unsigned family_of(const char *host, size_t n, bool bracketed) {
    if (bracketed || memchr(host, ':', n))
        return 6;
    unsigned dots = 0;
    for (size_t i = 0; i < n; i++)
        dots += host[i] == '.';
    return dots == 3 ? 4 : 0;
}

static bool is_host_text(const char *text, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char) text[i]) && !strchr("*.:-_<>[]", text[i]))
            return false;
    return n > 0;
}

bool parse_socket_address(
        const struct word *word, struct pasted_address *ret, unsigned *ret_family) {
    const char *text = word->text;
    const char *colon = memrchr(text, ':', word->length);
    if (!colon || colon == text)
        return false;
    size_t n = (size_t) (colon - text);
    struct pasted_address address = { 0 };
    if (!parse_port(colon + 1, word->length - n - 1, &address))
        return false;
    bool bracketed = text[0] == '[';
    const char *percent = memchr(text, '%', n);
    const char *end = percent ? percent : colon;
    const char *bracket = memchr(text, ']', n);
    if (bracket && bracket < end)
        end = bracket;
    text += bracketed;
    // [fe80::1%eth0]:546 and [fe80::1]%eth0:546
    if (percent) {
        const char *stop = bracket && bracket > percent ? bracket : colon;
        if (!keep(address.interface, percent + 1, (size_t) (stop - percent - 1)))
            return false;
    }
    n = (size_t) (end - text);
    if (!is_host_text(text, n) || !keep(address.host, text, n))
        return false;
    *ret_family = family_of(text, n, bracketed);
    *ret = address;
    return true;
}

bool parse_socket_memory(const struct word *word, int64_t *ret) {
    uint64_t value;
    struct word digits = *word;
    bool negative = digits.length > 1 && digits.text[0] == '-';
    if (negative) {
        digits.text++;
        digits.length--;
    }
    if (!word_count(&digits, &value) || value > UINT32_MAX ||
            (negative && value > UINT32_MAX / 2 + 1))
        return false;
    *ret = negative ? (int64_t) UINT32_MAX + 1 - (int64_t) value : (int64_t) value;
    return true;
}
