#!/bin/sh
# Results during the run (--status-interval, SIGUSR1, a dump-status file): where do they appear, do the figures of each add up, and
# do they rise?
. "$SOURCE/t/lib.sh"
requires jq mkfifo sed
cd "$dir" || exit 1
TMPDIR=$dir
export TMPDIR
ln -s "$FIORD" fio
load="--ioengine=null --size=1g --rw=randrw --time_based"

reader=
cleanup() {
	[ -z "$reader" ] || kill "$reader" 2>/dev/null
}

# as_fio ARG...: starts the program under the name fio.
as_fio() {
	real=$FIORD
	FIORD=$dir/fio
	start "$@"
	FIORD=$real
}

interrupt() {
	kill -INT "$pid"
	wait_for_exit
}

running() {
	progress_shows '[RrwWmM]('
}

# add_up FILE: in each json+ document the counts, latencies and buckets of a direction agree.
add_up() {
	[ "$(jq -s '[.[].jobs[] | (.read, .write) | select(.total_ios > 0)
		| [.total_ios, .clat_ns.N, .lat_ns.N, (.clat_ns.bins | add), .io_bytes / 4096] | unique | length] | unique == [1]' "$1")" = true ]
}

# rises FILE FILTER: the values of successive documents never decrease and the last exceeds the first.
rises() {
	[ "$(jq -s "[$2] | . == sort and .[0] < .[-1]" "$1")" = true ]
}

at_least() { # COUNT FILE PATTERN: so many lines match
	[ "$(cat "$2" 2>/dev/null | grep -c "$3")" -ge "$1" ]
}

# ---- one document with all statuses ----
# shellcheck disable=SC2086
start --name=x $load --runtime=60 --numjobs=2 --name=y $load --runtime=60 --stonewall --rw=write --eta=always \
	--status-interval=50ms --output-format=json
check "the jobs run" until_true 30 running
touch fiord-dump-status
check "fiord-dump-status is removed" until_true 30 absent fiord-dump-status
touch fio-dump-status
check "fio-dump-status is removed" until_true 30 absent fio-dump-status
kill -USR1 "$pid"
check "SIGUSR1 is received" until_true 30 no_pending_signal "$pid"
interrupt
check "an interrupted run exits 130" exits 130
check "the output is one document" json out '.fiord.interrupted'
check "... with at least three statuses" json out '.fiord.status | length >= 3'
check "... for each kind of request" json out '[.fiord.status[].by] | (index("interval") and index("signal") and index("file")) != null'
check "... whose I/Os rise" rises out '.[0].fiord.status[].jobs[0].read.total_ios'
check "... whose times rise" rises out '.[0].fiord.status[].elapsed_ms'
check "... and do not exceed the result" json out '.fiord.status[-1].jobs[0].read.total_ios <= .jobs[0].read.total_ios'
check "... for all jobs, also one that has not begun" json out 'all(.fiord.status[].jobs; map(.jobname) == ["x", "x", "y"]) and
	.fiord.status[0].jobs[2].write.total_ios == 0'
check "... whose latencies count their I/Os" json out 'all(.fiord.status[].jobs[:2][].read; .total_ios == (.clat_ns.N // 0))'
check "... and whose jobs have no error" json out 'all(.fiord.status[].jobs[]; .error == 0)'
check "... and have CPU times" json out '.fiord.status[-1].jobs[0] | .usr_cpu + .sys_cpu > 0'
check "without a request the document has no status" sh -c "'$FIORD' --name=x --ioengine=null --size=4k --output-format=json | jq -e '.fiord | has(\"status\") | not'"

# ---- under the name fio: successive whole documents ----
for how in "" "--thread=1" "--group_reporting" "--iodepth=16" "--thread=1 --iodepth=16"; do
	# shellcheck disable=SC2086
	as_fio --name=x $load --runtime=60 --numjobs=3 --status-interval=20ms --output-format=json+ $how
	check "${how:-no option}: ten documents appear" until_true 60 at_least 10 out '^}'
	interrupt
	check "... and SIGINT exits 128" exits 128
	check "... the figures of each document agree" add_up out
	check "... the I/Os rise" rises out '.[] | .jobs | map(.read.total_ios) | add'
	check "... no document has a fiord key" same "$(grep -c '"fiord"' out)" 0
done

# ---- a stopped worker ----
start --name=x --ioengine=null --size=1g --time_based --runtime=60 --numjobs=2 --eta=always --output-format=json
check "two workers run" until_true 30 running
worker=$(children "$pid" | head -n 1)
kill -STOP "$worker"
kill -USR1 "$pid"
check "with one worker stopped SIGUSR1 is received" until_true 30 no_pending_signal "$pid"
kill -USR1 "$pid"
check "... and a second one" until_true 30 no_pending_signal "$pid"
kill -CONT "$worker"
kill -USR1 "$pid"
check "... and a third one when it continues" until_true 30 no_pending_signal "$pid"
interrupt
check "... the document has three statuses" json out '.fiord.status | length == 3'
check "... whose I/Os rise" rises out '.[0].fiord.status[] | .jobs | map(.read.total_ios) | add'
check "... and include the I/O before the stop" json out "all(.fiord.status[].jobs[]; .read.total_ios > 0)"
check "... and whose times rise" rises out ".[0].fiord.status[].elapsed_ms"

