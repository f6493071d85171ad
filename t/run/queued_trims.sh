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
# measured OPTION...: runs a job. $trims is how many trims the device got, $took is how long they took together in ms, and $wall is the
# time that has passed.
measured() {
	trims=$(field 12) took=$(field 15) wall=$(now_ms)
	run --name=x --filename="$dev" --bs=4k --size=32m --direct=1 --output-format=normal,json --output=json:json "$@"
	trims=$(($(field 12) - trims)) took=$(($(field 15) - took)) wall=$(($(now_ms) - wall))
}
several_in_flight() { # more than one on average; $wall also has the writes, and the start of the program
	[ "$took" -gt "$wall" ]
}
one_in_flight() {
	[ "$took" -le "$wall" ]
}
# The share of I/Os that were issued while at least LEVEL were in flight.
deep() { # LEVEL SHARE
	json json ".jobs[0].iodepth_level | [to_entries[] | select((.key | ltrimstr(\">=\") | tonumber) >= $1) | .value] | add >= $2"
}
# Little's law: at most so many trims were in flight, on average.
in_flight_at_most() { # COUNT
	json json ".jobs[0].trim | .iops * .lat_ns.mean / 1e9 <= $1 * 1.01"
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
for rw in trimwrite randtrimwrite; do
	measured --rw=$rw --ioengine=libaio --iodepth=16
	check "$rw with libaio trims each block once" same "$trims" 8192
	check "... one at a time" one_in_flight
	check "... which the latencies of the report say" in_flight_at_most 1
done
for engine in libaio io_uring posixaio; do
	sanitizer_allows $engine || continue
	run --name=x --filename=file --bs=4k --size=4m --rw=randtrimwrite --ioengine=$engine --iodepth=16 --output-format=normal,json \
		--output=json:json
	check "$engine: files are trimmed one block at a time" in_flight_at_most 1
	check "... with a note" says out "run one at a time"
	rm -f file
done
finish
