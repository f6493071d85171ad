#!/bin/sh
# wait_for: when does each job start, which files does it find, and how does a waiting job end?
. "$SOURCE/t/lib.sh"
requires jq strace
cd "$dir" || exit 1

# Each job ends by itself after 50 I/Os at 500 per second. The start times show the order.
paced="--ioengine=null --size=200k --bs=4k --rw=read --rate_iops=500 --output-format=json"
after='.jobs | .[1].job_start >= .[0].job_start + .[0].job_runtime - 2'

for thread in "" --thread; do
	# shellcheck disable=SC2086
	run $paced $thread --name=a --name=b --wait_for=a --name=c --name=d --wait_for=b
	check "wait_for${thread:+, threads}: b starts when a has ended" json out "$after"
	check "... d when b has ended" json out '.jobs | .[3].job_start >= .[1].job_start + .[1].job_runtime - 2'
	check "... and c with a" json out '.jobs | .[2].job_start < .[0].job_start + .[0].job_runtime'
	check "... each job does its I/O" json out '[.jobs[].read.total_ios] == [50, 50, 50, 50]'
	check "... all are in one group" json out '[.jobs[].groupid] == [0, 0, 0, 0]'
done

# wait_for waits for all clones. The three clones start at different times, and the last to end counts.
# shellcheck disable=SC2086
run $paced --name=a --numjobs=3 --startdelay=0-200ms --randrepeat=1 --name=b --startdelay=0 --wait_for=a
check "wait_for waits for all clones" json out \
	'[.jobs[:3][] | .job_start + .job_runtime] as $ends | .jobs[3].job_start >= ($ends | max) - 2'

# shellcheck disable=SC2086
run $paced --name=a --name=b --wait_for=a --name=c --stonewall --name=d --wait_for=a
check "with stonewall c starts when all jobs before it have ended" json out \
	'.jobs | .[2].job_start >= .[1].job_start + .[1].job_runtime - 2'
check "... and d, which waits for a job before the stonewall, starts with c" json out \
	'.jobs | .[3].job_start < .[2].job_start + .[2].job_runtime'

# ---- names ----

run --ioengine=null --size=64k --name=a --name=b --wait_for=zz
check "an unknown name is refused" exits 2
check "... and the error says so" grep -q 'wait_for=zz: no job has this name' err
run --ioengine=null --size=64k --name=a --wait_for=b --name=b
check "the name of a later job is refused" exits 2
check "... with the reason" grep -q 'wait_for=b: .*earlier jobs only' err
run --ioengine=null --size=64k --name=a --wait_for=a
check "the job's own name is refused" exits 2
run --ioengine=null --size=64k --name=a --name=a --name=b --wait_for=a
check "a name that two jobs have is refused" exits 2
check "... and the error says so" grep -q 'two jobs have this name' err

# ---- files ----

# The waiting job finds the file that the first job creates, as behind a stonewall.
run --filename=f --size=256k --bs=4k --output-format=json --name=a --rw=write --fallocate=none --name=b --rw=read --wait_for=a
check "a file created by the first job is found" exits 0
check "... and read to its end" json out '.jobs[1].read.io_bytes == 262144'
run check --filename=g --name=a --rw=write --size=256k --name=b --rw=read --wait_for=a
check "... also without size=" exits 0
check "... and is not laid out" grep -q ' 0 bytes to lay out' out
run check --filename=g --name=a --rw=write --size=256k --unlink=1 --name=b --rw=read --wait_for=a
check "... unless it is removed first" exits 2
rm -f f g

run --filename=g --size=64k --name=a --rw=write --unlink=1 --name=b --rw=read --wait_for=a --size=128k
check "a file removed in between is laid out again" exits 0
check "... with its size" same "$(stat -c %s g)" 131072
rm -f g

# A file that only a waiting job uses is laid out before the run. A file that others use meanwhile is laid out once, with the
# largest size.
straced -f -o trace -e trace=openat,pwrite64 "$FIORD" --bs=4k --name=a --rw=write --filename=a --size=64k --fallocate=none \
	--name=b --rw=read --filename=b --size=64k --wait_for=a >/dev/null 2>&1
check "a file that only the waiting job uses is laid out in advance" \
	awk '/openat.*"b", O_RDWR/ && !b { b = NR } /pwrite64.*, 4096, 0\)/ && !a { a = NR } END { exit !(b && a && b < a) }' trace
rm -f a b
run --filename=f --bs=4k --name=a --rw=write --size=64k --name=b --rw=read --size=128k --wait_for=a --name=c --rw=read --size=64k
check "a file that other jobs use is laid out once" exits 0
check "... with the largest size" same "$(stat -c %s f)" 131072
rm -f f

# ---- jobs that fail or are interrupted ----

run --output-format=json --name=a --filename=/dev/full --rw=write --size=64k --fallocate=none \
	--name=b --filename=b --rw=write --size=64k --wait_for=a
check "a job starts although the one it waited for failed" exits 1
check "... and does its I/O" json out '.jobs[1] | .error == 0 and .write.io_bytes == 65536'
rm -f b

start --ioengine=null --size=1g --rate_iops=100 --output-format=json --eta=always --eta-interval=250ms --name=a --name=b --wait_for=a
until_true 10 progress_shows R
check "a waiting job is shown as P" progress_shows 'R(1),P'
kill -INT "$pid"
wait_for_exit
check "SIGINT ends waiting jobs" exits 130
check "... with a complete document" json out '(.jobs | length) == 2 and .jobs[1].read.total_ios == 0'

# shellcheck disable=SC2086
run $paced --exitall --exit_what=all --name=a --name=b --rate_iops=1 --name=c --wait_for=b
check "exitall ends waiting jobs" json out '.jobs | .[0].read.total_ios == 50 and .[2].read.total_ios == 0'
finish
