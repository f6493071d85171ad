#!/bin/sh
# event_start, event_finish, event_wait, event_stop over FIFOs: two runs that start each other, and what may not be one.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
mkdir rt
export XDG_RUNTIME_DIR="$dir/rt"
truncate -s 1m f g
null="--output-format=json --name=x --ioengine=null --size=1g"

# One waits until the other begins to measure.
# shellcheck disable=SC2086
env --default-signal=INT "$FIORD" $null --event_wait=go $threads >first 2>first.err </dev/null &
first=$!
check "who waits makes the FIFO" until_true 20 test -p rt/fiord-go
check "for its user only" same "$(stat -c %a rt/fiord-go)" 600
# shellcheck disable=SC2086
run $null --event_start=go --event_finish=done
check "the other one runs" exits 0
wait "$first"
check "and starts the first" same "$?" 0
check "which does all of its I/O" json first '.jobs[0].read.io_kbytes == 1048576'
check "its FIFO is removed, and the other's" absent rt/fiord-go rt/fiord-done

# A path, which is there: it stays. The event comes from a shell.
mkfifo here
# shellcheck disable=SC2086
start $null --event_wait=./here
printf x >here
wait_for_exit
check "a FIFO of somebody else will do" exits 0
check "and stays" test -p here

# Whoever waits can be interrupted.
# shellcheck disable=SC2086
start $null --event_wait=go
check "it waits" until_true 20 test -p rt/fiord-go
kill -INT "$pid"
wait_for_exit
check "a signal ends the waiting" exits 130
check "no I/O was done" json out '.jobs[0].read.total_ios == 0'
check "no FIFO is left" absent rt/fiord-go

# A run is ended, and that is no failure. The event is the same for all jobs.
# shellcheck disable=SC2086
start $null --event_stop=halt --time_based --runtime=100 --name=y --ioengine=null --size=1g --event_stop=halt --time_based --runtime=100
check "it runs" until_true 20 test -p rt/fiord-halt
run diskspd -yehalt
check "-ye sets an event and exits with 1" exits 1
check "without a word" test ! -s err
wait_for_exit
check "event_stop ends the run" exits 0
check "and the document says so" json out '[.fiord.notes[] | select(contains("event_stop=halt was signalled"))] | length == 1'

# The finish is told when all have measured, by the last of the clones.
mkfifo over
# shellcheck disable=SC2086
timeout 60 "$FIORD" $null --event_wait=./over $threads >first 2>first.err </dev/null &
first=$!
# shellcheck disable=SC2086
check "it holds the event" until_true 20 sh -c "find /proc/[0-9]*/fd -lname '$dir/over' 2>/dev/null | grep -q ."
# shellcheck disable=SC2086
run $null --numjobs=3 --event_finish=./over
wait "$first"
check "event_finish starts another run" same "$?" 0

# A DISKSPD line has the same.
start diskspd -yrgo -d1 -W0 -b4K --output-format=json f
check "-yr waits" until_true 20 test -p rt/fiord-go
"$FIORD" diskspd -ysgo -d1 -W0 -b4K --output-format=json g >second 2>second.err </dev/null
check "-ys lets it go" same "$?" 0
wait_for_exit
check "and it has run" exits 0

# Surprises.
run diskspd -yenobody
check "-ye without anybody who waits fails" exits 1
check "and says so" says err "no program waits for this event"
echo data >rt/fiord-file
ln -s "$dir/here" rt/fiord-link
for name in file link; do
	# shellcheck disable=SC2086
	run $null --event_start="$name"
	check "a $name is no event" exits 1
	check "and that is said" says out "is not a FIFO"
	run diskspd -ye"$name"
	check "-ye refuses it, too" says err "is not a FIFO"
done
check "the file is as it was" same "$(cat rt/fiord-file)" data
# shellcheck disable=SC2086
run $null --event_start=nowhere/x
check "a folder that is missing fails" exits 1
run check --name=a --filename=f --event_wait=e --name=b --filename=f --event_finish=e
check "a run that waits for itself is refused" exits 2
check "with what to say instead" says err "wait_for and stonewall"
finish
