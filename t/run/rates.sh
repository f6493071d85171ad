#!/bin/sh
# Rates and think time: the checks that do not depend on time. t/fault/test_rates.c checks times on a virtual clock.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

null="--name=x --ioengine=null --size=64m --bs=4k --rw=randread --output-format=json"
open="--rate_iops=1000 --rate_open=1 --runtime=1 --time_based"
brief="--rate_iops=5000 --rate_open=1 --runtime=200ms --time_based" # as many arrivals in less time

# refused TEXT OPTION...: the run exits 2 with this reason.
refused() {
	text=$1
	shift
	# shellcheck disable=SC2086
	run $null "$@"
	check "$* is refused: $text" sh -c '[ "$1" = 2 ] && grep -qF -- "$2" err' - "$rc" "$text"
}
refused "writes have no rate" --rw=randrw --rate_iops=100, --rate_open=1
refused "reads have no rate" --rate_open=1
refused "contradicts thinktime" --rate_iops=100 --rate_open=1 --thinktime=1
refused "delays I/Os" --rate_iops=100 --rate_open=1 --iodepth=4 --iodepth_low=2
refused "follows its trim" --rw=trimwrite --rate_iops=100 --rate_open=1
refused "use rate_iops" --rate=1m --rate_open=1 --bsrange=4k-8k
refused "computes its queue from lat" --rate_iops=100 --rate_open=1 --disable_lat=1
refused "no rate to share" --rate_shared=a
refused "counts I/Os" --rate=1m --rate_shared=a --rate_process=poisson
refused "cannot stop while" --rate_iops=9 --rate_shared=a --thinktime=1 --rate_ignore_thinktime=1
refused "same rate, rate_iops" --rate_iops=100 --rate_shared=a --name=y --ioengine=null --size=1m --rate_iops=101 \
	--rate_shared=a
refused "same ramp_time" --rate_iops=9 --rate_shared=a --name=y --ioengine=null --size=1m --rate_iops=9 \
	--rate_shared=a --ramp_time=1
refused "is above rate" --rate=1m --rate_min=2m
refused "is above rate_iops" --rate_iops=100 --rate_iops_min=101
refused "longer than thinktime" --thinktime=1ms --thinktime_spin=2ms
refused "rate_cycle=0" --rate_iops_min=1 --rate_cycle=0
refused "rate_process=uniform" --rate_iops=1 --rate_process=uniform
refused "rate_wait=never" --rate_iops=1 --rate_wait=never
refused "thinktime_blocks_type=done" --thinktime=1 --thinktime_blocks_type=done

# The number of arrivals is fixed, however busy the machine is.
# shellcheck disable=SC2086
run $null $brief
check "an open rate of 5000 has 1000 arrivals in 0.2 s" json out '.jobs[0].fiord.read | .arrivals == 1000'
check "each arrival is issued or counted as unissued" json out '.jobs[0] | .read.total_ios + .fiord.read.unissued == 1000'
run --name=x --ioengine=null --size=64m --bs=4k $brief
check "the text has the arrivals" sh -c 'grep -q "open loop   : arrivals=1000, queue max=" out'

# A rate of 200000 I/Os per second polls a CPU only on request. The schedule is the same either way.
fast="--rate_iops=200000 --rate_open=1 --runtime=300ms --time_based"
# shellcheck disable=SC2086
for how in "" --rate_wait=coarse "--rate_wait=coarse --iodepth=64" --rate_wait=exact "--thread=1 --rate_wait=coarse"; do
	run $null $fast $how
	check "200000 per second ($how): 60000 arrivals in 0.3 s" json out '.jobs[0] | .read.total_ios + .fiord.read.unissued == 60000 and
		.fiord.read.arrivals == 60000'
done
# shellcheck disable=SC2086
run $null $fast
check "... a note tells if the worker slept" json out '.jobs[0].fiord | .rate_sleeps == null or (.notes | any(contains("rate_wait=exact")))'
# shellcheck disable=SC2086
run $null $fast --rate_wait=exact
check "... and with rate_wait=exact it does not sleep" json out '.jobs[0].fiord | has("rate_sleeps") == false and (.notes | any(contains("rate_wait")) | not)'
# shellcheck disable=SC2086
run $null --rate_wait=coarse
check "a note says that rate_wait has no effect without a rate" json out '.fiord.notes | any(contains("has no effect without rate"))'

# arrivals OPTION...: prints the number of arrivals.
arrivals() {
	# shellcheck disable=SC2086
	run $null $brief --rate_process=poisson "$@"
	value out '.jobs[0].fiord.read.arrivals'
}
first=$(arrivals)
check "random arrivals are the same in the next run" same "$(arrivals)" "$first"
check "... and differ with another seed" [ "$(arrivals --randseed=4711) $(arrivals --randseed=4712)" != "$first $first" ]

