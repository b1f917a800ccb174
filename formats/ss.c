// SPDX-License-Identifier: GPL-2.0-or-later
// ss
//
// Rows of sockets, each with what -m, -e and -p add: on the same line, on one that begins with
// blanks, or behind a break of the terminal. The columns Netid and State are left out where they
// would be the same for all. iproute2 before 4.16 writes * for 0.0.0.0 and :: for all of IPv6;
// later ones write * for a socket that takes both.
#include <string.h>

#include "formats/list.h"
#include "formats/sockets.h"
#include "formats/ss_row.h"

// The terminal may have broken it: its lines, 1 or 2; 0: none.
static size_t header_lines(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    const char *text = line->text;
    if (line->kind != LINE_TEXT || !strstr(text, "Recv-Q") || !strstr(text, "Send-Q") ||
            strncmp(text + line->indent, "Proto", 5) == 0)
        return 0;
    if (strstr(text, "Address:Port"))
        return 1;
    return i + 1 < lines->n && lines->line[i + 1].kind == LINE_TEXT &&
                           strstr(lines->line[i + 1].text, "Address:Port")
                   ? 2
                   : 0;
}

struct block {
    struct intake *intake;
    const struct lines *lines;
    struct listing *listing;
    enum ss_protocol protocol; // of rows without a Netid
    unsigned star_family;      // what * stands for; 0: not told
    bool open;                 // a row was begun
    struct ss_row row;
};

// What TCP alone prints with -i or -o.
static bool is_tcp_text(const char *text) {
    return strstr(text, "cwnd:") || strstr(text, "rto:") || strstr(text, "timer:(");
}

static enum ss_protocol command_protocol(const char *command) {
    struct word words[16];
    size_t n = command ? words_split(command, words, 16) : 0;
    enum ss_protocol protocol = SS_NOT_TOLD;
    for (size_t i = 0; i < n && !word_is(&words[i], "|"); i++) {
        bool letters = words[i].length > 1 && words[i].text[0] == '-' && words[i].text[1] != '-';
        if ((letters && memchr(words[i].text, 'u', words[i].length)) || word_is(&words[i], "--udp"))
            return SS_UDP;
        if ((letters && memchr(words[i].text, 't', words[i].length)) || word_is(&words[i], "--tcp"))
            protocol = SS_OTHER;
    }
    return protocol;
}

static bool has_address(const char *text, const char *begin) {
    const char *found = strstr(text, begin);
    return found && (found == text || found[-1] == ' ' || found[-1] == '\t');
}

static bool ends_listing(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    struct ss_row row;
    const char *rest;
    return line->indent == 0 && !ss_begins_attribute(line->text) &&
           !ss_row_begin(line, &row, &rest);
}

// What the rows say together.
static void survey(struct block *block, size_t i) {
    const struct lines *lines = block->lines;
    block->protocol = command_protocol(lines_command(lines, i));
    bool given = block->protocol != SS_NOT_TOLD, udp = false, other = false;
    bool newer = false, older = false;
    for (size_t begin = i; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const char *text = lines->line[i].text;
        if (i > begin && ends_listing(lines, i))
            break;
        struct word first;
        enum ss_protocol state =
                words_split(text, &first, 1) == 1 ? ss_state_protocol(&first) : SS_NOT_TOLD;
        udp |= state == SS_UDP;
        other |= state == SS_OTHER || (!udp && !other && is_tcp_text(text));
        newer = newer || has_address(text, "0.0.0.0:") || has_address(text, "[");
        older = older || has_address(text, ":::");
    }
    if (!given)
        block->protocol = udp ? SS_UDP : other ? SS_OTHER : SS_NOT_TOLD;
    block->star_family = newer ? 6 : older ? 4 : 0;
}

static void resolve_star(struct pasted_address *address, unsigned family) {
    if (strcmp(address->host, "*") == 0 && family)
        strcpy(address->host, family == 6 ? "::" : "0.0.0.0");
}

static enum ss_protocol protocol_of(const struct block *block) {
    const struct ss_row *row = &block->row;
    if (row->has_netid)
        return row->netid;
    return row->state == SS_OTHER ? SS_OTHER : block->protocol;
}

