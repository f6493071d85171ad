#!/bin/sh
# Are the zones of a zoned device written in order, and reset, as the job says? `blkzone report` (util-linux) says where the write pointers
# are, dd reads the data, and the kernel counts the I/Os. 14 sequential zones of 4 MiB with 3 MiB to write follow two conventional ones.
# seconds: 680
. "$SOURCE/t/guest/lib.sh"
requires blkzone jq python3
cd "$dir" || exit 1
null_block z zoned=1 zone_size=4 zone_capacity=3 zone_nr_conv=2 size=64 memory_backed=1 zone_max_open=4 zone_max_active=6 blocksize=4096 ||
	skip_all "null_blk makes no zoned device"
dev=/dev/z
on="--name=x --filename=$dev --allow_write=$dev --direct=1 --zonemode=zbd --output-format=json"

# pointers: prints the write pointers of the sequential zones, in KiB from their start; 3072 of a full one.
pointers() {
	blkzone report "$dev" | sed -n 's/.*wptr 0x\([0-9a-f]*\).*SEQ_WRITE.*/\1/p' | while read -r wp; do
		wp=$((0x$wp / 2))
		echo $((wp < 3072 ? wp : 3072)) # the device says more of a zone that was finished
	done
}

pointers_are() { # KIB...
	same "$(pointers | tr '\n' ' ')" "$* "
}

# open_zones: prints how many zones are written in part.
open_zones() {
	pointers | awk '$1 && $1 < 3072 { n++ } END { print n + 0 }'
}

# job OPTION...: runs a job, with blocks of 64 KiB unless told otherwise, and keeps what the kernel counted before and after.
job() {
	case "$*" in *--bs=*) ;; *) set -- --bs=64k "$@" ;; esac
	before=$(device_ios z)
	# shellcheck disable=SC2086
	run $on "$@"
	after=$(device_ios z)
}

# the_kernel_counts KIB: as many were written by the last job.
the_kernel_counts() {
	# shellcheck disable=SC2086
	set -- "$1" $before $after
	same $((($9 - $5) / 2)) "$1"
}

reset() {
	blkzone reset -o $((2 * 8192)) "$dev"
}

reset
job --rw=write --offset=2z --size=3z
check "sequential writes exit 0" exits 0
check "... and fill three zones" pointers_are 3072 3072 3072 0 0 0 0 0 0 0 0 0 0 0
check "... by the kernel's count, too" the_kernel_counts 9216
check "... and no reset" json out '.jobs[0].zone_resets == 0'
job --rw=write --offset=2z --size=3z
check "a second run resets them" json out '.jobs[0].zone_resets == 3'
check "... and fills them again" pointers_are 3072 3072 3072 0 0 0 0 0 0 0 0 0 0 0
job --rw=write --offset=5z --size=4z --zoneskip=1z --io_size=5m
check "zoneskip leaves zones out" pointers_are 3072 3072 3072 3072 0 2048 0 0 0 0 0 0 0 0
job --rw=write --offset=7z --size=1z --io_size=512k
check "writing goes on at the write pointer" pointers_are 3072 3072 3072 3072 0 2560 0 0 0 0 0 0 0 0
reset
job --rw=write --offset=2z --size=2z --bs=1020k
check "a zone with too little room is finished" json out '.jobs[0].fiord.zones.finishes == 2'
check "... and full" pointers_are 3072 3072 0 0 0 0 0 0 0 0 0 0 0 0

for engine in psync libaio io_uring "libaio --io_submit_mode=offload"; do
	for scheduler in none mq-deadline; do
		reset
		echo $scheduler >/sys/block/z/queue/scheduler 2>/dev/null || continue # a kernel may demand mq-deadline
		# shellcheck disable=SC2086
		job --rw=randwrite --offset=2z --size=5z --ioengine=$engine --iodepth=32 --io_size=24m
		check "$engine, $scheduler: random writes at depth 32 follow the write pointers" exits 0
		check "... and reset zones" json out '.jobs[0].zone_resets >= 3'
		check "... and keep to the device's limit" test "$(open_zones)" -le 4
		check "... and the kernel counts them" the_kernel_counts 24576
	done
