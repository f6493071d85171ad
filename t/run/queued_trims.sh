#!/bin/sh
# How many trims of a job are in flight? The kernel counts the trims of a device and adds up how long each took (fields 12 and 15 of
# Documentation/block/stat.rst). While one trim is in flight at a time, that sum is at most the time that has passed.
. "$SOURCE/t/lib.sh"
requires jq losetup strace
requires_root
cd "$dir" || exit 1
cleanup() {
	[ -z "${dev:-}" ] || losetup -d "$dev"
}
truncate -s 32M image
dev=$(losetup -f --show image 2>err) || skip_all "losetup: $(cat err)"
[ "$(cat "/sys/block/${dev#/dev/}/queue/discard_max_bytes")" != 0 ] || skip_all "loop devices do not discard here"

field() { # NUMBER
	awk -v n="$1" '{ print $n }' "/sys/block/${dev#/dev/}/stat"
}
now_ms() {
	echo $(($(date +%s%N) / 1000000))
}
# measured OPTION...: runs a job. $trims is how many trims the device got, $took is how long they took together in ms, $busy is how long the
# device was busy, and $wall is the time that has passed.
measured() {
	trims=$(field 12) took=$(field 15) busy=$(field 10) wall=$(now_ms)
	run --name=x --filename="$dev" --bs=4k --size=32m --direct=1 --output-format=normal,json --output=json:json "$@"
	trims=$(($(field 12) - trims)) took=$(($(field 15) - took)) busy=$(($(field 10) - busy)) wall=$(($(now_ms) - wall))
}
several_in_flight() { # more than one on average; $busy also has the writes
	echo "# $trims trims took $took ms together; the device was busy for $busy ms"
	[ "$took" -gt "$busy" ]
}
one_in_flight() {
	[ "$took" -le "$wall" ]
}
# The share of I/Os that were issued while at least LEVEL were in flight.
deep() { # LEVEL SHARE
	json json ".jobs[0].iodepth_level | [to_entries[] | select((.key | ltrimstr(\">=\") | tonumber) >= $1) | .value] | add >= $2"
}
# Little's law: at most so many trims were in flight, on average. The report rounds the runtime to milliseconds.
in_flight_at_most() { # COUNT
	json json ".jobs[0].trim | .total_ios * .lat_ns.mean <= $1 * (.runtime + 1) * 1e6"
}

measured --rw=randtrim --ioengine=io_uring --iodepth=16
check "io_uring trims a device" exits 0
if grep -q 'needs Linux 6.12' out; then
	check "on an old kernel its trims are in flight one at a time" one_in_flight
	skip "queued trims" "the kernel cannot queue trims"
	finish
	exit
fi
check "... each block once" same "$trims" 8192
check "... several trims at a time" several_in_flight
check "... at the depth of the job" deep 16 90
check "... without a note" sh -c '! grep "one at a time" out'
straced -f -qq -e trace=ioctl -o calls "$FIORD" --name=x --filename="$dev" --rw=randtrim --bs=64k --size=1m --ioengine=io_uring \
	--iodepth=4 --output=out 2>err
check "... and without BLKDISCARD" sh -c '! grep BLKDISCARD calls'

for rw in trimwrite randtrimwrite; do
	head -c 33554432 /dev/zero >"$dev"
	measured --rw=$rw --ioengine=io_uring --iodepth=16
	check "$rw trims each block once" same "$trims" 8192
	check "... several trims at a time" several_in_flight
	check "... and writes each block after its trim" sh -c "[ \"\$(tr -d '\\0' <$dev | wc -c)\" -gt 33000000 ]"
	check "... at half of the depth or more: writes that wait for their trims are not in flight" deep 8 90
	measured --rw=$rw --ioengine=io_uring --iodepth=16 --size=64k --time_based --runtime=300ms --verify=crc32c
	check "$rw over the same blocks again: verify finds all of them" exits 0
done
measured --rw=randwrite --ioengine=io_uring --iodepth=16 --verify=crc32c --trim_percentage=50
check "trim_percentage=50 trims about each second block" test "$trims" -ge 4050 -a "$trims" -le 4150
check "... and reads zeroes there" exits 0
check "... several trims at a time" several_in_flight

# One at a time: the engine has no call, or the target is a file.
measured --rw=randtrim --ioengine=libaio --iodepth=16
check "libaio trims one at a time" one_in_flight
check "... which the report says" in_flight_at_most 1
measured --rw=randwrite --ioengine=io_uring --hipri=1 --iodepth=16 --verify=crc32c --trim_percentage=50
check "trim_percentage with hipri trims one block at a time" one_in_flight
check "... which a note says" says out "the trims of trim_percentage run one at a time at any iodepth: io_uring has no asynchronous call for them with these options"
for rw in trimwrite randtrimwrite; do
	measured --rw=$rw --ioengine=libaio --iodepth=16
	check "$rw with libaio trims each block once" same "$trims" 8192
	check "... one at a time" one_in_flight
	check "... which the latencies of the report say" in_flight_at_most 1
done
for engine in libaio posixaio; do
	sanitizer_allows $engine || continue
	run --name=x --filename=file --bs=4k --size=4m --rw=randtrimwrite --ioengine=$engine --iodepth=16 --output-format=normal,json \
		--output=json:json
	check "$engine: files are trimmed one block at a time" in_flight_at_most 1
	check "... with a note" says out "no asynchronous call"
	rm -f file
done

# fallocate in the ring. Linux does one at a time for each file or device: queued trims help where others are beside them. A ring has
# threads of the kernel, iou-wrk-PID, for calls that wait, and strace sees no system call for them.
sent() { # OPTION...
	straced -f -qq -e trace=ioctl,fallocate -o calls "$FIORD" --name=x --bs=64k --ioengine=io_uring --iodepth=8 "$@" --output-format=json \
		--output=json 2>err
}
# sent_none CALL: io_uring sent all of them, says the report.
sent_none() { # CALL MODE
	! grep "$1" calls && json json ".jobs[0] | .trim.total_ios == 64 and
		any(.fiord.notes[]; . == \"trims: IORING_OP_FALLOCATE with FALLOC_FL_$2, queued\")"
}
for kind in discard:PUNCH_HOLE:0 zeroout:ZERO_RANGE:2048; do
	mode=${kind#*:} blocks=${kind##*:}
	rm -f file.*
	sent --filename=file.1:file.2:file.3:file.4 --size=4m --rw=randtrim --trim_kind="${kind%%:*}"
	check "trims of several files are queued: ${mode%:*}" sent_none fallocate "${mode%:*}"
	check "... each file is trimmed" same "$(stat -c %b file.* | sort -u)" "$blocks"
	check "... at the depth of the job" deep 8 85
done
head -c 33554432 /dev/zero | tr '\0' Z >"$dev"
sent --filename="$dev" --direct=1 --size=4m --rw=trimwrite --trim_kind=zeroout --zero_buffers
check "zeroing a device beside writes is queued" sent_none BLKZEROOUT ZERO_RANGE
check "... its blocks are zeros" cmp -n 4194304 /dev/zero "$dev"
check "... no other block is touched" sh -c "[ \"\$(tail -c +4194305 $dev | tr -d Z | wc -c)\" = 0 ]"
ring_threads() { # LEAST
	[ "$(cat /proc/"$(children $job | head -n 1)"/task/*/comm 2>/dev/null | grep -c '^iou-wrk')" -ge "$1" ]
}
env --default-signal=INT "$FIORD" --name=x --filename=file.1:file.2:file.3:file.4 --size=4m --bs=4k --rw=randtrim --ioengine=io_uring \
	--iodepth=8 --time_based --runtime=60 >out 2>err &
job=$!
check "the trims of several files wait in threads of the ring" until_true 20 ring_threads 2
kill -INT $job
wait $job
measured --rw=randtrim --ioengine=io_uring --iodepth=16 --trim_kind=zeroout --size=4m
check "a job that only zeroes a device has depth 1" says out "so the depth is 1, not 16"
check "... which the report says" in_flight_at_most 1
run --name=x --filename=file.1 --size=4m --bs=4k --rw=randtrim --ioengine=io_uring --iodepth=16 --output-format=normal,json --output=json:json
check "... and so has one that only trims one file" says out "so the depth is 1, not 16"
check "... which the report says" in_flight_at_most 1
run --name=x --filename=file.1 --rw=trim --bs=64k --trim_kind=secure
check "secure discards of files are refused" exits 2
check "... in a sentence" says err "trim_kind=secure: file.1 is a file; only block devices have secure discards"

# Loop devices have no secure discards: fiord asks the kernel before the job begins.
before=$(field 12)
straced -f -qq -e trace=ioctl -o calls "$FIORD" --name=x --filename="$dev" --rw=trim --bs=64k --size=1m --trim_kind=secure >out 2>err
check "secure discards: a device without them is refused" same "$?" 1
check "... in a sentence" says err "$dev: trim_kind=secure: the device has no secure discards: Operation not supported (EOPNOTSUPP)"
check "... after one call that no device can do" same "$(grep -c BLKSECDISCARD calls)" 1
check "... which the kernel refuses" grep -q 'BLKSECDISCARD, \[1, 1\]) *= -1 EOPNOTSUPP' calls
check "... and nothing is trimmed" same "$(field 12)" "$before"
finish
