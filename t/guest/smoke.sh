#!/bin/sh
# Does fiord do its I/O on a block device as it reports? The kernel's counters of a null_blk device are the witness.
. "$SOURCE/t/guest/lib.sh"
null_block disk size=64 memory_backed=1 || skip_all "null_blk makes no device"

# The guard reads, too, so only the writes must be equal.
device_agrees() { # JSON BEFORE AFTER
	set -- "$1" $2 $3
	[ "$(($8 - $4))" = "$(value "$1" .jobs[0].write.total_ios)" ] && [ "$((($9 - $5) * 512))" = "$(value "$1" .jobs[0].write.io_bytes)" ] &&
		[ "$(($6 - $2))" -ge "$(value "$1" .jobs[0].read.total_ios)" ]
}

for engine in psync libaio io_uring; do
	before=$(device_ios disk)
	run --output-format=json --name=mix --filename=/dev/disk --ioengine=$engine --iodepth=4 --direct=1 --rw=randrw --bs=4k --size=8m \
		--verify=crc32c
	after=$(device_ios disk)
	check "$engine writes and verifies a block device" exits 0
	check "... and the kernel counts its writes: $before, then $after" device_agrees "$dir/out" "$before" "$after"
done
finish