# ---- a worker that has ended, and one that was killed (of threads, all would be killed) ----
if [ -z "$threads" ]; then
start --name=short --ioengine=null --size=64k --name=x --ioengine=null --size=1g --time_based --runtime=60 \
	--numjobs=2 --eta=always --output-format=json
check "one worker has ended" until_true 30 progress_shows '_'
kill -KILL "$(children "$pid" | head -n 1)"
check "one worker was killed" until_true 30 progress_shows K
kill -USR1 "$pid"
check "... SIGUSR1 is received" until_true 30 no_pending_signal "$pid"
interrupt
check "... and the status has the figures of both" json out '.fiord.status[0].jobs | .[0].read.total_ios == 16 and .[0].error == 0 and
	(map(.error) | add > 0) and all(.[]; .read.total_ios > 0)'
fi

# ---- a ramp has no figures ----
start --name=x --ioengine=null --size=1g --time_based --ramp_time=60 --runtime=60 --eta=always --output-format=json
check "the job is in its ramp" until_true 30 progress_shows /
kill -USR1 "$pid"
check "... SIGUSR1 is received" until_true 30 no_pending_signal "$pid"
interrupt
check "... and the status has no I/O" json out '.fiord.status[0].jobs[0].read | .total_ios == 0 and .runtime == 0'

# ---- terse and normal output appear at once ----
start --name=x --ioengine=null --size=1g --time_based --runtime=60 --numjobs=2 --status-interval=20ms --minimal
check "terse lines appear during the run" until_true 60 at_least 6 out '^3;'
interrupt
check "... one for each job each time" same "$(($(wc -l <out) % 2))" 0
check "... and nothing else" same "$(grep -vc '^3;fio-.*;x;0;0;' out)" 0
check "... and the bytes rise" sh -c 'cut -d ";" -f 6 out | awk "NR % 2" | sort -nc'

for output in "" --output=result; do
	start --name=x --ioengine=null --size=1g --time_based --runtime=60 --status-interval=50ms \
		--output-format=normal,terse,json $output
	to=out
	[ -z "$output" ] || to=result
	check "normal,terse,json $output: three statuses appear" until_true 60 at_least 3 $to '^Run status group 0'
	interrupt
	check "... SIGINT exits 130" exits 130
	check "... terse before normal, and the document at the end" same \
		"$(grep -oE '^(Starting|3;|\{|Run status)' $to | uniq | tr '\n' ' ' | sed 's/\(3; Run status \)\1*3; { /.. 3; { /')" \
		"Starting .. 3; { Run status "
	sed -n '/^{/,/^}/p' $to >doc
	check "... which is complete" json doc '.fiord.status | length >= 3'
	[ -z "$output" ] || check "... and stdout is empty" empty out
done

# ---- dump-status files of others, and outputs that fail ----
: >elsewhere
ln -s elsewhere fio-dump-status
mkdir fiord-dump-status
start --name=x --ioengine=null --size=1g --time_based --runtime=60 --eta=always --output-format=json
check "the job runs" until_true 30 running
kill -USR1 "$pid"
until_true 30 no_pending_signal "$pid"
interrupt
check "a link and a directory request no status" json out '[.fiord.status[].by] == ["signal"]'
check "... and are not removed" test -L fio-dump-status -a -e elsewhere -a -d fiord-dump-status
rm -r fio-dump-status fiord-dump-status
if [ "$(id -u)" = 0 ]; then
	: >fio-dump-status
	chown 65534 fio-dump-status
	start --name=x --ioengine=null --size=1g --time_based --runtime=60 --eta=always --output-format=json
	check "the job runs" until_true 30 running
	kill -USR1 "$pid"
	until_true 30 no_pending_signal "$pid"
	interrupt
	check "another user's file requests no status" json out '[.fiord.status[].by] == ["signal"]'
	rm fio-dump-status
fi

"$FIORD" --name=x --ioengine=null --size=1g --time_based --runtime=60 --status-interval=20ms --minimal 2>err | head -n 1 >out
check "a closed pipe ends the run" grep -q 'could not be written, so the run was ended: Broken pipe' err
check "... after the line that was read" lines out 1
run --name=x --ioengine=null --size=1g --time_based --runtime=60 --status-interval=20ms --output=/dev/full
check "a full device ends the run with exit code 6" exits 6
check "... with one line of error" lines err 1

if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null; then
	run --name=x --ioengine=null --size=1g --time_based --runtime=60 --status-interval=20ms --minimal --output=small/out
	check "a file system that fills up ends the run" exits 6
	check "... and the output ends with the final result" lines small/out 1
	umount small
else
	skip "a file system that fills up" "no tmpfs to mount"
fi

mkfifo slow
exec 3<>slow
env --default-signal=INT "$FIORD" --name=x --ioengine=null --size=1g --time_based --runtime=60 --status-interval=2ms --minimal \
	--numjobs=8 >slow 2>err &
pid=$!
filled() { # the pipe of 64 KiB is nearly full
	[ "$(sed -n 's/^wchar: //p' "/proc/$pid/io" 2>/dev/null)" -gt 45000 ]
}
workers_end() {
	[ -z "$(children "$pid")" ]
}
if until_true 20 filled; then
	kill -INT "$pid"
	check "a reader that does not read does not delay the end of the workers" until_true 30 workers_end
else
	skip "a reader that does not read does not delay the end of the workers" "/proc/PID/io has no wchar"
	kill -INT "$pid"
fi
cat <&3 >out 2>/dev/null &
reader=$!
wait_for_exit
check "... and the run ends when it reads" exits 130
exec 3>&-
finish
