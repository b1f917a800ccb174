#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Says whether a verdict blames the right one: the checks of tests/kernel/expect.py, and these.

    blame.py FILE CHECK...

    port=N[,N]      from here on look only at causes about these ports
    who=PID/NAME    the process of the first cause; in names, bytes that are no UTF-8 stand as U+FFFD
    explains=N      datagrams that the first cause explains
    together=N      datagrams that all causes explain together
    innocent=N[,N]  no cause explains a loss at these ports
    nobody=NAME     no cause names this process
    of=NAME:N       datagrams that causes explain which name this process
    ports_in_names=PREFIX
                    the name of each process that has this prefix ends with its port; and there is one
                    (also of `udpdiag sockets --json`)
    number=ID/PATTERN
                    prints the number that this regular expression finds in a cause's remedies, and nothing else
    alone=ID        the only cause that explains a loss

    blame.py --text FILE PID...

Whether text for people is harmless, and names these processes.
Prints every check that does not hold, with the causes; exit status 1 if there is one.
"""
import json
import os
import re
import sys
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernel"))
from expect import Verdict, in_range  # noqa: E402


class Blame(Verdict):
    ports = None

    def causes(self):
        return [c for c in super().causes() if self.ports is None or c["subject"]["port"] in self.ports]

    def first(self):
        return next((c for c in self.causes() if c["lost"] > 0), None)

    def check_port(self, ports):
        self.ports = [int(port) for port in ports.split(",")] if ports else None
        return ports, True

    def check_who(self, text):
        pid, _, name = os.fsencode(text).decode("utf-8", errors="replace").partition("/")
        subject = (self.first() or {"subject": {}})["subject"]
        found = [subject.get("pid"), subject.get("process")]
        return found, found == [int(pid), name]

    def check_explains(self, expected):
        found = (self.first() or {}).get("lost")
        return found, in_range(expected, found)

    def check_together(self, expected):
        found = sum(c["lost"] for c in self.causes() if not c["also"])
        return found, in_range(expected, found)

    def check_innocent(self, ports):
        found = [[c["id"], c["subject"]["port"], c["lost"]] for c in self.document["causes"]
                 if c["lost"] > 0 and str(c["subject"]["port"]) in ports.split(",")]
        return found, not found

    def check_nobody(self, name):
        found = [[c["id"], c["subject"]] for c in self.document["causes"] if c["subject"]["process"] == name]
        return found, not found

    def check_of(self, text):
        name, _, expected = text.partition(":")
        found = sum(c["lost"] for c in self.causes() if c["subject"]["process"] == name and not c["also"])
        return found, in_range(expected, found)

    def check_ports_in_names(self, prefix):
        named = [[c["subject"]["process"], c["subject"]["port"]] for c in self.document.get("causes", [])]
        named += [[o["process"], s["port"]] for s in self.document.get("sockets", []) for o in s["owners"]]
        named = [[name, port] for name, port in named if name and name.startswith(prefix)]
        wrong = [[name, port] for name, port in named if name != f"{prefix}{port}"]
        return wrong or named, named and not wrong

    def check_number(self, text):
        name, _, pattern = text.partition("/")
        for remedy in (self.cause(name) or {"do": []})["do"]:
            match = re.search(pattern, remedy["text"])
            if match:
                print(match[1])
                return match[1], True
        return None, True

    def check_alone(self, name):
        losing = [c["id"] for c in self.causes() if c["lost"] > 0]
        return losing, losing == [name]


def text_is_harmless(path, pids):
    with open(path, "rb") as file:
        raw = file.read()
    text = raw.decode("utf-8", errors="surrogateescape")
    bad = [f"{c!r} at {i}" for i, c in enumerate(text) if c != "\n" and unicodedata.category(c) in ("Cc", "Cs", "Cf")]
    bad += [f"process {pid} is not named" for pid in pids if pid not in text]
    for line in bad[:20]:
        print(line)
    return 1 if bad else 0


def main():
    if sys.argv[1] == "--text":
        return text_is_harmless(sys.argv[2], sys.argv[3:])
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    try:
        blame = Blame(json.loads(text))
    except ValueError as error:
        print(f"no JSON: {error}: {text[:200]!r}")
        return 1
    bad = 0
    for check in sys.argv[2:]:
        word, _, value = check.partition("=")
        found, right = getattr(blame, "check_" + word)(value)
        if not right:
            bad += 1
            print(f"expected {check}, found {found}")
    if bad:
        for cause in blame.document.get("causes", []):
            who = {k: v for k, v in cause["subject"].items() if v is not None}
            print(cause["id"], cause["lost"], cause["confidence"], "also" if cause["also"] else "", json.dumps(who))
            for finding in cause["evidence"] + cause["against"]:
                print("  ", finding["text"])
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
