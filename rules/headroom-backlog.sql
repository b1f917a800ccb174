-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       headroom-backlog
-- kind       note
-- explains   -
-- text       Backlog: at most {longest} of {limit} packets were queued on a CPU
-- needs      softnet.backlog_length sysctl.netdev_max_backlog
-- ref        softnet_stat column 12
SELECT MAX(backlog_length_max) AS longest, "limit"
FROM softnet, (SELECT netdev_max_backlog AS "limit" FROM sysctl WHERE netns = 'host')
WHERE NOT EXISTS (SELECT 1 FROM ledger)
HAVING longest IS NOT NULL;
