#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One loss between two ends of a veth moves five counters: the backlog's, both interfaces', and the sender's
# SndbufErrors and OutDiscards. It is counted and named once.
. "$(dirname "$0")/scenario.sh"
begin
[ "$(nproc)" -ge 2 ] || skip_all "needs two CPUs: a backlog is emptied at once by the CPU that fills it"
make_namespaces
configure
daemon_start
b=$(namespace_name "$receiver_keeper")
sink_cpu=$(awk -F'[-,]' 'END { print $NF }' /sys/devices/system/cpu/online)
in_b sh -c "printf '%x' $((1 << sink_cpu)) >/sys/class/net/b0/queues/rx-0/rps_cpus" ||
    skip_all "this kernel has no RPS"
a=$(store netns "$(stat -Lc %i "/proc/$sender_keeper/ns/net")")

burst() {
    in_a "$TRAFFIC" send --to "$to" --port 5000 --count 20000 --size 64 --cpu 0
}
# The limit is the whole host's: not a moment longer than needed.
burst_into_short_backlog() {
    host_sysctl net/core/netdev_max_backlog 1
    burst
    host_sysctls_back
}

for family in $families; do
    v6=${family#4}
    to=$(address $family b)
    sink $receiver --to "$to" --port 5000 --rcvbuf 8000000
    before=$(counter $sender Udp${v6}SndbufErrors)
    lose "IPv$family: a short backlog is backlog-overflow, named once" 500 backlog_drops burst_into_short_backlog \
        netns="$a,$b" alone=backlog-overflow locus=backlog:%N lost=%N only=backlog
    echo "# the sender's SndbufErrors grew by $(($(counter $sender Udp${v6}SndbufErrors) - before))"
    sink_end
done
end
