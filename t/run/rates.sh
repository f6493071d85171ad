#!/bin/sh
# Rates and think time, as far as the clock is not needed (t/fault/test_rates.c has a virtual one).
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

null="--name=x --ioengine=null --size=64m --bs=4k --rw=randread --output-format=json"
open="--rate_iops=1000 --rate_open=1 --runtime=1 --time_based"

# refused TEXT OPTION...: by name, with the reason, and nothing has run.
refused() {
	text=$1
	shift
	# shellcheck disable=SC2086
	run $null "$@"
	check "refused: $* ($text)" sh -c '[ "$1" = 2 ] && grep -qF -- "$2" err' - "$rc" "$text"
}
refused "writes have no rate" --rw=randrw --rate_iops=100, --rate_open=1
refused "reads have no rate" --rate_open=1
refused "leave out thinktime" --rate_iops=100 --rate_open=1 --thinktime=1
refused "hold" --rate_iops=100 --rate_open=1 --iodepth=4 --iodepth_low=2
refused "follows its trim" --rw=trimwrite --rate_iops=100 --rate_open=1
refused "say rate_iops" --rate=1m --rate_open=1 --bsrange=4k-8k
refused "lat, which has to be measured" --rate_iops=100 --rate_open=1 --disable_lat=1
refused "no rate to share" --rate_shared=a
refused "counts I/Os" --rate=1m --rate_shared=a --rate_process=poisson
refused "does not stand still" --rate_iops=9 --rate_shared=a --thinktime=1 --rate_ignore_thinktime=1
refused "same rate, rate_iops" --rate_iops=100 --rate_shared=a --name=y --ioengine=null --size=1m --rate_iops=101 \
	--rate_shared=a
refused "same ramp_time" --rate_iops=9 --rate_shared=a --name=y --ioengine=null --size=1m --rate_iops=9 \
	--rate_shared=a --ramp_time=1
refused "more than rate allows" --rate=1m --rate_min=2m
refused "more than rate_iops allows" --rate_iops=100 --rate_iops_min=101
refused "longer than thinktime" --thinktime=1ms --thinktime_spin=2ms
refused "rate_cycle=0" --rate_iops_min=1 --rate_cycle=0
refused "rate_process=uniform" --rate_iops=1 --rate_process=uniform
refused "rate_wait=never" --rate_iops=1 --rate_wait=never
refused "thinktime_blocks_type=done" --thinktime=1 --thinktime_blocks_type=done

# What has arrived is known beforehand, however busy the machine.
# shellcheck disable=SC2086
run $null $open
check "an open rate, in one second" json out '.jobs[0].fiord.read | .arrivals == 1000'
check "issued or not" json out '.jobs[0] | .read.total_ios + .fiord.read.unissued == 1000'
run --name=x --ioengine=null --size=64m --bs=4k $open
check "in text" sh -c 'grep -q "open loop   : arrivals=1000, queue max=" out'

# At 200000 a second only who says so gets a core for waiting; either way the schedule is that of the rate.
fast="--rate_iops=200000 --rate_open=1 --runtime=300ms --time_based"
# shellcheck disable=SC2086
for how in "" --rate_wait=coarse "--rate_wait=coarse --iodepth=64" --rate_wait=exact "--thread=1 --rate_wait=coarse"; do
	run $null $fast $how
	check "200000 a second ($how): 60000 in 0.3 s" json out '.jobs[0] | .read.total_ios + .fiord.read.unissued == 60000 and
		.fiord.read.arrivals == 60000'
done
# shellcheck disable=SC2086
run $null $fast
check "... if it sleeps it is told" json out '.jobs[0].fiord | .rate_sleeps == null or (.notes | any(contains("rate_wait=exact")))'
# shellcheck disable=SC2086
run $null $fast --rate_wait=exact
check "... or does not" json out '.jobs[0].fiord | has("rate_sleeps") == false and (.notes | any(contains("rate_wait")) | not)'
# shellcheck disable=SC2086
run $null --rate_wait=coarse
check "rate_wait without a rate is noted" json out '.fiord.notes | any(contains("has no effect without rate"))'

# arrivals OPTION...
arrivals() {
	# shellcheck disable=SC2086
	run $null $open --rate_process=poisson "$@"
	value out '.jobs[0].fiord.read.arrivals'
}
first=$(arrivals)
check "random arrivals come again" same "$(arrivals)" "$first"
check "and differently with another seed" [ "$(arrivals --randseed=4711) $(arrivals --randseed=4712)" != "$first $first" ]

