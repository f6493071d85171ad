#!/bin/sh
# Does fiord count exactly the I/Os of the measured time? A file system of this test (slow_fs.c) answers each read after 200 to
# 300 ms and records when. The counted reads must be those answered in the window, and IOPS x mean latency must be the depth, with
# ramp, cool-down, start delay, two groups, and after SIGINT.
. "$SOURCE/t/lib.sh"
requires jq awk fusermount3
[ -n "${SLOW_FS-}" ] || skip_all "fiord was built without libfuse3"
[ -w /dev/fuse ] || skip_all "/dev/fuse is missing or not writable"
cd "$dir" || exit 1
mkdir mnt

cleanup() {
	fusermount3 -u -z "$dir/mnt" 2>/dev/null
}

mount_slow_fs() {
	"$SLOW_FS" "$dir/answers" "$dir/mnt" >fs.out 2>&1 &
	until_true 10 test -f mnt/f
}
mount_slow_fs || skip_all "the file system cannot be mounted: $(cat fs.out)"

# answered START_MS MS: prints how many reads the file system answered in this time.
answered() {
	awk -v from="$1" -v ms="$2" '$2 >= from && $2 < from + ms { n++ } END { print n + 0 }' answers
}

some_answered() { # COUNT
	[ "$(wc -l <answers)" -ge "$1" ]
}

# An answer reaches the reader some time after the file system has recorded it, so a few may lie on the other side of the window's
# ends: up to half a queue on a busy machine. An error of a whole queue would be 8.
counts_agree() {
	json out "($ios - $n | fabs) <= 4 * (.jobs | length) and $n > 40"
}

depth_agrees() {
	json out '.jobs | all(.read | (.iops * .lat_ns.mean / 1e9 - 8 | fabs) < 0.7)'
}

levels_agree() {
	json out '.jobs | all([.iodepth_level[]] | add | . > 99.9 and . < 100.1)'
}

print_figures() {
	value out '.jobs[].read | "    \(.total_ios) reads in \(.runtime) ms, lat \(.lat_ns.mean / 1e6) ms, in flight \(.iops * .lat_ns.mean / 1e9)"'
}

# agrees COMMAND...: all jobs of the command run in the same window.
agrees() {
	"$@"
	ios=$(value out '[.jobs[].read.total_ios] | add')
	n=$(answered "$(value out '.jobs[0].job_start')" "$(value out '.jobs[0].read.runtime')")
	print_figures
	counts_agree && depth_agrees && levels_agree
}

# situation LABEL COMMAND...: a machine that stalls for 100 ms at an end of the window moves more reads across it than half a queue.
# So a situation is run up to three times, and it holds if one run agrees in all checks. fiord's own errors are in all three.
situation() {
	situation=$1
	shift
	one_of_three agrees "$@"
	check "$situation: the $ios counted reads are the $n that the file system answered in the window" counts_agree
	check "$situation: IOPS x mean latency is the depth" depth_agrees
	check "$situation: the depth levels add up to 100 %" levels_agree
}

run_until_sigint() { # ARG...
	before=$(wc -l <answers)
	start "$@"
	check "the file system answers reads" until_true 60 some_answered $((before + 96))
	kill -INT "$pid"
	wait_for_exit
}

# Without a ramp the queue is not yet full where the window begins.
cooldown_agrees() { # COMMAND...
	"$@"
	print_figures
	json out '.jobs[0].read | .iops * .lat_ns.mean / 1e9 | . > 6 and . < 8.1'
}

base="--filename=mnt/f --rw=randread --norandommap --bs=4k --direct=1 --ioengine=libaio --iodepth=8 --time_based --output-format=json"
# shellcheck disable=SC2086
{
	situation "ramp" run --name=x $base --ramp_time=1 --runtime=2
	situation "ramp and cool-down" run --name=x $base --ramp_time=1 --runtime=2 --cooldown=1
	situation "ramp, and the amount ends the run" run --name=x $base --time_based=0 --ramp_time=1 --runtime=600 --number_ios=120
	situation "start delay and ramp" run --name=x $base --startdelay=1 --ramp_time=1 --runtime=2
	situation "two groups" run --name=x $base --ramp_time=1 --runtime=2 --name=y --new_group $base --ramp_time=1 --runtime=2
	situation "SIGINT after a ramp" run_until_sigint --name=x $base --ramp_time=1 --runtime=600
	check "cool-down: IOPS x mean latency is at most the depth" one_of_three cooldown_agrees run --name=x $base --runtime=2 --cooldown=1
}
finish
