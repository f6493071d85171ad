#!/bin/sh
# Files that come and go during a run: unlink, unlink_each_loop, create_on_open, create_only, create_serialize.
. "$SOURCE/t/lib.sh"
requires jq strace
cd "$dir" || exit 1

none() {
	[ -z "$(find . -type f ! -name out ! -name err ! -name trace)" ]
}

# ---- unlink: the last user removes ----

for open in 0 1; do
	for thread in 0 1; do
		run --filename=f:g:h --nrfiles=3 --openfiles=1 --size=192k --bs=4k --rw=write --loops=4 --numjobs=4 \
			--create_on_open=$open --unlink=1 --thread=$thread --name=x --output-format=json
		check "clones share files that go, create_on_open=$open thread=$thread" exits 0
		check "... each does all its I/O" json out '[.jobs[].write.total_ios] == [192, 192, 192, 192]'
		check "... and nothing is left" none
	done
done

run --filename=f --size=64k --rw=write --name=a --unlink=1 --name=b --stonewall --rw=read --name=c --stonewall --rw=write
check "a file that is gone is laid out again for the next wave" exits 0
check "... which may leave it" test -f f
rm -f f
run --filename=f --size=64k --rw=write --unlink=1 --name=a --name=b
check "one file, two jobs that remove it" exits 0
check "... is removed" none
check "... without a word" empty err

# ---- one file by two names is one file ----

mkdir d
run --size=64k --rw=write --output-format=json --name=a --filename=f:./f:d/../f --unlink=1
check "a missing file by three names" exits 0
check "... is made and removed once" none
run --size=64k --rw=read --output-format=json --name=a --filename=g --name=b --filename=./g
check "one name a job" exits 0
check "... is laid out once" json out '[.jobs[].read.total_ios] == [16, 16]'
rm -f g
run check --size=64k --rw=read --name=a --filename=new/./h --name=b --filename=.//new/h
check "below a directory that is missing, too" grep -q ' 65536 bytes to lay out' out

# ---- unlink_each_loop ----

straced -f -o trace -e trace=openat,unlink "$FIORD" --name=x --filename=f --size=64k --rw=write --loops=3 --unlink_each_loop=1 \
	>/dev/null 2>&1
check "unlink_each_loop: removed between three loops" same "$(grep -c 'unlink("f")' trace)" 2
check "... made for each" same "$(grep -c '"f".*O_CREAT.* = [0-9]' trace)" 3
check "... and the last stays, as in fio" test -f f
rm -f f
for engine in psync libaio io_uring mmap; do
	run --name=x --size=64k --nrfiles=3 --filesize=64k --bs=4k --rw=randwrite --unlink_each_loop=1 --loops=5 --ioengine=$engine \
		--iodepth=8 --unlink=1 --output-format=json
	check "$engine: all loops are done" json out '.jobs[0] | .error == 0 and .write.total_ios == 80'
	check "... and nothing is left" none
done
head -c 65536 /dev/zero >theirs
run --name=x --filename=theirs --size=64k --rw=write --unlink_each_loop=1 --loops=2
before=$(stat -c %i theirs)
check "someone else's file stays" grep -q 'theirs: not removed' out
run --name=x --filename=theirs --size=64k --rw=write --unlink_each_loop=1 --loops=2
check "... the same" same "$(stat -c %i theirs)" "$before"
rm -f theirs
run --name=x --filename=f --size=64k --rw=read --unlink_each_loop=1 --loops=2
check "reads are refused" exits 2
run --name=x --filename=f --size=64k --rw=write --unlink_each_loop=1 --loops=2 --numjobs=2
check "and files that others use" exits 2
check "... before anything is made" none

# ---- create_only, create_serialize ----

run --name=x --nrfiles=3 --size=192k --rw=read --create_only=1 --numjobs=2 --output-format=json
check "create_only exits 0" exits 0
check "... does no I/O" json out '[.jobs[].read.total_ios] == [0, 0]'
check "... and leaves the files" same "$(cat x.?.? | wc -c)" 393216
run --name=x --nrfiles=3 --size=192k --rw=read --numjobs=2 --allow_file_create=0
check "... with which the same job runs" exits 0
rm -f x.*
run --name=x --size=64k --rw=write --create_only=1 --create_on_open=1
check "create_on_open contradicts it" exits 2

# Each job begins to write its file when the one before has written its own.
straced -f -o trace -e trace=pwrite64 "$FIORD" --name=x --numjobs=3 --size=32m --rw=read --create_serialize=1 --create_only=1 \
	>/dev/null 2>&1
check "create_serialize: one job after the other" same "$(awk '/pwrite64.*, 8388608, / { print $1 }' trace | uniq | wc -l)" 3
rm -f x.*
# ---- a directory that goes while the run goes on ----

mkdir d
run --rw=write --size=64k --name=a --filename=f --unlink=1 --exec_postrun='rmdir d' --name=b --stonewall --filename=d/g
check "a directory removed between waves is not made again" exits 1
check "... as it says" grep -q "d/g: its directory d was there at the start" err
check "... and is not there" test ! -e d
mkdir d
run --rw=write --size=64k --name=a --filename=f --unlink=1 --exec_postrun='mv d e; mkdir d' --name=b --stonewall --filename=d/g
check "another one of its name is not used" exits 1
check "... as it says" grep -q "d is another directory than at the start" err
check "... and stays empty" same "$(ls d e)" "d:

e:"
rmdir e
if mount -t tmpfs fiord-test d 2>/dev/null; then
	run --rw=write --size=64k --name=a --filename=f --unlink=1 --exec_postrun='umount d' --name=b --stonewall --filename=d/g
	check "what lies below a mount that is gone is not used" exits 1
	check "... as it says" grep -q "on another file system than at the start" err
	check "... and stays empty" same "$(ls d)" ""
	umount d 2>/dev/null
else
	skip "a mount that goes" "no tmpfs can be mounted"
fi
run --rw=write --size=64k --name=a --filename=d/new/f --name=b --stonewall --filename=d/new/g
check "directories that were missing are made" exits 0
check "... once for all" test -f d/new/f -a -f d/new/g
rm -rf d
finish
