#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Looks into the daemon's database, as anyone with sqlite3 could.

    store.py DATABASE newest                     end of the newest stored step, in ms
    store.py DATABASE steps MS                   how many steps that ended up to then are stored
    store.py DATABASE longest FROM MS            the longest time between two steps that ended in between, in ms
    store.py DATABASE newest-after MS            exit status 0 if a step that ended after that moment is stored
    store.py DATABASE sum TABLE COLUMN NAME      all growth of a counter of that object
    store.py DATABASE last TABLE COLUMN NAME     the newest absolute value
    store.py DATABASE intact                     PRAGMA integrity_check: "ok"
    store.py DATABASE netns INODE                the name of a network namespace
"""
import sqlite3
import sys


def one(db, sql, *values):
    row = db.execute(sql, values).fetchone()
    return row[0] if row else None


def newest(db):
    return one(db, "SELECT max(end_ms) FROM step") or 0


def key(db, table):
    """The first column after the step: the object's name."""
    return next(row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] != "step")


def answer(db, verb, *words):
    if verb == "newest":
        return newest(db)
    if verb == "newest-after":
        return None if newest(db) >= int(words[0]) else sys.exit(1)
    if verb == "steps":
        return one(db, "SELECT count(*) FROM step WHERE end_ms <= ?", int(words[0]))
    if verb == "longest":
        ends = [row[0] for row in db.execute("SELECT end_ms FROM step WHERE end_ms BETWEEN ? AND ? ORDER BY end_ms",
                                             (int(words[0]), int(words[1])))]
        return max((b - a for a, b in zip(ends, ends[1:])), default=0)
    if verb == "sum":
        table, column, name = words
        return one(db, f"SELECT coalesce(sum({column}), 0) FROM {table} WHERE {key(db, table)} = ?", name)
    if verb == "last":
        table, column, name = words
        return one(db, f"SELECT {column} FROM {table}_last WHERE {key(db, table)} = ?", name)
    if verb == "intact":
        return one(db, "PRAGMA integrity_check")
    if verb == "netns":
        return one(db, "SELECT netns FROM snmp_last WHERE netns_inode = ?", int(words[0]))
    raise SystemExit(__doc__)


def main():
    try:
        db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, timeout=5)
        found = answer(db, *sys.argv[2:])
    except sqlite3.Error as error:
        raise SystemExit(f"{sys.argv[1]}: {error}")
    if found is not None:
        print(found)


main()
