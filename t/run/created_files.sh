#!/bin/sh
# unlink, unlink_each_loop, create_on_open, create_only and create_serialize: are files created and removed at the right time,
# exactly once, and never those of other programs? The test reads directories and strace's output.
. "$SOURCE/t/lib.sh"
requires jq strace
cd "$dir" || exit 1

no_files() {
	[ -z "$(find . -type f ! -name out ! -name err ! -name trace)" ]
}

# ---- unlink: the last user removes the file ----

for open in 0 1; do
	for thread in 0 1; do
		run --filename=f:g:h --nrfiles=3 --openfiles=1 --size=192k --bs=4k --rw=write --loops=4 --numjobs=4 \
			--create_on_open=$open --unlink=1 --thread=$thread --name=x --output-format=json
		check "clones share files with unlink=1, create_on_open=$open thread=$thread" exits 0
		check "... and each clone does all its I/O" json out '[.jobs[].write.total_ios] == [192, 192, 192, 192]'
		check "... and nothing is left" no_files
	done
done

run --filename=f --size=64k --rw=write --name=a --unlink=1 --name=b --stonewall --rw=read --name=c --stonewall --rw=write
check "a removed file is laid out again for the next wave" exits 0
check "... which may keep it" test -f f
rm -f f
run --filename=f --size=64k --rw=write --unlink=1 --name=a --name=b
check "two jobs with unlink=1 on one file exit 0" exits 0
check "... and the file is removed" no_files
check "... and stderr is empty" empty err

# ---- several names of one file ----

mkdir d
run --size=64k --rw=write --output-format=json --name=a --filename=f:./f:d/../f --unlink=1
check "a missing file with three names exits 0" exits 0
check "... and is created and removed once" no_files
run --size=64k --rw=read --output-format=json --name=a --filename=g --name=b --filename=./g
check "one file with a name per job exits 0" exits 0
check "... and both jobs read all of it" json out '[.jobs[].read.total_ios] == [16, 16]'
rm -f g
run check --size=64k --rw=read --name=a --filename=new/./h --name=b --filename=.//new/h
check "names below a missing directory are one file, too" grep -q ' 65536 bytes to lay out' out

# ---- unlink_each_loop ----

straced -f -o trace -e trace=openat,unlink "$FIORD" --name=x --filename=f --size=64k --rw=write --loops=3 --unlink_each_loop=1 \
	>/dev/null 2>&1
check "unlink_each_loop removes the file between loops" same "$(grep -c 'unlink("f")' trace)" 2
check "... and each loop creates it" same "$(grep -c '"f".*O_CREAT.* = [0-9]' trace)" 3
check "... and the last loop leaves it, as in fio" test -f f
rm -f f
for engine in psync libaio io_uring mmap; do
	run --name=x --size=64k --nrfiles=3 --filesize=64k --bs=4k --rw=randwrite --unlink_each_loop=1 --loops=5 --ioengine=$engine \
		--iodepth=8 --unlink=1 --output-format=json
	check "$engine: all loops are done" json out '.jobs[0] | .error == 0 and .write.total_ios == 80'
	check "... and no file is left" no_files
done
head -c 65536 /dev/zero >theirs
run --name=x --filename=theirs --allow_write=theirs --size=64k --rw=write --unlink_each_loop=1 --loops=2
before=$(stat -c %i theirs)
check "another program's file is not removed" grep -q 'theirs: not removed' out
run --name=x --filename=theirs --allow_write=theirs --size=64k --rw=write --unlink_each_loop=1 --loops=2
check "... and stays the same file" same "$(stat -c %i theirs)" "$before"
rm -f theirs
run --name=x --filename=f --size=64k --rw=read --unlink_each_loop=1 --loops=2
check "unlink_each_loop is refused for reads" exits 2
run --name=x --filename=f --size=64k --rw=write --unlink_each_loop=1 --loops=2 --numjobs=2
check "... and for shared files" exits 2
check "... before a file is created" no_files

# ---- create_only, create_serialize ----

run --name=x --nrfiles=3 --size=192k --rw=read --create_only=1 --numjobs=2 --output-format=json
check "create_only exits 0" exits 0
check "... does no I/O" json out '[.jobs[].read.total_ios] == [0, 0]'
check "... and leaves the files" same "$(cat x.?.? | wc -c)" 393216
run --name=x --nrfiles=3 --size=192k --rw=read --numjobs=2 --allow_file_create=0
check "... with which the same job runs" exits 0
rm -f x.*
run --name=x --size=64k --rw=write --create_only=1 --create_on_open=1
check "create_only with create_on_open is refused" exits 2

# With create_serialize a job writes its file after the job before has written its own.
straced -f -o trace -e trace=pwrite64 "$FIORD" --name=x --numjobs=3 --size=32m --rw=read --create_serialize=1 --create_only=1 \
	>/dev/null 2>&1
check "create_serialize lays out one job after the other" same "$(awk '/pwrite64.*, 8388608, / { print $1 }' trace | uniq | wc -l)" 3
rm -f x.*
# ---- a directory that changes during the run ----

mkdir d
run --rw=write --size=64k --name=a --filename=f --unlink=1 --exec_postrun='rmdir d' --name=b --stonewall --filename=d/g
check "a directory removed between waves is not created again" exits 1
check "... and the error says so" grep -q "d/g: its directory d cannot be found any more" err
check "... and it does not exist" test ! -e d
mkdir d
run --rw=write --size=64k --name=a --filename=f --unlink=1 --exec_postrun='mv d e; mkdir d' --name=b --stonewall --filename=d/g
check "a directory that replaced the first one is not used" exits 1
check "... and the error says so" grep -q "d is another directory than at the start" err
check "... and it stays empty" same "$(ls d e)" "d:

e:"
rmdir e
if mount -t tmpfs fiord-test d 2>/dev/null; then
	run --rw=write --size=64k --name=a --filename=f --unlink=1 --exec_postrun='umount d' --name=b --stonewall --filename=d/g
	check "the directory below an unmounted file system is not used" exits 1
	check "... and the error says so" grep -q "on another file system than at the start" err
	check "... and it stays empty" same "$(ls d)" ""
	umount d 2>/dev/null
else
	skip "the directory below an unmounted file system is not used" "no tmpfs can be mounted"
fi
run --rw=write --size=64k --name=a --filename=d/new/f --name=b --stonewall --filename=d/new/g
check "missing directories are created" exits 0
check "... once for all jobs" test -f d/new/f -a -f d/new/g
rm -rf d
finish
