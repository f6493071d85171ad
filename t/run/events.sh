#!/bin/sh
# event_start, event_finish, event_wait and event_stop: do runs start and stop each other over FIFOs, and are files that are no
# FIFO refused?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
mkdir rt
export XDG_RUNTIME_DIR="$dir/rt"
truncate -s 1m f g
null="--output-format=json --name=x --ioengine=null --size=1g"

is_open() { # FILE: by some process
	find /proc/[0-9]*/fd -lname "$dir/$1" 2>/dev/null | grep -q .
}

# The first run waits until the second begins to measure.
# shellcheck disable=SC2086
env --default-signal=INT "$FIORD" $null --event_wait=go $threads >first 2>first.err </dev/null &
first=$!
check "the waiting run creates the FIFO" until_true 20 test -p rt/fiord-go
check "... which only its user may open" same "$(stat -c %a rt/fiord-go)" 600
# shellcheck disable=SC2086
run $null --event_start=go --event_finish=done
check "the second run exits 0" exits 0
wait "$first"
check "... and starts the first" same "$?" 0
check "... which does all its I/O" json first '.jobs[0].read.io_kbytes == 1048576'
check "both runs remove their FIFOs" absent rt/fiord-go rt/fiord-done

# A FIFO that exists at a path stays. The event comes from a shell.
mkfifo here
# shellcheck disable=SC2086
start $null --event_wait=./here
printf x >here
wait_for_exit
check "an existing FIFO works" exits 0
check "... and stays" test -p here

# A signal interrupts the waiting.
# shellcheck disable=SC2086
start $null --event_wait=go
check "the run waits" until_true 20 test -p rt/fiord-go
kill -INT "$pid"
wait_for_exit
check "SIGINT ends the waiting" exits 130
check "... before any I/O" json out '.jobs[0].read.total_ios == 0'
check "... and removes the FIFO" absent rt/fiord-go

# event_stop ends a run without an error. All jobs wait for the same event.
# shellcheck disable=SC2086
start $null --event_stop=halt --time_based --runtime=100 --name=y --ioengine=null --size=1g --event_stop=halt --time_based --runtime=100
check "the run waits at the FIFO" until_true 20 is_open rt/fiord-halt
run diskspd -yehalt
check "-ye signals an event and exits 1" exits 1
check "... and stderr is empty" test ! -s err
wait_for_exit
check "event_stop ends the run with exit code 0" exits 0
check "... and a note says so" json out '[.fiord.notes[] | select(contains("event_stop=halt was signalled"))] | length == 1'

# event_finish is signalled once, when the last clone has measured.
mkfifo over
# shellcheck disable=SC2086
timeout 60 "$FIORD" $null --event_wait=./over $threads >first 2>first.err </dev/null &
first=$!
check "the first run waits for the event" until_true 20 is_open over
# shellcheck disable=SC2086
run $null --numjobs=3 --event_finish=./over
wait "$first"
check "event_finish starts the other run" same "$?" 0

# DISKSPD lines have the same events.
start diskspd -yrgo -d1 -W0 -b4K --output-format=json f
check "-yr waits" until_true 20 test -p rt/fiord-go
"$FIORD" diskspd -ysgo -d1 -W0 -b4K --output-format=json g >second 2>second.err </dev/null
check "-ys starts the waiting line" same "$?" 0
wait_for_exit
check "... which exits 0" exits 0

# Errors.
run diskspd -yenobody
check "-ye fails if no program waits" exits 1
check "... and the error says so" says err "no program waits for this event"
echo data >rt/fiord-file
ln -s "$dir/here" rt/fiord-link
for name in file link; do
	# shellcheck disable=SC2086
	run $null --event_start="$name"
	check "a $name as event is refused" exits 1
	check "... and the document says why" says out "is not a FIFO"
	run diskspd -ye"$name"
	check "-ye refuses it, too" says err "is not a FIFO"
done
check "the file keeps its content" same "$(cat rt/fiord-file)" data
# shellcheck disable=SC2086
run $null --event_start=nowhere/x
check "a missing directory is refused" exits 1
run check --name=a --filename=f --event_wait=e --name=b --filename=f --event_finish=e
check "a run that waits for its own event is refused" exits 2
check "... and the error advises other options" says err "wait_for or stonewall"
finish
