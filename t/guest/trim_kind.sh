#!/bin/sh
# devices: virtio-blk
# seconds: 280
# Does each trim_kind reach devices as what it says? Witnesses: the discards and writes that the kernel counts for a device, the blocks that
# scsi_debug has data for, and what dd reads.
. "$SOURCE/t/guest/lib.sh"
requires jq cmp
module sd_mod
module scsi_debug dev_size_mb=64 ndelay=0 delay=0 lbpu=1 lbpws=1

head -c 4M /dev/zero | tr '\0' Z >"$dir/Z"

# fill: writes Z into the first 4 MiB of $block, and forgets what is cached of it.
fill() {
	dd if="$dir/Z" of="$block" bs=1M oflag=direct status=none
}

# discards: prints how many discards the kernel has counted for $block.
discards() {
	awk '{ print $12 }' "/sys/block/${block#/dev/}/stat"
}

trims() { # KIND
	fill
	before=$(discards)
	run --output-format=json --name=job --filename="$block" --ioengine=libaio --direct=1 --rw=randtrim --bs=64k --size=2m "--trim_kind=$1"
	dd if="$block" of="$dir/data" bs=1M count=4 iflag=direct status=none
}

# rest_is_kept: whether the 2 MiB behind the trims have their data.
rest_is_kept() {
	cmp -i 2097152 "$dir/Z" "$dir/data"
}

noted() { # TEXT
	json "$dir/out" ".jobs[0] | .trim.total_ios == 32 and any(.fiord.notes[]; . == \"$1\")"
}

for name in virtio-blk scsi_debug; do
	block=$(guest_device $name) || skip_all "the guest has no $name"
	trims discard
	check "$name: discards are 32" same "$(($(discards) - before))" 32
	check "... and the report says so" noted "trims: BLKDISCARD"
	check "... no other block is touched" rest_is_kept
	trims zeroout
	check "$name: zeroout sends no discards" same "$(discards)" "$before"
	check "... and the report says so" noted "trims: BLKZEROOUT"
	check "... its blocks are zeros" cmp -n 2097152 /dev/zero "$dir/data"
	check "... no other block is touched" rest_is_kept
done

# A device that cannot discard.
null_block plain memory_backed=1 size=64 discard=0
block=/dev/plain
trims zeroout
check "zeroout works on a device that cannot discard" noted "trims: BLKZEROOUT"
check "... its blocks are zeros" cmp -n 2097152 /dev/zero "$dir/data"
check "... no other block is touched" rest_is_kept
run --name=job --filename="$block" --rw=trim --bs=64k --size=2m
check "... and discards are refused there" says "$dir/err" "does not support trims"
for name in virtio-blk scsi_debug plain; do
	block=/dev/plain
	[ $name = plain ] || block=$(guest_device $name)
	fill
	trims secure
	check "$name has no secure discards, which fiord says" says "$dir/err" "$block: trim_kind=secure: the device has no secure discards"
	check "... its blocks are kept" cmp -n 4194304 "$dir/Z" "$dir/data"
done
finish