static void end_row(struct block *block) {
    struct ss_row *row = &block->row;
    if (!block->open)
        return;
    block->open = false;
    if (row->stage < STAGE_PEER) {
        intake_skip(block->intake, row->line);
        return;
    }
    enum ss_protocol protocol = protocol_of(block);
    if (protocol == SS_OTHER) {
        intake_unused(block->intake, row->line);
        return;
    }
    struct pasted_socket *socket = &row->socket;
    socket->protocol = protocol == SS_UDPLITE ? "udplite" : "udp";
    if (socket->family == 0 && strcmp(socket->local.host, "*") == 0)
        socket->family = block->star_family;
    resolve_star(&socket->local, block->star_family);
    resolve_star(&socket->peer, block->star_family);
    // -e leaves user 0 out.
    if (row->has_inode && socket->uid == NOT_TOLD)
        socket->uid = 0;
    listing_add(block->listing, block->intake, row->line, socket);
}

// Another output without an empty line before it, such as that of ps.
static bool is_other_output(const struct lines *lines, size_t i) {
    for (size_t f = 0; f < n_formats; f++)
        if (formats[f] != &format_ss && formats[f]->begins(lines, i) >= FORMAT_LIKELY)
            return true;
    return false;
}

// Whether the line belongs to the block.
static bool take_line(struct block *block, const struct line *line) {
    const char *text = line->text + line->indent, *rest;
    if (block->open && ss_begins_attribute(text)) {
        ss_row_take_attributes(&block->row, text);
        return true;
    }
    struct ss_row row;
    if (ss_row_begin(line, &row, &rest)) {
        end_row(block);
        block->row = row;
        block->open = true;
        ss_row_take_attributes(&block->row, rest);
        return true;
    }
    if (!block->open || block->row.stage == STAGE_REST)
        return block->open && line->indent > 0 && // other details, such as those of -i
               !is_other_output(block->lines, (size_t) (line - block->lines->line));
    if (!ss_row_go_on(&block->row, line->text, &rest))
        return false;
    ss_row_take_attributes(&block->row, rest);
    return true;
}

// A blank line between rows does not end the listing.
static bool goes_on(const struct lines *lines, size_t i) {
    struct ss_row row;
    const char *rest;
    return i < lines->n && lines->line[i].kind == LINE_TEXT && header_lines(lines, i) == 0 &&
           ss_row_begin(&lines->line[i], &row, &rest) && (row.has_netid || row.has_state);
}

static size_t read_rows(struct block *block, size_t i) {
    const struct lines *lines = block->lines;
    for (; i < lines->n; i++) {
        const struct line *line = &lines->line[i];
        if (line->kind == LINE_BLANK && goes_on(lines, i + 1))
            continue;
        if (line->kind != LINE_TEXT || header_lines(lines, i) > 0 || !take_line(block, line))
            break;
    }
    return i;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct block block = { .intake = intake, .lines = lines, .listing = listing_new() };
    const struct line *first = &lines->line[i];
    if (!block.listing)
        return i + 1;
    survey(&block, i);
    size_t header = header_lines(lines, i);
    size_t end = read_rows(&block, i + header);
    end_row(&block);
    listing_end(block.listing, intake, first);
    if (block.protocol != SS_OTHER && header > 0)
        intake_listed(intake, "socket");
    listing_free(block.listing);
    return end;
}

static int begins(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    struct ss_row row;
    const char *rest;
    if (header_lines(lines, i) > 0)
        return FORMAT_CERTAIN;
    if (!ss_row_begin(line, &row, &rest) || row.stage < STAGE_PEER)
        return FORMAT_NO;
    if (row.has_state)
        return FORMAT_LIKELY + 10;
    bool details = ss_begins_attribute(rest + strspn(rest, " \t")) ||
                   (i + 1 < lines->n && ss_begins_attribute(lines->line[i + 1].text +
                                                            lines->line[i + 1].indent));
    return details ? FORMAT_LIKELY + 10 : FORMAT_NO;
}

const struct format format_ss = {
    .name = "ss",
    .help = "ss -u with any of -a -e -l -m -n -p",
    .begins = begins,
    .read = read_block,
};
