// SPDX-License-Identifier: GPL-2.0-or-later
// Known sockets
#include "collectors/socket_known.h"

// A queue is worth a look above half of the buffer: a reader that keeps up hardly gets there.
#define NEAR_PERCENT 50
#define FULL_PERCENT 90
// However little of its buffer that is: a slow reader needs seconds for it, and nothing is lost
// yet.
#define LARGE_QUEUE_BYTES (1 << 20)
// What a datagram of a few bytes is charged (6.18; 768 before 6.3).
#define SMALLEST_TRUESIZE 832

static uint64_t mix_more(uint64_t key, uint64_t more) {
    return key_mix(key ^ more);
}

uint64_t socket_key(const struct socket_view *view) {
    uint64_t key = view->cookie ^ (uint64_t) view->inode << 32;
    if (!view->cookie) { // from a file: where its address is another, so is the socket
        key = mix_more(key_mix(view->inode),
                (uint64_t) view->protocol << 24 | (uint64_t) view->family << 16 | view->port);
        for (size_t i = 0; i < 4; i++)
            key = mix_more(key, view->address[i]);
    }
    return key ? key : 1;
}

static int64_t used_of(const struct socket_view *view) {
    return view->has_memory ? view->rmem : (int64_t) view->queue;
}

uint8_t socket_share(const struct socket_view *view, uint32_t limit) {
    int64_t used = used_of(view);
    if (view->has_memory)
        limit = view->rcvbuf;
    if (used < 0 || (limit == 0 && used > 0))
        return SOCKET_SHARE_MAX;
    int64_t share = limit ? used * 100 / limit : 0;
    return (uint8_t) (share < SOCKET_SHARE_MAX ? share : SOCKET_SHARE_MAX);
}

bool socket_is_full(const struct socket_view *view, uint32_t limit, bool lost) {
    uint8_t share = socket_share(view, limit);
    if (view->has_memory)
        limit = view->rcvbuf;
    if (share >= FULL_PERCENT || (lost && share > NEAR_PERCENT))
        return true;
    return view->queue > 0 && used_of(view) + SMALLEST_TRUESIZE > limit;
}

static bool is_near(uint8_t share, uint8_t before) {
    return share >= FULL_PERCENT || (share > NEAR_PERCENT && share > before);
}

// The counter has 32 bits. It cannot go back: then it is another socket.
static void count_drops(
        uint32_t now, enum socket_past past, uint32_t before, struct socket_news *news) {
    uint32_t lost = now - before;
    bool other = past == SOCKET_NEW || lost > INT32_MAX;
    news->drops_before = past == SOCKET_UNKNOWN ? CELL_NULL : other ? 0 : (cell) before;
    news->lost = past == SOCKET_UNKNOWN ? 0 : other ? (int64_t) now : (int64_t) lost;
}

static bool is_listed(uint16_t until_s, uint16_t now_s) {
    return until_s && (int16_t) (uint16_t) (until_s - now_s) > 0;
}

void known_socket_list(struct known_socket *known, int64_t now_ms) {
    uint16_t until_s = (uint16_t) (now_ms / 1000 + SOCKET_LISTED_S);
    known->until_s = until_s ? until_s : 1;
}

struct socket_news socket_judge(const struct socket_view *view, enum socket_past past,
        uint32_t limit, int64_t now_ms, struct known_socket *known) {
    struct socket_news news = { .share = socket_share(view, limit) };
    uint16_t now_s = (uint16_t) (now_ms / 1000);
    count_drops(view->drops, past, known->drops, &news);
    if (news.lost > 0 || view->queue >= LARGE_QUEUE_BYTES ||
            is_near(news.share, past == SOCKET_KNOWN ? known->share : 0))
        known_socket_list(known, now_ms);
    if (!is_listed(known->until_s, now_s))
        known->until_s = 0;
    // A single look shows who ever lost something.
    news.listed = known->until_s || (past == SOCKET_UNKNOWN && view->drops > 0);
    known->drops = view->drops;
    known->share = news.share;
    return news;
}
