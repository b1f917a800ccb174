// SPDX-License-Identifier: GPL-2.0-or-later
// Netlink dumps
//
// Answers as the kernel gives them, whole, cut and refused; and the socket against this kernel.
#include <errno.h>
#include <linux/rtnetlink.h>
#include <netlink/socket.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/rtnl.h"
#include "tests/suite.h"

#define SEQUENCE 77

struct seen {
    size_t n;
    int r; // what the visitor returns
};

static int count(void *userdata, struct nlmsghdr *entry) {
    struct seen *seen = userdata;
    seen->n++;
    return seen->r;
}

struct part {
    int type, flags;
    unsigned sequence;
    int error; // of DONE and ERROR; 1: none at all
};

static size_t put_parts(char *buffer, const struct part *parts) {
    size_t n = 0;
    for (; parts->type; parts++) {
        struct nlmsghdr *header = (struct nlmsghdr *) (buffer + n);
        bool error = parts->error != 1 && parts->type < NLMSG_MIN_TYPE;
        *header = (struct nlmsghdr){ .nlmsg_len = NLMSG_HDRLEN + (error ? 4 : 0),
            .nlmsg_type = (uint16_t) parts->type,
            .nlmsg_flags = (uint16_t) parts->flags,
            .nlmsg_seq = parts->sequence };
        memcpy(buffer + n + NLMSG_HDRLEN, &parts->error, 4);
        n += NLMSG_ALIGN(header->nlmsg_len);
    }
    return n;
}

#define ENTRY                                                                                      \
    { RTM_NEWLINK, NLM_F_MULTI, SEQUENCE, 1 }
static const struct {
    const char *title;
    struct part parts[6];
    int returned;
    size_t entries;
} answers[] = {
    { "to be continued", { ENTRY, ENTRY }, RTNL_MORE, 2 },
    { "done", { ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 } }, RTNL_DONE, 1 },
    { "done, as old kernels say it", { ENTRY, { NLMSG_DONE, 0, SEQUENCE, 1 } }, RTNL_DONE, 1 },
    { "changed, said at the end", { ENTRY, { NLMSG_DONE, NLM_F_DUMP_INTR, SEQUENCE, 0 } },
            RTNL_CHANGED, 1 },
    { "changed, said on an entry",
            { { RTM_NEWLINK, NLM_F_DUMP_INTR, SEQUENCE, 1 }, { NLMSG_DONE, 0, SEQUENCE, 0 } },
            RTNL_CHANGED, 1 },
    { "refused", { { NLMSG_ERROR, 0, SEQUENCE, -EPERM } }, -EPERM, 0 },
    { "broke off", { ENTRY, { NLMSG_DONE, 0, SEQUENCE, -ENOMEM } }, -ENOMEM, 1 },
    { "acknowledged instead of answered", { { NLMSG_ERROR, 0, SEQUENCE, 0 } }, -EPROTO, 0 },
    { "of an earlier request", { { NLMSG_DONE, 0, SEQUENCE - 1, 0 }, ENTRY }, RTNL_MORE, 1 },
    { "an error of an earlier request",
            { { NLMSG_ERROR, 0, SEQUENCE - 1, -EIO }, { NLMSG_DONE, 0, SEQUENCE, 0 } }, RTNL_DONE,
            0 },
    { "nothing is to be done", { { NLMSG_NOOP, 0, SEQUENCE, 1 }, { NLMSG_DONE, 0, SEQUENCE, 0 } },
            RTNL_DONE, 0 },
};

START_TEST(answer) {
    char buffer[512];
    struct seen seen = { 0 };
    struct rtnl_answer state = { .sequence = SEQUENCE };
    size_t n = put_parts(buffer, answers[_i].parts);
    int r = rtnl_feed(&state, buffer, n, count, &seen);
    ck_assert_msg(r == answers[_i].returned, "%s: %d", answers[_i].title, r);
    ck_assert_msg(seen.n == answers[_i].entries, "%s: %zu entries", answers[_i].title, seen.n);
}
END_TEST

