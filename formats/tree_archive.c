// SPDX-License-Identifier: GPL-2.0-or-later
// File trees of archives
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "formats/tree_private.h"

#define BLOCK_BYTES ((size_t) 64 << 10)

static void free_archive(struct archive **archive) {
    archive_read_free(*archive);
}

static int error_of(struct archive *archive, la_ssize_t r) {
    return archive_errno(archive) == ENOMEM ? -ENOMEM : -EBADMSG;
}

// The size in the header may lie: what comes is counted.
static int read_entry(struct archive *archive, char **ret, size_t *ret_length) {
    char *text = NULL;
    size_t length = 0;
    for (;;) {
        char *grown = realloc(text, length + BLOCK_BYTES + 1);
        la_ssize_t n = grown ? archive_read_data(archive, grown + length, BLOCK_BYTES) : -1;
        text = grown ? grown : text;
        length += n > 0 ? (size_t) n : 0;
        if (n > 0 && length <= TREE_FILE_MAX_BYTES)
            continue;
        if (n == 0) {
            text[length] = '\0';
            *ret = text;
            *ret_length = length;
            return 0;
        }
        free(text);
        return !grown ? -ENOMEM : n < 0 ? error_of(archive, n) : -EFBIG;
    }
}

static bool is_too_much(struct archive *archive) {
    return archive_filter_bytes(archive, 0) > (la_int64_t) TREE_MAX_UNPACKED;
}

// By hand, since the library would skip terabytes of zeros without a word.
static int skip_entry(struct archive *archive) {
    const void *block;
    size_t size;
    la_int64_t at;
    int r;
    do {
        r = archive_read_data_block(archive, &block, &size, &at);
    } while (r >= ARCHIVE_WARN && r != ARCHIVE_EOF && !is_too_much(archive));
    return r == ARCHIVE_EOF ? 0 : r < ARCHIVE_WARN ? error_of(archive, r) : -EFBIG;
}

static int take_entry(
        struct tree_builder *builder, struct archive *archive, struct archive_entry *entry) {
    const char *whole = archive_entry_pathname(entry);
    const char *path = whole ? tree_inside(whole) : NULL;
    unsigned type = archive_entry_filetype(entry);
    bool link = type == AE_IFLNK || archive_entry_hardlink(entry);
    if (!path || (link && builder->wanted(path)))
        return tree_refuse(builder, whole ? whole : "?");
    if (type != AE_IFREG || link)
        return ++builder->seen > TREE_MAX_SEEN ? -EFBIG : 0;
    char *text;
    size_t length;
    int r = tree_offer(builder, path, archive_entry_size(entry));
    if (r <= 0)
        return r < 0 ? r : skip_entry(archive);
    r = read_entry(archive, &text, &length);
    if (r == -EFBIG) {
        builder->tree.too_large++;
        return skip_entry(archive);
    }
    return r < 0 ? r : tree_keep(builder, path, text, length);
}

static int take_entries(struct tree_builder *builder, struct archive *archive) {
    for (;;) {
        struct archive_entry *entry;
        int r = archive_read_next_header(archive, &entry);
        if (r == ARCHIVE_EOF)
            return 0;
        if (r < ARCHIVE_WARN)
            return error_of(archive, r);
        r = take_entry(builder, archive, entry);
        if (r < 0)
            return r;
        if (is_too_much(archive))
            return -EFBIG;
    }
}

int tree_read_archive(int fd, tree_wanted *wanted, struct tree *ret) {
    _cleanup_(free_archive) struct archive *archive = archive_read_new();
    struct tree_builder builder = { .wanted = wanted };
    if (!archive)
        return -ENOMEM;
    // Those that are in the library itself: none that runs a program.
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_support_format_tar(archive);
    int r = archive_read_open_fd(archive, fd, BLOCK_BYTES);
    r = r < ARCHIVE_WARN ? error_of(archive, r) : take_entries(&builder, archive);
    tree_sort(&builder.tree);
    *ret = builder.tree;
    return r;
}