done
for clones in --thread=1 --thread=0; do
	reset
	job --rw=randwrite --offset=2z --size=6z --ioengine=libaio --iodepth=32 --numjobs=4 --io_size=12m --max_open_zones=3 --group_reporting $clones
	check "$clones: 4 workers share zones" exits 0
	check "... and the kernel counts their writes" the_kernel_counts 49152
	check "... of which at most three zones are open" test "$(open_zones)" -le 3
	check "... and it counts as many" json out '.jobs[0].fiord.zones.open_max == 3'
done
# One write in flight each: rows of writes in a zone, until another worker wants the zone.
for engine in psync io_uring; do
	for clones in --thread=1 --thread=0; do
		reset
		job --rw=write --offset=2z --size=6z --ioengine=$engine --numjobs=4 --io_size=12m --max_open_zones=3 --group_reporting $clones
		check "$engine, $clones: 4 workers fill the same zones in order" exits 0
		check "... and the kernel counts their writes" the_kernel_counts 49152
		check "... of which at most three zones are open" test "$(open_zones)" -le 3
	done
	reset
	job --rw=write --offset=2z --size=6z --ioengine=$engine --fsync=7 --number_ios=100
	check "$engine: syncs, and an end at any write" exits 0
	check "... leave the write pointers behind the last write" pointers_are 3072 3072 256 0 0 0 0 0 0 0 0 0 0 0
	job --rw=write --offset=4z --size=4z --ioengine=$engine --number_ios=3
	check "... where the next job goes on" pointers_are 3072 3072 448 0 0 0 0 0 0 0 0 0 0 0
done
# Sequential writes at depth 8, of processes and threads, and where the depth stays: with syncs, checks, and conventional zones.
for engine in libaio io_uring "psync --io_submit_mode=offload"; do
	reset
	# shellcheck disable=SC2086
	job --rw=write --offset=2z --size=4z --ioengine=$engine --iodepth=8 --io_size=7m
	check "$engine: sequential writes at depth 8 exit 0" exits 0
	check "... with a note" json out '[.fiord.notes[] | select(test("so the depth is 1, not 8"))] | length == 1'
	check "... and follow the write pointers" pointers_are 3072 3072 1024 0 0 0 0 0 0 0 0 0 0 0
	check "... of the device" the_kernel_counts 7168
	check "... with one write in flight" json out '.jobs[0].iodepth_level["1"] == 100'
	# shellcheck disable=SC2086
	job --rw=write --offset=2z --size=6z --ioengine=$engine --iodepth=8 --numjobs=3 --io_size=12m --group_reporting
	check "$engine: those of 3 workers exit 0, too" exits 0
	check "... by the kernel's count" the_kernel_counts 36864
done
for more in --fsync=5 "--verify=crc32c --verify_state_save=0" --offset=0; do
	reset
	# shellcheck disable=SC2086
	job --rw=write --offset=2z --size=4z --ioengine=libaio --iodepth=8 --io_size=7m $more
	check "$more: the depth stays 8" json out '[.fiord.notes[] | select(test("the depth is 1"))] | length == 0'
	check "... and exit code 0" exits 0
done
# shellcheck disable=SC2086
start $on --rw=randwrite --bs=64k --offset=2z --size=6z --ioengine=libaio --iodepth=32 --numjobs=4 --max_open_zones=3 --time_based --runtime=600 \
	--eta=always --eta-interval=250
until_true 60 progress_shows "w(4)"
workers=$(children "$pid")
kill -9 "${workers%%[!0-9]*}"
until_true 60 progress_shows "K(1)"
kill -INT "$pid"
wait_for_exit
check "kill -9 of a worker: exit code 1" exits 1
check "... and no write of the others failed" json out '[.jobs[].error | select(. != 0)] | length == 1'
check "... and no more zones are open than may be" test "$(open_zones)" -le 3
job --rw=randrw --offset=2z --size=6z --ioengine=io_uring --iodepth=8 --numjobs=4 --time_based=1 --runtime=3 --group_reporting
check "4 workers read and write for a time" exits 0

