-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       rp-filter
-- kind       cause
-- explains   rp-filter
-- severity   warning
-- title      The reverse path filter drops packets{place}
-- needs      snmp.tcp_ext_ip_reverse_path_filter
-- param      certain = 0.85       packets of all protocols are counted
-- param      one_look = 0.5       the growth since boot may be old
-- evidence   lost packets {lost} packets dropped, {lost_share} of what arrived: their answer would leave by
--            another interface
-- evidence   strict_interfaces - strict (1): {strict_interfaces}
-- evidence   rp_filter_all - net.ipv4.conf.all.rp_filter is {rp_filter_all}; of it and the interface's own the
--            higher holds
-- do         See which source comes in where (in the kernel log; switch it off again) ||
--            {enter}sysctl -w net.ipv4.conf.all.log_martians=1 ||
--            {enter}sysctl -w net.ipv4.conf.all.log_martians={log_martians}
-- do         If those sources are yours: loose mode on the interface they come in by ||
--            {enter}sysctl -w net.ipv4.conf.{interface_arg}.rp_filter=2 ||
--            {enter}sysctl -w net.ipv4.conf.{interface_arg}.rp_filter={rp_filter}
-- do         If those sources are yours: loose mode for all interfaces ||
--            {enter}sysctl -w net.ipv4.conf.all.rp_filter=2 ||
--            {enter}sysctl -w net.ipv4.conf.all.rp_filter={all_unless_one}
-- do         Or mend the routes, so that the answer leaves where the packet came in ||
--            {enter}ip route get SOURCE
-- not        Firewall rules, buffers: the packets are dropped before both
-- not        in_martian_src of /proc/net/stat/rt_cache is the same loss, not a second one
-- ruled-out  the reverse path filter dropped no packets worth naming in {seconds}
-- ref        net/ipv4/fib_frontend.c fib_validate_source(); Documentation/networking/ip-sysctl.rst rp_filter;
--            IPv6 has none
WITH strict AS (
    SELECT netns, COUNT(*) AS n, MIN(interface) AS one, GROUP_CONCAT(interface, ', ') AS names,
           MIN(rp_filter) AS rp_filter
    FROM link LEFT JOIN sysctl USING (netns)
    WHERE interface <> 'lo' AND MAX(link.rp_filter, COALESCE(rp_filter_all, 0)) = 1 GROUP BY netns)
SELECT netns, datagrams AS lost, 1.0 * datagrams / ip_in_receives AS lost_share,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       names AS strict_interfaces, rp_filter_all, COALESCE(log_martians_all, 0) AS log_martians,
       CASE WHEN n = 1 THEN REPLACE(one, '.', '/') END AS interface_arg, strict.rp_filter,
       CASE WHEN COALESCE(n, 0) <> 1 THEN COALESCE(rp_filter_all, 'OLD') END AS all_unless_one,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM ledger JOIN snmp USING (netns) LEFT JOIN sysctl USING (netns) LEFT JOIN strict USING (netns), window
WHERE locus = 'rp-filter';
