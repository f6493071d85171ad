#!/bin/sh
# devices: nvme nvme-pi1 nvme-pi2 nvme-pi3 nvme-pi1-extended nvme-pi3-extended
# seconds: 840
# Is the protection information of blocks that io_uring_cmd writes right, and are wrong parts found? Witnesses: nvme-cli reads the metadata, and
# Python computes the CRC16 of T10-DIF over the data; nvme-cli also plants wrong parts.
. "$SOURCE/t/guest/lib.sh"
requires nvme python3

cmd() { # OPTION...
	run --name=job --filename="$ng" --ioengine=io_uring_cmd --bs=4k --offset=64k --size=64k --iodepth=8 "$@"
}

# finds WORDS CHECKS: whether a read with these checks fails with these words, and one without checks succeeds.
finds() {
	cmd --rw=read --apptag=0xabcd --pi_chk="$2"
	check "$name: pi_chk=$2 finds a wrong $1" grep -q "$1 check error (NVMe status: sct 2, sc 0x[0-9a-f]*)\$" "$dir/err"
	cmd --rw=read --apptag=0xabcd
	check "... and a read without checks does not" exits 0
}

for name in nvme-pi1 nvme-pi2 nvme-pi3 nvme-pi1-extended nvme-pi3-extended; do
	case $name in
	*-extended) interleaved=1 ;;
	*) interleaved=0 ;;
	esac
	type=${name#nvme-pi}
	namespace $name $interleaved 8 0 "${type%-extended}"
	all=GUARD,APPTAG,REFTAG
	[ $type != 3 ] || all=GUARD,APPTAG
	cmd --rw=write --verify=crc32c --pi_chk=$all --apptag=0xabcd
	check "$name: what it wrote verifies, and passes all checks" exits 0
	check "... nvme-cli and a CRC16 by hand agree with each tuple" tuples_match 0xabcd
	cmd --rw=read --apptag=0x1111 --pi_chk=APPTAG
	check "$name: another application tag is found" grep -q 'application tag check error' "$dir/err"
	cmd --rw=read --apptag=0xab11 --apptag_mask=0xff00 --pi_chk=APPTAG
	check "... unless the mask covers it" exits 0
	plant 0
	finds guard GUARD
	cmd --rw=write --apptag=0xabcd
	[ $type = 3 ] || { plant 4 && finds 'reference tag' REFTAG; }
done
cmd --rw=read --pi_chk=REFTAG
check "type 3 has no check of reference tags" grep -q 'pi_chk=REFTAG: .* type 3' "$dir/err"
cmd --rw=read --pi_chk=GUARD,CRC
check "an unknown check is refused" grep -q 'write GUARD, REFTAG and APPTAG' "$dir/err"
namespace nvme 0 0 0 0
for option in pi_chk=GUARD pi_chk_by=controller apptag=1 apptag_mask=1 pi_act=1; do
	cmd --rw=write --$option
	check "$option needs a format with protection information" grep -q "${option%%=*}: the format of $ng has no protection" "$dir/err"
done
finish
