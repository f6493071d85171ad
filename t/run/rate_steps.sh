#!/bin/sh
# rate_steps: does each step have the I/Os that its rate and length ask for, and do all steps together have those of the job?
# Known answers: the job ends after a number of I/Os, not by time, so that a machine that stalls changes no count.
# t/fault/test_rates.c has the latencies, on a virtual clock.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
null="--name=x --ioengine=null --size=1g"

# Each line: LABEL | OPTIONS | FILTER on the first job
while IFS='|' read -r label options filter; do
	# shellcheck disable=SC2086
	run $null --output-format=json+ $options
	check "$label" json out "def ios(f): [.fiord.rate_steps.steps[] | f]; .jobs[0] | $filter"
done <<'END'
each step has its I/Os|--rw=read --number_ios=700 --rate_steps=0s:1000,300ms:2000,400ms:0,500ms:1000|ios(.read.total_ios) == [300, 200, 0, 200]
... that started one after the other|--rw=read --number_ios=700 --rate_steps=0s:1000,300ms:2000,400ms:0,500ms:1000|ios(.start_ns) == [0, 300000000, 400000000, 500000000] and ios(.length_ns)[:3] == [300000000, 100000000, 100000000]
... with the rates asked for|--rw=read --number_ios=700 --rate_steps=0s:1000,300ms:2000,400ms:0,500ms:1000|ios(.read.rate) == [1000, 2000, 0, 1000]
... all of them, and all bytes|--rw=randrw --runtime=400ms --time_based --rate_steps=0:1000,500,200ms:3000,100|[.read, .write | .total_ios, .io_bytes] == ([ios(.read), ios(.write)] | map((map(.total_ios) | add), (map(.io_bytes) | add)))
... by the time of completion, too|--rw=randrw --runtime=400ms --time_based --rate_steps=0:1000,500,200ms:3000,100|[.read, .write | .total_ios, .io_bytes] == ([ios(.read), ios(.write)] | map((map(.done_ios) | add), (map(.done_bytes) | add)))
... all latencies|--rw=randrw --runtime=400ms --time_based --rate_steps=0:1000,500,200ms:3000,100|[.read.clat_ns.N, .read.clat_ns.max, .fiord.read.resp_ns.max, .write.clat_ns.min] == [(ios(.read.clat_ns.N) | add), (ios(.read.clat_ns.max) | max), (ios(.read.resp_ns.max) | max), (ios(.write.clat_ns.min) | min)]
... and all bins|--rw=read --number_ios=700 --rate_steps=0s:1000,300ms:2000|[.read.clat_ns.bins | add] == [ios(.read.clat_ns.bins | add) | add]
bytes per second|--rw=write --bs=4k --number_ios=300 --rate_steps=0s:4096000/s,200ms:8192000/s|ios(.write.total_ios) == [200, 100] and .fiord.rate_steps.unit == "bytes"
a job may begin with a pause|--rw=read --number_ios=10 --rate_steps=0s:0,100ms:1000|ios(.read.total_ios) == [0, 10]
a job may end before its last step|--rw=read --number_ios=150 --rate_steps=0s:1000,100ms:2000,1h:1|ios(.read.total_ios) == [100, 50, 0] and ios(.length_ns)[2] == 0
it may end with a pause|--rw=read --runtime=300ms --time_based --rate_steps=0s:1000,100ms:0|ios(.read.total_ios) == [100, 0] and .job_runtime >= 300
the ramp has the rate of the first step|--rw=read --ramp_time=100ms --number_ios=1000000 --runtime=400ms --rate_steps=0s:1000,100ms:10|ios(.read.total_ios)[0] <= 100 and ios(.read.total_ios)[1] <= 3
workers of a group are added up|--rw=read --numjobs=3 --group_reporting --number_ios=151 --rate_steps=0s:1000,100ms:500,200ms:1|ios(.read.total_ios) == [300, 150, 3] and ios(.read.rate)[:2] == [3000, 1500]
a worker that ends early counts for the time that it ran|--rw=read --group_reporting --number_ios=901 --rate_steps=0s:1000,300ms:2000,600ms:1 --name=y --ioengine=null --size=1g --rw=read --group_reporting --number_ios=10 --rate_steps=0s:1000,300ms:2000,600ms:1|ios(.read.total_ios) == [310, 600, 1] and ios(.read.rate)[0] < 2000 and ios(.read.rate)[1] < 4000
a Poisson rate has the same steps|--rw=read --rate_process=poisson --number_ios=1100 --rate_steps=0s:10000,100ms:0,200ms:1000|ios(.read.total_ios) as $n | $n[0] > 800 and $n[0] < 1100 and $n[1] == 0 and $n[0] + $n[2] == 1100
an open rate, too|--rw=read --rate_open=1 --iodepth=4 --number_ios=150 --rate_steps=0s:1000,100ms:2000|ios(.read.total_ios) == [100, 50]
threads do|--rw=read --thread --number_ios=150 --rate_steps=0s:1000,100ms:2000|ios(.read.total_ios) == [100, 50]
without latencies|--rw=read --gtod_reduce=1 --number_ios=150 --rate_steps=0s:1000,100ms:2000|ios(.read.total_ios) == [100, 50] and ios(.read.clat_ns) == [null, null]
a job without steps has none|--rw=read --number_ios=5|.fiord | has("rate_steps") | not
END

