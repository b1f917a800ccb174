// SPDX-License-Identifier: GPL-2.0-or-later
// Mounted devices
#include "collectors/mount_list.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static bool is(struct span span, const char *text) {
    return span.n == strlen(text) && memcmp(span.text, text, span.n) == 0;
}

static bool take_number(struct span *word, char end, cell *ret) {
    const char *stop = end ? memchr(word->text, end, word->n) : word->text + word->n;
    if (!stop)
        return false;
    size_t n = (size_t) (stop - word->text);
    if (!parse_number(word->text, n, COLUMN_GAUGE, ret) || *ret > UINT32_MAX)
        return false;
    n += end != '\0';
    *word = (struct span){ word->text + n, word->n - n };
    return true;
}

// fs/proc_namespace.c: id parent major:minor root point options [optional...] - type source
// options. A blank inside a field is written as \040.
bool parse_mountinfo_line(struct span line, struct mountinfo *ret) {
    struct span id = next_word(&line), device;
    cell number[3];
    next_word(&line); // parent
    device = next_word(&line);
    if (!take_number(&id, '\0', &number[0]) || !take_number(&device, ':', &number[1]) ||
            !take_number(&device, '\0', &number[2]))
        return false;
    *ret = (struct mountinfo){
        .id = number[0],
        .device_major = (uint32_t) number[1],
        .device_minor = (uint32_t) number[2],
    };
    ret->root = next_word(&line);
    ret->point = next_word(&line);
    for (struct span word; !is(word = next_word(&line), "-");)
        if (word.n == 0)
            return false;
    ret->fstype = next_word(&line);
    ret->source = next_word(&line);
    ret->options = next_word(&line);
    if (ret->options.n == 0) { // the source may be an empty text
        ret->options = ret->source;
        ret->source.n = 0;
    }
    return ret->options.n > 0;
}

size_t mountinfo_decode(struct span text, char *buffer) {
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        const char *at = text.text + i;
        bool octal = *at == '\\' && i + 3 < text.n && at[1] >= '0' && at[1] <= '3' &&
                     at[2] >= '0' && at[2] <= '7' && at[3] >= '0' && at[3] <= '7';
        buffer[n++] =
                octal ? (char) ((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0')) : *at;
        i += octal ? 3 : 0;
    }
    buffer[n] = '\0';
    return n;
}

static bool has_option(struct span options, const char *option, bool with_value) {
    size_t n = strlen(option);
    const char *at = options.text, *end = at + options.n;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t) (end - at));
        size_t length = (size_t) ((comma ? comma : end) - at);
        if (length >= n && memcmp(at, option, n) == 0 &&
                (with_value ? length > n && at[n] == '=' : length == n))
            return true;
        at += length + 1;
    }
    return false;
}

static bool is_below(struct span point, const char *folder) {
    size_t n = strlen(folder);
    return point.n >= n && memcmp(point.text, folder, n) == 0 &&
           (point.n == n || point.text[n] == '/');
}

// A tmpfs fills up like a disk. Those that the system makes by the dozen for sessions, secrets and
// sandboxes hold next to nothing.
static bool is_wanted_tmpfs(const struct mountinfo *mount) {
    static const char *const unwanted[] = {
        "/sys",
        "/proc",
        "/run/user",
        "/run/credentials",
        "/run/systemd",
        "/run/docker",
        "/run/containerd",
        "/var/lib/docker",
        "/var/lib/containers",
        "/var/lib/containerd",
        "/var/lib/kubelet",
    };
    if (has_option(mount->options, "ro", false))
        return false;
    // Without these options it may take half of the memory.
    if (is(mount->point, "/tmp") || is(mount->point, "/dev/shm"))
        return true;
    for (size_t i = 0; i < sizeof(unwanted) / sizeof(unwanted[0]); i++)
        if (is_below(mount->point, unwanted[i]))
            return false;
    return !is_below(mount->point, "/dev") &&
           (has_option(mount->options, "size", true) ||
                   has_option(mount->options, "nr_blocks", true));
}

// squashfs, iso9660, erofs and cramfs are always full. The space of an overlay is that of the file
// system below it, which stands in the list itself unless this is a container's own root.
static bool is_wanted(const struct mountinfo *mount) {
    static const char *const local[] = {
        "ext4",
        "xfs",
        "btrfs",
        "vfat",
        "ext3",
        "ext2",
        "zfs",
        "f2fs",
        "bcachefs",
        "exfat",
        "ntfs3",
        "jfs",
        "reiserfs",
        "nilfs2",
        "ubifs",
        "jffs2",
        "gfs2",
        "ocfs2",
    };
    for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++)
        if (is(mount->fstype, local[i]))
            return true;
    if (is(mount->fstype, "tmpfs"))
        return is_wanted_tmpfs(mount);
    return is(mount->fstype, "overlay") && is(mount->point, "/");
}

