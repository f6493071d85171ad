#!/bin/sh
# Does read_iolog replay the I/Os of a trace, in their order, and never before their time? Expected: the log that a replay records of
# itself, the system calls that strace sees, what fio counts, and a file system whose reads take 200 ms.
. "$SOURCE/t/lib.sh"
requires jq strace
cd "$dir" || exit 1
json="--output-format=json --eta=never"
replay="--name=p --allow_write=data"

counts() {
	jq -r '.jobs[0] | [.read.total_ios, .write.total_ios, .trim.total_ios, .sync.total_ios] | map(. // 0) | join(" ")' "$1"
}

actions() { # LOG: the lines without their times
	cut -d' ' -f2- "$1"
}

run $json --name=x --filename=data --size=512k --rw=randrw --bsrange=1k-8k --fsync=16 --write_iolog=a.log
cp out recorded
for engine in psync libaio io_uring mmap; do
	run $json $replay --read_iolog=a.log --ioengine=$engine --iodepth=4 --write_iolog=b.log --replay_no_stall=1
	case $(cat err) in
	*"not available"*)
		skip "$engine" "$(head -n 1 err)"
		continue
		;;
	esac
	check "$engine: the replay has the counts of the recording" same "$(counts out)" "$(counts recorded)"
	actions a.log >expected
	actions b.log >got
	check "$engine: ... and its I/Os in their order" cmp expected got
done

