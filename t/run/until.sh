#!/bin/sh
# steadystate and latency_target: do jobs end once they are steady, alone or as a group, and does a search for a depth tell its
# steps? t/fault/test_until.c has the figures, on a virtual clock.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
null="--name=x --ioengine=null --size=1g --time_based"

refused() {
	text=$1
	shift
	# shellcheck disable=SC2086
	run $null "$@"
	check "$* is refused: $text" sh -c '[ "$1" = 2 ] && grep -qF -- "$2" err' - "$rc" "$text"
}
refused "needs steadystate_duration" --ss=iops:1% --runtime=9
never_steady() {
	text=$1
	shift
	run --name=x --ioengine=null --size=1m "$@" --output-format=json
	check "$* runs, and is not steady" json out '.fiord.exit.code == 0 and .jobs[0].steadystate.attained == 0 and .jobs[0].read.total_ios > 0'
	check "... with a note: $text" says out "$text"
}
never_steady "may end before it can become steady" --ss=iops:1% --ss_dur=5
never_steady "is shorter than steadystate_duration" --ss=iops:1% --ss_dur=5 --runtime=1
never_steady "is shorter than steadystate_duration" --ss=iops:1% --ss_dur=5 --ss_ramp=5 --runtime=9
never_steady "ends before the five rounds" --ss=snia --runtime=299 --number_ios=9
refused "contradicts steadystate=snia" --ss=snia --ss_dur=5 --runtime=900
refused "must be a multiple of steadystate_check_interval" --ss=iops:1% --ss_dur=5 --ss_interval=2 --runtime=9
refused "must be a multiple of steadystate_check_interval" --ss=iops:1% --ss_dur=1 --runtime=9
refused "needs a limit above 0" --ss=iops --ss_dur=5 --runtime=9
refused "needs a limit above 0" --ss=iops:0 --ss_dur=5 --runtime=9
refused "not a criterion" --ss=ios:1 --ss_dur=5 --runtime=9
refused "snia has no limit" --ss=snia:1% --runtime=900
refused "contradicts steadystate, whose criterion is lat" --ss=lat:1% --ss_dur=5 --runtime=9 --disable_lat=1
refused "contradicts verify_only" --ss=iops:1% --ss_dur=5 --runtime=9 --ioengine=psync --filename=v --size=64k --rw=write --verify=crc32c --verify_only
refused "contradicts wait_for" --group_reporting --ss=iops:1% --ss_dur=5 --runtime=9 \
	--name=y --ioengine=null --size=1g --time_based --group_reporting --ss=iops:1% --ss_dur=5 --runtime=9 --wait_for=x
refused "differ from those of x" --group_reporting --ss=iops:1% --ss_dur=5 --runtime=9 \
	--name=y --ioengine=null --size=1g --time_based --group_reporting --ss=iops:1% --ss_dur=6 --runtime=9
run $null --ss=snia --ss_interval=10ms --ss_ramp=100ms --rate_iops=2 --output-format=json
check "snia ends after 25 rounds without a runtime" json out '.jobs[0] | .steadystate.attained == 0 and .job_runtime >= 350 and .job_runtime < 60000'
run $null --ss_ramp=1 --runtime=100ms
check "a companion alone is noted" says out "steadystate_ramp_time=1: has no effect without steadystate_duration"

# One group ends, the other goes on. 60 s are far more than a steady job needs.
ss="--ss=iops:90% --ss_dur=400ms --ss_interval=100ms"
run --ioengine=null --size=1g --time_based --output-format=json --name=a --rate_iops=1000 --runtime=60 $ss \
	--numjobs=2 --group_reporting --name=b --new_group --runtime=3 --ss=iops:0.0000001 --ss_dur=400ms --ss_interval=100ms
check "a steady group ends" exits 0
check "... and says so" json out '.jobs[0].steadystate | .attained == 1 and .ss == "iops:90.000000%"'
check "... with the samples of all its jobs" json out '.jobs[0].steadystate.data | (.iops | length == 4) and (.bw | length == 4) and .iops_mean > 1000'
check "the other group goes on" json out '.jobs[1].steadystate.attained == 0 and .jobs[1].job_runtime >= 3000'
check "... in another time" json out '.jobs[0].job_runtime / 2 < .jobs[1].job_runtime or .jobs[0].job_runtime < 60000'
run $null --rate_iops=1000 --runtime=60 $ss
check "the text says whether it is steady" says out "  steadystate  : attained=yes, bw="
check "... after what time" says out "     window    : 4 of 4 samples of 0.100 s, steady after "

