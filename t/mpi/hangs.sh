#!/bin/sh
# Does a run end when a rank hangs? A stopped process stands for a device or a host that hangs; and ranks may never start. The run ends by
# itself, its status is not 0, the rank is named, and the results of the others are in a document.
# hangs.sh FIORD FIORD_MPI LAUNCHER...
. "$(dirname "$0")/failing_ranks.sh"

# ---- ranks that never start: their runs go on beside those below, and are checked at the end ----

# beside NAME COMMAND...: starts a rank that runs jobs, and another program, in a directory of their own.
beside() {
	mkdir "$1" && cp job.fio "$1"
	# shellcheck disable=SC2086
	(name=$1 && shift && cd "$name" && mkfifo fifo &&
		FIORD_TEST_RUN="$dir/$name" OMPI_MCA_orte_tmpdir_base="$dir/$name" timeout 400 $launcher -n 1 "$fiord_mpi" job.fio : -n 1 "$@" >out 2>err </dev/null
		echo $? >"$dir/$name.rc") &
}

export FIORD_RANK_TIMEOUT=1
beside reads "$fiord_mpi" fifo
reads=$!
beside sleeps sleep 300
sleeps=$!

# ---- workers and ranks ----

# Rank 0 waits a sixth of it for the results of the others when the run has ended early.
export FIORD_RANK_TIMEOUT=24
job=short.fio
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
