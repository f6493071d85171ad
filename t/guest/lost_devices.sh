#!/bin/sh
# devices: nvme
# seconds: 400
# What happens to a run whose device is reset, loses its power or is removed? Witness: the kernel, which counts the I/Os that the device has done.
. "$SOURCE/t/guest/lib.sh"
requires jq nvme sg_reset
block=$(guest_device nvme) || skip_all "the guest has no nvme"
ng=/dev/ng${block#/dev/nvme}
controller=/sys/class/nvme/nvme0

# The reads and writes that were done: of a block device as the kernel counts them, by passthrough as the controller does.
ios() {
	case $target in
	/dev/sg*) echo $(($(cat "$device/iodone_cnt"))) ;;
	/dev/ng*) nvme smart-log /dev/nvme0 --output-format=json | jq '[.host_read_commands, .host_write_commands | tonumber] | add' ;;
	*) awk '{ print $1 + $5 }' "/sys/block/${target#/dev/}/stat" ;;
	esac
}
goes_on() {
	[ "$(ios)" -gt "$seen" ]
}
begins() { # TARGET OPTION...
	target=$1
	shift
	before=$(ios) seen=$((before + examined))
	start --output-format=json --name=job --filename="$target" --iodepth=8 --bs=4k --size=8m --time_based --runtime=600 "$@"
	check "$target: a run begins ($*)" until_true 60 goes_on
}
# The document has every I/O that the device has done, but for those in flight and those with which fiord examined it: at most this many.
examined=120
counts() { # LEAST MOST
	json "$dir/out" ".jobs[0] | .read.total_ios + .write.total_ios | . >= $1 and . <= $2"
}
ends_with_error() {
	wait_for_exit
	check "... the run ends" exits 1
	check "... with one line" lines "$dir/err" 1
	check "... that names the target and the reason" grep -qE "^fiord: job: $target: (read|write) at offset [0-9]+, " "$dir/err"
	check "... and a document with what was done" json "$dir/out" '.jobs[0] | .error != 0 and .read.total_ios + .write.total_ios > 0'
}

for target in "$block --ioengine=io_uring --direct=1" "$ng --ioengine=io_uring_cmd"; do
	# shellcheck disable=SC2086
	begins $target --rw=randread
	echo 1 >$controller/reset_controller
	seen=$(ios)
	check "... a reset of the controller: it goes on" until_true 60 goes_on
	kill -INT "$pid"
	wait_for_exit
	check "... and ends without an error" json "$dir/out" '.jobs[0].error == 0'
	check "... with all I/Os of the device in the document" counts $(($(ios) - before - examined)) $(($(ios) - before))
done

module null_blk nr_devices=0
null_block disk memory_backed=1 size=64
for engine in psync io_uring; do
	begins /dev/disk --ioengine=$engine --direct=1 --rw=randwrite
	done_before=$(ios)
	echo 0 >"$null/power"
	ends_with_error
	check "... and that the device is gone" says "$dir/err" "(the device is gone: its size is 0 now)"
	check "... nothing is lost" counts $((done_before - before - examined)) 1000000000
	echo 1 >"$null/power"
done

# A SCSI disk: resets of the device, of the target and of the host, and its removal. Commands that the disk drops at a reset time out.
module -a sd_mod sg
module scsi_debug dev_size_mb=64 ndelay=1000000
resets() {
	sg_reset "$1" "$sg" >"$dir/reset" 2>&1
}
for engine in psync io_uring sg; do
	disk=$(guest_device scsi_debug)
	device=/sys/block/${disk#/dev/}/device
	sg=/dev/$(ls "$device/scsi_generic")
	echo 2 >"$device/timeout"
	[ $engine = sg ] && target=$sg || target=$disk
	begins "$target" --ioengine=$engine --direct=1 --rw=randwrite
	for reset in -d -t -H; do
		check "... sg_reset $reset succeeds" resets $reset
		seen=$(($(ios) + 50))
		check "... it goes on" until_true 100 goes_on
	done
	done_before=$(ios)
	echo 1 >"$device/delete"
	ends_with_error
	check "... nothing is lost" counts $((done_before - before - examined)) 1000000000
	for scan in /sys/class/scsi_host/*/scan; do
		echo '- - -' >"$scan"
	done
done

begins "$block" --ioengine=libaio --direct=1 --rw=randrw
done_before=$(ios)
echo 1 >$controller/device/remove
ends_with_error
check "... nothing is lost" counts $((done_before - before - examined)) 1000000000
finish
