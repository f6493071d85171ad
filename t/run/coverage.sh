#!/bin/sh
# Does a random pass write each block once, whatever the block sizes? The file begins as one hole. Written blocks are never
# all zero, so the test counts the blocks that are zero at the end.
. "$SOURCE/t/lib.sh"
requires jq cmp
cd "$dir" || exit 1

# zeros FILE: how many of its 4 KiB blocks are all zero; -1 if some are missing.
zeros() {
	n=0 i=0 blocks=$(($(stat -c %s "$1") / 4096))
	head -c 4096 /dev/zero >zero
	split -b 4096 -a 4 -d "$1" part.
	for p in part.*; do
		cmp -s zero "$p" && n=$((n + 1))
		i=$((i + 1))
	done
	rm -f part.*
	[ "$i" = "$blocks" ] || n=-1
	echo "$n"
}

for sizes in --bs=4k --bs=64k --bsrange=4k-64k --bssplit=4k/60:16k/30:64k/10; do
	for engine in psync libaio; do
		rm -f file
		run --name=x --filename=file --size=1m --rw=randwrite $sizes --ioengine=$engine --iodepth=8
		check "$engine $sizes exits 0" exits 0
		check "$engine $sizes writes each block" same "$(zeros file)" 0
	done
done

rm -f file
run --name=x --filename=file --size=1m --rw=randwrite --bs=4k --number_ios=100
check "100 writes fill 100 blocks" same "$(zeros file)" 156
rm -f file
run --name=x --filename=file --size=1m --rw=randwrite --bs=4k --norandommap
check "norandommap leaves some blocks out" test "$(zeros file)" -gt 20

# Blocks differ and cannot be compressed unless an option says otherwise.
unique() {
	rm -rf parts && mkdir parts && split -b 4096 -a 4 -d "$1" parts/
	sha256sum parts/* | cut -d' ' -f1 | sort -u | wc -l
}
rm -f file
run --name=x --filename=file --size=1m --rw=randwrite --bs=4k
check "no two blocks are equal" same "$(unique file)" 256
check "... and gzip cannot compress them" test "$(gzip -c file | wc -c)" -gt 1040000
rm -f file
run --name=x --filename=file --size=1m --rw=write --bs=4k --zero_buffers
check "zero_buffers writes zeroes" same "$(zeros file)" 256

# The same seed writes the same file, another seed another file.
rm -f file && run --name=x --filename=file --size=256k --rw=randwrite --number_ios=30 --randseed=5 && cp file one
rm -f file && run --name=x --filename=file --size=256k --rw=randwrite --number_ios=30 --randseed=5
check "two runs write the same file" cmp -s one file
rm -f file && run --name=x --filename=file --size=256k --rw=randwrite --number_ios=30 --randseed=5 --randrepeat=0
check "... but not with randrepeat=0" sh -c '! cmp -s one file'
finish
