#!/bin/sh
# Does fiord measure a device of the device mapper, say when it fails, and leave the devices below it alone? dm-delay and dm-flakey
# are given what they do; the guest's clock ticks may be late by some ten milliseconds.
# seconds: 400
. "$SOURCE/t/guest/lib.sh"
requires dmsetup
module -a loop dm-delay dm-flakey
truncate -s 64M "$dir/file"
below=$(losetup -f --show "$dir/file") || skip_all "no loop device"
sectors=$(blockdev --getsz "$below")
dmsetup create slow --table "0 $sectors delay $below 0 100 $below 0 300"
dmsetup create full --table "0 $sectors flakey $below 0 0 1000 1 error_writes"
dmsetup create broken --table "0 $sectors error"

for engine in psync libaio io_uring; do
	run --output-format=json --name=a --filename=/dev/mapper/slow --ioengine=$engine --direct=1 --rw=randrw --bs=4k --number_ios=16
	check "$engine: reads are delayed by 100 ms, writes by 300 ms" json "$dir/out" \
		'.jobs[0] | .read.total_ios + .write.total_ios == 16 and .read.clat_ns.min > 50e6 and .write.clat_ns.min > 200e6'
done

run --name=a --filename=/dev/mapper/full --direct=1 --rw=write --bs=4k --size=1m
check "a device that fails all writes ends the run" exits 1
check "... at the first one" says "$dir/err" "/dev/mapper/full: write at offset 0, length 4096: Input/output error (EIO)"
run --name=a --filename=/dev/mapper/full --direct=1 --rw=read --bs=4k --size=1m
check "... and its reads succeed" exits 0
run --name=a --filename=/dev/mapper/broken --direct=1 --rw=read --bs=4k --size=1m
check "a device that fails all I/O ends the run" exits 1

run --name=a --filename="$below" --rw=write --bs=4k --size=1m --allow_mounted_write=1
check "the device below is not written" exits 3
check "... because the device mapper holds it" says "$dir/err" "$below: refusing to write: it is held by dm-"
finish
