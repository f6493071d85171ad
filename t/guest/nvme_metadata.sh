#!/bin/sh
# devices: nvme nvme-pi1 nvme-pi2-wide nvme-pi3-extended nvme-pi1-first nvme-metadata nvme-md-extended
# seconds: 840
# Does io_uring_cmd transfer metadata, is the protection information that it makes (pi_act=0) right, and does it find wrong parts? Witnesses:
# nvme-cli reads the metadata, and Python computes the CRC16 of T10-DIF; nvme-cli also plants wrong parts.
. "$SOURCE/t/guest/lib.sh"
requires nvme python3 jq

cmd() { # OPTION...
	run --output-format=json --output="$dir/json" --name=job --filename="$ng" --ioengine=io_uring_cmd --bs=4k --offset=64k --size=64k --iodepth=8 "$@"
}

tuples_differ() {
	tuples_match 0 2>&1 | grep -q AssertionError
}

# finds BYTE CHECK PART: with this byte changed, the host finds the part, the controller does, and nobody does without the check.
finds() {
	plant "$1"
	cmd --rw=read --pi_act=0 --apptag=0xabcd --pi_chk="$2" --pi_chk_by=host
	check "$name: the host finds a wrong $3" grep -q "offset 69632, length 4096: $3 mismatch in the block at offset 70144: expected 0x[0-9a-f]*, found 0x[0-9a-f]*$planted" "$dir/err"
	check "... as EILSEQ" json "$dir/json" '.jobs[0].error == 84'
	cmd --rw=read --pi_act=0 --apptag=0xabcd --pi_chk="$2" --pi_chk_by=controller
	check "... and the controller" grep -q "$3 check error (NVMe status: sct 2" "$dir/err"
	cmd --rw=read --pi_act=0 --apptag=0xabcd
	check "... and nobody without the check" exits 0
}

# protects CHECKS: pi_act=0 on the namespace.
protects() {
	cmd --rw=randwrite --pi_act=0 --verify=crc32c --pi_chk="$1" --apptag=0xabcd
	check "$name: what it wrote with pi_act=0 verifies, and passes all checks of both" exits 0
	check "... nvme-cli and a CRC16 by hand agree with each tuple" tuples_match 0xabcd
	cmd --rw=read --pi_act=0 --apptag=0x1111 --pi_chk=APPTAG --pi_chk_by=host
	check "$name: another application tag is found" grep -q 'application tag mismatch in the block at offset .*: expected 0x1111, found 0xabcd' "$dir/err"
	cmd --rw=read --pi_act=0 --apptag=0xab11 --apptag_mask=0xff00 --pi_chk=APPTAG
	check "... unless the mask covers it" exits 0
	cmd --rw=read --pi_act=0 --offset=1m --pi_chk="$1"
	check "... and blocks that were never written have nothing to check" exits 0
	finds 1 GUARD guard
	case $1 in *REFTAG) finds 7 REFTAG 'reference tag' ;; esac
	cmd --rw=read --pi_act=0 --apptag=0xabcd --pi_chk="$1" --pi_chk_by=host --continue_on_error=verify
	check "$name: one I/O fails, and the job goes on" json "$dir/json" '.jobs[0] | .total_err == 1 and .read.total_ios == 15'
	cmd --rw=write --pi_act=0 --apptag=0xabcd
	cmd --rw=read --pi_act=1 --apptag=0xabcd --pi_chk="$1"
	check "... and what it makes passes the controller with pi_act=1" exits 0
}

namespace nvme-pi1 0 8 0 1
protects GUARD,APPTAG,REFTAG
run --name=job --filename="$block" --ioengine=io_uring --direct=1 --rw=read --size=64k --pi_act=0
check "io_uring names the kernel that it needs to transfer metadata" grep -q 'pi_act=0: ioengine=io_uring transfers metadata with Linux 6.17 or later' "$dir/err"
cmd --rw=read --pi_chk=GUARD --pi_chk_by=host
check "the host cannot check what the controller strips" grep -q 'pi_chk_by=host: needs pi_act=0' "$dir/err"
cmd --rw=write --write_mode=zeroes --pi_act=0
cmd --rw=read --pi_act=0 --pi_chk=GUARD,REFTAG
check "zeros pass, whose protection information the controller made" exits 0
namespace nvme-pi2-wide 1 64 56 2
protects GUARD,APPTAG,REFTAG
cmd --rw=read --pi_act=0 --fixedbufs=1
check "fixedbufs=1 is refused where blocks and metadata are interleaved" grep -q 'fixedbufs=1: the format of .* interleaves' "$dir/err"
cmd --rw=read --pi_act=0 --bs=512k --size=1m
check "... and a block size with whose metadata a command would be too long" grep -q 'bs=524288: .*transfers .* of blocks at most' "$dir/err"
namespace nvme-pi3-extended 1 8 0 3
protects GUARD,APPTAG
namespace nvme-pi1-first 0 16 0 1
protects GUARD,APPTAG,REFTAG
cmd --rw=write --apptag=0x4321
check "$name: with pi_act=1 it transfers the other metadata" exits 0
check "... nvme-cli and a CRC16 by hand agree" tuples_match 0x4321

for name in nvme-metadata nvme-md-extended; do
	case $name in
	*extended) namespace $name 1 16 0 0 ;;
	*) namespace $name 0 8 0 0 ;;
	esac
	cmd --rw=write --verify=crc32c
	check "$name: what it wrote verifies" exits 0
	check "... nvme-cli reads metadata of zeros" tuples_match 0
	plant 3
	check "... unless another program wrote them" tuples_differ
	cmd --rw=write --fixedbufs=-1
	check "... and fiord writes them again" tuples_match 0
done
namespace nvme-metadata 0 8 0 0
cmd --rw=write --md_per_io_size=63
check "a buffer for less metadata than an I/O has is refused" grep -q 'md_per_io_size=63: an I/O of 4.0 KiB to .* has 64 bytes of metadata' "$dir/err"
for size in 64 100000; do
	cmd --rw=write --md_per_io_size=$size --verify=crc32c
	check "md_per_io_size=$size works" exits 0
done
cmd --rw=read --pi_act=0
check "pi_act=0 needs protection information" grep -q "pi_act: the format of $ng has no protection" "$dir/err"
namespace nvme 0 0 0 0
cmd --rw=read --md_per_io_size=64
check "md_per_io_size needs metadata" grep -q "md_per_io_size: the blocks of $ng have no metadata" "$dir/err"
finish
