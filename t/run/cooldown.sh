#!/bin/sh
# cooldown and ramp_only: does the I/O go on while nothing of it is counted? The document, the series and the logs must agree
# on the I/Os of the measured time.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

# Counting ends with the measurement, for each way of doing I/O.
for how in "--iodepth=1" "--iodepth=8" "--numjobs=3 --thread=1 --iodepth=4" "--rate_iops=500 --rate_open=1" "--ramp_time=300ms"; do
	# shellcheck disable=SC2086
	run --name=a --ioengine=null --size=1g --rw=randrw --runtime=300ms --time_based --cooldown=700ms $how \
		--output-format=json+ --series --write_lat_log=log --log_avg_msec=100
	check "$how: the run exits 0" test "$rc" = 0
	check "$how: the measured time ends with the last I/O that began in it" json out '[.jobs[].job_runtime | . >= 300 and . < 1000] | all'
	case $how in *ramp*) check "$how: after a ramp the measured time is the runtime" json out '[.jobs[].job_runtime == 300] | all' ;; esac
	check "$how: the run lasts longer than the measurement" json out '.fiord.self.wall_ns >= 1000000000'
	check "$how: the histogram holds all counted I/Os" \
		json out '[.jobs[] | .read, .write | .total_ios == ([.clat_ns.bins[]] | add)] | all'
	check "$how: the series adds up to the counted I/Os" \
		json out '([.fiord.series.groups[] | .read.ios[], .write.ios[]] | add) == ([.jobs[] | .read.total_ios + .write.total_ios] | add)'
	check "$how: the log ends with the measurement" \
		awk -F, '$1 > 450 { exit 1 }' log_clat.1.log
done

# A job that another one ends during its cool-down keeps its figures.
run --ioengine=null --size=1g --time_based --name=a --runtime=300ms --cooldown=100 --name=b --runtime=1 --exitall \
	--output-format=json
check "exitall ends a cool-down" json out '.jobs[0].elapsed < 50'
check "exitall keeps the figures of the measurement" json out '.jobs[0].job_runtime >= 300 and .jobs[0].job_runtime < 30000 and .jobs[0].read.total_ios > 0'

# Statuses, the bandwidth log and error counts leave out the cool-down.
run --name=a --ioengine=null --size=1g --rate_iops=1000 --runtime=1 --time_based --cooldown=2 --output-format=json \
	--status-interval=500ms --bandwidth-log=agg
check "the document has statuses" json out '.fiord.status | length >= 3'
check "no status counts time after the measurement" json out '.jobs[0].read.runtime as $ran | [.fiord.status[].jobs[0].read.runtime] | last > 0 and all(. <= $ran)'
check "the last status has the I/Os of the result" \
	json out '.fiord.status[-1].jobs[0].read.total_ios == .jobs[0].read.total_ios'
check "the bandwidth log ends with the measurement" awk -F, '$1 > 1900 { exit 1 }' agg-read_bw.log
dd if=/dev/zero of=cut bs=64k count=1 2>/dev/null
run --name=a --filename=cut --rw=read --invalidate=0 --rate_iops=200 --runtime=300ms --time_based --cooldown=1700ms \
	--continue_on_error=all --output-format=json \
	--name=b --ioengine=exec --program=truncate --arguments='-s 0 cut' --startdelay=1 --runtime=4
check "the file was cut short during the cool-down" test ! -s cut
check "errors of the cool-down are not counted" json out '.jobs[0] | .error == 0 and .total_err == 0 and .read.total_ios > 0'

# With ramp_only the ramp runs and nothing is measured.
run --name=a --ioengine=null --size=1m --ramp_time=1 --ramp_only=1 --time_based --output-format=json
check "ramp_only exits 0" test "$rc" = 0
check "ramp_only measures nothing" json out '.jobs[0] | .read.total_ios == 0 and .job_runtime == 0'
check "ramp_only takes as long as the ramp" json out '.jobs[0].elapsed >= 1 and .fiord != null'

# Writes cool down, too.
truncate -s 64k short
run --name=a --filename=short --size=64k --rw=write --overwrite=1 --time_based --runtime=300ms --cooldown=700ms \
	--output-format=json
check "a write job with a cool-down succeeds" json out '.jobs[0].error == 0 and .jobs[0].job_runtime < 1000'
finish
