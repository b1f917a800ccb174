#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs `udpdiag selftest` and tells each scenario as TAP, then the figures of the whole run. A scenario with a wrong answer
is run again, alone, at most twice, since the machine has other work to do; what it said before is told.

    UDPDIAG               the program
    SELFTEST=all          all scenarios in place of the quick ones
    SELFTEST_TIMES=N      so many times
"""
import json
import os
import subprocess
import sys

WAIT = "400s"  # for another run on this host
ALL_SECONDS = 480
QUICK_SECONDS = 60
AGAIN = 2


def run(*arguments):
    command = [os.environ["UDPDIAG"], "selftest", "--json", "--wait", WAIT, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    document = json.loads(done.stdout)
    expected = 1 if document["failed"] else 0 if document["passed"] else 3
    if done.returncode != expected:
        raise ValueError(f"exit status {done.returncode} in place of {expected}")
    return document


def tell_wrong(scenario):
    print(f"# {scenario['why']}")
    document = scenario["verdict"]
    if not document:
        return
    for cause in document["causes"]:
        print(f"# {cause['id']} {cause['lost']} {cause['confidence']}")
        for finding in cause["evidence"] + cause["against"]:
            print(f"#    {finding['text']}")
    print("# ledger", json.dumps([e for e in document["ledger"] if e["datagrams"]]))
    print("# changes", json.dumps(document.get("changes")))


class Tap:
    def __init__(self):
        self.tests = self.failed = self.again = 0

    def tell(self, good, text):
        self.tests += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.tests} - {text}", flush=True)

    def scenario(self, scenario):
        name = scenario["id"]
        if scenario["state"] == "skipped":
            self.tell(True, f"{name} # SKIP {(scenario['why'] or '').replace('#', '')}")
            return
        for _ in range(AGAIN):
            if scenario["state"] != "fail":
                break
            print(f"# {name} was wrong:")
            tell_wrong(scenario)
            self.again += 1
            scenario = next(s for s in run(name)["scenarios"] if s["id"] == name)
        self.tell(scenario["state"] != "fail", name)
        if scenario["state"] == "fail":
            tell_wrong(scenario)


def main():
    everything = os.environ.get("SELFTEST") == "all"
    tap = Tap()
    for _ in range(int(os.environ.get("SELFTEST_TIMES", "1"))):
        try:
            document = run() if everything else run("--quick")
        except ValueError as problem:
            print(f"Bail out! {problem}")
            return 1
        for scenario in document["scenarios"]:
            tap.scenario(scenario)
        limit = ALL_SECONDS if everything else QUICK_SECONDS
        print(f"# {document['passed']} right, {document['failed']} wrong, {document['skipped']} skipped; "
              f"{document['seconds']:.1f} s (wanted: {limit}); remedies {document['remedies_right']} of "
              f"{document['remedies_tried']}; largest difference {document['largest_difference']}")
    print(f"# {tap.tests} answers, {tap.failed} wrong, {tap.again} asked for again")
    print(f"1..{tap.tests}")
    return tap.failed > 0


if __name__ == "__main__":
    sys.exit(main())
