// SPDX-License-Identifier: GPL-2.0-or-later
// Raw input
#include "formats/input.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/cleanup.h"
#include "core/text.h"

#define CHUNK_BYTES ((size_t) 64 << 10)
// Of so many bytes it is told whether they are text.
#define LOOK_BYTES ((size_t) 4096)

static int make_room(char **text, size_t length, size_t *capacity) {
    if (length + CHUNK_BYTES < *capacity)
        return 0;
    size_t wanted = *capacity ? *capacity * 2 : 2 * CHUNK_BYTES;
    char *grown = realloc(*text, wanted);
    if (!grown)
        return -ENOMEM;
    *text = grown;
    *capacity = wanted;
    return 0;
}

int input_read(int fd, size_t room, char **ret, size_t *ret_length) {
    _cleanup_free_ char *text = NULL;
    size_t length = 0, capacity = 0;
    for (;;) {
        int r = make_room(&text, length, &capacity);
        if (r < 0)
            return r;
        ssize_t n = read(fd, text + length, CHUNK_BYTES);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        if (n == 0)
            break;
        length += (size_t) n;
        if (length > room)
            return -EFBIG;
    }
    text[length] = '\0';
    *ret = text;
    *ret_length = length;
    text = NULL;
    return 0;
}

static size_t put_utf8(char *out, uint32_t c) {
    if (c < 0x80) {
        out[0] = (char) c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char) (0xc0 | c >> 6);
        out[1] = (char) (0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char) (0xe0 | c >> 12);
        out[1] = (char) (0x80 | (c >> 6 & 0x3f));
        out[2] = (char) (0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (char) (0xf0 | c >> 18);
    out[1] = (char) (0x80 | (c >> 12 & 0x3f));
    out[2] = (char) (0x80 | (c >> 6 & 0x3f));
    out[3] = (char) (0x80 | (c & 0x3f));
    return 4;
}

static uint32_t unit_at(const unsigned char *bytes, size_t i, bool big) {
    return big ? (uint32_t) bytes[i] << 8 | bytes[i + 1] : (uint32_t) bytes[i + 1] << 8 | bytes[i];
}

static int decode_utf16(char **text, size_t *length, bool big) {
    const unsigned char *bytes = (const unsigned char *) *text;
    char *out = malloc(*length / 2 * 3 + 5), *at = out;
    if (!out)
        return -ENOMEM;
    for (size_t i = 0; i + 1 < *length; i += 2) {
        uint32_t c = unit_at(bytes, i, big);
        if (c >= 0xd800 && c < 0xdc00 && i + 3 < *length) {
            uint32_t low = unit_at(bytes, i + 2, big);
            bool pair = low >= 0xdc00 && low < 0xe000;
            c = pair ? 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
            i += pair ? 2 : 0;
        } else if (c >= 0xd800 && c < 0xe000) {
            c = 0xfffd;
        }
        if (c != 0xfeff)
            at += put_utf8(at, c);
    }
    *at = '\0';
    free(*text);
    *text = out;
    *length = (size_t) (at - out);
    return 0;
}

static size_t count_nuls(const char *text, size_t length, size_t first) {
    size_t n = 0;
    for (size_t i = first; i < length; i += 2)
        n += text[i] == '\0';
    return n;
}

// With a byte order mark, or ASCII with a NUL in every pair of bytes. *ret_big: high byte first.
static bool is_utf16(const char *text, size_t length, bool *ret_big) {
    size_t look = (length < LOOK_BYTES ? length : LOOK_BYTES) & ~(size_t) 1;
    if (look < 4)
        return false;
    if (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0) {
        *ret_big = text[0] == '\xfe';
        return true;
    }
    size_t even = count_nuls(text, look, 0), odd = count_nuls(text, look, 1);
    *ret_big = even > odd;
    return (even > look * 2 / 5 && odd < look / 20) || (odd > look * 2 / 5 && even < look / 20);
}

static bool is_compressed(const char *text, size_t length) {
    static const struct {
        const char *magic;
        size_t length;
    } kinds[] = { { "\x1f\x8b", 2 },
        { "\xfd"
          "7zXZ",
                5 },
        { "BZh", 3 }, { "\x28\xb5\x2f\xfd", 4 }, { "PK\x03\x04", 4 } };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (length > kinds[i].length && memcmp(text, kinds[i].magic, kinds[i].length) == 0)
            return true;
    return false;
}

static bool is_binary(const char *text, size_t length) {
    size_t look = length < LOOK_BYTES ? length : LOOK_BYTES, odd = 0;
    for (size_t i = 0; i < look; i++) {
        unsigned char c = (unsigned char) text[i];
        odd += c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\x1b' && c != '\f' &&
               c != '\b';
    }
    return odd * 20 > look;
}

// CRLF, and the CR alone of old terminals and of progress lines, become LF. A NUL would end the
// text.
static size_t mend_line_ends(char *text, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '\r' && i + 1 < length && (text[i + 1] == '\n' || text[i + 1] == '\r'))
            continue;
        text[n++] = c == '\r' ? '\n' : c == '\0' ? ' ' : c;
    }
    text[n] = '\0';
    return n;
}

// Text of before UTF-8, such as the umlauts of old locales: taken for Latin-1, of which each byte
// is a character of its own.
static int decode_latin1(char **text, size_t *length) {
    char *out = malloc(*length * 2 + 1), *at = out;
    if (!out)
        return -ENOMEM;
    for (size_t i = 0; i < *length; i++)
        at += put_utf8(at, (unsigned char) (*text)[i]);
    *at = '\0';
    free(*text);
    *text = out;
    *length = (size_t) (at - out);
    return 0;
}

int input_decode(char **text, size_t *length, enum input_kind *ret) {
    bool big;
    if (is_compressed(*text, *length)) {
        *ret = INPUT_COMPRESSED;
        return 0;
    }
    int r = is_utf16(*text, *length, &big) ? decode_utf16(text, length, big) : 0;
    if (r < 0)
        return r;
    if (*length >= 3 && memcmp(*text, "\xef\xbb\xbf", 3) == 0) {
        memmove(*text, *text + 3, *length - 2);
        *length -= 3;
    }
    *ret = *length == 0 ? INPUT_EMPTY : is_binary(*text, *length) ? INPUT_BINARY : INPUT_TEXT;
    if (*ret != INPUT_TEXT)
        return 0;
    *length = mend_line_ends(*text, *length);
    return text_is_utf8(*text, *length) ? 0 : decode_latin1(text, length);
}
