// SPDX-License-Identifier: GPL-2.0-or-later
// SNMP counters
//
// The MIB counters that `netstat -su` and nstat show, per network namespace. Udp* and Tcp* are
// unsigned long in the kernel (32 bit on 32-bit hosts), Ip* are always 64 bit. New fields appear at
// the end of a line or in its middle: names decide.
#include <string.h>

#include "collectors/list.h"
#include "collectors/netns_files.h"

#define C(name, field, unit, help)                                                                 \
    { name, COLUMN_COUNTER, unit, help, field }

static const struct column columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    { "netns_inode", COLUMN_IDENTITY, "", "inode number of the namespace", NULL },
    { "netns_pid", COLUMN_GAUGE, "", "a living process of the namespace", NULL },
    C("udp_in_datagrams", "UdpInDatagrams", "datagrams", "delivered to readers"),
    C("udp_no_ports", "UdpNoPorts", "datagrams", "no socket on that port; not in InErrors"),
    C("udp_in_errors", "UdpInErrors", "datagrams",
            "not delivered; contains RcvbufErrors, InCsumErrors and MemErrors"),
    C("udp_out_datagrams", "UdpOutDatagrams", "datagrams", "sent"),
    C("udp_rcvbuf_errors", "UdpRcvbufErrors", "datagrams", "receive buffer of the socket was full"),
    C("udp_sndbuf_errors", "UdpSndbufErrors", "datagrams",
            "send buffer was full, or the layer below refused it"),
    C("udp_in_csum_errors", "UdpInCsumErrors", "datagrams", "bad checksum"),
    C("udp_ignored_multi", "UdpIgnoredMulti", "datagrams",
            "multicast or broadcast to a port that nobody reads; no loss"),
    C("udp_mem_errors", "UdpMemErrors", "datagrams",
            "UDP or cgroup memory limit reached (5.15 and later; not counted by 6.18)"),
    C("udplite_in_datagrams", "UdpLiteInDatagrams", "datagrams", "delivered to readers"),
    C("udplite_no_ports", "UdpLiteNoPorts", "datagrams", "no socket on that port"),
    C("udplite_in_errors", "UdpLiteInErrors", "datagrams",
            "not delivered; contains RcvbufErrors, InCsumErrors and MemErrors"),
    C("udplite_out_datagrams", "UdpLiteOutDatagrams", "datagrams", "sent"),
    C("udplite_rcvbuf_errors", "UdpLiteRcvbufErrors", "datagrams", "receive buffer was full"),
    C("udplite_sndbuf_errors", "UdpLiteSndbufErrors", "datagrams", "send buffer was full"),
    C("udplite_in_csum_errors", "UdpLiteInCsumErrors", "datagrams", "bad checksum"),
    C("udplite_ignored_multi", "UdpLiteIgnoredMulti", "datagrams", "multicast that nobody reads"),
    C("udplite_mem_errors", "UdpLiteMemErrors", "datagrams", "memory limit reached"),
    C("ip_in_receives", "IpInReceives", "packets", "received, fragments and merged packets as one"),
    C("ip_in_hdr_errors", "IpInHdrErrors", "packets", "bad IP header"),
    C("ip_in_addr_errors", "IpInAddrErrors", "packets", "address not of this host, and not routed"),
    C("ip_forw_datagrams", "IpForwDatagrams", "packets", "forwarded"),
    C("ip_in_unknown_protos", "IpInUnknownProtos", "packets", "no such protocol here"),
    C("ip_in_discards", "IpInDiscards", "packets", "no memory for them"),
    C("ip_in_delivers", "IpInDelivers", "packets",
            "handed to UDP, TCP, ..., whatever these did next"),
    C("ip_out_requests", "IpOutRequests", "packets", "sent by this host, before fragmentation"),
    C("ip_out_discards", "IpOutDiscards", "packets",
            "dropped on the way out; contains SndbufErrors"),
    C("ip_out_no_routes", "IpOutNoRoutes", "packets", "no route to the destination"),
    C("ip_reasm_timeout", "IpReasmTimeout", "datagrams", "fragments missing after ipfrag_time"),
    C("ip_reasm_reqds", "IpReasmReqds", "fragments", "fragments received"),
    C("ip_reasm_oks", "IpReasmOKs", "datagrams", "reassembled"),
    C("ip_reasm_fails", "IpReasmFails", "fragments",
            "reassembly failures; refused fragments and given up datagrams mixed"),
    C("ip_frag_oks", "IpFragOKs", "datagrams", "sent in fragments"),
    C("ip_frag_fails", "IpFragFails", "datagrams",
            "too big and not to be fragmented, or a fragment lost"),
    C("ip_frag_creates", "IpFragCreates", "fragments", "fragments sent"),
    C("ip_out_transmits", "IpOutTransmits", "packets",
            "handed to the neighbour layer (6.8 and later)"),
    C("icmp_in_dest_unreachs", "IcmpInDestUnreachs", "messages", "others could not deliver ours"),
    C("icmp_out_dest_unreachs", "IcmpOutDestUnreachs", "messages", "sent, as for a closed port"),
    C("icmp_out_time_excds", "IcmpOutTimeExcds", "messages",
            "sent, as for a reassembly that timed out with its first fragment present"),
    C("ip_ext_in_no_routes", "IpExtInNoRoutes", "packets", "to be forwarded, but no route"),
    C("ip_ext_in_truncated_pkts", "IpExtInTruncatedPkts", "packets",
            "shorter than the header says"),
    C("ip_ext_in_mcast_pkts", "IpExtInMcastPkts", "packets", "multicast of joined groups received"),
    C("ip_ext_out_mcast_pkts", "IpExtOutMcastPkts", "packets", "multicast sent"),
    C("ip_ext_in_bcast_pkts", "IpExtInBcastPkts", "packets", "broadcast received"),
    C("ip_ext_out_bcast_pkts", "IpExtOutBcastPkts", "packets", "broadcast sent"),
    C("ip_ext_in_octets", "IpExtInOctets", "bytes", "received"),
    C("ip_ext_out_octets", "IpExtOutOctets", "bytes", "sent"),
    C("ip_ext_in_mcast_octets", "IpExtInMcastOctets", "bytes", "multicast received"),
    C("ip_ext_out_mcast_octets", "IpExtOutMcastOctets", "bytes", "multicast sent"),
    C("ip_ext_in_bcast_octets", "IpExtInBcastOctets", "bytes", "broadcast received"),
    C("ip_ext_out_bcast_octets", "IpExtOutBcastOctets", "bytes", "broadcast sent"),
    C("ip_ext_in_csum_errors", "IpExtInCsumErrors", "packets", "bad IP header checksum"),
    C("ip_ext_in_no_ect_pkts", "IpExtInNoECTPkts", "packets", "wire packets without ECN"),
    C("ip_ext_in_ect1_pkts", "IpExtInECT1Pkts", "packets", "wire packets marked ECT(1)"),
    C("ip_ext_in_ect0_pkts", "IpExtInECT0Pkts", "packets", "wire packets marked ECT(0)"),
    C("ip_ext_in_ce_pkts", "IpExtInCEPkts", "packets", "wire packets marked congested"),
    C("ip_ext_reasm_overlaps", "IpExtReasmOverlaps", "fragments",
            "overlapping fragments; datagram lost"),
    C("tcp_ext_ip_reverse_path_filter", "TcpExtIPReversePathFilter", "packets",
            "dropped by rp_filter, UDP too"),
    C("tcp_ext_pf_memalloc_drop", "TcpExtPFMemallocDrop", "packets",
            "dropped since they came in on emergency memory"),
    C("tcp_ext_busy_poll_rx_packets", "TcpExtBusyPollRxPackets", "packets",
            "received by busy polling"),
    C("udp6_in_datagrams", "Udp6InDatagrams", "datagrams", "delivered to readers"),
    C("udp6_no_ports", "Udp6NoPorts", "datagrams", "no socket on that port; not in InErrors"),
    C("udp6_in_errors", "Udp6InErrors", "datagrams",
            "not delivered; contains RcvbufErrors, InCsumErrors and MemErrors"),
    C("udp6_out_datagrams", "Udp6OutDatagrams", "datagrams", "sent"),
    C("udp6_rcvbuf_errors", "Udp6RcvbufErrors", "datagrams",
            "receive buffer of the socket was full"),
    C("udp6_sndbuf_errors", "Udp6SndbufErrors", "datagrams",
            "send buffer was full, or the layer below refused it"),
    C("udp6_in_csum_errors", "Udp6InCsumErrors", "datagrams", "bad checksum, or none"),
    C("udp6_ignored_multi", "Udp6IgnoredMulti", "datagrams",
            "multicast that nobody reads; no loss"),
    C("udp6_mem_errors", "Udp6MemErrors", "datagrams", "UDP or cgroup memory limit reached"),
    C("udplite6_in_datagrams", "UdpLite6InDatagrams", "datagrams", "delivered to readers"),
    C("udplite6_no_ports", "UdpLite6NoPorts", "datagrams", "no socket on that port"),
    C("udplite6_in_errors", "UdpLite6InErrors", "datagrams",
            "not delivered; contains RcvbufErrors, InCsumErrors and MemErrors"),
    C("udplite6_out_datagrams", "UdpLite6OutDatagrams", "datagrams", "sent"),
    C("udplite6_rcvbuf_errors", "UdpLite6RcvbufErrors", "datagrams", "receive buffer was full"),
    C("udplite6_sndbuf_errors", "UdpLite6SndbufErrors", "datagrams", "send buffer was full"),
    C("udplite6_in_csum_errors", "UdpLite6InCsumErrors", "datagrams", "bad checksum, or none"),
    C("udplite6_mem_errors", "UdpLite6MemErrors", "datagrams", "memory limit reached"),
    C("ip6_in_receives", "Ip6InReceives", "packets",
            "received, fragments and merged packets as one"),
    C("ip6_in_hdr_errors", "Ip6InHdrErrors", "packets", "bad IPv6 header, malformed fragments too"),
    C("ip6_in_too_big_errors", "Ip6InTooBigErrors", "packets", "too big to be forwarded"),
    C("ip6_in_no_routes", "Ip6InNoRoutes", "packets", "no route"),
    C("ip6_in_addr_errors", "Ip6InAddrErrors", "packets",
            "address not of this host, and not routed"),
    C("ip6_in_unknown_protos", "Ip6InUnknownProtos", "packets", "no such protocol here"),
    C("ip6_in_truncated_pkts", "Ip6InTruncatedPkts", "packets", "shorter than the header says"),
    C("ip6_in_discards", "Ip6InDiscards", "packets",
            "no memory for them, or IPv6 is off on the device"),
    C("ip6_in_delivers", "Ip6InDelivers", "packets",
            "handed to UDP, TCP, ..., whatever these did next"),
    C("ip6_out_forw_datagrams", "Ip6OutForwDatagrams", "packets", "forwarded"),
    C("ip6_out_requests", "Ip6OutRequests", "packets", "sent by this host, before fragmentation"),
    C("ip6_out_discards", "Ip6OutDiscards", "packets",
            "dropped on the way out; contains SndbufErrors"),
    C("ip6_out_no_routes", "Ip6OutNoRoutes", "packets", "no route to the destination"),
    C("ip6_reasm_timeout", "Ip6ReasmTimeout", "datagrams", "fragments missing after ip6frag_time"),
    C("ip6_reasm_reqds", "Ip6ReasmReqds", "fragments", "fragments received"),
    C("ip6_reasm_oks", "Ip6ReasmOKs", "datagrams", "reassembled"),
    C("ip6_reasm_fails", "Ip6ReasmFails", "fragments",
            "reassembly failures; refused fragments and given up datagrams mixed"),
    C("ip6_frag_oks", "Ip6FragOKs", "datagrams", "sent in fragments"),
    C("ip6_frag_fails", "Ip6FragFails", "datagrams", "too big, or a fragment lost"),
    C("ip6_frag_creates", "Ip6FragCreates", "fragments", "fragments sent"),
    C("ip6_in_mcast_pkts", "Ip6InMcastPkts", "packets",
            "multicast received, also of groups not joined"),
    C("ip6_out_mcast_pkts", "Ip6OutMcastPkts", "packets", "multicast sent"),
    C("ip6_in_octets", "Ip6InOctets", "bytes", "received"),
    C("ip6_out_octets", "Ip6OutOctets", "bytes", "sent"),
    C("ip6_in_mcast_octets", "Ip6InMcastOctets", "bytes", "multicast received"),
    C("ip6_out_mcast_octets", "Ip6OutMcastOctets", "bytes", "multicast sent"),
    C("ip6_in_bcast_octets", "Ip6InBcastOctets", "bytes", "broadcast received"),
    C("ip6_out_bcast_octets", "Ip6OutBcastOctets", "bytes", "broadcast sent"),
    C("ip6_in_no_ect_pkts", "Ip6InNoECTPkts", "packets", "wire packets without ECN"),
    C("ip6_in_ect1_pkts", "Ip6InECT1Pkts", "packets", "wire packets marked ECT(1)"),
    C("ip6_in_ect0_pkts", "Ip6InECT0Pkts", "packets", "wire packets marked ECT(0)"),
    C("ip6_in_ce_pkts", "Ip6InCEPkts", "packets", "wire packets marked congested"),
    C("ip6_out_transmits", "Ip6OutTransmits", "packets",
            "handed to the neighbour layer (6.8 and later)"),
    C("icmp6_in_dest_unreachs", "Icmp6InDestUnreachs", "messages", "others could not deliver ours"),
    C("icmp6_in_pkt_too_bigs", "Icmp6InPktTooBigs", "messages", "a router could not forward ours"),
    C("icmp6_out_dest_unreachs", "Icmp6OutDestUnreachs", "messages", "sent, as for a closed port"),
    C("icmp6_out_time_excds", "Icmp6OutTimeExcds", "messages",
            "sent, as for a reassembly that timed out with its first fragment present"),
};

