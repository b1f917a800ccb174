// SPDX-License-Identifier: GPL-2.0-or-later
// ethtool -S
//
// "NIC statistics:" and lines "     name: value". Names are the driver's own, with blanks, brackets
// and colons in them; which driver it is, only ethtool -i tells, but some names are those of one
// driver alone. core/nic_stats.h says what they mean.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/nic_stats.h"
#include "formats/interface.h"
#include "formats/list.h"

#define STATISTICS_MAX 8192

static const char title[] = "NIC statistics";

static bool is_title(const struct line *line) {
    return strncmp(line->text + line->indent, title, sizeof(title) - 1) == 0;
}

struct statistic {
    char name[NIC_NAME_SIZE];
    uint64_t value;
};

static void keep_name(const char *text, size_t n, char *ret) {
    memset(ret, 0, NIC_NAME_SIZE);
    memcpy(ret, text, n < NIC_NAME_SIZE ? n : NIC_NAME_SIZE); // as long as the kernel's own may be
}

// Behind what loggers put in front: "[info] [file.cpp:12] ". A number in brackets is a queue.
static const char *skip_prefix(const char *text) {
    while (text[0] == '[' && !(text[1] >= '0' && text[1] <= '9')) {
        const char *end = strchr(text, ']');
        if (!end || (end[1] != ' ' && end[1] != '\t'))
            break;
        text = end + 1 + strspn(end + 1, " \t");
    }
    return text;
}

// The value stands behind the last colon. False: not such a line.
static bool parse_statistic(const struct line *line, struct statistic *ret) {
    const char *text = skip_prefix(line->text + line->indent);
    const char *colon = strrchr(text, ':');
    struct word word;
    if (!colon || colon == text || words_split(colon + 1, &word, 1) != 1 ||
            !word_count(&word, &ret->value) || word.text[word.length])
        return false;
    size_t n = (size_t) (colon - text);
    while (n > 0 && text[n - 1] == ' ') // "name      : value"
        n--;
    keep_name(text, n, ret->name);
    return n > 0;
}

// Names that one driver alone has.
static const struct {
    const char *driver, *name; // * at the end: anything
} signs[] = {
    { "mlx5_core", "rx_out_of_buffer" },
    { "mlx5_core", "rx_discards_phy" },
    { "mlx5_core", "rx_steer_missed_packets" },
    { "mlx5_core", "rx_vport_unicast_packets" },
    { "mlx5_core", "rx_prio0_discards" },
    { "ena", "bw_in_allowance_exceeded" },
    { "ena", "pps_allowance_exceeded" },
    { "ena", "linklocal_allowance_exceeded" },
    { "ena", "conntrack_allowance_exceeded" },
    { "ena", "queue_0_rx_page_alloc_fail" },
    { "ixgbe", "rx_no_dma_resources" },
    { "ixgbe", "fdir_miss" },
    { "igb", "rx_queue_0_drops+rx_no_buffer_count" },
    { "i40e", "port.rx_discards" },
    { "i40e", "port.rx_crc_errors" },
    { "i40e", "veb.rx_discards" },
    { "ice", "rx_dropped.nic" },
    { "ice", "rx_crc_errors.nic" },
    { "bnxt_en", "rx_total_discard_pkts" },
    { "bnxt_en", "rx_total_ring_discards" },
    { "bnxt_en", "rx_stat_discard" },
    { "vmxnet3", "pkts rx OOB" },
    { "vmxnet3", "drv dropped rx total" },
    { "virtio_net", "rx_queue_0_kicks" },
    { "virtio_net", "rx0_kicks" },
    { "virtio_net", "rx_kicks" },
    { "hv_netvsc", "rx_comp_busy" },
    { "hv_netvsc", "vf_rx_packets" },
    { "gve", "rx_posted_desc[0]" },
    { "mana", "hc_rx_discards_no_wqe" },
    { "bnx2x", "rx_brb_discard" },
    { "bnx2x", "[0]: rx_phy_ip_err_discards" },
    { "be2net", "rxq0: rx_drops_no_frags" },
    { "be2net", "rx_drops_no_pbuf" },
    { "sfc", "port_rx_nodesc_drops" },
    { "sfc", "rx_nodesc_drop_cnt" },
    { "tg3", "rx_threshold_hit" },
    { "tg3", "mbuf_lwm_thresh_hit" },
    { "stmmac", "mmc_rx_fifo_overflow" },
    { "bnx2", "rx_fw_discards" },
    { "enic", "rx_no_bufs" },
    { "veth", "peer_ifindex" },
};

