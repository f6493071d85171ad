#!/bin/sh
# Do several ranks on this machine behave as one run? Sums are exact, the merge of the ranks' documents has the same bins, one
# refusal stops all ranks before anything is touched, and programs with different jobs and numbers of waves work together.
# ranks.sh FIORD FIORD_MPI LAUNCHER...
. "$SOURCE/t/lib.sh"
fiord_mpi=$(realpath "$2")
shift 2
requires "$1" jq
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_orte_tmpdir_base="$dir"
cd "$dir" || exit 1

# sums DOCUMENT: the last entry is the sum of the others, and its bins have all I/Os.
sums() {
	jq -e '.client_stats as $e | ($e[:-1] | map(.read.total_ios) | add) as $ios | $ios > 0 and $e[-1].jobname == "All clients"
		and $e[-1].read.total_ios == $ios and ($e[-1].read.clat_ns.bins | add) == $ios' "$1" >/dev/null
}

same_bins() {
	jq -es '(.[0].client_stats[-1].read.clat_ns | .bins, .mean, .stddev) as $a |
		[.[].client_stats[-1].read.clat_ns | [.bins, .percentile]] | .[0] == .[1]' "$1" "$2" >/dev/null
}

cat >job.fio <<'END'
[global]
ioengine=null
size=1m
[a]
description=rank ${RANK} of ${NRANKS} on ${HOST}
rw=randread
[b]
stonewall
rw=read
END
"$@" -n 4 "$fiord_mpi" --output-format=json+ --output=all.json job.fio
check "the sum of 4 ranks is exact" sums all.json
check "each rank is listed, by number, with its start and its end" json all.json '.fiord.hosts | map(.rank) == [0, 1, 2, 3] and
	all(.exit == 0 and (.waves | length) == 2 and .done_ns > 0 and
	.waves[1].start_ns > .waves[0].took_ns)'
check "its entries have the name of the rank" json all.json '[.fiord.hosts[] | .hostname, .hostname] + ["All clients"] ==
	[.client_stats[].hostname]'
check "the I/Os of the ranks are those of all clients" json all.json '(.fiord.hosts | map(.total_ios) | add) ==
	.client_stats[-1].read.total_ios'
check "each rank has its variables" json all.json '[.client_stats[].desc | select(. != null) | split(" ")[1]] | sort == ["0", "1", "2", "3"]'
"$FIORD" merge all.*.json >merged.json
check "fiord merge makes the same bins of the ranks' documents" same_bins all.json merged.json
check "fiord merge makes the same list of ranks" same "$(value all.json .fiord.hosts)" "$(value merged.json .fiord.hosts)"
"$FIORD" report all.json -o all.html
check "a page lists the ranks" grep -q 'was done last, after' all.html
"$FIORD" merge --output-format=normal all.json >all.txt
check "the text lists the ranks" grep -q '^Hosts (4 ranks):' all.txt
check "fiord compare pairs the entries of each rank" sh -c '"$0" compare --force all.json merged.json | grep -q "a@$1.3"' "$FIORD" "$(hostname)"

# same_work A B: the figures that do not depend on time are equal.
same_work() {
	jq -es 'map((.client_stats // .jobs)[-1] | [.read.total_ios, .read.io_bytes, (.read.clat_ns.bins | add), .iodepth_level,
		.iodepth_submit]) | .[0] == .[1] and .[0][0] > 0' "$1" "$2" >/dev/null
}
work="--name=w --ioengine=null --iodepth=4 --size=8m --rw=randread --output-format=json+"
# shellcheck disable=SC2086
"$@" -n 4 "$fiord_mpi" $work --output=ranks.json
# shellcheck disable=SC2086
"$FIORD" $work --numjobs=4 --group_reporting --output=jobs.json
check "4 ranks do the work of one rank with 4 times the jobs" same_work ranks.json jobs.json

cat >one.fio <<'END'
[writes]
rw=write
size=64k
filename=written.${RANK}
[needs]
rw=read
size=64k
filename=present.${RANK}
allow_file_create=0
END
head -c 65536 /dev/zero >present.0
rc=0
"$@" -n 2 "$fiord_mpi" one.fio >refused.out 2>&1 || rc=$?
check "a refusal of one rank fails all" test "$rc" != 0
check "the refusal names the rank and the file" grep -q '(rank 1): .*present.1: does not exist' refused.out
check "nothing was touched" test ! -e written.0 -a ! -e written.1

"$@" -n 1 "$fiord_mpi" --output-format=json+ --output=mixed.json job.fio : \
	-n 2 "$fiord_mpi" --output-format=json+ --output=mixed.json --name=c --ioengine=null --size=1m --rw=read
check "programs with 2 waves and 1 wave end together" sums mixed.json
check "each program runs its own jobs" json mixed.json '[.client_stats[].jobname] == ["a", "b", "c", "c", "All clients"]'

# The second rank fails.
cat >error.fio <<'END'
[a]
ioengine=null
size=1m
rw=read
exec_prerun=test ${RANK} != 1
END
rc=0
"$@" -n 2 "$fiord_mpi" --output-format=json --output=error.json error.fio 2>error.err || rc=$?
check "an error of one rank fails the run" test "$rc" != 0
check "stderr names the host and the rank of the error" grep -q "^fiord-mpi: $(hostname) (rank 1): a: " error.err
check "the document names them" json error.json '.fiord.hosts[1].exit != 0 and (.fiord.hosts[1].error | startswith("a: ")) and
	(.fiord.hosts[0] | has("error") | not) and (.client_stats[2].fiord.error_text | startswith("'"$(hostname)"'.1: "))'

# The examples, with small files.
head -c 2097152 /dev/zero >large.dat
small="--set directory=$dir --set size=1m --set direct=0"
# shellcheck disable=SC2086
check "examples/mpi/per-rank.ini gives each rank its own file" sh -c '"$@" | grep -c "fiord\.[01]\.dat (missing)"' sh \
	"$@" -n 2 "$fiord_mpi" check $small "$SOURCE/examples/mpi/per-rank.ini"
# shellcheck disable=SC2086
check "examples/mpi/shared-file.ini lets all ranks read one file" "$@" -n 2 "$fiord_mpi" check $small --set rank_offset_increment=1m \
	"$SOURCE/examples/mpi/shared-file.ini"
finish
