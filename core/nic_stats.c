// SPDX-License-Identifier: GPL-2.0-or-later
// Driver counters
//
// Names are those of the drivers of Linux 3.10 to 6.18. The traps:
//   - A total and its queues are alternatives: they are never added.
//   - igb's rx_fifo_errors contains rx_missed_errors. rx_no_buffer_count is no loss: the packet
//   waits.
//   - Counters of a cloud's allowances that end in _available are levels.
//   - What no steering rule matched is received all the same.
#include "core/nic_stats.h"

#include <string.h>

// For each driver and column, the alternative with the lowest number of which a name is there
// counts; all names of that alternative are added up. # stands for a number, - in front takes the
// value off.
struct mapping {
    const char *driver; // "" for those without lines of their own
    unsigned char column, alternative;
    const char *name;
};

static const struct mapping mappings[] = {
    // QPRDC (no descriptor) is counted per queue and reaches no link statistic; MPC is the packet
    // buffer.
    { "ixgbe", NIC_RING_DROPS, 1, "rx_missed_errors" },
    { "ixgbe", NIC_RING_DROPS, 1, "rx_no_dma_resources" },
    { "ixgbe", NIC_ALLOC_FAILS, 1, "alloc_rx_page_failed" },
    { "ixgbe", NIC_ALLOC_FAILS, 1, "alloc_rx_buff_failed" },
    { "ixgbe", NIC_BAD_FRAMES, 1, "rx_crc_errors" },
    { "ixgbe", NIC_BAD_FRAMES, 1, "rx_length_errors" },
    { "ixgbe", NIC_STEER_MISSES, 1, "fdir_miss" },
    { "ixgbe", NIC_TX_DROPS, 1, "tx_dropped" },

    { "igb", NIC_RING_DROPS, 1, "rx_missed_errors" },
    { "igb", NIC_RING_DROPS, 1, "rx_queue_#_drops" },
    { "igb", NIC_ALLOC_FAILS, 1, "rx_queue_#_alloc_failed" },
    { "igb", NIC_BAD_FRAMES, 1, "rx_crc_errors" },
    { "igb", NIC_BAD_FRAMES, 1, "rx_length_errors" },
    { "igb", NIC_BAD_FRAMES, 1, "rx_frame_errors" },
    { "igb", NIC_TX_DROPS, 1, "tx_dropped" },

    { "e1000e", NIC_RING_DROPS, 1, "rx_missed_errors" },
    { "e1000e", NIC_ALLOC_FAILS, 1, "alloc_rx_buff_failed" },
    { "e1000e", NIC_BAD_FRAMES, 1, "rx_crc_errors" },
    { "e1000e", NIC_BAD_FRAMES, 1, "rx_length_errors" },
    { "e1000e", NIC_BAD_FRAMES, 1, "rx_frame_errors" },
    { "e1000e", NIC_TX_DROPS, 1, "tx_dropped" },

    { "i40e", NIC_RING_DROPS, 1, "port.rx_discards" },
    { "i40e", NIC_RING_DROPS, 2, "rx_missed_errors" },
    { "i40e", NIC_ALLOC_FAILS, 1, "rx_alloc_fail" },
    { "i40e", NIC_ALLOC_FAILS, 1, "rx_pg_alloc_fail" },
    { "i40e", NIC_BAD_FRAMES, 1, "port.rx_crc_errors" },
    { "i40e", NIC_BAD_FRAMES, 1, "port.rx_length_errors" },
    { "i40e", NIC_BAD_FRAMES, 2, "rx_crc_errors" },
    { "i40e", NIC_BAD_FRAMES, 2, "rx_length_errors" },
    { "i40e", NIC_TX_DROPS, 1, "tx_dropped" },

    // rx_dropped is this function's ring, rx_dropped.nic the packet buffer of the port
    // (PRTRPB_RDPC).
    { "ice", NIC_RING_DROPS, 1, "rx_dropped" },
    { "ice", NIC_PHY_DROPS, 1, "rx_dropped.nic" },
    { "ice", NIC_ALLOC_FAILS, 1, "rx_alloc_fail" },
    { "ice", NIC_ALLOC_FAILS, 1, "rx_pg_alloc_fail" },
    { "ice", NIC_BAD_FRAMES, 1, "rx_crc_errors.nic" },
    { "ice", NIC_BAD_FRAMES, 1, "rx_length_errors.nic" },

    { "iavf", NIC_RING_DROPS, 1, "rx_discards" },
    { "iavf", NIC_TX_DROPS, 1, "tx_discards" },

    // Out of buffer: no descriptor of the host. phy: the port's own buffer, full of what the bus
    // did not take.
    { "mlx5_core", NIC_RING_DROPS, 1, "rx_out_of_buffer" },
    { "mlx5_core", NIC_PHY_DROPS, 1, "rx_discards_phy" },
    { "mlx5_core", NIC_PHY_DROPS, 2, "rx_prio#_discards" },
    { "mlx5_core", NIC_PHY_DROPS, 3, "rx_prio#_buf_discard" },
    { "mlx5_core", NIC_ALLOC_FAILS, 1, "rx_buff_alloc_err" },
    { "mlx5_core", NIC_ALLOC_FAILS, 2, "rx#_buff_alloc_err" },
    { "mlx5_core", NIC_DRIVER_DROPS, 1, "rx_wqe_err" },
    { "mlx5_core", NIC_DRIVER_DROPS, 1, "rx_oversize_pkts_sw_drop" },
    { "mlx5_core", NIC_DRIVER_DROPS, 2, "rx#_wqe_err" },
    { "mlx5_core", NIC_DRIVER_DROPS, 2, "rx#_oversize_pkts_sw_drop" },
    { "mlx5_core", NIC_BAD_FRAMES, 1, "rx_crc_errors_phy" },
    { "mlx5_core", NIC_BAD_FRAMES, 1, "rx_in_range_len_errors_phy" },
    { "mlx5_core", NIC_BAD_FRAMES, 1, "rx_out_of_range_len_phy" },
    { "mlx5_core", NIC_BAD_FRAMES, 1, "rx_oversize_pkts_phy" },
    { "mlx5_core", NIC_BAD_FRAMES, 1, "rx_undersize_pkts_phy" },
    { "mlx5_core", NIC_STEER_MISSES, 1, "rx_steer_missed_packets" },
    { "mlx5_core", NIC_XDP_DROPS, 1, "rx_xdp_drop" },
    { "mlx5_core", NIC_XDP_DROPS, 2, "rx#_xdp_drop" },
    { "mlx5_core", NIC_TX_DROPS, 1, "tx_queue_dropped" },
    { "mlx5_core", NIC_TX_DROPS, 1, "tx_discards_phy" },

    { "bnxt_en", NIC_RING_DROPS, 1, "rx_total_ring_discards" },
    { "bnxt_en", NIC_RING_DROPS, 2, "rx_total_discard_pkts" },
    { "bnxt_en", NIC_RING_DROPS, 3, "[#]: rx_discards" },
    { "bnxt_en", NIC_RING_DROPS, 3, "[#]: rx_discard_pkts" },
    { "bnxt_en", NIC_RING_DROPS, 4, "rx_discards" },
    { "bnxt_en", NIC_PHY_DROPS, 1, "rx_stat_discard" },
    { "bnxt_en", NIC_PHY_DROPS, 2, "rx_discard_packets_cos#" },
    { "bnxt_en", NIC_ALLOC_FAILS, 1, "rx_total_oom_discards" },
    { "bnxt_en", NIC_BAD_FRAMES, 1, "rx_fcs_err_frames" },
    { "bnxt_en", NIC_BAD_FRAMES, 1, "rx_align_err_frames" },
    { "bnxt_en", NIC_BAD_FRAMES, 1, "rx_runt_frames" },
    { "bnxt_en", NIC_TX_DROPS, 1, "tx_total_ring_discards" },
    { "bnxt_en", NIC_TX_DROPS, 2, "tx_total_discard_pkts" },
    { "bnxt_en", NIC_TX_DROPS, 3, "[#]: tx_discards" },

    // What the device drops stands in rx_dropped of the link only. empty_rx_ring counts looks, not
    // packets.
    { "ena", NIC_ALLOC_FAILS, 1, "queue_#_rx_page_alloc_fail" },
    { "ena", NIC_ALLOC_FAILS, 1, "queue_#_rx_skb_alloc_fail" },
    { "ena", NIC_XDP_DROPS, 1, "queue_#_rx_xdp_drop" },
    { "ena", NIC_PROVIDER_LIMIT_DROPS, 1, "bw_in_allowance_exceeded" },
    { "ena", NIC_PROVIDER_LIMIT_DROPS, 1, "bw_out_allowance_exceeded" },
    { "ena", NIC_PROVIDER_LIMIT_DROPS, 1, "pps_allowance_exceeded" },
    { "ena", NIC_PROVIDER_LIMIT_DROPS, 1, "conntrack_allowance_exceeded" },
    { "ena", NIC_PROVIDER_LIMIT_DROPS, 1, "linklocal_allowance_exceeded" },
    { "ena", NIC_LINK_LOCAL_DROPS, 1, "linklocal_allowance_exceeded" },

    // drops contains xdp_drops. Only a host that offers device statistics tells of its own drops.
    { "virtio_net", NIC_DRIVER_DROPS, 1, "rx_drops" },
    { "virtio_net", NIC_DRIVER_DROPS, 1, "-rx_xdp_drops" },
    { "virtio_net", NIC_DRIVER_DROPS, 2, "rx#_drops" },
    { "virtio_net", NIC_DRIVER_DROPS, 2, "-rx#_xdp_drops" },
    { "virtio_net", NIC_DRIVER_DROPS, 3, "rx_queue_#_drops" },
    { "virtio_net", NIC_DRIVER_DROPS, 3, "-rx_queue_#_xdp_drops" },
    { "virtio_net", NIC_RING_DROPS, 1, "rx_hw_drop_overruns" },
    { "virtio_net", NIC_RING_DROPS, 2, "rx#_hw_drop_overruns" },
    { "virtio_net", NIC_XDP_DROPS, 1, "rx_xdp_drops" },
    { "virtio_net", NIC_XDP_DROPS, 2, "rx#_xdp_drops" },
    { "virtio_net", NIC_XDP_DROPS, 3, "rx_queue_#_xdp_drops" },
    { "virtio_net", NIC_PROVIDER_LIMIT_DROPS, 1, "rx_hw_ratelimit_packets" },
    { "virtio_net", NIC_PROVIDER_LIMIT_DROPS, 1, "tx_hw_ratelimit_packets" },
    { "virtio_net", NIC_PROVIDER_LIMIT_DROPS, 2, "rx#_hw_ratelimit_packets" },
    { "virtio_net", NIC_PROVIDER_LIMIT_DROPS, 2, "tx#_hw_ratelimit_packets" },
    { "virtio_net", NIC_TX_DROPS, 1, "tx_xdp_tx_drops" },
    { "virtio_net", NIC_TX_DROPS, 2, "tx#_xdp_tx_drops" },
    { "virtio_net", NIC_TX_DROPS, 3, "tx_queue_#_xdp_tx_drops" },

    // The same names come again for each queue.
    { "vmxnet3", NIC_RING_DROPS, 1, "pkts rx OOB" },
    { "vmxnet3", NIC_DRIVER_DROPS, 1, "drv dropped rx total" },
    { "vmxnet3", NIC_ALLOC_FAILS, 1, "rx buf alloc fail" },
    { "vmxnet3", NIC_BAD_FRAMES, 1, "pkts rx err" },
    { "vmxnet3", NIC_XDP_DROPS, 1, "xdp drops" },
    { "vmxnet3", NIC_TX_DROPS, 1, "drv dropped tx total" },
    { "vmxnet3", NIC_TX_DROPS, 1, "pkts tx discard" },

    // With accelerated networking the packets, and their losses, are those of the virtual function.
    { "hv_netvsc", NIC_ALLOC_FAILS, 1, "rx_no_memory" },
    { "hv_netvsc", NIC_XDP_DROPS, 1, "rx_queue_#_xdp_drop" },
    { "hv_netvsc", NIC_TX_DROPS, 1, "tx_no_memory" },
    { "hv_netvsc", NIC_TX_DROPS, 1, "tx_no_space" },
    { "hv_netvsc", NIC_TX_DROPS, 1, "tx_too_big" },

    // rx_dropped is the sum of these three. The numbers with [] come from the device, if it reports
    // any.
    { "gve", NIC_ALLOC_FAILS, 1, "rx_skb_alloc_fail" },
    { "gve", NIC_ALLOC_FAILS, 1, "rx_buf_alloc_fail" },
    { "gve", NIC_DRIVER_DROPS, 1, "rx_desc_err_dropped_pkt" },
    { "gve", NIC_RING_DROPS, 1, "rx_queue_drop_cnt[#]" },
    { "gve", NIC_RING_DROPS, 1, "rx_no_buffers_posted[#]" },
    { "gve", NIC_BAD_FRAMES, 1, "rx_drops_packet_over_mru[#]" },
    { "gve", NIC_BAD_FRAMES, 1, "rx_drops_invalid_checksum[#]" },
    { "gve", NIC_TX_DROPS, 1, "tx_dropped" },

    { "mana", NIC_RING_DROPS, 1, "hc_rx_discards_no_wqe" },
    { "mana", NIC_PHY_DROPS, 1, "rx_pkt_drop_phy" },

    { "veth", NIC_DRIVER_DROPS, 1, "rx_queue_#_drops" },
    { "veth", NIC_XDP_DROPS, 1, "rx_queue_#_xdp_drops" },

    // no_frags: no descriptor of the host. The rest is the adapter's own memory.
    { "be2net", NIC_RING_DROPS, 1, "rxq#: rx_drops_no_frags" },
    { "be2net", NIC_PHY_DROPS, 1, "rx_drops_no_pbuf" },
    { "be2net", NIC_PHY_DROPS, 1, "rxpp_fifo_overflow_drop" },
    { "be2net", NIC_PHY_DROPS, 1, "rx_input_fifo_overflow_drop" },
    { "be2net", NIC_ALLOC_FAILS, 1, "rxq#: rx_drops_no_skbs" },
    { "be2net", NIC_BAD_FRAMES, 1, "rx_crc_errors" },
    { "be2net", NIC_BAD_FRAMES, 1, "rx_alignment_symbol_errors" },

    { "bnx2x", NIC_RING_DROPS, 1, "rx_discards" },
    { "bnx2x", NIC_RING_DROPS, 2, "[#]: rx_discards" },
    { "bnx2x", NIC_PHY_DROPS, 1, "rx_brb_discard" },
    { "bnx2x", NIC_ALLOC_FAILS, 1, "rx_skb_alloc_discard" },
    { "bnx2x", NIC_ALLOC_FAILS, 2, "[#]: rx_skb_alloc_discard" },
    { "bnx2x", NIC_BAD_FRAMES, 1, "rx_crc_errors" },
    { "bnx2x", NIC_BAD_FRAMES, 1, "rx_align_errors" },

    { "sfc", NIC_RING_DROPS, 1, "port_rx_nodesc_drops" },
    { "sfc", NIC_RING_DROPS, 2, "rx_nodesc_drop_cnt" },
    { "sfc", NIC_PHY_DROPS, 1, "port_rx_overflow" },
    { "sfc", NIC_BAD_FRAMES, 1, "port_rx_bad" },

    { "tg3", NIC_RING_DROPS, 1, "rx_discards" },
    { "tg3", NIC_BAD_FRAMES, 1, "rx_fcs_errors" },
    { "tg3", NIC_BAD_FRAMES, 1, "rx_align_errors" },

    { "bnx2", NIC_RING_DROPS, 1, "rx_fw_discards" },
    { "bnx2", NIC_PHY_DROPS, 1, "rx_ftq_discards" },
    { "bnx2", NIC_BAD_FRAMES, 1, "rx_crc_errors" },
    { "bnx2", NIC_BAD_FRAMES, 1, "rx_align_errors" },

    { "stmmac", NIC_PHY_DROPS, 1, "mmc_rx_fifo_overflow" },
    { "stmmac", NIC_BAD_FRAMES, 1, "mmc_rx_crc_error" },
    { "stmmac", NIC_BAD_FRAMES, 1, "mmc_rx_align_error" },

    { "enic", NIC_RING_DROPS, 1, "rx_no_bufs" },
    { "r8169", NIC_RING_DROPS, 1, "rx_missed" },

    // Names that mean the same wherever they were seen.
    { "", NIC_RING_DROPS, 1, "rx_missed_errors" },
    { "", NIC_RING_DROPS, 2, "rx_out_of_buffer" },
    { "", NIC_PHY_DROPS, 1, "rx_discards_phy" },
    { "", NIC_ALLOC_FAILS, 1, "rx_alloc_fail" },
    { "", NIC_ALLOC_FAILS, 2, "alloc_rx_buff_failed" },
    { "", NIC_BAD_FRAMES, 1, "rx_crc_errors" },
    { "", NIC_BAD_FRAMES, 1, "rx_length_errors" },
    { "", NIC_BAD_FRAMES, 1, "rx_frame_errors" },
    { "", NIC_BAD_FRAMES, 2, "rx_fcs_errors" },
    { "", NIC_BAD_FRAMES, 2, "rx_align_errors" },
    { "", NIC_XDP_DROPS, 1, "rx_xdp_drop" },
    { "", NIC_XDP_DROPS, 2, "rx_xdp_drops" },
    { "", NIC_XDP_DROPS, 3, "rx_queue_#_xdp_drops" },
    { "", NIC_TX_DROPS, 1, "tx_dropped" },
};
#define N_MAPPINGS (sizeof(mappings) / sizeof(mappings[0]))
#define MAX_ALTERNATIVES 4

