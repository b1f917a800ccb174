#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A small file system filled to 80 %: a warning, reminders while it lasts, critical at 90 %, and an end when it is emptied.
. "$(dirname "$0")/scenario.sh"
begin
disk=$folder/disk
mkdir "$disk"
truncate -s 48M "$folder/image"
{ mkfs.ext4 -q -F "$folder/image" && mount -o loop "$folder/image" "$disk"; } 2>/dev/null ||
    mount -t tmpfs -o size=48m tmpfs "$disk" || skip_all "mounting is refused here"
echo "# $(stat -f -c %T "$disk")"
configure 'confirm = 1' 'remind = 10s' 'clear = 5s'
cat >"$folder/alert.d/record" <<PROGRAM
#!/bin/sh
cat >>"$folder/events"
echo >>"$folder/events"
PROGRAM
chmod +x "$folder/alert.d/record"
daemon_start

# Fills to a share as df shows it, used / (used + available).
fill() { # PERCENT
    python3 - "$disk" "$1" <<'PYTHON'
import os, sys
path, percent = sys.argv[1] + "/filler", int(sys.argv[2])
s = os.statvfs(sys.argv[1])
used, room = (s.f_blocks - s.f_bfree) * s.f_frsize, s.f_bavail * s.f_frsize
with open(path, "ab") as file:
    file.write(b"u" * max(0, (used + room) * percent // 100 - used))
    os.fsync(file.fileno())
PYTHON
}

told() { # EVENT SEVERITY
    "$here/match.py" "$folder/events" event="$1" alert.cause=disk-fill alert.severity="$2" \
        level.subject.mount="$disk"
}
shown() { # SEVERITY|none
    udpdiag why --json --since -15s >"$folder/why.json" 2>/dev/null
    "$here/expect.py" "$folder/why.json" level="disk-fill/$disk:$1"
}
happens() { # TEXT COMMAND...
    local text=$1
    shift
    is "$text" until_true 30 "$@"
}

happens "an empty file system is none of our business" shown none
fill 78
sleep 1
fill 82
happens "at 80 % a warning begins" told begin warning
happens "it stands in the verdict" shown warning
happens "it is repeated while it lasts" told reminder warning
fill 92
happens "at 90 % it becomes critical" told changed critical
happens "and stands so in the verdict" shown critical
rm "$disk/filler"
happens "it ends when the file system is emptied" told end critical
happens "and is gone from the verdict" shown none
end
