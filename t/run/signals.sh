#!/bin/sh
# SIGINT and SIGTERM during layout, ramp and run, for processes and threads: a complete document, 128 + signal,
# nothing left behind.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
mkdir data result
vehicles="0 1"
[ -z "$threads" ] || vehicles=1
threads=

big() { # a laid-out file that is growing
	[ "$(stat -c %s data/x.0.0 2>/dev/null || echo 0)" -gt 0 ]
}

# ended LABEL CODE SIGNAL
ended() {
	wait_for_exit
	check "$1: exit code $2" exits "$2"
	check "$1: a complete document" json result/r.json ".fiord.exit.code == $2 and .fiord.interrupted_by == $3 and
		(.jobs | length) == 2"
	check "$1: nothing beside it" same "$(ls result)" r.json
	# shellcheck disable=SC2086
	check "$1: no process left" until_true 10 processes_ended $workers
	# shellcheck disable=SC2086
	check "$1: nothing in /dev/shm" absent $made
	rm -f result/* data/*
}

# look: $workers are the processes of the job's workers, $made is what it has in /dev/shm.
look() {
	workers=$(children "$pid")
	# shellcheck disable=SC2086
	made=$(shm_files "$pid" $workers)
}

# job OPTION...: two workers that go on for ten minutes.
job() {
	start --name=x --directory=data --size=1m --rw=randrw --runtime=600 --time_based --numjobs=2 --rate_iops=2000 \
		--eta=always --eta-interval=250 --output-format=json --output=result/r.json "$@"
}

for thread in $vehicles; do
	for signal in INT:2 TERM:15; do
		number=${signal#*:} name=${signal%:*}
		code=$((128 + number))
		what="thread=$thread SIG$name"

		job --thread=$thread
		check "$what: it runs" until_true 30 progress_shows m
		look
		kill -"$name" "$pid"
		ended "$what in the run" $code "$number"

		job --thread=$thread --ramp_time=600
		check "$what: it ramps" until_true 30 progress_shows /
		look
		kill -"$name" "$pid"
		ended "$what in the ramp" $code "$number"

		job --thread=$thread --size=2g
		check "$what: it lays out" until_true 30 big
		look
		kill -"$name" "$pid"
		ended "$what in the layout" $code "$number"
	done
done

job --thread="${vehicles#0 }"
until_true 30 progress_shows m
workers=$(children "$pid")
kill -INT "$pid"
wait_for_exit
check "the document has the counts so far" json result/r.json '[.jobs[].read.total_ios] | add > 0'
check "... and its shares add up" json result/r.json \
	'[.jobs[] | .read, .write | .total_ios == .clat_ns.N and .io_bytes == .total_ios * 4096] | all'
rm -f result/* data/*

for thread in $vehicles; do
	what="thread=$thread, two waves"
	job --thread=$thread --name=y --stonewall --directory=data --size=1m --rw=read --thread=$thread
	check "$what: the first runs" until_true 30 progress_shows m
	workers=$(children "$pid")
	kill -INT "$pid"
	wait_for_exit
	check "$what: exit code 130, of the wave that never came, too" exits 130
	check "$what: a complete document" json result/r.json '(.jobs | length) == 3 and .jobs[2].error == 0'
	# shellcheck disable=SC2086
	check "$what: no process left" until_true 10 processes_ended $workers
	rm -f result/* data/*

	job --thread=$thread
	until_true 30 progress_shows m
	workers=$(children "$pid")
	while kill -INT "$pid" 2>/dev/null && ! processes_ended "$pid"; do :; done
	wait_for_exit
	check "thread=$thread, many signals: a complete document" json result/r.json ".fiord.exit.code == $rc"
	check "thread=$thread, many signals: nothing beside it" same "$(ls result)" r.json
	# shellcheck disable=SC2086
	check "thread=$thread, many signals: no process left" until_true 10 processes_ended $workers
	rm -f result/* data/*
done

env --ignore-signal=HUP "$FIORD" --name=x --ioengine=null --size=1g --rw=read --runtime=1 --time_based --rate_iops=100 \
	--eta=always --eta-interval=250 >out 2>err </dev/null &
pid=$!
until_true 30 progress_shows R
kill -HUP "$pid"
wait_for_exit
check "nohup keeps the program going" exits 0
finish
