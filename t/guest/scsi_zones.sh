#!/bin/sh
# Does ioengine=sg write the zones of a host-managed SMR disk in order, and with commands that such a disk must take? Witnesses: the commands
# that scsi_debug writes into the kernel's log, the write pointers by `blkzone report`, and what dd reads.
# seconds: 300
. "$SOURCE/t/guest/lib.sh"
requires blkzone jq
module -a sd_mod sg
module scsi_debug dev_size_mb=128 zbc=managed zone_size_mb=8 zone_nr_conv=2 zone_max_open=4 ndelay=0 delay=0
block=$(guest_device scsi_debug) || skip_all "scsi_debug makes no zoned disk"
sg=/dev/$(ls "/sys/block/${block#/dev/}/device/scsi_generic")
parameters=/sys/bus/pseudo/drivers/scsi_debug
check "the disk is host-managed" same "$(cat "/sys/block/${block#/dev/}/queue/zoned")" host-managed
check "... of SCSI's type 20" same "$(cat "/sys/block/${block#/dev/}/device/type")" 20

# job OPTION...: runs a job, and writes the commands that the disk received into the file commands.
job() {
	dmesg -C
	echo 1 >$parameters/opts
	run --output-format=json --output="$dir/json" --name=job --filename="${target:-$block}" --ioengine=sg --bs=64k "$@"
	echo 0 >$parameters/opts
	dmesg | sed -n 's/.*scsi_debug.* cmd \(.*\)/\1/p' >"$dir/commands"
}

sent() { # COUNT REGEX
	same "$(grep -cE "^$2" "$dir/commands")" "$1"
}

# pointers: prints the write pointers of the first four sequential zones, in KiB from their start.
pointers() {
	blkzone report "$block" | sed -n 's/.*wptr 0x\([0-9a-f]*\).*SEQ_WRITE.*/\1/p' | head -n 4 | while read -r wp; do
		echo $((0x$wp / 2 < 8192 ? 0x$wp / 2 : 8192))
	done | tr '\n' ' '
}

zbd="--zonemode=zbd --offset=2z --size=4z"
# shellcheck disable=SC2086
{
	job $zbd --rw=write --iodepth=8 --io_size=9m --buffer_pattern=0x5a --fsync=48
	check "sequential writes exit 0" exits 0
	check "... and move the write pointers" same "$(pointers)" "8192 1024 0 0 "
	check "... by 144 WRITE(16)" sent 144 '8a 00'
	check "... and by no WRITE(10), which such a disk need not take" sent 0 '2a'
	syncs=$(jq ".jobs[0].sync.total_ios" "$dir/json")
	check "... and SYNCHRONIZE CACHE(16) ($syncs)" sent "$syncs" '91'
	check "... more than once" test "$syncs" -gt 1
	check "... with the data" same "$(dd if="$block" bs=1M skip=16 count=9 iflag=direct 2>/dev/null | tr -d Z | wc -c)" 0
	job $zbd --rw=randwrite --iodepth=8 --io_size=40m
	check "random writes exit 0" exits 0
	check "... and reset zones" json "$dir/json" '.jobs[0].zone_resets > 0'
	job $zbd --rw=write --io_size=4m --verify=crc32c
	check "what it wrote verifies" exits 0
	job $zbd --rw=trim --bs=8m
	check "trims reset the zones" same "$(pointers)" "0 0 0 0 "
	check "... and send no UNMAP" sent 0 '42'
}

for target in "$block" "$sg"; do
	job --rw=randread --size=16m --io_size=2m
	check "$target: plain reads exit 0" exits 0
	check "... by 32 READ(16)" sent 32 '88 00'
	job --rw=write --size=2m --allow_write="$block" --fsync_on_close=1
	check "$target: conventional zones are written" exits 0
	check "... by 32 WRITE(16)" sent 32 '8a 00'
	job --rw=write --offset=17m --size=1m --allow_write="$block"
	check "$target: a write beyond a write pointer fails" exits 1
	check "... in the words of the disk, and with advice" grep -q 'unaligned write command.*see zonemode=zbd' "$dir/err"
done
job --zonemode=zbd --rw=write --offset=2z
check "zonemode=zbd by the character device is refused" exits 2
check "... which names the other one" says "$dir/err" "zonemode=zbd: $sg has no calls for zones; use the block device of the disk: filename=$block"
check "... and nothing was sent" sent 0 '8a'
finish