# Six workers, some of them threads, one gone soon: together they keep to one rate. Each counts its second from its
# own start, so that the last one ends a little later than the first; and each may end between taking an arrival and its
# time, so that this one is nobody's.
# shellcheck disable=SC2086
run $null $open --rate_shared=ours --numjobs=3 --name=y --ioengine=null --size=64m --thread=1 --numjobs=2 $open \
	--rate_shared=ours --name=z --ioengine=null --size=64m $open --runtime=200ms --rate_shared=ours
check "a shared rate" json out '[.jobs[].fiord.read.arrivals] | add | . >= 994 and . < 2000'
check "taken by several" json out '[.jobs[] | select(.read.total_ios > 0)] | length >= 2'
# shellcheck disable=SC2086
run $null $open --rate_shared=ours --numjobs=2 --rw=randrw --rate_iops=1000,500 --name=y --stonewall --ioengine=null \
	--size=64m $open --rate_shared=ours
check "by direction" json out '[.jobs[:2][].fiord.write.arrivals] | add | . >= 498 and . < 1000'
check "and anew behind a stonewall" json out '.jobs[2].fiord.read.arrivals == 1000'

# Bytes are shared as they turn out to be.
run $null --rate=4m --rate_shared=ours --numjobs=2 --bsrange=4k-64k --runtime=1 --time_based
check "shared bytes" json out '[.jobs[].read.io_bytes] | add | . <= 4194304 + 2097152'

# A job that does too little fails by name; the others go on.
run $null --thinktime=10ms --rate_iops_min=1000 --rate_cycle=100 --runtime=20 --time_based --name=y --ioengine=null \
	--size=1m
check "too slow" exits 1
check "said in one line" lines err 1
check "with the figures" sh -c 'grep -qE "x: rate_iops_min=1000 was not met: reads did [0-9]+ I/Os per second" err'
check "as an error of the job" json out '.jobs[0].error == 5 and .jobs[1].error == 0 and .jobs[0].read.total_ios > 0'

# Who rests wakes up when asked to.
start $null --thinktime=1000s --eta=always --runtime=2000 --time_based
check "resting" until_true 20 progress_shows r
kill -INT "$pid"
wait_for_exit
check "ended" exits 130
check "with what it did" json out '.jobs[0].read.total_ios == 1'
# Without I/O there is nothing to space out.
run --name=x --ioengine=cpuio --cpuload=50 --runtime=100ms --time_based --rate_iops=5 --rate_shared=a --rate_open=1 \
	--thinktime=1 --output-format=json
check "cpuio has no rate" exits 0
check "and is told so" json out '[.fiord.notes[] | select(contains("does no I/O"))] | length == 4'
# The figures of the text are those of the time that it prints, low rates keep their fractions, and the progress
# line knows number_ios.
run --name=x --ioengine=null --size=1g --rate_iops=200 --number_ios=300 --eta=always --eta-interval=500ms
check "IOPS are I/Os over the printed run time" awk '
	match($0, /IOPS=[0-9]+/) { iops = substr($0, RSTART + 5, RLENGTH - 5); match($0, /\/[0-9]+msec/)
		want = 300000 / substr($0, RSTART + 1, RLENGTH - 5); seen = iops - want < 1 && want - iops < 1 }
	END { exit !seen }' out
check "the progress line knows number_ios" eval 'cat out err | tr "\r" "\n" | grep -Eo "\[[0-9.]+%\]" | tr -d "[]%" | awk "\$1 > 15 { seen = 1 } END { exit !seen }"'
run --name=x --ioengine=null --size=1g --bs=512 --thinktime=1400ms --number_ios=2 --iopsavgtime=1400 --bwavgtime=1400
check "a low rate keeps its fraction" grep -Eq 'IOPS=[01]\.[0-9]+,' out
check "... in its row, too" grep -Eq 'iops +: min= 0\.71, max= 0\.71' out
# A worker that is stopped: the device was as fast as ever, and a note says where the time went.
start $null --rate_iops=1000 --runtime=4 --time_based
has_worker() { [ "$(children "$pid")" ]; }
check "it runs" until_true 10 has_worker
for child in $(children "$pid"); do kill -STOP "$child"; done
"$FIORD" --name=pause --ioengine=null --size=1m --runtime=1 --time_based >pause.out
for child in $(children "$pid"); do kill -CONT "$child"; done
wait_for_exit
check "a stall that only resp shows has a note" json out '[.jobs[0].fiord.notes[] | select(contains("a worker stood still"))] | length == 1'
finish
