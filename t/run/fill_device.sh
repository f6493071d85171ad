#!/bin/sh
# fill_device: a full file system is a good end, and all that fitted is counted. Real ENOSPC, on a small tmpfs.
. "$SOURCE/t/lib.sh"
requires jq mount
requires_root
mkdir "$dir/small"
mount -t tmpfs -o size=4m fiord-test "$dir/small" 2>/dev/null || skip_all "no tmpfs can be mounted"
cleanup() {
	umount "$dir/small"
}
cd "$dir" || exit 1
fill="--directory=small --bs=4k --fill_device=1 --output-format=json --name=x"
full=4194304

room=$(stat -f -c %f small)
roomy() {
	[ "$(stat -f -c %f small)" = "$room" ]
}
# io_uring lets go of its files a moment after its process has ended.
clear_out() {
	rm -f small/*
	until_true 10 roomy
}

written() {
	jq '[.jobs[].write.io_bytes] | add' out
}

# filled LABEL ARG...: exit 0, and as many bytes as the file system holds.
filled() {
	label=$1
	shift
	clear_out
	# shellcheck disable=SC2086
	run $fill --rw=write "$@"
	check "$label: exits 0" exits 0
	check "... no job has failed" json out '[.jobs[].error] | add == 0'
	check "... all bytes that fit are counted" same "$(written)" $full
	check "... and are there" same "$(cat small/* | wc -c)" $full
}

filled "without a size"
filled "with a larger one" --size=100m
filled "without preallocation, too" --size=100m --fallocate=posix
filled "loops=3" --size=100m --loops=3
filled "time_based" --time_based --runtime=600
filled "three files" --nrfiles=3
filled "blocks that do not fit evenly" --bs=12k
filled "fsync" --fsync=16 --end_fsync=1
filled "two clones" --numjobs=2
filled "two threads" --numjobs=2 --thread=1
for engine in libaio io_uring posixaio; do
	sanitizer_allows $engine || continue
	filled "$engine, 16 deep" --ioengine=$engine --iodepth=16 --bs=12k
done

clear_out
# shellcheck disable=SC2086
{
	run $fill --rw=write --size=1m
	check "a size that fits is the end" same "$(written)" 1048576
	clear_out
	run $fill --rw=randwrite --size=64m
	check "random writes fill, too" same "$(written) $rc" "$full 0"
	clear_out
	run $fill --rw=read
	check "a job that reads reads what fitted" json out ".jobs[0].read.io_bytes == $full"
	check "... well" exits 0
	clear_out
	run $fill --rw=randread --nrfiles=2 --loops=2
	check "... in every loop, from all its files" json out ".jobs[0].read.io_bytes == 2 * $full"
	clear_out
	run $fill --rw=read --numjobs=3 --create_serialize=1
	check "what finds no room has nothing to read, and that is no error" \
		json out "[.jobs[] | [.error, .read.io_bytes]] == [[0, $full], [0, 0], [0, 0]]"
	clear_out
	run $fill --rw=write --name=y --rw=write --directory=. --filename=other --size=64k --fill_device=0
	check "others are left alone" json out '.jobs[1] | .error == 0 and .write.io_bytes == 65536'
	clear_out
	head -c 1048576 /dev/zero >small/theirs
	run $fill --filename=theirs --rw=read
	check "someone else's file is not made longer for reading" exits 3
	check "... and stays" same "$(stat -c %s small/theirs)" 1048576
	run $fill --filename=theirs --rw=write --file_append=1
	check "file_append fills from its end on" same "$(written) $(stat -c %s small/theirs)" "3145728 $full"
	clear_out
	run $fill --rw=write --fill_device=0 --fallocate=none --size=64m
	check "without fill_device the same is an error" exits 1
}
clear_out

# shellcheck disable=SC2086
{
	run $fill --rw=randwrite
	check "random writes without a range are refused" exits 2
	run $fill --rw=write --ioengine=mmap
	check "and mappings, which need room first" exits 2
	run $fill --rw=write --ioengine=null
	check "and what writes nothing" exits 2
}
check "... and nothing has been made" same "$(ls small)" ""
finish
