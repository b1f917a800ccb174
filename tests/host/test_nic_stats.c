// SPDX-License-Identifier: GPL-2.0-or-later
// Driver counters
//
// Lists as ethtool -S prints them, one per driver and generation, and what they must come to. A
// name that is not listed under "counts" must not count.
#include <stdlib.h>

#include "collectors/list.h"
#include "core/nic_stats.h"
#include "tests/host/rows.h"

struct stat {
    const char *name;
    uint64_t value;
};

struct expectation {
    const char *column;
    cell value;
};

struct driver_case {
    const char *title, *driver;
    struct stat stats[40];
    struct expectation expected[10]; // all other counters are NULL
};

static const struct driver_case cases[] = {
    { "ixgbe: QPRDC is not in the link statistics; no_buffer is no loss", "ixgbe",
            { { "rx_packets", 1000 }, { "rx_errors", 7 }, { "rx_dropped", 0 }, { "tx_dropped", 2 },
                    { "rx_no_buffer_count", 99999 }, { "rx_over_errors", 0 },
                    { "rx_crc_errors", 3 }, { "rx_frame_errors", 0 }, { "fdir_match", 5 },
                    { "fdir_miss", 500 }, { "fdir_overflow", 1 }, { "rx_fifo_errors", 0 },
                    { "rx_missed_errors", 40 }, { "rx_length_errors", 4 },
                    { "rx_long_length_errors", 4 }, { "alloc_rx_page_failed", 5 },
                    { "alloc_rx_buff_failed", 6 }, { "rx_no_dma_resources", 60 },
                    { "rx_queue_0_packets", 1000 } },
            { { "ring_drops", 100 }, { "alloc_fails", 11 }, { "bad_frames", 7 },
                    { "steer_misses", 500 }, { "tx_drops", 2 } } },
    { "igb: fifo contains missed and the queues", "igb",
            { { "rx_packets", 1000 }, { "rx_no_buffer_count", 777 }, { "rx_missed_errors", 10 },
                    { "rx_crc_errors", 1 }, { "rx_align_errors", 2 },
                    { "rx_long_length_errors", 3 }, { "rx_errors", 6 }, { "tx_dropped", 0 },
                    { "rx_length_errors", 3 }, { "rx_over_errors", 0 }, { "rx_frame_errors", 2 },
                    { "rx_fifo_errors", 15 }, { "tx_queue_0_restart", 9 },
                    { "rx_queue_0_packets", 500 }, { "rx_queue_0_drops", 4 },
                    { "rx_queue_0_csum_err", 8 }, { "rx_queue_0_alloc_failed", 2 },
                    { "rx_queue_1_drops", 1 }, { "rx_queue_1_alloc_failed", 3 },
                    { "rx_queue_10_drops", 0 } },
            { { "ring_drops", 15 }, { "alloc_fails", 5 }, { "bad_frames", 6 },
                    { "tx_drops", 0 } } },
    { "e1000e", "e1000e",
            { { "rx_errors", 3 }, { "rx_crc_errors", 1 }, { "rx_length_errors", 1 },
                    { "rx_frame_errors", 1 }, { "rx_align_errors", 1 }, { "rx_fifo_errors", 12 },
                    { "rx_missed_errors", 12 }, { "rx_no_buffer_count", 100 },
                    { "alloc_rx_buff_failed", 4 }, { "tx_dropped", 1 } },
            { { "ring_drops", 12 }, { "alloc_fails", 4 }, { "bad_frames", 3 },
                    { "tx_drops", 1 } } },
    { "i40e: the port's discards, whatever rtnetlink calls them", "i40e",
            { { "rx_packets", 9 }, { "rx_dropped", 33 }, { "tx_dropped", 2 },
                    { "rx_length_errors", 4 }, { "rx_crc_errors", 5 }, { "rx_missed_errors", 33 },
                    { "rx_alloc_fail", 6 }, { "rx_pg_alloc_fail", 7 }, { "veb.rx_discards", 1000 },
                    { "port.rx_discards", 33 }, { "port.rx_crc_errors", 5 },
                    { "port.rx_length_errors", 4 }, { "port.tx_dropped_link_down", 8 } },
            { { "ring_drops", 33 }, { "alloc_fails", 13 }, { "bad_frames", 9 },
                    { "tx_drops", 2 } } },
    { "ice: its ring, and the port's buffer", "ice",
            { { "rx_bytes", 1 }, { "rx_dropped", 21 }, { "rx_unknown_protocol", 4 },
                    { "rx_alloc_fail", 1 }, { "rx_pg_alloc_fail", 2 }, { "rx_dropped.nic", 34 },
                    { "rx_crc_errors.nic", 5 }, { "rx_length_errors.nic", 6 },
                    { "rx_csum_bad.nic", 70 } },
            { { "ring_drops", 21 }, { "phy_drops", 34 }, { "alloc_fails", 3 },
                    { "bad_frames", 11 } } },
    { "iavf", "iavf",
            { { "rx_discards", 5 }, { "rx_unknown_protocol", 9 }, { "tx_discards", 6 },
                    { "tx_errors", 7 } },
            { { "ring_drops", 5 }, { "tx_drops", 6 } } },
    { "mlx5: totals, not totals and rings", "mlx5_core",
            { { "rx_packets", 1 }, { "rx_out_of_buffer", 746308 },
                    { "rx_steer_missed_packets", 88 }, { "rx_xdp_drop", 4 }, { "rx0_xdp_drop", 1 },
                    { "rx1_xdp_drop", 3 }, { "rx_buff_alloc_err", 9 }, { "rx0_buff_alloc_err", 4 },
                    { "rx1_buff_alloc_err", 5 }, { "rx_wqe_err", 2 }, { "rx0_wqe_err", 2 },
                    { "rx_oversize_pkts_sw_drop", 3 }, { "rx_discards_phy", 50 },
                    { "rx_prio0_discards", 20 }, { "rx_prio3_discards", 30 },
                    { "rx_prio0_buf_discard", 20 }, { "rx_crc_errors_phy", 1 },
                    { "rx_in_range_len_errors_phy", 2 }, { "rx_out_of_range_len_phy", 3 },
                    { "rx_oversize_pkts_phy", 4 }, { "rx_undersize_pkts_phy", 5 },
                    { "rx_symbol_err_phy", 6000 }, { "tx_queue_dropped", 6 },
                    { "tx_discards_phy", 7 }, { "tx0_dropped", 6 } },
            { { "ring_drops", 746308 }, { "driver_drops", 5 }, { "alloc_fails", 9 },
                    { "phy_drops", 50 }, { "bad_frames", 15 }, { "steer_misses", 88 },
                    { "xdp_drops", 4 }, { "tx_drops", 13 } } },
    { "mlx5 without totals", "mlx5_core",
            { { "rx0_xdp_drop", 1 }, { "rx1_xdp_drop", 3 }, { "rx0_buff_alloc_err", 4 },
                    { "rx11_buff_alloc_err", 5 }, { "rx_prio0_discards", 20 },
                    { "rx_prio7_discards", 30 }, { "rx_prio0_buf_discard", 7 } },
            { { "alloc_fails", 9 }, { "phy_drops", 50 }, { "xdp_drops", 4 } } },
    { "bnxt: totals of 6.x", "bnxt_en",
            { { "[0]: rx_discards", 11 }, { "[1]: rx_discards", 22 }, { "[0]: rx_buf_errors", 5 },
                    { "[0]: missed_irqs", 6 }, { "rx_total_ring_discards", 33 },
                    { "rx_total_oom_discards", 3 }, { "rx_total_netpoll_discards", 1 },
                    { "tx_total_ring_discards", 2 }, { "rx_fcs_err_frames", 7 },
                    { "rx_align_err_frames", 1 }, { "rx_runt_frames", 2 },
                    { "rx_stat_discard", 44 }, { "rx_discard_packets_cos0", 40 },
                    { "rx_discard_packets_cos7", 4 } },
            { { "ring_drops", 33 }, { "alloc_fails", 3 }, { "phy_drops", 44 }, { "bad_frames", 10 },
                    { "tx_drops", 2 } } },
    { "bnxt: rings only", "bnxt_en",
            { { "[0]: rx_discards", 11 }, { "[1]: rx_discards", 22 }, { "[0]: tx_discards", 3 },
                    { "rx_discard_packets_cos0", 40 }, { "rx_discard_packets_cos7", 4 } },
            { { "ring_drops", 33 }, { "phy_drops", 44 }, { "tx_drops", 3 } } },
    { "ena: allowances exceeded, not those available", "ena",
            { { "tx_timeout", 0 }, { "bw_in_allowance_exceeded", 500 },
                    { "bw_out_allowance_exceeded", 0 }, { "pps_allowance_exceeded", 20 },
                    { "conntrack_allowance_exceeded", 3 },
                    { "linklocal_allowance_exceeded", 335000000 },
                    { "conntrack_allowance_available", 154000 }, { "queue_0_rx_cnt", 99 },
                    { "queue_0_rx_refil_partial", 4 }, { "queue_0_rx_csum_bad", 5 },
                    { "queue_0_rx_page_alloc_fail", 1 }, { "queue_0_rx_skb_alloc_fail", 2 },
                    { "queue_0_rx_bad_desc_num", 6 }, { "queue_0_rx_empty_rx_ring", 7 },
                    { "queue_0_rx_xdp_drop", 8 }, { "queue_1_rx_page_alloc_fail", 10 },
                    { "queue_1_rx_skb_alloc_fail", 20 }, { "queue_1_rx_empty_rx_ring", 70 },
                    { "queue_1_rx_xdp_drop", 80 } },
            { { "alloc_fails", 33 }, { "xdp_drops", 88 }, { "provider_limit_drops", 335000523 },
                    { "link_local_drops", 335000000 } } },
    { "virtio_net up to 6.x", "virtio_net",
            { { "rx_queue_0_packets", 9 }, { "rx_queue_0_drops", 12 },
                    { "rx_queue_0_xdp_drops", 2 }, { "rx_queue_0_kicks", 3 },
                    { "rx_queue_1_drops", 8 }, { "rx_queue_1_xdp_drops", 0 },
                    { "tx_queue_0_xdp_tx_drops", 1 } },
            { { "driver_drops", 18 }, { "xdp_drops", 2 }, { "tx_drops", 1 } } },
    { "virtio_net of 6.18: totals, rings and the device", "virtio_net",
            { { "rx_drops", 20 }, { "rx_xdp_drops", 2 }, { "tx_xdp_tx_drops", 1 },
                    { "rx0_drops", 12 }, { "rx0_xdp_drops", 2 }, { "rx1_drops", 8 },
                    { "rx1_xdp_drops", 0 }, { "tx0_xdp_tx_drops", 1 }, { "rx0_hw_drops", 50 },
                    { "rx0_hw_drop_overruns", 30 }, { "rx1_hw_drop_overruns", 10 },
                    { "rx0_hw_ratelimit_packets", 5 }, { "tx0_hw_ratelimit_packets", 6 } },
            { { "driver_drops", 18 }, { "xdp_drops", 2 }, { "ring_drops", 40 }, { "tx_drops", 1 },
                    { "provider_limit_drops", 11 } } },
    { "virtio_net: the parts were read a moment later than the whole", "virtio_net",
            { { "rx0_drops", 1 }, { "rx0_xdp_drops", 2 } },
            { { "driver_drops", 0 }, { "xdp_drops", 2 } } },
    { "vmxnet3: indented, and again for each queue", "vmxnet3",
            { { "Tx Queue#", 0 }, { "  pkts tx err", 1 }, { "  pkts tx discard", 2 },
                    { "  drv dropped tx total", 3 }, { "     too many frags", 3 },
                    { "  ring full", 40 }, { "Tx Queue#", 1 }, { "  pkts tx discard", 20 },
                    { "  drv dropped tx total", 30 }, { "Rx Queue#", 0 }, { "  pkts rx OOB", 100 },
                    { "  pkts rx err", 4 }, { "  drv dropped rx total", 7 }, { "     err", 5 },
                    { "     fcs", 2 }, { "  rx buf alloc fail", 6 }, { "Rx Queue#", 1 },
                    { "  pkts rx OOB", 200 }, { "  pkts rx err", 1 },
                    { "  drv dropped rx total", 0 }, { "  rx buf alloc fail", 1 },
                    { "tx timeout count", 9 } },
            { { "ring_drops", 300 }, { "driver_drops", 7 }, { "alloc_fails", 7 },
                    { "bad_frames", 5 }, { "tx_drops", 55 } } },
    { "hv_netvsc", "hv_netvsc",
            { { "tx_no_memory", 1 }, { "tx_no_space", 2 }, { "tx_too_big", 3 }, { "tx_busy", 40 },
                    { "rx_comp_busy", 50 }, { "rx_no_memory", 6 }, { "vf_rx_packets", 700 },
                    { "rx_queue_0_xdp_drop", 8 } },
            { { "alloc_fails", 6 }, { "xdp_drops", 8 }, { "tx_drops", 6 } } },
    { "gve: rx_dropped is the sum of the others", "gve",
            { { "rx_dropped", 6 }, { "tx_dropped", 9 }, { "rx_skb_alloc_fail", 1 },
                    { "rx_buf_alloc_fail", 2 }, { "rx_desc_err_dropped_pkt", 3 },
                    { "rx_dropped_pkt[0]", 6 }, { "rx_queue_drop_cnt[0]", 10 },
                    { "rx_no_buffers_posted[0]", 20 }, { "rx_queue_drop_cnt[1]", 1 },
                    { "rx_drops_packet_over_mru[0]", 4 }, { "rx_drops_invalid_checksum[0]", 5 } },
            { { "ring_drops", 31 }, { "driver_drops", 3 }, { "alloc_fails", 3 },
                    { "bad_frames", 9 }, { "tx_drops", 9 } } },
    { "mana", "mana",
            { { "hc_rx_discards_no_wqe", 5 }, { "rx_pkt_drop_phy", 6 }, { "rx_0_xdp_drop", 1 } },
            { { "ring_drops", 5 }, { "phy_drops", 6 } } },
    { "veth", "veth",
            { { "peer_ifindex", 4 }, { "rx_queue_0_xdp_packets", 1 }, { "rx_queue_0_drops", 2 },
                    { "rx_queue_0_xdp_drops", 3 }, { "rx_queue_1_xdp_drops", 30 } },
            { { "driver_drops", 2 }, { "xdp_drops", 33 } } },
    { "be2net: descriptors of the host, memory of the adapter", "be2net",
            { { "rx_crc_errors", 1 }, { "rx_drops_no_pbuf", 9 }, { "rxpp_fifo_overflow_drop", 2 },
                    { "rx_input_fifo_overflow_drop", 3 }, { "rx_udp_checksum_errs", 55 },
                    { "rx_address_filtered", 1000 }, { "rxq0: rx_drops_no_frags", 40 },
                    { "rxq0: rx_drops_no_skbs", 4 }, { "rxq1: rx_drops_no_frags", 2 } },
            { { "ring_drops", 42 }, { "alloc_fails", 4 }, { "phy_drops", 14 },
                    { "bad_frames", 1 } } },
    { "bnx2x: the total, not its queues", "bnx2x",
            { { "[0]: rx_discards", 7 }, { "[0]: rx_phy_ip_err_discards", 1 },
                    { "[0]: rx_csum_offload_errors", 90 }, { "[1]: rx_discards", 5 },
                    { "rx_discards", 12 }, { "rx_brb_discard", 4 } },
            { { "ring_drops", 12 }, { "phy_drops", 4 } } },
    { "bnx2x: queues alone", "bnx2x", { { "[0]: rx_discards", 7 }, { "[1]: rx_discards", 5 } },
            { { "ring_drops", 12 } } },
    { "sfc", "sfc", { { "port_rx_nodesc_drops", 6 }, { "port_rx_overflow", 2 } },
            { { "ring_drops", 6 }, { "phy_drops", 2 } } },
    { "tg3", "tg3", { { "rx_discards", 41 }, { "rx_threshold_hit", 9 }, { "rx_fcs_errors", 1 } },
            { { "ring_drops", 41 }, { "bad_frames", 1 } } },
    { "unknown driver: only what means the same everywhere", "acme0",
            { { "rx_missed_errors", 5 }, { "rx_out_of_buffer", 5 }, { "rx_no_buffer_count", 100 },
                    { "rx_discards", 7 }, { "rx_fifo_errors", 5 }, { "rx_over_errors", 5 },
                    { "rx_dropped", 9 }, { "rx_drops", 9 }, { "rx_crc_errors", 1 },
                    { "rx_fcs_errors", 1 }, { "rx_steer_miss", 3 }, { "tx_dropped", 2 } },
            { { "ring_drops", 5 }, { "bad_frames", 1 }, { "tx_drops", 2 } } },
    { "unknown driver without any of these", "acme1", { { "frames_in", 5 }, { "lost", 6 } },
            { { NULL } } },
};

