#!/bin/sh
# Ramp, runtime and delays: which I/Os are counted, and when? No figure depends on the speed of the machine.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
null="--name=j --ioengine=null --size=1g --bs=4k --rw=randread --output-format=json"

counts_runtime_only() {
	json out '.jobs[0].read.total_ios | . > 0 and . < 1000'
}

run_with_ramp() {
	# shellcheck disable=SC2086
	run $null --runtime=100ms --ramp_time=1 --time_based --rate_iops=1000
	counts_runtime_only
}

# shellcheck disable=SC2086
{
	run $null --runtime=1 --time_based
	check "time_based runs until runtime" json out '.jobs[0].read.runtime >= 1000'
	one_of_three run_with_ramp # a machine that stalls may leave no time to the measurement
	check "runtime begins after ramp_time" json out '.jobs[0].read.runtime | . >= 100 and . < 1000'
	check "... and I/Os of the ramp are not counted" counts_runtime_only
	before=$(date +%s%3N)
	run $null --runtime=0.2s --time_based --name=k --ioengine=null --size=1g --runtime=0.2s --startdelay=300ms
	check "startdelay delays the start" json out ".jobs[1].job_start >= $before + 299"
	run $null --size=1m --runtime=600
	check "runtime alone is only a limit" json out '.jobs[0].read.total_ios == 256'
	run $null --runtime=300ms --time_based --rate_iops=1000 --output-format=json,normal
	check "the text of a job with a rate has response times" grep -qE '^    resp \([mun]sec\): min=' out
	run $null --runtime=300ms --time_based --rate_iops=1000
	check "... and the document has one per I/O that was due" json out \
		'.jobs[0] | .read.total_ios as $ios | .fiord.read | .resp_ns.N == $ios + .unissued + .in_flight_at_end'
	check "... which are no shorter than the completion times" json out '.jobs[0] | .fiord.read.resp_ns.mean >= .read.clat_ns.mean'
	run $null --runtime=100ms --time_based
	check "a job without a rate has no response times" json out '.jobs[0].fiord.read | has("resp_ns") | not'
	run $null --runtime=0.5s --time_based --rate=1m,1m
	check "rate limits the bytes" json out '.jobs[0].read.io_bytes <= 524288 + 2 * 4096'
	for depth in 1 4; do
		run $null --runtime=300ms --ramp_time=200ms --time_based --rate_iops=1 --iodepth=$depth
		check "the ramp ends in time although no I/O completes (depth $depth)" json out \
			'.jobs[0].read | .total_ios == 1 and .runtime >= 300'
	done
	run --name=j --filename=f --size=4k --bs=4k --rw=read --runtime=300ms --time_based --output-format=json
	check "time_based reads a small file again and again" json out '.jobs[0].read.total_ios > 1'
}

# At depth 1 offsets are drawn in advance. The ramp ends between them.
for rw in write randwrite; do
	head -c 8388608 /dev/zero >zeros
	run --name=j --filename=zeros --allow_write=zeros --size=8m --bs=4k --rw=$rw --ioengine=psync --ramp_time=1ms --buffer_pattern=0x55
	check "a job with a ramp writes each of its blocks ($rw)" same "$(tr -d U <zeros | wc -c)" 0
done

for bad in runtime=10x ramp_time=-1 runtime=5parsec; do
	run --name=j --ioengine=null --size=1m --$bad
	check "$bad is refused" exits 2
done
run check --name=j --ioengine=null --size=1m --runtime=10sec
check "10sec is ten seconds" says out "runtime=10"
finish
