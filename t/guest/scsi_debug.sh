#!/bin/sh
# Does fiord measure and report a SCSI disk as it is: its service time, an unreadable sector, unmapped blocks, a disk that vanishes? The
# module's parameters, the kernel's log and the module's map of blocks are the witnesses.
# seconds: 400
. "$SOURCE/t/guest/lib.sh"
module -a sd_mod sg
module scsi_debug dev_size_mb=64 ndelay=20000000 lbpu=1 medium_error_start=8000 medium_error_count=8
disk=$(guest_device scsi_debug)
disk_name=${disk#/dev/}
parameters=/sys/bus/pseudo/drivers/scsi_debug

started() {
	[ "$(device_ios "$disk_name")" != "$before" ]
}

# mapped_blocks: the blocks that the disk has data for, as ranges.
mapped_blocks() {
	tr -d '\n' <$parameters/map
}

run --output-format=json --name=slow --filename="$disk" --ioengine=libaio --direct=1 --rw=randread --bs=4k --number_ios=20
check "no read takes less than the 20 ms of the disk" json "$dir/out" '.jobs[0].read | .total_ios == 20 and .clat_ns.min >= 20000000'

run --where --output-format=json --name=alone --filename="$disk" --direct=1 --rw=randread --bs=4k --number_ios=20
check "the parts of reads of 20 ms, one at a time, are lat within 2 %" json "$dir/out" '.jobs[0] | (.fiord.split[0] |
	select(.completion.N == 19 and .device.mean >= 20e6) | .submission.mean + .scheduler.mean + .device.mean + .completion.mean) as $parts |
	$parts / .read.lat_ns.mean - 1 | fabs < 0.02'

# One command at a time: with four reads in flight, each waits for three others before it is issued.
echo 1 >"/sys/block/$disk_name/device/queue_depth"
run --where --output-format=json --name=held --filename="$disk" --ioengine=libaio --iodepth=4 --direct=1 --rw=randread --bs=4k --number_ios=40
check "--where finds the 20 ms on the device ..." json "$dir/out" '.jobs[0].fiord.split[0] | .requests == 40 and .device.p50 >= 20e6'
check "... and the 60 ms that reads wait for a device that takes one at a time" json "$dir/out" \
	'.jobs[0] | .fiord.split[0].scheduler.p50 >= 50e6 and .fiord.split[0].scheduler.p50 > 2 * .fiord.split[0].device.p50'
check "... which are lat together" json "$dir/out" '.jobs[0] | (.fiord.split[0] | .submission.mean + .scheduler.mean + .device.mean) as $parts |
	$parts <= .read.lat_ns.mean and $parts > 0.9 * .read.lat_ns.mean'
echo 64 >"/sys/block/$disk_name/device/queue_depth"

echo 0 >$parameters/ndelay
echo 2 >$parameters/opts # medium errors
for engine in psync libaio io_uring; do
	dmesg -C
	run --name=bad --filename="$disk" --ioengine=$engine --direct=1 --rw=read --bs=4k --offset=3m --size=4m
	sector=$(dmesg | sed -n 's/.*critical medium error, dev [a-z]*, sector \([0-9]*\) .*/\1/p' | head -n 1)
	check "$engine: an unreadable sector ends the run" exits 1
	check "... and the error names the sector of the kernel's log ($sector)" says "$dir/err" "$disk: read at offset $((sector * 512)), "
	check "... and says that the disk could not read it" says "$dir/err" "medium error"
done
run --output-format=json --name=on --filename="$disk" --direct=1 --rw=read --bs=4k --offset=3m --size=4m --continue_on_error=read
check "with continue_on_error, the other 1023 blocks are read" json "$dir/out" '.jobs[0] | .read.total_ios == 1023 and .total_err == 1'
echo 0 >$parameters/opts

run --name=fill --filename="$disk" --direct=1 --rw=write --bs=64k --size=4m
check "a disk maps the 4 MiB that were written: $(mapped_blocks)" same "$(mapped_blocks)" 0-8191
run --name=trim --filename="$disk" --direct=1 --rw=trim --bs=64k --offset=1m --size=2m
check "... and after a trim all but 2 MiB of them: $(mapped_blocks)" same "$(mapped_blocks)" 0-2047,6144-8191

before=$(device_ios "$disk_name")
start --output-format=json --name=gone --filename="$disk" --ioengine=libaio --iodepth=8 --direct=1 --rw=randread --bs=4k --time_based --runtime=300
check "a run begins" until_true 60 started
echo 1 >"/sys/block/$disk_name/device/delete"
wait_for_exit
check "a disk that vanishes ends the run" exits 1
check "... with its name in the error" says "$dir/err" "$disk: read at offset"
check "... and a document of what was read before" json "$dir/out" '.jobs[0] | .error != 0 and .read.total_ios > 0'
finish