static void choose_and_sum(const struct driver_case *test, struct rows *rows) {
    size_t n = 0;
    char(*names)[NIC_NAME_SIZE] = calloc(40, sizeof(*names));
    uint64_t values[40];
    for (; n < 40 && test->stats[n].name; n++) {
        strncpy(names[n], test->stats[n].name, NIC_NAME_SIZE); // one that long has no NUL
        values[n] = test->stats[n].value;
    }
    const char(*given)[NIC_NAME_SIZE] = (const char(*)[NIC_NAME_SIZE]) names;
    size_t n_picks = nic_stats_choose(test->driver, given, n, NULL);
    struct nic_pick *picks = calloc(n_picks + 1, sizeof(*picks));
    ck_assert_uint_le(n_picks, 2 * n);
    ck_assert_uint_eq(nic_stats_choose(test->driver, given, n, picks), n_picks);
    nic_stats_sum(picks, n_picks, values, rows_add(rows));
    free(picks);
    free(names);
}

START_TEST(driver) {
    const struct driver_case *test = &cases[_i];
    struct rows rows;
    rows_init(&rows, &nic_table);
    choose_and_sum(test, &rows);
    for (size_t i = 0; i < nic_table.n_columns; i++) {
        cell expected = CELL_NULL;
        for (size_t k = 0; test->expected[k].column; k++)
            if (strcmp(test->expected[k].column, nic_table.columns[i].name) == 0)
                expected = test->expected[k].value;
        ck_assert_msg(rows_at(&rows, 0)[i] == expected, "%s: %s is %lld instead of %lld",
                test->title, nic_table.columns[i].name, (long long) rows_at(&rows, 0)[i],
                (long long) expected);
    }
    rows_done(&rows);
}
END_TEST

