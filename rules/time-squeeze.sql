-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       time-squeeze
-- kind       note
-- explains   -
-- text       Receive rounds ended {squeezes} times with work left (time_squeeze): no loss by itself
-- needs      softnet.time_squeeze
-- param      few = 10             times
-- ref        net/core/dev.c net_rx_action(); loss shows at the ring or the backlog
SELECT SUM(time_squeeze) AS squeezes FROM softnet HAVING squeezes >= :few;
