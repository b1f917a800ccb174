#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares `udpdiag stat --json` with nstat and netstat, number by number.

    compare_stat.py STAT NSTAT NETSTAT NETSTAT6

STAT: udpdiag stat --once --all --json; NSTAT: nstat -asz -j; NETSTAT and NETSTAT6: netstat -s --udp -4 and -6, or empty
files. Prints every number that differs and every counter of UDP or reassembly that is missing; exit status 1 if any.
"""
import json
import re
import sys

# What netstat of net-tools says for each counter; it says "InCsumErrors" and the like for those it has no words for.
NETSTAT_WORDS = {
    "packets received": "InDatagrams",
    "packets to unknown port received": "NoPorts",
    "packet receive errors": "InErrors",
    "packets sent": "OutDatagrams",
    "receive buffer errors": "RcvbufErrors",
    "send buffer errors": "SndbufErrors",
}


def netstat_numbers(path, section):
    """{counter: number} of one section, such as "Udp"."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    numbers, inside = {}, False
    for line in lines:
        if not line.startswith(" "):
            inside = line == section + ":"
        elif inside:
            match = re.match(r"\s+(\d+) (.*)|\s+(\w+): (\d+)", line)
            name = NETSTAT_WORDS.get(match[2], match[2]) if match[2] else match[3]
            numbers[name.removeprefix(section)] = int(match[1] or match[4])
    return numbers


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)["counters"]
    with open(sys.argv[2], encoding="utf-8") as file:
        kernel = json.load(file)["kernel"]
    shown = {row[f"{family}_name"]: row[family]
             for row in rows for family in ("ipv4", "ipv6") if row[f"{family}_name"]}
    problems = [f"{name}: udpdiag {value}, nstat {kernel.get(name)}"
                for name, value in shown.items() if value != kernel.get(name)]
    wanted = re.compile(r"Udp(Lite)?6?[A-Z]\w*|Ip6?Reasm\w+|IpExtReasm\w+|Ip6?Frag\w+|TcpExtIPReversePathFilter")
    ours = [name for name in kernel if wanted.fullmatch(name)]
    problems += [f"{name}: udpdiag has none, nstat {kernel[name]}" for name in ours if name not in shown]
    compared = 0
    for path, section, prefix in ((sys.argv[3], "Udp", "Udp"), (sys.argv[4], "Udp6", "Udp6")):
        for name, value in netstat_numbers(path, section).items():
            compared += 1
            if shown.get(prefix + name) != value:
                problems.append(f"{prefix}{name}: udpdiag {shown.get(prefix + name)}, netstat {value}")
    if not ours:
        problems.append("nstat knows no counter of UDP")
    print("\n".join(problems) if problems else
          f"{len(shown)} counters, {sum(1 for v in shown.values() if v)} of them not 0; {compared} of netstat")
    return 1 if problems else 0


sys.exit(main())
