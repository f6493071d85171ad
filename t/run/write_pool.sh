#!/bin/sh
# write_pool: is each write a slice of one pool? The pool has numbered lines, so the test recognises slices in the file.
. "$SOURCE/t/lib.sh"
requires jq awk
cd "$dir" || exit 1

# The pool: 64 KiB of numbered lines of 16 bytes.
awk 'BEGIN { for (i = 0; i < 4096; i++) printf "%015d\n", i }' >lines

# slices FILE STEP: each block of 4 KiB begins at a line whose number is a multiple of STEP and goes on round the pool's file.
slices() {
	awk -v step="$2" '
		NR % 256 == 1 { if ($1 % step) exit 1; at = $1 + 0; starts[at] = 1 }
		{ if ($1 + 0 != at % 4096) exit 1; at++ }
		END { n = 0; for (s in starts) n++; exit NR != 4096 || n < 4 }' "$1"
}

# Direct writes begin at multiples of 512 bytes. The pool is twice as large as its file, which repeats.
run --name=a --filename=f --size=64k --bs=4k --rw=randwrite --direct=1 --write_pool=128k --write_pool_file=lines --numjobs=3 \
	--group_reporting --output-format=json
if grep -q 'direct=1' err; then
	skip "slices of direct writes" "this file system has no direct I/O"
else
	check "direct writes exit 0" test "$rc" = 0
	check "they are slices in steps of 512 bytes" slices f 32
fi

# Buffered writes begin at any byte, so some block begins within a line.
run --name=a --filename=g --size=256k --bs=4k --rw=write --write_pool=64k --write_pool_file=lines
check "buffered writes exit 0" test "$rc" = 0
check "they begin at any byte" awk 'length($0) != 15 { odd = 1 } END { exit !odd }' g

# The pool's random data is the same in each run; the seed chooses the slices.
for f in h1 h2; do
	run --name=a --filename=$f --size=64k --bs=4k --rw=write --write_pool=4k --randseed=$((${#f} + 7))
done
check "a pool of one block has the same content in each run" cmp h1 h2
check "... which gzip cannot compress" test "$(gzip -c h1 | wc -c)" -gt 4000

# A pool file that cannot be read is refused in advance.
mkdir folder
: >empty
mkfifo pipe
for bad in missing folder empty pipe; do
	run --name=a --filename=new --size=64k --rw=write --write_pool=64k --write_pool_file=$bad
	check "$bad as pool file exits 1" test "$rc" = 1
	check "$bad: the error names it" grep -q "write_pool_file=$bad: " err
	check "$bad: no file is created" test ! -e new
done
run --name=a --filename=new --size=64k --rw=write --write_pool=900t
check "a pool larger than the memory is refused" grep -q 'more memory than is available' err
check "... before a file is created" test ! -e new
finish
