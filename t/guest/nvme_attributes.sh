#!/bin/sh
# devices: nvme nvme-pi1 nvme-pi1-first nvme-pi3 nvme-metadata nvme-pi1-extended
# kernel: trixie-backports
# seconds: 300
# Does io_uring transfer the metadata of block devices by the kernel's attributes? Is the protection information that it makes right, and does it
# find wrong parts? Witnesses: nvme-cli reads the metadata, and Python computes the CRC16 of T10-DIF; nvme-cli also plants wrong parts.
. "$SOURCE/t/guest/lib.sh"
requires nvme python3 jq
requires_kernel 6.17

attributes() { # OPTION...
	run --output-format=json --output="$dir/json" --name=job --filename="$block" --ioengine=io_uring --direct=1 --bs=4k --offset=64k --size=64k \
		--iodepth=8 --allow_write="$block" "$@"
}

# finds BYTE CHECK PART: changes this byte. The host and the controller find the wrong part, and neither does without the check.
finds() {
	plant "$1"
	attributes --rw=read --pi_act=0 --apptag=0xabcd --pi_chk="$2" --pi_chk_by=host
	check "$name: the host finds a wrong $3" grep -q "offset 69632, length 4096: $3 mismatch in the block at offset 70144: expected 0x[0-9a-f]*, found 0x[0-9a-f]*$planted" "$dir/err"
	attributes --rw=read --pi_act=0 --apptag=0xabcd --pi_chk="$2" --pi_chk_by=controller
	check "... and the controller, as EILSEQ" json "$dir/json" '.jobs[0].error == 84'
	check "... and the host does not report it" lacks "$3 mismatch" "$dir/err"
	attributes --rw=read --pi_act=0 --apptag=0xabcd
	check "... and neither without the check" exits 0
}

lacks() { # WORDS FILE
	! grep -q "$1" "$2"
}

# protects CHECKS: pi_act=0 on the block device.
protects() {
	attributes --rw=randwrite --pi_act=0 --verify=crc32c --pi_chk="$1" --apptag=0xabcd
	check "$name: what it wrote with pi_act=0 verifies, and passes the checks of host and controller" exits 0
	check "... nvme-cli and a CRC16 by hand agree with each tuple" tuples_match 0xabcd
}

namespace nvme-pi1 0 8 0 1
protects GUARD,APPTAG,REFTAG
# nvme_facts runs on a kernel that does not show them.
for attribute in atomic_write_unit_min_bytes atomic_write_unit_max_bytes; do
	check "the document has the device's $attribute" json "$dir/json" \
		".fiord.targets[0].devices[0].$attribute == $(cat "/sys/block/${block#/dev/}/queue/$attribute")"
done
attributes --rw=read --pi_act=0 --apptag=0x1111 --pi_chk=APPTAG --pi_chk_by=host
check "$name: another application tag is found" grep -q 'application tag mismatch in the block at offset .*: expected 0x1111, found 0xabcd' "$dir/err"
attributes --rw=read --pi_act=0 --apptag=0xab11 --apptag_mask=0xff00 --pi_chk=APPTAG
check "... unless the mask covers it" exits 0
attributes --rw=read --pi_act=0 --offset=1m --pi_chk=GUARD,APPTAG,REFTAG
check "... and blocks that were never written have nothing to check" exits 0
finds 1 GUARD guard
finds 7 REFTAG 'reference tag'
attributes --rw=read --pi_act=0 --apptag=0xabcd --pi_chk=REFTAG --pi_chk_by=host --continue_on_error=verify
check "$name: one I/O fails, and the job goes on" json "$dir/json" '.jobs[0] | .total_err == 1 and .read.total_ios == 15'
for options in "--fixedbufs=0 --force_async=2" "--nonvectored=0 --bs=512" --sqthread_poll=1; do
	# shellcheck disable=SC2086
	attributes --rw=write --pi_act=0 --apptag=0xabcd $options
	check "$name: $options writes right tuples" tuples_match 0xabcd
done
attributes --rw=write --apptag_mask=0xff00 --pi_act=0 --pi_chk=APPTAG --pi_chk_by=controller
check "the controller has no mask" grep -q 'apptag_mask=65280: needs pi_chk_by=host' "$dir/err"
attributes --rw=write --md_per_io_size=64
check "md_per_io_size needs pi_act=0 beside protection information" grep -q 'md_per_io_size=64: needs pi_act=0' "$dir/err"
addpart "$block" 1 128 8192
attributes --filename="${block}p1" --allow_write="${block}p1" --offset=4k --rw=write --pi_act=0 --apptag=0x2222 --pi_chk=GUARD,REFTAG
check "a partition has the reference tags of its disk" tuples_match 0x2222
attributes --filename="${block}p1" --offset=4k --rw=read --pi_act=0 --apptag=0x2222 --pi_chk=GUARD,APPTAG,REFTAG
check "... and its blocks pass the checks of host and controller" exits 0
delpart "$block" 1
namespace nvme-pi1-first 0 16 0 1
protects GUARD,APPTAG,REFTAG
namespace nvme-pi3 0 8 0 3
protects GUARD,APPTAG

namespace nvme-metadata 0 8 0 0
attributes --rw=write --md_per_io_size=64 --verify=crc32c
check "$name: what it wrote verifies" exits 0
check "... nvme-cli reads metadata of zeros" tuples_match 0
attributes --rw=read --pi_act=0
check "pi_act=0 needs protection information" grep -q "pi_act: the format of $block has no protection" "$dir/err"
for name in nvme nvme-pi1-extended; do
	namespace $name 0 0 0 0
	attributes --rw=read --pi_act=0
	check "$name: the kernel transfers no metadata" grep -q "pi_act=0: the kernel transfers no metadata with the blocks of $block" "$dir/err"
done
finish
