#!/bin/sh
# Are the times that latency_split finds those of devices whose time is known? The witnesses are the times that the devices were told to take, and the
# kernel's own count (/sys/block/NAME/stat, of which iostat makes await): from the request, which the scheduler may hold, to its completion.
# clock: instructions
# seconds: 500
. "$SOURCE/t/guest/lib.sh"
requires dmsetup losetup
module -a loop dm-delay
module scsi_debug ndelay=3000000 dev_size_mb=32
modprobe sd_mod
until_true 20 test -b /dev/sda || skip_all "scsi_debug makes no disk"
null_block fast irqmode=2 completion_nsec=50000 size=64 || skip_all "null_blk makes no device with a timer"
null_block slow irqmode=2 completion_nsec=2000000 size=64 || skip_all "null_blk makes no device with a timer"

counted() { # DISK: reads, and the milliseconds that they took
	awk '{ print $1, $4 }' "/sys/block/$1/stat"
}

# split_job FILE DISK [OPTION...]: reads the file, and sets $await, the kernel's mean time of the reads of the disk, in ns.
split_job() {
	file=$1 disk=$2 before=$(counted "$2")
	shift 2
	run --output-format=json --latency_split=all --name=a --filename="$file" --direct=1 --rw=randread --bs=4k "$@"
	await=$(echo "$before $(counted "$disk")" | awk '{ print ($4 - $2) * 1e6 / ($3 - $1) }')
}

split() { # CONDITION on the row of the disk
	json "$dir/out" "def near(ns): . - ns | fabs | . < 5000 or . < 0.02 * ns; .jobs[0] | . as \$job | .fiord.split |
		length == 1 and (.[0] | .disk == \"$disk\" and .direction == \"read\" and ($1))"
}

for engine in psync io_uring; do
	split_job /dev/fast fast --ioengine=$engine --number_ios=500
	check "$engine: null_blk takes the 50 us that it was told to" split '.requests == 500 and (.device.mean | near(50e3)) and (.device.p50 | near(50e3))'
	check "... as the kernel counts ($await ns)" split ".scheduler.mean + .device.mean | near($await)"
	check "... and the parts add up to lat" split '.completion.N > 480 and
		((.submission.mean + .scheduler.mean + .device.mean + .completion.mean) / $job.read.lat_ns.mean - 1 | fabs) < 0.02'
done

split_job /dev/slow slow --ioengine=psync --number_ios=200
check "null_blk takes 2 ms" split '(.device.mean | near(2e6)) and (.device.p99 | near(2e6))'
check "... as the kernel counts ($await ns)" split ".scheduler.mean + .device.mean | near($await)"
split_job /dev/slow slow --ioengine=libaio --iodepth=8 --number_ios=400
check "... and so it does with eight in flight" split "(.device.mean | near(2e6)) and (.scheduler.mean + .device.mean | near($await))"
check "... where the parts add up, too" split '(.submission.mean + .scheduler.mean + .device.mean + .completion.mean) / $job.read.lat_ns.mean - 1 | fabs < 0.02'

split_job /dev/sda sda --ioengine=psync --number_ios=200
check "scsi_debug takes 3 ms" split '.device.mean | near(3e6)'
check "... as the kernel counts ($await ns)" split ".scheduler.mean + .device.mean | near($await)"

# A request that waits in a queue of one place is in the scheduler, while the one before it takes its 2 ms.
null_block narrow irqmode=2 completion_nsec=2000000 size=64 hw_queue_depth=1 submit_queues=1
echo mq-deadline >/sys/block/narrow/queue/scheduler
split_job /dev/narrow narrow --ioengine=libaio --iodepth=2 --number_ios=200
check "in a queue of one place each of two requests waits for the other" split '(.device.mean | near(2e6)) and .scheduler.mean > 1.9e6 and .scheduler.mean < 2.1e6'
check "... as the kernel counts ($await ns)" split ".scheduler.mean + .device.mean | near($await)"

# dm-delay takes a timer of the kernel, which may be 32 ms late after this time, and one of the kernel's threads sends the request on.
dmsetup create late --table "0 65536 delay /dev/fast 0 1000 /dev/fast 0 1000"
loop=$(losetup -f --show --direct-io=on /dev/mapper/late)
split_job "$loop" "${loop#/dev/}" --ioengine=psync --number_ios=10
check "a loop device over dm-delay takes its 1000 ms" split '.requests == 10 and .device.mean >= 1000e6 and .device.mean < 1040e6 and .device_percent > 98'
check "... as the kernel counts ($await ns)" split ".scheduler.mean + .device.mean | near($await)"
losetup -d "$loop"
finish
