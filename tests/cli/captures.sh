#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A capture gives the verdict that was there; support bundles are read; nothing in either leads out or does harm.
. "$(dirname "$0")/cli.sh"

# Bursts to a socket that nobody reads, on loopback.
lose() {
    python3 - "$folder/bound" secret-98765 <<'PYTHON'
import socket, sys, time
reader = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
reader.bind(("127.0.0.1", 0))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.sendto(b"x" * 100, reader.getsockname())
open(sys.argv[1], "w").close()
end = time.monotonic() + 3
while time.monotonic() < end:
    for _ in range(50):
        sender.sendto(b"x" * 100, reader.getsockname())
    time.sleep(0.02)
PYTHON
}

# What differs between the verdict in a capture and that of the program, besides how it came to be.
differs() { # VERDICT-FILE DOCUMENT
    python3 - "$1" "$2" <<'PYTHON'
import json, sys
live, again = (json.load(open(name)) for name in sys.argv[1:3])
assert live["window"].pop("kind") == "live" and again["window"].pop("kind") == "capture"
assert live["lost"] > 0 and live["causes"], "nothing was lost"
for key in sorted(set(live) | set(again)):
    if live.get(key) != again.get(key):
        print(key, live.get(key), again.get(key))
PYTHON
}
same_verdict() { ! differs "$@" 2>&1 | grep .; }

lose &
loser=$!
until [ -e "$folder/bound" ] || ! kill -0 $loser; do sleep 0.05; done
run capture "$folder/taken" --for 2
check "a host is captured" says 0 out "why --capture $folder/taken"
kill $loser 2>/dev/null
wait $loser 2>/dev/null
run why --capture "$folder/taken" --json
check "the capture has the verdict that was there" same_verdict "$folder/taken/verdict.json" "$folder/out"
check "raw files are in it" cmp -s <(head -c 4 "$folder/taken/last/proc/net/snmp") <(printf 'Ip: ')
run capture "$folder/taken"
check "a capture is never replaced" one_line 1 "there already"
check "no command line is in it" sh -c "! grep -rq '98765' '$folder/taken'"

