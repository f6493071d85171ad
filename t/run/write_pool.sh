#!/bin/sh
# write_pool: every write is a slice of one pool.
. "$SOURCE/t/lib.sh"
requires jq awk
cd "$dir" || exit 1

# 64 KiB of numbered lines of 16 bytes, of which slices are recognised.
awk 'BEGIN { for (i = 0; i < 4096; i++) printf "%015d\n", i }' >lines

# slices FILE STEP: each block of 4 KiB goes on from a line whose number is a multiple of STEP, round the pool's file.
slices() {
	awk -v step="$2" '
		NR % 256 == 1 { if ($1 % step) exit 1; at = $1 + 0; starts[at] = 1 }
		{ if ($1 + 0 != at % 4096) exit 1; at++ }
		END { n = 0; for (s in starts) n++; exit NR != 4096 || n < 4 }' "$1"
}

# In steps of 512 bytes: a pool of twice the file, whose second half begins anew.
run --name=a --filename=f --size=64k --bs=4k --rw=randwrite --direct=1 --write_pool=128k --write_pool_file=lines --numjobs=3 \
	--group_reporting --output-format=json
if grep -q 'direct=1' err; then
	skip "slices of direct writes" "this file system has no direct I/O"
else
	check "direct writes run" test "$rc" = 0
	check "they are slices in steps of 512 bytes" slices f 32
fi

# Buffered: in steps of a byte, so somewhere a block begins within a line.
run --name=a --filename=g --size=256k --bs=4k --rw=write --write_pool=64k --write_pool_file=lines
check "buffered writes run" test "$rc" = 0
check "they begin anywhere" awk 'length($0) != 15 { odd = 1 } END { exit !odd }' g

# Random data is the same in every run; the seed chooses the slices.
for f in h1 h2; do
	run --name=a --filename=$f --size=64k --bs=4k --rw=write --write_pool=4k --randseed=$((${#f} + 7))
done
check "a pool of one block has one content" cmp h1 h2
check "which is random" test "$(gzip -c h1 | wc -c)" -gt 4000

# What cannot be read is told before anything is made.
mkdir folder
: >empty
mkfifo pipe
for bad in missing folder empty pipe; do
	run --name=a --filename=new --size=64k --rw=write --write_pool=64k --write_pool_file=$bad
	check "$bad is refused with 1" test "$rc" = 1
	check "$bad is named" grep -q "write_pool_file=$bad: " err
	check "$bad: nothing is made" test ! -e new
done
run --name=a --filename=new --size=64k --rw=write --write_pool=900t
check "more than there is of memory is refused" grep -q 'more memory than is available' err
check "and nothing is made" test ! -e new
finish
