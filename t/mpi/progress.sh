#!/bin/sh
# Does rank 0 show all ranks: in one progress line, also after its own jobs have ended, and in each status? Does it name a
# silent rank? Expected figures are the rates of the jobs, and sums.
# progress.sh FIORD FIORD_MPI LAUNCHER...
. "$SOURCE/t/lib.sh"
fiord_mpi=$(realpath "$2")
shift 2
requires "$1" jq
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_orte_tmpdir_base="$dir"
# No rank counts as lost here, and mpirun leaves the ranks 3 s, not 1 s, to write: the machine may be busy.
export FIORD_RANK_TIMEOUT=600 OMPI_MCA_odls_base_sigkill_timeout=3
cd "$dir" || exit 1
mkdir tmp
host=$(hostname)
job="--ioengine=null --size=1g --rw=randread --time_based --rate_iops=1000"

# line TEXT: the progress line of rank 0 has shown this.
line() {
	tr '\r' '\n' <err | grep -qF -- "$1"
}

# begin LAUNCH...: starts ranks in the background, with $pid; stdout and stderr go to out and err.
begin() {
	: >err
	env --default-signal=INT "$@" >out 2>err </dev/null &
	pid=$!
}

# The ranks of the second program run longer than rank 0.
# shellcheck disable=SC2086
begin env TMPDIR="$dir/tmp" "$@" -n 1 "$fiord_mpi" --eta=always --status-interval=1 --output-format=json --output=all.json \
	--name=a $job --runtime=5 : -n 2 "$fiord_mpi" --output=all.json --name=b $job --runtime=12
check "one line has the jobs of all ranks" until_true 200 line "0-3000 IOPS: [r(3)]"
check "... and the states of the ranks" until_true 200 line "[3 ranks: 3 running]"
touch tmp/fiord-dump-status
check "the line goes on when the jobs of rank 0 have ended" until_true 200 line "[3 ranks: 2 running, 1 done]"
wait "$pid"
rc=$?
check "the ranks end together" exits 0
# Each status has the entries of all ranks and their sum.
check "each status is of all ranks" json all.json '.fiord.status | length > 1 and all(.[]; [.jobs[].hostname] ==
	["'"$host.0"'", "'"$host.1"'", "'"$host.2"'", null] and .jobs[-1].jobname == "All clients" and
	(.jobs[:-1] | map(.read.total_ios) | add) == .jobs[-1].read.total_ios)'
check "... and says when the last rank will end" json all.json '.fiord.status | all(.[]; .eta <= 12)'
check "... also when the jobs of rank 0 have ended" json all.json \
	'.client_stats[0].read.total_ios as $all | .fiord.status | any(.[]; .jobs[0].read.total_ios == $all)'
check "rank 0 answers a dump-status file for all" json all.json '[.fiord.status[].by] | contains(["file"])'

# The parent process of rank 1 is stopped and sends nothing, while its worker goes on.
# shellcheck disable=SC2086,SC2016
begin "$@" -n 1 "$fiord_mpi" --eta=always --status-interval=1 --output-format=json --output=silent.json --name=a $job --runtime=1000 : \
	-n 1 sh -c 'echo $$ >parent; exec "$0" "$@"' "$fiord_mpi" --output=silent.json --name=a $job --runtime=1000
check "two ranks run" until_true 200 line "[2 ranks: 2 running]"
stopped=$(cat parent)
kill -STOP "$stopped"
check "a silent rank is named" until_true 200 grep -q "fiord-mpi: $host (rank 1) has sent no heartbeat for [0-9]* s" err
check "... in the line, too" until_true 200 line "1 running, silent: $host (rank 1) for"
kill -CONT "$stopped"
check "... until it is heard from again" until_true 200 grep -q "fiord-mpi: $host (rank 1) has sent a heartbeat again" err
kill -INT "$pid"
wait "$pid"
check "... and the result has a note" json silent.json \
	'[.fiord.notes[] | select(contains("(rank 1) has sent no heartbeat for"))] | length == 1'
# A status waits ten seconds for an answer. One more status waits for the first; the others are counted.
check "statuses wait for the silent rank" json silent.json \
	'(.fiord.status | map(.jobs | length) | sort | unique) - [2, 3] == [] and any(.fiord.status[]; .jobs | length == 3)'
check "... and those that cannot are noted" json silent.json '.fiord.notes | any(.[]; contains("--status-interval: "))'
finish