# Data: what fiord writes, dd reads.
reset
job --rw=write --offset=4z --size=1z --buffer_pattern=0x5a
dd if="$dev" bs=1M skip=16 count=3 iflag=direct 2>/dev/null | tr -d Z | wc -c >left
check "dd reads the data" same "$(cat left)" 0
reset
job --rw=write --offset=4z --size=1z --io_size=1m
job --rw=read --offset=2z
check "reads end at the write pointers" json out '.jobs[0].read.io_bytes == 1048576'
job --rw=randread --io_size=8m --offset=2z --ioengine=libaio --iodepth=8
check "random reads stay below the write pointers" exits 0
job --rw=read --offset=2z --size=2z --read_beyond_wp=1
check "read_beyond_wp reads all" json out '.jobs[0].read.io_bytes == 8388608'
job --rw=write --size=2z --bs=1m
check "conventional zones are written like a plain device" json out '.jobs[0].write.io_bytes == 8388608 and .jobs[0].zone_resets == 0'
job --rw=trim --offset=2z --bs=4m
check "trims reset the zones that are not empty" exits 0
check "... which is one" json out '.jobs[0].trim.total_ios == 1'
check "... and it is empty" pointers_are 0 0 0 0 0 0 0 0 0 0 0 0 0 0

# Verification: blocks of zones that were reset are forgotten. The device says how many are left, and another reader finds their headers.
blocks() { # below the write pointers
	pointers | awk '{ n += $1 / 64 } END { print n }'
}
headers() {
	python3 -c 'import sys
with open(sys.argv[1], "rb") as f:
	data = f.read()
print(sum(data[at:at + 2] == b"\xca\xac" for at in range(8 << 20, len(data), 65536)))' "$dev"
}
reset
V="--rw=randwrite --offset=2z --ioengine=libaio --iodepth=8 --verify=crc32c"
# shellcheck disable=SC2086
{
	job $V --size=6z --io_size=40m
	check "verified writes in zones that are reset: exit code 0" exits 0
	check "... and zones were reset" json out '.jobs[0].zone_resets >= 6'
	check "... and all blocks below the write pointers are checked" json out ".jobs[0].fiord.verify.checked == $(blocks)"
	check "... where another reader finds as many headers" same "$(headers)" "$(blocks)"
	job $V --size=6z --io_size=40m --verify_only=1 --verify_state_load=1
	check "a later run verifies them by the state" json out ".jobs[0].fiord.verify.checked == $(blocks)"
	written=$(pointers | awk '$1 { print NR + 1; exit }') # behind two conventional zones
	blkzone reset -o $((written * 8192)) -c 1 "$dev"
	job $V --size=6z --io_size=40m --verify_only=1 --verify_state_load=1
	check "... and finds damage where another program has reset a zone" exits 4
}
reset

# What is refused, in one line, before anything is written.
refused() { # TEXT OPTION...
	text=$1
	shift
	job "$@"
	check "$*: refused" exits 2
	check "... by: $(head -c 300 err)" says err "$text"
	check "... and nothing is written" the_kernel_counts 0
}
refused "zones of 4 MiB" --rw=write --zonesize=8m
refused "lies inside a zone" --rw=write --offset=9m
refused "need direct=1" --rw=write --direct=0
refused "max_open_zones=5" --rw=randwrite --max_open_zones=5
refused "which is less than a block" --rw=write --offset=2z --bs=4m
refused "verify in the job that writes" --rw=randwrite --offset=2z --verify=crc32c --verify_only=1
refused "may reset one before its blocks are read" --rw=randwrite --offset=2z --verify=crc32c --numjobs=2
refused "all zones of the area" --rw=read --offset=2z
job --rw=randwrite --offset=2z --max_open_zones=5 --ignore_zone_limits=1 --io_size=1m
check "ignore_zone_limits tries more" exits 0
reset
run --name=x --filename=$dev --allow_write=$dev --direct=1 --rw=randwrite --bs=64k --size=16m --offset=16m
check "without zonemode=zbd, a write beyond a write pointer fails" exits 1
check "... with advice" says err "takes writes at the write pointers of its zones only; see zonemode=zbd"
finish
