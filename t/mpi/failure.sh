#!/bin/sh
# What remains when a rank fails? Ranks, workers and the launcher get signals while the jobs run, a file system is full, and a
# host has another version. The run always ends by itself, its status is not 0, stderr names the cause, and the results of the other
# ranks are in a document. A stopped process stands for a device or a host that hangs.
# failure.sh FIORD FIORD_MPI LAUNCHER...
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
# mpirun leaves the ranks 3 s, not 1 s, to write: the machine may be busy.
export OMPI_MCA_odls_base_sigkill_timeout=3
cd "$dir" || exit 1
host=$(hostname)

# The files appear with the first I/O. The ranks fail, or get their signals, long before the jobs end by themselves.
cat >job.fio <<'EOF'
[w]
rw=write
filename=written.${RANK}
size=64k
create_on_open=1
loops=1000000
rate_iops=200
EOF

# For ranks that go on when another one has failed. By then the test has found a process and sent it a signal.
sed 's/^loops.*/time_based\nruntime=8/' job.fio >short.fio

# ---- ranks that never start: their runs go on beside those below, and are checked at the end ----

# beside NAME COMMAND...: starts a rank that runs jobs, and another program, in a directory of their own.
beside() {
	mkdir "$1" && cp job.fio "$1"
	# shellcheck disable=SC2086
	(name=$1 && shift && cd "$name" && mkfifo fifo &&
		FIORD_TEST_RUN="$dir/$name" timeout 400 $launcher -n 1 "$fiord_mpi" job.fio : -n 1 "$@" >out 2>err </dev/null
		echo $? >"$dir/$name.rc") &
}

export FIORD_RANK_TIMEOUT=1
beside reads "$fiord_mpi" fifo
reads=$!
beside sleeps sleep 300
sleeps=$!

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
	env --default-signal=INT timeout 300 $launcher -n 3 "$fiord_mpi" "$@" "${job:-job.fio}" >out 2>err </dev/null &
	pid=$!
	until_true 200 all_write || echo "# not all ranks have begun to write"
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

# ---- workers and ranks ----

# Rank 0 waits a sixth of it for the results of the others when the run has ended early.
export FIORD_RANK_TIMEOUT=24
job=short.fio
launch --output-format=json+ --output=all.json
kill -KILL "$(children "$(rank_pid 1)" | head -n 1)"
check "a worker is killed: the run fails" ends
check "... all ranks are in the result, also the killed worker" ios all.json 3
check "... the code is 1" code all.json 1
check "... the signal is named" says err "killed by signal 9"

launch --output-format=json+ --output=all.json
kill -STOP "$(children "$(rank_pid 1)" | head -n 1)"
check "a worker hangs: the run fails" ends
check "... its I/Os are in the result" ios all.json 3
check "... the rank is named" note "(rank 1): the jobs took far longer than their runtime"

# Jobs that verify, that sync at their end or that have no runtime may take any time, but not without an I/O.
FIORD_RANK_TIMEOUT=8
sed '$a verify=crc32c' short.fio >verify.fio
job=verify.fio
launch --output-format=json+ --output=all.json
kill -STOP "$(children "$(rank_pid 1)" | head -n 1)"
check "a worker of a job that verifies hangs: the run fails" ends
check "... its I/Os are in the result" ios all.json 3
check "... the rank is named" note "(rank 1): no I/O of the jobs has completed for"
FIORD_RANK_TIMEOUT=24
job=

launch --output-format=json+ --output=all.json
stopped=$(rank_pid 1)
kill -STOP "$stopped"
check "a rank hangs: the run fails" ends
check "... the others are in the result, also the rank after it" ios all.json 2
check "... the rank is named" says err "(rank 1) has sent no heartbeat for"
check "... also in the document" note "(rank 1): its result has not arrived"
kill -KILL "$stopped" 2>kill.err || :

launch
stopped=$(rank_pid 0)
kill -STOP "$stopped"
check "rank 0 hangs: the run fails" ends
check "... the others save their results" ios "$(document fiord-mpi 1)" 1
check "... and name rank 0" says err "$host (rank 0) does not answer any more"
kill -KILL "$stopped" 2>kill.err || :

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

FIORD_RANK_TIMEOUT=1
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

# ---- the runs beside them ----

# has_failed NAME PID: the run has ended by itself, and has failed.
has_failed() {
	wait "$2"
	rc=$(cat "$1.rc")
	cp "$1/out" "$1/err" .
	[ "$rc" != 0 ] && [ "$rc" != 124 ]
}
check "a rank hangs while it reads its jobs: the run fails" has_failed reads "$reads"
check "... the rank is named" says err "(rank 1) has not finished"
check "... nothing is touched" absent reads/written.0
check "a rank does not start: the run fails" has_failed sleeps "$sleeps"
check "... and says why, not before a slow start has had its time" says err \
	"MPI_Init has not returned within 60 s: some rank has not started"
finish
