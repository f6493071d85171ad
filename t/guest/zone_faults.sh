#!/bin/sh
# When writes in the middle of zones fail, does the run go on where the device says? How does fiord treat zones that are read-only or offline?
# null_blk fails writes of bad blocks: as a whole and for ever, or behind the part that it has written and once. scsi_debug reports medium
# errors. `blkzone report` says where the write pointers are.
# kernel: trixie-backports
# seconds: 400
. "$SOURCE/t/guest/lib.sh"
requires blkzone jq
cd "$dir" || exit 1
module -a sd_mod
null_block bad zoned=1 zone_size=4 zone_nr_conv=2 size=64 memory_backed=1 blocksize=4096 || skip_all "null_blk makes no zoned device"
null_block once zoned=1 zone_size=4 zone_nr_conv=2 size=64 memory_backed=1 blocksize=4096 badblocks_once=1 badblocks_partial_io=1 ||
	skip_all "null_blk has no badblocks_once"
module scsi_debug dev_size_mb=64 zbc=managed zone_size_mb=4 zone_nr_conv=2
config=/sys/kernel/config/nullb

# use DEVICE: takes this device from now on, with all zones empty.
use() {
	dev=$1
	blkzone reset -o 16384 "$dev"
}

# pointers: prints the write pointers of the three zones behind the conventional ones, in KiB.
pointers() {
	blkzone report -o 16384 -c 3 "$dev" | sed -n 's/.*wptr 0x\([0-9a-f]*\).*/\1/p' | while read -r wp; do
		echo $((0x$wp / 2))
	done
}

pointers_are() { # KIB...
	same "$(pointers | tr '\n' ' ')" "$* "
}

# bad_block DEVICE KIB: makes 4 KiB there a bad block.
bad_block() {
	echo "+$(($2 * 2))-$(($2 * 2 + 7))" >"$config/${1#/dev/}/badblocks"
}

job() {
	run --name=x --filename="$dev" --allow_write="$dev" --direct=1 --zonemode=zbd --bs=64k --offset=2z --size=3z --output-format=json "$@"
}
on="--continue_on_error=write --recover_zbd_write_error=1 --verify=crc32c --verify_state_save=0"

use /dev/bad
bad_block $dev $((8192 + 1032))
job --rw=write
check "a write that fails in the middle of a zone ends the run" exits 1
check "... with its place" says err "/dev/bad: write at offset $((9 << 20)), length 65536: Input/output error (EIO)"
check "... and the write pointers are before it" pointers_are 1024 0 0
check "... as the document says" json out '.jobs[0] | .write.io_bytes == 1048576 and .error == 5'
# shellcheck disable=SC2086
job --rw=randwrite --ioengine=libaio --iodepth=8 --io_size=6m $on
check "with continue_on_error a zone that takes no more writes does not end the run" exits 0
check "... and its write pointer stays" same "$(pointers | head -n 1)" 1024
check "... and all that lies below the write pointers is verified" json out ".jobs[0].fiord.verify | .damaged == 0 and .not_checked == 0 and
	.checked == $(pointers | awk '{ n += $1 / 64 } END { print n - 16 }')" # 16 blocks are of the first run

for engine in psync libaio io_uring; do
	use /dev/once
	bad_block $dev $((8192 + 1080))
	bad_block $dev $((12288 + 512))
	# shellcheck disable=SC2086
	job --rw=write --ioengine=$engine --iodepth=8 $on
	check "$engine: a write that was done in part moves the write pointer, and the run goes on there" exits 0
	check "... with an error for each bad block" json out '.jobs[0].total_err == 2'
	check "... and the rest of the pass behind them" pointers_are 4096 4096 4032
	check "... and what was written verifies" json out '.jobs[0].fiord.verify | .damaged == 0 and .not_checked == 0 and .checked + .in_part > 100'
done

# Without verification, jobs with one write in flight draw their writes in rows.
for engine in psync io_uring; do
	use /dev/once
	bad_block $dev $((8192 + 1080))
	bad_block $dev $((12288 + 512))
	job --rw=write --ioengine=$engine --continue_on_error=write --recover_zbd_write_error=1
	check "$engine, a row of writes: one that was done in part moves the write pointer, and the run goes on there" exits 0
	check "... with an error for each bad block" json out '.jobs[0].total_err == 2'
	check "... and the rest of the pass behind them" pointers_are 4096 4096 4032
	use /dev/bad
	job --rw=write --ioengine=$engine
	check "$engine, a row of writes: one that fails ends the run" says err "/dev/bad: write at offset $((9 << 20)), length 65536: Input/output error (EIO)"
	check "... and the write pointers are before it" pointers_are 1024 0 0
	check "... as the document says" json out '.jobs[0] | .write.io_bytes == 1048576 and .error == 5'
