#!/bin/sh
# flow: do jobs keep the proportion of their weights, in the counts of the document and in the order of their system calls, and do
# they go on when another job of their flow starts late, ends, fails or dies? gen/flow.h has the rule behind the bounds.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
null="--ioengine=null --size=1g"
timed="$null --time_based --runtime=200ms"

# keeps WEIGHT:DEPTH...: no job has issued more than its share of what each other one has, plus its depth.
keeps() {
	weights=$(printf '[%s],' "$@" | tr : , | sed 's/,$//')
	json out "[$weights] as \$w | [.jobs[] | if .fiord.verify then .write.total_ios else .read.total_ios + .write.total_ios + .trim.total_ios end] as \$n | (\$n | length) == $#
		and all(\$n[]; . > 0)
		and all(range($#) as \$i | range($#) as \$k | [\$i, \$k] | select(.[0] != .[1]);
			\$n[.[0]] <= \$n[.[1]] * \$w[.[0]][0] / \$w[.[1]][0] + \$w[.[0]][1])"
}

flows() { # ARG...: runs these jobs, which must succeed
	# shellcheck disable=SC2086
	run --output-format=json "$@"
	[ "$rc" = 0 ]
}

proportion() { # LABEL WEIGHTS ARG...
	label=$1 weights=$2
	shift 2
	flows "$@"
	# shellcheck disable=SC2086
	check "$label" eval "exits 0 && keeps $weights"
}

proportion "two jobs, 1:4" "1:1 4:1" $timed --name=a --flow=1 --name=b --flow=4
proportion "... as threads" "1:1 4:1" $timed --thread --name=a --flow=1 --name=b --flow=4
proportion "... with a deeper queue" "1:16 4:2" $timed --name=a --flow=1 --iodepth=16 --name=b --flow=4 --iodepth=2
proportion "... through the threads of an engine" "1:4 4:4" --size=64k --bs=4k --filename=f --rw=randread --io_submit_mode=offload \
	--iodepth=4 --time_based --runtime=200ms --name=a --flow=1 --name=b --flow=4
proportion "three jobs, 3:2:1" "3:1 2:1 1:1" $timed --name=a --flow=3 --name=b --flow=2 --name=c --flow=1
proportion "each clone has the weight" "1:1 1:1 5:1" $timed --name=a --flow=1 --numjobs=2 --name=b --flow=5
proportion "the clones of one job" "7:1 7:1" $timed --name=a --flow=7 --numjobs=2
proportion "... and of groups, merged" "2:2 3:1" $timed --group_reporting --name=a --flow=1 --numjobs=2 --name=b --new_group --flow=3
proportion "a job that looks again after a time" "1:1 4:1" $timed --flow_sleep=1ms --name=a --flow=1 --name=b --flow=4
proportion "a rate limits the other jobs, too" "1:1 4:1" $timed --name=a --flow=1 --rate_iops=500 --name=b --flow=4
proportion "... also a shared one" "1:1 3:1" $timed --rate_iops=2000 --rate_shared=x --name=a --flow=1 --name=b --flow=3
proportion "... and think time does" "1:1 4:1" $timed --name=a --flow=1 --thinktime=1ms --name=b --flow=4
proportion "trims and writes" "1:1 4:1" $timed --name=a --flow=1 --rw=trimwrite --name=b --flow=4 --rw=randrw
proportion "several files, each with its depth" "1:4 4:4" $timed --nrfiles=2 --iodepth=2 --iodepth_per_file=1 --rate_iops=1000 \
	--name=a --flow=1 --name=b --flow=4
flows $timed --rate_iops=1000 --name=a --flow=1 --name=b --flow=4 --flow_id=7 --name=c --flow=1 --name=d --flow=1 --flow_id=7 --name=e --flow=0
check "jobs of other flows, and of none, do not count" json out '[.jobs[].read.total_ios] as $n
	| ($n[0] - $n[2] | fabs) <= 1 and $n[1] <= 4 * $n[3] + 1 and $n[3] <= $n[1] / 4 + 1 and $n[4] > 2 * $n[3]'
proportion "writes that are verified" "1:1 2:1" --bs=4k --size=64k --rw=randwrite --verify=crc32c --time_based --runtime=200ms \
	--name=a --flow=1 --name=b --flow=2
check "... and all are checked" json out 'all(.jobs[].fiord.verify; .checked == 16 and .damaged == 0)'
proportion "... while a job reads back, the other waits for it" "1:1 2:1" --bs=4k --size=4m --rw=write --verify=crc32c \
	--verify_backlog=8 --name=a --flow=1 --number_ios=100 --name=b --flow=2 --number_ios=200
check "... and all are checked" json out '[.jobs[].fiord.verify.checked] == [100, 200]'

# A wait for other jobs is no latency.
flows $timed --name=a --flow=1 --rate_iops=500 --name=b --flow=1
check "the wait for the flow is no latency" json out '.jobs[1] | .read.lat_ns.mean * .read.total_ios < .job_runtime * 500000'
flows $null --time_based --runtime=1 --name=a --flow=1 --rate_iops=50 --name=b --flow=1 --rate_iops=5000
check "... and no response time" json out '.jobs[1].fiord.read.resp_ns.mean | . > 0 and . < 100000000'

# From outside: the order of the system calls. A job counts an I/O before the call, so that one call of each may be missing.
if command -v strace >/dev/null && straced -o /dev/null true 2>/dev/null && [ "$SANITIZE" = none ]; then
	# The calls of job a have 4 KiB, those of job b 8 KiB.
	traced() { # OPTIONS-OF-A OPTIONS-OF-B
		rm -f trace
		# shellcheck disable=SC2086
		straced -f -o trace -e trace=pread64 "$FIORD" --size=64k --filename=f --rw=randread --exitall $threads \
			--name=a --bs=4k --flow=1 --io_size=400k $1 --name=b --bs=8k --time_based --runtime=60 $2 >out 2>err
		rc=$?
		grep -o ', [48][019][96][62], ' trace >calls
	}
	traced --rate_iops=500 --flow=4
	check "at any moment the calls keep 1:4" awk '{ n[$2]++; a = n["4096,"]; b = n["8192,"] }
		b > 4 * (a + 1) + 1 || a > (b + 1) / 4 + 1 { bad = 1 } END { exit bad || a != 100 }' calls
	joins() {
		traced --startdelay=100ms "--flow=1 --rate_iops=500"
		exits 0 && awk '{ n[$2]++; a = n["4096,"]; b = n["8192,"] }
			a == 1 && from == "" { from = b }
			a && (b - from > a + 4 || b - from < a - 4) { bad = 1 }
			END { exit bad || a != 100 || from < 10 }' calls
	}
	check "a job that starts later joins" one_of_three joins
else
	skip "the order of the system calls" "no strace"
fi

# Jobs that end, fail, ramp or die do not hang the others.
few="--ioengine=null --bs=4k --size=4m"
flows $few --name=a --flow=1 --number_ios=10 --name=b --flow=4 --number_ios=1000
check "a job that has done its I/O leaves the flow" json out '[.jobs[].read.total_ios] == [10, 1000]'
flows $null --time_based --name=a --flow=1 --runtime=100ms --name=b --flow=4 --runtime=400ms --rate_iops=1000
check "... and so does one of a shorter runtime" json out '.jobs[1] | .job_runtime >= 400 and .read.total_ios > 0'
flows $null --time_based --runtime=300ms --rate_iops=1000 --name=a --flow=1 --ramp_time=200ms --name=b --flow=1
check "a job in its ramp does its I/Os" json out 'all(.jobs[]; .read.total_ios > 0)'
flows $timed --name=a --flow=1 --startdelay=60 --name=b --flow=4 --exitall
check "no job waits for one that has not started" json out '.jobs[1].read.total_ios > 100'
flows $timed --startdelay=10ms --name=a --flow=1 --name=b --flow=4
check "jobs with the same delay start together" keeps 1:1 4:1
run --output-format=json $few --name=a --flow=1 --ioengine=psync --filename=/dev/full --rw=write --fallocate=none --name=b --flow=4 --number_ios=1000
check "a job that fails leaves the flow" exits 1
check "... and the other goes on" json out '.jobs[1] | .error == 0 and .read.total_ios == 1000'
run --output-format=json $few --name=a --flow=1 --exec_prerun=false --name=b --flow=4 --number_ios=1000
check "... also if it never starts" json out '.jobs[1] | .error == 0 and .read.total_ios == 1000'

worker_of() { # COMM
	for p in $(children "$pid"); do
		[ "$(cat "/proc/$p/comm")" != "$1" ] || echo "$p"
	done
}
has_worker() {
	[ -n "$(worker_of "$1")" ]
}
if [ -z "$threads" ]; then
	start --output-format=json $few --name=a --flow=1 --rate_iops=1 --comm=victim --name=b --flow=4 --number_ios=1000
	until_true 10 has_worker victim
	kill -KILL "$(worker_of victim)"
	wait_for_exit
	check "no worker waits for one that was killed" json out '.jobs[0].error != 0 and .jobs[1].read.total_ios == 1000'
	start --output-format=json $few --name=a --flow=1 --rate_iops=1 --name=b --flow=4 --number_ios=1000 --comm=victim
	until_true 10 has_worker victim
	kill -KILL "$(worker_of victim)"
	run --output-format=json $timed --name=a --flow=1 --name=b --flow=1
	check "... and disturbs no other run" keeps 1:1 1:1
	kill -INT "$pid"
	wait_for_exit
fi

# A job that is held ends when it should.
start --output-format=json --eta=always --eta-interval=250ms $null --name=a --flow=1 --rate_iops=1 --name=b --flow=1 --name=c --flow=1 \
	--flow_sleep=1000s
until_true 10 progress_shows R
kill -INT "$pid"
wait_for_exit
check "SIGINT ends jobs that are held" exits 130
check "... with a complete document" json out '(.jobs | length) == 3'
flows $null --time_based --exitall --name=a --flow=1 --rate_iops=1 --runtime=60 --name=b --flow=1 --runtime=300ms
check "the runtime ends them" json out '.jobs[1] | .job_runtime >= 300 and .job_runtime < 30000'
flows $null --time_based --exitall --flow_sleep=1000s --name=a --flow=1 --rate_iops=1 --runtime=60 --name=b --flow=1 --runtime=300ms
check "... also in their sleep" json out '.jobs[1] | .job_runtime >= 300 and .job_runtime < 30000'
flows $null --time_based --exitall --name=a --flow=1 --rate_iops=1 --runtime=60 --name=b --flow=1 --iodepth=8 --runtime=300ms --status-interval=100ms
check "... and the intervals of a status do not disturb them" exits 0

# Contradictions, before anything is touched.
refused() {
	text=$1
	shift
	run --size=64k --rw=write "$@"
	check "$* is refused: $text" sh -c '[ "$1" = 2 ] && grep -qF -- "$2" err' - "$rc" "$text"
	check "... before a file is made" absent new
}
refused "no other worker that starts with this one has flow and flow_id=0" --filename=new --name=a --flow=1
refused "no other worker that starts with this one has flow and flow_id=3" --filename=new --name=a --flow=2 --flow_id=3 --name=b --flow=1 --numjobs=2
refused "no other worker that starts with this one" --filename=new --name=a --flow=1 --name=b --flow=1 --stonewall
refused "no other worker that starts with this one" --filename=new --name=a --flow=1 --name=b --flow=1 --wait_for=a
refused "contradicts rate_open" --filename=new --flow=1 --rate_iops=9 --rate_open=1 --numjobs=2 --name=a
refused "contradicts latency_target" --filename=new --flow=1 --numjobs=2 --ioengine=libaio --iodepth=4 --time_based --runtime=9 --latency_target=1ms \
	--latency_window=1s --name=a
refused "contradicts verify_only" --filename=new --flow=1 --numjobs=2 --verify=crc32c --verify_only --name=a
refused "contradicts thread_group" --filename=new --flow=1 --time_based --runtime=1 --thread --thread_group=x --name=a --name=b
refused "does no I/O" --flow=1 --numjobs=2 --ioengine=cpuio --cpuload=1 --runtime=1 --time_based --name=a
refused "out of range; allowed is 0 to 1000" --filename=new --flow=1001 --name=a
run --name=a $null --number_ios=1 --flow_id=3 --flow_sleep=1
check "a companion alone is noted" says out "flow_sleep=1: has no effect without flow"
run check $null --name=a --flow=1 --startdelay=1 --name=b --flow=4 --iodepth=8
check "check shows the proportion" says out "flow 0: 4 of 1:4, at most 8 I/Os ahead"
check "... and who joins" says out "flow 0: 1 of 1:4, at most 1 I/O ahead, joins when it starts"
finish
