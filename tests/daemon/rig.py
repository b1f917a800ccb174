# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the shipped daemon on a directory that looks like /proc and /sys, whose counters the test rewrites.

Everything it starts and makes is gone when the test ends.
"""
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

FIXTURE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures/6.18")
UDPDIAGD = os.environ["UDPDIAGD"]
# Short spans; what a test is about it sets itself.
CONFIG = {
    "collect": {"step": "200ms"},
    "alert": {"floor": "10", "confirm": "2", "clear": "3s", "remind": "10s", "directory": "/nonexistent"},
    "rules": {"directory": "/nonexistent"},
}


class Tap:
    """Counts, and prints what it counts. A check that fails does not end the test, an exception does."""

    def __init__(self):
        self.n = self.failed = 0

    def check(self, good, what, *why):
        self.n += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.n} - {what}", flush=True)
        for line in () if good else why:
            for part in str(line).splitlines():
                print(f"# {part}", flush=True)
        return good


def wait_until(condition, seconds):
    """The first true value of the condition, or its last one."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.05)


class Host:
    """The directory."""

    def __init__(self, folder):
        self.root = os.path.join(folder, "root")
        shutil.copytree(FIXTURE, self.root, symlinks=True)
        self.write("proc/sys/kernel/random/boot_id", "11111111-2222-3333-4444-555555555555\n")

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, text):
        """In place and at once: the daemon keeps files open, as it may with those of the kernel."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
        os.pwrite(fd, text.encode(), 0)
        os.ftruncate(fd, len(text))
        os.close(fd)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def counter(self, section, field, add=0):
        """Adds to a field of proc/1/net/snmp and returns its value."""
        lines = self.read("proc/1/net/snmp").splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith(section + ":"))
        names, values = lines[at].split(), lines[at + 1].split()
        column = names.index(field)
        values[column] = str(int(values[column]) + add)
        if add:
            lines[at + 1] = " ".join(values)
            self.write("proc/1/net/snmp", "\n".join(lines) + "\n")
        return int(values[column])

    def lose(self, n):
        """n datagrams find their socket's queue full, and ten times as many are read."""
        self.counter("Udp", "RcvbufErrors", n)
        self.counter("Udp", "InErrors", n)
        self.counter("Udp", "InDatagrams", 10 * n)

    def lose_for(self, seconds, n=40):
        """Some in every step. Returns how many."""
        end, lost = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            self.lose(n)
            lost += n
            time.sleep(0.1)
        return lost


class Daemon:
    def __init__(self, test, *options, database=None, config=None, wait=True, host=True):
        self.test = test
        self.database = database or test.database
        self.log = os.path.join(test.folder, f"log{len(test.daemons)}")
        test.daemons.append(self)
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(self.log + ".notify")
        self.notify.setblocking(False)
        self.notes = []
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [UDPDIAGD, "--config", config or test.config, "--database", self.database,
                 *(["--root", test.host.root] if host else []), *options],
                stderr=log, stdout=log, env={**os.environ, "NOTIFY_SOCKET": self.log + ".notify"})
        self.pid = self.process.pid
        if wait and not self.wait_ready():
            raise SystemExit(f"Bail out! the daemon does not get ready: {self.text()}")

    def read_notes(self):
        try:
            while True:
                self.notes += self.notify.recv(65536).decode().splitlines()
        except BlockingIOError:
            return self.notes

    def wait_ready(self, seconds=15):
        return wait_until(lambda: "READY=1" in self.read_notes() or self.process.poll() is not None, seconds) \
            and self.process.poll() is None

    def status(self):
        """The last STATUS line."""
        return next((n[7:] for n in reversed(self.read_notes()) if n.startswith("STATUS=")), "")

    def text(self):
        with open(self.log) as log:
            return log.read()

    def says(self, pattern, seconds=0):
        """Every line of its log with that pattern; waits for the first."""
        return wait_until(lambda: [line for line in self.text().splitlines() if re.search(pattern, line)], seconds)

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self, seconds=10):
        """Its exit status; None: it did not stop, and was killed."""
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def kill(self):
        self.process.kill()
        self.process.wait()


class Test(Tap):
    def __init__(self):
        super().__init__()
        self.folder = tempfile.mkdtemp(prefix="udpdiag-test-")
        os.chmod(self.folder, 0o755)
        self.daemons = []
        self.host = Host(self.folder)
        self.database = os.path.join(self.folder, "state", "udpdiag.db")
        self.config = self.configure()

    def configure(self, name="udpdiag.conf", **sections):
        """Writes a configuration: CONFIG, with the keys of each given section replaced."""
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            for section in CONFIG.keys() | sections.keys():
                file.write(f"[{section}]\n")
                for key, value in {**CONFIG.get(section, {}), **sections.get(section, {})}.items():
                    file.write(f"{key} = {value}\n")
        return path

    def daemon(self, *options, **words):
        return Daemon(self, *options, **words)

    def query(self, sql, *values, database=None):
        """All rows; no rows where there is no such database or table yet."""
        try:
            db = sqlite3.connect(f"file:{database or self.database}?mode=ro", uri=True, timeout=5)
            try:
                return db.execute(sql, values).fetchall()
            finally:
                db.close()
        except sqlite3.OperationalError:
            return []

    def value(self, sql, *values, database=None):
        rows = self.query(sql, *values, database=database)
        return rows[0][0] if rows else None

    def stored_loss(self, database=None):
        return self.value("SELECT coalesce(sum(udp_rcvbuf_errors), 0) FROM snmp", database=database)

    def alerts(self):
        names = ["id", "cause", "severity", "begin_ms", "last_ms", "end_ms", "reminders", "lost", "verdict"]
        return [dict(zip(names, row)) for row in self.query(f"SELECT {', '.join(names)} FROM alert ORDER BY id")]

    def skip(self, why):
        """Instead of a check that cannot be made here."""
        self.n += 1
        print(f"ok {self.n} - # SKIP {why}", flush=True)

    def end(self):
        for daemon in self.daemons:
            if daemon.process.poll() is None:
                daemon.kill()
            if self.failed:
                for line in daemon.text().splitlines()[-20:]:
                    print(f"# {os.path.basename(daemon.log)}: {line}")
        shutil.rmtree(self.folder, ignore_errors=True)
        print(f"1..{self.n}")
        sys.exit(1 if self.failed else 0)


def run(body):
    """Calls body(test) and cleans up whatever happens in it."""
    test = Test()
    try:
        body(test)
    except Exception as error:  # the rest of the checks is missing: that is a failure too
        import traceback
        test.check(False, "the test runs to its end", traceback.format_exc() or error)
    test.end()
