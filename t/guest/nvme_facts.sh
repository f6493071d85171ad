#!/bin/sh
# devices: nvme-4k nvme-zns nvme-pi1 virtio-blk scsi
# seconds: 280
# Does the document describe disks as they are: NVMe disks, a SCSI disk, a virtual one, and null_blk with zones? Witnesses: what nvme-cli reads from
# NVMe disks, and sysfs.
. "$SOURCE/t/guest/lib.sh"
requires nvme jq

# described NAME: runs a job on a disk of devices.tsv. The document is then $dir/json, the text $dir/text, nvme-cli's answers $dir/ns and $dir/smart.
described() {
	block=$(guest_device "$1") || skip_all "the guest has no $1"
	controller=${block%n*}
	run --output-format=json --output="$dir/json" --name=job --filename="$block" --rw=read --bs=4k --size=1m --direct=1
	check "$1 is read" exits 0
	run --output="$dir/text" --name=job --filename="$block" --rw=read --bs=4k --size=1m --direct=1
	nvme id-ns "$block" --output-format=json >"$dir/ns"
	nvme smart-log "$controller" --output-format=json >"$dir/smart"
}

# is NAME VALUE: whether the document says so about the disk.
is() {
	json "$dir/json" ".fiord.targets[0].devices[0].$1 == $2"
}

# format FIELD: prints a field of the format in use, from nvme-cli.
format() {
	jq -r ".lbafs[.flbas % 16].$1" "$dir/ns"
}

for name in nvme-4k nvme-pi1 nvme-zns; do
	described $name
	check "$name: model" is model "\"$(nvme id-ctrl "$controller" --output-format=json | jq -r '.mn | rtrimstr(" ") | sub(" +$"; "")')\""
	check "... firmware" is firmware "\"$(nvme id-ctrl "$controller" --output-format=json | jq -r '.fr | sub(" +$"; "")')\""
	check "... block size" is logical_block_size "$((1 << $(format ds)))"
	check "... temperature before the run" is smart_before_temperature_celsius "$(($(jq .temperature "$dir/smart") - 273))"
	check "... and after" is smart_after_temperature_celsius "$(($(jq .temperature "$dir/smart") - 273))"
	check "... percentage used" is smart_after_percentage_used "$(jq .percent_used "$dir/smart")"
	check "... critical warnings" is smart_after_critical_warning "$(jq '.critical_warning | if type == "object" then .value else . end' "$dir/smart")"
	check "... and the text has them" grep -q "firmware .*, blocks of $((1 << $(format ds))) bytes.* degrees Celsius .* percent of its life used" "$dir/text"
done
check "zones: their number" is nr_zones "$(nvme zns report-zones "$block" --output-format=json | jq .nr_zones)"
check "... and size" is zone_bytes 8388608
check "... and the text has them" grep -q ', 32 zones of 8' "$dir/text"
described nvme-pi1
check "protection information: its type" is protection '"T10-DIF-TYPE1-CRC"'
check "... which nvme-cli reads, too" test "$(jq .dps "$dir/ns")" = 1

# queue_is ATTRIBUTE [NAME]: whether the document has what sysfs says.
queue_is() {
	value=$(cat "/sys/block/${block#/dev/}/queue/$1" 2>/dev/null) || return 0 # an older kernel
	case $value in *[!0-9]*) value="\"$value\"" ;; esac
	is "${2:-$1}" "$value"
}

# Disks of all kinds: their queues in the document and, in one line, in the text.
null_block zoned zoned=1 zone_size=4 size=64 submit_queues=2
for name in nvme-4k virtio-blk scsi zoned; do
	block=/dev/zoned
	[ $name = zoned ] || block=$(guest_device $name) || skip_all "the guest has no $name"
	run --output-format=json --output="$dir/json" --name=job --filename="$block" --rw=read --bs=4k --size=1m --direct=1
	run --output="$dir/text" --name=job --filename="$block" --rw=read --bs=4k --size=1m --direct=1
	for attribute in logical_block_size physical_block_size nr_requests max_hw_sectors_kb write_cache atomic_write_unit_max_bytes zoned; do
		check "$name: $attribute" queue_is $attribute
	done
	queues=$(ls "/sys/block/${block#/dev/}/mq" | wc -l)
	check "$name: hardware queues" is hw_queues "$queues"
	check "... the text has them, and the blocks" \
		grep -q "blocks of $(cat "/sys/block/${block#/dev/}/queue/logical_block_size") bytes.*, hardware queues: $queues" "$dir/text"
done
check "zones of null_blk: their number" queue_is nr_zones
check "... and the text has them" grep -q ' blocks of 512 bytes, 16 zones of 4.0MiB' "$dir/text"

# The kernel of Debian 12 has no write streams.
block=$(guest_device nvme-4k)
run --name=job --filename="$block" --ioengine=io_uring --direct=1 --rw=write --size=1m --dataplacement=streams
check "write streams are refused with the kernel that has them" grep -q "dataplacement=streams: $block: .*need Linux 6.16" "$dir/err"

# Without root the kernel does not give the log, but its sensor has the temperature, and the run goes on.
block=$(guest_device nvme-pi1)
chmod 666 "$block"
cp "$FIORD" "$dir/fiord" && chmod 755 "$dir" "$dir/fiord"
setpriv --reuid=65534 --regid=65534 --clear-groups "$dir/fiord" --output-format=json --name=job --filename="$block" --rw=read --bs=4k --size=1m \
	--direct=1 >"$dir/json"
check "without root, the document has no SMART log" json "$dir/json" '.fiord.targets[0].devices[0] | has("firmware") and
	(keys | map(select(startswith("smart_") and (endswith("_temperature_celsius") | not))) == [])'
nvme smart-log "${block%n*}" --output-format=json >"$dir/smart"
check "... but the temperature" is smart_after_temperature_celsius "$(($(jq .temperature "$dir/smart") - 273))"
finish