# Six workers, some of them threads, one with a shorter runtime, share one rate. Each counts its second from its own start, so the
# last one ends a little later than the first. Each may end between taking an arrival and its time, and then nobody issues it.
# shellcheck disable=SC2086
run $null $open --rate_shared=ours --numjobs=3 --name=y --ioengine=null --size=64m --thread=1 --numjobs=2 $open \
	--rate_shared=ours --name=z --ioengine=null --size=64m $open --runtime=200ms --rate_shared=ours
check "workers together keep a shared rate" json out '[.jobs[].fiord.read.arrivals] | add | . >= 994 and . < 2000'
check "... and at least two of them take arrivals" json out '[.jobs[] | select(.read.total_ios > 0)] | length >= 2'
# shellcheck disable=SC2086
run $null $open --rate_shared=ours --numjobs=2 --rw=randrw --rate_iops=1000,500 --name=y --stonewall --ioengine=null \
	--size=64m $open --rate_shared=ours
check "a shared rate holds per direction" json out '[.jobs[:2][].fiord.write.arrivals] | add | . >= 498 and . < 1000'
check "... and begins again behind a stonewall" json out '.jobs[2].fiord.read.arrivals == 1000'

# A shared rate in bytes counts the sizes as they are drawn.
run $null --rate=4m --rate_shared=ours --numjobs=2 --bsrange=4k-64k --runtime=1 --time_based
check "workers together keep a shared rate in bytes" json out '[.jobs[].read.io_bytes] | add | . <= 4194304 + 2097152'

# A job below rate_iops_min fails; other jobs go on.
run $null --thinktime=10ms --rate_iops_min=1000 --rate_cycle=100 --runtime=20 --time_based --name=y --ioengine=null \
	--size=1m
check "a job below rate_iops_min exits 1" exits 1
check "... with one line of error" lines err 1
check "... that has the figures" sh -c 'grep -qE "x: rate_iops_min=1000 was not met: reads did [0-9]+ I/Os per second" err'
check "... and the error belongs to that job" json out '.jobs[0].error == 5 and .jobs[1].error == 0 and .jobs[0].read.total_ios > 0'

# A signal interrupts think time.
start $null --thinktime=1000s --eta=always --runtime=2000 --time_based
check "the job is in its think time" until_true 20 progress_shows r
kill -INT "$pid"
wait_for_exit
check "SIGINT exits 130" exits 130
check "... with the I/O that was done" json out '.jobs[0].read.total_ios == 1'
# A job without I/O ignores rates and think time.
run --name=x --ioengine=cpuio --cpuload=50 --runtime=100ms --time_based --rate_iops=5 --rate_shared=a --rate_open=1 \
	--thinktime=1 --output-format=json
check "cpuio with a rate exits 0" exits 0
check "... and notes say that it does no I/O" json out '[.fiord.notes[] | select(contains("does no I/O"))] | length == 4'
# IOPS in the text belong to the printed time, low rates keep their fractions, and the progress line knows number_ios.
run --name=x --ioengine=null --size=1g --rate_iops=200 --number_ios=300 --eta=always --eta-interval=500ms
check "IOPS are I/Os divided by the printed run time" awk '
	match($0, /IOPS=[0-9]+/) { iops = substr($0, RSTART + 5, RLENGTH - 5); match($0, /\/[0-9]+msec/)
		want = 300000 / substr($0, RSTART + 1, RLENGTH - 5); seen = iops - want < 1 && want - iops < 1 }
	END { exit !seen }' out
check "the progress line counts number_ios" eval 'cat out err | tr "\r" "\n" | grep -Eo "\[[0-9.]+%\]" | tr -d "[]%" | awk "\$1 > 15 { seen = 1 } END { exit !seen }"'
run --name=x --ioengine=null --size=1g --bs=512 --thinktime=1400ms --number_ios=2 --iopsavgtime=1400 --bwavgtime=1400
check "a low rate is printed with its fraction" grep -Eq 'IOPS=[01]\.[0-9]+,' out
check "... also in the iops row" grep -Eq 'iops +: min= 0\.71, max= 0\.71' out
# The test stops the worker. Latencies do not show it, so a note says where the time went.
note_tells_of_stall() {
	json out '[.jobs[0].fiord.notes[] | select(contains("a worker was stopped or had no core"))] | length == 1'
}

stop_worker() {
	start $null --rate_iops=1000 --runtime=4 --time_based --eta=always
	check "the job runs" until_true 10 progress_shows "[Rr]"
	for child in $(children "$pid"); do kill -STOP "$child"; done
	"$FIORD" --name=pause --ioengine=null --size=1m --runtime=500ms --time_based >pause.out
	for child in $(children "$pid"); do kill -CONT "$child"; done
	wait_for_exit
	note_tells_of_stall
}
one_of_three stop_worker # the machine may stop the worker in an I/O, and then latencies show it
check "a note tells of a stall that only resp shows" note_tells_of_stall
finish
