// SPDX-License-Identifier: GPL-2.0-or-later
// Headings of sysstat
#include "formats/sysstat_fields.h"

#include <stddef.h>

#define SNMP(heading, column)                                                                      \
    { heading, "snmp", column, 1, SYSSTAT_RATE, NULL, NULL }
#define LINK(heading, column, zero)                                                                \
    { heading, "link", column, 1, SYSSTAT_RATE, zero, NULL }
#define CPU(heading, column)                                                                       \
    { heading, "cpu", column, 1, SYSSTAT_SHARE, NULL, NULL }
#define RATE(heading, table, column, scale)                                                        \
    { heading, table, column, scale, SYSSTAT_RATE, NULL, NULL }
#define MEAN(heading, column, count)                                                               \
    { heading, "disk", column, 1, SYSSTAT_RATE, NULL, count }
#define LEVEL(heading, table, column, scale)                                                       \
    { heading, table, column, scale, SYSSTAT_LEVEL, NULL, NULL }

// sysstat's pr_stats.c: rates of /proc/net/snmp, snmp6, dev, softnet_stat, of /proc/stat and
// diskstats. drop of /proc/net/dev holds what the ring missed as well.
static const struct sysstat_field fields[] = {
    SNMP("idgm/s", "UdpInDatagrams"),
    SNMP("odgm/s", "UdpOutDatagrams"),
    SNMP("noport/s", "UdpNoPorts"),
    SNMP("idgmerr/s", "UdpInErrors"),
    SNMP("idgm6/s", "Udp6InDatagrams"),
    SNMP("odgm6/s", "Udp6OutDatagrams"),
    SNMP("noport6/s", "Udp6NoPorts"),
    SNMP("idgmer6/s", "Udp6InErrors"),
    SNMP("irec/s", "IpInReceives"),
    SNMP("fwddgm/s", "IpForwDatagrams"),
    SNMP("idel/s", "IpInDelivers"),
    SNMP("orq/s", "IpOutRequests"),
    SNMP("asmrq/s", "IpReasmReqds"),
    SNMP("asmok/s", "IpReasmOKs"),
    SNMP("fragok/s", "IpFragOKs"),
    SNMP("fragcrt/s", "IpFragCreates"),
    SNMP("ihdrerr/s", "IpInHdrErrors"),
    SNMP("iadrerr/s", "IpInAddrErrors"),
    SNMP("iukwnpr/s", "IpInUnknownProtos"),
    SNMP("idisc/s", "IpInDiscards"),
    SNMP("odisc/s", "IpOutDiscards"),
    SNMP("onort/s", "IpOutNoRoutes"),
    SNMP("asmf/s", "IpReasmFails"),
    SNMP("fragf/s", "IpFragFails"),
    SNMP("irec6/s", "Ip6InReceives"),
    SNMP("fwddgm6/s", "Ip6OutForwDatagrams"),
    SNMP("idel6/s", "Ip6InDelivers"),
    SNMP("orq6/s", "Ip6OutRequests"),
    SNMP("asmrq6/s", "Ip6ReasmReqds"),
    SNMP("asmok6/s", "Ip6ReasmOKs"),
    SNMP("imcpck6/s", "Ip6InMcastPkts"),
    SNMP("omcpck6/s", "Ip6OutMcastPkts"),
    SNMP("fragok6/s", "Ip6FragOKs"),
    SNMP("fragcr6/s", "Ip6FragCreates"),
    SNMP("ihdrer6/s", "Ip6InHdrErrors"),
    SNMP("iadrer6/s", "Ip6InAddrErrors"),
    SNMP("iukwnp6/s", "Ip6InUnknownProtos"),
    SNMP("i2big6/s", "Ip6InTooBigErrors"),
    SNMP("idisc6/s", "Ip6InDiscards"),
    SNMP("odisc6/s", "Ip6OutDiscards"),
    SNMP("inort6/s", "Ip6InNoRoutes"),
    SNMP("onort6/s", "Ip6OutNoRoutes"),
    SNMP("asmf6/s", "Ip6ReasmFails"),
    SNMP("fragf6/s", "Ip6FragFails"),
    SNMP("itrpck6/s", "Ip6InTruncatedPkts"),
    LINK("rxpck/s", "rx_packets", NULL),
    LINK("txpck/s", "tx_packets", NULL),
    RATE("rxkB/s", "link", "rx_bytes", 1024),
    RATE("txkB/s", "link", "tx_bytes", 1024),
    LINK("rxbyt/s", "rx_bytes", NULL),
    LINK("txbyt/s", "tx_bytes", NULL),
    LINK("rxmcst/s", "multicast", NULL),
    LINK("rxerr/s", "rx_errors", NULL),
    LINK("txerr/s", "tx_errors", NULL),
    LINK("coll/s", "collisions", NULL),
    LINK("rxdrop/s", "rx_dropped_unsplit", "rx_missed_errors"),
    LINK("txdrop/s", "tx_dropped", NULL),
    LINK("rxfifo/s", "rx_fifo_errors", NULL),
    LINK("txfifo/s", "tx_fifo_errors", NULL),
    RATE("total/s", "softnet", "processed", 1),
    RATE("dropd/s", "softnet", "dropped", 1),
    RATE("squeezd/s", "softnet", "time_squeeze", 1),
    RATE("rx_rps/s", "softnet", "received_rps", 1),
    RATE("flw_lim/s", "softnet", "flow_limit_count", 1),
    CPU("%usr", "user"),
    CPU("%user", "user"),
    CPU("%guest", "user"), // of /proc/stat it is a part
    CPU("%nice", "nice"),
    CPU("%gnice", "nice"),
    CPU("%sys", "system"),
    CPU("%system", "system"),
    CPU("%iowait", "iowait"),
    CPU("%irq", "irq"),
    CPU("%soft", "softirq"),
    CPU("%steal", "steal"),
    CPU("%idle", "idle"),
    RATE("r/s", "disk", "reads_completed", 1),
    RATE("w/s", "disk", "writes_completed", 1),
    RATE("rrqm/s", "disk", "reads_merged", 1),
    RATE("wrqm/s", "disk", "writes_merged", 1),
    RATE("rkB/s", "disk", "sectors_read", 2),
    RATE("wkB/s", "disk", "sectors_written", 2),
    RATE("rMB/s", "disk", "sectors_read", 2048),
    RATE("wMB/s", "disk", "sectors_written", 2048),
    RATE("rsec/s", "disk", "sectors_read", 1),
    RATE("wsec/s", "disk", "sectors_written", 1),
    RATE("rd_sec/s", "disk", "sectors_read", 1),
    RATE("wr_sec/s", "disk", "sectors_written", 1),
    RATE("kB_read/s", "disk", "sectors_read", 2),
    RATE("kB_wrtn/s", "disk", "sectors_written", 2),
    RATE("MB_read/s", "disk", "sectors_read", 2048),
    RATE("MB_wrtn/s", "disk", "sectors_written", 2048),
    RATE("Blk_read/s", "disk", "sectors_read", 1),
    RATE("Blk_wrtn/s", "disk", "sectors_written", 1),
    MEAN("r_await", "time_reading_ms", "r/s"),
    MEAN("w_await", "time_writing_ms", "w/s"),
    RATE("f/s", "disk", "flush_requests", 1),
    MEAN("f_await", "time_flushing_ms", "f/s"),
    RATE("aqu-sz", "disk", "weighted_time_io_ms", 1000),
    RATE("avgqu-sz", "disk", "weighted_time_io_ms", 1000),
    RATE("%util", "disk", "time_io_ms", 10),
    RATE("pswpin/s", "memory", "pswpin", 1),
    RATE("pswpout/s", "memory", "pswpout", 1),
    RATE("majflt/s", "memory", "pgmajfault", 1),
    LEVEL("kbmemfree", "memory", "free_bytes", 1024),
    LEVEL("kbavail", "memory", "available_bytes", 1024),
    LEVEL("kbswpfree", "memory", "swap_free_bytes", 1024),
    LEVEL("udpsck", "sockstat", "udp_inuse", 1),
    LEVEL("ip-frag", "sockstat", "frag_inuse", 1),
    LEVEL("udp6sck", "sockstat", "udp6_inuse", 1),
    LEVEL("ip6-frag", "sockstat", "frag6_inuse", 1),
};

const struct sysstat_field *sysstat_field(const struct word *heading) {
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (fields[i].heading[0] == heading->text[0] && word_is(heading, fields[i].heading))
            return &fields[i];
    return NULL;
}
