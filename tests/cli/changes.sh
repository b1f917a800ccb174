#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A program that is restarted with a larger buffer is cured, as seen on this kernel; its other name is a namespace of its own.
. "$(dirname "$0")/cli.sh"

ground=udt-cli-$$
if [ "$(id -u)" != 0 ] || ! ip netns add "$ground" 2>/dev/null; then
    echo '1..0 # SKIP needs root and network namespaces'
    exit 0
fi
declare -a started=()
leave() {
    kill "${started[@]}" 2>/dev/null
    wait 2>/dev/null
    ip netns del "$ground"
    rm -rf "$folder"
}
trap leave EXIT
ip -n "$ground" link set lo up

cat >"$folder/reader.py" <<'END'
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, 33, int(sys.argv[1])) # SO_RCVBUFFORCE: as much as is asked for
s.bind(("127.0.0.1", 45514))
s.setblocking(False)
open(sys.argv[2], "w").close()
while True:
    try:
        while True:
            s.recv(2048)
    except BlockingIOError:
        time.sleep(0.05)
END
cat >"$folder/sender.py" <<'END'
import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    for i in range(25):
        s.sendto(b"x" * 500, ("127.0.0.1", 45514))
    time.sleep(0.1)
END
read_with() { # BYTES
    rm -f "$folder/ready"
    ip netns exec "$ground" python3 "$folder/reader.py" "$1" "$folder/ready" &
    reader=$!
    started+=("$reader")
    while [ ! -e "$folder/ready" ]; do sleep 0.05; done
}

read_with 4096
ip netns exec "$ground" python3 "$folder/sender.py" &
started+=($!)
ip netns exec "$ground" "$UDPDIAG" --config /dev/null why --live 24 --netns "$ground" >"$folder/text" 2>"$folder/err" &
text=$!
ip netns exec "$ground" "$UDPDIAG" --config /dev/null why --live 24 --json >"$folder/out" 2>"$folder/err" &
look=$!
sleep 9
kill "$reader"
wait "$reader" 2>/dev/null
read_with 8000000
wait "$look"
status=$?
wait "$text"
check 'changes: a restart with a larger buffer is found' json \
    "[c['subject']['port'] for c in d['changes'] if 'opened anew' in c['what'] and c['subject']['netns'].startswith('$ground')] == [45514]"
check 'changes: from which process to which' json \
    "next((c['from'], c['to']) for c in d['changes'] if 'opened anew' in c['what'] and c['subject']['netns'].startswith('$ground'))[1].startswith('python3 (pid ')"
check 'changes: it cured the loss' json \
    "next(c for c in d['changes'] if 'opened anew' in c['what'] and c['subject']['netns'].startswith('$ground'))['verdict'] == 'cured'"
check 'changes: the headline of that namespace says so' eval 'head -n 3 "$folder/text" | tr "\n" " " | grep -q "cured at .*: socket of port 45514"'
end
