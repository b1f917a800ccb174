#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A damaged database, one of another daemon, one of a newer version, a folder that is missing or cannot be written."""
import os
import shutil
import sqlite3
import stat
import subprocess
import time

from rig import UDPDIAGD, run, wait_until


def damage(test):
    host = test.host
    daemon = test.daemon()
    host.lose_for(1)
    daemon.stop()
    with open(test.database, "r+b") as file:
        file.write(b"this is not a database, it was one" * 200)
    daemon = test.daemon()
    test.check(bool(daemon.says("damaged and was set aside", 2)), "a damaged database is reported", daemon.text())
    test.check(os.path.exists(test.database + ".damaged"), "and kept beside", os.listdir(os.path.dirname(test.database)))
    lost = host.lose_for(1)
    test.check(wait_until(lambda: test.stored_loss() == lost, 5), "and a new one is written",
               f"stored {test.stored_loss()}, lost {lost}")

    # Damage under the daemon's feet, after which it goes on.
    with open(test.database, "r+b") as file:
        file.write(b"\x55" * 65536)
    host.lose_for(6)
    daemon.stop()
    check = test.query("PRAGMA integrity_check")
    test.check(check == [("ok",)], "damage while it runs leaves a whole database behind", check, daemon.text())

    # A file system check or a person may leave a database that is whole but lacks what it must have.
    db = sqlite3.connect(test.database)
    db.execute("DROP TABLE meta")
    db.commit()
    db.close()
    daemon = test.daemon()
    test.check(bool(daemon.says("set aside.*no table meta", 2)), "one without its table meta is reported as damaged",
               daemon.text())
    lost = host.lose_for(1)
    test.check(wait_until(lambda: test.stored_loss() == lost, 5), "and a new one is written",
               f"stored {test.stored_loss()}, lost {lost}")
    daemon.stop()


def others(test):
    daemon = test.daemon()
    second = test.daemon(wait=False)
    code = second.process.wait(10)
    test.check(code == 1 and len(second.says("^udpdiagd: .*udpdiag.db")) == 1,
               "a second daemon on the same database refuses to start, and says why", code, second.text())
    time.sleep(1)
    test.check(daemon.process.poll() is None and not daemon.says("Cannot"), "the first goes on", daemon.text())
    daemon.stop()

    db = sqlite3.connect(test.database)
    db.execute("UPDATE meta SET value = '999' WHERE key = 'schema'")
    db.execute("PRAGMA user_version = 999")
    db.commit()
    db.close()
    newer = test.daemon(wait=False)
    code = newer.process.wait(10)
    test.check(code == 1 and bool(newer.says("newer")), "a database of a newer version is left alone", code, newer.text())
    os.remove(test.database)


def folders(test):
    path = os.path.join(test.folder, "made", "udpdiag.db")
    daemon = test.daemon(database=path)
    mode = stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode)
    test.check(mode & 0o777 == 0o750, "a missing folder is made, closed to others", oct(mode))
    test.check(os.stat(path).st_mode & 0o007 == 0, "and so is the database")
    daemon.stop()

    if os.geteuid() != 0:
        test.skip("needs root to become somebody else")
        return
    folder = os.path.join(test.folder, "closed")
    os.mkdir(folder, 0o755)
    os.chmod(test.folder, 0o755)
    # The build folder may be closed to others.
    program = shutil.copy(UDPDIAGD, os.path.join(test.folder, "udpdiagd"))
    log = os.path.join(test.folder, "nobody")
    with open(log, "w") as out:
        process = subprocess.Popen([program, "--config", test.config, "--root", test.host.root,
                                    "--database", folder + "/udpdiag.db"], stderr=out, user=65534, group=65534,
                                   extra_groups=[])
    test.host.lose_for(4)
    time.sleep(1)
    with open(log) as file:
        lines = file.read().splitlines()
    test.check(len([line for line in lines if "Cannot write the database" in line]) == 1,
               "a folder that cannot be written is told once", lines)
    test.check(any("Alert: " in line for line in lines), "and alerts are raised all the same", lines)
    os.chown(folder, 65534, 65534)
    written = wait_until(lambda: os.path.exists(folder + "/udpdiag.db") and test.stored_loss(folder + "/udpdiag.db"), 15)
    test.check(bool(written), "and when it can be written, what was held back is stored", written)
    process.terminate()
    test.check(process.wait(10) == 0, "it stops well")


def body(test):
    damage(test)
    others(test)
    folders(test)


run(body)