run --name=v --filename=v --size=256k --bs=4k --rw=randwrite --verify=crc32c --rate_steps=0s:1000,20ms:2000 --output-format=json
check "verified writes have steps, and their reads have none" json out '.jobs[0] | .fiord.verify.checked == 64 and .fiord.verify.damaged == 0 and
	[.fiord.rate_steps.steps[] | .write.total_ios, .read] == [20, null, 44, null]'
run --name=v --filename=v --size=256k --bs=4k --rw=randwrite --verify=crc32c --rate_steps=0s:1000,20ms:2000 --output-format=json --verify_only
check "... with verify_only there are no steps" json out '.jobs[0].fiord | .verify.checked == 64 and .verify.damaged == 0 and (has("rate_steps") | not)'
run --name=v --filename=v --size=256k --bs=4k --rw=randrw --verify=crc32c --rate_steps=0s:1000,20ms:2000 --output-format=json
check "... also those of a job that reads, too" json out '.jobs[0] | .fiord.verify.checked > 0 and .fiord.verify.damaged == 0 and
	([.fiord.rate_steps.steps[] | .read.total_ios, .write.total_ios] | add) == 64'

run --name=c --filename=c --size=256k --bs=4k --rw=write --verify=crc32c --do_verify=0
run --group_reporting --output-format=json --bs=4k --rate_steps=0s:1000,20ms:2000 --name=c --filename=c --size=256k --rw=write \
	--verify=crc32c --verify_only --name=w --filename=w --size=256k --rw=write
check "... nor does it hide the steps of the other jobs of its group" json out '.jobs[0].fiord.rate_steps.steps | map(.write.total_ios) == [20, 44]'

run $null --number_ios=100000 --rate_steps=0s:100m,1ms:1
check "a step that cannot be met is noted" grep -q "of 100000 reads that were due in step 1, [0-9]* completed after its end" out

# Text, page, merge, and the words of check.
run $null --number_ios=150 --rate_steps=0s:1000,100ms:2000 --report=page.html
check "the text has the steps" says out "  rate step 2  : from 0.100 s, for "
check "... with the rate asked for" says out "     read      : asked=2000, IOPS="
check "... and both latencies" sh -c '[ "$(grep -cE "^       (clat|resp)    : avg=.*p50=.*p99=.*max=" out)" = 4 ]'
check "the page has a table" sh -c 'grep -q "Steps of the rate of x" page.html'
check "... with a link to it" sh -c 'grep -qi "href=\"#[^\"]*steps\"" page.html'
run $null --number_ios=301 --rate_steps=0s:1000,100ms:2000,200ms:1 --output-format=json+
cp out one
run $null --number_ios=151 --rate_steps=0s:500,100ms:1000,200ms:1 --output-format=json+
cp out two
run merge one two
check "merge adds the steps of the hosts" json out '.client_stats[2].fiord.rate_steps.steps |
	map(.read.total_ios) == [150, 300, 2] and map(.read.rate)[:2] == [1500, 3000]'