static struct mount *make_room(struct mount_list *list) {
    if (list->n == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 8;
        struct mount *items = reallocarray(list->items, capacity, sizeof(*items));
        if (!items)
            return NULL;
        list->items = items;
        list->capacity = capacity;
    }
    return &list->items[list->n++];
}

static void drop(struct mount_list *list, size_t i) {
    memmove(&list->items[i], &list->items[i + 1], (list->n - i - 1) * sizeof(list->items[0]));
    list->n--;
}

// Of two mounts of one device, the one that shows it whole is kept, else the first. A later mount
// at the same path hides the one before it. In a container, whose root is an overlay, what else is
// mounted from a directory lies on the same file system as a rule.
static bool make_way(struct mount_list *list, const struct mount *mount) {
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->text + list->items[i].point, list->text + mount->point) == 0)
            drop(list, i--);
    if (!mount->whole && list->n > 0 && strcmp(list->text + list->items[0].fstype, "overlay") == 0)
        return false;
    for (size_t i = 0; i < list->n; i++) {
        const struct mount *other = &list->items[i];
        if (other->device_major != mount->device_major ||
                other->device_minor != mount->device_minor)
            continue;
        if (other->whole || !mount->whole)
            return false;
        drop(list, i--);
    }
    return true;
}

static size_t put_text(struct mount_list *list, size_t *used, struct span text) {
    size_t offset = *used;
    *used += mountinfo_decode(text, list->text + offset) + 1;
    return offset;
}

static int add(struct mount_list *list, const struct mountinfo *info, size_t *used) {
    size_t before = *used;
    struct mount mount = {
        .id = info->id,
        .device_major = info->device_major,
        .device_minor = info->device_minor,
        .disk_major = info->device_major,
        .disk_minor = info->device_minor,
        .whole = is(info->root, "/"),
        .read_only = has_option(info->options, "ro", false),
        .point = put_text(list, used, info->point),
        .fstype = put_text(list, used, info->fstype),
        .source = put_text(list, used, info->source),
    };
    if (!make_way(list, &mount)) {
        *used = before;
        return 0;
    }
    struct mount *item = make_room(list);
    if (!item)
        return -ENOMEM;
    *item = mount;
    return 0;
}

int mount_list_parse(
        struct mount_list *list, const char *text, size_t length, struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    size_t used = 0;
    list->n = 0;
    if (length + 1 > list->text_capacity) { // decoding makes nothing longer
        char *grown = realloc(list->text, length + 1);
        if (!grown)
            return -ENOMEM;
        list->text = grown;
        list->text_capacity = length + 1;
    }
    for (struct span line; next_line(&scan, &line);) {
        struct mountinfo info;
        if (scan.cut || !parse_mountinfo_line(line, &info))
            parse_problem_add(problem, scan.number, "not a mount");
        else if (is_wanted(&info) && add(list, &info, &used) < 0)
            return -ENOMEM;
    }
    if (scan.number == 0)
        parse_problem_add(problem, 0, "empty");
    return 0;
}

// A btrfs has a device number of its own; what it lies on stands in its source. Only a privileged
// mount is believed: anyone may give a tmpfs a source whose path leads to a file system that hangs.
static void find_disk(struct mount_list *list, struct mount *mount) {
    const char *fstype = list->text + mount->fstype, *source = list->text + mount->source;
    struct stat status;
    if (mount->device_major != 0 ||
            (strcmp(fstype, "btrfs") != 0 && strcmp(fstype, "bcachefs") != 0) ||
            strncmp(source, "/dev/", 5) != 0 || stat(source, &status) < 0 ||
            !S_ISBLK(status.st_mode))
        return;
    mount->disk_major = major(status.st_rdev);
    mount->disk_minor = minor(status.st_rdev);
}

int mount_list_read(struct mount_list *list, struct source *source, struct parse_problem *problem) {
    int r = source_read(source, &list->file, MOUNT_LIST_PATH);
    if (r == 0)
        r = mount_list_parse(list, source->buffer, source->size, problem);
    for (size_t i = 0; r == 0 && source->live && i < list->n; i++)
        find_disk(list, &list->items[i]);
    return r;
}

bool mount_list_changed(const struct mount_list *list, const struct source *source) {
    if (!source->live || list->file.fd < 0)
        return true;
    struct pollfd ask = { .fd = list->file.fd, .events = POLLPRI };
    return poll(&ask, 1, 0) != 0;
}

void mount_list_done(struct mount_list *list) {
    source_file_close(&list->file);
    free(list->items);
    free(list->text);
    *list = MOUNT_LIST_EMPTY;
}
