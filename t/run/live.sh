#!/bin/sh
# Do the lines of --live and the metrics of --prometheus say what the run does, in every ending and for every reader? The expected
# values are those of the document, which live_lines.py and live_metrics.py compare.
. "$SOURCE/t/lib.sh"
requires jq mkfifo python3
cd "$dir" || exit 1

reader=
cleanup() {
	[ -z "$reader" ] || kill -KILL "$reader" 2>/dev/null
}

lines_are_valid() { # LINES [DOCUMENT] [FLAG]...
	python3 "$SOURCE/t/run/live_lines.py" "$@"
}

metrics_are_valid() { # METRICS [DOCUMENT]
	python3 "$SOURCE/t/run/live_metrics.py" "$@"
}

# some FILE FILTER: one of the last lines of the file passes the jq filter. A part of a line at the end does not count.
some() {
	[ -s "$1" ] && tail -n 60 "$1" | grep '^{.*}$' | jq -es "any(.[]; $2)" >/dev/null 2>&1
}

ended_by_int() {
	one_of_three sigint_ends_run
	wait_for_exit
}

# ---- jobs of many kinds: the sums are those of the document ----
run --size=2m --live=lines --live-interval=100ms --prometheus=m.prom --output-format=json --output=r.json \
	--name='a"\b' --rw=randrw --fsync=4 --numjobs=2 --name=b --rw=write --ramp_time=300ms --runtime=400ms --time_based \
	--numjobs=2 --group_reporting=1 --new_group --name=c --startdelay=330ms --rw=randread --runtime=300ms --time_based \
	--rate_iops=500 --name=off --stats=0 --name=d --stonewall --rw=trimwrite --runtime=250ms --time_based --verify=crc32c
check "the run exits 0" exits 0
check "... and prints nothing" empty err
check "the lines are valid, and their sums are the document's" lines_are_valid lines r.json
check "... there is one for each interval" some lines '.type == "end" and .lines >= 8'
check "... they show the ramp" some lines '.type == "interval" and any(.jobs[]; .jobname == "b" and .state == "ramp")'
check "... the delay" some lines '.type == "interval" and any(.jobs[]; .jobname == "c" and .state == "delay")'
check "... the next wave" some lines '.type == "interval" and any(.jobs[]; .jobname == "d" and .state == "waiting")'
check "... the response times of a rate" some lines '.type == "interval" and any(.jobs[]; .read.resp_ns.N > 0)'
check "... and no job with stats=0" some lines '.type == "run" and (.jobs | map(.jobname) == ["a\"\\b", "a\"\\b", "b", "c", "d"])'
check "the metrics are valid, and their totals are the document's" metrics_are_valid m.prom r.json
if command -v promtool >/dev/null; then
	check "promtool accepts the metrics" sh -c 'promtool check metrics <m.prom'
else
	skip "promtool accepts the metrics" "no promtool"
fi

# ---- standard output ----
run --name=x --ioengine=null --size=4m --live=-
check "--live=-: the run exits 0" exits 0
check "... and standard output has the lines only" lines_are_valid out
check "... and standard error has nothing" empty err
run --name=x --ioengine=null --size=4m --live=- --output=r.txt
check "--live=- with --output" lines_are_valid out
check "... writes the report to the file" says r.txt "Run status group 0"
run --name=x --ioengine=null --size=4m --live=- --output-format=json
check "--live=- with JSON on standard output is refused" exits 2
check "... with one line" lines err 1

# ---- endings ----
for signal in INT TERM; do
	rm -f lines
	start --name=x --ioengine=null --size=1g --rw=randrw --time_based --runtime=600 --numjobs=2 --live=lines \
		--live-interval=100ms --output-format=json --output=r.json --prometheus=m.prom
	check "SIG$signal: lines with I/Os appear" until_true 60 some lines '.all.read.iops? > 0'
	kill -"$signal" "$pid"
	wait_for_exit
	check "... the last line has the signal and the exit status" some lines ".type == \"end\" and .exit == $rc and .signal > 0"
	check "... and the lines are valid" lines_are_valid lines r.json
	check "... and the metrics" metrics_are_valid m.prom r.json
done
rm -f lines
start --name=x --ioengine=null --size=1g --time_based --runtime=600 --name=y --ioengine=null --size=1g --time_based \
	--runtime=600 --live=lines --live-interval=100ms --output-format=json --output=r.json
check "SIGKILL of a worker: lines with I/Os appear" until_true 60 some lines '.all.read.iops? > 0'
kill -KILL "$(children "$pid" | head -n 1)"
check "... the job is lost" until_true 60 some lines 'any(.jobs[]; .state == "lost")'
[ -z "$threads" ] && ended_by_int
wait_for_exit
check "... and the sums are the document's" lines_are_valid lines r.json
truncate -s 1m short
rm -f lines
start --name=x --filename=short --rw=randread --time_based --runtime=600 --live=lines --live-interval=100ms \
	--output-format=json --output=r.json
check "an error: lines with I/Os appear" until_true 60 some lines '.all.read.iops? > 0'
truncate -s 0 short
wait_for_exit
check "... the run fails" exits 1
check "... the last line says so" some lines '.type == "end" and .exit == 1 and .jobs[0].error > 0 and .jobs[0].state == "failed"'
check "... and the lines are valid" lines_are_valid lines r.json