jq '[.jobs[0].fiord.rate_steps.steps[0].read.resp_ns | .max, .N, .sum]' one two | jq -s '[map(.[0]) | max], [map(.[1]) | add], [map(.[2]) | add] | .[0]' >sums
check "... and their latencies" sh -c 'jq ".client_stats[2].fiord.rate_steps.steps[0].read.resp_ns | .max, .N, .sum" out | cmp - sums'
check "... with percentiles from all bins" json out '.client_stats[2].fiord.rate_steps.steps[0].read.resp_ns.percentile["99.000000"] > 0'
run $null --number_ios=120 --rate_steps=0s:500,50ms:1000 --output-format=json+
cp out three
run merge one three
check "... if they are the same" says out "do not have the same steps of rate_steps"
run check $null --rw=randrw --runtime=9 --rate_steps=0s:1000,500,1s:0,2s:70
check "check says what the steps are" says out "rate_steps, in I/Os a second: from 0s on 1000 reads, 500 writes; from 1s on 0 reads, 0 writes; from 2s on 70 reads, 70 writes; histograms of up to "
run $null --rw=read --showcmd --rate_steps=0:1m/s,1500ms:0/s,2h:4k/s
check "showcmd prints them" says out "--rate_steps=0:1m/s,1500ms:0/s,2h:4k/s"

refused() {
	text=$1
	shift
	# shellcheck disable=SC2086
	run $null "$@"
	check "$* is refused: $text" sh -c '[ "$1" = 2 ] && grep -qF -- "$2" err' - "$rc" "$text"
}
refused "the first step must start at 0s" --rate_steps=1s:1000
refused "each step must start after the one before" --rate_steps=0:1,2:1,2:3
refused "there is no start" --rate_steps=1000
refused "not a rate" --rate_steps=0:
refused "not a rate" --rate_steps=0:5,
refused "not a rate" --rate_steps=0:5q
refused "not a time" --rate_steps=0:5,x:6
refused "more than three rates" --rate_steps=0:1,2,3,4
refused "more than 64 steps" "--rate_steps=0:1$(seq 1 64 | sed 's/.*/,&:1/' | tr -d '\n')"
refused "some steps count I/Os and some bytes" --rate_steps=0:5,1:5k/s
refused "no step has a rate" --rate_steps=0:0,1:0
refused "allowed" --rate_steps=0:4294967296
refused "needs a value" --rate_steps=
steps="--rate_steps=0s:1000,5s:2000"
refused "contradicts runtime, which ends before the last step" $steps --runtime=5
refused "ends with a pause" --rate_steps=0s:1000,5s:0
refused "the rate of writes is 0 in all steps" --rw=rw --rate_steps=0s:1000,0,5s:2000,0
refused "contradicts rate_steps" $steps --rate_iops=5
refused "contradicts rate_steps" $steps --rate=5k
refused "contradicts rate_steps" $steps --rate_shared=a
refused "contradicts rate_steps" $steps --thinktime=5
refused "contradicts rate_steps" --rate_steps=0s:1000,5ms:2000 --number_ios=20 --flow=1 --name=y --ioengine=null --size=1g --number_ios=20 --flow=1
refused "contradicts rate_steps" $steps --rate_iops_min=5
refused "contradicts rate_steps" $steps --rate_min=5
refused "contradicts rate_steps" $steps --runtime=9 --ramp_only=1 --ramp_time=1
refused "contradicts rate_steps" --rate_steps=0:0,1:5 --ramp_time=1
refused "contradicts rate_steps" $steps --runtime=9 --ss=iops:1% --ss_dur=2
refused "contradicts rate_steps" $steps --ioengine=libaio --filename=v --size=1m --iodepth=4 --nrfiles=2 --iodepth_per_file=1 --time_based --runtime=9
refused "contradicts rate_steps" $steps --ioengine=libaio --filename=v --size=64k --rw=write --verify=crc32c --verify_backlog=4
refused "contradicts latency_target" $steps --iodepth=8 --time_based --runtime=60 --latency_target=1s --latency_window=100ms
refused "must start at the same times" $steps --group_reporting --name=y --ioengine=null --size=1g --group_reporting --rate_steps=0:5
refused "must start at the same times" $steps --group_reporting --name=y --ioengine=null --size=1g --group_reporting
refused "take more than 1024 MiB" $steps --numjobs=60000
run --name=x --ioengine=cpuio --cpuload=1 --runtime=100ms --time_based $steps
check "a job without I/O notes that it has no effect" says out "has no effect: cpuio does no I/O"
finish
