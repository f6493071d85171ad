#!/bin/sh
# SIGINT and SIGTERM in layout, ramp and run, for processes and threads: does the run write a complete document, exit with
# 128 + signal, and leave nothing behind?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
mkdir data result
vehicles="0 1"
[ -z "$threads" ] || vehicles=1
threads=

big() { # the layout has begun
	[ "$(stat -c %s data/x.0.0 2>/dev/null || echo 0)" -gt 0 ]
}

# ended LABEL CODE SIGNAL: checks a run after its signal.
ended() {
	wait_for_exit
	check "$1: exit code $2" exits "$2"
	check "$1: the document is complete" json result/r.json ".fiord.exit.code == $2 and .fiord.interrupted_by == $3 and
		(.jobs | length) == 2"
	check "$1: no temporary file is left" same "$(ls result)" r.json
	# shellcheck disable=SC2086
	check "$1: no process is left" until_true 10 processes_ended $workers
	# shellcheck disable=SC2086
	check "$1: no file is left in /dev/shm" absent $memory_files
	rm -f result/* data/*
}

# look: sets $workers to the processes of the run's workers and $memory_files to their files in /dev/shm.
look() {
	workers=$(children "$pid")
	# shellcheck disable=SC2086
	memory_files=$(shm_files "$pid" $workers)
}

# job OPTION...: starts two workers that run for ten minutes.
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
		check "$what: the job runs" until_true 30 progress_shows m
		look
		kill -"$name" "$pid"
		ended "$what in the run" $code "$number"

		job --thread=$thread --ramp_time=600
		check "$what: the job is in its ramp" until_true 30 progress_shows /
		look
		kill -"$name" "$pid"
		ended "$what in the ramp" $code "$number"

		job --thread=$thread --size=2g
		check "$what: the layout has begun" until_true 30 big
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
check "... and its figures add up" json result/r.json \
	'[.jobs[] | .read, .write | .total_ios == .clat_ns.N and .io_bytes == .total_ios * 4096] | all'
rm -f result/* data/*

for thread in $vehicles; do
	what="thread=$thread, two waves"
	job --thread=$thread --name=y --stonewall --directory=data --size=1m --rw=read --thread=$thread
	check "$what: the first wave runs" until_true 30 progress_shows m
	workers=$(children "$pid")
	kill -INT "$pid"
	wait_for_exit
	check "$what: exit code 130, although the second wave did not start" exits 130
	check "$what: the document is complete" json result/r.json '(.jobs | length) == 3 and .jobs[2].error == 0'
	# shellcheck disable=SC2086
	check "$what: no process is left" until_true 10 processes_ended $workers
	rm -f result/* data/*

	job --thread=$thread
	until_true 30 progress_shows m
	workers=$(children "$pid")
	while kill -INT "$pid" 2>/dev/null && ! processes_ended "$pid"; do :; done
	wait_for_exit
	check "thread=$thread, many signals: the document is complete" json result/r.json ".fiord.exit.code == $rc"
	check "thread=$thread, many signals: no temporary file is left" same "$(ls result)" r.json
	# shellcheck disable=SC2086
	check "thread=$thread, many signals: no process is left" until_true 10 processes_ended $workers
	rm -f result/* data/*
done

env --ignore-signal=HUP "$FIORD" --name=x --ioengine=null --size=1g --rw=read --runtime=1 --time_based --rate_iops=100 \
	--eta=always --eta-interval=250 >out 2>err </dev/null &
pid=$!
until_true 30 progress_shows R
kill -HUP "$pid"
wait_for_exit
check "SIGHUP does not end a run that ignores it (nohup)" exits 0
finish