static bool is_known(const char *driver) {
    for (size_t i = 0; i < N_MAPPINGS; i++)
        if (strcmp(mappings[i].driver, driver) == 0)
            return true;
    return false;
}

// Drivers that share the names of another.
static const char *driver_of(const char *driver) {
    static const char *const same[][2] = {
        { "igc", "igb" },
        { "e1000", "e1000e" },
        { "mlx5e_rep", "mlx5_core" },
        { "st_gmac", "stmmac" },
    };
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
        if (strcmp(driver, same[i][0]) == 0)
            return same[i][1];
    return is_known(driver) ? driver : "";
}

static bool is_match(const char *pattern, const char *name) {
    size_t i = 0;
    while (i < NIC_NAME_SIZE && name[i] == ' ') // vmxnet3 indents
        i++;
    for (; *pattern; pattern++) {
        size_t begin = i;
        if (*pattern == '#') {
            while (i < NIC_NAME_SIZE && name[i] >= '0' && name[i] <= '9')
                i++;
            if (i == begin)
                return false;
        } else if (i == NIC_NAME_SIZE || name[i++] != *pattern) {
            return false;
        }
    }
    return i == NIC_NAME_SIZE || name[i] == '\0';
}

struct choice {
    const char (*names)[NIC_NAME_SIZE];
    size_t n;
    struct nic_pick *picks; // NULL: count only
    size_t n_picks;
};

