#!/bin/sh
# A worker that cannot end (here: stopped) holds nobody up: a second SIGINT stops waiting, and the document so far is
# written. One that is stopped and continued has done all its I/O.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
threads=

stopped() { # PID...: with all threads
	for p in "$@"; do
		for t in /proc/"$p"/task/*/stat; do
			[ "$(sed -n 's/^.*) \([A-Za-z]\) .*/\1/p' "$t")" = T ] || return 1
		done
	done
}

for thread in 0 1; do
	start --name=x --filename=file --size=1m --rw=randread --runtime=600 --time_based --numjobs=2 --thread=$thread \
		--rate_iops=2000 --eta=always --eta-interval=250 --output-format=json --output=result.json
	check "thread=$thread: it runs" until_true 30 progress_shows r
	workers=$(children "$pid")
	# shellcheck disable=SC2086
	kill -STOP $workers
	# shellcheck disable=SC2086
	check "thread=$thread: its workers are stopped" until_true 10 stopped $workers
	kill -INT "$pid"
	check "thread=$thread: it takes the first SIGINT" until_true 10 no_pending_signal "$pid"
	check "thread=$thread: after one SIGINT it waits" kill -0 "$pid"
	kill -INT "$pid"
	wait_for_exit
	check "thread=$thread: after the second it ends" exits 130
	check "... with a document" json result.json '(.jobs | length) == 2 and .fiord.interrupted_by == 2 and
		.fiord.exit.all == [130] and ([.jobs[].fiord.lost] | all(test("killed")))'
	check "... that has the counts so far" json result.json '[.jobs[].read.total_ios] | add > 0'
	# shellcheck disable=SC2086
	check "... and takes its workers with it" until_true 10 processes_ended $workers
	rm -f result.json
done
finish