straced -f -e trace=pread64,pwrite64,fsync -s 0 -o trace "$FIORD" $json $replay --read_iolog=a.log >out 2>err
sed -nE 's/.*pread64\(.* ([0-9]{3,}), ([0-9]+)\) +=.*/read \2 \1/p; s/.*pwrite64\(.* ([0-9]{3,}), ([0-9]+)\) +=.*/write \2 \1/p
	s/.*fsync\(.*/sync/p' trace >got
awk '$3 == "sync" { print $3 } $3 == "read" || $3 == "write" { print $3, $4, $5 }' a.log >expected
check "strace sees the I/Os of the trace" eval 'grep -vxFf expected got >others; grep -xFf expected got | cmp - expected'

mkdir "a:b"
cp a.log "a:b/c:d"
run $json $replay --read_iolog='a\:b/c\:d:a.log' --ioengine=null --replay_no_stall=1
check "a colon of a name is written as \\:" same "$(counts out)" "$(counts recorded | awk '{ print 2 * $1, 2 * $2, 2 * $3, 2 * $4 }')"

if command -v fio >/dev/null; then
	fio --name=x --ioengine=psync --filename=data --size=512k --io_size=256k --rw=randrw --bs=4k --fdatasync=8 --overwrite=1 \
		--write_iolog=fio.log --output-format=json --output=fio.out >/dev/null 2>&1
	run $json $replay --read_iolog=fio.log
	check "fiord replays what fio recorded" same "$(counts out)" \
		"$(counts fio.out | cut -d' ' -f1-3) $(grep -c datasync fio.log)" # fio counts no syncs here
else
	skip "fiord replays what fio recorded" "no fio"
fi

# A flush before a write (F before W) is a sync that the write waits for, FUA (F behind W) is RWF_DSYNC. Both are written with their data.
line=0
blk() { # MICROSECONDS KIND [SECTOR + SECTORS]
	line=$((line + 1))
	us=$1
	shift
	printf '8,0 0 %d 0.%06d000 9 Q %s [p]\n' "$line" "$us" "$*"
}
blk 0 W 0 + 8 >flush.txt
blk 1 FWFS 8 + 8 >>flush.txt
blk 2 W 16 + 8 >>flush.txt
blk 3 FN >>flush.txt
blk 4 FWS 24 + 8 >>flush.txt
blk 5 WFS 32 + 8 >>flush.txt
for engine in psync pvsync2 libaio; do
	straced -f -v -e trace=pwrite64,pwritev2,io_submit,fsync -s 9 -o trace "$FIORD" $json --name=p --read_iolog=flush.txt \
		--replay_redirect=data --allow_write=data --ioengine=$engine --direct=1 >out 2>err
	case $(cat err) in
	*"not available"*)
		skip "$engine: flushes and FUA" "$(head -n 1 err)"
		continue
		;;
	esac
	# "sync", and the offsets of writes, with "dsync" for those with the flag.
	sed -nE 's/.*pwrite64\(.* ([0-9]+)\) += 4096/\1/p; s/.*pwritev2\(.*, 1, ([0-9]+, [0-9A-Z_]+)\) += 4096/\1/p; s/.* fsync\(.*/sync/p; s/.*IOCB_CMD_FSYNC.*/sync/p
		s/.*io_submit\(.*(RWF_DSYNC).*IOCB_CMD_PWRITE.*aio_offset=([0-9]+).*/\2, \1/p
		s/.*io_submit\(.*IOCB_CMD_PWRITE.*aio_offset=([0-9]+).*/\1/p' trace | sed 's/, 0$//; s/, RWF_DSYNC/ dsync/' | paste -sd, >got
	check "$engine: a flush comes before its write, which keeps its data" \
		same "$(cat got)" "0,sync,4096 dsync,8192,sync,sync,12288,16384 dsync"
	check "... and both are counted" same "$(counts out) $(jq -r '.jobs[0].fiord | "\(.replayed_flushes) \(.replayed_fua) \(.replayed)"' out)" \
		"0 5 0 3 2 2 6"
done
straced -f -v -e trace=io_submit -s 9 -o trace "$FIORD" $json --name=p --read_iolog=flush.txt --replay_redirect=data --allow_write=data \
	--ioengine=libaio --direct=1 --iodepth=4 --replay_no_stall=1 >out 2>err
if says err "not available"; then
	skip "others go on while a write waits for its flush" "no libaio"
else
	sed -E 's/aio_lio_opcode=IOCB_CMD_FSYNC/aio_offset=sync/g' trace | grep -o 'aio_offset=[a-z0-9]*' | cut -d= -f2 >got
	check "others go on while a write waits for its flush" same "$(sed -n 1,4p got | paste -sd,) $(sort -u got | grep -c .)" "0,sync,8192,sync 6"
fi

# A log does not have the flags of a sync_file_range.
run $json --name=x --filename=sfr --size=64k --rw=write --bs=4k --sync_file_range=write:4 --write_iolog=sfr.log
straced -f -e trace=fdatasync -o trace "$FIORD" $json --name=p --read_iolog=sfr.log --allow_write=sfr >out 2>err
check "sync_file_range becomes fdatasync" same "$(grep -c 'fdatasync(' trace) $(counts out)" "$(grep -c sync_file_range sfr.log) 0 16 0 $(grep -c sync_file_range sfr.log)"

# Version 2: a wait lasts until that time after the start, in ms.
printf 'fio version 2 iolog\ndata add\ndata open\ndata read 0 4096\ndata wait 300 0\ndata read 4096 4096\ndata wait 400 0\ndata read 8192 4096\ndata close\n' >v2.log
straced -f -ttt -e trace=pread64 -s 0 -o trace "$FIORD" $json --name=p --read_iolog=v2.log >out 2>err
took=$(awk '/ 4096, (0|8192)\)/ { t[n++] = $2 } END { printf "%d", (t[n - 1] - t[0]) * 1000 }' trace)
check "a log of version 2 waits" [ "$took" -ge $((399 - $(jq '.jobs[0].fiord.lateness_ns.max / 1e6 | ceil' out))) ]
check "... and has its reads" same "$(counts out)" "3 0 0 0"

# Times: the last read is due after 400 ms.
cat >timed.log <<'EOF'
fio version 3 iolog
0 data add
0 data open
0 data read 0 4096
100000 data read 4096 4096
100000 data write 8192 512
400000 data read 12288 4096
400001 data close
EOF
# took ARG...: how many ms the replay takes from its first to its last read, by strace.
took() {
	straced -f -ttt -e trace=pread64 -s 0 -o trace "$FIORD" $json $replay --read_iolog=timed.log "$@" >out 2>err
	awk '/pread64\(.* 4096, (0|12288)\)/ { t[n++] = $2 } END { printf "%d\n", (t[n - 1] - t[0]) * 1000 }' trace
}

# The first read may be late; resp.max bounds by how much.
late_ms() {
	jq '[.jobs[0].fiord["read", "write"].resp_ns.max // 0] | max / 1e6 | ceil' out
}

for speed in 100:400 50:800 200:200; do
	ms=$(took --replay_time_scale=${speed%:*})
	check "at ${speed%:*} percent no read is early" [ "$ms" -ge $((${speed#*:} - $(late_ms) - 1)) ]
	check "... and every I/O has a time" same "$(value out .jobs[0].fiord.replayed)" 4
done
# A day at 10000 times its speed: what strace sees beyond 8.64 s is no more than the lateness of its ends.
awk 'BEGIN { print "fio version 3 iolog\n0 data add\n0 data open"; for (; i < 25; i++) printf "%.0f data read %d 4096\n", i * 3600000000, (i == 24) * 12288 }' >day.log
straced -f -ttt -e trace=pread64 -s 0 -o trace "$FIORD" $json $replay --read_iolog=day.log --replay_time_scale=1000000 >out 2>err
took=$(awk '/pread64\(.* 4096, (0|12288)\)/ { if (!n++) first = $2; last = $2 } END { printf "%d\n", (last - first) * 1000 }' trace)
check "a day at 10000 times its speed takes 8.64 s ($took ms)" [ "$took" -ge $((8639 - $(late_ms))) ]
check "... without drift" [ "$took" -le $((8641 + $(late_ms))) ]
sed 's/^400000 /7200000000 /; s/^400001 /7200000001 /' timed.log >long.log
run $json $replay --read_iolog=long.log --replay_no_stall=1
check "replay_no_stall does not wait for two hours" eval 'exits 0 && [ "$(counts out)" = "3 1 0 0" ]'
gzip -k timed.log
run $json $replay --read_iolog=timed.log.gz --replay_no_stall=1
check "a log may be compressed" same "$(counts out)" "3 1 0 0"
for thread in 0 1; do
	run $json $replay --read_iolog=timed.log --thread=$thread --numjobs=2 --group_reporting --write_iolog=both.log --name=o --filename=o --size=64k \
		--rw=write --bs=4k --new_group --write_iolog=both.log
	check "a trace beside another job, thread=$thread" same "$(jq -c '[.jobs[] | .read.total_ios, .write.total_ios]' out)" "[6,2,0,16]"
	check "... and both are recorded" same "$(awk '{ n[$3]++ } END { print n["read"], n["write"] }' both.log)" "6 18"
done
run $json $replay --read_iolog=timed.log --runtime=1 --time_based --replay_time_scale=1000
check "time_based repeats the trace" eval '[ "$(value out .jobs[0].read.total_ios)" -gt 6 ]'
run $json $replay --read_iolog=timed.log --loops=3 --numjobs=2 --replay_no_stall=1 --group_reporting
check "loops and numjobs repeat it" same "$(counts out)" "18 6 0 0"

# What is replayed.
run $json $replay --read_iolog=timed.log --replay_skip=write --write_iolog=b.log --replay_scale=3 --replay_align=1k
check "skip, scale and align" same "$(awk '$3 == "read" || $3 == "write" { print $3, $4 }' b.log | paste -sd,)" "read 0,read 1024,read 4096"
cp data other
run $json --name=p --replay_redirect=other --read_iolog=timed.log --write_iolog=b.log --allow_write=other
check "replay_redirect names the target" same "$(awk '$3 == "open" { print $2 }' b.log)" other
run $json --name=p --ioengine=null --read_iolog=timed.log --replay_no_stall=1 --rw=write --size=5m --blockalign=8k \
	--percentage_random=30 --rwmixwrite=20 --file_service_type=random
notes() {
	jq -r '.fiord.notes[]?, .jobs[].fiord.notes[]?' out
}
check "what the trace replaces is said" \
	same "$(notes | sed -n 's/^--\(.*\): has no effect: read_iolog=timed.log says which I.*/\1/p' | sort | paste -sd' ')" \
	"ba=8k file_service_type=random percentage_random=30 rw=write rwmixwrite=20 size=5m"
mkdir -p sub
sed 's/ data/ own/' timed.log >own.log
sed 's/ data/ sub\/own/' timed.log >sub.log
for log in own sub; do
	truncate -s 64k own sub/own # a hole, which any job may fill
	if [ $log = own ]; then set -- --filename=other:own; else set -- --directory=sub; fi
	run $json --name=p "$@" --read_iolog=$log.log --replay_no_stall=1
	check "$* names a file that the trace may write" same "$(counts out)" "3 1 0 0"
	rm own sub/own
done

# Standard input and FIFOs are copied to a file without a name, which is read as often as other traces are. both.log has parts of two jobs.
mkfifo fifo
mkdir tmp
streamed() { # LABEL FILE INPUT ARG...: a replay of INPUT, which has the bytes of FILE, does what one of FILE does
	label=$1 file=$2 input=$3
	shift 3
	run $json --name=p --ioengine=null --read_iolog="$file" --replay_no_stall=1 --write_iolog=b.log "$@"
	check "a file, $label" exits 0
	actions b.log >expected
	rm b.log
	if [ "$input" = fifo ]; then timeout 20 sh -c 'cat "$1" >fifo' sh "$file" & fi
	TMPDIR=$dir/tmp "$FIORD" $json --name=p --ioengine=null --read_iolog="$input" --replay_no_stall=1 --write_iolog=b.log "$@" $threads <"$file" >out 2>err
	actions b.log >got
	check "... and the same from $input" eval '[ -s got ] && cmp expected got && [ -z "$(ls tmp)" ]'
}
for input in - fifo; do
	streamed "whole" a.log "$input"
	streamed "compressed" timed.log.gz "$input"
	streamed "of two jobs" both.log "$input"
	streamed "with loops" timed.log "$input" --loops=2
	streamed "repeated" timed.log "$input" --merge_blktrace_iters=3
done
"$FIORD" $json --name=p --ioengine=null --read_iolog=- --replay_no_stall=1 --numjobs=2 --name=q --ioengine=null --read_iolog=- --replay_no_stall=1 \
	$threads <timed.log >out 2>err
check "clones and sections share a stream" same "$(jq -c '[.jobs[].read.total_ios]' out)" "[3,3,3]"
cat a.log | "$FIORD" check --name=p --ioengine=null --read_iolog=/dev/stdin >out 2>err
check "a pipe that has a path" grep -q "wave 0" out
if [ "$(id -u)" = 0 ] && [ "$SANITIZE" = none ]; then
	"$FIORD" $json --name=p --uid=65534 --ioengine=null --read_iolog=- --replay_no_stall=1 --thread=0 <timed.log >out 2>err
	check "a worker of another user reads the copy" same "$(counts out)" "3 1 0 0"
fi
TMPDIR=$dir/tmp env --default-signal=INT "$FIORD" $json --name=p --ioengine=null --read_iolog=- $threads <long.log >out 2>err &
pid=$!
worker_reads() {
	for p in $(children $pid); do
		! readlink /proc/"$p"/fd/* 2>/dev/null | grep "^$dir/tmp/.*(deleted)" | wc -l | grep -qx "[2-9]" || return 0
	done
	return 1
}
until_true 20 worker_reads
check "the copy is in TMPDIR, without a name" eval 'worker_reads && [ -z "$(ls tmp)" ]'
kill -KILL $pid
wait $pid 2>/dev/null
check "... so that none is left after SIGKILL" [ -z "$(ls tmp)" ]

# A FIFO without a writer, and standard input that never ends: a signal ends the wait.
waits_for_stream() {
	grep -q poll "/proc/$pid/wchan"
}
mkfifo silent endless
for row in "INT 130 silent" "TERM 143 -"; do
	# shellcheck disable=SC2086
	set -- $row
	env --default-signal=$1 "$FIORD" $json --name=p --ioengine=null --read_iolog=$3 $threads <>endless >out 2>err &
	pid=$!
	until_true 20 waits_for_stream
	kill -$1 $pid
	wait_for_exit
	check "SIG$1 ends a job that waits for its trace: exit code $2" exits $2
	check "... with a document" json out ".jobs == [] and .fiord.exit.code == $2 and any(.fiord.notes[]; contains(\"SIG$1 ended the program\"))"
done

# Refused before anything happens.
refused() { # LABEL TEXT ARG...
	label=$1 text=$2
	shift 2
	run --name=p "$@" --write_iolog=none.log
	check "$label" eval '! exits 0 && says err "$text" && absent none.log'
}
head -c 10000 data >small
refused "a trace that only names its target must not write" "which only the trace names" --read_iolog=timed.log
refused "a file beside those that the job names" "which only the trace names" --filename=dat:other:data2 --read_iolog=timed.log
truncate -s 64k sub/own
refused "a file below another directory" "which only the trace names" --directory=su:sub2 --read_iolog=sub.log
refused "a target that is too small" "reaches up to byte 16k of small (timed.log:7), which has 9.8 KiB" --read_iolog=timed.log --replay_redirect=small
sed 's/ data/ missing/' timed.log >missing.log
refused "a missing target that only the trace names" "its target missing does not exist" --read_iolog=missing.log
check "... which is not made" absent missing
sed 's/100000 data read 4096/100000 data read 4196/' timed.log >unaligned.log
sed 's/8192 512/8192 500/' timed.log >short.log
refused "direct I/O at an offset within a block" "the trace has an I/O of 4096 bytes at offset 4196 (unaligned.log:5), and new needs multiples of" \
	--read_iolog=unaligned.log --replay_redirect=new --direct=1
check "... which replay_align moves" says err "or replay_align="
refused "direct I/O of a part of a block" "the trace has an I/O of 500 bytes at offset 8192 (short.log:6), and new needs multiples of" \
	--read_iolog=short.log --replay_redirect=new --direct=1
run $json --name=p --read_iolog=unaligned.log --replay_redirect=new --replay_no_stall=1 --replay_align=4k --direct=1 --replay_skip=write
check "replay_align makes direct I/O of whole blocks" same "$(counts out)" "3 0 0 0"
if [ "$(id -u)" = 0 ] && mknod no_driver b 240 0 2>/dev/null; then
	refused "a device that does not open" "no_driver: No such device or address (ENXIO)" --read_iolog=timed.log --replay_redirect=no_driver
fi
refused "a directory" "sub is neither a file nor a FIFO" --read_iolog=sub
refused "an empty stream" "the trace is empty" --read_iolog=-
refused "a target without addresses" "its target /dev/null is a character device" --read_iolog=timed.log --replay_redirect=/dev/null
printf '[p]\nread_iolog=-\n' | "$FIORD" check - >out 2>err
rc=$?
check "a trace in the stream of the job file" eval 'exits 2 && says err "standard input has the job file"'
cannot_save() { # TEXT DIRECTORY LIMIT
	(
		ulimit -f "$3"
		TMPDIR=$2 exec "$FIORD" --name=p --ioengine=null --read_iolog=- --write_iolog=none.log $threads <a.log >out 2>err
	)
	rc=$?
	check "a stream that cannot be saved: $1" eval 'exits 2 && [ "$(wc -l <err)" = 1 ] && absent none.log'
	check "... is refused with the directory" says err "read_iolog=-: standard input is saved in $2 first, because a replay reads its trace twice: $1"
}
[ "$(wc -c <a.log)" -gt 1024 ] || exit 1
cannot_save "No such file or directory (ENOENT); set TMPDIR" none/tmp unlimited
cannot_save "File too large (EFBIG) (the file is too large for ulimit -f or for the file system); set TMPDIR to a directory with more room" tmp 1
"$FIORD" sweep --name=p --ioengine=null --read_iolog=- --sweep iodepth=1,2 -d points <timed.log >out 2>err
rc=$?
check "a sweep, whose points each read the trace" eval '! exits 0 && says err "each point reads the trace, so it cannot be a stream" && absent points'
mkdir -p sub3 && ln -sf ../sub/own sub3/link
printf 'fio version 3 iolog\n0 sub3/link add\n0 sub3/link open\n1 sub3/link write 0 4096\n' >link.log
refused "a link that may lead out of the directory" "which only the trace names" --directory=sub3 --read_iolog=link.log
refused "more files than a trace can have" "more than 2048 files" --read_iolog="$(yes timed.log | head -n 2049 | paste -sd:)"
# The trace loses its I/Os when the job begins.
for repeat in "--time_based --runtime=1h" --loops=2; do
	cp timed.log lost.log && head -n 3 timed.log >empty.log
	# shellcheck disable=SC2086
	run --name=p --ioengine=null --read_iolog=lost.log --exec_prerun="cp empty.log lost.log" $repeat
	check "$repeat: a trace that has lost its I/Os" exits 1
	check "... fails the job" says err "lost.log: the trace has changed since the run began"
done
refused "a rate" "does not go with read_iolog=timed.log" --read_iolog=timed.log --rate_iops=5
refused "verification" "does not go with read_iolog=timed.log" --read_iolog=timed.log --verify=crc32c
refused "an unknown operation" "use read, write, trim and sync" --read_iolog=timed.log --replay_skip=reads
refused "a trace without I/O" "no I/O to replay" --read_iolog=timed.log --replay_skip=read,write
printf '[p]\nread_iolog=nosuch\n' >nosuch.ini
refused "a trace that is not there" "nosuch.ini:2: read_iolog: nosuch: No such file" nosuch.ini
refused "an engine without I/O" "does no I/O" --read_iolog=timed.log --ioengine=filecreate

# Reads that take 200 ms at depth 1: all but the first of five that are due at once are late.
if [ -z "${SLOW_FS-}" ] || [ ! -w /dev/fuse ] || ! command -v fusermount3 >/dev/null; then
	skip "late I/Os are counted" "no FUSE"
else
	mkdir mnt
	cleanup() {
		fusermount3 -uz "$dir/mnt" 2>/dev/null
	}
	"$SLOW_FS" "$dir/answers" "$dir/mnt" >fs.out 2>&1 &
	until_true 10 test -f mnt/f
	file=f
	{
		printf 'fio version 3 iolog\n0 mnt/%s add\n0 mnt/%s open\n' "$file" "$file"
		for i in 1 2 3 4 5; do
			echo "$i mnt/$file read $((i * 1048576)) 4096"
		done
	} >slow.log
	run $json --name=p --read_iolog=slow.log --direct=1 --iodepth=1
	check "late I/Os are counted" eval '[ "$(value out .jobs[0].fiord.replayed_late)" -ge 4 ] && [ "$(value out .jobs[0].fiord.replayed)" = 5 ]'
	check "... and their responses count from the due time" eval '[ "$(value out .jobs[0].fiord.read.resp_ns.max)" -ge 1000000000 ]'
	check "... while the latencies count from the issue" eval '[ "$(value out .jobs[0].read.lat_ns.min)" -lt "$(value out .jobs[0].fiord.read.resp_ns.max)" ]'
	# Four reads of at least 200 ms each come before the last one. A percentile is exact to 7 %.
	check "... by how much, too" jq -e '.jobs[0].fiord.lateness_ns | .max >= 800e6 and .p99_9 > 0.93 * .max and .p50 >= 372e6 and .p50 < .p99' out
	check "... and that it grows" eval 'notes | grep -q "fell further and further behind"'
	"$FIORD" report out -o page.html >/dev/null 2>&1
	check "... in the page" eval 'grep -Eq "of 5 I/Os of the trace (80|100).00 % were issued more than 1 ms late, lateness p99 [1-9][0-9.]* m?s" page.html'
	"$FIORD" merge --output-format=json out out >merged
	check "a merged document, too" same "$(jq -c '.client_stats[-1].fiord | .lateness_ns, .replayed' merged)" "$(jq -c '.jobs[0].fiord | .lateness_ns, 10' out)"
	jq 'del(.jobs[].fiord.counts)' out >no_counts
	"$FIORD" merge --output-format=json no_counts out >merged
	check "... unless a part of it has no lateness" same "$(jq -c '.client_stats[-1].fiord | .lateness_ns, .replayed' merged)" "null
10"
	run --name=p --read_iolog=slow.log --direct=1 --assert='jobs[0].lateness_ns.p99<1ms' --output-format=normal
	check "... an assertion can fail on" eval 'exits 5 && grep -q "lateness  : avg=.* ms, p50=" out'
	run --name=p --read_iolog=slow.log --direct=1 --assert='jobs[0].replayed_late_percent<1'
	check "--assert knows the share" eval 'exits 5 && grep -q "FAILED .*%  *< 1%  *jobs\[0\].replayed_late_percent<1" out'
fi

finish