START_TEST(answer_in_parts) {
    char buffer[512];
    struct seen seen = { 0 };
    struct rtnl_answer state = { .sequence = SEQUENCE };
    static const struct part first[] = { { RTM_NEWLINK, NLM_F_DUMP_INTR, SEQUENCE, 1 }, { 0 } };
    static const struct part last[] = { ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 }, { 0 } };
    ck_assert_int_eq(rtnl_feed(&state, buffer, put_parts(buffer, first), count, &seen), RTNL_MORE);
    ck_assert_int_eq(
            rtnl_feed(&state, buffer, put_parts(buffer, last), count, &seen), RTNL_CHANGED);
    ck_assert_uint_eq(seen.n, 2);
}
END_TEST

START_TEST(answer_cut_anywhere) {
    char buffer[512];
    static const struct part parts[] = { ENTRY, ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 }, { 0 } };
    size_t n = put_parts(buffer, parts);
    for (size_t i = 0; i < n; i++) {
        struct seen seen = { 0 };
        struct rtnl_answer state = { .sequence = SEQUENCE };
        ck_assert_int_eq(rtnl_feed(&state, buffer, i, count, &seen), RTNL_MORE);
        ck_assert_uint_le(seen.n, 2);
    }
    struct seen refuse = { .r = -ENOMEM };
    struct rtnl_answer state = { .sequence = SEQUENCE };
    ck_assert_int_eq(rtnl_feed(&state, buffer, n, count, &refuse), -ENOMEM);
    ck_assert_uint_eq(refuse.n, 1);
}
END_TEST

// --- answers that were kept

static const struct {
    const char *title;
    struct part parts[6];
    int returned;
    const char *problem;
    size_t entries;
} kept[] = {
    { "as it came", { ENTRY, ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 } }, RTNL_DONE, NULL, 2 },
    { "refused", { { NLMSG_ERROR, 0, SEQUENCE, -ENOENT } }, -ENOENT, NULL, 0 },
    { "changed", { ENTRY, { NLMSG_DONE, NLM_F_DUMP_INTR, SEQUENCE, 0 } }, RTNL_CHANGED, NULL, 1 },
    { "nothing", { { 0 } }, -EBADMSG, "empty", 0 },
    { "without an end", { ENTRY, ENTRY }, -EBADMSG, "cut between", 0 },
    { "two of them", { ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 }, ENTRY }, -EBADMSG, "behind", 0 },
    { "mixed", { ENTRY, { NLMSG_DONE, 0, SEQUENCE + 1, 0 } }, -EBADMSG, "different", 0 },
};

START_TEST(kept_answer) {
    _Alignas(struct nlmsghdr) char buffer[512];
    const char *problem = "";
    struct seen seen = { 0 };
    size_t n = put_parts(buffer, kept[_i].parts);
    int r = rtnl_feed_whole(buffer, n, count, &seen, &problem);
    ck_assert_msg(r == kept[_i].returned, "%s: %d", kept[_i].title, r);
    ck_assert_msg(seen.n == kept[_i].entries, "%s: %zu entries", kept[_i].title, seen.n);
    ck_assert_msg(!kept[_i].problem == !*problem && strstr(problem, kept[_i].problem ?: ""),
            "%s: %s", kept[_i].title, problem);
}
END_TEST

START_TEST(kept_answer_cut_anywhere) {
    _Alignas(struct nlmsghdr) char buffer[512];
    static const struct part parts[] = { ENTRY, ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 }, { 0 } };
    size_t n = put_parts(buffer, parts);
    for (size_t i = 0; i < n; i++) {
        const char *problem = NULL;
        struct seen seen = { 0 };
        char *cut = malloc(i > 0 ? i : 1); // memory that ends there
        memcpy(cut, buffer, i);
        ck_assert_int_eq(rtnl_feed_whole(cut, i, count, &seen, &problem), -EBADMSG);
        ck_assert_ptr_nonnull(problem);
        ck_assert_uint_eq(seen.n, 0);
        free(cut);
    }
}
END_TEST

