#!/bin/sh
# Results while the run goes on: --status-interval, SIGUSR1, a dump-status file; what appears where, and that the
# numbers of each of them add up.
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

# as_fio ARG...: start in fio's name.
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

# add_up FILE: in every document each direction's counts, latencies and buckets are one number (of json+).
add_up() {
	[ "$(jq -s '[.[].jobs[] | (.read, .write) | select(.total_ios > 0)
		| [.total_ios, .clat_ns.N, .lat_ns.N, (.clat_ns.bins | add), .io_bytes / 4096] | unique | length] | unique == [1]' "$1")" = true ]
}

# rises FILE FILTER: what it lists of each document or status never decreases, and at the end is more than at first.
rises() {
	[ "$(jq -s "[$2] | . == sort and .[0] < .[-1]" "$1")" = true ]
}

at_least() { # COUNT FILE PATTERN: lines so far
	[ "$(cat "$2" 2>/dev/null | grep -c "$3")" -ge "$1" ]
}

# ---- one document of our own ----
# shellcheck disable=SC2086
start --name=x $load --runtime=60 --numjobs=2 --name=y $load --runtime=60 --stonewall --rw=write --eta=always \
	--status-interval=50ms --output-format=json
check "it runs" until_true 30 running
touch fiord-dump-status
check "fiord-dump-status is taken" until_true 30 absent fiord-dump-status
touch fio-dump-status
check "fio-dump-status is taken" until_true 30 absent fio-dump-status
kill -USR1 "$pid"
check "SIGUSR1 is taken" until_true 30 no_pending_signal "$pid"
interrupt
check "interrupted as always" exits 130
check "one document" json out '.fiord.interrupted'
check "... with status" json out '.fiord.status | length >= 3'
check "... by all who asked" json out '[.fiord.status[].by] | (index("interval") and index("signal") and index("file")) != null'
check "... that rise" rises out '.[0].fiord.status[].jobs[0].read.total_ios'
check "... in time, too" rises out '.[0].fiord.status[].elapsed_ms'
check "... and do not pass the end" json out '.fiord.status[-1].jobs[0].read.total_ios <= .jobs[0].read.total_ios'
check "... of all jobs; one has not begun" json out 'all(.fiord.status[].jobs; map(.jobname) == ["x", "x", "y"]) and
	.fiord.status[0].jobs[2].write.total_ios == 0'
check "... whose latencies are its I/Os" json out 'all(.fiord.status[].jobs[:2][].read; .total_ios == (.clat_ns.N // 0))'
check "... of jobs without error" json out 'all(.fiord.status[].jobs[]; .error == 0)'
check "... and with CPU times" json out '.fiord.status[-1].jobs[0] | .usr_cpu + .sys_cpu > 0'
check "status is nothing where nobody asked" sh -c "'$FIORD' --name=x --ioengine=null --size=4k --output-format=json | jq -e '.fiord | has(\"status\") | not'"

# ---- in fio's name: documents one after the other, each whole ----
for how in "" "--thread=1" "--group_reporting" "--iodepth=16" "--thread=1 --iodepth=16"; do
	# shellcheck disable=SC2086
	as_fio --name=x $load --runtime=60 --numjobs=3 --status-interval=20ms --output-format=json+ $how
	check "${how:-plain}: ten documents" until_true 60 at_least 10 out '^}'
	interrupt
	check "... and the end" exits 128
	check "... each adds up" add_up out
	check "... they rise" rises out '.[] | .jobs | map(.read.total_ios) | add'
	check "... nothing of ours" same "$(grep -c '"fiord"' out)" 0
done

# ---- who does not answer ----
start --name=x --ioengine=null --size=1g --time_based --runtime=60 --numjobs=2 --eta=always --output-format=json
check "two run" until_true 30 running
worker=$(children "$pid" | head -n 1)
kill -STOP "$worker"
before=$(jq -n now)
kill -USR1 "$pid"
check "one is stopped, and a status is taken" until_true 30 no_pending_signal "$pid"
kill -USR1 "$pid"
check "... and another" until_true 30 no_pending_signal "$pid"
kill -CONT "$worker"
kill -USR1 "$pid"
check "... and when it goes on" until_true 30 no_pending_signal "$pid"
interrupt
check "... none is lost" json out '.fiord.status | length == 3'
check "... and they rise" rises out '.[0].fiord.status[] | .jobs | map(.read.total_ios) | add'
check "... and have what was done before" json out "all(.fiord.status[].jobs[]; .read.total_ios > 0)"
check "... at once" test -n "$before"

# ---- one that has ended, one that was killed (of threads, all would be) ----
if [ -z "$threads" ]; then
start --name=short --ioengine=null --size=64k --name=x --ioengine=null --size=1g --time_based --runtime=60 \
	--numjobs=2 --eta=always --output-format=json