// Adds the names of one line; whether there is one.
static bool add(struct choice *choice, const struct mapping *mapping) {
    bool negative = mapping->name[0] == '-', found = false;
    for (size_t i = 0; i < choice->n; i++) {
        if (!is_match(mapping->name + negative, choice->names[i]))
            continue;
        if (choice->picks)
            choice->picks[choice->n_picks] =
                    (struct nic_pick){ (unsigned) i, mapping->column, negative };
        choice->n_picks++;
        found = true;
    }
    return found && !negative;
}

static bool add_alternative(
        struct choice *choice, const char *driver, size_t column, size_t alternative) {
    size_t before = choice->n_picks;
    bool found = false;
    for (size_t i = 0; i < N_MAPPINGS; i++)
        if (mappings[i].column == column && mappings[i].alternative == alternative &&
                strcmp(mappings[i].driver, driver) == 0)
            found |= add(choice, &mappings[i]);
    if (!found)
        choice->n_picks = before;
    return found;
}

size_t nic_stats_choose(
        const char *driver, const char (*names)[NIC_NAME_SIZE], size_t n, struct nic_pick *picks) {
    struct choice choice = { names, n, picks, 0 };
    driver = driver_of(driver);
    for (size_t column = 0; column < N_NIC_COLUMNS; column++)
        for (size_t i = 1; i <= MAX_ALTERNATIVES; i++)
            if (add_alternative(&choice, driver, column, i))
                break;
    return choice.n_picks;
}

void nic_stats_sum(const struct nic_pick *picks, size_t n, const uint64_t *values, cell *row) {
    for (size_t begin = 0, end; begin < n; begin = end) {
        uint64_t sum = 0, contained = 0;
        for (end = begin; end < n && picks[end].column == picks[begin].column; end++)
            *(picks[end].negative ? &contained : &sum) += values[picks[end].index];
        // The parts may be read a moment later than the whole.
        sum -= contained < sum ? contained : sum;
        row[picks[begin].column] = sum <= INT64_MAX ? (cell) sum : CELL_NULL;
    }
}
