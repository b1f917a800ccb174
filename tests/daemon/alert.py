#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""An alert begins, reminds, survives kill -9, and ends; no data changes nothing."""
import json
import time

from rig import run, wait_until


def body(test):
    host = test.host
    daemon = test.daemon()
    start = time.monotonic()
    lost = host.lose_for(3)
    begun = wait_until(test.alerts, 3)
    test.check(len(begun) == 1, "a loss that lasts is one alert", test.alerts())
    test.check(bool(daemon.says("^udpdiagd: Alert: ", 1)), "its beginning is a message", daemon.text())
    test.check("datagrams lost in" in daemon.status(), "the status line tells it", daemon.status())
    document = json.loads(begun[0]["verdict"])
    test.check(document["id"] == begun[0]["cause"] and document["locus"] == "socket-queue",
               "its document is the cause", document)

    while time.monotonic() - start < 14:
        lost += host.lose_for(1)
    test.check(len(daemon.says("^udpdiagd: Still: ", 2)) == 1, "it reminds while it lasts", daemon.text())
    wait_until(lambda: test.alerts()[0]["reminders"] == 1, 2)

    daemon.kill()
    daemon = test.daemon()
    lost += host.lose_for(2)
    time.sleep(1)
    test.check(len(test.alerts()) == 1 and not daemon.says("Alert: "), "it goes on after kill -9, and is not begun anew",
               test.alerts(), daemon.text())

    # That nothing is seen is not health.
    text = host.read("proc/1/net/snmp")
    host.write("proc/1/net/snmp", "")
    time.sleep(6)
    test.check(test.alerts()[0]["end_ms"] is None, "no data does not end it", test.alerts(), daemon.text())
    host.write("proc/1/net/snmp", text)
    test.check(bool(daemon.says("^udpdiagd: Over: ", 10)), "health ends it", daemon.text())
    ended = wait_until(lambda: test.alerts() if test.alerts()[0]["end_ms"] else None, 2)[0]
    # What was lost in the five seconds before the kill may be missing in it.
    test.check(lost - 5 * 400 <= ended["lost"] <= lost, "with the total of all its time",
               f"alert {ended['lost']}, lost {lost}")
    test.check(ended["end_ms"] == ended["last_ms"] and ended["begin_ms"] < ended["end_ms"],
               "its end is when the loss was last seen", ended)

    # A daemon that ends while an alert runs, and loss that ends meanwhile.
    lost = host.lose_for(3)
    wait_until(lambda: len(test.alerts()) == 2, 3)
    lost += host.lose_for(1)
    time.sleep(0.5)
    daemon.stop()
    test.check(test.alerts()[-1]["end_ms"] is None, "a stop does not end an alert", test.alerts())
    test.check(test.alerts()[-1]["lost"] == lost, "and its total is exact", f"lost {lost}", test.alerts()[-1]["lost"])
    daemon = test.daemon()
    test.check(bool(daemon.says("^udpdiagd: Over: ", 10)), "one that is over at the next start is ended then", daemon.text())

    host.lose(50)
    time.sleep(4)
    test.check(len(test.alerts()) == 2, "a small single burst is none", test.alerts())
    host.lose(5000)
    test.check(bool(wait_until(lambda: len(test.alerts()) == 3, 4)), "a large one is", test.alerts())
    daemon.stop()

    # Between two turns of the slow lane, which are ten seconds apart.
    daemon = test.daemon()
    time.sleep(0.5)
    host.write("proc/sys/net/core/rmem_default", "123456\n")
    host.lose_for(1)
    seen = wait_until(lambda: test.value("SELECT 1 FROM sysctl WHERE rmem_default_bytes = 123456"), 4)
    test.check(seen == 1, "when a loss begins, the limits are read again",
               test.query("SELECT step, rmem_default_bytes FROM sysctl"))
    daemon.stop()


run(body)
