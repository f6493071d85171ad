#!/bin/sh
# logs.sh FIORD: what does a log of single I/Os cost, and how much memory does its run need? It judges nothing. $FIORD_LOGS is the
# directory of the logs (by default a temporary directory).
fiord=$1
dir=$(mktemp -d "${FIORD_LOGS:-${TMPDIR:-/tmp}}/fiord-logs.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

# cost PROGRAM LABEL OPTION...: prints ns of wall time per I/O, with and without waiting for the log; the best of three runs.
cost() {
	program=$1
	label=$2
	shift 2
	for _ in 1 2 3; do
		"$program" --name=b --ioengine=null --size=64g --norandommap --rw=randread --runtime=2 --time_based \
			--output-format=json "$@" >out 2>/dev/null
		jq -r '.jobs[0] | "\(2e9 / .read.total_ios) \(.read.clat_ns.max) \((.fiord.log_waited_ns // 0) / 2e7) \(
			.read.total_ios)"' out
		rm -f ./*.log*
	done | sort -n | head -n 1 | awk -v p="$(basename "$program")" -v l="$label" \
		'{ printf "%-6s %-34s %8.1f ns per I/O, %5.1f %% of the time waiting, %d I/Os\n", p, l, $1, $3, $4 }'
}

measure_program() {
	cost "$1" "no log"
	cost "$1" "bw, each I/O" --write_bw_log=l
	cost "$1" "bw, iops, clat, lat, each I/O" --write_bw_log=l --write_iops_log=l --write_lat_log=l
	cost "$1" "the same, windows of 500 ms" --write_bw_log=l --write_iops_log=l --write_lat_log=l --log_avg_msec=500
	cost "$1" "histograms of 500 ms" --write_hist_log=l --log_hist_msec=500
}

rss() { # PID
	sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$1/status" 2>/dev/null
}

echo "depth 1 on the null engine, 2 s each"
measure_program "$fiord"
! command -v fio >/dev/null || measure_program fio
cost "$fiord" "compressed, each I/O" --write_lat_log=l --log_store_compressed=1

echo "resident memory in KiB, 100000 I/Os a second, each with three lines: the run, and the process that writes"
"$fiord" --name=b --ioengine=null --size=64g --norandommap --rw=randread --runtime=10 --time_based --rate_iops=100000 \
	--write_lat_log=l --write_bw_log=l >/dev/null 2>&1 &
run=$!
for second in 1 2 3 4 5 6 7 8 9; do
	sleep 1
	writer=$(cat "/proc/$run/task/$run/children" 2>/dev/null | tr ' ' '\n' | grep . | tail -n 1)
	echo "after $second s: $(rss "$run") and $(rss "${writer:-0}"), logs of $(cat ./*.log | wc -c) bytes"
done
wait "$run"
