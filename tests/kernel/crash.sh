#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The daemon is killed at random moments, with and without losses going on: the database stays whole, what was stored
# stays, at most the last five seconds are missing, and the growth over the gap is counted.
. "$(dirname "$0")/scenario.sh"
begin
make_namespaces
configure
daemon_start
name=$(namespace_name "$receiver_keeper")
kept_ms=5000
step_ms=1000
seed=${SEED:-$$}
RANDOM=$seed
echo "# SEED=$seed"

received() { store sum snmp udp_in_datagrams "$name"; }
lost() { store sum snmp udp_rcvbuf_errors "$name"; }
kernel_received() { counter $receiver UdpInDatagrams; }
kernel_lost() { counter $receiver UdpRcvbufErrors; }

sink $receiver --to 127.0.0.1 --port 5000 --rcvbuf 8000000
sink $receiver --to 127.0.0.1 --port 5001 --rcvbuf 4096 --never-read
for round in 1 2 3 4 5; do
    # In every second round nothing is lost, and nothing hurries the writer.
    port=$((5000 + round % 2))
    run ip netns exec $receiver "$TRAFFIC" send --to 127.0.0.1 --port $port --count 100000 --rate 500 --size 64 \
        --seconds 12 >/dev/null
    traffic=$!
    begun=$(store newest)
    sleep $((RANDOM % 6)).$((1 + RANDOM % 9))
    seen=$(store newest)
    steps=$(store steps "$seen")
    killed=$(now_ms)
    kill -KILL "$daemon_pid"
    wait "$daemon_pid" 2>/dev/null

    equal "round $round: the database is intact after kill -9" ok "$(store intact)"
    equal "round $round: what a reader has seen is still there" "$steps" "$(store steps "$seen")"
    newest=$(store newest)
    is "round $round: at most $kept_ms ms are missing" test $((killed - newest)) -le $((kept_ms + step_ms))
    is "round $round: and nothing before them" test "$(store longest "$begun" "$newest")" -le $((2 * step_ms))
    echo "# killed $((killed - newest)) ms after the newest stored step"

    sleep 0.$((RANDOM % 10))
    daemon_start
    kill $traffic 2>/dev/null
    wait $traffic 2>/dev/null
done
end=$(now_ms)
until_true 10 store newest-after "$end" || bail_out "the daemon has stopped storing"
daemon_stop
equal "all datagrams received are in the database, over all gaps" "$(kernel_received)" "$(received)"
equal "all datagrams lost are in the database, over all gaps" "$(kernel_lost)" "$(lost)"
equal "the database is intact after a clean stop" ok "$(store intact)"
is "udpdiag still answers from it" sh -c "'$UDPDIAG' --config '$folder/udpdiag.conf' stat >/dev/null"
end
