#!/bin/sh
# What does fiord do with zoned devices that are in use, and with the files of zonefs? The guard must refuse f2fs, btrfs and devices below the
# device mapper; a sequential file of zonefs takes direct writes at its end, and its size says how many came.
# kernel: trixie-backports
# seconds: 300
. "$SOURCE/t/guest/lib.sh"
requires blkzone dmsetup jq python3
cd "$dir" || exit 1
PATH=$PATH:/usr/sbin:/sbin
module -a dm-mod zonefs

cleanup() {
	cd / && umount "$dir/mnt" 2>/dev/null
}

job() {
	run --name=x --direct=1 --bs=64k --output-format=json "$@"
}

# refused DEVICE TEXT OPTION...: whether the guard refuses to write the zones of a device, which stay as they are.
refused() {
	before=$(blkzone report "$1") device=$1 text=$2
	shift 2
	job --filename="$device" --zonemode=zbd --rw=write --offset=20z "$@"
	check "$text: refused" exits 3
	check "... with the reason" says err "$device: refusing to write: $text"
	check "... and the zones are as before" same "$(blkzone report "$device")" "$before"
}

null_block z zoned=1 zone_size=4 zone_nr_conv=16 size=256 memory_backed=1 blocksize=4096 || skip_all "null_blk makes no zoned device"
for tool in "f2fs -f -m" "btrfs -f -O zoned"; do
	name=${tool%% *}
	# shellcheck disable=SC2086
	if command -v "mkfs.$name" >/dev/null && mkfs.$tool /dev/z >made 2>&1; then
		refused /dev/z "it carries a file system ($name)"
	else
		skip "a zoned device with $name" "no mkfs.$name for zoned devices"
	fi
done
null_block d zoned=1 zone_size=4 size=128 memory_backed=1 blocksize=4096
dmsetup create held --table "0 $(blockdev --getsz /dev/d) linear /dev/d 0"
refused /dev/d "it is held by dm-" --allow_write=/dev/d
job --filename=/dev/mapper/held --allow_write=/dev/mapper/held --zonemode=zbd --rw=randwrite --ioengine=libaio --iodepth=8 --size=4z --io_size=8m
check "the zones of the device mapper's device are written" exits 0
check "... in the device below" same "$(blkzone report -c 4 /dev/d | sed -n 's/.*wptr 0x\([0-9a-f]*\).*/\1/p' | while read -r wp; do echo $((0x$wp)); done |
	awk '{ n += $1 } END { print n / 2 }')" 8192
dmsetup remove held

n=0
# zonefs: a file for each zone; the super block is made here.
blkzone reset /dev/d
python3 -c 'import struct, sys, zlib
block = struct.pack("<II64s16sQIII3988x", 0x5a4f4653, 0, b"", b"fiord has a zone", 0, 0, 0, 0o640)
crc = zlib.crc32(block) ^ 0xffffffff
sys.stdout.buffer.write(block[:4] + struct.pack("<I", crc) + block[8:])' >super
dd if=super of=/dev/d bs=4k oflag=direct 2>/dev/null
mkdir mnt && mount -t zonefs /dev/d mnt || skip_all "zonefs does not mount"
for engine in psync "libaio --iodepth=8" "io_uring --iodepth=8"; do
	file=mnt/seq/$((n += 1))
	# shellcheck disable=SC2086
	job --filename=$file --allow_write=$file --ioengine=$engine --rw=write --size=4m --verify=crc32c
	check "zonefs: $engine: a sequential file is written and verified" exits 0
	check "... up to the capacity of its zone" same "$(stat -c %s $file)" 4194304
done
job --filename=mnt/seq/4 --allow_write=mnt/seq/4 --rw=randwrite --size=4m
check "random writes fail" exits 1
check "... and the line says what such a file takes" says err "a sequential file of zonefs takes direct writes at its end only"
job --filename=mnt/seq/5 --allow_write=mnt/seq/5 --rw=write --size=4m --direct=0
check "buffered writes fail" exits 1
check "... and the line says so, too" says err "a sequential file of zonefs takes direct writes at its end only"
finish
