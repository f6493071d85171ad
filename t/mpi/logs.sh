#!/bin/sh
# Does each rank have its own logs and other files, can fiord read them, and do logs and series of all ranks use the clock of rank 0?
# logs.sh FIORD FIORD_MPI LAUNCHER...; $LATE_CLOCK is a library that sets the wall clock back by an hour.
. "$SOURCE/t/lib.sh"
fiord_mpi=$(realpath "$2")
shift 2
requires "$1" jq
[ "$SANITIZE" = none ] || skip_all "the library of the sanitizer must be loaded before any other"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_orte_tmpdir_base="$dir"
cd "$dir" || exit 1
host=$(hostname)

# all EXPECTED FILE...: the files, and no others, exist.
all() {
	expected=$1
	shift
	[ "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" = "$expected " ]
}

# has_jobs: the table of the logs has the job of each rank.
has_jobs() {
	says read.csv "run.1.$host.0" && says read.csv "run.1.$host.1"
}

cat >job.fio <<'END'
[a]
ioengine=null
rw=randread
size=1g
time_based
runtime=1
write_lat_log=run
write_bw_log=run
log_avg_msec=100
log_unix_epoch=1
exec_prerun=echo ${RANK}
[b]
ioengine=psync
filename=b.${RANK}
rw=write
size=1m
verify=crc32c
verify_state_save=1
[c]
ioengine=exec
program=/bin/echo
arguments=hello
END
"$@" -n 1 "$fiord_mpi" --bandwidth-log --output-format=json+ --output=all.json job.fio : \
	-n 1 env LD_PRELOAD="$LATE_CLOCK" "$fiord_mpi" --bandwidth-log --output-format=json+ --output=all.json job.fio >out 2>err
rc=$?
check "two ranks on one host run" exits 0
check "each rank has its own logs" all "run_lat.1.log.$host.0 run_lat.1.log.$host.1" run_lat.*
check "... of the whole run, too" all "agg-read_bw.log.$host.0 agg-read_bw.log.$host.1" agg-read_bw.log*
check "each rank has its own output of commands" all "0 1" $(cat a.prerun.txt."$host".0 a.prerun.txt."$host".1)
check "each rank has its own verify state" all "local-b-0-verify.state.$host.0 local-b-0-verify.state.$host.1" local-b-*
check "each rank has its own output of programs" all "c.stdout.$host.0 c.stdout.$host.1" c.stdout*

# All ranks find the same damage in one file.
head -c 4096 /dev/zero >zeros
"$@" -n 2 "$fiord_mpi" --name=d --filename=zeros --rw=read --verify=crc32c --verify_dump=1 >out 2>err
check "each rank has its own copy of a damaged block" all "zeros.0.received.$host.0 zeros.0.received.$host.1" zeros.0.received*

# clocks_agree: the first times of both logs, ms since 1970, are less than a minute apart. The clock of rank 1 is an hour late.
clocks_agree() {
	a=$(head -n 1 "run_lat.1.log.$host.0" | cut -d , -f 1)
	b=$(head -n 1 "run_lat.1.log.$host.1" | cut -d , -f 1)
	[ "$a" -gt 1600000000000 ] && [ $((a - b)) -lt 60000 ] && [ $((b - a)) -lt 60000 ]
}
check "the logs have the wall clock of rank 0" clocks_agree
check "the series of both ranks have the clock of rank 0" json all.json \
	'[.. | objects | select(has("start_ms"))] | length > 0 and (map(.start_ms) | max - min < 60000)'

# The clock of this rank began a day before that of the machine.
early="unshare --time --monotonic 86400 --boottime 86400"
if $early true 2>/dev/null; then
	job="--name=e --ioengine=null --size=1g --rw=randread --time_based --runtime=1 --output-format=json+ --output=early.json"
	# shellcheck disable=SC2086
	timeout 100 "$@" -n 1 "$fiord_mpi" $job : -n 1 $early "$fiord_mpi" $job >out 2>err
	rc=$?
	check "ranks start together though their clocks began at different times" json early.json \
		'[.fiord.hosts[].start_late_ns] | length == 2 and max < 60e9'
	check "... and their series do" json early.json \
		'[.. | objects | select(has("start_ms"))] | length > 0 and (map(.start_ms) | max - min < 60000)'
else
	skip "ranks whose clocks began at different times" "unshare --time does not work here"
fi

"$FIORD" report --csv run_lat.1.log."$host".? run_bw.1.log."$host".? >read.csv 2>err
rc=$?
check "fiord report reads the logs of both ranks" exits 0
check "... as jobs of one run" has_jobs
finish
