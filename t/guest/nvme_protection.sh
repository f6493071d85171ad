#!/bin/sh
# devices: nvme nvme-pi1 nvme-pi2 nvme-pi3 nvme-pi1-extended nvme-pi3-extended
# seconds: 840
# Is the protection information of blocks that io_uring_cmd writes right, and are wrong parts found? Witnesses: nvme-cli reads the metadata, and
# Python computes the CRC16 of T10-DIF over the data; nvme-cli also plants wrong parts.
. "$SOURCE/t/guest/lib.sh"
requires nvme python3
cat >"$dir/tuples.py" <<-'EOF'
	# tuples.py DATA METADATA TYPE TAG LBA: METADATA "-" means that it follows each block in DATA.
	import struct, sys
	def crc(data):
	    c = 0
	    for byte in data:
	        c ^= byte << 8
	        for _ in range(8):
	            c = (c << 1 ^ 0x8bb7 if c & 0x8000 else c << 1) & 0xffff
	    return c
	data, meta, kind, tag, lba = open(sys.argv[1], "rb").read(), sys.argv[2], int(sys.argv[3]), int(sys.argv[4], 0), int(sys.argv[5])
	step = 520 if meta == "-" else 512
	blocks = [data[i:i + 512] for i in range(0, len(data), step)]
	tuples = [data[i + 512:i + 520] for i in range(0, len(data), step)] if meta == "-" else \
	    [open(meta, "rb").read()[i:i + 8] for i in range(0, 8 * len(blocks), 8)]
	assert len(blocks) == 16 and any(blocks[0]) and blocks[0] != blocks[8]
	for n, (block, have) in enumerate(zip(blocks, tuples)):
	    guard, app, ref = struct.unpack(">HHI", have)
	    assert guard == crc(block) and app == tag, (n, guard, crc(block), app)
	    assert kind == 3 or ref == lba + n, (n, ref)
EOF

namespace() { # NAME: sets $block and $ng
	block=$(guest_device "$1") || skip_all "the guest has no $1"
	ng=/dev/ng${block#/dev/nvme}
}

cmd() { # OPTION...
	run --name=job --filename="$ng" --ioengine=io_uring_cmd --bs=4k --offset=64k --size=64k --iodepth=8 "$@"
}

# stored: reads 16 blocks at block 136 into data and metadata, without a check.
stored() {
	if [ $extended = 1 ]; then
		nvme read "$ng" -s 136 -c 15 -z $((16 * 520)) -d "$dir/data" -p 0
		tuples=-
	else
		nvme read "$ng" -s 136 -c 15 -z 8192 -d "$dir/data" -y 128 -M "$dir/metadata" -p 0
		tuples=$dir/metadata
	fi
} >/dev/null 2>&1

# plant AT BYTE: changes a byte of the tuple of block 136, of which 0 and 1 are the guard, 2 and 3 the application tag, 4 to 7 the reference tag.
plant() {
	stored
	if [ $extended = 1 ]; then
		printf "$2" | dd of="$dir/data" bs=1 seek=$((512 + $1)) conv=notrunc status=none
		nvme write "$ng" -s 136 -c 15 -z $((16 * 520)) -d "$dir/data" -p 0
	else
		printf "$2" | dd of="$dir/metadata" bs=1 seek="$1" conv=notrunc status=none
		nvme write "$ng" -s 136 -c 15 -z 8192 -d "$dir/data" -y 128 -M "$dir/metadata" -p 0
	fi
} >/dev/null 2>&1

# finds WORDS CHECKS: whether a read with these checks fails with these words, and one without checks succeeds.
finds() {
	cmd --rw=read --apptag=0xabcd --pi_chk="$2"
	check "$name: pi_chk=$2 finds a wrong $1" grep -q "$1 check error (NVMe status: sct 2" "$dir/err"
	cmd --rw=read --apptag=0xabcd
	check "... and a read without checks does not" exits 0
}

for name in nvme-pi1 nvme-pi2 nvme-pi3 nvme-pi1-extended nvme-pi3-extended; do
	namespace $name
	type=${name#nvme-pi}
	extended=0
	[ "$type" = "${type%-extended}" ] || extended=1
	type=${type%-extended}
	all=GUARD,APPTAG,REFTAG
	[ $type != 3 ] || all=GUARD,APPTAG
	cmd --rw=write --verify=crc32c --pi_chk=$all --apptag=0xabcd
	check "$name: what it wrote verifies, and passes all checks" exits 0
	stored
	check "... nvme-cli and a CRC16 by hand agree with each tuple" python3 "$dir/tuples.py" "$dir/data" "$tuples" $type 0xabcd 136
	cmd --rw=read --apptag=0x1111 --pi_chk=APPTAG
	check "$name: another application tag is found" grep -q 'application tag check error' "$dir/err"
	cmd --rw=read --apptag=0xab11 --apptag_mask=0xff00 --pi_chk=APPTAG
	check "... unless the mask covers it" exits 0
	plant 0 '\377'
	finds guard GUARD
	cmd --rw=write --apptag=0xabcd
	[ $type = 3 ] || { plant 4 '\377' && finds 'reference tag' REFTAG; }
done
cmd --rw=read --pi_chk=REFTAG
check "type 3 has no check of reference tags" grep -q 'pi_chk=REFTAG: .* type 3' "$dir/err"
cmd --rw=read --pi_chk=GUARD,CRC
check "an unknown check is refused" grep -q 'write GUARD, REFTAG and APPTAG' "$dir/err"
namespace nvme
for option in pi_chk=GUARD pi_chk_by=controller apptag=1 apptag_mask=1 pi_act=1; do
	cmd --rw=write --$option
	check "$option needs a format with protection information" grep -q "${option%%=*}: the format of $ng has no protection" "$dir/err"
done
finish
