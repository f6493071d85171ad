#!/bin/sh
# Do averaged logs and histogram logs add up to the result, however the run ends?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
json="--output-format=json --eta=never"
base="--ioengine=null --size=1g --rw=randrw --time_based --rate_iops=2000,1000 --log_avg_msec=100"

# windows FILE DIRECTION: prints the least and the greatest sum of a rate over its windows, in units, and the number of
# windows. A window without I/O has no line, so a line after a gap may be of 100 ms or of all the time since the last one. Where the
# run ends within a window, the window is shorter.
windows() {
	awk -F', ' -v d="$2" '$3 == d { t = $1 - at; s += $2 * (t <= 100 ? t : $1 % 100 ? $1 % 100 : 100); m += $2 * t; at = $1; n++ }
		END { printf "%.0f %.0f %d\n", s / 1000, m / 1000, n }' "$1"
}

# near VALUE LEAST GREATEST COUNT: allows for each window's rate and time being rounded.
near() {
	echo "$@" | awk '{ room = 60 + $4 * 4 + $1 / 50; exit !($1 >= $2 - room && $1 <= $3 + room) }'
}

maximum() {
	awk -F', ' -v d="$2" '$3 == d && $2 > m { m = $2 } END { printf "%.0f\n", m }' "$1"
}

hist_sum() {
	awk -F', ' -v d="$2" '$2 == d { for (i = 4; i <= NF; i++) s += $i } END { printf "%.0f\n", s }' "$1"
}

# agrees LABEL OUT PREFIX: the logs agree with the first job.
agrees() {
	for d in 0:read 1:write; do
		n=${d%:*}
		e=".jobs[0].${d#*:}"
		check "$1: the histograms have each ${d#*:}" same "$(hist_sum "$3_clat_hist.1.log" "$n")" "$(value "$2" "$e.total_ios")"
		check "$1: the rate adds up to the I/Os (${d#*:})" near "$(value "$2" "$e.total_ios")" $(windows "$3_iops.1.log" "$n")
		check "$1: some window has the longest latency (${d#*:})" same "$(maximum "$3_clat.1.log" "$n")" \
			"$(value "$2" "$e.clat_ns.max")"
	done
}
log_options() {
	echo "--write_iops_log=$1 --write_lat_log=$1 --write_hist_log=$1 --log_hist_msec=200 --log_window_value=max"
}

run --name=x $base --runtime=1 $(log_options a) --write_bw_log=a $json
check "a run exits 0" exits 0
agrees "a run" out a
check "windows end at multiples of 100 ms" same "$(awk -F', ' '$3 == 0 { bad += at % 100 != 0 || (NR > 1 && $1 <= at); at = $1 } END { print bad + 0, (NR > 2) }' a_bw.1.log)" "0 1"
check "the lines look like fio's" same "$(cat a_bw.1.log a_clat.1.log a_iops.1.log | grep -cvE '^[0-9]+, [0-9]+, [01], 0, 0$')" 0
check "histograms have 1859 columns" same "$(awk -F', ' '{ print NF }' a_clat_hist.1.log | sort -u)" 1859
check "... and the block size" same "$(cut -d ' ' -f 3 a_clat_hist.1.log | sort -u)" 4096,
# shellcheck disable=SC2046
check "the bandwidth adds up to the bytes" near "$(value out '.jobs[0].write.io_kbytes')" \
	$(windows a_bw.1.log 1 | cut -d ' ' -f 1,2) 100
run --name=x $base --runtime=500ms --ramp_time=300ms --thread=1 $(log_options r) $json
agrees "after a ramp, a thread" out r
# Five I/Os follow the only whole window. On a busy machine they may be late and have a line of their own.
run --name=x --ioengine=null --size=1g --rw=read --rate_iops=1000 --number_ios=1005 --log_avg_msec=1000 --write_iops_log=e \
	--write_lat_log=e --log_window_value=max $json
check "the last line includes the short rest of the run" awk -F', ' \
	'{ n += $2 * ($1 - at) / 1000; again += $1 == at; at = $1 } END { exit !(n > 1002 && n < 1008 && !again) }' e_iops.1.log
check "... and its latencies" same "$(maximum e_clat.1.log 0)" "$(value out '.jobs[0].read.clat_ns.max')"
run --name=x $base --runtime=500ms --iodepth=4 --numjobs=2 $(log_options n) $json
agrees "the first of two" out n
check "the second worker's histogram has its reads" same "$(hist_sum n_clat_hist.2.log 0)" "$(value out '.jobs[1].read.total_ios')"
run --name=x $base --runtime=500ms --write_lat_log=b --log_window_value=both --log_offset=1 --log_issue_time=1 $json
check "a line has mean and maximum, offset and issue time" same "$(awk -F', ' '{ print NF, ($2 <= $3) }' b_clat.1.log | sort -u)" "8 1"
run --name=x $base --runtime=300ms --write_hist_log=c --log_hist_coarseness=3 $json
check "a histogram of the whole run has a line per direction" lines c_clat_hist.1.log 2
check "... with fewer, coarser columns" same "$(awk -F', ' '{ print NF }' c_clat_hist.1.log | sort -u)" 235
check "... and each read" same "$(hist_sum c_clat_hist.1.log 0)" "$(value out '.jobs[0].read.total_ios')"
run --name=x $base --runtime=300ms --write_lat_log=z --write_hist_log=z --log_hist_msec=100 --log_store_compressed=1 $json
check "a compressed histogram has each read" same "$("$FIORD" --inflate-log=z_clat_hist.1.log.fz | hist_sum - 0)" \
	"$(value out '.jobs[0].read.total_ios')"
check "a compressed log has its windows" test "$("$FIORD" --inflate-log=z_clat.1.log.fz | wc -l)" -ge 2
run --name=x $base --runtime=300ms --gtod_reduce=1 --write_bw_log=g --write_hist_log=g --write_lat_log=g $json
check "gtod_reduce=1 still logs bandwidth" test -s g_bw.1.log
check "... but no latencies" absent g_lat.1.log g_clat.1.log
check "... and notes say so" json out '.fiord.notes | any(contains("write_lat_log")) and any(contains("write_hist_log"))'

start --name=x $base --runtime=60 $(log_options i) $json
check "the log grows during the run" until_true 20 test -s i_clat_hist.1.log
kill -INT "$pid"
wait_for_exit
check "SIGINT exits 130" exits 130
agrees SIGINT out i
start --name=x $base --runtime=60 $(log_options k) $json
check "the log has lines" until_true 20 test -s k_clat_hist.1.log
kill -KILL $(children "$pid" | head -n 1)
wait_for_exit
check "a killed worker exits 1" exits 1
agrees "a killed worker" out k

ln -s /dev/full full_clat.1.log
run --name=x $base --runtime=400ms --write_lat_log=full $json
check "a full disk exits 6" exits 6
check "... and the error says so" says err "full_clat.1.log: the log could not be written: No space left on device (ENOSPC)"
check "... and the run lasts for its runtime" json out '.jobs[0].error == 0 and .jobs[0].job_runtime >= 400'
check "... and the other log is written" test "$(windows full_lat.1.log 0 | cut -d ' ' -f 3)" -ge 3
finish
