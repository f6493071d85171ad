#!/bin/sh
# Logs of single I/Os say what the result says, whatever ends the run.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
json="--output-format=json --eta=never"

# column N FILE...: of direction $dir_no, all if that is empty
dir_no=
column() {
	n=$1
	shift
	cat "$@" | awk -F', ' -v n="$n" -v d="$dir_no" 'd == "" || $3 == d { print $n }'
}

sum() {
	awk '{ s += $1 } END { printf "%.0f\n", s }'
}

most() {
	sort -n | tail -n 1
}

# agrees LABEL OUT PREFIX [JOB]: the logs PREFIX_*.log have the I/Os, bytes and longest latencies of the job's entry.
agrees() {
	entry=".jobs[${4:-0}]"
	for d in 0:read 1:write 2:trim; do
		dir_no=${d%:*}
		e=$entry.${d#*:}
		[ "$(value "$2" "$e.total_ios")" != 0 ] || continue
		check "$1: each ${d#*:} is in the log" same "$(column 1 "$3"_clat.*log | wc -l)" "$(value "$2" "$e.total_ios")"
		check "$1: their bytes (${d#*:})" same "$(column 4 "$3"_clat.*log | sum)" "$(value "$2" "$e.io_bytes")"
		for kind in clat lat; do
			check "$1: the longest $kind (${d#*:})" same "$(column 2 "$3"_$kind.*log | most)" \
				"$(value "$2" "$e.${kind}_ns.max")"
		done
	done
	dir_no=
	check "$1: lines are whole" same "$(cat "$3"_*.log | grep -cvE '^[0-9]+, [0-9]+, [012], [0-9]+, [01]$')" 0
}

run --name=x --ioengine=null --size=16m --rw=randrw --write_lat_log --write_bw_log=b/c --write_iops_log=i $json
check "a directory that is missing is refused" exits 2
check "... by name" says err "b/c_bw.1.log: its directory does not exist"
check "... before anything is made" absent x_lat.1.log i_iops.1.log
mkdir b
run --name=x --ioengine=null --size=16m --rw=randrw --write_lat_log --write_bw_log=b/c --write_iops_log=i $json
check "null" exits 0
agrees null out x
check "a synchronous engine has no time of submission" empty x_slat.1.log
check "each I/O is one of the rate's" same "$(column 2 i_iops.1.log | sum)" 4096
check "... and has a bandwidth" lines b/c_bw.1.log 4096
run --name=x --ioengine=null --iodepth=16 --size=16m --rw=randrw --write_lat_log $json
agrees "in batches" out x
dir_no=0
check "... of which submission takes time" same "$(column 2 x_slat.1.log | most)" "$(value out .jobs[0].read.slat_ns.max)"
dir_no=
run --name=x --ioengine=psync --filename=f --size=2m --bssplit=4k/50:16k/50 --rw=randwrite --fsync=16 --write_lat_log=w $json
agrees "sizes that differ, syncs between" out w
run --name=x --ioengine=null --size=1g --rw=randrw --numjobs=3 --group_reporting --number_ios=5000 --write_lat_log=n $json
agrees "a group" out n
check "... a log for each" lines n_clat.3.log 5000
run --name=x --ioengine=null --size=1g --rw=randrw --numjobs=3 --group_reporting --number_ios=5000 --write_lat_log=s \
	--per_job_logs=0 $json
agrees "a group, one file" out s
check "... and no other" absent s_clat.1.log
run --name=x --ioengine=null --size=1g --rw=randrw --thread=1 --numjobs=2 --number_ios=5000 --write_lat_log=t $json
check "threads" same "$(cat t_clat.?.log | wc -l)" 10000
run --name=x --ioengine=null --size=1g --rw=read --ramp_time=200ms --runtime=200ms --time_based --rate_iops=1000 \
	--write_lat_log=r $json
agrees "after a ramp" out r
check "... times begin with the measurement" test "$(head -n 1 r_clat.1.log | cut -d , -f 1)" -lt 100

# ---- numbers of files ----

run --name=a --ioengine=null --size=64k --name=b --ioengine=null --size=64k --numjobs=2 --write_bw_log \
	--name=c/d --stonewall --ioengine=null --size=64k --write_bw_log $json
check "files have the number of the worker in the run" test -e b_bw.2.log -a -e b_bw.3.log -a -e c_d_bw.4.log
mkdir aux
run --name=x --ioengine=null --size=64k --write_bw_log=p --aux-path=aux $json
check "--aux-path is where they go" test -e aux/p_bw.1.log

# ---- a ring that is full ----

run --name=x --ioengine=null --size=4g --rw=randrw --write_lat_log=full --log_entries=1024 $json
agrees "a ring of 1024" out full
check "waiting is counted" json out '.jobs[0].fiord | .log_waits > 0 and .log_waited_ns > 0'
check "... and noted" json out '.jobs[0].fiord.notes | any(contains("could not be written as fast"))'

# ---- endings ----

start --name=x --ioengine=null --size=1g --time_based --runtime=60 --rate_iops=2000 --write_lat_log=int $json
check "a log grows while the run goes on" until_true 20 test -s int_clat.1.log
kill -INT "$pid"
wait_for_exit
check "SIGINT" exits 130
agrees SIGINT out int

start --name=x --ioengine=null --size=1g --time_based --runtime=60 --rate_iops=2000 --write_lat_log=kill $json
check "it runs" until_true 20 test -s kill_clat.1.log
kill -KILL $(children "$pid" | head -n 1)
wait_for_exit
check "a worker is killed" exits 1
agrees "a killed worker" out kill

# The writer is the last child; the workers come first.
writer() {
	children "$pid" | tail -n 1
}

mkfifo pipe_bw.1.log
start --name=x --ioengine=null --size=1g --time_based --runtime=60 --write_bw_log=pipe $json
exec 3<pipe_bw.1.log
stuck() {
	[ -r "/proc/$(writer)/wchan" ] && grep -q pipe "/proc/$(writer)/wchan"
}
[ "$(cat /proc/self/wchan 2>/dev/null)" = "" ] || until_true 20 stuck
kill -INT "$pid"
until_true 5 no_pending_signal "$pid"
sleep 0.1
kill -INT "$pid"
wait_for_exit
check "a log that nobody reads does not hold up the second SIGINT" exits 6
check "... of which something is said" says err "a write hangs"
check "... and the numbers are there" json out '.jobs[0].read.total_ios > 0'
exec 3<&-

start --name=x --ioengine=null --size=1g --time_based --runtime=3 --write_bw_log=w --write_lat_log=w --log_avg_msec=100 \
	--name=y --ioengine=null --size=1g --time_based --runtime=3 --write_lat_log=w $json
check "it runs" until_true 20 test -s w_bw.1.log
kill -KILL "$(writer)"
wait_for_exit
check "a writer that is killed" exits 6
check "... is told" says err "the process that writes them was killed"
check "... and holds up nobody" json out '[.jobs[] | .error == 0 and .job_runtime >= 3000] | all'

# ---- errors ----

for log in bw lat; do
	ln -sf /dev/full e_$log.1.log
done
run --name=x --ioengine=null --size=16m --write_bw_log=e --write_lat_log=e $json
check "a full disk" exits 6
check "... one line of error" same "$(grep -c . err)" 1
check "... that says why" says err "ENOSPC"
check "... and how many" says err "(and 1 more)"
check "... and the run is whole" json out '.jobs[0].read.total_ios == 4096 and .jobs[0].error == 0'
check "... the other log, too" lines e_clat.1.log 4096

if [ "$(id -u)" != 0 ]; then
	mkdir shut
	chmod a-w shut
	run --name=x --ioengine=null --size=64k --write_bw_log=shut/x $json
	check "a directory that may not be written" exits 2
	check "... is named" says err "log shut/x_bw.1.log: Permission denied"
else
	skip "a directory that may not be written" "root may"
fi
run check --name=x --ioengine=null --size=64k --write_iops_log=plan --numjobs=2
check "check names the logs" says out "    log plan_iops.2.log"
check "... and makes none" absent plan_iops.1.log plan_iops.2.log

# refused LABEL TEXT ARG...
refused() {
	label=$1
	text=$2
	shift 2
	run --name=x --ioengine=psync --size=64k --filename=target_bw.1.log "$@" --rw=write $json
	check "$label is refused" test "$rc" = 2 -o "$rc" = 3
	check "... with the reason" says err "$text"
}
refused "a target of the jobs" "is a target" --write_bw_log=target
check "... which is not there" absent target_bw.1.log
echo mine >target_bw.1.log
refused "... or is" "is a target" --write_bw_log=./target --filename=target_bw.1.log
check "... and stays" says target_bw.1.log mine
mkdir dir_bw.1.log
refused "a directory" "is a directory" --write_bw_log=dir
refused "a file below /dev" "/dev" --write_bw_log=/dev/no
ln -s /dev/shm/none same_bw.1.log
echo mine >precious
ln -s precious link_bw.1.log
refused "a link to a file" "symbolic link" --write_bw_log=link
check "... which keeps its content" says precious mine
printf '[x]\nioengine=null\nsize=64k\nwrite_bw_log=job\n' >job_bw.1.log
run job_bw.1.log $json
check "the job file is refused" exits 2
check "... and stays" says job_bw.1.log ioengine
run --name=x --ioengine=null --size=64k --write_bw_log=o --output=o_bw.1.log $json
check "the file of --output is refused" exits 2
: >one_bw.1.log
ln one_bw.1.log one_iops.1.log
run --name=x --ioengine=null --size=64k --write_bw_log=one --write_iops_log=one $json
check "two logs in one file are refused" exits 2
check "... by name" says err "are the same file"
run --name=x --ioengine=null --size=64k --write_bw_log --log_alternate_epoch_clock_id=2 $json
check "the CPU time of a process is no clock of logs" exits 2
run --name=x --ioengine=null --size=64k --log_offset=1 $json
check "options without a log are noted" json out '.fiord.notes | any(contains("log_offset=1: has no effect"))'

# ---- compressed ----

run --name=x --ioengine=null --size=16m --rw=randrw --write_lat_log=z --log_offset=1 --log_store_compressed=1 $json
check "a compressed log has every line" same "$("$FIORD" --inflate-log=z_clat.1.log.fz | wc -l)" 4096
check "... of the right kind" same "$("$FIORD" --inflate-log=z_clat.1.log.fz | grep -cvE '^[0-9]+, [0-9]+, [01], 4096, [0-9]+, 0$')" 0
check "... and there is no other file" absent z_clat.1.log
if command -v fio >/dev/null; then
	check "fio reads the same" same "$(fio --inflate-log=z_clat.1.log.fz 2>/dev/null | cksum)" \
		"$("$FIORD" --inflate-log=z_clat.1.log.fz | cksum)"
	fio --name=x --ioengine=null --size=16m --rw=randrw --write_lat_log=q --log_prio=1 --log_store_compressed=1 >fio.out
	check "fio's are read" same "$(fio --inflate-log=q_clat.1.log.fz 2>/dev/null | cksum)" \
		"$("$FIORD" --inflate-log=q_clat.1.log.fz | cksum)"
else
	skip "fio reads the same" "no fio"
fi
run --name=x --ioengine=null --size=1m --write_lat_log=y --log_issue_time=1 --log_store_compressed=1 $json
check "columns that fio's form has not" same "$("$FIORD" --inflate-log=y_clat.1.log.fz | awk '{ print NF }' | sort -u)" 6
check "... are gzip's" same "$(gzip -dc <y_clat.1.log.fz | cksum)" "$("$FIORD" --inflate-log=y_clat.1.log.fz | cksum)"
head -c 100 y_clat.1.log.fz >cut
run --inflate-log=cut
check "a log that is cut off" exits 2
check "... is called so" says err "ends in the middle"
run --inflate-log="$0"
check "what is no log is refused" exits 2
run --inflate-log
check "... and no name, too" exits 2

# ---- the whole run ----

run --bandwidth-log --name=x --ioengine=null --size=8m --rw=rw --number_ios=100 --rate_iops=200 --group_reporting \
	--numjobs=2 $json
check "--bandwidth-log" exits 0
check "... has a file for each direction" test -s agg-read_bw.log -a -s agg-write_bw.log -a -e agg-trim_bw.log
check "... of lines like fio's" same "$(cat agg-*.log | grep -cvE '^[0-9]+, [0-9]+, [01], 0, 0$')" 0
run --bandwidth-log=all --name=x --ioengine=null --size=8m --rw=read $json
check "... with a prefix" test -e all-read_bw.log
finish
