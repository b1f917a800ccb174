#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Readers that wait for a disk, for a file system that answers late, or for their own memory; and others that lose datagrams at
# the same time, and wait for none of these.
. "$(dirname "$0")/ground.sh"
begin_readers losetup mkfs.ext4 mkswap swapon

stream() { send --port $port --ports 2 --rate 6000 --count 12000; }

# What is throttled is the disk below, so that the one that is written to is busy.
slow_disk() {
    local below
    mkdir "$folder/ram" "$folder/below" "$folder/disk"
    undo_later umount "$folder/ram"
    mount -t tmpfs -o size=160m tmpfs "$folder/ram" && disk_on "$folder/ram" 128M "$folder/below" || return 1
    below=$disk
    disk_on "$folder/below" 64M "$folder/disk" && throttle "$below" write 400000
}

disk_on() { # FOLDER SIZE MOUNT: a file there is a disk, with a file system. Sets $disk
    truncate -s "$2" "$1/disk"
    disk=$(losetup -f --show --direct-io=on "$1/disk" 2>/dev/null || losetup -f --show "$1/disk") || return 1
    undo_later losetup -d "$disk"
    mkfs.ext4 -q "$disk" || return 1
    undo_later umount "$3"
    mount "$disk" "$3"
}

throttle() { # DEVICE read|write BYTES/S: for processes in $group
    local number
    number=$(cat "/sys/block/${1#/dev/}/dev")
    if [ -e "$group/io.max" ]; then
        echo "$number ${2:0:1}bps=$3" >"$group/io.max"
    else
        echo "$number $3" >"$group/blkio.throttle.$2_bps_device"
    fi
}

port=46201
if group blkio disk cgroup.procs && slow_disk; then
    start inside "$group" "$READER" write --file "$folder/disk/log" --port 46201 --name udt-writer
    writer=$reader_pid
    reader work --work 1000 --port 46202 --name udt-computes
    observe stream 46201 46202
    blames "a reader that waits for a slow disk" 46201 alone=reader-blocked-disk who=$writer/udt-writer explains=%M..%N \
        says=reader-blocked-disk/"$folder/disk" says="reader-blocked-disk/disk ${disk#/dev/}"
    blames "one that computes meanwhile" 46202 alone=reader-cpu-bound who=$reader_pid/udt-computes explains=%M..%N
    balances socket-queue
    stop $writer $reader_pid
else
    skip "a reader that waits for a slow disk" "no loop device, or no I/O controller of cgroups"
fi

# The other one takes no longer for each datagram, but needs only as many as it can take.
trickle() {
    local other
    send --port 46206 --rate 20 --count 40 &
    other=$!
    send --port 46205 --rate 3000 --count 6000
    wait $other
}
mkdir "$folder/fuse"
undo_later umount -l "$folder/fuse"
if start "$READER" serve --file "$folder/fuse" --every 20; then
    server=$reader_pid
    reader write --file "$folder/fuse/log" --port 46205 --name udt-fuse
    writer=$reader_pid
    reader write --file "$folder/fuse/log" --port 46206 --name udt-fuse-too
    observe trickle 46205 46206
    blames "a reader that waits for a slow file system" 46205 alone=reader-blocked-disk who=$writer/udt-fuse \
        explains=%M..%N says=reader-blocked-disk/FUSE
    spares "one that waits for it just as often" 46206
    balances socket-queue
    stop $writer $reader_pid $server
else
    skip "a reader that waits for a slow file system" "no FUSE"
fi

# Swap on compressed memory costs little by itself: it is made slow for this group.
slow_swap() {
    local number
    number=$(cat /sys/class/zram-control/hot_add 2>/dev/null) || return 1
    undo_later sh -c "echo $number >/sys/class/zram-control/hot_remove"
    swap=/dev/zram$number
    echo 128M >"/sys/block/zram$number/disksize" && mkswap -q "$swap" || return 1
    undo_later swapoff "$swap"
    swapon "$swap" || return 1
    throttle "$swap" read 2000000
}

port=46203
if group blkio swap cgroup.procs && slow_swap; then
    io=$group
    group memory swap cgroup.procs
    if [ -e "$group/memory.max" ]; then limit=memory.max; else limit=memory.limit_in_bytes; fi
    echo 16M >"$group/$limit"
    start inside "$io:$group" "$READER" touch --memory 48 --every 4 --port 46203 --name udt-swaps
    swaps=$reader_pid
    reader never --port 46204 --name udt-idle
    observe stream 46203 46204
    blames "a reader whose memory is swapped out" 46203 alone=reader-swapping who=$swaps/udt-swaps explains=%M..%N \
        says=reader-swapping/udt-reader-swap
    blames "one that never reads meanwhile" 46204 alone=reader-not-reading who=$reader_pid/udt-idle explains=%N
    balances socket-queue
    stop $swaps $reader_pid
else
    skip "a reader whose memory is swapped out" "no zram, or no I/O controller of cgroups"
fi
end
