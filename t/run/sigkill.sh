#!/bin/sh
# After kill -9 of a worker: does the run exit 1 with one clear line and a complete document? After kill -9 of the parent: is
# nothing left? Both in layout, ramp and run, for processes and threads.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
mkdir data result
vehicles="0 1"
[ -z "$threads" ] || vehicles=1
threads=

big() {
	[ "$(stat -c %s data/x.0.0 2>/dev/null || echo 0)" -gt 0 ]
}

has_children() {
	[ -n "$(children "$pid")" ]
}

# begin PHASE OPTION...: starts two workers and waits until they are in that phase. $workers are their processes, $memory_files
# their files in /dev/shm.
begin() {
	phase=$1
	shift
	case $phase in
	layout) phase_reached=big extra=--size=2g ;;
	ramp) phase_reached="progress_shows /" extra=--ramp_time=600 ;;
	run) phase_reached="progress_shows m" extra= ;;
	esac
	# shellcheck disable=SC2086
	start --name=x --directory=data --size=1m --rw=randrw --runtime=600 --time_based --numjobs=2 --rate_iops=2000 \
		--eta=always --eta-interval=250 --output-format=json --output=result/r.json $extra "$@"
	# shellcheck disable=SC2086
	check "thread=$thread: the run reaches the $phase" until_true 30 $phase_reached
	workers=$(children "$pid")
	# shellcheck disable=SC2086
	memory_files=$(shm_files "$pid" $workers)
	check "thread=$thread: the run has workers" test -n "$workers"
}

nothing_left() {
	# shellcheck disable=SC2086
	check "$1: no process is left" until_true 10 processes_ended $workers
	# shellcheck disable=SC2086
	check "$1: no file is left in /dev/shm" absent $memory_files
	rm -f data/*
}

for thread in $vehicles; do
	for phase in layout ramp run; do
		what="thread=$thread, kill -9 in the $phase"
		begin $phase --thread=$thread
		kill -9 "${workers%%[!0-9]*}"
		# The other worker process goes on until SIGINT; threads share one process, so no other is left.
		[ "$thread" = 1 ] || kill -INT "$pid"
		wait_for_exit
		check "$what of a worker: exit code 1" exits 1
		check "... a complete document" json result/r.json '(.jobs | length) == 2 and .fiord.exit.code == 1'
		check "... which names the signal" says result/r.json SIGKILL
		check "... and so does stderr" says err SIGKILL
		check "... and no temporary file is left" same "$(ls result)" r.json
		nothing_left "$what of a worker"
		rm -f result/*

		begin $phase --thread=$thread
		kill -9 "$pid"
		wait_for_exit
		check "$what of the parent: the parent ends" exits 137
		check "... and leaves no part of a document" same "$(ls result)" ""
		nothing_left "$what of the parent"
	done
done

# Workers killed in the first wave: the second wave must not wait for them.
for thread in $vehicles; do
	start --name=x --ioengine=null --size=1m --rw=read --runtime=600 --time_based --rate_iops=2000 --numjobs=2 \
		--thread="$thread" --eta=always --eta-interval=250 --output-format=json --output=result/r.json \
		--name=y --stonewall --ioengine=null --size=1m --rw=read --thread="$thread"
	check "thread=$thread: the first wave runs" until_true 30 progress_shows "R(2)"
	workers=$(children "$pid")
	# shellcheck disable=SC2086
	kill -9 $workers
	wait_for_exit
	check "thread=$thread, kill -9 of all workers before the second wave: exit code 1" exits 1
	check "... a complete document" json result/r.json '(.jobs | length) == 3 and .fiord.exit.code == 1'
	rm -f result/*
done
finish