# What netlink answered is in it as it came, and gives the same rows.
same_rows() { # LOOK LOOK
    python3 - "$@" <<'PYTHON'
import sys

def read(name):
    tables = {}
    for line in open(name, encoding="utf-8", errors="surrogateescape"):
        words = line.rstrip("\n").split("\t")
        if words[0] == "table":
            table = tables[words[1]] = {"outcome": words[2], "rows": []}
        elif words[0] == "columns":
            columns = words[1:]
        elif words[0] == "row":
            table["rows"].append(dict(zip(columns, words[1:])))
    return tables

# What the answer of sock_diag does not tell, and what short looks between two of them counted.
ELSEWHERE = {"netns", "owners", "owner_state", "kernel_user", "has_filter", "cgroup",
             "queue_peak_bytes", "looks", "looks_full", "looks_empty"}
live, again = (read(name) for name in sys.argv[1:3])
for name in ("link", "qdisc", "socket"):
    table = live[name]
    assert table["outcome"] == again[name]["outcome"], name
    for row in table["rows"]:
        if name == "socket" and row["wmem_bytes"] == "\\N":
            continue # of another namespace, read from its files
        keep = {key: value for key, value in row.items() if key not in ELSEWHERE}
        assert any(keep.items() <= other.items() for other in again[name]["rows"]), (name, keep)
assert live["link"]["rows"] and live["socket"]["rows"], "nothing to compare"
PYTHON
}
run --root "$folder/taken/last" capture "$folder/again" --for 500ms
last=$(printf '%s\n' "$folder"/taken/looks/* | tail -n 1)
check "kept netlink answers give the rows that were there" same_rows "$last" "$folder/again/looks/0001.txt"
check "and are kept again as they were" diff -r "$folder/taken/last/netlink" "$folder/again/first/netlink"
check "those of the first look are others" sh -c "! cmp -s '$folder/taken/first/netlink/link' '$folder/taken/last/netlink/link'"
check "the manifest names the machine" grep -q '"machine":".*-endian, ..-bit"' "$folder/taken/manifest.json"

replay() { # COMMAND: damages a copy
    rm -rf "$folder/copy" "$folder/again"
    cp -a "$folder/taken" "$folder/copy"
    (cd "$folder/copy/first/netlink" && sh -c "$1")
    run --root "$folder/copy/first" capture "$folder/again" --for 500ms
}
outcome() { # TABLE TEXT
    [ "$status" = 0 ] && grep -q "^table	$1	failed	.*$2" "$folder/again/looks/0001.txt"
}
replay 'head -c 50 link >x && mv x link'
check "a cut answer is told" outcome link "/netlink/link: cut in a message"
check "and what needs it, too" outcome qdisc "/netlink/link: cut in a message"
replay ': >link'
check "an empty one is told" outcome link "/netlink/link: empty"
replay 'head -c 4096 /dev/zero | tr "\0" "\377" >link'
check "garbage is told" outcome link "/netlink/link: cut in a message, or damaged"
replay 'cat udp-diag-ipv4 udp-diag-ipv4 >x && mv x udp-diag-ipv4'
check "two answers in one are told" outcome socket "/netlink/udp-diag-ipv4: goes on behind its end"
replay 'truncate -s 100M link'
check "one that is too large is told" outcome link "/netlink/link: File too large"
replay 'echo big-endian, 64-bit >machine; [ "$(cat ../../last/netlink/machine)" != "$(cat machine)" ] || echo little-endian, 64-bit >machine'
check "those of another machine are not read" outcome link "/netlink/machine: another byte order"
replay 'rm machine'
check "nor those of an unknown one" outcome link "/netlink/machine: No such file"
replay 'rm link; mkfifo link'
check "a FIFO in place of one does not hold it up" outcome link "/netlink/link: "
run why --capture "$folder/copy" --json
check "the looks are judged without them" same_verdict "$folder/taken/verdict.json" "$folder/out"
rm -f "$folder/copy/first/netlink/link"
truncate -s 1G "$folder/copy/first/netlink/link"
run why --capture "$folder/copy" --json
check "and they are not loaded for it" same_verdict "$folder/taken/verdict.json" "$folder/out"

for kind in tar tar.gz tar.xz tar.zst; do
    tar --auto-compress -C "$folder" -cf "$folder/packed.$kind" taken 2>/dev/null || { skip "packed as $kind" "tar cannot"; continue; }
    run why --capture "$folder/packed.$kind" --json
    check "packed as $kind it is the same" same_verdict "$folder/taken/verdict.json" "$folder/out"
done

run --root "$FIXTURES/6.18" capture "$folder/made.tar.zst" --for 500ms --hide-addresses
check "an archive is made" says 0 out "made.tar.zst"
check "and nothing beside it" test ! -e "$folder/made.tar.zst.part"
run why --capture "$folder/made.tar.zst"
check "and can be judged" says 0 out "lost"
mkdir "$folder/opened" && tar -C "$folder/opened" -xf "$folder/made.tar.zst"
check "files with addresses are left out" sh -c "! ls '$folder/opened/first/proc/net/'udp* 2>/dev/null"
check "and named" grep -q "proc/net/udp" "$folder/opened/manifest.json"
run --root "$folder/taken/first" capture "$folder/hidden" --for 500ms --hide-addresses
check "so are netlink's answers" test ! -e "$folder/hidden/first/netlink"
check "and named as well" grep -q '"last/netlink/\*"' "$folder/hidden/manifest.json"
run capture "$folder/nowhere/made.tar.zst" --for 500ms
check "a folder that is not there is told" one_line 1 "No such file"

# Damage.
damaged() { # NAME COMMAND...: of a copy, in its folder
    rm -rf "$folder/copy"
    cp -a "$folder/taken" "$folder/copy"
    (cd "$folder/copy" && "${@:2}")
    run why --capture "$folder/copy" --json
}
damaged look sh -c 'head -c 3000 looks/0005.txt >x && mv x looks/0005.txt'
check "of a capture with a cut look the looks before count" grep -q 'looks/0005.txt, line .*: cut' "$folder/out"
damaged first sh -c 'head -c 300 looks/0001.txt >x && mv x looks/0001.txt'
check "one that is cut in its first look is told" one_line 3 "looks/0001.txt, line"
damaged version sed -i 's/"udpdiag_capture":1/"udpdiag_capture":7/' manifest.json
check "another version is told" one_line 3 "version 7"
damaged order cp looks/0003.txt looks/0006.txt
check "looks that go back in time are told" grep -q 'not later than the look before' "$folder/out"
damaged names sh -c 'sed -i "s/\tnever\t/\tne\\\\n\x1b[31mver\t/" looks/*.txt'
check "hostile names are harmless" sh -c "! grep -q \$(printf '\\033') '$folder/out'"
head -c 2000 "$folder/made.tar.zst" >"$folder/cut.tar.zst"
run why --capture "$folder/cut.tar.zst"
check "a cut archive is told" one_line 3 "$folder/cut.tar.zst"
run why --capture /dev/null
check "an empty one is told" one_line 3 "/dev/null"
run why --capture "$folder/nothing"
check "one that is not there is told" one_line 1 "No such file"

# Nothing leads out.
mkdir -p "$folder/evil/proc/net"
printf 'Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors\nUdp: 1 2 3 4 5 6\n' >"$folder/secret"
ln -s "$folder/secret" "$folder/evil/proc/net/snmp"
run why --capture "$folder/evil"
check "a link in a folder is not followed" one_line 3 "nothing in"
tar -C "$folder/evil" -cf "$folder/evil.tar" .
run why --capture "$folder/evil.tar"
check "nor one in an archive" one_line 3 "nothing in"
tar -C "$folder/evil" -P --transform 's|.*secret|../../proc/net/snmp|' -cf "$folder/up.tar" "$folder/secret" 2>/dev/null
run why --capture "$folder/up.tar"
check "nor a path with .." one_line 3 "nothing in"
mkfifo "$folder/evil/proc/net/netstat"
run why --capture "$folder/evil"
check "a FIFO does not hold it up" one_line 3 "nothing in"

# A support bundle.
bundle=$folder/sosreport-web1
mkdir -p "$bundle/proc/net" "$bundle/sos_commands/networking" "$bundle/sos_commands/host"
cat >"$bundle/proc/net/snmp" <<'TEXT'
Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti
Udp: 653277009 21890 1433502 194 1433502 0 0 0
TEXT
cat >"$bundle/sos_commands/networking/ss_-peaonmi" <<'TEXT'
Netid State  Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
udp   UNCONN 214272 0            0.0.0.0:514       0.0.0.0:*    users:(("rsyslogd",pid=812,fd=6))
TEXT
cat >"$bundle/sos_commands/networking/ethtool_-S_eth0" <<'TEXT'
NIC statistics:
     rx_packets: 9000000000
     rx_missed_errors: 0
TEXT
echo ' 10:14:07 up 41 days,  2:03,  1 user,  load average: 0.52, 0.58, 0.59' >"$bundle/sos_commands/host/uptime"
run why --capture "$bundle"
check "a support bundle is judged" says 10 out "1,433,502"
run why --capture "$bundle" --show-input
check "and each file is told" says 10 out "ethtool_-S_eth0"
tar -C "$folder" -czf "$folder/sos.tar.gz" sosreport-web1
run why --capture "$folder/sos.tar.gz"
check "packed it is the same" says 10 out "1,433,502"
run why --capture "$folder/taken" --live
check "a capture is judged alone" one_line 2 "alone"
end
