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
check "... in one line with the numbers" grep -q 'size=8m: .*small/x.0.0 needs 8.0 MiB in all, .* (tmpfs) has 4.0 MiB free' err
check "... and the largest size" says err "the largest that fits is size=4080k"
check "... and makes nothing" same "$(ls small)" ""

for sized in "3m --numjobs=2" "3m --nrfiles=1 --name=y --directory=small --size=3m --rw=write" \
	"4m --offset=64k" "3m --rw=write --name=y --directory=small --size=2m --rw=read --stonewall"; do
	# shellcheck disable=SC2086
	run check --name=x --directory=small --rw=read --size=$sized
	check "--size=$sized: together they do not fit" says err "its file system (tmpfs) has 4.0 MiB free"
	check "... exits 2" exits 2
done
for sized in "3m --filename=small/f --numjobs=2" "3m --unlink=1 --name=y --stonewall --directory=small --size=3m" \
	"8m --rw=write --fallocate=none" "8m --rw=write --fill_device=1"; do
	# shellcheck disable=SC2086
	run check --name=x --directory=. --filename_format='small/$jobname' --rw=read --size=$sized
	check "--size=$sized: nothing is known to lack room" exits 0
done
run check --name=x --directory=small --rw=write --size=8m --fallocate=none
check "files that grow are told of" says out "room for small/x.0.0 (tmpfs): 0 bytes needed, up to 8.0 MiB as files grow, 4.0 MiB free"
check "... and that writes may fail" says out "may grow by 8.0 MiB, and 4.0 MiB are free"
truncate -s 8m small/sparse
run check --name=x --filename=small/sparse --rw=write --output-format=json
check "so are holes that are written" json out '.fiord.plan.space | length == 1 and .[0].highest_bytes == 8388608 and .[0].needed_bytes == 0'
rm -f small/*
run check --name=x --directory=small --rw=read --size=2m --output-format=json
check "the document has the room" json out '.fiord.plan.space[0] | .needed_bytes == 2097152 and .free_bytes == 4194304 and .path == "small/x.0.0"'
run --name=x --directory=small --rw=read --size=4080k
check "the largest size fits" exits 0
run --name=x --directory=small --rw=read --size=4m --overwrite=1
check "what the file has already counts as its own" exits 0
rm -f small/*

if truncate -s 16m image && mkfs.ext4 -q -m 20 image && mkdir disk && mount -o loop image disk 2>/dev/null; then
	run check --name=x --directory=disk --rw=read --size=1g
	fits=$(sed -n 's/.*the largest that fits is size=//p' err)
	check "ext4: a size is found" [ -n "$fits" ]
	run --name=x --directory=disk --rw=read --size="$fits"
	check "... $fits, which fits" exits 0
	rm -f disk/x*
	run check --name=x --directory=disk --rw=read --size="$(($(stat -fc '%a*%S' disk) + 1048576))"
	check "root may use the reserve" exits 0
	check "... and is told so" says out "reserved for root"
	umount disk
else
	skip "ext4" "no loop device"
fi

# A layout that fails: another one takes the room meanwhile.
head -c 1048576 /dev/zero >small/grown
setfattr -n user.fiord -v "1 seed=1 size=1048576 done" small/grown 2>/dev/null
(ulimit -f 2048 && "$FIORD" --name=x --filename=small/new --size=3m --rw=read >out 2>err)
check "a layout that fails" [ $? = 1 ]
check "... leaves no part of a file" absent small/new
(ulimit -f 2048 && "$FIORD" --name=x --filename=small/grown --size=3m --rw=randrw >out 2>err)
check "... nor what it has added to another" same "$(stat -c %s small/grown)" 1048576
(ulimit -f 2048 && "$FIORD" --name=x --filename=small/grown --size=3m --rw=write >out 2>err)
check "... nor what it has preallocated" same "$(stat -c %s small/grown)" 1048576
rm -f small/*

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
