-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       conntrack-full
-- kind       cause
-- explains   conntrack
-- severity   critical
-- title      The connection tracking table is full{place}
-- needs      conntrack.drop conntrack.count
-- param      certain = 0.95
-- param      one_look = 0.6       the growth since boot may be old
-- param      unseen = 0.4         where neither the limit nor a fill near it was seen
-- param      near = 0.95          share of the limit
-- param      bytes_per_entry = 320
-- evidence   lost packets {lost} packets of new connections dropped
-- evidence   fill_share ratio {entries} of {nf_conntrack_max} entries in use ({fill_share})
-- evidence   early_drop entries {early_drop} old entries were removed early to make room
-- against    limit_unknown flag the limit (nf_conntrack_max) could not be read
-- do         Let the table hold {new_max} entries (up to {memory_bytes} of kernel memory) ||
--            sysctl -w net.netfilter.nf_conntrack_max={new_max} ||
--            sysctl -w net.netfilter.nf_conntrack_max={nf_conntrack_max}
-- do         and give it as many hash buckets as a quarter of that ||
--            echo {new_buckets} | tee /sys/module/nf_conntrack/parameters/hashsize ||
--            echo {nf_conntrack_buckets} | tee /sys/module/nf_conntrack/parameters/hashsize
-- do         Better: do not track the service's datagrams at all (PORT: its port) ||
--            {enter}iptables -t raw -A PREROUTING -p udp --dport PORT -j CT --notrack ||
--            {enter}iptables -t raw -D PREROUTING -p udp --dport PORT -j CT --notrack
-- do         See who fills it || {enter}conntrack -L -p udp 2>/dev/null | awk '{{print $4, $7}}' | sort | uniq
--            -c | sort -rn | head
-- not        A firewall rule or a buffer: the packets are dropped for want of an entry
-- ruled-out  the connection tracking table was not full in {seconds}
-- ref        net/netfilter/nf_conntrack_core.c: one limit, compared with each namespace's own count
WITH host AS (SELECT nf_conntrack_max, nf_conntrack_buckets FROM sysctl WHERE netns = 'host')
SELECT c.netns, "drop" - COALESCE(insert_failed, 0) AS lost,
       CASE WHEN COALESCE(count_max < :near * nf_conntrack_max, 1) THEN :unseen
            WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       count_max AS entries, nf_conntrack_max, 1.0 * count_max / nf_conntrack_max AS fill_share,
       NULLIF(early_drop, 0) AS early_drop, CASE WHEN nf_conntrack_max IS NULL THEN 1 END AS limit_unknown,
       2 * nf_conntrack_max AS new_max, 2 * nf_conntrack_max * :bytes_per_entry AS memory_bytes,
       nf_conntrack_max / 2 AS new_buckets, nf_conntrack_buckets,
       CASE c.netns WHEN 'host' THEN '' ELSE ' in namespace ' || c.netns END AS place,
       CASE c.netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM conntrack c LEFT JOIN (SELECT netns, netns_pid FROM snmp) USING (netns) LEFT JOIN host, window
WHERE "drop" > COALESCE(insert_failed, 0) AND (nf_conntrack_max IS NULL OR count_max >= :near * nf_conntrack_max);
