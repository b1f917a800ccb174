-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       udp-rmem-small
-- kind       level
-- explains   -
-- severity   info
-- unit       ms
-- text       At the highest rate measured ({peak_rate}) the default receive buffer ({rmem_default_bytes})
--            would last {hold_ms} should one socket take it all
-- needs      snmp.udp_in_datagrams sysctl.rmem_default_bytes
-- param      hold = 4             ms: about what a reader waits for its turn on a busy CPU
-- param      busy = 1000          datagrams a second below which it is not worth a word
-- param      truesize = 2304      memory of one datagram of up to 1,472 bytes in the queue
-- param      pause = 0.1          s of pause that the advised buffer holds
-- param      largest = 16777216   bytes
-- do         Hold {pause_ms} of it: new sockets get {new_bytes} (taken only while a reader falls behind);
--            restart the program || sysctl -w net.core.rmem_default={new_bytes} ||
--            sysctl -w net.core.rmem_default={rmem_default_bytes}
-- do         For programs that set SO_RCVBUF themselves (the kernel doubles what they ask) ||
--            sysctl -w net.core.rmem_max={new_max_bytes} || sysctl -w net.core.rmem_max={rmem_max_bytes}
-- ref        rate x pause x truesize
WITH peak AS (
    SELECT netns, MAX((COALESCE(udp_in_datagrams, 0) + COALESCE(udp6_in_datagrams, 0)) / seconds) AS peak_rate
    FROM snmp_step WHERE netns NOT IN (SELECT netns FROM ledger WHERE locus = 'socket-queue') GROUP BY netns),
judged AS (
    SELECT netns, peak_rate, rmem_default_bytes, rmem_max_bytes,
           1000.0 * rmem_default_bytes / (peak_rate * :truesize) AS hold_ms,
           MIN(:largest, CAST(peak_rate * :pause * :truesize / 65536 + 1 AS INTEGER) * 65536) AS new_bytes
    FROM peak, (SELECT rmem_default_bytes, rmem_max_bytes FROM sysctl WHERE netns = 'host'), window
    WHERE kind <> 'since-boot' AND peak_rate >= :busy)
SELECT netns, hold_ms AS value, hold_ms, peak_rate, rmem_default_bytes, rmem_max_bytes, new_bytes,
       1000.0 * new_bytes / (peak_rate * :truesize) AS pause_ms,
       CASE WHEN new_bytes / 2 > rmem_max_bytes THEN new_bytes / 2 END AS new_max_bytes
FROM judged
WHERE hold_ms < :hold AND new_bytes > rmem_default_bytes;
