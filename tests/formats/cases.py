#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Asks `udpdiag why --json` about public reports, and compares with what is right (cases/README.md).

cases.py UDPDIAG FOLDER [NAME...]    names: only those cases, with what is wrong told in full
"""
import json
import os
import pathlib
import re
import subprocess
import sys


def ask(udpdiag, folder, inputs):
    """The verdict, or a text that says what went wrong."""
    result = subprocess.run([udpdiag, "--color", "never", "why", "--json", *inputs], cwd=folder,
                            capture_output=True, text=True, timeout=60)
    try:
        return json.loads(result.stdout)
    except ValueError:
        return f"exit {result.returncode}, no document: {result.stderr.strip()}"


def occurs(text, wanted):
    """A number must stand alone, also where it is written with separators."""
    if not re.fullmatch(r"[\d.]+", wanted):
        return wanted.lower() in text.lower()
    grouped = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    return re.search(rf"(?<![\d.]){re.escape(wanted)}(?![\d]|\.\d)", text + "\n" + grouped) is not None


def at_locus(verdict, locus):
    return sum(entry["datagrams"] for entry in verdict["ledger"] if entry["locus"] == locus)


def check_first(verdict, run):
    causes = verdict["causes"]
    first = causes[0] if causes else None
    if "first" in run:
        if first is None:
            if run["first"] and not run.get("first_optional"):
                yield f"no cause, wanted {run['first']}"
        elif first["id"] not in run["first"]:
            yield f"first cause {first['id']}, wanted {run['first'] or 'none'}"
    if first and first["confidence"] > run.get("confidence_max", 1):
        yield f"confidence {first['confidence']} above {run['confidence_max']}"
    for field, value in run.get("subject", {}).items():
        if not first or first["subject"].get(field) != value:
            yield f"subject {field} is {first and first['subject'].get(field)}, wanted {value}"
    for field, value in run.get("subject_forbidden", {}).items():
        if any(cause["subject"].get(field) == value for cause in causes):
            yield f"a cause is about {field} {value}"


def check_causes(verdict, run):
    for cause in verdict["causes"]:
        if cause["id"] in run.get("forbidden", []):
            yield f"{cause['id']} is named"
        if cause["severity"] in run.get("severity_forbidden", []):
            yield f"{cause['id']} is {cause['severity']}"
        for remedy in cause["do"]:
            text = f"{remedy['text']} {remedy.get('command') or ''}"
            for word in run.get("advice_forbidden", []):
                if word in text:
                    yield f"{cause['id']} advises {word}: {text}"


def check_counts(verdict, run):
    for locus, count in run.get("locus", {}).items():
        if at_locus(verdict, locus) != count:
            yield f"{at_locus(verdict, locus)} at {locus}, wanted {count}"
    for locus, count in run.get("locus_max", {}).items():
        if at_locus(verdict, locus) > count:
            yield f"{at_locus(verdict, locus)} at {locus}, at most {count}"
    if verdict["lost"] > run.get("lost_max", float("inf")):
        yield f"lost {verdict['lost']}, at most {run['lost_max']}"


def check(verdict, run):
    if isinstance(verdict, str):
        yield verdict
        return
    if verdict["verdict"] not in run["verdict"]:
        yield f"verdict {verdict['verdict']}, wanted {run['verdict']}"
    yield from check_first(verdict, run)
    yield from check_causes(verdict, run)
    yield from check_counts(verdict, run)
    text = json.dumps(verdict, ensure_ascii=False)
    for mention in run.get("mention", []):
        if not any(occurs(text, wanted) for wanted in mention.split("|")):
            yield f"{mention} is not mentioned"
    if run.get("since_boot") is False and verdict["window"]["kind"] == "since-boot":
        yield "the window is since boot"
    for level in verdict["levels"]:
        if level["id"] in run.get("levels_forbidden", []):
            yield f"level {level['id']} is told"
    ruled_out = {remark["id"] for remark in verdict["ruled_out"]}
    for name in run.get("ruled_out", []):
        if name not in ruled_out:
            yield f"{name} is not ruled out"


def main():
    udpdiag, root, names = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    runs = []
    for file in sorted(root.glob("*/expect.json")):
        case = json.loads(file.read_text())
        if not names or any(file.parent.name.startswith(name) for name in names):
            runs += [(file.parent, run) for run in case.get("runs", [case])]
    print(f"1..{len(runs)}")
    failed = 0
    for number, (folder, run) in enumerate(runs, 1):
        wrong = list(check(ask(udpdiag, folder, run["inputs"]), run))
        failed += bool(wrong)
        name = folder.name + (f", {run['name']}" if "name" in run else "")
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}")
        for line in wrong:
            print(f"# {line}")
    return failed > 0


sys.exit(main())
