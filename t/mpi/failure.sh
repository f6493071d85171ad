#!/bin/sh
# What remains when a rank fails? Ranks, workers and the launcher get signals while the jobs run, a file system is full, and a
# host has another version. The run always ends by itself, its status is not 0, stderr names the cause, and the results of the other
# ranks are in a document. hangs.sh stops them.
# failure.sh FIORD FIORD_MPI LAUNCHER...
. "$(dirname "$0")/failing_ranks.sh"

# Rank 0 waits a sixth of it for the results of the others when the run has ended early.
export FIORD_RANK_TIMEOUT=24
job=short.fio
launch --output-format=json+ --output=all.json
kill -KILL "$(children "$(rank_pid 1)" | head -n 1)"
check "a worker is killed: the run fails" ends
check "... all ranks are in the result, also the killed worker" ios all.json 3
check "... the code is 1" code all.json 1
check "... the signal is named" says err "killed by signal 9"
job=
unset FIORD_RANK_TIMEOUT

# MPICH's launcher kills the other ranks at once when one is killed, so nothing can be written.
if [ "$mpirun" ]; then
	launch --output-format=json+ --output=all.json
	kill -KILL "$(rank_pid 1)"
	check "a rank is killed: the run fails" ends
	check "... the others are in the result" ios all.json 2
	check "... each of them has its document" ios "$(document all 2)" 1
	check "... the rank is named" note "(rank 1): its result has not arrived"

	launch
	kill -KILL "$(rank_pid 0)"
	check "rank 0 is killed without --output: the run fails" ends
	check "... the others save their results" ios "$(document fiord-mpi 1)" 1
	"$FIORD" merge fiord-mpi.*.json >all.json
	check "... and fiord merge reads them" ios all.json 2
fi

launch --output-format=json+ --output=all.json
kill -INT "$(children "$pid")"
check "SIGINT to the launcher: the run fails" ends
check "... all ranks are in the result" ios all.json 3
check "... each has its document" ios "$(document all 1)" 1

launch --output-format=json+ --output=all.json
kill -TERM "$(rank_pid 1)"
check "SIGTERM to one rank ends the run of all" ends
check "... with all results" ios all.json 3
check "... and the code of the signal" code all.json 143

# A program of another version: the copy has another number.
version=$("$FIORD" --version | sed 's/^fiord \([^ ]*\).*/\1/')
other=${version%?}x
sed "s/fiord-mpi $version/fiord-mpi $other/" "$fiord_mpi" >copy
chmod +x copy
rm -f written.*
# shellcheck disable=SC2086
timeout 300 $launcher -n 1 "$fiord_mpi" short.fio : -n 1 ./copy short.fio >out 2>err </dev/null &
pid=$!
check "two versions: the run fails" ends
check "... the host and both versions are named" says err "(rank 1) runs fiord-mpi $other, and $host (rank 0) runs fiord-mpi $version"
check "... nothing is touched" absent written.0 written.1

# Keep-alives: the second rank has another host name.
if [ "$mpirun" ] && [ "$(id -u)" = 0 ] && unshare --uts true 2>unshare.err; then
	echo 'hostname other; exec "$@"' >on_other_host
	null="--name=a --ioengine=null --size=1m"
	# shellcheck disable=SC2086
	pair_on_hosts() { # LAUNCHER...
		rm -f ./*.json
		"$@" -n 1 "$fiord_mpi" --output-format=json --output=all.json $null : \
			-n 1 unshare --uts sh on_other_host "$fiord_mpi" $null >out 2>err </dev/null
		rc=$?
	}
	# shellcheck disable=SC2086
	HOME=$dir pair_on_hosts $launcher
	check "two hosts and no keep-alives: the document advises fiord-mpirun" note "use fiord-mpirun in its place"
	check "... the run is good" exits 0
	shift
	HOME=$dir FIORD_MPIRUN=${launcher%% *} pair_on_hosts "$SOURCE/src/dist/fiord-mpirun.sh" "$@"
	check "fiord-mpirun sets them" no_advice
else
	skip "keep-alives" "no mpirun, or host names cannot be set"
fi

# One rank fails at its I/O.
if [ "$(id -u)" = 0 ] && mkdir full.1 && mount -t tmpfs -o size=64k none full.1 2>mount.err; then
	cleanup() {
		umount "$dir/full.1"
	}
	mkdir full.0 full.2
	sed 's/^filename.*/filename=full.${RANK}\/f/; s/^size.*/size=1m/; s/^rate_iops.*/rate_iops=2000/; s/^loops.*/loops=1/' job.fio >full.fio
	rm -f ./*.json
	# shellcheck disable=SC2086
	timeout 300 $launcher -n 3 "$fiord_mpi" --output-format=json+ --output=all.json full.fio >out 2>err </dev/null &
	pid=$!
	check "a file system is full: the run fails" ends
	check "... all ranks are in the result" ios all.json 3
	check "... the error is named" errors '[[1, true]]'
else
	skip "a full file system" "no tmpfs can be mounted"
fi
finish
