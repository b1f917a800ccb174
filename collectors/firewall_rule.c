// SPDX-License-Identifier: GPL-2.0-or-later
// Firewall rules
//
// Rules that drop or refuse packets, with what they counted (iptables, nftables). Only from outputs
// that somebody pasted.
#include "collectors/list.h"

static const struct column columns[] = {
    { "chain", COLUMN_KEY_TEXT, "", "family, table and chain, as far as they are told", NULL },
    { "rule", COLUMN_KEY_INTEGER, "", "its place in the chain, from 1; 0: the chain's policy",
            NULL },
    { "text", COLUMN_TEXT, "", "the rule without its counters", NULL },
    { "action", COLUMN_TEXT, "", "drop; reject: the sender is told", NULL },
    { "protocol", COLUMN_TEXT, "", "udp, tcp, ...; all: whatever comes", NULL },
    { "packets", COLUMN_COUNTER, "packets", "dropped or refused", NULL },
};

const struct table firewall_rule_table = {
    .name = "firewall_rule",
    .help = "firewall rules that drop or refuse packets",
    .per = "chain, rule",
    .source = "iptables -vnL, iptables-save -c, nft list ruleset (pasted outputs only)",
    .columns = columns,
    .n_columns = sizeof(columns) / sizeof(columns[0]),
    .n_keys = 2,
    .sparse = true,
};

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    outcome_set(outcome, OUTCOME_ABSENT, "only read from pasted outputs");
}

const struct collector firewall_rule_collector = { &firewall_rule_table, LANE_SLOW, NULL, collect,
    NULL };
