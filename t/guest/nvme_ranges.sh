#!/bin/sh
# devices: nvme
# seconds: 300
# Does a trim of several ranges (num_range) reach the namespace as one command with exactly these ranges? Witnesses: the kernel's trace of NVMe
# commands, and what dd reads from the block device.
. "$SOURCE/t/guest/lib.sh"
requires jq python3
block=$(guest_device nvme) || skip_all "the guest has no nvme"
ng=/dev/ng${block#/dev/nvme}
trace=/sys/kernel/tracing
mount -t tracefs tracefs $trace 2>/dev/null
[ -e $trace/events/nvme/nvme_setup_cmd/enable ] || skip_all "the kernel does not trace NVMe commands"
head -c 4M /dev/zero | tr '\0' Z >"$dir/Z"

# trims OPTION...: fills 4 MiB with Z, runs the job in them, and reads them. $dir/counts has how many commands had how many ranges, counted from 0.
trims() {
	dd if="$dir/Z" of="$block" bs=1M oflag=direct conv=notrunc status=none
	echo >$trace/trace
	echo 1 >$trace/events/nvme/nvme_setup_cmd/enable
	run --output-format=json --output="$dir/json" --name=job --filename="$ng" --ioengine=io_uring_cmd --bs=4k --size=4m --iodepth=4 "$@"
	echo 0 >$trace/events/nvme/nvme_setup_cmd/enable
	grep -o 'dsm nr=[0-9]*, attributes=4' $trace/trace | tr -d , | sort | uniq -c | awk '{print $1 "x" $3}' | paste -sd' ' >"$dir/counts"
	dd if="$block" of="$dir/data" bs=1M count=4 iflag=direct status=none
}

# reported IOS BYTES: whether the report counts commands and the bytes of all their ranges.
reported() {
	json "$dir/json" ".jobs[0] | .error == 0 and .trim.total_ios == $1 and .trim.io_bytes == $2 and .trim.clat_ns.N == $1"
}

commands() { # COUNTS
	echo "$1" | diff "$dir/counts" -
}

trimmed() { # EXPRESSION: of the number i of a block of 4 KiB, whether it is zeros; the others still have their Z
	python3 -c "
data = open('$dir/data', 'rb').read()
for i in range(1024):
    block, want = data[4096 * i:4096 * i + 4096], b'\0' if $1 else b'Z'
    assert block == want * 4096, i"
}

trims --rw=trim --num_range=8 --offset=1m --size=1m
check "256 blocks are 32 commands of 8 ranges" commands 32xnr=7
check "... which the report counts" reported 32 1048576
check "... and exactly these blocks are trimmed" trimmed '256 <= i < 512'
trims --rw=randtrim --num_range=10 --offset=2m --size=1m
check "random ranges: the last command has the rest" commands '1xnr=5 25xnr=9'
check "... which the report counts" reported 26 1048576
check "... and all blocks are trimmed, once each" trimmed '512 <= i < 768'
trims --rw=trim:4k --num_range=256 --size=2m --io_size=1m --iodepth=1
check "every other block is one command of 256 ranges" commands 1xnr=255
check "... which the report counts" reported 1 1048576
check "... and these blocks are trimmed" trimmed 'i < 512 and i % 2 == 0'
trims --rw=trim --num_range=4 --number_ios=3
check "number_ios counts commands" commands 3xnr=3
check "... and so does the report" reported 3 49152
check "... which trim the first blocks" trimmed 'i < 12'
trims --rw=trim --size=1m
check "without num_range each block is a command" commands 256xnr=0

for options in --rw=trimwrite "--rw=randtrim --serialize_overlap=1" "--rw=randtrim --verify=crc32c" "--rw=randtrim --bs=16m --num_range=256"; do
	# shellcheck disable=SC2086
	run --name=job --filename="$ng" --ioengine=io_uring_cmd --size=64m --num_range=2 $options
	check "refused: $options" grep -q 'num_range=[0-9]*: \(does not go with\|a trim has less\)' "$dir/err"
done
finish
