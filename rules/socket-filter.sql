-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       socket-filter
-- kind       cause
-- explains   socket-filter
-- severity   info
-- title      {a_filter} refuses datagrams for {reader}{place}
-- needs      socket.drops
-- param      certain = 0.93        the socket has a filter
-- param      unseen = 0.7          whether it has one is not seen; its queue was never nearly full
-- evidence   refused datagrams {refused} datagrams reached the socket and were dropped there, without RcvbufErrors
-- evidence   queue_peak_bytes bytes its queue was never full: {queue_peak_bytes} of {rcvbuf_bytes} at most
-- evidence   attached flag the program attached a filter to its socket (SO_ATTACH_FILTER, SO_ATTACH_BPF)
-- evidence   owner_names - the socket is held by {owner_names}
-- against    unseen flag whether the socket has a filter is not seen: an IPsec policy or a security module would look
--            the same
-- do         Nothing, if it is meant to: the program wants a part of what comes only
-- do         Else see whether its unit refuses addresses || systemctl show -p IPAddressDeny -p IPAddressAllow {filter_unit}
-- do         And which programs stand at its control group || bpftool cgroup tree /sys/fs/cgroup{group}
-- do         And its policies, where IPsec is in use{policies} || ip xfrm policy
-- not        A larger buffer: the queue has room
-- ruled-out  no socket dropped more than its queue and memory explain
-- ref        net/ipv4/udp.c udp_queue_rcv_one_skb(): xfrm4_policy_check(), udp_sk filter: InErrors and the socket's drops
SELECT netns, address, port, process, pid, unit, container, filter_lost AS lost, filter_lost AS subject_lost,
       CASE WHEN has_filter THEN :certain ELSE :unseen END AS confidence,
       CASE WHEN has_filter THEN 'Its own filter' ELSE 'A filter or policy' END AS a_filter, reader, place,
           filter_lost AS refused,
       CASE WHEN queue_peak_bytes < 0.5 * rcvbuf_bytes THEN queue_peak_bytes END AS queue_peak_bytes, rcvbuf_bytes,
       CASE WHEN has_filter THEN 1 END AS attached, owner_names, CASE WHEN has_filter IS NULL THEN 1 END AS unseen,
       CASE WHEN has_filter IS NULL THEN unit END AS filter_unit, CASE WHEN has_filter IS NULL THEN '' END AS policies,
       CASE WHEN has_filter IS NULL THEN COALESCE(unified_cgroup, cgroup) END AS "group"
FROM receiver
WHERE filter_lost > 0;