static bool has_name(
        const struct statistic *statistics, size_t n, const char *name, size_t length) {
    for (size_t i = 0; i < n; i++)
        if (strncmp(statistics[i].name, name, length) == 0 &&
                (length == NIC_NAME_SIZE || !statistics[i].name[length]))
            return true;
    return false;
}

// "" where no name gives it away.
static const char *guess_driver(const struct statistic *statistics, size_t n) {
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        const char *plus = strchr(signs[i].name, '+');
        size_t length = plus ? (size_t) (plus - signs[i].name) : strlen(signs[i].name);
        if (has_name(statistics, n, signs[i].name, length) &&
                (!plus || has_name(statistics, n, plus + 1, strlen(plus + 1))))
            return signs[i].driver;
    }
    return "";
}

static void put_columns(struct intake *intake, const cell *row) {
    static const char *const columns[N_NIC_COLUMNS] = {
        [NIC_RING_DROPS] = "ring_drops",
        [NIC_DRIVER_DROPS] = "driver_drops",
        [NIC_ALLOC_FAILS] = "alloc_fails",
        [NIC_PHY_DROPS] = "phy_drops",
        [NIC_BAD_FRAMES] = "bad_frames",
        [NIC_STEER_MISSES] = "steer_misses",
        [NIC_XDP_DROPS] = "xdp_drops",
        [NIC_PROVIDER_LIMIT_DROPS] = "provider_limit_drops",
        [NIC_LINK_LOCAL_DROPS] = "link_local_drops",
        [NIC_TX_DROPS] = "tx_drops",
    };
    for (size_t i = 0; i < N_NIC_COLUMNS; i++)
        if (columns[i] && row[i] != CELL_NULL)
            intake_set(intake, columns[i], (uint64_t) row[i]);
}

// "driver: tg3" of ethtool -i, not far from the block. "": none.
#define NEAR_LINES 200
static void told_driver(const struct lines *lines, size_t i, char *ret, size_t size) {
    size_t end = i + NEAR_LINES < lines->n ? i + NEAR_LINES : lines->n;
    struct word words[2];
    *ret = '\0';
    for (size_t at = i > NEAR_LINES ? i - NEAR_LINES : 0; at < end && !*ret; at++) {
        const char *text = lines->line[at].text;
        if (strncmp(text + lines->line[at].indent, "driver:", 7) == 0 &&
                words_split(text, words, 2) == 2 && words[1].length < size)
            snprintf(ret, size, "%.*s", (int) words[1].length, words[1].text);
    }
}

// Sums what counts, by the mapping of the driver.
static bool sum(const struct statistic *statistics, size_t n, const char *told, cell *row) {
    _cleanup_free_ char(*names)[NIC_NAME_SIZE] = calloc(n, sizeof(*names));
    _cleanup_free_ uint64_t *values = calloc(n, sizeof(*values));
    if (!names || !values)
        return false;
    for (size_t i = 0; i < n; i++) {
        memcpy(names[i], statistics[i].name, NIC_NAME_SIZE);
        values[i] = statistics[i].value;
    }
    const char *driver = *told ? told : guess_driver(statistics, n);
    size_t n_picks = nic_stats_choose(driver, names, n, NULL);
    _cleanup_free_ struct nic_pick *picks = calloc(n_picks + 1, sizeof(*picks));
    if (!picks)
        return false;
    nic_stats_choose(driver, names, n, picks);
    nic_stats_sum(picks, n_picks, values, row);
    return n_picks > 0;
}

