#!/bin/sh
# How many I/Os one system call submits: many where the device gets the same requests as from calls of one I/O each, two
# where the block layer might merge neighbours, and iodepth_batch where the job says so.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
head -c 16m /dev/zero >file
engines=libaio
run --name=probe --filename=file --size=64k --ioengine=io_uring
if [ "$rc" = 0 ]; then
	engines="libaio io_uring"
else
	skip io_uring "$(tail -n 1 err)"
fi

# calls NAME FILTER OPTION...: the shares of calls by their I/Os (iodepth_submit, in percent) satisfy the filter.
calls() {
	job=$1 filter=$2
	shift 2
	run --name=x --filename=file --bs=4k --iodepth=32 --invalidate=0 --output-format=json "$@"
	check "$job: exit code 0" exits 0
	check "$job: $filter" json out ".jobs[0].iodepth_submit | $filter"
}
for engine in $engines; do
	calls "$engine, 4096 blocks at random" '."16" + ."32" > 50' --ioengine="$engine" --rw=randread --size=16m
	calls "$engine, 256 blocks at random" '."4" == 100' --ioengine="$engine" --rw=randread --size=1m
	calls "$engine, in order" '."4" == 100' --ioengine="$engine" --rw=read --size=4m
	calls "$engine, iodepth_batch=8" '."8" == 100' --ioengine="$engine" --rw=read --size=4m --iodepth_batch=8 \
		--iodepth_batch_complete_min=8
done

# JSON and the page have the I/Os of a call beside the CPU time of an I/O. Witness: the calls that strace counts, 4096 / N.
if command -v strace >/dev/null; then
	for batch in 1 8 32; do
		strace -f -e trace=io_submit -o traced "$FIORD" --name=x --filename=file --size=16m --rw=randread --ioengine=libaio --iodepth=32 \
			--iodepth_batch=$batch --iodepth_batch_complete_min=$batch --report=page.html --output-format=json \
			--assert="self.ios_per_submit == $batch" >out 2>err
		check "libaio, iodepth_batch=$batch: strace sees $((4096 / batch)) calls" same "$(grep -c 'io_submit(' traced)" $((4096 / batch))
		check "... JSON has $batch I/Os per submit call and per reap call" \
			json out ".jobs[0].fiord.self | .ios_per_submit == $batch and .ios_per_reap == $batch"
		check "... to which an assertion may refer" json out ".assertions[0].passed"
		check "... and the page has $batch I/Os per submit call and per reap call" grep -q "<td class=\"n\">$batch</td><td class=\"n\">$batch</td>" page.html
	done
else
	skip "I/Os of a call" "no strace"
fi
finish
