#!/bin/sh
# fill_device: does a job end without an error when the file system is full, and count all bytes that fit? The test fills a
# small tmpfs and compares with its size.
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
all_free() {
	[ "$(stat -f -c %f small)" = "$room" ]
}
# io_uring closes its files a moment after its process has ended.
clear_out() {
	rm -f small/*
	until_true 10 all_free
}

written() {
	jq '[.jobs[].write.io_bytes] | add' out
}

# filled LABEL ARG...: the run exits 0 and writes as many bytes as the file system holds.
filled() {
	label=$1
	shift
	clear_out
	# shellcheck disable=SC2086
	run $fill --rw=write "$@"
	check "$label: exits 0" exits 0
	check "... no job has an error" json out '[.jobs[].error] | add == 0'
	check "... all bytes that fit are counted" same "$(written)" $full
	check "... and are in the files" same "$(cat small/* | wc -c)" $full
}

filled "no size"
filled "a size that does not fit" --size=100m
filled "preallocation" --size=100m --fallocate=posix
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
	check "a size that fits ends the job" same "$(written)" 1048576
	clear_out
	run $fill --rw=randwrite --size=64m
	check "random writes fill the file system, too" same "$(written) $rc" "$full 0"
	clear_out
	run $fill --rw=read
	check "a read job reads what fits" json out ".jobs[0].read.io_bytes == $full"
	check "... and exits 0" exits 0
	clear_out
	run $fill --rw=randread --nrfiles=2 --loops=2
	check "... in each loop, from all files" json out ".jobs[0].read.io_bytes == 2 * $full"
	clear_out
	run $fill --rw=read --numjobs=3 --create_serialize=1
	check "clones that find no room read nothing, without an error" \
		json out "[.jobs[] | [.error, .read.io_bytes]] == [[0, $full], [0, 0], [0, 0]]"
	for blocks in 4k:1024 12k:341; do
		clear_out
		run $fill --bs=${blocks%:*} --rw=write --verify=crc32c
		check "blocks of ${blocks%:*}: all that fitted are verified" \
			json out ".jobs[0].fiord.verify | .checked == ${blocks#*:} and .damaged == 0"
		check "... and exits 0" exits 0
		clear_out
		run $fill --bs=${blocks%:*} --rw=write --verify=meta --do_verify=0 --filename=f \
			--name=y --directory=small --filename=f --rw=read --bs=${blocks%:*} --verify=meta --stonewall
		check "... also by a later job without a size" json out ".jobs[1].fiord.verify | .checked == ${blocks#*:} and .damaged == 0"
		check "... and exits 0" exits 0
	done
	clear_out
	run $fill --rw=write --verify=meta --do_verify=0 --filename=f --numjobs=1 \
		--name=w --directory=small --filename=f --rw=write --bs=4k --size=4k --stonewall \
		--name=y --directory=small --filename=f --rw=randread --verify=meta --stonewall
	check "... which finds the block that another job overwrote" \
		json out '.jobs[2] | .fiord.verify.checked == 1024 and .fiord.verify.damaged == 1'
	check "... and exits 4" exits 4
	clear_out
	run $fill --rw=write --name=y --rw=write --directory=. --filename=other --size=64k --fill_device=0
	check "other jobs go on" json out '.jobs[1] | .error == 0 and .write.io_bytes == 65536'
	clear_out
	head -c 1048576 /dev/zero >small/theirs
	run $fill --filename=theirs --rw=read
	check "a read job does not lengthen another program's file" exits 3
	check "... which keeps its size" same "$(stat -c %s small/theirs)" 1048576
	run $fill --filename=theirs --allow_write=small/theirs --rw=write --file_append=1
	check "file_append fills from the end of the file" same "$(written) $(stat -c %s small/theirs)" "3145728 $full"
	clear_out
	run $fill --rw=write --fill_device=0 --fallocate=none --size=64m
	check "without fill_device a full file system is an error" exits 1
}
clear_out

# shellcheck disable=SC2086
{
	run $fill --rw=randwrite
	check "random writes without a size are refused" exits 2
	run $fill --rw=write --ioengine=mmap
	check "mmap is refused, because it needs room in advance" exits 2
	run $fill --rw=write --ioengine=null
	check "an engine that writes nothing is refused" exits 2
}
check "... and no file is created" same "$(ls small)" ""
finish
