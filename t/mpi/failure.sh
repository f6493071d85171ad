#!/bin/sh
# What remains when a rank fails? Ranks, workers and the launcher get signals while the jobs run, a file system is full, and a
# host has another version. The run always ends by itself, its status is not 0, stderr names the cause, and the results of the other
# ranks are in a document. A stopped process stands for a device or a host that hangs.
# failure.sh FIORD FIORD_MPI LAUNCHER...
[ "${MPI_HOSTS:-}" = 1 ] || { echo "skipped: MPI_HOSTS=1 runs it"; exit 77; }
FIORD=$(realpath "$1") fiord_mpi=$(realpath "$2")
SOURCE=$(realpath "$(dirname "$0")/../..")
shift 2
. "$SOURCE/t/lib.sh"
requires "$1" jq timeout
case ${1##*/} in
mpirun*) mpirun=yes ;;
*) mpirun= ;;
esac
launcher=$*
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 FIORD_TEST_RUN="$dir"
cd "$dir" || exit 1

# The files appear with the first I/O.
cat >job.fio <<'EOF'
[w]
rw=write
filename=written.${RANK}
size=64k
create_on_open=1
time_based
runtime=3
rate_iops=200
EOF

# No runtime bounds these jobs.
sed 's/^time_based/loops=1000000/; /^runtime/d' job.fio >endless.fio

# in_rank NUMBER PID: the process belongs to this rank of this test.
in_rank() {
	tr '\0' '\n' 2>/dev/null <"/proc/$2/environ" | grep -cxE "FIORD_TEST_RUN=$dir|(OMPI_COMM_WORLD_RANK|PMI_RANK)=$1" | grep -qx 2
}

# rank_pid NUMBER: prints the process of a rank, which is no child of another process of the rank.
rank_pid() {
	for p in $(pgrep -f "^$fiord_mpi"); do
		if in_rank "$1" "$p" 2>/dev/null && ! in_rank "$1" "$(parent_of "$p")" 2>/dev/null; then
			echo "$p"
		fi
	done
}

all_write() {
	[ -s written.0 ] && [ -s written.1 ] && [ -s written.2 ]
}