check "one ends" until_true 30 progress_shows '_'
kill -KILL "$(children "$pid" | head -n 1)"
check "one is killed" until_true 30 progress_shows K
kill -USR1 "$pid"
check "... and a status is taken" until_true 30 no_pending_signal "$pid"
interrupt
check "... with the numbers of both" json out '.fiord.status[0].jobs | .[0].read.total_ios == 16 and .[0].error == 0 and
	(map(.error) | add > 0) and all(.[]; .read.total_ios > 0)'
fi

# ---- a ramp is not told ----
start --name=x --ioengine=null --size=1g --time_based --ramp_time=60 --runtime=60 --eta=always --output-format=json
check "it is in its ramp" until_true 30 progress_shows /
kill -USR1 "$pid"
check "... a status is taken" until_true 30 no_pending_signal "$pid"
interrupt
check "... and knows of no I/O" json out '.fiord.status[0].jobs[0].read | .total_ios == 0 and .runtime == 0'

# ---- terse and normal come at once ----
start --name=x --ioengine=null --size=1g --time_based --runtime=60 --numjobs=2 --status-interval=20ms --minimal
check "terse: lines come while it runs" until_true 60 at_least 6 out '^3;'
interrupt
check "... two at a time, and two at the end" same "$(($(wc -l <out) % 2))" 0
check "... nothing else" same "$(grep -vc '^3;fio-.*;x;0;0;' out)" 0
check "... which rise" sh -c 'cut -d ";" -f 6 out | awk "NR % 2" | sort -nc'

for output in "" --output=result; do
	start --name=x --ioengine=null --size=1g --time_based --runtime=60 --status-interval=50ms \
		--output-format=normal,terse,json $output
	to=out
	[ -z "$output" ] || to=result
	check "normal,terse,json $output: three of each" until_true 60 at_least 3 $to '^Run status group 0'
	interrupt
	check "... and the end" exits 130
	check "... terse, then normal; the document at the end" same \
		"$(grep -oE '^(Starting|3;|\{|Run status)' $to | uniq | tr '\n' ' ' | sed 's/\(3; Run status \)\1*3; { /.. 3; { /')" \
		"Starting .. 3; { Run status "
	sed -n '/^{/,/^}/p' $to >doc
	check "... which is whole" json doc '.fiord.status | length >= 3'
	[ -z "$output" ] || check "... nothing on stdout" empty out
done

# ---- nobody else's file, nobody's output ----
: >elsewhere
ln -s elsewhere fio-dump-status
mkdir fiord-dump-status
start --name=x --ioengine=null --size=1g --time_based --runtime=60 --eta=always --output-format=json
check "it runs" until_true 30 running
kill -USR1 "$pid"
until_true 30 no_pending_signal "$pid"
interrupt
check "a link and a directory do not ask" json out '[.fiord.status[].by] == ["signal"]'
check "... and stay" test -L fio-dump-status -a -e elsewhere -a -d fiord-dump-status
rm -r fio-dump-status fiord-dump-status
if [ "$(id -u)" = 0 ]; then
	: >fio-dump-status
	chown 65534 fio-dump-status
	start --name=x --ioengine=null --size=1g --time_based --runtime=60 --eta=always --output-format=json
	check "it runs" until_true 30 running
	kill -USR1 "$pid"
	until_true 30 no_pending_signal "$pid"
	interrupt
	check "nor does somebody else's file" json out '[.fiord.status[].by] == ["signal"]'
	rm fio-dump-status
fi

"$FIORD" --name=x --ioengine=null --size=1g --time_based --runtime=60 --status-interval=20ms --minimal 2>err | head -n 1 >out
check "a closed pipe ends the run" grep -q 'could not be written, which ended the run: Broken pipe' err
check "... after the line that was read" lines out 1
run --name=x --ioengine=null --size=1g --time_based --runtime=60 --status-interval=20ms --output=/dev/full
check "so does a full disk" exits 6
check "... with one line" lines err 1

if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null; then
	run --name=x --ioengine=null --size=1g --time_based --runtime=60 --status-interval=20ms --minimal --output=small/out
	check "a file system that fills up ends it, too" exits 6
	check "... with the end of the result in place of the rest" lines small/out 1
	umount small
else
	skip "a file system that fills up" "no tmpfs to mount"
fi

mkfifo slow
exec 3<>slow
env --default-signal=INT "$FIORD" --name=x --ioengine=null --size=1g --time_based --runtime=60 --status-interval=2ms --minimal \
	--numjobs=8 >slow 2>err &
pid=$!
filled() { # a pipe of 64 KiB, in pieces
	[ "$(sed -n 's/^wchar: //p' "/proc/$pid/io" 2>/dev/null)" -gt 45000 ]
}
workers_end() {
	[ -z "$(children "$pid")" ]
}
if until_true 20 filled; then
	kill -INT "$pid"
	check "who does not read holds nobody up: workers end when asked to" until_true 30 workers_end
else
	skip "who does not read" "/proc/PID/io does not tell"
	kill -INT "$pid"
fi
cat <&3 >out 2>/dev/null &
reader=$!
wait_for_exit
check "... and so does the whole" exits 130
exec 3>&-
finish
