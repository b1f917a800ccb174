-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       headroom-udp-memory
-- kind       note
-- explains   -
-- text       Socket memory: UDP holds {used_bytes} of {limit_bytes} (udp_mem), {used_share}
-- needs      sockstat.udp_mem_pages sysctl.udp_mem_min_pages
-- param      page = 4096          bytes
-- ref        net/core/sock.c: udp_mem[0] is the limit
SELECT udp_mem_pages_max * :page AS used_bytes, udp_mem_min_pages * :page AS limit_bytes,
       1.0 * udp_mem_pages_max / udp_mem_min_pages AS used_share
FROM sockstat JOIN sysctl USING (netns)
WHERE netns = 'host' AND udp_mem_pages_max IS NOT NULL AND udp_mem_min_pages > 0 AND NOT EXISTS (SELECT 1
    FROM ledger);
