-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       swap-activity
-- kind       level
-- explains   -
-- severity   warning
-- unit       pages/s
-- text       The host swaps: {in_rate} pages come back from swap, {out_rate} go there, in {active_steps} of
--            {steps} steps; {available_bytes} memory available
-- needs      memory.pswpin
-- param      pages = 20           pages a second read back, on average
-- param      steps = 0.2          share of the steps with pages read back
-- do         See who is swapped (VmSwap) || grep -H VmSwap /proc/[0-9]*/status | sort -k2 -n | tail
-- do         Free memory, or keep the readers of sockets in it ||
--            systemctl set-property --runtime UNIT MemoryLow=SIZE ||
--            systemctl set-property --runtime UNIT MemoryLow=0
-- ref        /proc/vmstat pswpin; a reader that waits for its pages does not read
SELECT pswpin / seconds AS value, 1.0 * pswpin / seconds AS in_rate, 1.0 * pswpout / seconds AS out_rate,
       available_bytes,
       (SELECT COUNT(*) FROM memory_step WHERE pswpin > 0) AS active_steps, steps
FROM memory, window
WHERE kind <> 'since-boot' AND seconds > 0 AND pswpin >= :pages * seconds AND (SELECT COUNT(*) FROM memory_step
    WHERE pswpin > 0) >= :steps * steps;
