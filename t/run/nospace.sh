#!/bin/sh
# A full file system during layout or run: does fiord exit 1 with one clear error and the counts so far, and does the plan find
# out in advance? The test uses a small tmpfs.
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
		check "$what: a write without space exits 1" exits 1
		check "... and the error names file and errno" grep -q 'small/x.0.0.*No space left on device' err
		check "... once" lines err 1
		check "... and the document has the errno" json out '.jobs[0].error == 28'
		check "... and the counts so far" json out '.jobs[0].write | .total_ios > 0 and .io_bytes <= 4194304'
		rm -f small/*
	done
done

run --name=x --directory=small --size=8m --rw=read
check "a layout that cannot fit is refused in advance" exits 2
check "... with the sizes in one line" grep -q 'size=8m: .*small/x.0.0 needs 8.0 MiB in all, .* (tmpfs) has 4.0 MiB free' err
check "... and the largest size that fits" says err "the largest that fits is size=4080k"
check "... and creates nothing" same "$(ls small)" ""

for sized in "3m --numjobs=2" "3m --nrfiles=1 --name=y --directory=small --size=3m --rw=write" \
	"4m --offset=64k" "3m --rw=write --name=y --directory=small --size=2m --rw=read --stonewall"; do
	# shellcheck disable=SC2086
	run check --name=x --directory=small --rw=read --size=$sized
	check "--size=$sized: the files do not fit together" says err "its file system (tmpfs) has 4.0 MiB free"
	check "... and check exits 2" exits 2
done
for sized in "3m --filename=small/f --numjobs=2" "3m --unlink=1 --name=y --stonewall --directory=small --size=3m" \
	"8m --rw=write --fallocate=none" "8m --rw=write --fill_device=1"; do
	# shellcheck disable=SC2086
	run check --name=x --directory=. --filename_format='small/$jobname' --rw=read --size=$sized
	check "--size=$sized: check finds no lack of space" exits 0
done
run check --name=x --directory=small --rw=write --size=8m --fallocate=none
check "check prints the space that growing files need" says out "room for small/x.0.0 (tmpfs): 0 bytes needed, up to 8.0 MiB as files grow, 4.0 MiB free"
check "... and warns that writes may fail" says out "may grow by 8.0 MiB, and 4.0 MiB are free"
truncate -s 8m small/sparse
run check --name=x --filename=small/sparse --rw=write --output-format=json
check "written holes need space, too" json out '.fiord.plan.space | length == 1 and .[0].highest_bytes == 8388608 and .[0].needed_bytes == 0'
rm -f small/*
run check --name=x --directory=small --rw=read --size=2m --output-format=json
check "the document has the needed space" json out '.fiord.plan.space[0] | .needed_bytes == 2097152 and .free_bytes == 4194304 and .path == "small/x.0.0"'
run --name=x --directory=small --rw=read --size=4080k
check "the largest size fits" exits 0
run --name=x --directory=small --rw=read --size=4m --overwrite=1
check "blocks that the file already has are not counted" exits 0
rm -f small/*

if truncate -s 16m image && mkfs.ext4 -q -m 20 image && mkdir disk && mount -o loop image disk 2>/dev/null; then
	run check --name=x --directory=disk --rw=read --size=1g
	fits=$(sed -n 's/.*the largest that fits is size=//p' err)
	check "ext4: check finds a size that fits" [ -n "$fits" ]
	run --name=x --directory=disk --rw=read --size="$fits"
	check "... $fits, which fits" exits 0
	rm -f disk/x*
	run check --name=x --directory=disk --rw=read --size="$(($(stat -fc '%a*%S' disk) + 1048576))"
	check "root may use the reserved blocks" exits 0
	check "... and a note says so" says out "reserved for root"
	umount disk
else
	skip "ext4" "no loop device"
fi

# The layout fails because of ulimit -f, as if another program took the space meanwhile.
head -c 1048576 /dev/zero >small/grown
setfattr -n user.fiord -v "1 seed=1 size=1048576 done" small/grown 2>/dev/null
(ulimit -f 2048 && "$FIORD" --name=x --filename=small/new --size=3m --rw=read >out 2>err)
check "a failed layout exits 1" [ $? = 1 ]
check "... and leaves no part of a file" absent small/new
(ulimit -f 2048 && "$FIORD" --name=x --filename=small/grown --size=3m --rw=randrw >out 2>err)
check "... and restores the length of an existing file" same "$(stat -c %s small/grown)" 1048576
(ulimit -f 2048 && "$FIORD" --name=x --filename=small/grown --size=3m --rw=write >out 2>err)
check "... also after preallocation" same "$(stat -c %s small/grown)" 1048576
(ulimit -f 2048 && "$FIORD" --name=x --filename=small/grown --size=3m --rw=read --create=always --allow_write=small/grown \
	>out 2>err)
check "a file that should have been created again is empty after a failure" same "$?:$(stat -c %s small/grown)" 1:0
head -c 65536 /dev/zero >small/theirs
(ulimit -f 2048 && "$FIORD" --name=x --filename=small/theirs --size=3m --rw=read --allow_write=small/theirs >out 2>err)
check "a file that was rewritten has its old length" same "$?:$(stat -c %s small/theirs)" 1:65536
rm -f small/*
run diskspd --explain -c8M small/x
check "DISKSPD: --explain says that the file does not fit" says out "-c8M: the layout of small/x needs 8.0 MiB in all"
check "... and names the largest -c" says out "the largest that fits is -c4080K"
run diskspd -c8M -d1 -W0 small/x
check "... and the run exits 1" exits 1
check "... with the same advice" says err "the largest that fits is -c4080K"
check "... and creates nothing" same "$(ls small)" ""

# At the start both waves fit, then the first has taken the space.
run --output-format=json --name=x --directory=small --size=3m --rw=write --fallocate=none --name=y --directory=small \
	--stonewall --size=3m --rw=read
check "a layout without space in the second wave exits 1" exits 1
check "... and the error says so" grep -qi 'small/y.0.0.*no space left' err
check "... and that job has no I/O in the document" json out '.jobs[1] | .error == 28 and .read.total_ios == 0'
rm -f small/*

run --output-format=json --name=x --directory=small --size=8m --rw=write --fallocate=none --name=y --directory="$dir" \
	--size=64k --rw=write
check "one job without space exits 1" exits 1
check "... and the other job does all its I/O" json out '.jobs[1] | .error == 0 and .write.io_bytes == 65536'
rm -f small/*

head -c 4194304 /dev/zero >small/fill 2>/dev/null
run --name=x --filename=file --size=64k --output=small/result
check "a result without space exits 6" exits 6
check "... and leaves no part of a result" same "$(ls small)" fill
finish