START_TEST(expectations_name_columns) {
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (size_t k = 0; cases[i].expected[k].column; k++)
            ck_assert_msg(table_column(&nic_table, cases[i].expected[k].column) >= NIC_RING_DROPS,
                    "%s", cases[i].expected[k].column);
}
END_TEST

// A name of full length, and numbers with several digits or none.
START_TEST(patterns) {
    static const char names[][NIC_NAME_SIZE] = { "rx_queue_123456789_alloc_failed",
        "rx_queue__alloc_failed", "rx_queue_1_alloc_failed_more", "rx_queue_1x_alloc_failed",
        "                                " };
    struct nic_pick picks[10];
    ck_assert_uint_eq(nic_stats_choose("igb", names, 5, picks), 1);
    ck_assert_uint_eq(picks[0].index, 0);
    ck_assert_uint_eq(nic_stats_choose("igb", names, 0, picks), 0);
}
END_TEST

START_TEST(large_values) {
    const struct nic_pick picks[] = { { 0, NIC_RING_DROPS, false }, { 1, NIC_TX_DROPS, false } };
    const uint64_t values[] = { INT64_MAX, UINT64_MAX };
    cell row[N_NIC_COLUMNS];
    nic_stats_sum(picks, 2, values, row);
    ck_assert_int_eq(row[NIC_RING_DROPS], INT64_MAX);
    ck_assert(row[NIC_TX_DROPS] == CELL_NULL);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("nic stats");
    TCase *tcase = tcase_create("drivers");
    tcase_add_loop_test(tcase, driver, 0, (int) (sizeof(cases) / sizeof(cases[0])));
    tcase_add_test(tcase, expectations_name_columns);
    tcase_add_test(tcase, patterns);
    tcase_add_test(tcase, large_values);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
