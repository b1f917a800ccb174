-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       nic-provider-limit
-- kind       cause
-- explains   nic
-- severity   warning
-- title      The cloud provider drops packets of {adapter}: an allowance is exceeded
-- needs      nic.provider_limit_drops
-- param      certain = 0.9
-- param      one_look = 0.6       the growth since boot may be old
-- evidence   lost packets {lost} packets dropped outside of this machine
-- evidence   link_local_drops packets {link_local_drops} of them on the way to the provider's own services
--            (link-local: DNS, time, metadata)
-- evidence   lossy_steps steps dropped in {lossy_steps} of {steps} looks at the adapter
-- do         See which allowance: bandwidth, packets a second, tracked connections, link-local ||
--            ethtool -S {device} | grep allowance_exceeded
-- do         Bandwidth, packets, connections: a larger instance, or spread the traffic over several
-- do         link-local (the provider's DNS, time, metadata): a caching resolver on this host, fewer look-ups
-- not        Nothing on this host decides it: no buffer, ring or kernel setting helps
-- ruled-out  no allowance of the cloud provider was exceeded in {seconds}
-- ref        drivers/net/ethernet/amazon/ena; conntrack_allowance_available is a level, not a loss
SELECT netns, NULLIF(interface, '') AS interface, COALESCE(NULLIF(interface, ''), 'an adapter') AS adapter,
       COALESCE(NULLIF(interface, ''), 'INTERFACE') AS device, provider_limit_drops AS lost, NULLIF(link_local_drops, 0) AS link_local_drops,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       (SELECT NULLIF(COUNT(*), 0) FROM nic_step s
        WHERE s.netns = n.netns AND s.interface = n.interface AND s.provider_limit_drops > 0
            AND steps > 1) AS lossy_steps, steps
FROM nic n, window
WHERE provider_limit_drops > 0;
