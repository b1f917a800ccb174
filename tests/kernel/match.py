#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether one of the objects in a file is as described.

    match.py FILE PATH=VALUE...

FILE holds one object a line (alert programs' input, journalctl -o json), or one document with a list in it (udpdiag
alerts --json). PATH leads through nested objects: alert.severity. VALUE is a text, a range of numbers (5..10, 5..),
`null`, or `any` for whatever is not null. Prints what was there instead; exit status 1 if none matches.
"""
import json
import sys


def objects(text):
    try:
        document = json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    lists = [value for value in document.values() if isinstance(value, list)]
    return lists[0] if lists else [document]


def at(item, path):
    for word in path.split("."):
        item = item.get(word) if isinstance(item, dict) else None
    return item


def matches(item, path, wanted):
    found = at(item, path)
    if wanted in ("null", "any"):
        return (found is None) == (wanted == "null")
    if found is not None and ".." in wanted and wanted.replace(".", "").isdigit():
        low, _, high = wanted.partition("..")
        return float(low) <= float(found) <= float(high or "inf")
    return str(found) == wanted


def main():
    wanted = [word.partition("=")[::2] for word in sys.argv[2:]]
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            found = objects(file.read())
    except (OSError, ValueError) as error:
        print(error)
        return 1
    if any(all(matches(item, path, value) for path, value in wanted) for item in found):
        return 0
    print("expected one with", " ".join(sys.argv[2:]))
    for item in found:
        print("found", " ".join(f"{path}={at(item, path)}" for path, _ in wanted))
    return 1


sys.exit(main())
