#!/bin/sh
# devices: nvme nvme-4k nvme-two nvme-shared
# seconds: 840
# Do the commands that io_uring_cmd sends reach the namespace, and only where the guard permits it? Witnesses: the SMART log's counts of commands
# (nvme-cli), what dd reads from the block device, and the guard's answer for the block device.
. "$SOURCE/t/guest/lib.sh"
requires nvme jq cmp

# The kernel counts the admin commands of all controllers by opcode from now on.
admin=/sys/kernel/tracing/events/nvme/nvme_setup_cmd
echo 'hist:keys=opcode if qid == 0' >"$admin/trigger" || skip_all "the kernel cannot count admin commands"

# admin_opcodes: prints the opcodes that it has counted, in order, on one line.
admin_opcodes() {
	sed -n 's/.*opcode: *\([0-9][0-9]*\).*/\1/p' "$admin/hist" | sort -n | paste -sd ' '
}

# namespace NAME [NAMESPACE]: sets $block, $ng and $controller to those of a device of devices.tsv.
namespace() {
	block=$(guest_device "$@") || skip_all "the guest has no $1"
	ng=/dev/ng${block#/dev/nvme}
	controller=${block%n*}
}

# commands: prints the reads and writes that the controller has counted.
commands() {
	nvme smart-log "$controller" --output-format=json | jq -r '"\(.host_read_commands) \(.host_write_commands)"'
}

# counted READS WRITES: whether the controller counted so many since $before. The guard and the kernel read, too, so reads are at least these.
counted() {
	set -- "$1" "$2" $before $(commands)
	[ $(($6 - $4)) = "$2" ] && [ $(($5 - $3)) -ge "$1" ] && [ $(($5 - $3)) -le $(($1 + 120)) ]
}

cmd() { # OPTION...
	run --output-format=json --output="$dir/json" --name=job --filename="$ng" --ioengine=io_uring_cmd --iodepth=32 --bs=4k --size=8m "$@"
}

# reads_and_writes OPTION...: checks the counts of both.
reads_and_writes() {
	before=$(commands)
	cmd --rw=randwrite "$@"
	check "$name $*: 2048 writes, which the controller counts" counted 0 2048
	check "... and the report" json "$dir/json" '.jobs[0].write | .total_ios == 2048 and .io_bytes == 8388608 and .slat_ns.N == 2048 and
		.clat_ns.N == 2048'
	before=$(commands)
	cmd --rw=randread "$@"
	check "$name $*: 2048 reads, which the controller counts" counted 2048 0
	check "... and the report" json "$dir/json" '.jobs[0].read | .total_ios == 2048 and .slat_ns.N == 2048 and .clat_ns.N == 2048'
}

for name in nvme-4k nvme-shared nvme; do
	namespace $name
	reads_and_writes
	cmd --rw=write --verify=crc32c --fsync=64 --end_fsync=1
	check "$name: what it wrote verifies" exits 0
	run --name=job --filename="$block" --ioengine=psync --direct=1 --rw=read --bs=4k --size=8m --verify=crc32c
	check "... and through the block device" exits 0
done
reads_and_writes --registerfiles=0 --fixedbufs=1
reads_and_writes --sqthread_poll=1
reads_and_writes --force_async=4 --thread=1
reads_and_writes --hipri=1

# Do the options of the ring reach the kernel? Witness: strace.
sets_up() { # PATTERN OPTION...
	pattern=$1
	shift
	straced -f -qq -e trace=io_uring_setup,io_uring_register -o "$dir/calls" "$FIORD" --name=job --filename="$ng" --ioengine=io_uring_cmd \
		--iodepth=4 --bs=4k --size=64k --rw=read "$@" >"$dir/out" 2>"$dir/err" && grep -qE -- "$pattern" "$dir/calls"
}
sets_up_not() {
	! sets_up "$@" && [ -s "$dir/calls" ] && [ ! -s "$dir/err" ]
}
while read -r option pattern; do
	check "$option=1 reaches the kernel" sets_up "$pattern" "--$option=1"
	check "... and $option=0 does not" sets_up_not "$pattern" "--$option=0"
done <<-ROWS
	hipri IORING_SETUP_IOPOLL
	sqthread_poll IORING_SETUP_SQPOLL
	registerfiles IORING_REGISTER_FILES
	fixedbufs IORING_REGISTER_BUFFERS
ROWS

before=$(device_ios "${block#/dev/}")
cmd --rw=randread
check "the kernel's disk statistics do not count commands" same "$(device_ios "${block#/dev/}")" "$before"
check "... and a note says so" json "$dir/json" '[.fiord.notes[] | select(test("the disk statistics of .* do not count them"))] | length == 1'

namespace nvme-two 2
cmd --rw=write --bs=64k --buffer_pattern=0x5a
head -c 8M /dev/zero | tr '\0' Z >"$dir/Z"
dd if="$block" bs=1M count=8 iflag=direct of="$dir/data" status=none
check "the second namespace has the bytes" cmp "$dir/Z" "$dir/data"
dd if="${block%2}1" bs=1M count=8 iflag=direct of="$dir/first" status=none
check "... and the first one none of them" cmp -n 8388608 /dev/zero "$dir/first"
cmd --rw=write --bs=64k --write_mode=zeroes --deac=1 --size=4m
dd if="$block" bs=1M count=8 iflag=direct of="$dir/data" status=none
check "write_mode=zeroes makes zeros of 4 MiB" cmp -n 4194304 /dev/zero "$dir/data"
check "... and of no more" cmp -i 4194304 "$dir/Z" "$dir/data"
cmd --rw=write --bs=64k --writefua=1 --buffer_pattern=0x5a
check "writefua=1 writes" exits 0
cmd --rw=randread --readfua=1
check "readfua=1 reads" exits 0
cmd --rw=randtrim --bs=64k --iodepth=8
check "trims" json "$dir/json" '.jobs[0].trim.total_ios == 128'
dd if="$block" bs=1M count=8 iflag=direct of="$dir/data" status=none
check "... which the block device shows as zeros" cmp -n 8388608 /dev/zero "$dir/data"
before=$(commands)
cmd --rw=write --write_mode=verify
check "write_mode=verify writes nothing, and the controller reads" counted 2048 0
check "... and reports its commands" json "$dir/json" '.jobs[0].write.total_ios == 2048'

# Errors of the device have its words. QEMU knows no Write Uncorrectable.
cmd --rw=write --write_mode=uncor
check "an error of the device is named" grep -q 'invalid opcode (NVMe status: sct 0, sc 0x01)' "$dir/err"

# The guard: what it says about the block device holds for the character device.
guarded() { # LABEL WORDS: both are refused with these words
	cmd --rw=write
	check "$1: writes are refused" grep -q "refusing to write: $2" "$dir/err"
	run --name=job --filename="$block" --rw=write --bs=4k --size=1m
	check "... as to the block device" grep -q "refusing to write: $2" "$dir/err"
}
module ext4
namespace nvme
before=$(commands)
mkfs.ext4 -qF "$block" >/dev/null
guarded "with a file system" 'it carries a file system (ext4)'
mkdir "$dir/mnt"
mount "$block" "$dir/mnt"
guarded "mounted" "it is mounted on $dir/mnt"
cmd --rw=write --allow_write="$ng"
check "... although allow_write names it" grep -q "allow_mounted_write" "$dir/err"
cmd --rw=randread
check "... and reads are not" exits 0
umount "$dir/mnt"
cmd --rw=write --allow_write="$block"
check "allow_write permits it by the block device's name" exits 0
wipefs -qa "$block"
echo 'start=2048, type=83' | sfdisk -q "$block"
guarded "with partitions" 'it has partitions'
wipefs -qa "$block"
blockdev --rereadpt "$block"

# What cannot work is refused before anything is sent.
refused() { # WORDS OPTION...
	words=$1
	shift
	cmd "$@"
	check "refused: $words" grep -q -- "$words" "$dir/err"
	check "... before the run" test "$rc" != 0
}
before=$(commands)
refused "filename=$ng" --rw=read --filename="$block"
refused "filename=$block" --rw=read --ioengine=psync
refused "needs the character device of an NVMe namespace" --rw=read --filename=/dev/zero
refused "transfers 512 KiB at most" --rw=write --bs=1m
refused "multiples of the device's block size" --rw=write --bs=1000
refused "does not go with verify" --rw=write --write_mode=zeroes --verify=crc32c
refused "cmd_type" --rw=read --cmd_type=bsg
refused "write_mode" --rw=write --write_mode=zone_append
refused "num_range" --rw=trimwrite --num_range=2
refused "sync" --rw=write --sync=dsync
check "none of these sent a write" counted 0 0
chmod 666 "$ng" "$block"
cp "$FIORD" "$dir/fiord" && chmod 755 "$dir" "$dir/fiord"
setpriv --reuid=65534 --regid=65534 --clear-groups "$dir/fiord" --name=job --filename="$ng" --ioengine=io_uring_cmd --rw=read --size=1m 2>"$dir/err"
check "without CAP_SYS_ADMIN, the error names it" grep -q CAP_SYS_ADMIN "$dir/err"

# Can fiord send an admin command that the job does not name? Of all jobs above, the kernel saw those that read what a disk is: get log page (2)
# and identify (6). The witness sees others: nvme-cli sends one (get features, 10).
check "no admin command was sent but get log page and identify: $(admin_opcodes)" test "$(admin_opcodes)" = "2 6"
nvme get-feature "$block" -f 7 >"$dir/out" 2>&1
check "the kernel counts another one" test "$(admin_opcodes)" = "2 6 10"
finish
