#!/bin/sh
# Do zoned disks of other kinds than null_blk's take what fiord sends: SMR disks, host-managed and host-aware (scsi_debug), and ZNS (QEMU)? The
# same small jobs run on each; `blkzone report` says where the write pointers are. Is a disk left alone that a file system uses?
# devices: nvme-zns
# seconds: 680
. "$SOURCE/t/guest/lib.sh"
requires blkzone jq python3
cd "$dir" || exit 1

# zones: prints start, length, capacity and write pointer of the sequential zones, in KiB; a full zone has its capacity as write pointer.
zones() {
	blkzone report "$dev" | sed -n 's/.*start: \(0x[0-9a-f]*\), len \(0x[0-9a-f]*\), cap \(0x[0-9a-f]*\), wptr \(0x[0-9a-f]*\) .*SEQ_WRITE.*/\1 \2 \3 \4/p' |
		while read -r start len cap wp; do
			echo $((start / 2)) $((len / 2)) $((cap / 2)) $(((wp < cap ? wp : cap) / 2))
		done
}

pointers() {
	zones | cut -d ' ' -f 4
}

pointers_are() { # KIB...: of the first zones
	same "$(pointers | head -n $# | tr '\n' ' ')" "$* "
}

# blocks: prints how many blocks of 64 KiB lie below the write pointers.
blocks() {
	pointers | awk '{ n += int($1 / 64) } END { print n }'
}

open_zones() {
	zones | awk '$4 && $4 < $3 { n++ } END { print n + 0 }'
}

job() {
	run --name=x --filename="$dev" --allow_write="$dev" --direct=1 --zonemode=zbd --bs=64k --offset="$first"z --output-format=json "$@"
}

# try KIND DEVICE: the small jobs.
try() {
	dev=$2
	# shellcheck disable=SC2046
	set -- "$1" $(zones | head -n 1)
	first=$(($2 / $3)) cap=$4 limit=$(cat "/sys/block/${dev#/dev/}/queue/max_open_zones")
	check "$1: the kernel says so" same "$(cat "/sys/block/${dev#/dev/}/queue/zoned")" "$1"
	blkzone reset -o $((first * $3 * 2)) "$dev"
	job --rw=write --size=3z --io_size=1m
	check "$1: a sequential write exits 0" exits 0
	check "... and moves the write pointer" pointers_are 1024 0 0
	job --rw=write --size=3z --io_size=1m
	check "... and the next one goes on there" pointers_are 2048 0 0
	job --rw=write --size=3z
	check "... a whole one resets the first zone once it is full" json out '.jobs[0].zone_resets == 1'
	check "... and has written the others" pointers_are 2048 "$cap" "$cap"
	for engine in psync libaio io_uring; do
		job --rw=randwrite --size=5z --ioengine=$engine --iodepth=32 --io_size=48m
		check "$1: $engine: random writes at depth 32" exits 0
		check "... keep to the limit of open zones, if the disk has one ($limit)" test "$limit" = 0 -o "$(open_zones)" -le "$limit"
	done
	job --rw=randwrite --size=5z --ioengine=libaio --iodepth=8 --numjobs=4 --io_size=12m
	check "$1: 4 workers share the zones" exits 0
	job --rw=read --size=5z
	check "$1: a read ends at the write pointers" json out ".jobs[0].read.io_bytes == $(blocks) * 65536"
	job --rw=trim --size=5z --bs="$3"k
	check "$1: trims reset the zones" pointers_are 0 0 0 0 0
	job --rw=randwrite --size=5z --ioengine=libaio --iodepth=8 --io_size=60m --verify=crc32c --verify_state_save=0
	check "$1: verify checks what lies below the write pointers" json out ".jobs[0].fiord.verify.checked == $(blocks)"
	check "... and finds no damage" exits 0
	check "... in zones with a capacity of $cap KiB, which were reset" json out '.jobs[0].zone_resets > 0'
}

try host-managed "$(guest_device nvme-zns)"
zns=$dev
module -a sd_mod
for kind in managed aware; do
	module scsi_debug dev_size_mb=128 zbc=$kind zone_size_mb=8 zone_nr_conv=2 zone_max_open=4
	try host-$kind "$(guest_device scsi_debug)"
	until_true 10 rmmod scsi_debug
done

# A disk that a file system uses: zonefs, whose super block is made here.
dev=$zns first=0
modprobe zonefs || skip_all "no zonefs in this kernel"
blkzone reset "$dev"
python3 -c 'import struct, sys, zlib
block = struct.pack("<II64s16sQIII3988x", 0x5a4f4653, 0, b"", b"fiord has a zone", 0, 0, 0, 0o640)
crc = zlib.crc32(block) ^ 0xffffffff
sys.stdout.buffer.write(block[:4] + struct.pack("<I", crc) + block[8:])' >super
dd if=super of="$dev" bs=4k oflag=direct 2>/dev/null
before=$(pointers)
run --name=x --filename="$dev" --direct=1 --zonemode=zbd --rw=write --bs=64k
check "a disk with zonefs is refused" exits 3
check "... by its signature ($(head -c 300 err))" says err zonefs
mkdir mnt
check "zonefs mounts it" mount -t zonefs "$dev" mnt
job --rw=write
check "... and then it is refused even with allow_write" exits 3
check "... because it is mounted ($(head -c 300 err))" says err mounted
check "... and the write pointers are as they were" same "$(pointers)" "$before"
umount mnt
finish
