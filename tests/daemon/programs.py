#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs of alert.d: what they get, and that one that fails, hangs or belongs to somebody else does no harm."""
import json
import os
import time

from rig import run, wait_until


def program(folder, name, text, mode=0o755):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, mode)
    return path


def documents(path):
    try:
        with open(path) as file:
            return [json.loads(line) for line in file if line.strip()]
    except FileNotFoundError:
        return []


def longest_step(test):
    return test.value("SELECT max(length_ms) FROM step WHERE flags & 9 = 0")


def body(test):
    folder = os.path.join(test.folder, "alert.d")
    os.mkdir(folder, 0o755)
    out = os.path.join(test.folder, "out")
    os.mkdir(out, 0o777)
    program(folder, "10-write", f"cat >>{out}/json; echo >>{out}/json; env | sort >{out}/env; pwd >{out}/pwd\n"
                                f"ps -o sid= -p $$ | tr -d ' ' >{out}/session; echo $$ >>{out}/session\n"
                                f"ls /proc/self/fd | wc -l >{out}/fds; echo it ran\n")
    program(folder, "20-fail", "exit 3\n")
    program(folder, "30-hang", f"trap '' TERM\nsleep 100 & echo $! >{out}/child; echo $$ >{out}/parent; wait\n")
    program(folder, "40-everybody", f"touch {out}/unsafe\n", mode=0o777)
    program(folder, "50-backup~", f"touch {out}/backup\n")
    program(folder, "60-no-program", f"touch {out}/plain\n", mode=0o644)
    program(folder, ".hidden", f"touch {out}/hidden\n")
    with open(os.path.join(folder, "70-no-interpreter"), "wb") as file:
        file.write(b"\x7fELF nonsense")
    os.chmod(os.path.join(folder, "70-no-interpreter"), 0o755)

    test.config = test.configure(alert={"directory": folder, "clear": "2s"})
    daemon = test.daemon()
    test.host.lose_for(3)
    told = wait_until(lambda: documents(f"{out}/json"), 5)
    test.check(len(told) == 1, "a program is told of the beginning", told, daemon.text())
    told = told[0]
    test.check(told["event"] == "begin" and told["alert"]["cause"] == told["cause"]["id"] and told["alert"]["lost"] > 0
               and told["alert"]["end"] is None and told["alert"]["severity"] in ("warning", "critical"),
               "in JSON, with the alert and its cause", told)
    with open(f"{out}/env") as file:
        names = {line.split("=")[0] for line in file}
    test.check(names <= {"PATH", "LANG", "UDPDIAG_EVENT", "PWD", "OLDPWD", "_", "SHLVL"}, "its environment is small", names)
    with open(f"{out}/session") as file:
        session = file.read().split()
    test.check(session[0] == session[1], "it has a session of its own", session)
    with open(f"{out}/fds") as file:
        test.check(int(file.read()) <= 4, "and no files but its own three")
    test.check(bool(daemon.says("it ran", 1)), "its output goes where the messages go", daemon.text())
    test.check(bool(daemon.says("20-fail failed with status 3", 2)), "one that fails is told", daemon.text())
    test.check(bool(daemon.says("40-everybody is not run: others may write it")),
               "one that everybody may write is not run", daemon.text())
    test.check(bool(daemon.says("70-no-interpreter is not run", 1)), "nor one that is no program", daemon.text())

    with open(f"{out}/child") as file:
        child = int(file.read())
    test.check(bool(daemon.says("30-hang took too long", 13)), "one that hangs is killed", daemon.text())
    test.check(wait_until(lambda: not os.path.exists(f"/proc/{child}"), 2), "with what it started")
    test.check(longest_step(test) < 400, "the daemon never waited for it", longest_step(test))

    ended = wait_until(lambda: len(documents(f"{out}/json")) == 2, 15)
    test.check(bool(ended), "a program is told of the end", daemon.text())
    if ended:
        last = documents(f"{out}/json")[1]["alert"]
        test.check(last["end"] is not None and last["seconds"] >= 1, "with its duration", last)
    test.check(not [name for name in os.listdir(out) if name in ("unsafe", "backup", "plain", "hidden")],
               "nothing else was run", os.listdir(out))

    began = time.monotonic()
    status = daemon.stop()
    test.check(status == 0 and time.monotonic() - began < 5, "a program that hangs does not hold up a stop", status)

    os.chmod(folder, 0o777)
    daemon = test.daemon()
    test.host.lose_for(3)
    test.check(bool(daemon.says("are not run: others may write it", 3)), "nothing is run from a folder open to all",
               daemon.text())
    daemon.stop()


run(body)
