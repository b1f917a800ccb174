#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What why answers on files that somebody pasted, on the standard input, and on what is none.
. "$(dirname "$0")/cli.sh"

cat >"$folder/netstat" <<'END'
$ netstat -su
Udp:
    1000 packets received
    40 packets to unknown port received
    107 packet receive errors
    900 packets sent
    107 receive buffer errors
    0 send buffer errors
What does that mean?
END
sed 's/107/207/' "$folder/netstat" >"$folder/later"

run why "$folder/netstat"
check 'pasted: one look is since boot' first_line '107 datagrams lost since boot, all at the socket queue'
check 'pasted: exit status 10 with causes' [ "$status" = 10 ]
check 'pasted: what to run next' says 10 out 'to know more, run:'
check 'pasted: what is not there is not judged' says 10 out 'which need'
check 'pasted: in 80 columns' wide 80
check 'pasted: nothing on the standard error' [ ! -s "$folder/err" ]

run why "$folder/netstat" "$folder/later"
check 'pasted: two looks tell what happened in between' first_line '100 datagrams lost between two looks, all at the socket queue'
check 'pasted: without times nothing is said per second' eval '! grep -q "[0-9]/s" "$folder/out"'
run why --json "$folder/netstat" "$folder/later"
check 'pasted: JSON: times that are not known' json 'd["window"]["kind"] == "capture" and d["window"]["seconds"] is None and d["window"]["start"] is None'
check 'pasted: JSON: the next commands' json 'd["next"] and all(n["command"] and n["text"] for n in d["next"])'
run why --json --all "$folder/netstat"
check 'pasted: JSON: not judged names the table' json 'any("softnet" in r["reason"] for r in d["not_judged"]) and not any(r["id"] == "backlog-overflow" for r in d["ruled_out"])'

run why - <"$folder/netstat"
check 'pasted: the standard input' first_line '107 datagrams lost since boot, all at the socket queue'
run why <(sleep 1; cat "$folder/netstat")
check 'pasted: a pipe whose writer takes its time' first_line '107 datagrams lost since boot, all at the socket queue'

run why --show-input "$folder/netstat"
check '--show-input: lines, and what they were taken for' eval 'grep -qE "2-8 +netstat -s, -su +Udp:" "$folder/out"'
check '--show-input: what was skipped' eval 'grep -qE "9 +skipped +What does that mean" "$folder/out"'
run why --show-input --json "$folder/netstat"
check '--show-input: JSON' json 'd["verdict"] == "causes" and [r["state"] for r in d["input"]].count("skipped") == 1'

printf 'net.core.rmem_max = 212992\nsome text\nnet.core.rmem_max = 8388608\n' >"$folder/sysctl"
run why "$folder/netstat" "$folder/sysctl"
check 'pasted: a contradiction is told with its lines' eval 'tr -s " \n" "  " <"$folder/out" | grep -q "line 3: net.core.rmem_max is set twice"'
printf 'Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors\nUdp: -5 1 2 3 2\n' >"$folder/negative"
run why "$folder/negative"
check 'pasted: a value that cannot be right is told' eval 'tr -s " \n" "  " <"$folder/out" | grep -q "udp_in_datagrams cannot be -5"'

# What is none
run why "$folder/missing"
check 'no file' one_line 1 'No such file or directory'
run why "$folder"
check 'a folder' one_line 1 'is a folder: why --capture reads one'
: >"$folder/empty"
run why "$folder/empty"
check 'an empty file' one_line 3 'is empty'
gzip -c "$folder/netstat" >"$folder/packed"
run why "$folder/packed"
check 'a compressed file' one_line 3 'is compressed: unpack it first'
head -c 5000 /dev/urandom >"$folder/random"
run why "$folder/random"
check 'no text' one_line 3 'is no text'
printf 'We see losses, please help.\n' >"$folder/words"
run why "$folder/words"
check 'text of which nothing is known' one_line 3 'nothing in this input is known'
timeout 20 "$UDPDIAG" why - >"$folder/out" 2>"$folder/err" < <(yes 'some line of noise with 12 words' | head -c 1000000000)
status=$?
check 'a gigabyte of noise ends soon' one_line 1 'more than 64 MiB of input'
printf 'Udp:\n    \033[31m7 packet receive errors\033[0m\n    1 packets \033]0;title\007received\n\033[2Jx 12\n' >"$folder/escapes"
run why --show-input "$folder/escapes"
check 'escape sequences of the input do not reach the terminal' printable

# Nothing that the reader does not need
if [ "$(id -u)" = 0 ] && ! ldd "$UDPDIAG" 2>/dev/null | grep -q libasan; then
    mkfifo "$folder/fifo"
    "$UDPDIAG" why "$folder/fifo" >/dev/null 2>&1 &
    reader=$!
    exec 5>"$folder/fifo"
    sleep 0.5
    check 'pasted: read without privileges' eval 'grep -q "^NoNewPrivs:.1" /proc/$reader/status && grep -q "^CapEff:.0*$" /proc/$reader/status'
    exec 5>&-
    wait "$reader"
else
    skip 'pasted: read without privileges' 'needs root, and a build without sanitizers'
fi
end
