-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       malformed-datagrams
-- kind       cause
-- explains   malformed
-- severity   warning
-- title      Malformed or refused datagrams arrive{place}
-- needs      snmp.udp_in_errors snmp.udp_rcvbuf_errors snmp.udp_in_csum_errors snmp.udp_mem_errors
-- param      certain = 0.5        a filter or policy on the socket counts the same
-- param      one_look = 0.35      the growth since boot may be old
-- param      noise = 0.00001      share of the arrivals that a host may have refused since boot without a word
-- evidence   lost datagrams {lost} of {in_errors} errors are neither full buffer, nor checksum, nor memory: a
--            wrong length in the UDP header
-- evidence   pf_memalloc datagrams {pf_memalloc} packets were dropped since they came in on emergency memory
-- against    filter flag the same count: a socket filter, IPAddressDeny of a unit, an IPsec policy, UDP-Lite
--            coverage rules
-- do         Catch some: a length below 8 or above the packet's ||
--            {enter}tcpdump -vvni any -c 500 udp | grep -i "bad length\|truncated"
-- do         See whether a unit refuses addresses on purpose ||
--            systemctl show -p IPAddressDeny '*.service' | grep -v '=$'
-- do         See whether an IPsec policy refuses them || {enter}grep -v " 0$" /proc/net/xfrm_stat
-- not        A bigger buffer: none of these was full
-- ruled-out  all receive errors have a name of their own: no malformed datagrams in {seconds}
-- ref        net/ipv4/udp.c: InErrors - RcvbufErrors - InCsumErrors - MemErrors
SELECT netns, datagrams AS lost, CAST(errors AS INTEGER) AS in_errors, CASE WHEN kind = 'since-boot' THEN :one_look
       ELSE :certain END AS confidence,
       NULLIF(tcp_ext_pf_memalloc_drop, 0) AS pf_memalloc, 1 AS filter,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM ledger JOIN (SELECT netns, netns_pid, tcp_ext_pf_memalloc_drop, TOTAL(udp_in_errors) + TOTAL(udp6_in_errors)
                         + TOTAL(udplite_in_errors) + TOTAL(udplite6_in_errors) AS errors,
                         TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams) AS delivered FROM snmp
                             GROUP BY netns) USING (netns), window
WHERE locus = 'malformed' AND datagrams > CASE WHEN kind = 'since-boot' THEN :noise * (delivered + errors)
    ELSE 0 END;