// A counter of the whole adapter that no table has: what it received in the words of the firmware.
static void put_packets(struct intake *intake, const struct line *line, const char *interface,
        const struct statistic *statistics, size_t n) {
    static const char *const received[] = { "rx_packets", "rx_phy_packets", "rx_packets_phy",
        "rx_good_packets", NULL };
    for (size_t k = 0; received[k]; k++)
        for (size_t i = 0; i < n; i++)
            if (strcmp(statistics[i].name, received[k]) == 0) {
                interface_row(intake, line, interface, NULL);
                intake_set(intake, "rx_packets", statistics[i].value);
                return;
            }
}

struct block {
    const struct line *line;
    char interface[INTERFACE_SIZE];
    char driver[64]; // as ethtool -i told it
};

static void put_statistics(struct intake *intake, const struct block *block,
        const struct statistic *statistics, size_t n) {
    cell row[N_NIC_COLUMNS];
    for (size_t i = 0; i < N_NIC_COLUMNS; i++)
        row[i] = CELL_NULL;
    if (n == 0 || !sum(statistics, n, block->driver, row))
        return;
    intake_row(intake, block->line, "nic", (const char *const[]){ NULL, block->interface });
    put_columns(intake, row);
    put_packets(intake, block->line, block->interface, statistics, n);
}

// vmxnet3 has the same names for each queue, all with blanks in them.
static bool begins_anew(
        const struct statistic *statistics, size_t n, const struct statistic *next) {
    return n > 0 && !memchr(next->name, ' ', NIC_NAME_SIZE) &&
           strncmp(statistics[0].name, next->name, NIC_NAME_SIZE) == 0;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    _cleanup_free_ struct statistic *statistics = calloc(STATISTICS_MAX, sizeof(*statistics));
    const struct line *first = &lines->line[i];
    struct block block = { .line = first };
    struct statistic next;
    size_t n = 0;
    if (!statistics)
        return i + 1;
    interface_of_block(lines, i, block.interface, sizeof(block.interface));
    told_driver(lines, i, block.driver, sizeof(block.driver));
    intake_row(intake, first, "nic", (const char *const[]){ NULL, block.interface });
    for (i += is_title(first); i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        if (is_title(line) || (!parse_statistic(line, &next) && line->indent == 0))
            break;
        if (!parse_statistic(line, &next)) {
            intake_unused(intake, line); // a heading of some drivers, or a word as value
            continue;
        }
        if (begins_anew(statistics, n, &next)) {
            put_statistics(intake, &block, statistics, n);
            intake_look(intake, line, line->at_ms);
            n = 0;
        }
        if (n < STATISTICS_MAX)
            statistics[n++] = next;
    }
    put_statistics(intake, &block, statistics, n);
    return i;
}

// Lines that grep left: the name begins like those of adapters.
static bool is_adapter_name(const char *name) {
    static const char *const begins[] = { "rx_", "tx_", "rx-", "tx-", "rx0", "port.", "port_rx",
        "veb.", "fdir_", "mmc_rx", "bw_in_", "bw_out_", "pps_allow", "conntrack_allow",
        "linklocal_allow", "queue_", "pkts rx", "drv dropped", "alloc_rx_", "hc_rx_", "vf_rx_",
        "rxq", "rxpp_", "ring full" };
    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return name[0] == '[' && name[1] >= '0' && name[1] <= '9';
}

static int begins(const struct lines *lines, size_t i) {
    struct statistic statistic;
    if (is_title(&lines->line[i]))
        return FORMAT_CERTAIN;
    return parse_statistic(&lines->line[i], &statistic) && is_adapter_name(statistic.name)
                   ? FORMAT_LIKELY
                   : FORMAT_NO;
}

const struct format format_ethtool_stats = {
    .name = "ethtool-S",
    .help = "ethtool -S",
    .begins = begins,
    .read = read_block,
};