// --- against this kernel

static struct {
    struct nlmsghdr header;
    struct ifinfomsg info;
} links = { .header = { .nlmsg_len = sizeof(links), .nlmsg_type = RTM_GETLINK } };

static int count_again(void *userdata, struct nlmsghdr *entry) {
    struct seen *seen = userdata;
    seen->n = entry ? seen->n + 1 : 0;
    return 0;
}

START_TEST(too_long_for_the_buffer) {
    struct rtnl rtnl = RTNL_CLOSED;
    struct seen seen = { 0 };
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    size_t n = seen.n;
    ck_assert_uint_ge(n, 1);
    rtnl.size = 64; // as if the kernel had made a longer datagram than ever before
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    ck_assert_uint_eq(seen.n, n);
    ck_assert_uint_gt(rtnl.size, 64);
    rtnl_close(&rtnl);
}
END_TEST

struct heard {
    size_t begun, n;
    _Alignas(struct nlmsghdr) char bytes[1 << 20];
};

static void hear(void *data, const char *dump, const void *datagram, size_t n) {
    struct heard *heard = data;
    ck_assert_str_eq(dump, "link");
    if (!datagram) {
        heard->begun++;
        heard->n = 0;
        return;
    }
    ck_assert_uint_le(heard->n + n, sizeof(heard->bytes));
    memcpy(heard->bytes + heard->n, datagram, n);
    heard->n += n;
}

// A dump that begins again is heard from its beginning; nothing is heard of a list without a name.
START_TEST(answers_are_heard_as_they_come) {
    static struct heard heard;
    const struct source_tap tap = { hear, &heard };
    struct source source = { .live = true, .tap = &tap };
    struct rtnl rtnl = RTNL_CLOSED;
    struct seen seen = { 0 }, again = { 0 };
    const char *problem = "";
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    ck_assert_uint_eq(heard.begun, 0);
    rtnl.size = 64;
    ck_assert_int_eq(rtnl_list(&rtnl, &source, "link", &links.header, count_again, &seen), 0);
    ck_assert_uint_ge(heard.begun, 2);
    ck_assert_int_eq(rtnl_feed_whole(heard.bytes, heard.n, count, &again, &problem), RTNL_DONE);
    ck_assert_uint_eq(again.n, seen.n);
    size_t begun = heard.begun;
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    ck_assert_uint_eq(heard.begun, begun);
    rtnl_close(&rtnl);
}
END_TEST

START_TEST(a_socket_that_broke) {
    struct rtnl rtnl = RTNL_CLOSED;
    struct seen seen = { 0 };
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    size_t n = seen.n;
    int fd = nl_socket_get_fd(rtnl.socket);
    int other = socket(AF_UNIX, SOCK_DGRAM, 0);
    dup2(other, fd);
    ck_assert_int_lt(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0); // a new one
    ck_assert_uint_eq(seen.n, n);
    struct nlmsghdr unknown = { .nlmsg_len = sizeof(unknown), .nlmsg_type = RTM_BASE + 1023 };
    ck_assert_int_eq(rtnl_dump(&rtnl, &unknown, count_again, &seen), -EOPNOTSUPP);
    rtnl_close(&rtnl);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rtnetlink");
    TCase *tcase = tcase_create("answers");
    tcase_add_loop_test(tcase, answer, 0, sizeof(answers) / sizeof(answers[0]));
    tcase_add_test(tcase, answer_in_parts);
    tcase_add_test(tcase, answer_cut_anywhere);
    tcase_add_loop_test(tcase, kept_answer, 0, sizeof(kept) / sizeof(kept[0]));
    tcase_add_test(tcase, kept_answer_cut_anywhere);
    tcase_add_test(tcase, too_long_for_the_buffer);
    tcase_add_test(tcase, answers_are_heard_as_they_come);
    tcase_add_test(tcase, a_socket_that_broke);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
