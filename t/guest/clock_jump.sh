#!/bin/sh
# seconds: 160
# The time of day jumps in the middle of a run, a day ahead and then two days back. Do all figures follow the monotonic clock? /proc/uptime,
# which does not jump, is the witness of how long the run took.
. "$SOURCE/t/guest/lib.sh"
requires jq date
cd "$dir" || exit 1

# uptime_ms: prints the milliseconds since the guest started.
uptime_ms() {
	awk '{ print int($1 * 1000) }' /proc/uptime
}

before=$(uptime_ms)
start --name=x --ioengine=null --size=1g --bs=4k --rw=read --time_based --runtime=8 --rate_iops=200 --ramp_time=1 --write_iops_log=log --log_avg_msec=500 \
	--eta=always --eta-interval=250 --status-interval=2s --output=result --output-format=json
check "the job runs" until_true 60 progress_shows R
date -s "@$(($(date +%s) + 86400))" >/dev/null
check "the time of day is a day ahead" until_true 60 test -s result
date -s "@$(($(date +%s) - 2 * 86400))" >/dev/null
wait_for_exit
took=$(($(uptime_ms) - before))
check "the run ends by itself" exits 0
# The last document is the result; those before it are of --status-interval.
jq -s '.[-1]' result >last
check "it took as long as it should ($took ms by /proc/uptime)" test $took -ge 9000 -a $took -lt 60000
check "runtime is that of the monotonic clock" json last ".jobs[0].read.runtime | . >= 8000 and . <= $took"
check "IOPS are I/Os by that time" json last '.jobs[0].read | (.iops * .runtime / 1000 / .total_ios - 1) | fabs < 0.01'
check "... and do not pass the rate" json last '.jobs[0].read | .total_ios <= 200 * 8 + 2 and .total_ios > 0'
check "no latency is longer than the run" json last ".jobs[0].read.lat_ns.max < $took * 1000000"
check "the times of the log lie within the run" awk -F , -v took=$took '$1 + 0 < last || $1 + 0 > took { exit 1 } { last = $1 + 0 } END { exit NR < 4 }' \
	log_iops.1.log
check "no message speaks of it" same "$(grep -c '^fiord: ' err)" 0
finish
