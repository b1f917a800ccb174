-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       sign-bad-checksum
-- kind       sign
-- under      checksum-offload
-- explains   checksum
-- severity   warning
-- title      Datagrams with bad checksums come from {peer} to the {what} port {port}
-- needs      kernel_log.messages
-- param      tunnel = 0.7          a tunnel's port: the sender's offload for packets inside of tunnels is the usual fault
-- param      other = 0.4           of any other port the path may be at fault as well
-- evidence   messages messages {messages} messages "UDP: bad checksum" name {peer} and port {port:raw}; this host's own stack
--            dropped them
-- evidence   alone flag they all come from one host
-- against    limited flag messages are rate limited: they tell that it happens, not how often
-- against    unproven flag no tunnel: a broken device on the path does the same
-- do         How many are dropped of what comes: counters, twice || nstat -az UdpInCsumErrors UdpInDatagrams
-- do         On the sender, {peer}: let the kernel compute them (tx-checksum-ip-generic); if it helps, its driver or kernel
--            is at fault || ethtool -K {device} tx-checksum-ip-generic off || ethtool -K {device} tx-checksum-ip-generic on
-- do         On the sender, {peer}: let the kernel compute them; if it helps, its driver is at fault{plain} ||
--            ethtool -K INTERFACE tx-checksumming off || ethtool -K INTERFACE tx-checksumming on
-- not        tcpdump on the sender: with offload it always shows bad checksums there; look on this host
-- not        Packet sizes: a datagram too big for the path does not arrive at all
-- ruled-out  no message about bad checksums is in the input
-- ref        net/ipv4/udp.c __udp4_lib_rcv(): the message, and UDP_MIB_CSUMERRORS
WITH told AS (
    SELECT peer, port, messages, suppressed, SUM(messages) OVER (PARTITION BY port) AS of_port,
           COUNT(*) OVER (PARTITION BY port) AS peers
    FROM (SELECT peer, port, SUM(COALESCE(messages, 0)) AS messages, SUM(COALESCE(suppressed, 0)) AS suppressed
          FROM kernel_log WHERE kernel_log.kind = 'udp-bad-checksum' GROUP BY peer, port)),
tunnels(number, name, device) AS (
    VALUES (4789, 'VXLAN', 'vxlan.calico'), (8472, 'VXLAN', 'flannel.1'), (6081, 'Geneve', 'INTERFACE'),
           (4754, 'GRE-in-UDP', 'INTERFACE'))
SELECT port, (SELECT SUM(datagrams) FROM ledger WHERE locus = 'checksum') * messages / of_port AS lost,
       CASE WHEN name IS NOT NULL THEN :tunnel ELSE :other END AS confidence, peer, COALESCE(name, 'UDP') AS what,
       messages, CASE WHEN peers = 1 THEN 1 END AS alone, 1 AS limited, CASE WHEN name IS NULL THEN 1 END AS unproven,
       device, CASE WHEN name IS NULL THEN '' END AS plain
FROM told LEFT JOIN tunnels ON number = port
WHERE messages >= 0.1 * of_port
ORDER BY messages DESC LIMIT 3;
