#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A full disk and a stuck one: sampling, verdicts and alerts go on, nothing is lost, memory stays bounded."""
import os
import shutil
import subprocess
import sys
import time

from rig import run, wait_until


def resident_kib(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def fill(path):
    """Until nothing more fits."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for size in (65536, 512):
        try:
            while os.write(fd, b"\0" * size):
                pass
        except OSError:
            pass
    os.close(fd)


def full(test):
    folder = os.path.join(test.folder, "full")
    os.mkdir(folder)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", folder], check=True)
    database = os.path.join(folder, "udpdiag.db")
    daemon = test.daemon(database=database, config=test.configure(store={"max-size": "16M"}))
    lost = test.host.lose_for(3)
    wait_until(lambda: test.stored_loss(database) == lost, 5)

    fill(os.path.join(folder, "filler"))
    # What the daemon keeps in reserve for this lasts a while; then it must be told.
    ends = time.monotonic() + 90
    while time.monotonic() < ends and not daemon.says("Cannot write the database"):
        lost += test.host.lose_for(1, 4000)
        fill(os.path.join(folder, "filler"))
    told = daemon.says("Cannot write the database")
    lost += test.host.lose_for(8)
    if told:
        test.check(len(daemon.says("Cannot write the database")) == 1, "a full disk is told once", daemon.text())
        test.check("database: " in daemon.status(), "the status line tells it too", daemon.status())
    else:
        test.skip("the reserve lasted longer than the test")
    test.check(daemon.process.poll() is None and "datagrams lost" in daemon.status(), "verdicts go on", daemon.status())
    os.remove(os.path.join(folder, "filler"))
    stored = wait_until(lambda: test.stored_loss(database) == lost, 70)
    test.check(stored, "when there is room again, nothing is missing", f"stored {test.stored_loss(database)}, lost {lost}",
               daemon.text())
    if told:
        test.check(bool(daemon.says("is written again", 40)), "and that is told", daemon.text())
    test.check(test.query("PRAGMA integrity_check", database=database) == [("ok",)], "the database is whole")
    daemon.stop()
    subprocess.run(["umount", folder], check=True)


def stuck(test):
    folder, image = os.path.join(test.folder, "stuck"), os.path.join(test.folder, "image")
    os.mkdir(folder)
    with open(image, "wb") as file:
        file.truncate(64 << 20)
    subprocess.run(["mkfs.ext4", "-q", image], check=True)
    if subprocess.run(["mount", "-o", "loop", image, folder], capture_output=True).returncode != 0:
        test.skip("no loop devices here")
        return
    database = os.path.join(folder, "udpdiag.db")
    daemon = test.daemon("--step", "100ms", database=database)
    lost = test.host.lose_for(2)
    wait_until(lambda: test.stored_loss(database) == lost, 5)
    subprocess.run(["fsfreeze", "-f", folder], check=True)
    try:
        began = len(test.alerts())
        lost += test.host.lose_for(6)
        test.check("datagrams lost" in daemon.status(), "verdicts go on while the disk is stuck", daemon.status())
        before = resident_kib(daemon.pid)
        lost += test.host.lose_for(15)
        after = resident_kib(daemon.pid)
        if before < 64 << 10:
            test.check(after - before < 2048, "memory does not grow", f"{before} KiB, {after} KiB")
        else:
            test.skip("memory: a sanitizer keeps what is freed")
        test.check(bool(daemon.says("Still: ", 2)), "and alerts go on", daemon.text())
    finally:
        subprocess.run(["fsfreeze", "-u", folder], check=True)
    stored = wait_until(lambda: test.stored_loss(database) == lost, 20)
    test.check(stored, "when the disk is back, nothing is missing", f"stored {test.stored_loss(database)}, lost {lost}")
    steps = test.query("SELECT max(length_ms), count(*), sum(length_ms) FROM step WHERE flags & 9 = 0", database=database)[0]
    test.check(100 < steps[0] <= 2000 and steps[2] > 20000, "only coarser", steps)
    test.check(test.query("PRAGMA integrity_check", database=database) == [("ok",)], "the database is whole")

    subprocess.run(["fsfreeze", "-f", folder], check=True)
    try:
        test.host.lose(100)
        time.sleep(1)
        began = time.monotonic()
        daemon.signal(15)
        # A thread that waits for the disk cannot die, so the process stays; but its main thread has ended.
        gone = wait_until(lambda: daemon.process.poll() is not None or state(daemon.pid) == "Z", 8)
        test.check(gone and time.monotonic() - began < 6, "it stops within seconds although the disk is stuck",
                   state(daemon.pid), daemon.text())
    finally:
        subprocess.run(["fsfreeze", "-u", folder], check=True)
    daemon.process.wait(10)
    subprocess.run(["umount", folder], check=True)


def state(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return None


def body(test):
    if os.environ.get("UDPDIAG_MOUNTS") != "private":
        test.skip("needs root and a mount namespace of its own")
        return
    full(test)
    if shutil.which("mkfs.ext4") and shutil.which("fsfreeze"):
        stuck(test)
    else:
        test.skip("needs mkfs.ext4 and fsfreeze")


# Mounts are made where nobody sees them, and vanish with the test.
if os.environ.get("UDPDIAG_MOUNTS") is None and os.geteuid() == 0 and shutil.which("unshare"):
    command = ["unshare", "--mount", "--propagation", "private"]
    if subprocess.run([*command, "true"], capture_output=True).returncode == 0:
        os.execvpe(command[0], [*command, sys.executable, *sys.argv], {**os.environ, "UDPDIAG_MOUNTS": "private"})
run(body)
