-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       rmem-wrapped
-- kind       level
-- explains   -
-- severity   critical
-- unit       bytes
-- text       The receive memory of {reader} is {shown}, and its buffer {rcvbuf_bytes}: a bug of this kernel. The
--            socket takes nothing any more, or without a limit{place}
-- needs      socket.rmem_bytes socket.rcvbuf_bytes
-- param      times = 8             the buffer: more than any overshoot, or a buffer made smaller later
-- param      spare_bytes = 1048576   for small buffers and large datagrams
-- param      wrapped = 2147483648  an unsigned number above it is a negative one
-- do         Restart the program: the count belongs to the socket || systemctl restart {restart_unit}
-- do         Update the kernel, and report it with this
-- ref        net/ipv4/udp.c udp_rmem_release(), sk_rmem_alloc: an int that wrapped around
SELECT s.netns, address, port, p.comm AS process, o.pid, NULLIF(p.unit, '') AS unit, NULLIF(p.container,
       '') AS container,
       s.rmem_bytes AS value, s.rcvbuf_bytes,
       CASE WHEN s.rmem_bytes >= :wrapped THEN (s.rmem_bytes - 4294967296) || ' bytes' WHEN s.rmem_bytes < 0
           THEN s.rmem_bytes || ' bytes' ELSE s.rmem_bytes / 1048576 || ' MiB' END AS shown,
       COALESCE(p.comm || ' (port ' || port || ')', 'port ' || port) AS reader, NULLIF(p.unit, '') AS restart_unit,
       CASE s.netns WHEN 'host' THEN '' ELSE ' in namespace ' || s.netns END AS place
FROM socket s LEFT JOIN (SELECT inode, MIN(pid) AS pid FROM owner GROUP BY inode) o ON o.inode = s.inode AND s.inode > 0
LEFT JOIN process p ON p.pid = o.pid
WHERE s.rmem_bytes < 0 OR s.rmem_bytes >= :wrapped OR s.rmem_bytes > :times * s.rcvbuf_bytes + :spare_bytes;
