#!/bin/sh
# A full file system, in layout and in the run: a clear line, the counts so far, exit code 1.
. "$SOURCE/t/lib.sh"
requires jq mount
requires_root
mkdir "$dir/small"
mount -t tmpfs -o size=4m fiord-test "$dir/small" 2>/dev/null || skip_all "no tmpfs can be mounted"
cleanup() {
	umount "$dir/small"
}
cd "$dir" || exit 1

for engine in psync libaio; do
	for thread in 0 1; do
		what="$engine thread=$thread"
		run --name=x --directory=small --size=8m --rw=write --fallocate=none --ioengine=$engine --iodepth=4 \
			--thread=$thread --output-format=json
		check "$what: a write without room exits 1" exits 1
		check "... says which error on which file" grep -q 'small/x.0.0.*No space left on device' err
		check "... once" lines err 1
		check "... has its errno in the document" json out '.jobs[0].error == 28'
		check "... and the counts so far" json out '.jobs[0].write | .total_ios > 0 and .io_bytes <= 4194304'
		rm -f small/*
	done
done

run --name=x --directory=small --size=8m --rw=read
check "layout that cannot fit is refused before it begins" exits 2
check "... in one line with the numbers" grep -q 'small/x.0.0.*8388608.*4194304' err
check "... and makes nothing" same "$(ls small)" ""

# Two waves: at the start both fit, then the first has taken the room.
run --output-format=json --name=x --directory=small --size=3m --rw=write --fallocate=none --name=y --directory=small \
	--stonewall --size=3m --rw=read
check "layout that runs out of room exits 1" exits 1
check "... says so" grep -qi 'small/y.0.0.*no space left' err
check "... with a document without I/O of that job" json out '.jobs[1] | .error == 28 and .read.total_ios == 0'
rm -f small/*

run --output-format=json --name=x --directory=small --size=8m --rw=write --fallocate=none --name=y --directory="$dir" \
	--size=64k --rw=write
check "one job without room exits 1" exits 1
check "... and the other does all its I/O" json out '.jobs[1] | .error == 0 and .write.io_bytes == 65536'
rm -f small/*

head -c 4194304 /dev/zero >small/fill 2>/dev/null
run --name=x --filename=file --size=64k --output=small/result
check "a result without room exits 6" exits 6
check "... and leaves no part of it" same "$(ls small)" fill
finish
