-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       nic-bad-frames
-- kind       cause
-- explains   nic
-- severity   warning
-- title      {adapter} receives damaged frames
-- needs      link.rx_crc_errors|link.rx_frame_unsplit|nic.bad_frames
-- param      certain = 0.9
-- param      one_look = 0.6       the growth since boot may be old
-- param      noise = 0.0000001    share of the packets that may have come damaged since boot: a good link's
--            bit errors
-- evidence   lost packets {lost} damaged frames
-- evidence   lost_share ratio that is {lost_share} of what arrived
-- evidence   rx_crc_errors packets {rx_crc_errors} with a bad checksum
-- evidence   length_errors packets {length_errors} with a wrong length
-- evidence   frame_errors packets {frame_errors} misaligned
-- evidence   rx_frame_unsplit packets {rx_frame_unsplit} of these kinds, or overrun: only their sum is told here
-- do         See which kind grows || ethtool -S {device} | grep -iE
--            "crc|symbol|align|length|jabber|fragment"
-- do         Check that speed and duplex are what the switch has || ethtool {device}
-- do         Change cable, optics, switch port, one after the other, and look again; wrong lengths: compare
--            the MTU on both sides
-- not        Buffers and rings: the frames were broken when they came
-- ruled-out  no damaged frame came in {seconds}
-- ref        rtnl_link_stats64 rx_crc_errors, rx_length_errors, rx_frame_errors
SELECT netns, NULLIF(interface, '') AS interface, COALESCE(NULLIF(interface, ''), 'An adapter') AS adapter,
       COALESCE(NULLIF(interface, ''), 'INTERFACE') AS device, lost, 1.0 * lost / (rx_packets + lost) AS lost_share,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       NULLIF(rx_crc_errors, 0) AS rx_crc_errors, NULLIF(rx_length_errors, 0) AS length_errors,
       NULLIF(rx_frame_errors, 0) AS frame_errors,
       CASE WHEN rx_crc_errors IS NULL THEN NULLIF(rx_frame_unsplit, 0) END AS rx_frame_unsplit
FROM (SELECT netns, interface, l.*,
    MAX(COALESCE(n.bad_frames, 0),
    COALESCE(l.rx_crc_errors + COALESCE(l.rx_length_errors, 0) + COALESCE(l.rx_frame_errors, 0),
        l.rx_frame_unsplit, 0)) AS lost
      FROM (SELECT netns, interface FROM link WHERE kind = '' UNION SELECT netns, interface FROM nic)
      LEFT JOIN (SELECT netns, interface, rx_packets, rx_crc_errors, rx_length_errors, rx_frame_errors,
          rx_frame_unsplit FROM link) l USING (netns, interface)
      LEFT JOIN nic n USING (netns, interface)), window
WHERE lost > CASE WHEN kind = 'since-boot' THEN :noise * COALESCE(rx_packets, 0) ELSE 0 END;