# launch ARG...: starts three ranks, and waits until all of them do I/O.
launch() {
	rm -f ./*.json written.*
	# shellcheck disable=SC2086
	env --default-signal=INT timeout 100 $launcher -n 3 "$fiord_mpi" "$@" "${job:-job.fio}" >out 2>err </dev/null &
	pid=$!
	until_true 60 all_write || echo "# not all ranks have begun to write"
}

# ends: the program has ended by itself, and has failed.
ends() {
	wait_for_exit
	[ "$rc" != 0 ] && [ "$rc" != 124 ]
}

# ios DOCUMENT COUNT: the document has this number of entries with I/Os, without the sum, and their sum is exact.
ios() {
	jq -e --argjson n "$2" '(.client_stats // .jobs) | map(select(.jobname == "w").write.total_ios) as $i
		| ($i | length == $n and all(. > 0)) and (map(select(.jobname == "All clients").write.total_ios) | . == [] or . == [$i | add])
		' "$1" >jq.out
}

# code DOCUMENT CODE
code() {
	jq -e --argjson code "$2" '.fiord.exit.code == $code' "$1" >jq.out
}

note() { # TEXT
	jq -e --arg text "$1" '.fiord.notes | any(contains($text))' all.json >jq.out
}

# errors LIST: the ranks with an error, and whether it is that of a full file system.
errors() {
	jq -e --argjson list "$1" '[.fiord.hosts[] | select(.error) | [.rank, (.error | contains("ENOSPC"))]] == $list' all.json >jq.out
}

no_advice() {
	jq -e '.fiord.exit.code == 0 and (.fiord.notes | any(contains("fiord-mpirun")) | not)' all.json >jq.out
}

document() { # STEM RANK
	echo "$1".*."$2".json
}

launch --output-format=json+ --output=all.json
kill -KILL "$(children "$(rank_pid 1)" | head -n 1)"
check "a worker is killed: the run fails" ends
check "... all ranks are in the result, also the killed worker" ios all.json 3
check "... the code is 1" code all.json 1
check "... the signal is named" says err "killed by signal 9"

export FIORD_RANK_TIMEOUT=12
launch --output-format=json+ --output=all.json
kill -STOP "$(children "$(rank_pid 1)" | head -n 1)"
check "a worker hangs: the run fails" ends
check "... its I/Os are in the result" ios all.json 3
check "... the rank is named" note "(rank 1): the jobs took far longer than their runtime"

launch --output-format=json+ --output=all.json
stopped=$(rank_pid 2)
kill -STOP "$stopped"
check "a rank hangs: the run fails" ends
check "... the others are in the result" ios all.json 2
check "... the rank is named" says err "(rank 2) was not heard from for"
check "... also in the document" note "(rank 2): its result has not arrived"
kill -KILL "$stopped" 2>kill.err || :

job=endless.fio
launch --output-format=json+ --output=all.json
stopped=$(rank_pid 1)
kill -STOP "$stopped"
check "a rank hangs in jobs without runtime: the run fails" ends
check "... the others are in the result" ios all.json 2
check "... the rank is named" says err "(rank 1) was not heard from for"
kill -KILL "$stopped" 2>kill.err || :

launch
stopped=$(rank_pid 0)
kill -STOP "$stopped"
check "rank 0 hangs: the run fails" ends
check "... the others save their results" ios "$(document fiord-mpi 1)" 1
check "... and name rank 0" says err "$(hostname) (rank 0) does not answer any more"
kill -KILL "$stopped" 2>kill.err || :
job=

# pair COMMAND...: one rank that runs jobs, and another program beside it.
pair() {
	rm -f ./*.json written.*
	# shellcheck disable=SC2086
	timeout 100 $launcher -n 1 "$fiord_mpi" job.fio : -n 1 "$@" >out 2>err </dev/null &
	pid=$!
}

export FIORD_RANK_TIMEOUT=4
mkfifo fifo
pair "$fiord_mpi" fifo
check "a rank hangs while it reads its jobs: the run fails" ends
check "... the rank is named" says err "(rank 1) has not finished"
check "... nothing is touched" absent written.0
pair sleep 90
check "a rank does not start: the run fails" ends
check "... and says why" says err "MPI_Init has not returned within 8 s: some rank has not started"
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
pair ./copy job.fio
check "two versions: the run fails" ends
check "... the host and both versions are named" says err "(rank 1) runs fiord-mpi $other, and $(hostname) (rank 0) runs fiord-mpi $version"
check "... nothing is touched" absent written.0 written.1

# Keep-alives: the second rank has another host name.
if [ "$mpirun" ] && [ "$(id -u)" = 0 ] && unshare --uts true 2>unshare.err; then
	echo 'hostname other; exec "$@"' >on_other_host
	pair_on_hosts() { # LAUNCHER...
		rm -f ./*.json
		"$@" -n 1 "$fiord_mpi" --output-format=json --output=all.json job.fio : \
			-n 1 unshare --uts sh on_other_host "$fiord_mpi" job.fio >out 2>err </dev/null
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
	sed 's/^filename.*/filename=full.${RANK}\/f/; s/^size.*/size=1m/; s/^rate_iops.*/rate_iops=2000/' job.fio >full.fio
	rm -f ./*.json
	# shellcheck disable=SC2086
	timeout 100 $launcher -n 3 "$fiord_mpi" --output-format=json+ --output=all.json full.fio >out 2>err </dev/null &
	pid=$!
	check "a file system is full: the run fails" ends
	check "... all ranks are in the result" ios all.json 3
	check "... the error is named" errors '[[1, true]]'
else
	skip "a full file system" "no tmpfs can be mounted"
fi
finish
