#!/bin/sh
# devices: scsi
# seconds: 540
# Do the commands of ioengine=sg reach the disk, and only where the guard permits it? Witnesses: the commands that scsi_debug writes into the
# kernel's log byte by byte, its map of blocks, what dd reads from the block device, and the guard's answer for the block device.
. "$SOURCE/t/guest/lib.sh"
requires jq cmp sg_reset
module -a sd_mod sg
module scsi_debug dev_size_mb=64 ndelay=0 delay=0 lbpu=1 medium_error_start=8000 medium_error_count=8
parameters=/sys/bus/pseudo/drivers/scsi_debug

# disk NAME: sets $block and $sg to the two names of a disk.
disk() {
	block=$(guest_device "$1") || skip_all "the guest has no $1"
	device=/sys/block/${block#/dev/}/device
	sg=/dev/$(ls "$device/scsi_generic")
}

cmd() { # OPTION...
	run --output-format=json --output="$dir/json" --name=job --filename="${target:-$sg}" --ioengine=sg --iodepth=16 --bs=4k --size=2m "$@"
}

# logged OPTION...: runs the job on scsi_debug, and writes the commands that the disk received into the file commands.
logged() {
	dmesg -C
	echo 1 >$parameters/opts
	cmd "$@"
	echo 0 >$parameters/opts
	dmesg | sed -n 's/.*scsi_debug.* cmd \(.*\)/\1/p' >"$dir/commands"
}

# sent COUNT REGEX: whether the disk received so many commands like this.
sent() {
	[ "$(grep -cE "^$2" "$dir/commands")" = "$1" ]
}

# bytes_are FILE: whether the first 2 MiB of the disk are those of the file.
bytes_are() {
	dd if="$block" bs=1M count=2 iflag=direct of="$dir/data" status=none
	cmp -n 2097152 "$1" "$dir/data"
}

head -c 2M /dev/zero | tr '\0' Z >"$dir/Z"

for name in scsi scsi_debug; do
	disk $name
	for target in "$sg" "$block"; do
		cmd --rw=write --verify=crc32c --fsync=64 --end_fsync=1 --fsync_on_close=1
		check "$name, $target: what it wrote verifies" exits 0
		run --name=job --filename="$block" --ioengine=psync --direct=1 --rw=read --bs=4k --size=2m --verify=crc32c
		check "... and through the block device" exits 0
		cmd --rw=randread
		check "... 512 reads" json "$dir/json" '.jobs[0].read | .total_ios == 512 and .io_bytes == 2097152 and .clat_ns.N == 512'
		cmd --rw=write --buffer_pattern=0x5a --sg_write_mode=write_and_verify
		[ $name = scsi_debug ] || check "... and write_and_verify writes" bytes_are "$dir/Z"
	done
	target=
done

# The commands, as the disk received them: operation code, flags, address, blocks.
cmd --rw=write --buffer_pattern=0x5a
logged --rw=read --size=64k --offset=1m
check "16 reads are 16 READ(10) of 8 blocks" sent 16 '28 00 00 00 0[0-9a-f] [0-9a-f]{2} 00 00 08 00'
check "... the first of block 2048" sent 1 '28 00 00 00 08 00 00 00 08'
logged --rw=read --size=64k --readfua=1
check "readfua=1 sets the bit in each" sent 16 '28 08'
logged --rw=write --size=64k --writefua=1 --buffer_pattern=0x5a
check "writefua=1 sets it in writes" sent 16 '2a 08'
logged --rw=write --size=64k --fsync=4 --buffer_pattern=0x5a
check "without, writes have no flag" sent 16 '2a 00'
syncs=$(jq ".jobs[0].sync.total_ios" "$dir/json")
check "fsync=4 is SYNCHRONIZE CACHE: $syncs" sent "$syncs" '35 00'
check "... more than once" test "$syncs" -gt 1
logged --rw=write --size=64k --sg_write_mode=verify_bytchk_00
check "verify_bytchk_00 is VERIFY" sent 16 '2f 00'
logged --rw=write --size=64k --sg_write_mode=verify_bytchk_01 --buffer_pattern=0x5a
check "verify_bytchk_01 compares all data" sent 16 '2f 02'
check "... which are equal" exits 0
cmd --rw=write --size=64k --sg_write_mode=verify_bytchk_01 --buffer_pattern=0x5b
check "... and others are not" says "$dir/err" "miscompare"
logged --rw=write --size=64k --sg_write_mode=verify_bytchk_11 --buffer_pattern=0x5a
check "verify_bytchk_11 compares one block" sent 16 '2f 06'
check "... which is equal" exits 0
check "all of these left the data" bytes_are "$dir/Z"
logged --rw=write --bs=64k --sg_write_mode=write_same_ndob
check "write_same_ndob is WRITE SAME(16)" sent 32 '93 01 00 00 00 00 00 00 [0-9a-f]{2} [0-9a-f]{2} 00 00 00 80 00 00'
check "... and writes zeros" bytes_are /dev/zero
logged --rw=write --bs=64k --sg_write_mode=write_same --buffer_pattern=0x5a
check "write_same is WRITE SAME(10)" sent 32 '41 00 00 00 [0-9a-f]{2} [0-9a-f]{2} 00 00 80 00'
check "... and writes its block everywhere" bytes_are "$dir/Z"
logged --rw=randtrim --bs=64k
check "trims are UNMAP" sent 32 '42 00'
check "... which the disk has unmapped" same "$(tr -d '\n' <$parameters/map | grep -c '^0-')" 0
check "... and are read as zeros" bytes_are /dev/zero
check "... and reported" json "$dir/json" '.jobs[0].trim.total_ios == 32'
dmesg -C

# Several commands are in flight on the character device, and one on the block device.
busy() { # COUNT
	[ "$(cat "$device/device_busy")" = "$1" ]
}
echo 100000000 >$parameters/ndelay
start --name=deep --filename="$sg" --ioengine=sg --iodepth=16 --rw=randread --bs=4k --size=2m --time_based --runtime=300
check "16 commands are in flight" until_true 60 busy 16
kill -INT "$pid"
wait_for_exit
run --name=single --filename="$block" --ioengine=sg --iodepth=16 --rw=randread --bs=4k --size=2m --number_ios=20
check "the block device has a note: its depth is 1" says "$dir/out" "so the depth is 1, not 16"
echo 0 >$parameters/ndelay

# Errors have the disk's words, by either name.
echo 2 >$parameters/opts
for target in "$sg" "$block"; do
	cmd --rw=read --offset=3m
	check "$target: an unreadable block is named" says "$dir/err" "$target: read at offset 4096000, length 4096: medium error, unrecovered read error (SCSI sense 3/11/00)"
	check "... and nothing repeats it" grep -q '(SCSI sense 3/11/00)$' "$dir/err"
	cmd --rw=read --offset=3m --size=4m --continue_on_error=read
	check "... and with continue_on_error the other 1023 are read" json "$dir/json" '.jobs[0] | .read.total_ios == 1023 and .total_err == 1'
done
target=
echo 0 >$parameters/opts
sg_reset -d "$sg" >/dev/null
cmd --rw=read
check "after a reset, the command that reports it is sent again" exits 0

# Larger commands than a disk takes: sysfs has the limits of QEMU's disk; scsi_debug also takes a piece of memory for each page, which sysfs does
# not say.
cmd --rw=read --bs=16m --size=32m --iodepth=1
check "what the kernel cannot map fails with one line" lines "$dir/err" 1
check "... and advice" says "$dir/err" "length 16777216: Invalid argument (EINVAL) (the buffer may lie in more pieces of memory than max_segments"
check "... and a document" json "$dir/json" '.jobs[0].error == 22'
disk scsi
for row in "$block 16m 16646144" "$sg 8m 8323072"; do
	target=${row%% *} size=${row#* }
	cmd --rw=read --bs="${size% *}" --size=32m
	check "$row: refused" exits 2
	check "... with one line" lines "$dir/err" 1
	check "... which has the limit" grep -q "one command to $target transfers .* (${row##* } bytes) at most (max_hw_sectors_kb, max_segments" "$dir/err"
done
target=
disk scsi_debug

# The disk returns half of the data of every 10th read or write.
echo 10 >$parameters/every_nth
echo 256 >$parameters/opts
cmd --rw=write --bs=64k --verify=crc32c
check "short transfers are completed" exits 0
check "... and counted" json "$dir/json" '.jobs[0].read.short_ios > 0'
echo 0 >$parameters/opts
echo 0 >$parameters/every_nth

# The guard: what it says about the block device holds for the character device.
guarded() { # LABEL WORDS
	cmd --rw=write
	check "$1: writes are refused" grep -q "refusing to write: $2" "$dir/err"
	run --name=job --filename="$block" --rw=write --bs=4k --size=1m
	check "... as to the block device" grep -q "refusing to write: $2" "$dir/err"
}
module ext4
mkfs.ext4 -qF "$block" >/dev/null
guarded "with a file system" 'it carries a file system (ext4)'
mkdir "$dir/mnt"
mount "$block" "$dir/mnt"
guarded "mounted" "it is mounted on $dir/mnt"
cmd --rw=write --allow_write="$sg"
check "... although allow_write names it" grep -q "allow_mounted_write" "$dir/err"
cmd --rw=randread
check "... and reads are not" exits 0
umount "$dir/mnt"
cmd --rw=write --allow_write="$block"
check "allow_write permits it by the block device's name" exits 0
wipefs -qa "$block"
echo 'start=2048, type=83' | sfdisk -q "$block"
guarded "with partitions" 'it has partitions'

# What cannot work is refused before anything is sent.
refused() { # WORDS OPTION...
	words=$1
	shift
	dmesg -C
	echo 1 >$parameters/opts
	cmd "$@"
	echo 0 >$parameters/opts
	check "refused: $words" grep -q -- "$words" "$dir/err"
	check "... before the run" test "$rc" != 0
	check "... and no write was sent" test -z "$(dmesg | grep -E 'cmd (2a|2e|8a|8e|41|93|42) ')"
}
until_true 20 test -b "${block}1"
target=${block}1
refused "needs a whole SCSI disk" --rw=read
wipefs -qa "$block"
blockdev --rereadpt "$block"
target=/dev/zero
refused "needs a whole SCSI disk" --rw=read
target=
refused "filename=$block" --rw=read --ioengine=psync
refused "ioengine=sg" --rw=read --ioengine=psync
refused "at most 16 commands" --rw=read --iodepth=17
refused "multiples of the device's block size" --rw=write --bs=1000
refused "does not go with verify" --rw=write --sg_write_mode=write_same --verify=crc32c
refused "write_stream" --rw=write --sg_write_mode=write_stream
refused "sync" --rw=write --sync=dsync

start --output-format=json --name=gone --filename="$sg" --ioengine=sg --iodepth=8 --rw=randread --bs=4k --size=2m --time_based --runtime=300
before=$(cat "$device/iorequest_cnt")
reads_go_on() {
	[ "$(cat "$device/iorequest_cnt")" != "$before" ]
}
check "a run begins" until_true 60 reads_go_on
echo 1 >"$device/delete"
wait_for_exit
check "a disk that vanishes ends the run" exits 1
check "... with its name in the error" says "$dir/err" "$sg: read at offset"
check "... and a document of what was read before" json "$dir/out" '.jobs[0] | .error != 0 and .read.total_ios > 0'
finish
