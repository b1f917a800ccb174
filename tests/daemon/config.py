#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Options, SIGHUP with good and bad files, levels, and what is told to the service manager."""
import signal
import subprocess
import time

from rig import UDPDIAGD, run, wait_until


def usage(test):
    def call(*words):
        done = subprocess.run([UDPDIAGD, *words], capture_output=True, text=True, timeout=10)
        return done.returncode, done.stdout, done.stderr

    for words in (["--nonsense"], ["--step"], ["--step", "1y"], ["--steps", "0"], ["--steps", "x"], ["word"]):
        code, out, err = call(*words)
        test.check(code == 2 and not out and err.count("\n") == 1, f"{' '.join(words)}: status 2 and one line", code, err)
    code, out, err = call("--version")
    test.check(code == 0 and out.startswith("udpdiagd ") and not err, "--version", out, err)
    code, out, err = call("--help")
    test.check(code == 0 and all(name in out for name in ("--config", "--root", "--database", "--steps")), "--help", out)
    code, out, err = call("--config", "/nonexistent/udpdiag.conf")
    test.check(code == 1 and "/nonexistent/udpdiag.conf" in err, "a missing file is named", code, err)


def reload(test):
    daemon = test.daemon()
    test.check(daemon.says("samples every 0.2 s"), "the step is as configured", daemon.text())

    test.configure(collect={"step": "100ms"}, alert={"confirm": "many", "nonsense": "1"})
    daemon.signal(signal.SIGHUP)
    test.check(bool(daemon.says("has a mistake: all stays", 2)), "a bad file is refused as a whole", daemon.text())
    test.check(bool(daemon.says(r"udpdiag.conf:\d+: ")), "and told with file and line", daemon.text())
    time.sleep(6)
    lengths = [row[0] for row in test.query("SELECT length_ms FROM step ORDER BY step DESC LIMIT 4")]
    test.check(all(length > 150 for length in lengths), "the values before stay", lengths)

    test.configure(collect={"step": "500ms"})
    daemon.signal(signal.SIGHUP)
    test.check(bool(daemon.says("were read again", 2)), "a good file is taken", daemon.text())
    notes = daemon.read_notes()
    test.check("RELOADING=1" in notes and any(n.startswith("MONOTONIC_USEC=") for n in notes) and
               notes[::-1].index("READY=1") < notes[::-1].index("RELOADING=1"), "the service manager is told", notes)
    time.sleep(7)
    lengths = [row[0] for row in test.query("SELECT length_ms FROM step ORDER BY step DESC LIMIT 4")]
    test.check(all(400 < length < 600 for length in lengths), "and its step is used", lengths)
    test.check(test.value("SELECT value FROM meta WHERE key = 'step_ms'") == "500", "and readers are told of it")
    daemon.stop()
    test.check("STOPPING=1" in daemon.read_notes(), "a stop is told too", daemon.notes)

    test.configure(alert={"confirm": "many"})
    daemon = test.daemon("--steps", "5")
    test.check(bool(daemon.says(r"udpdiag.conf:\d+: ")), "a mistake at the start is told, and the default taken", daemon.text())
    test.check(daemon.process.wait(10) == 0, "--steps ends it well")
    test.check(test.value("SELECT count(*) FROM step WHERE flags & 1 = 0 AND end_ms > (SELECT max(end_ms) FROM step) - 1500")
               >= 4, "after its steps")
    test.configure()


def levels(test):
    """UDP memory near its limit, as a level without a loss."""
    host = test.host
    text = host.read("proc/1/net/sockstat")
    limit = int(host.read("proc/sys/net/ipv4/udp_mem").split()[0])
    mem = next(line for line in text.splitlines() if line.startswith("UDP:"))
    words = mem.split()
    words[words.index("mem") + 1] = str(limit * 95 // 100)
    host.write("proc/1/net/sockstat", text.replace(mem, " ".join(words)))
    daemon = test.daemon()
    begun = daemon.says("^udpdiagd: Alert: ", 25)
    test.check(bool(begun) and any(a["cause"] == "udp-memory-near" for a in test.alerts()), "a level is an alert",
               daemon.text(), test.alerts())
    host.write("proc/1/net/sockstat", text)
    test.check(bool(daemon.says("^udpdiagd: Over: ", 25)), "and ends", daemon.text(), test.alerts())
    daemon.stop()


def body(test):
    usage(test)
    reload(test)
    levels(test)


run(body)