# What follows the runtime follows a steady state.
run $null --rate_iops=1000 --runtime=60 $ss --cooldown=100ms --ramp_time=100ms --output-format=json
check "a cooldown follows" json out '.jobs[0].steadystate.attained == 1 and .jobs[0].job_runtime < 59000'
run --name=v --filename=v --size=256k --bs=4k --rw=randwrite --verify=crc32c --time_based --rate_iops=1000 --runtime=60 $ss --output-format=json
check "the writes are verified" json out '.jobs[0] | .steadystate.attained == 1 and .fiord.verify.checked > 0 and .fiord.verify.damaged == 0'
run --name=v --filename=v --size=256k --bs=4k --rw=randwrite --verify=crc32c --verify_backlog=16 --time_based --rate_iops=1000 \
	--runtime=60 $ss --output-format=json
check "... also while the job writes" json out '.jobs[0] | .steadystate.attained == 1 and .fiord.verify.checked > 0 and .fiord.verify.damaged == 0'
run $null --rate_iops=1000 --runtime=60 $ss --exitall --name=y --ioengine=null --size=1g --rate_iops=1000 --time_based --runtime=60 --ss_dur=0
check "exitall ends the others" exits 0

# The words of check.
run check $null --runtime=600 --ss=snia --ss_ramp=60
check "check says when the job ends" says out "ends early once the IOPS of 5 rounds of 60 range over 20 % at most and change by 10 % at most, after 60"
run check $null --runtime=600 --ss=bw_slope:1% --ss_dur=30
check "... by which criterion" says out "ends early once bw_slope is below 1% over 30"

# Results of several hosts keep the steady state of each.
run $null --rate_iops=1000 --runtime=60 $ss --output-format=json
cp out one
run merge one one
check "merge keeps it" json out '[.client_stats[:2][].steadystate.attained] == [1, 1]'

# latency_target: t/fault/test_until.c has the depths. The null engine is faster than any target here.
target="--latency_target=1s --latency_window=100ms"
refused "needs latency_window" --latency_target=1ms --iodepth=8 --runtime=9
refused "which is 1" $target --runtime=9
run --name=short --ioengine=libaio --iodepth=8 --filename=short --size=64k --bs=4k --rw=randread $target --output-format=json
check "a file that ends before the search is read again" json out '.jobs[0] | .read.total_ios > 16 and .fiord.latency_target.found'
check "... with a note" says out "as with runtime=600 and time_based"
refused "is shorter than two times latency_window" $target --iodepth=8 --runtime=199ms
run $null $target --iodepth=8 --runtime=1 --rate_iops=500 --output-format=json
check "with a rate the search runs, and keeps to it" json out '.jobs[0] | .read.total_ios > 0 and .read.total_ios <= 500 and .fiord.latency_target.found'
check "... with a note" says out "rate_iops=500: with a rate, the depth that latency_target searches may not decide the latency"
refused "contradicts latency_target" $target --iodepth=8 --runtime=9 --thinktime=1
refused "contradicts latency_target" $target --iodepth=8 --runtime=9 --iodepth_low=2
refused "contradicts latency_target" $target --iodepth=8 --runtime=9 --ramp_size=1m
refused "contradicts latency_target" $target --iodepth=8 --runtime=9 --ss_dur=2
refused "contradicts latency_target" $target --iodepth=8 --runtime=9 --ioengine=libaio --filename=v --size=64k --rw=write --verify=crc32c
refused "not a percentage" $target --iodepth=8 --runtime=9 --latency_percentile=101
refused "must be 10 ms or longer" --latency_target=1s --latency_window=9ms --iodepth=8 --runtime=9
refused "must be above 0" $target --iodepth=8 --runtime=9 --latency_percentile=0
refused "each searches for its own depth" $target --iodepth=8 --runtime=9 --numjobs=2 --group_reporting
run $null --latency_target=1ns --latency_window=100ms --latency_percentile=50 --iodepth=64 --runtime=250ms
check "a search that ends without an answer is noted" says out "no depth tried met it"
run $null $target --iodepth=8 --runtime=60 --output-format=json --numjobs=2
check "each job ends when it has found its depth" json out '[.jobs[] | .latency_depth == 8 and .fiord.latency_target.found] | all'
check "... and measured a window there" json out '[.jobs[].job_runtime | . >= 100 and . < 30000] | all'
check "... after the steps of the search" json out '[.jobs[].fiord.latency_target.steps | length == 1 and .[0].met] | all'
check "fio's keys have the target" json out '.jobs[0] | .latency_target == 1000000000 and .latency_window == 100000 and .latency_percentile == 100'
run $null --latency_target=1ns --latency_window=100ms --iodepth=8 --runtime=60
check "the text has the steps" says out "     depth 8   : too deep, "
check "... and a note when no depth is small enough" says out "was not met even at a depth of 1"
run $null $target --iodepth=8 --runtime=1 --latency_run=1 --output-format=json
check "latency_run goes on to the runtime" json out '.jobs[0].job_runtime >= 800'
run check $null $target --iodepth=8 --runtime=60
check "check says what is searched" says out "searches for the greatest depth up to 8 at which 100 % of the I/Os take no longer than 1, trying each for 100ms; then measures one window"
finish
