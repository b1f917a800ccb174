-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       silent-losses
-- kind       note
-- explains   -
-- text       These counters would not show: drops by firewall rules, multicast of groups that nobody joined,
--            impossible source addresses, datagrams unread when a socket closes, generic XDP programs
-- needs      snmp.udp_in_errors|snmp.udp6_in_errors
-- ref        the kernel counts none of these in SNMP: net/ipv4/ip_input.c, net/ipv4/route.c,
--            udp_destruct_common()
SELECT 1 AS shown WHERE NOT EXISTS (SELECT 1 FROM ledger);
