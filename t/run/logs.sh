#!/bin/sh
# Do logs of single I/Os agree with the result, however the run ends? The test compares counts, bytes and longest latencies.
. "$SOURCE/t/lib.sh"
requires jq python3
cd "$dir" || exit 1
json="--output-format=json --eta=never"

# column N FILE...: prints a column of the lines with direction $dir_no, or of all lines if that is empty.
dir_no=
column() {
	n=$1
	shift
	cat "$@" | awk -F', ' -v n="$n" -v d="$dir_no" 'd == "" || $3 == d { print $n }'
}

sum() {
	awk '{ s += $1 } END { printf "%.0f\n", s }'
}

maximum() {
	sort -n | tail -n 1
}

# agrees LABEL OUT PREFIX [JOB]: the logs PREFIX_*.log have the I/Os, bytes and longest latencies of the job's entry.
agrees() {
	entry=".jobs[${4:-0}]"
	for d in 0:read 1:write 2:trim; do
		dir_no=${d%:*}
		e=$entry.${d#*:}
		[ "$(value "$2" "$e.total_ios")" != 0 ] || continue
		check "$1: the log has each ${d#*:}" same "$(column 1 "$3"_clat.*log | wc -l)" "$(value "$2" "$e.total_ios")"
		check "$1: the bytes are those of the result (${d#*:})" same "$(column 4 "$3"_clat.*log | sum)" "$(value "$2" "$e.io_bytes")"
		for kind in clat lat; do
			check "$1: the longest $kind is that of the result (${d#*:})" same "$(column 2 "$3"_$kind.*log | maximum)" \
				"$(value "$2" "$e.${kind}_ns.max")"
		done
	done
	dir_no=
	check "$1: each line is whole" same "$(cat "$3"_*.log | grep -cvE '^[0-9]+, [0-9]+, [012], [0-9]+, [01]$')" 0
}

run --name=x --ioengine=null --size=16m --rw=randrw --write_lat_log --write_bw_log=b/c --write_iops_log=i $json
check "a missing directory is refused" exits 2
check "... and the error names the log" says err "b/c_bw.1.log: its directory does not exist"
check "... before a file is created" absent x_lat.1.log i_iops.1.log
mkdir b
run --name=x --ioengine=null --size=16m --rw=randrw --write_lat_log --write_bw_log=b/c --write_iops_log=i $json
check "the null engine exits 0" exits 0
agrees null out x
check "a synchronous engine has no submission latency" empty x_slat.1.log
check "the IOPS log counts each I/O" same "$(column 2 i_iops.1.log | sum)" 4096
check "the bandwidth log has a line per I/O" lines b/c_bw.1.log 4096
run --name=x --ioengine=null --iodepth=16 --size=16m --rw=randrw --write_lat_log $json
agrees "in batches" out x
dir_no=0
check "the longest submission latency is that of the result" same "$(column 2 x_slat.1.log | maximum)" "$(value out .jobs[0].read.slat_ns.max)"
dir_no=
run --name=x --ioengine=psync --filename=f --size=2m --bssplit=4k/50:16k/50 --rw=randwrite --fsync=16 --write_lat_log=w $json
agrees "sizes that differ, syncs between" out w
run --name=x --ioengine=null --size=1g --rw=randrw --numjobs=3 --group_reporting --number_ios=5000 --write_lat_log=n $json
agrees "a group" out n
check "each clone has a log" lines n_clat.3.log 5000
run --name=x --ioengine=null --size=1g --rw=randrw --numjobs=3 --group_reporting --number_ios=5000 --write_lat_log=s \
	--per_job_logs=0 $json
agrees "a group, one file" out s
check "with per_job_logs=0 there is one log" absent s_clat.1.log
run --name=x --ioengine=null --size=1g --rw=randrw --thread=1 --numjobs=2 --number_ios=5000 --write_lat_log=t $json
check "logs of threads have each I/O" same "$(cat t_clat.?.log | wc -l)" 10000
begins_with_runtime() {
	[ "$(head -n 1 r_clat.1.log | cut -d , -f 1)" -lt 100 ]
}
run_with_ramp() {
	run --name=x --ioengine=null --size=1g --rw=read --ramp_time=200ms --runtime=200ms --time_based --rate_iops=1000 \
		--write_lat_log=r $json
	begins_with_runtime
}
one_of_three run_with_ramp # the first I/O may be late on a machine that stalls
agrees "after a ramp" out r
check "times count from the end of the ramp" begins_with_runtime

# ---- file names ----

run --name=a --ioengine=null --size=64k --name=b --ioengine=null --size=64k --numjobs=2 --write_bw_log \
	--name=c/d --stonewall --ioengine=null --size=64k --write_bw_log $json
check "file names have the worker's number in the run" test -e b_bw.2.log -a -e b_bw.3.log -a -e c_d_bw.4.log
mkdir aux
run --name=x --ioengine=null --size=64k --write_bw_log=p --aux-path=aux $json
check "--aux-path is the directory of the logs" test -e aux/p_bw.1.log

# ---- a full ring ----

run --name=x --ioengine=null --size=4g --rw=randrw --write_lat_log=full --log_entries=1024 $json
agrees "a ring of 1024" out full
check "the document has the waits for the ring" json out '.jobs[0].fiord | .log_waits > 0 and .log_waited_ns > 0'
check "... and a note" json out '.jobs[0].fiord.notes | any(contains("could not be written as fast"))'

# ---- runs that end early ----

start --name=x --ioengine=null --size=1g --time_based --runtime=60 --rate_iops=2000 --write_lat_log=int $json
check "the log grows during the run" until_true 20 test -s int_clat.1.log
kill -INT "$pid"
wait_for_exit
check "SIGINT exits 130" exits 130
agrees SIGINT out int

start --name=x --ioengine=null --size=1g --time_based --runtime=60 --rate_iops=2000 --write_lat_log=kill $json
check "the log has lines" until_true 20 test -s kill_clat.1.log
kill -KILL $(children "$pid" | head -n 1)
wait_for_exit
check "a killed worker exits 1" exits 1
agrees "a killed worker" out kill

# writer: the process that writes the logs. It is the last child, after the workers.
writer() {
	children "$pid" | tail -n 1
}

mkfifo pipe_bw.1.log
start --name=x --ioengine=null --size=1g --time_based --runtime=60 --write_bw_log=pipe $json
exec 3<pipe_bw.1.log
writer_blocked() {
	[ -r "/proc/$(writer)/wchan" ] && grep -q pipe "/proc/$(writer)/wchan"
}
[ "$(cat /proc/self/wchan 2>/dev/null)" = "" ] || until_true 20 writer_blocked
kill -INT "$pid"
check "the run receives the first SIGINT" until_true 20 no_pending_signal "$pid"
check "it ends after the second" one_of_three sigint_ends_run
wait_for_exit
check "a log that nobody reads does not delay the second SIGINT" exits 6
check "... stderr says that a write hangs" says err "a write hangs"
check "... and the result has the I/Os" json out '.jobs[0].read.total_ios > 0'
exec 3<&-

start --name=x --ioengine=null --size=1g --time_based --runtime=3 --write_bw_log=w --write_lat_log=w --log_avg_msec=100 \
	--name=y --ioengine=null --size=1g --time_based --runtime=3 --write_lat_log=w $json
check "the logs have lines" until_true 20 test -s w_bw.1.log
kill -KILL "$(writer)"
wait_for_exit
check "a killed log writer exits 6" exits 6
check "... the error says that it was killed" says err "the process that writes them was killed"
check "... and the jobs run to their end" json out '[.jobs[] | .error == 0 and .job_runtime >= 3000] | all'

# ---- errors ----

for log in bw lat; do
	ln -sf /dev/full e_$log.1.log
done
run --name=x --ioengine=null --size=16m --write_bw_log=e --write_lat_log=e $json
check "a full disk exits 6" exits 6
check "... with one line of error" same "$(grep -c . err)" 1
check "... that names the errno" says err "ENOSPC"
check "... and counts the other logs" says err "(and 1 more)"
check "... the run does all its I/O" json out '.jobs[0].read.total_ios == 4096 and .jobs[0].error == 0'
check "... and the other log is complete" lines e_clat.1.log 4096

if [ "$(id -u)" != 0 ]; then
	mkdir shut
	chmod a-w shut
	run --name=x --ioengine=null --size=64k --write_bw_log=shut/x $json
	check "a read-only directory exits 2" exits 2
	check "... and the error names the log" says err "log shut/x_bw.1.log: Permission denied"
else
	skip "a directory that may not be written" "root may"
fi
run check --name=x --ioengine=null --size=64k --write_iops_log=plan --numjobs=2
check "check lists the logs" says out "    log plan_iops.2.log"
check "... and creates none" absent plan_iops.1.log plan_iops.2.log

# refused LABEL TEXT ARG...: the run is refused with this reason.
refused() {
	label=$1
	text=$2
	shift 2
	run --name=x --ioengine=psync --size=64k --filename=target_bw.1.log --allow_write=target_bw.1.log "$@" --rw=write $json
	check "$label is refused" test "$rc" = 2 -o "$rc" = 3
	check "... with the reason" says err "$text"
}
refused "a log on a missing target" "is a target" --write_bw_log=target
check "... before the file is created" absent target_bw.1.log
echo mine >target_bw.1.log
refused "a log on an existing target" "is a target" --write_bw_log=./target --filename=target_bw.1.log
check "... and the file stays" says target_bw.1.log mine
mkdir dir_bw.1.log
refused "a log on a directory" "is a directory" --write_bw_log=dir
refused "a log below /dev" "/dev" --write_bw_log=/dev/no
ln -s /dev/shm/none same_bw.1.log
echo mine >precious
ln -s precious link_bw.1.log
refused "a log through a symbolic link" "symbolic link" --write_bw_log=link
check "... and the file keeps its content" says precious mine
printf '[x]\nioengine=null\nsize=64k\nwrite_bw_log=job\n' >job_bw.1.log
run job_bw.1.log $json
check "a log on the job file is refused" exits 2
check "... and the job file stays" says job_bw.1.log ioengine
run --name=x --ioengine=null --size=64k --write_bw_log=o --output=o_bw.1.log $json
check "a log on the file of --output is refused" exits 2
: >one_bw.1.log
ln one_bw.1.log one_iops.1.log
run --name=x --ioengine=null --size=64k --write_bw_log=one --write_iops_log=one $json
check "two logs in one file are refused" exits 2
check "... and the error says so" says err "are the same file"
run --name=x --ioengine=null --size=64k --write_bw_log --log_alternate_epoch_clock_id=2 $json
check "a CPU clock is refused for log times" exits 2
run --name=x --ioengine=null --size=64k --log_offset=1 $json
check "a note names log options without a log" json out '.fiord.notes | any(contains("log_offset=1: has no effect"))'

# ---- compressed logs ----

run --name=x --ioengine=null --size=16m --rw=randrw --write_lat_log=z --log_offset=1 --log_store_compressed=1 $json
check "a compressed log has each line" same "$("$FIORD" --inflate-log=z_clat.1.log.fz | wc -l)" 4096
check "... with the right columns" same "$("$FIORD" --inflate-log=z_clat.1.log.fz | grep -cvE '^[0-9]+, [0-9]+, [01], 4096, [0-9]+, 0$')" 0
check "... and no uncompressed file exists" absent z_clat.1.log
if command -v fio >/dev/null; then
	check "fio inflates the same lines" same "$(fio --inflate-log=z_clat.1.log.fz 2>/dev/null | cksum)" \
		"$("$FIORD" --inflate-log=z_clat.1.log.fz | cksum)"
	fio --name=x --ioengine=null --size=16m --rw=randrw --write_lat_log=q --log_prio=1 --log_store_compressed=1 >fio.out
	check "fiord inflates fio's compressed log" same "$(fio --inflate-log=q_clat.1.log.fz 2>/dev/null | cksum)" \
		"$("$FIORD" --inflate-log=q_clat.1.log.fz | cksum)"
else
	skip "fio inflates the same lines" "no fio"
fi
run --name=x --ioengine=null --size=1m --write_lat_log=y --log_issue_time=1 --log_store_compressed=1 $json
check "a compressed log may have more columns than fio's" same "$("$FIORD" --inflate-log=y_clat.1.log.fz | awk '{ print NF }' | sort -u)" 6
check "... and is then in gzip's format" same "$(gzip -dc <y_clat.1.log.fz | cksum)" "$("$FIORD" --inflate-log=y_clat.1.log.fz | cksum)"
head -c 100 y_clat.1.log.fz >cut
run --inflate-log=cut
check "a log that was cut off exits 2" exits 2
check "... and the error says so" says err "ends in the middle"
# The same log, as a machine of the other byte order writes it.
python3 - <<'END'
import struct, sys, zlib
data, plain, other = open("z_clat.1.log.fz", "rb").read(), b"", ">" if sys.byteorder == "little" else "<"
while data:
    stream = zlib.decompressobj()
    plain += stream.decompress(data)
    data = stream.unused_data
open("foreign.fz", "wb").write(zlib.compress(b"".join(struct.pack(other + "QQIIQQ", *r) for r in struct.iter_unpack("=QQIIQQ", plain))))
END
run --inflate-log=foreign.fz
check "a log of the other byte order exits 2" exits 2
check "... and the error says so" says err "written on a machine of another byte order"
check "... without a line" same "$(wc -c <out)" 0
run --inflate-log="$0"
check "a file that is no log exits 2" exits 2
run --inflate-log
check "--inflate-log without a file exits 2" exits 2

# ---- logs of the whole run ----

run --bandwidth-log --name=x --ioengine=null --size=8m --rw=rw --number_ios=100 --rate_iops=200 --group_reporting \
	--numjobs=2 $json
check "--bandwidth-log exits 0" exits 0
check "... and writes a file for each direction" test -s agg-read_bw.log -a -s agg-write_bw.log -a -e agg-trim_bw.log
check "... with lines like fio's" same "$(cat agg-*.log | grep -cvE '^[0-9]+, [0-9]+, [01], 0, 0$')" 0
run --bandwidth-log=all --name=x --ioengine=null --size=8m --rw=read $json
check "--bandwidth-log=PREFIX sets the file name" test -e all-read_bw.log
finish