done

use "$(guest_device scsi_debug)"
dd if=/dev/zero of="$dev" bs=64k seek=128 count=16 oflag=direct 2>/dev/null
for errors in /sys/kernel/debug/scsi_debug/*:*/error; do
	echo "2 -3 0x8a 0 0 2 0x3 0x11 0x0" >"$errors" # the next three WRITE(16) fail with a medium error that the kernel does not retry
done
# shellcheck disable=SC2086
job --rw=write --ioengine=libaio --iodepth=8 --io_size=2m $on
check "a disk that reports medium errors: the run goes on" exits 0
check "... after three errors" json out '.jobs[0].total_err == 3'
check "... and the other 29 writes of the 32 move the write pointer" pointers_are $((1024 + 29 * 64)) 0 0
check "... and are verified" json out '.jobs[0].fiord.verify | .damaged == 0 and .not_checked == 0 and .checked == 29'

# Zones that wear out. The device gives no write pointer for them.
use /dev/once
job --rw=write --io_size=5m
echo 16384 >$config/once/zone_readonly # the first zone; it is full
echo 32768 >$config/once/zone_offline  # the third one
job --rw=write --size=2z
check "writes to an area with a read-only zone are refused" exits 2
check "... by the number of the zone" says err "zone 2 of /dev/once is read-only"
job --rw=read
check "reads of an area with an offline zone are refused" exits 2
check "... by the number of the zone" says err "zone 4 of /dev/once is offline"
job --rw=read --size=2z
check "a read-only zone is read up to its capacity, another one up to its write pointer" json out '.jobs[0].read.io_bytes == 5242880'
check "... and a note says so" json out '[.fiord.notes[] | select(contains("read-only (1) have no write pointer"))] | length == 1'
written() {
	[ "$(blkzone report -o 24576 -c 1 $dev | sed 's/.*wptr 0x\([0-9a-f]*\).*/\1/')" != 000800 ]
}
start --name=x --filename=$dev --allow_write=$dev --direct=1 --zonemode=zbd --bs=64k --offset=3z --size=1z --output-format=json --rw=write \
	--time_based --runtime=300 --continue_on_error=write
check "a run begins to write" until_true 60 written
echo 24576 >$config/once/zone_readonly
wait_for_exit
check "a zone that becomes read-only ends the run when no other one is left" exits 1
check "... with its place" says err "offset $((12 << 20))"
check "... and a valid document" json out '.jobs[0] | .error == 5 and .write.total_ios > 0'

# Zones that wear out while others are left. The kernel's log has the error of the zone, and the kernel counts the writes.
failed() {
	dmesg | grep -q "I/O error, dev once, sector"
}
goes_on() {
	[ "$(device_ios once | awk '{ print $1 + $3 }')" -gt "$seen" ]
}
# wears_out STATE WORD OPTION...: zone 3 becomes read-only or offline while the job uses zones 2 to 5.
wears_out() {
	state=$1 word=$2
	shift 2
	echo 0 >$config/once/power
	echo 1 >$config/once/power
	until_true 20 test -b $dev
	dmesg -C
	start --name=x --filename=$dev --allow_write=$dev --direct=1 --zonemode=zbd --bs=64k --offset=2z --size=4z --output-format=json --time_based \
		--runtime=300 --continue_on_error=all --group_reporting "$@"
	seen=100
	check "$*: a run begins" until_true 60 goes_on
	echo 24576 >$config/once/zone_$state
	check "... a zone becomes $word, and an I/O of it fails" until_true 60 failed
	seen=$(($(device_ios once | awk '{ print $1 + $3 }') + 300))
	check "... the run goes on in others" until_true 60 goes_on
	kill -INT "$pid"
	wait_for_exit
	check "... errors are counted, and are as few as were in flight" json out ".jobs[0] | .error == 5 and .total_err >= 1 and .total_err <= $most"
	check "... and a note names the zone" json out "any(.jobs[0].fiord.notes[]; contains(\"zone 3 of $dev has become $word;\"))"
	check "... nothing is said on stderr but of the signal" test "$(grep -vc terminated err)" = 0
}
most=1
wears_out readonly read-only --rw=randwrite --ioengine=io_uring --iodepth=8
wears_out offline offline --rw=write --ioengine=libaio --iodepth=8 --numjobs=2
most=4
wears_out offline offline --rw=randrw --ioengine=psync --numjobs=2
finish
