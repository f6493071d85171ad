#!/bin/sh
# Waiting for several completions at once: what the report says of it, where it is left out, and that it always ends.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
json="--output-format=json"
job="--name=x --filename=f --size=4m --rw=randread --invalidate=0 --ioengine=libaio --iodepth=32"
adapt=--iodepth_batch_complete_adapt=1
engines=libaio
run --name=probe --size=4k --filename=probe --ioengine=io_uring
[ "$rc" = 0 ] && engines="libaio io_uring" || skip io_uring "$(tail -n 1 err)"

# All there are, once each, and how many came at a time.
for e in $engines; do
	for how in "" --numjobs=2 "--numjobs=2 --group_reporting" --thread=1 --direct=1 --iodepth_low=8 --iodepth_batch=4 \
		--iodepth_batch_complete_max=4 \
		--loops=3 --io_submit_mode=offload "--rw=randrw --fsync=8" "--loops=2 --unlink_each_loop=1 --rw=randwrite"; do
		# shellcheck disable=SC2086
		run $job $json --ioengine=$e $adapt $how
		check "$e $how: ends well" exits 0
		check "... says what came at a time" json out '.jobs | all(.fiord.gather | .waits > 0 and .completions_per_wait >= 1 and
			.delay_ns_at_most >= 0 and .cut <= .waits)'
	done
done
for how in --runtime=300ms "--runtime=200ms --ramp_time=200ms"; do
	# shellcheck disable=SC2086
	run $job $json $adapt --time_based $how
	check "$how: ends in time" json out '.jobs[0].read | .total_ios > 0 and .runtime < 30000'
done
# shellcheck disable=SC2086
run $job $json $adapt
check "every I/O came back" json out '.jobs[0] | .read.total_ios == 1024 and .fiord.gather.waits * .fiord.gather.completions_per_wait <= 1024.01'
# shellcheck disable=SC2086
run $job $adapt
check "a line in the text" grep -qE '^     gathered  : [0-9.]+ completions in each of [0-9]+ waits for several.*; mean latency longer by at most [0-9.]+ usec \([0-9.]+%\)$' out
check "... nothing else" empty err

# A fixed number is told likewise; none is not.
# shellcheck disable=SC2086
run $job $json --iodepth_batch_complete_min=4
check "iodepth_batch_complete_min=4" json out '.jobs[0].fiord.gather | .completions_per_wait >= 4 and .cut == 0'
# shellcheck disable=SC2086
run $job $json
check "neither: nothing is said" json out '.jobs[0].fiord | has("gather") == false'

# Where it can do nothing.
noted() { # TEXT ARG...
	text=$1
	shift
	run --name=x --size=64k --rw=write $json "$@" $adapt
	check "$*: noted" json out "[.fiord.notes[], .jobs[].fiord.notes[]] | any(contains(\"iodepth_batch_complete_adapt\") and contains(\"$text\"))"
	check "... and left out" json out '.jobs[0].fiord | has("gather") == false'
}
noted "one I/O at a time" --ioengine=psync
noted "nothing to wait for" --ioengine=null --iodepth=32
noted "a quarter of iodepth=4" --ioengine=libaio --iodepth=4
noted "due at any time" --ioengine=libaio --iodepth=32 --rate_iops=100000
noted "due at any time" --ioengine=libaio --iodepth=32 --thinktime=1
# shellcheck disable=SC2086
run $job $adapt --iodepth_batch_complete_min=0
check "never wait, and wait for several: refused" says err "iodepth_batch_complete_min=0"
check "... as bad usage" exits 2

# It is stopped while it waits.
for e in $engines; do
	# shellcheck disable=SC2086
	start $job $json --ioengine=$e $adapt --time_based --runtime=60 --eta=always
	check "$e: runs" until_true 20 shows r
	kill -INT "$pid"
	finished
	check "$e: stopped: the document has it" json out '.jobs[0].fiord.gather.waits > 0'
done

ln -s "$FIORD" fio
FIORD=$dir/fio
# shellcheck disable=SC2086
run $job --iodepth_batch_complete_min=4
check "in fio's name: no line" eval '! grep -q gathered out'
finish
