-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       socket-attribution
-- kind       note
-- explains   socket-queue
-- text       {named} of {all} datagrams lost at socket queues are attributed to sockets that are still there; the
--            other {others}: sockets that closed or were not seen{skew}{place}
-- needs      socket.drops
-- param      skew = 0.1           share of the loss that may be the time between reading one counter and the other
-- ref        RcvbufErrors belongs to the namespace, drops to the socket, and goes with it
SELECT netns, CAST(ROUND(named) AS INTEGER) AS named, datagrams AS "all", CAST(ROUND(datagrams - named) AS INTEGER)
       AS others,
       CASE WHEN datagrams - named <= :skew * datagrams THEN ', or the counters moved while they were read' ELSE ''
           END AS skew,
       CASE netns WHEN 'host' THEN '' ELSE ' (namespace ' || netns || ')' END AS place
FROM ledger JOIN (SELECT netns, SUM(lost) AS named FROM lossy_socket GROUP BY netns) USING (netns), window
WHERE locus = 'socket-queue' AND named > 0 AND datagrams - named >= 0.5 AND kind <> 'since-boot';
