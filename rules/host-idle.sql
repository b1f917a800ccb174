-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       host-idle
-- kind       note
-- explains   -
-- text       The CPUs were idle {idle_percent}, waited for disks {iowait_percent}, were taken by the hypervisor {steal_percent}:
--            were datagrams lost in that time, neither CPU nor disk is why; bursts that a receive buffer does not hold are.
--            The counters of UDP, twice, would tell
-- needs      cpu.idle
-- param      idle = 90            percent
-- param      wait = 2             percent
-- ref        without counters of UDP nothing says that something was lost
WITH total AS (
    SELECT TOTAL(idle) AS idle, TOTAL(iowait) AS iowait, TOTAL(steal) AS steal,
           TOTAL(user) + TOTAL(nice) + TOTAL(system) + TOTAL(idle) + TOTAL(iowait) + TOTAL(irq) + TOTAL(softirq)
               + TOTAL(steal) AS ticks
    FROM cpu),
shares AS (
    SELECT 100.0 * idle / ticks AS idle_percent, 100.0 * iowait / ticks AS iowait_percent, 100.0 * steal / ticks AS steal_percent
    FROM total WHERE ticks > 0)
SELECT ROUND(idle_percent, 2) AS idle_percent, ROUND(iowait_percent, 2) AS iowait_percent,
       ROUND(steal_percent, 2) AS steal_percent
FROM shares, window
WHERE kind IN ('capture', 'since-boot') AND idle_percent >= :idle AND iowait_percent < :wait AND steal_percent < :wait
    AND NOT EXISTS (SELECT 1 FROM snmp WHERE COALESCE(udp_in_datagrams, udp_rcvbuf_errors, udp6_in_datagrams,
        udp6_rcvbuf_errors) IS NOT NULL);
