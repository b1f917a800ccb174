// SPDX-License-Identifier: GPL-2.0-or-later
// Lines of netstat -s
#include "formats/netstat_match.h"

#include <string.h>
#include <strings.h>

#define PHRASE_WORDS 12 // no phrase has more
static const char blanks[] = " \t";

// Without the colon, full stop or comma behind it.
static struct word trimmed(struct word word) {
    while (word.length > 0 && strchr(":.,;", word.text[word.length - 1]))
        word.length--;
    return word;
}

// Also one that cannot be right: negative, where an old version printed a big counter as a signed
// number, or too large.
bool netstat_number(const struct word *word) {
    uint64_t value;
    struct word bare = trimmed(*word);
    if (bare.length > 1 && bare.text[0] == '-')
        bare = (struct word){ bare.text + 1, bare.length - 1 };
    size_t digits = 0;
    while (digits < bare.length && bare.text[digits] >= '0' && bare.text[digits] <= '9')
        digits++;
    return bare.length > 0 && (digits == bare.length || word_count(&bare, &value));
}

// "#の転送": the number is a part of the word. The pattern has a '#'.
static bool match_glued(
        const struct word *word, const char *pattern, size_t length, struct word *ret_number) {
    const char *mark = memchr(pattern, '#', length);
    size_t before = (size_t) (mark - pattern), after = length - before - 1;
    if (word->length <= before + after || memcmp(word->text, pattern, before) != 0 ||
            memcmp(word->text + word->length - after, mark + 1, after) != 0)
        return false;
    *ret_number = (struct word){ word->text + before, word->length - before - after };
    return netstat_number(ret_number);
}

static bool same_word(const struct word *word, const char *phrase, size_t length) {
    struct word bare = trimmed(*word);
    while (length > 0 && strchr(":.,;", phrase[length - 1]))
        length--;
    return bare.length == length && strncasecmp(bare.text, phrase, length) == 0;
}

// Somebody's remark stands apart: two blanks, an arrow, a comment sign.
static bool is_apart(const struct word *before, const struct word *remark) {
    const char *end = before->text + before->length;
    return remark->text - end >= 2 || *end == '\t' || strchr("<#/(=-", *remark->text);
}

// How many words a phrase takes of these, 0: it does not match.
static size_t match_words(
        const struct word *words, size_t n, const char *phrase, struct word *ret_number) {
    size_t at = 0;
    while (*phrase) {
        size_t length = strcspn(phrase, blanks);
        if (at == n)
            return 0;
        if (length == 1 && *phrase == '#') {
            if (!netstat_number(&words[at]))
                return 0;
            *ret_number = trimmed(words[at]);
        } else if (memchr(phrase, '#', length)
                           ? !match_glued(&words[at], phrase, length, ret_number)
                           : !same_word(&words[at], phrase, length)) {
            return 0;
        }
        at++;
        phrase += length;
        phrase += strspn(phrase, blanks);
    }
    return at;
}

static unsigned char folded(char c) {
    return (unsigned char) (c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

// Whether the first letters of words and phrase agree: most phrases need no closer look.
static bool may_match(const struct word *words, size_t n, bool number_first, const char *phrase) {
    if (phrase[0] != '#')
        return folded(phrase[0]) == folded(words[0].text[0]);
    if (phrase[1] != ' ')
        return true; // a part of the word
    return number_first && n > 1 && folded(phrase[2]) == folded(words[1].text[0]);
}

static bool match_phrases(const struct word *words, size_t n, const struct netstat_word *phrases,
        size_t n_phrases, bool alone, struct netstat_item *ret, size_t *ret_taken) {
    size_t most = 0;
    bool number_first = n > 0 && netstat_number(&words[0]);
    for (size_t i = 0; n > 0 && i < n_phrases; i++) {
        struct word number;
        if (!may_match(words, n, number_first, phrases[i].phrase))
            continue;
        size_t taken = match_words(words, n, phrases[i].phrase, &number);
        if (taken <= most || (alone && taken < n && !is_apart(&words[taken - 1], &words[taken])))
            continue;
        most = taken;
        *ret = (struct netstat_item){ .word = &phrases[i], .number = number };
    }
    *ret_taken = most;
    return most > 0;
}

static bool is_heading(const struct word *word) {
    static const char *const names[] = { "Ip:", "Ip6:", "Icmp:", "Icmp6:", "IcmpMsg:", "Tcp:",
        "Tcp6:", "Udp:", "Udp6:", "UdpLite:", "UdpLite6:", "IpExt:", "TcpExt:", "MPTcpExt:",
        "Sctp:" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (word_is(word, names[i]))
            return true;
    return false;
}

static bool is_label(const struct word *word) {
    if (word->length < 3 || word->text[word->length - 1] != ':' || is_heading(word))
        return false;
    for (size_t i = 0; i + 1 < word->length; i++) {
        char c = word->text[i];
        if (!(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9'))
            return false;
    }
    return word->text[0] >= 'A' && word->text[0] <= 'Z';
}

static bool match_label(const struct word *words, size_t n, bool alone, struct netstat_item *ret) {
    if (n < 2 || !is_label(&words[0]) || !netstat_number(&words[1]) ||
            (alone && n > 2 && !is_apart(&words[1], &words[2])))
        return false;
    *ret = (struct netstat_item){ .label = { words[0].text, words[0].length - 1 },
        .number = trimmed(words[1]) };
    return true;
}

bool netstat_match(const char *text, struct netstat_item *ret) {
    struct word words[WORDS_MAX];
    size_t n = words_split(text, words, WORDS_MAX), taken;
    if (match_label(words, n, true, ret) ||
            match_phrases(words, n, netstat_words, n_netstat_words, true, ret, &taken))
        return true;
    if (!match_phrases(words, n, netstat_translations, n_netstat_translations, true, ret, &taken))
        return false;
    ret->translated = true;
    return true;
}

const char *netstat_match_next(const char *text, struct netstat_item *ret) {
    struct word words[PHRASE_WORDS];
    size_t n = words_split(text, words, PHRASE_WORDS), taken;
    if (match_label(words, n, false, ret))
        return words[1].text + words[1].length;
    if (match_phrases(words, n, netstat_words, n_netstat_words, false, ret, &taken))
        return words[taken - 1].text + words[taken - 1].length;
    return NULL;
}
