// SPDX-License-Identifier: GPL-2.0-or-later
// Disk faults
#include "lab/fault.h"

#include <stdio.h>
#include <string.h>

#define DEVICE_SIZE 64
// What the file below a loop device is called, by which it is known again.
#define DISK_FILE "udpdiag-lab-disk"
#define MIB (INT64_C(1) << 20)

// A file in this folder becomes a disk. It is given back only if it is still that file's: numbers
// of loop devices are used again.
static int attach(struct lab *lab, const char *folder, int mib, char device[DEVICE_SIZE]) {
    int r = lab_read(lab, LAB_RECEIVER, device, DEVICE_SIZE,
            "truncate -s %dM %s/" DISK_FILE " && losetup -f", mib, folder);
    if (r < 0)
        return lab_skip(lab, "needs a loop device");
    r = lab_undo(lab,
            "! losetup -n -O BACK-FILE %s 2>/dev/null | grep -q " DISK_FILE " || losetup -d %s",
            device, device);
    if (r < 0)
        return r;
    if (lab_run(lab, LAB_RECEIVER,
                "losetup --direct-io=on %s %s/" DISK_FILE " || losetup %s %s/" DISK_FILE, device,
                folder, device, folder) < 0)
        return lab_skip(lab, "needs a loop device");
    return 0;
}

static int make_disk(
        struct lab *lab, const char *folder, int mib, const char *mount, char device[DEVICE_SIZE]) {
    int r = attach(lab, folder, mib, device);
    return r < 0 ? r
                 : lab_run(lab, LAB_RECEIVER, "mkfs.ext4 -q %s && mkdir -p %s && mount %s %s",
                           device, mount, device, mount);
}

static int throttle(struct lab *lab, const struct fault_group *blkio, const char *device,
        const char *what, long bytes_per_second) {
    char number[32];
    int r = lab_read(lab, LAB_RECEIVER, number, sizeof(number), "cat /sys/block/%s/dev",
            device + strlen("/dev/"));
    if (r < 0)
        return r;
    if (blkio->version == 1)
        return lab_run(lab, LAB_RECEIVER, "echo %s %ld >%s/blkio.throttle.%s_bps_device", number,
                bytes_per_second, blkio->path, what);
    return lab_run(lab, LAB_RECEIVER, "echo %s %cbps=%ld >%s/io.max", number, *what,
            bytes_per_second, blkio->path);
}

int fault_slow_disk(struct lab *lab, const struct fault_group *blkio, const char *folder,
        long bytes_per_second) {
    char ram[FAULT_PATH_SIZE], below[FAULT_PATH_SIZE], device[DEVICE_SIZE], upper[DEVICE_SIZE];
    snprintf(ram, sizeof(ram), "%s-ram", folder);
    snprintf(below, sizeof(below), "%s-below", folder);
    int r = lab_run(
            lab, LAB_RECEIVER, "mkdir -p %s && mount -t tmpfs -o size=160m tmpfs %s", ram, ram);
    if (r == 0)
        r = make_disk(lab, ram, 128, below, device);
    if (r == 0)
        r = make_disk(lab, below, 64, folder, upper);
    return r < 0 ? r : throttle(lab, blkio, device, "write", bytes_per_second);
}

// A disk, not memory: who writes to a full one looks for its device.
int fault_full_disk(struct lab *lab, const char *folder, const char *file) {
    char ram[FAULT_PATH_SIZE], device[DEVICE_SIZE];
    snprintf(ram, sizeof(ram), "%s-ram", folder);
    int r = lab_run(
            lab, LAB_RECEIVER, "mkdir -p %s && mount -t tmpfs -o size=32m tmpfs %s", ram, ram);
    if (r == 0)
        r = make_disk(lab, ram, 16, folder, device);
    return r < 0 ? r
                 : lab_run(lab, LAB_RECEIVER,
                           "dd if=/dev/zero of=%s/%s bs=4k 2>/dev/null; sync %s/%s", folder, file,
                           folder, file);
}

int fault_slow_swap(struct lab *lab, const struct fault_group *blkio, long bytes_per_second) {
    char number[16], device[DEVICE_SIZE];
    if (lab_read(lab, LAB_HOST, number, sizeof(number), "cat /sys/class/zram-control/hot_add") < 0)
        return lab_skip(lab, "needs zram");
    int r = lab_undo(lab, "echo %s >/sys/class/zram-control/hot_remove", number);
    if (r < 0)
        return r;
    snprintf(device, sizeof(device), "/dev/zram%s", number);
    r = lab_run(lab, LAB_HOST, "echo %d >/sys/block/zram%s/disksize && mkswap -q %s",
            (int) (128 * MIB), number, device);
    if (r == 0)
        r = lab_undo(lab, "! grep -q '^%s ' /proc/swaps || swapoff %s", device, device);
    if (r == 0)
        r = lab_run(lab, LAB_HOST, "swapon %s", device);
    return r < 0 || !blkio ? r : throttle(lab, blkio, device, "read", bytes_per_second);
}
