#!/bin/sh
# Does a rank alone end when its worker hangs, and does it go on where its options ask for a pause that is longer than the limit?
# pauses.sh FIORD FIORD_MPI LAUNCHER...
. "$(dirname "$0")/failing_ranks.sh"

# A rank alone; mpirun's own daemon may be its child as well. Pauses of its options are longer than the limit of 4 s.
worker_of() {
	for p in $(children "$1"); do
		[ "$(cat /proc/"$p"/comm)" != orted ] && echo "$p"
	done
}

alone() { # ARG...
	rm -f ./*.json written.*
	timeout 100 "$fiord_mpi" --output-format=json --output=all.json --name=w --size=64k "$@" >out 2>err </dev/null &
	pid=$!
}

export FIORD_RANK_TIMEOUT=1
for without_end in --loops=1000000 "--end_fsync=1 --runtime=2 --time_based" "--loops=1000000 --thread=1"; do
	# shellcheck disable=SC2086
	alone --rw=write --filename=written.0 --create_on_open=1 --rate_iops=200 $without_end
	until_true 30 [ -s written.0 ] || echo "# the rank has not begun to write"
	kill -STOP "$(worker_of "$(children "$pid")")"
	check "$without_end: a worker hangs: the run fails" ends
	check "... and says so" says err "no I/O of the jobs has completed for"
	check "... its I/Os are in the result" ios all.json 1
done
for pause in "--exec_postrun=sleep\ 6" --thinktime=6s --startdelay=6 "--rate=10k --bs=64k" "--ioengine=exec --program=sleep --arguments=6"; do
	eval "alone --ioengine=null --rw=read $pause"
	wait_for_exit
	check "$pause: a pause that was asked for is no failure" exits 0
done
finish
