-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       sndbuf-full
-- kind       cause
-- explains   send-buffer
-- after      peer-backlog
-- severity   warning
-- title      Send buffers of UDP sockets are full{place}
-- needs      snmp.udp_sndbuf_errors|snmp.udp6_sndbuf_errors
-- param      certain = 0.8        what a queueing discipline or a veth peer refused is taken off already
-- param      one_look = 0.5       the growth since boot may be old, and qdisc counters younger
-- param      unseen = 0.5         in other namespaces the queues below are not seen
-- param      noise = 0.00001      share of what was sent that may have failed since boot without a word
-- evidence   lost datagrams {lost} datagrams did not fit into their socket's send buffer
-- evidence   lost_share ratio that is {lost_share} of what was to be sent
-- evidence   elsewhere datagrams {elsewhere} more SndbufErrors are drops of a queue below, counted there
-- evidence   wmem_default_bytes bytes a new socket's send buffer holds {wmem_default_bytes}
--            ({wmem_default_bytes:raw}), SO_SNDBUF may ask for {wmem_max_bytes}
-- against    queues_unseen flag the queueing disciplines of this namespace are not seen: their drops count the
--            same
-- do         Find the socket: t in skmem near tb || {enter}ss -uamnp
-- do         In the program: on EAGAIN wait until the socket is writable, or spread its bursts
--            (SO_MAX_PACING_RATE with the fq qdisc)
-- do         See whether the device below is the brake || {enter}tc -s qdisc
-- not        Receive buffers (rmem_*): this loss is on the way out, and the program was told (EAGAIN)
-- ruled-out  no full send buffers worth naming in {seconds}
-- ref        net/ipv4/udp.c udp_sendmsg(): SOCK_NOSPACE counts SndbufErrors
SELECT netns, datagrams AS lost, CASE WHEN sent > 0 THEN datagrams / (datagrams + sent) END AS lost_share,
       CASE WHEN kind = 'since-boot' THEN :one_look WHEN netns <> 'host' THEN :unseen
           ELSE :certain END AS confidence,
       CASE WHEN netns <> 'host' THEN 1 END AS queues_unseen,
       CASE WHEN errors > datagrams THEN CAST(errors - datagrams AS INTEGER) END AS elsewhere,
       wmem_default_bytes, wmem_max_bytes,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM ledger JOIN (SELECT netns, netns_pid, TOTAL(udp_out_datagrams) + TOTAL(udp6_out_datagrams) AS sent,
                         TOTAL(udp_sndbuf_errors) + TOTAL(udp6_sndbuf_errors) AS errors FROM snmp
                             GROUP BY netns) USING (netns)
LEFT JOIN (SELECT wmem_default_bytes, wmem_max_bytes FROM sysctl WHERE netns = 'host'), window
WHERE locus = 'send-buffer' AND datagrams > CASE WHEN kind = 'since-boot' THEN :noise * (datagrams + sent)
    ELSE 0 END;
