#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs `udpdiag selftest` and tells each scenario as TAP, then the figures of the whole run.

    UDPDIAG               the program
    SELFTEST=all          all scenarios in place of the quick ones
"""
import json
import os
import subprocess
import sys

WAIT = "400s"  # for another run on this host
ALL_SECONDS = 480
QUICK_SECONDS = 60


def run(everything):
    command = [os.environ["UDPDIAG"], "selftest", "--json", "--wait", WAIT]
    if not everything:
        command.append("--quick")
    return subprocess.run(command, stdout=subprocess.PIPE, check=False)


def skip_or_not(scenario):
    why = (scenario["why"] or "").replace("#", "")
    return f" # SKIP {why}" if scenario["state"] == "skipped" else ""


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


def main():
    everything = os.environ.get("SELFTEST") == "all"
    done = run(everything)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        print(f"Bail out! no JSON, exit status {done.returncode}")
        return 1
    tests = 0
    for scenario in document["scenarios"]:
        tests += 1
        bad = scenario["state"] == "fail"
        print(f"{'not ok' if bad else 'ok'} {tests} - {scenario['id']}{skip_or_not(scenario)}")
        if bad:
            tell_wrong(scenario)
    expected = 1 if document["failed"] else 0 if document["passed"] else 3
    tests += 1
    print(f"{'ok' if done.returncode == expected else 'not ok'} {tests} - exit status {done.returncode}")
    limit = ALL_SECONDS if everything else QUICK_SECONDS
    print(f"# {document['passed']} right, {document['failed']} wrong, {document['skipped']} skipped; "
          f"{document['seconds']:.1f} s (wanted: {limit}); remedies {document['remedies_right']} of "
          f"{document['remedies_tried']}; largest difference {document['largest_difference']}")
    print(f"1..{tests}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
