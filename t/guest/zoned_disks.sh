#!/bin/sh
# Do zoned disks of other kinds than null_blk's take what fiord sends: SMR disks, host-managed and host-aware (scsi_debug), and ZNS (QEMU)? The
# same small jobs run on each; `blkzone report` says where the write pointers are. Is a disk left alone that a file system uses?
# devices: nvme-zns
# seconds: 680
. "$SOURCE/t/guest/lib.sh"
requires blkzone jq nvme python3
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

# log_pointers: prints the same as pointers, from the answer of a namespace itself (Zone Management Receive), whose blocks have 4 KiB.
log_pointers() {
	nvme zns report-zones "$dev" --output-format=json |
		jq '.zone_list[] | if .state | test("full"; "i") then .cap * 4 else (.wp - .slba) * 4 end'
}

pointers_are() { # KIB...: of the first zones
	same "$(pointers | head -n $# | tr '\n' ' ')" "$* " || return 1
	case $dev in
	/dev/nvme*) same "$(log_pointers | head -n $# | tr '\n' ' ')" "$* " ;;
	esac
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

# Zone appends to the namespace. The kernel's trace of commands says which were sent; the device, where it has put the data.
first=0 ng=/dev/ng${dev#/dev/nvme}
trace=/sys/kernel/tracing

append() {
	run --name=x --filename="$ng" --allow_write="$ng" --zonemode=zbd --ioengine=io_uring_cmd --write_mode=zone_append --bs=16k --output-format=json "$@"
}

# in_flight: prints the largest number of appends to one zone that were in flight at a time.
in_flight() {
	sed -n 's/.*nvme_\(setup_cmd\|complete_rq\): .*qid=\([0-9]*\), cmdid=\([0-9]*\), \(.*(nvme_cmd_zone_append slba=\([0-9]*\)\)*.*/\1 \2.\3 \5/p' $trace/trace |
		awk '$1 == "setup_cmd" && NF == 3 { zone[$2] = $3; n = ++count[$3]; if (n > most) most = n }
			$1 == "complete_rq" && $2 in zone { count[zone[$2]]--; delete zone[$2] }
			END { print most + 0 }'
}

blkzone reset "$dev"
echo 1 >$trace/events/nvme/nvme_setup_cmd/enable
echo 1 >$trace/events/nvme/nvme_complete_rq/enable
echo >$trace/trace
append --rw=write --size=2z --iodepth=16 --io_size=9m --buffer_pattern=0x5a
echo 0 >$trace/events/nvme/enable
check "zone appends: exit code 0" exits 0
check "... of which several of a zone are in flight ($(in_flight))" test "$(in_flight)" -gt 4
check "... and fill the zones" pointers_are 6144 3072 0
check "... with the data" same "$(dd if="$dev" bs=1M count=6 iflag=direct 2>/dev/null | tr -d Z | wc -c)" 0
append --rw=randwrite --size=5z --iodepth=16 --numjobs=2 --io_size=20m
check "two workers append at random" json out '[.jobs[] | .write.total_ios == 1280 and .error == 0] | all'
check "... and keep to the limit of open zones ($limit)" test "$(open_zones)" -le "$limit"
append --rw=trim --size=5z --bs=8m
check "trims reset the zones" pointers_are 0 0 0 0 0

# Another program appends to the zone meanwhile, so the places are not those that fiord would guess.
begun() {
	[ "$(pointers | head -n 1)" != 0 ]
}
start --name=x --filename="$ng" --allow_write="$ng" --zonemode=zbd --ioengine=io_uring_cmd --write_mode=zone_append --bs=16k --size=1z --io_size=4m \
	--rw=write --rate_iops=10 --write_lat_log=log --log_offset=1 --output-format=json
check "a slow run begins" until_true 60 begun
head -c 16384 /dev/zero >zeroes
other=$(nvme zns zone-append "$dev" --zslba=0 --data-size=16384 --data=zeroes | sed 's/.*LBA //')
kill -INT "$pid"
wait_for_exit
awk -F', ' '{ print $5 / 16384 }' log_clat.1.log | sort -n >places
check "the log has the places of the device: all but the other program's ($other)" \
	same "$(seq 0 $(($(pointers | head -n 1) / 16 - 1)) | grep -vx $((0x$other / 4)))" "$(cat places)"
append --rw=write --bs=256k
check "an append above the device's limit is refused" exits 2
check "... which is that of zoned.zasl=5" says err "a zone append to $ng has 128 KiB at most"
append --rw=write --verify=crc32c
check "verify is refused" exits 2
check "... because it needs the place" says err "a block is made before the device chooses its place"
blkzone reset "$dev"

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
