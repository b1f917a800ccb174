#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kill -9 and start again: at most five seconds are missing, and the growth over the gap is counted."""
import time

from rig import run


def body(test):
    host = test.host
    daemon = test.daemon()
    lost = host.lose_for(4)
    killed_ms = time.time() * 1000
    daemon.kill()
    newest = test.value("SELECT max(end_ms) FROM step")
    steps = test.value("SELECT count(*) FROM step")
    test.check(newest >= killed_ms - 5000, "a kill costs five seconds of samples at most",
               f"newest {newest}, killed at {killed_ms}")

    host.lose(1000)
    time.sleep(2)
    daemon = test.daemon()
    time.sleep(1)
    test.check(test.value("SELECT count(*) FROM step WHERE end_ms <= ?", newest) == steps, "what was stored stays")
    test.check(test.stored_loss() == lost + 1000, "the growth over the gap is counted, all of it and once",
               f"stored {test.stored_loss()}, lost {lost + 1000}")
    gap = test.query("SELECT length_ms, flags FROM step WHERE end_ms > ? ORDER BY step LIMIT 1", newest)
    test.check(bool(gap) and gap[0][0] > 2000 and gap[0][1] & 1, "the step over the gap is as long and marked", gap)

    test.check(daemon.stop() == 0, "SIGTERM ends it well")
    host.lose(500)
    daemon = test.daemon()
    time.sleep(0.5)
    test.check(test.stored_loss() == lost + 1500, "and so it is after a stop",
               f"stored {test.stored_loss()}, lost {lost + 1500}")
    daemon.stop()

    # After a boot the counters begin anew, although they may have come further than before.
    host.write("proc/sys/kernel/random/boot_id", "99999999-2222-3333-4444-555555555555\n")
    host.lose(700)
    daemon = test.daemon()
    time.sleep(0.5)
    test.check(test.stored_loss() == lost + 1500, "counters of another boot are not compared",
               f"stored {test.stored_loss()}, lost {lost + 1500}")
    daemon.stop()


run(body)