# ---- a worker that hangs ----
rm -f lines
start --name=hangs --ioengine=null --size=1g --time_based --runtime=600 --live=lines --live-interval=100ms \
	--output-format=json --output=r.json
check "a worker that is stopped: lines with I/Os appear" until_true 60 some lines '.all.read.iops? > 0'
worker=$(children "$pid" | head -n 1)
kill -STOP "$worker"
check "... is named" until_true 60 some lines 'any(.hung[]?; .jobname == "hangs" and .clone == 0 and .silent_ms >= 200)'
check "... the interval has zeros" some lines '(.hung? | length) > 0 and .all.read.ios == 0 and .all.read.clat_ns == null'
kill -CONT "$worker"
seen=$(wc -l <lines)
check "... goes on" until_true 60 sh -c "tail -n +$((seen + 1)) lines | grep -q '\"hung\":\\[\\],\"all\":{[^}]*\"ios\":[1-9]'"
ended_by_int
check "... and the sums are the document's" lines_are_valid lines r.json

# ---- readers of a FIFO ----
mkfifo fifo
rm -f m.prom
run --name=x --ioengine=null --size=1g --time_based --runtime=400ms --live=fifo --live-interval=100ms --output-format=json
check "a FIFO without a reader: the run exits 0" exits 0
check "... and a note counts the lines" json out 'any(.fiord.notes[]; test("--live: [0-9]+ lines were lost"))'
start --name=x --ioengine=null --size=1g --time_based --runtime=600 --live=fifo --live-interval=100ms --output-format=json \
	--output=r.json --prometheus=m.prom
until_true 60 sh -c "grep -qs '^fiord_ios_total.*read.* [1-9]' m.prom"
cat fifo >got &
reader=$!
check "a reader that comes late gets lines" until_true 60 some got '.all.read.iops? > 0 and .lost_lines > 0'
kill -KILL "$reader"
wait "$reader" 2>/dev/null
check "... from the first line on" lines_are_valid got --no-end --part --lost
# A reader that comes before fiord has seen the end of the last one gets the rest of its lines.
fifo_is_closed() {
	[ -z "$(find /proc/[0-9]*/fd -lname "$(pwd -P)/fifo" 2>/dev/null)" ]
}
until_true 60 fifo_is_closed
cat fifo >again &
reader=$!
check "another reader gets lines" until_true 60 some again '.all.read.iops? > 0'
ended_by_int
wait "$reader"
reader=
check "... from the first to the last line" lines_are_valid again r.json --lost
rm -f m.prom
start --name=x --ioengine=null --size=1g --time_based --runtime=600 --numjobs=150 --rate_iops=10 --live=fifo \
	--live-interval=100ms --prometheus=m.prom --output-format=json --output=r.json
mkfifo go
{ head -c 1 && read -r _ <go && exec cat; } <fifo >got &
reader=$!
check "a reader that stops reading: intervals go on" until_true 120 grep -qs '^fiord_elapsed_seconds [4-9]' m.prom
ended_by_int
check "... and the run ends" exits 130
echo go >go
wait "$reader"
reader=
check "... when it reads on, it finds whole lines and the last one, which counts all that are missing" \
	lines_are_valid got r.json --lost --counted
check "... as the note of the result does" json r.json "(.jobs | length == 150) and
	any(.fiord.notes[]; startswith(\"--live: $(tail -n 1 got | jq .lost_lines) lines were lost\"))"

# ---- errors ----
run --name=x --ioengine=null --size=4m --live=/dev/full --output-format=json
check "a full disk: exit code 6" exits 6
check "... the run is complete" json out '.jobs[0].read.io_bytes == 4194304 and .fiord.exit.code == 6'
check "... and one line says why" lines err 1
check "... with the option" says err "--live=/dev/full"

refused() { # TEXT ARG...
	text=$1
	shift
	run --name=x --ioengine=null --size=4m --output-format=normal "$@"
	check "refused: $*" exits 2
	check "... with one line" lines err 1
	check "... that says why" says err "$text"
}
refused "--live-interval has no effect" --live-interval=1
refused "--live-interval=50ms" --live-interval=50ms --live=new
refused "no/new" --live=no/new
refused "--live=." --live=.
refused "the same file" --live=new --output=new
refused "the same file" --live=new --prometheus=new
refused "not a regular file" --prometheus=fifo
truncate -s 4m target
printf 'diskspd -b4k -d1 target\ndiskspd -b8k -d1 target\n' | "$FIORD" diskspd --live=new - >out 2>err
rc=$?
check "refused: one file for two DISKSPD lines" exits 3
check "... with one line" lines err 1
check "... that says why" says err "--live: not possible with 2 lines"
run sweep --sweep bs=4k,8k -d points --live=new --name=x --ioengine=null --size=64k
check "refused: one file for the points of a sweep" exits 2
check "... that says why" says err "--live=new"
run diskspd --live=dlines --live-interval=100ms -b4k -d1 -W0 -w50 -t2 target
check "the lines of a DISKSPD line" lines_are_valid dlines
echo content | dd of=target conv=notrunc status=none
refused "target of the jobs" --ioengine=psync --filename=target --live=target
check "... and the target has its content" says target content
check "... and nothing is created" absent new
finish
