// SPDX-License-Identifier: GPL-2.0-or-later
// Bundle of files
#include "cli/bundle.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/cleanup.h"

#define MODE_FILE 0600 // what it says of a host is not for everybody
#define MODE_FOLDER 0700

struct bundle {
    int fd;                  // the folder, or the archive's file
    struct archive *archive; // NULL: a folder
    char *path, *part; // of an archive: its name, and that while it is written; part NULL: complete
    time_t now;
};

static const struct {
    const char *suffix;
    int (*compress)(struct archive *archive);
} kinds[] = {
    { ".tar", archive_write_add_filter_none },
    { ".tar.gz", archive_write_add_filter_gzip },
    { ".tgz", archive_write_add_filter_gzip },
    { ".tar.xz", archive_write_add_filter_xz },
    { ".tar.zst", archive_write_add_filter_zstd },
};

static int (*compressor(const char *path))(struct archive *archive) {
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        size_t length = strlen(kinds[i].suffix);
        if (n > length && strcmp(path + n - length, kinds[i].suffix) == 0)
            return kinds[i].compress;
    }
    return NULL;
}

static int archive_failed(struct archive *archive) {
    int error = archive_errno(archive);
    return error > 0 ? -error : -EIO;
}

static int open_archive(
        struct bundle *bundle, const char *path, int (*compress)(struct archive *archive)) {
    if (access(path, F_OK) == 0)
        return -EEXIST;
    bundle->path = strdup(path);
    bundle->archive = archive_write_new();
    if (!bundle->path || !bundle->archive || asprintf(&bundle->part, "%s.part", path) < 0) {
        bundle->part = NULL;
        return -ENOMEM;
    }
    // Not through a link that somebody put there: it may be a folder of all users.
    int fd = open(bundle->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, MODE_FILE);
    if (fd < 0) {
        int r = -errno;
        free(bundle->part);
        bundle->part = NULL;
        return r;
    }
    bundle->fd = fd;
    archive_write_set_format_pax_restricted(bundle->archive);
    if (compress(bundle->archive) < ARCHIVE_WARN ||
            archive_write_open_fd(bundle->archive, fd) < ARCHIVE_WARN)
        return archive_failed(bundle->archive);
    return 0;
}

static int open_folder(struct bundle *bundle, const char *path) {
    if (mkdir(path, MODE_FOLDER) < 0 &&
            (errno != EEXIST || rmdir(path) < 0 || mkdir(path, MODE_FOLDER) < 0))
        return -errno;
    bundle->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return bundle->fd < 0 ? -errno : 0;
}

int bundle_new(const char *path, struct bundle **ret) {
    int (*compress)(struct archive *) = compressor(path);
    struct bundle *bundle = calloc(1, sizeof(*bundle));
    if (!bundle)
        return -ENOMEM;
    *bundle = (struct bundle){ .fd = -1, .now = time(NULL) };
    int r = compress ? open_archive(bundle, path, compress) : open_folder(bundle, path);
    if (r < 0)
        bundle_free(bundle);
    else
        *ret = bundle;
    return r;
}

static int put_into_folder(int folder, const char *path, const char *text, size_t length) {
    _cleanup_free_ char *copy = strdup(path);
    if (!copy)
        return -ENOMEM;
    for (char *at = copy; (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        if (mkdirat(folder, copy, MODE_FOLDER) < 0 && errno != EEXIST)
            return -errno;
    }
    _cleanup_close_ int fd =
            openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, MODE_FILE);
    if (fd < 0)
        return -errno;
    while (length > 0) {
        ssize_t n = write(fd, text, length);
        if (n < 0 && errno != EINTR)
            return -errno;
        text += n > 0 ? n : 0;
        length -= n > 0 ? (size_t) n : 0;
    }
    return 0;
}

static int put_into_archive(
        struct bundle *bundle, const char *path, const char *text, size_t length) {
    struct archive_entry *entry = archive_entry_new();
    if (!entry)
        return -ENOMEM;
    archive_entry_set_pathname(entry, path);
    archive_entry_set_size(entry, (la_int64_t) length);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, MODE_FILE);
    archive_entry_set_mtime(entry, bundle->now, 0);
    int r = archive_write_header(bundle->archive, entry);
    archive_entry_free(entry);
    if (r < ARCHIVE_WARN ||
            archive_write_data(bundle->archive, text, length) != (la_ssize_t) length)
        return archive_failed(bundle->archive);
    return 0;
}

int bundle_put(struct bundle *bundle, const char *path, const char *text, size_t length) {
    return bundle->archive ? put_into_archive(bundle, path, text, length)
                           : put_into_folder(bundle->fd, path, text, length);
}

int bundle_finish(struct bundle *bundle) {
    if (!bundle->archive)
        return 0;
    if (archive_write_close(bundle->archive) < ARCHIVE_WARN)
        return archive_failed(bundle->archive);
    // RENAME_NOREPLACE: somebody else may have made it meanwhile.
    if (renameat2(AT_FDCWD, bundle->part, AT_FDCWD, bundle->path, RENAME_NOREPLACE) < 0)
        return -errno;
    free(bundle->part);
    bundle->part = NULL;
    return 0;
}

struct bundle *bundle_free(struct bundle *bundle) {
    if (!bundle)
        return NULL;
    archive_write_free(bundle->archive);
    if (bundle->part)
        unlink(bundle->part);
    if (bundle->fd >= 0)
        close(bundle->fd);
    free(bundle->part);
    free(bundle->path);
    free(bundle);
    return NULL;
}
