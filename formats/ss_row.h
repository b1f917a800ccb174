// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of ss
#pragma once

#include "formats/lines.h"
#include "formats/sockets.h"
#include "formats/words.h"

enum ss_protocol { SS_NOT_TOLD, SS_UDP, SS_UDPLITE, SS_OTHER };

enum ss_stage { STAGE_NETID, STAGE_RECV, STAGE_SEND, STAGE_LOCAL, STAGE_PEER, STAGE_REST };

struct ss_row {
    const struct line *line;
    enum ss_stage stage;           // what comes next
    enum ss_protocol netid, state; // what the columns say
    bool has_netid, has_state;
    bool has_inode;
    struct pasted_socket socket;
    unsigned peer_family;
};

// Begins a row with the columns of this line; *ret_rest: what stands behind them, which are
// attributes. False: the line is none.
bool ss_row_begin(const struct line *line, struct ss_row *row, const char **ret_rest);
// Goes on where the line before ended. False: it is no part of a row.
bool ss_row_go_on(struct ss_row *row, const char *text, const char **ret_rest);
// What -m, -e and -p add, wherever it stands.
bool ss_begins_attribute(const char *text);
void ss_row_take_attributes(struct ss_row *row, const char *text);

// Which protocol has that state; SS_NOT_TOLD: several have, or it is no state.
enum ss_protocol ss_state_protocol(const struct word *word);
