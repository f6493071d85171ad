# failing_ranks.sh: sourced by scripts whose ranks, workers and launcher get signals while they run jobs.
# failing_ranks.sh FIORD FIORD_MPI LAUNCHER...
# shellcheck shell=sh
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
# Runs that begin at the same time fail when Open MPI makes the same directory for both.
export OMPI_MCA_orte_tmpdir_base="$dir"
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
