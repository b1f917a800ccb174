// SPDX-License-Identifier: GPL-2.0-or-later
// Delay accounting
#include "collectors/taskstats.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/taskstats.h>
#include <netlink/attr.h>
#include <stddef.h>
#include <string.h>

// The structure grows at its end: 328 bytes are there since version 8 (3.10). Version 15 alone
// (6.13) has new fields in the middle.
#define NEEDED_BYTES offsetof(struct taskstats, thrashing_count)
#define ODD_VERSION 15
// Version 13 (5.19) counts copies on write, which nearly every process makes.
#define COPY_COUNT_AT 400

_Static_assert(NEEDED_BYTES == 328, "version 8");

struct request {
    struct nlmsghdr message;
    struct genlmsghdr generic;
    struct nlattr attribute;
    union {
        char name[16]; // TASKSTATS_GENL_NAME
        uint32_t pid;
    };
};

static void make_request(
        struct request *request, uint16_t family, uint8_t command, int attribute, size_t n) {
    request->attribute.nla_type = (uint16_t) attribute;
    request->attribute.nla_len = (uint16_t) (NLA_HDRLEN + n);
    request->generic.cmd = command;
    request->generic.version = 1;
    request->message.nlmsg_type = family;
    request->message.nlmsg_len =
            (uint32_t) (offsetof(struct request, attribute) + NLA_ALIGN(NLA_HDRLEN + n));
}

static struct nlattr *attributes(struct nlmsghdr *message, int *ret_length) {
    *ret_length = nlmsg_datalen(message) - (int) GENL_HDRLEN;
    return *ret_length > 0 ? (struct nlattr *) ((char *) nlmsg_data(message) + GENL_HDRLEN) : NULL;
}

static int take_family(void *userdata, struct nlmsghdr *message) {
    int length;
    struct nlattr *list = attributes(message, &length);
    struct nlattr *id = list ? nla_find(list, length, CTRL_ATTR_FAMILY_ID) : NULL;
    if (id && nla_len(id) >= (int) sizeof(uint16_t))
        memcpy(userdata, nla_data(id), sizeof(uint16_t));
    return 0;
}

static int find_family(struct taskstats_asker *asker) {
    struct request request = { .name = TASKSTATS_GENL_NAME };
    if (asker->family > 0)
        return 0;
    make_request(&request, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME,
            sizeof(TASKSTATS_GENL_NAME));
    int r = rtnl_ask(&asker->rtnl, &request.message, take_family, &asker->family);
    return r < 0 ? r : asker->family > 0 ? 0 : -ENOENT;
}

static cell in_us(uint64_t ns) {
    return (cell) (ns / 1000);
}

// Where delays are not counted, or were not yet when the process began, everything is 0.
static bool counts_delays(const struct taskstats *stats, uint64_t copies) {
    return (stats->blkio_count | stats->swapin_count | stats->freepages_count | copies) != 0;
}

static bool take_stats(const void *data, size_t n, struct task_delays *ret) {
    struct taskstats stats = { 0 };
    uint64_t copies = 0;
    if (n < NEEDED_BYTES)
        return false;
    memcpy(&stats, data, NEEDED_BYTES);
    if (n >= COPY_COUNT_AT + sizeof(copies) && stats.version > ODD_VERSION - 3)
        memcpy(&copies, (const char *) data + COPY_COUNT_AT, sizeof(copies));
    *ret = (struct task_delays){ CELL_NULL, CELL_NULL, CELL_NULL, CELL_NULL, CELL_NULL };
    if (stats.version == ODD_VERSION)
        return true;
    ret->switches_voluntary = (cell) stats.nvcsw;
    ret->switches_involuntary = (cell) stats.nivcsw;
    if (!counts_delays(&stats, copies))
        return true;
    ret->block_us = in_us(stats.blkio_delay_total);
    ret->swap_us = in_us(stats.swapin_delay_total);
    ret->reclaim_us = in_us(stats.freepages_delay_total);
    return true;
}

bool taskstats_parse(struct nlmsghdr *message, pid_t pid, struct task_delays *ret) {
    int length;
    struct nlattr *list = attributes(message, &length);
    struct nlattr *process = list ? nla_find(list, length, TASKSTATS_TYPE_AGGR_TGID) : NULL;
    if (!process)
        return false;
    struct nlattr *id = nla_find(nla_data(process), nla_len(process), TASKSTATS_TYPE_TGID);
    struct nlattr *stats = nla_find(nla_data(process), nla_len(process), TASKSTATS_TYPE_STATS);
    if (!id || !stats || nla_len(id) < (int) sizeof(uint32_t) || nla_get_u32(id) != (uint32_t) pid)
        return false;
    return take_stats(nla_data(stats), (size_t) nla_len(stats), ret);
}

struct answer {
    pid_t pid;
    bool found;
    struct task_delays delays;
};

static int take_answer(void *userdata, struct nlmsghdr *message) {
    struct answer *answer = userdata;
    answer->found |= taskstats_parse(message, answer->pid, &answer->delays);
    return 0;
}

// A privilege or a kernel feature that is not there does not come while this runs.
static bool is_final(int r) {
    return r == -EPERM || r == -ENOENT || r == -EPROTONOSUPPORT || r == -EOPNOTSUPP;
}

int taskstats_read(struct taskstats_asker *asker, pid_t pid, struct task_delays *ret) {
    if (asker->error < 0)
        return asker->error;
    struct request request = { .pid = (uint32_t) pid };
    struct answer answer = { .pid = pid };
    int r = find_family(asker);
    if (r == 0) {
        make_request(&request, asker->family, TASKSTATS_CMD_GET, TASKSTATS_CMD_ATTR_TGID,
                sizeof(request.pid));
        r = rtnl_ask(&asker->rtnl, &request.message, take_answer, &answer);
    }
    if (r == 0 && !answer.found)
        r = -EPROTO;
    if (r == 0)
        *ret = answer.delays;
    if (is_final(r)) {
        rtnl_close(&asker->rtnl);
        asker->error = r;
    }
    return r;
}

void taskstats_close(struct taskstats_asker *asker) {
    rtnl_close(&asker->rtnl);
    *asker = TASKSTATS_CLOSED;
}
