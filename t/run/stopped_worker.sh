#!/bin/sh
# Does a worker that cannot end (here: stopped) delay the end of the run? A second SIGINT must stop the waiting and write the
# document so far.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
threads=

stopped() { # PID...: all their threads are stopped
	for p in "$@"; do
		for t in /proc/"$p"/task/*/stat; do
			[ "$(sed -n 's/^.*) \([A-Za-z]\) .*/\1/p' "$t")" = T ] || return 1
		done
	done
}

for thread in 0 1; do
	start --name=x --filename=file --size=1m --rw=randread --runtime=600 --time_based --numjobs=2 --thread=$thread \
		--rate_iops=2000 --eta=always --eta-interval=250 --output-format=json --output=result.json
	check "thread=$thread: the job runs" until_true 30 progress_shows r
	workers=$(children "$pid")
	# shellcheck disable=SC2086
	kill -STOP $workers
	# shellcheck disable=SC2086
	check "thread=$thread: its workers are stopped" until_true 10 stopped $workers
	kill -INT "$pid"
	check "thread=$thread: the run receives the first SIGINT" until_true 10 no_pending_signal "$pid"
	check "thread=$thread: ... and waits for its workers" kill -0 "$pid"
	one_of_three sigint_ends_run
	wait_for_exit
	check "thread=$thread: the second SIGINT ends the run" exits 130
	check "... with a complete document" json result.json '(.jobs | length) == 2 and .fiord.interrupted_by == 2 and
		.fiord.exit.all == [130] and ([.jobs[].fiord.lost] | all(test("killed")))'
	check "... that has the counts so far" json result.json '[.jobs[].read.total_ios] | add > 0'
	# shellcheck disable=SC2086
	check "... and no worker is left" until_true 10 processes_ended $workers
	rm -f result.json
done
finish
