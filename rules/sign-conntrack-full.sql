-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       sign-conntrack-full
-- kind       sign
-- under      conntrack-full
-- explains   conntrack
-- severity   warning
-- title      The connection tracking table is full: the kernel says that it drops packets
-- needs      kernel_log.messages
-- param      certain = 0.85        and the table is at its limit in the input
-- param      told = 0.7            the message alone
-- param      near = 0.8            share of its limit below which the messages are old
-- evidence   messages messages {messages} messages "table full, dropping packet"
-- evidence   suppressed messages {suppressed} messages of all kinds were suppressed by a rate limit
-- evidence   entries entries {entries} of {most_entries} entries are in use
-- against    limited flag messages are rate limited: they tell that it happens, not how often, and may be old
-- do         How many are dropped, and whether it goes on || sh -c 'conntrack -S; sleep 10; conntrack -S'
-- do         See what fills it: one peer, one port || sh -c 'conntrack -L -p udp | head -1000'
-- do         Let it hold {new_entries} entries || sysctl -w net.netfilter.nf_conntrack_max={new_entries:raw} ||
--            sysctl -w net.netfilter.nf_conntrack_max={most_entries:raw}
-- do         Let UDP that needs no tracking pass untracked: the port of the service in place of PORT ||
--            nft add rule ip raw prerouting udp dport PORT notrack
-- not        A bigger socket buffer: these packets never reached a socket
-- ruled-out  no message about a full connection table is in the input
-- ref        net/netfilter/nf_conntrack_core.c __nf_conntrack_alloc(): the message, and the packet that is dropped
WITH told AS (
    SELECT SUM(COALESCE(messages, 0)) AS messages, SUM(COALESCE(suppressed, 0)) AS suppressed FROM kernel_log
    WHERE kernel_log.kind = 'conntrack-full'),
filled AS (
    SELECT MAX(count_max) AS entries, MAX(nf_conntrack_max) AS most_entries
    FROM conntrack LEFT JOIN (SELECT netns, nf_conntrack_max FROM sysctl) USING (netns))
SELECT (SELECT SUM(datagrams) FROM ledger WHERE locus = 'conntrack') AS lost,
       CASE WHEN entries >= 0.9 * most_entries THEN :certain ELSE :told END AS confidence, messages,
       NULLIF(suppressed, 0) AS suppressed, entries, most_entries, 1 AS limited, 2 * most_entries AS new_entries
FROM told, filled
-- what was full once and has room now is past
WHERE messages > 0 AND COALESCE(entries >= :near * most_entries, 1);
