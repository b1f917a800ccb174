#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Says whether a verdict (the document of `udpdiag why --json`, or one answer out of it) is the expected one.

    expect.py FILE CHECK...

    netns=NAME[,NAME]     look only at ledger entries and causes of these namespaces, and at the host-wide ones;
                          what else goes on on this host is not this test's
    verdict=WORD          only for a window in which nothing else moves
    first=ID              the first cause
    alone=ID              the only cause that explains a loss
    at=NAME               all causes that explain a loss explain it at this locus, and there is one
    cause=ID              stands among the causes
    never=ID[,ID]         must not stand among the causes
    losing=no             no cause explains a loss
    locus=NAME:N          datagrams at this locus; N is a number or a range such as 90..110
    only=NAME             no datagram at any other locus
    lost=N                sum of the ledger
    counter=NAME:N        a counter beside the ledger, summed
    evidence=ID/NAME:N    a value that a cause states as evidence
    says=ID/TEXT          a cause's evidence, remedies or texts contain this
    level=ID/SUBJECT:WORD a level of this severity, or `none`; SUBJECT is its mount
Prints every check that does not hold; exit status 1 if there is one.
"""
import json
import sys


def in_range(expected, found):
    low, _, high = expected.partition("..")
    return found is not None and float(low) <= found <= float(high or low)


class Verdict:
    def __init__(self, document):
        self.document = document
        self.names = None

    def ours(self, netns):
        return self.names is None or netns is None or netns in self.names

    def ledger(self):
        return [e for e in self.document["ledger"] if self.ours(e.get("netns"))]

    def causes(self):
        return [c for c in self.document["causes"] if self.ours(c["subject"].get("netns"))]

    def cause(self, name):
        return next((c for c in self.causes() if c["id"] == name), None)

    # Each check returns what it found and whether that is right.

    def check_netns(self, names):
        self.names = names.split(",")
        return names, True

    def check_verdict(self, word):
        return self.document["verdict"], self.document["verdict"] == word

    def check_first(self, name):
        losing = [c["id"] for c in self.causes() if c["lost"] > 0]
        return losing, losing[:1] == [name]

    def check_alone(self, name):
        losing = [c["id"] for c in self.causes() if c["lost"] > 0]
        return losing, losing == [name]

    def check_at(self, name):
        losing = [[c["id"], c["locus"]] for c in self.causes() if c["lost"] > 0]
        return losing, {locus for _, locus in losing} == {name}

    def check_cause(self, name):
        return [c["id"] for c in self.causes()], self.cause(name) is not None

    def check_never(self, names):
        found = [c["id"] for c in self.causes()]
        return found, not set(names.split(",")) & set(found)

    def check_losing(self, _):
        found = [c["id"] for c in self.causes() if c["lost"] > 0]
        return found, not found

    def check_locus(self, text):
        name, _, expected = text.partition(":")
        found = sum(e["datagrams"] for e in self.ledger() if e["locus"] == name)
        return found, in_range(expected, found)

    def check_only(self, name):
        found = {e["locus"]: e["datagrams"] for e in self.ledger() if e["datagrams"] and e["locus"] != name}
        return found, not found

    def check_lost(self, expected):
        found = sum(e["datagrams"] for e in self.ledger())
        return found, in_range(expected, found)

    def check_counter(self, text):
        name, _, expected = text.partition(":")
        found = sum((e.get("counters") or {}).get(name) or 0 for e in self.ledger())
        return found, in_range(expected, found)

    def check_evidence(self, text):
        name, _, expected = text.partition(":")
        name, _, evidence = name.partition("/")
        cause = self.cause(name) or {"evidence": []}
        found = {e["name"]: e["value"] for e in cause["evidence"]}
        return found, in_range(expected, found.get(evidence))

    def check_says(self, text):
        name, _, words = text.partition("/")
        found = json.dumps(self.cause(name), ensure_ascii=False)
        return found, words in found

    def check_level(self, text):
        name, _, word = text.rpartition(":")
        name, _, mount = name.partition("/")
        found = [l["severity"] for l in self.document["levels"]
                 if l["id"] == name and l["subject"].get("mount") == mount]
        return found, found == ([] if word == "none" else [word])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    try:
        verdict = Verdict(json.loads(text))
    except ValueError as error:
        print(f"no JSON: {error}: {text[:200]!r}")
        return 1
    bad = 0
    for check in sys.argv[2:]:
        word, _, value = check.partition("=")
        found, right = getattr(verdict, "check_" + word)(value)
        if not right:
            bad += 1
            print(f"expected {check}, found {found}")
    if bad:
        document = verdict.document
        print("ledger:", json.dumps([e for e in document["ledger"] if e["datagrams"]]))
        print("causes:", json.dumps([[c["id"], c["lost"], c["confidence"], c["subject"].get("netns")]
                                     for c in document["causes"]]))
        print("window:", json.dumps(document["window"]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
