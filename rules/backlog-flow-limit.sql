-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       backlog-flow-limit
-- kind       cause
-- explains   backlog
-- severity   warning
-- title      The flow limit of the backlog drops packets of single large flows
-- needs      softnet.flow_limit_count
-- param      certain = 0.95
-- param      one_look = 0.7       the growth since boot may be old
-- evidence   lost packets {lost} packets of flows that took more than half of a queue at least half full
-- evidence   bitmap - CPUs that limit flows: mask {bitmap}
-- do         Switch it off, if these flows are wanted || sysctl -w net.core.flow_limit_cpu_bitmap=0 ||
--            sysctl -w net.core.flow_limit_cpu_bitmap={bitmap}
-- do         Or keep small flows apart better: more buckets, then write the mask again ||
--            sysctl -w net.core.flow_limit_table_len={new_table} net.core.flow_limit_cpu_bitmap={bitmap} ||
--            sysctl -w net.core.flow_limit_table_len={table_len} net.core.flow_limit_cpu_bitmap={bitmap}
-- do         Spread the flow over CPUs, or its sender over ports
-- not        netdev_max_backlog: the limit bites at half of it, whatever it is
-- ruled-out  no packet was dropped by a flow limit in {seconds}
-- ref        net/core/dev.c skb_flow_limit(): softnet columns 11 (of the steering CPU) and 2
SELECT SUM(flow_limit_count) AS lost, CASE (SELECT kind FROM window) WHEN 'since-boot' THEN :one_look ELSE :certain END
           AS confidence, flow_limit_cpu_bitmap AS bitmap,
       flow_limit_table_len AS table_len, 2 * flow_limit_table_len AS new_table
FROM softnet LEFT JOIN (SELECT flow_limit_cpu_bitmap, flow_limit_table_len FROM sysctl WHERE netns = 'host')
WHERE flow_limit_count > 0
HAVING SUM(flow_limit_count) > 0;
