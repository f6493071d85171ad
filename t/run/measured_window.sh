#!/bin/sh
# The measured window has two honest ends. A file system of this test answers each read after 200 to 300 ms and writes
# down when (slow_fs.c): what fiord counts is what was answered in its window, and IOPS x mean lat is the depth, with a
# ramp, a cool-down, a start delay, two groups, and when SIGINT ends the run.
. "$SOURCE/t/lib.sh"
requires jq awk fusermount3
[ -n "${SLOW_FS-}" ] || skip_all "built without libfuse3"
[ -w /dev/fuse ] || skip_all "no /dev/fuse that may be written"
cd "$dir" || exit 1
mkdir mnt

cleanup() {
	fusermount3 -u -z "$dir/mnt" 2>/dev/null
}

serve() {
	"$SLOW_FS" "$dir/answers" "$dir/mnt" >fs.out 2>&1 &
	until_true 10 test -f mnt/f
}
serve || skip_all "the file system cannot be mounted: $(cat fs.out)"

# How many reads the file system answered in so many ms from this time.
answered() { # START_MS MS
	awk -v from="$1" -v ms="$2" '$2 >= from && $2 < from + ms { n++ } END { print n + 0 }' answers
}

some_answered() { # COUNT
	[ "$(wc -l <answers)" -ge "$1" ]
}

# agrees LABEL: every job runs in the same window. An answer reaches its reader some time after the file system has
# written it down, so a few may lie on the other side of an end. Who counts a round too many is off by 8.
agrees() {
	ios=$(value out '[.jobs[].read.total_ios] | add')
	n=$(answered "$(value out '.jobs[0].job_start')" "$(value out '.jobs[0].read.runtime')")
	value out '.jobs[].read | "    \(.total_ios) reads in \(.runtime) ms, lat \(.lat_ns.mean / 1e6) ms, in flight \(.iops * .lat_ns.mean / 1e9)"'
	check "$1: $ios reads count, and the file system answered $n in the window" \
		json out "($ios - $n | fabs) <= 3 * (.jobs | length) and $n > 40"
	check "$1: IOPS x lat is the depth" json out '.jobs | all(.read | (.iops * .lat_ns.mean / 1e9 - 8 | fabs) < 0.7)'
	check "$1: depth levels sum to 100" json out '.jobs | all([.iodepth_level[]] | add | . > 99.9 and . < 100.1)'
}

base="--filename=mnt/f --rw=randread --norandommap --bs=4k --direct=1 --ioengine=libaio --iodepth=8 --time_based --output-format=json"
# shellcheck disable=SC2086
{
	run --name=x $base --ramp_time=1 --runtime=2
	agrees "ramp"
	run --name=x $base --ramp_time=1 --runtime=2 --cooldown=1
	agrees "ramp and cool-down"
	run --name=x $base --time_based=0 --ramp_time=1 --runtime=600 --number_ios=120
	agrees "ramp, and the amount ends the run"
	run --name=x $base --startdelay=1 --ramp_time=1 --runtime=2
	agrees "start delay and ramp"
	run --name=x $base --ramp_time=1 --runtime=2 --name=y --new_group $base --ramp_time=1 --runtime=2
	agrees "two groups"
	before=$(wc -l <answers)
	start --name=x $base --ramp_time=1 --runtime=600
	check "reads are answered" until_true 60 some_answered $((before + 96))
	kill -INT "$pid"
	wait_for_exit
	agrees "SIGINT after a ramp"
	run --name=x $base --runtime=2 --cooldown=1
	check "cool-down: IOPS x lat is at most the depth" json out '.jobs[0].read | .iops * .lat_ns.mean / 1e9 | . > 6 and . < 8.1'
}
finish
