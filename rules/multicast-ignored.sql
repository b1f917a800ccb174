-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       multicast-ignored
-- kind       no-loss
-- explains   no-listener
-- severity   info
-- title      Multicast or broadcast to ports that nobody reads{place}: no loss
-- needs      snmp.udp_ignored_multi|snmp.udp6_ignored_multi
-- param      certain = 0.9
-- param      few = 10             datagrams
-- evidence   ignored datagrams {ignored} datagrams of groups or broadcasts that reach this host, for ports
--            without a reader
-- do         Nothing to mend. To see what they are ||
--            {enter}tcpdump -ni any -c 50 inbound and udp and multicast
-- ref        net/ipv4/udp.c __udp4_lib_mcast_deliver(): IgnoredMulti, not part of InErrors
SELECT netns, CAST(ignored AS INTEGER) AS ignored, :certain AS confidence,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM (SELECT netns, netns_pid, TOTAL(udp_ignored_multi)
    + TOTAL(udp6_ignored_multi) + TOTAL(udplite_ignored_multi) AS ignored
      FROM snmp GROUP BY netns)
WHERE ignored >= :few;
