#!/bin/sh
# cooldown: the I/O goes on, and nothing of it counts. ramp_only: nothing counts at all.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

# What is counted ends with the measurement, whoever does the I/O.
for how in "--iodepth=1" "--iodepth=8" "--numjobs=3 --thread=1 --iodepth=4" "--rate_iops=500 --rate_open=1" "--ramp_time=300ms"; do
	# shellcheck disable=SC2086
	run --name=a --ioengine=null --size=1g --rw=randrw --runtime=1 --time_based --cooldown=1 $how \
		--output-format=json+ --series --write_lat_log=log --log_avg_msec=100
	check "$how runs" test "$rc" = 0
	check "$how: the time ends with the last I/O that began in it" json out '[.jobs[].job_runtime | . >= 1000 and . < 2000] | all'
	case $how in *ramp*) check "$how: after a ramp it is the runtime" json out '[.jobs[].job_runtime == 1000] | all' ;; esac
	check "$how: the run is longer" json out '[.jobs[].elapsed >= 2] | all'
	check "$how: the histogram is that of the I/Os" \
		json out '[.jobs[] | .read, .write | .total_ios == ([.clat_ns.bins[]] | add)] | all'
	check "$how: the series adds up to the I/Os" \
		json out '([.fiord.series.groups[] | .read.ios[], .write.ios[]] | add) == ([.jobs[] | .read.total_ios + .write.total_ios] | add)'
	check "$how: nothing is logged after the measurement" \
		awk -F, '$1 > 1100 { exit 1 }' log_clat.1.log
done

# Ended while it cools down: what was measured stands.
run --ioengine=null --size=1g --time_based --name=a --runtime=300ms --cooldown=100 --name=b --runtime=1 --exitall \
	--output-format=json
check "exitall ends a cool-down" json out '.jobs[0].elapsed < 50'
check "exitall leaves the measurement as it was" json out '.jobs[0].job_runtime >= 300 and .jobs[0].job_runtime < 30000 and .jobs[0].read.total_ios > 0'

# Statuses, the bandwidth log and errors: nothing of a cool-down is in them.
run --name=a --ioengine=null --size=1g --rate_iops=1000 --runtime=1 --time_based --cooldown=2 --output-format=json \
	--status-interval=500ms --bandwidth-log=agg
check "there are statuses" json out '.fiord.status | length >= 3'
check "no status goes beyond the measurement" json out '.jobs[0].read.runtime as $ran | [.fiord.status[].jobs[0].read.runtime | . > 0 and . <= $ran] | all'
check "the last one says what the result says" \
	json out '.fiord.status[-1].jobs[0].read.total_ios == .jobs[0].read.total_ios'
check "the bandwidth log ends with the measurement" awk -F, '$1 > 1900 { exit 1 }' agg-read_bw.log
dd if=/dev/zero of=cut bs=64k count=1 2>/dev/null
run --name=a --filename=cut --rw=read --invalidate=0 --rate_iops=200 --runtime=1 --time_based --cooldown=3 \
	--continue_on_error=all --output-format=json \
	--name=b --ioengine=exec --program=truncate --arguments='-s 0 cut' --startdelay=2 --runtime=4
check "the file was cut off meanwhile" test ! -s cut
check "errors of a cool-down do not count" json out '.jobs[0] | .error == 0 and .total_err == 0 and .read.total_ios > 0'

# Only the ramp: it runs, and nothing is measured.
run --name=a --ioengine=null --size=1m --ramp_time=1 --ramp_only=1 --time_based --output-format=json
check "ramp_only runs" test "$rc" = 0
check "ramp_only measures nothing" json out '.jobs[0] | .read.total_ios == 0 and .job_runtime == 0'
check "ramp_only takes as long as the ramp" json out '.jobs[0].elapsed >= 1 and .fiord != null'

# Writes, too.
truncate -s 64k short
run --name=a --filename=short --size=64k --rw=write --overwrite=1 --time_based --runtime=1 --cooldown=1 \
	--output-format=json
check "writes cool down, too" json out '.jobs[0].error == 0 and .jobs[0].job_runtime < 2000'
finish
