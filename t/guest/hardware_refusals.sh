#!/bin/sh
# What does fiord say when the hardware cannot do what a job asks, or does not let it? Each row of a table is a job that must fail: with its exit
# code, exactly one line on standard error, and one document on standard output.
# devices: nvme nvme-zns
# seconds: 570
. "$SOURCE/t/guest/lib.sh"
requires blkzone jq nvme setpriv
cd "$dir" || exit 1
null_block z zoned=1 zone_size=1 size=16 zone_max_open=2 zone_max_active=3 blocksize=4096 || skip_all "null_blk makes no zoned device"
null_block worn zoned=1 zone_size=1 size=16 blocksize=4096 || skip_all "null_blk makes no zoned device"
module -a sd_mod
module scsi_debug dev_size_mb=64 zbc=managed zone_size_mb=4 zone_nr_conv=0
nvme=$(guest_device nvme) && zns=$(guest_device nvme-zns) && smr=$(guest_device scsi_debug) || skip_all "the guest lacks a device"
ng=/dev/ng${nvme#/dev/nvme} ng_zns=/dev/ng${zns#/dev/nvme}

# A document has the words of the line, too. That of a refused job has no results.
document_fits() {
	case $rc in
	2 | 3) json out ".jobs == [] and .fiord.exit.code == $rc and any(.fiord.notes[]; contains(\"$words\"))" ;;
	*) json out ".jobs | length == 1 and .[0].error != 0 and (\"fiord: x: \" + .[0].fiord.error_text == \"$(cat err)\")" ;;
	esac
}

# The columns: exit code; words; options.
table() {
	while IFS='|' read -r code words options; do
		target=${options#--filename=}
		# shellcheck disable=SC2086
		run --output-format=json --name=x --bs=64k --size=1m --direct=1 --allow_write="${target%% *}" $options
		check "$options: exit code $code" exits "$code"
		check "... with one line: $(head -c 400 err)" lines err 1
		check "... which says: $words" says err "$words"
		check "... and a document that fits" document_fits
	done
}

dd if=/dev/zero of=/dev/z bs=64k count=8 oflag=direct 2>dd
dd if=/dev/zero of="$zns" bs=64k count=8 oflag=direct 2>dd
dd if=/dev/zero of="$smr" bs=64k count=8 oflag=direct 2>dd
for target in /dev/z "$zns" "$smr"; do
	printf 'fio version 2 iolog\n%s add\n%s open\n%s write 524288 65536\n%s write 0 65536\n%s close\n' \
		"$target" "$target" "$target" "$target" "$target" >"replay${target##*/}"
done
echo 4096 >/sys/kernel/config/nullb/worn/zone_readonly # zone 2
echo 10240 >/sys/kernel/config/nullb/worn/zone_offline # zone 5

at="takes writes at the write pointers of its zones only; see zonemode=zbd"
table <<-END_OF_TABLE
	2|zones of 1 MiB|--filename=/dev/z --zonemode=zbd --rw=write --zonesize=2m
	2|zones of 8 MiB|--filename=$zns --zonemode=zbd --rw=write --zonesize=1m
	2|allows 2 open zones|--filename=/dev/z --zonemode=zbd --rw=randwrite --size=8z --max_open_zones=3
	2|allows 4 open zones|--filename=$zns --zonemode=zbd --rw=randwrite --size=8z --max_open_zones=5
	1|active zones|--filename=$zns --rw=write:8128k --size=128m --offset=8m
	1|active zones|--filename=$ng_zns --ioengine=io_uring_cmd --rw=write:8128k --size=64m --offset=128m
	1|$at|--filename=/dev/z --rw=write
	1|$at|--filename=/dev/z --rw=write --ioengine=io_uring --iodepth=4
	1|$at|--filename=$zns --rw=write
	1|$at|--filename=$smr --rw=write
	1|not at the zone's write pointer|--filename=$ng_zns --ioengine=io_uring_cmd --rw=write
	1|write at offset 0, length 65536|--filename=/dev/z --read_iolog=replayz
	1|write at offset 0, length 65536|--filename=$smr --read_iolog=replay${smr##*/}
	2|zone 2 of /dev/worn is read-only|--filename=/dev/worn --zonemode=zbd --rw=write --size=4z
	2|zone 5 of /dev/worn is offline|--filename=/dev/worn --zonemode=zbd --rw=read --offset=4z --size=4z
	1|/dev/worn: read at offset 5242880|--filename=/dev/worn --rw=read --offset=5m
	2|no protection information|--filename=$ng --ioengine=io_uring_cmd --rw=write --pi_act=1
	2|have no metadata|--filename=$ng --ioengine=io_uring_cmd --rw=write --md_per_io_size=4096
	1|active zones|--filename=/dev/z --rw=write:960k --offset=1m --size=15m
END_OF_TABLE

# With continue_on_error the reason is in the document.
run --output-format=json --name=x --bs=64k --size=512k --direct=1 --filename=/dev/z --allow_write=/dev/z --rw=write --continue_on_error=all
check "zonemode=none with continue_on_error=all: exit code 0" exits 0
check "... and the document has the errors, and what to do" json out ".jobs[0] | .write.total_ios == 0 and .total_err == 8 and
	(.fiord.error_text | contains(\"8 survived, the first: /dev/z: write at offset 0, length 65536\") and contains(\"see zonemode=zbd\"))"
run --name=x --bs=64k --size=512k --direct=1 --filename=/dev/z --allow_write=/dev/z --rw=write --continue_on_error=all
check "... and so has the text" says out "8 survived, the first: /dev/z: write at offset 0, length 65536"

# QEMU changes no zone to offline that is not read-only. A device that does is tested.
if nvme zns offline-zone "$zns" --start-lba=32768 >nvme.out 2>&1; then
	table <<-END_OF_TABLE
		2|is offline|--filename=$zns --zonemode=zbd --rw=read --offset=16z --size=2z
	END_OF_TABLE
else
	skip "an offline zone of $zns" "$(head -n 1 nvme.out)"
fi

# The right to send commands.
cp "$FIORD" "$dir/fiord" && chmod 755 "$dir" "$dir/fiord"
printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups %s "$@"\n' "$dir/fiord" >as_nobody
chmod 755 as_nobody
root=$FIORD FIORD=$dir/as_nobody
table <<-END_OF_TABLE
	3|Permission denied (EACCES)|--filename=$ng --ioengine=io_uring_cmd --rw=read
END_OF_TABLE
chmod 666 "$ng"
table <<-END_OF_TABLE
	2|CAP_SYS_ADMIN|--filename=$ng --ioengine=io_uring_cmd --rw=read
END_OF_TABLE
FIORD=$root

# A namespace that is mounted is not written through its other name.
module ext4
mkfs.ext4 -qF "$nvme" >/dev/null
mkdir mnt
mount "$nvme" mnt
table <<-END_OF_TABLE
	3|it is mounted on $dir/mnt|--filename=$ng --ioengine=io_uring_cmd --rw=write
	3|it is mounted on $dir/mnt|--filename=$ng --ioengine=io_uring_cmd --rw=randtrim
END_OF_TABLE
umount mnt
finish