const struct table snmp_table = {
    .name = "snmp",
    .help = "MIB counters of UDP, UDP-Lite, IP and ICMP, IPv4 and IPv6",
    .per = "network namespace",
    .source = "/proc/PID/net/snmp, /proc/PID/net/netstat, /proc/PID/net/snmp6",
    .columns = columns,
    .n_columns = sizeof(columns) / sizeof(columns[0]),
    .n_keys = 1,
};

static const struct netns_file files[] = {
    { "snmp", parse_proc_pairs, "udp_in_datagrams", SOURCE_ONE_RECORD },
    { "netstat", parse_proc_pairs, "ip_ext_in_octets", SOURCE_ONE_RECORD },
    { "snmp6", parse_proc_lines, "udp6_in_datagrams", SOURCE_ONE_RECORD },
};

static int start(struct collect_context *context, void **ret_state) {
    return netns_reader_new(&snmp_table, files, sizeof(files) / sizeof(files[0]),
            (struct netns_reader **) ret_state);
}

enum { N_ERRORS = 4 };

static uint64_t sum_of(const cell *row, const int *columns_of) {
    uint64_t sum = 0;
    for (size_t i = 0; i < N_ERRORS; i++)
        sum += row[columns_of[i]] == CELL_NULL ? 0 : (uint64_t) row[columns_of[i]];
    return sum;
}

// Namespaces that lose are read before others where there is no time for all.
static void tell_lossy(struct netns_list *list, const struct rows *rows) {
    const int errors_of[N_ERRORS] = {
        table_column(&snmp_table, "udp_in_errors"),
        table_column(&snmp_table, "udp_sndbuf_errors"),
        table_column(&snmp_table, "udp6_in_errors"),
        table_column(&snmp_table, "udp6_sndbuf_errors"),
    };
    size_t row = 0; // in the order of the list, which may have more
    for (size_t i = 0; i < list->n && row < rows->n; i++) {
        struct netns *netns = &list->items[i];
        if (strcmp(rows_text(rows, rows_at(rows, row)[0]), netns->name) != 0)
            continue;
        uint64_t errors = sum_of(rows_at(rows, row++), errors_of);
        netns->lossy = errors != netns->errors;
        netns->errors = errors;
    }
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    netns_reader_collect(state, context, "no proc/net/snmp, netstat or snmp6", rows, outcome);
    tell_lossy(context->netns, rows);
}

static void stop(void *state) {
    netns_reader_free(state);
}

const struct collector snmp_collector = { &snmp_table, LANE_FAST, start, collect, stop };
