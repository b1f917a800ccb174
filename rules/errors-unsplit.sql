-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       errors-unsplit
-- kind       cause
-- explains   unexplained
-- severity   warning
-- title      Receive errors that are not told apart here{place}
-- needs      snmp.udp_in_errors|snmp.udp6_in_errors
-- param      certain = 0.5
-- param      one_look = 0.4       the growth since boot may be old
-- param      noise = 0.00001      share of the arrivals that a host may have refused since boot without a word
-- param      stock_bytes = 212992   the kernel's default buffer; older ones had less
-- evidence   lost datagrams {lost} of {in_errors} receive errors have no name here, {lost_share} of what
--            arrived
-- evidence   missing - {missing} are not counted here, by this kernel or in this output; they can be
--            {candidates}
-- evidence   rmem_default_bytes bytes a new socket's buffer holds {rmem_default_bytes}
--            ({rmem_default_bytes:raw}), SO_RCVBUF may ask for {rmem_max_bytes} ({rmem_max_bytes:raw})
-- evidence   udp_mem_share ratio UDP memory is at {udp_mem_share} of its limit (udp_mem[0])
-- do         Full buffers: run twice, the socket whose d (older: Recv-Q at the limit) grows || {enter}ss -uamnp
-- do         UDP memory: pages in use (mem) against the first number of the limit ||
--            sh -c 'grep UDP: /proc/net/sockstat; sysctl net.ipv4.udp_mem'
-- do         Buffers are at the kernel's default or below: try a bigger one, for sockets made from now on ||
--            sysctl -w net.core.rmem_default=1048576 net.core.rmem_max=1048576 ||
--            sysctl -w net.core.rmem_default={old_default} net.core.rmem_max={old_max}
-- not        A bad checksum: those are counted by name here ({csum_errors})
-- ruled-out  all receive errors have a name of their own in {seconds}
-- ref        net/ipv4/proc.c: InCsumErrors since 3.10, MemErrors since 5.11; before it udp_mem refusals are in
--            InErrors only
SELECT netns, datagrams AS lost, CAST(errors AS INTEGER) AS in_errors,
       datagrams / (errors + delivered) AS lost_share,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       CASE WHEN udp_rcvbuf_errors IS NULL THEN 'RcvbufErrors'
            WHEN udp_in_csum_errors IS NULL THEN 'InCsumErrors and MemErrors' ELSE 'MemErrors' END AS missing,
       CASE WHEN udp_rcvbuf_errors IS NULL THEN 'full socket buffers (most likely), bad checksums, '
            WHEN udp_in_csum_errors IS NULL THEN 'bad checksums, full buffers of 3.x kernels, '
            ELSE 'full buffers of 3.x kernels, ' END
       || 'UDP memory at udp_mem (likely with large buffers), a socket filter or policy, malformed datagrams'
           AS candidates,
       rmem_default_bytes, rmem_max_bytes, 1.0 * udp_mem_pages / udp_mem_min_pages AS udp_mem_share,
           udp_in_csum_errors AS csum_errors,
       CASE WHEN udp_rcvbuf_errors IS NULL AND rmem_default_bytes <= :stock_bytes
           THEN rmem_default_bytes END AS old_default,
       CASE WHEN udp_rcvbuf_errors IS NULL AND rmem_max_bytes <= :stock_bytes THEN rmem_max_bytes END AS old_max,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM ledger JOIN (SELECT netns, netns_pid, udp_rcvbuf_errors, udp_in_csum_errors,
    TOTAL(udp_in_errors) + TOTAL(udp6_in_errors) AS errors,
                         TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams) AS delivered FROM snmp
                             GROUP BY netns) USING (netns)
LEFT JOIN (SELECT rmem_default_bytes, rmem_max_bytes, udp_mem_min_pages FROM sysctl WHERE netns = 'host')
LEFT JOIN (SELECT udp_mem_pages_max AS udp_mem_pages FROM sockstat WHERE netns = 'host'), window
WHERE locus = 'unexplained' AND datagrams > CASE WHEN kind = 'since-boot' THEN :noise * (delivered + errors)
    ELSE 0 END;
