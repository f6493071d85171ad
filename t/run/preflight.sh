#!/bin/sh
# Preflight notes: do check, the report and the document warn about holes, page cache, shared blocks and memory, and only where
# the warning is true? Files, options and the disk's counters are set up so that the answer is known.
. "$SOURCE/t/lib.sh"
requires jq python3
cd "$dir" || exit 1
case $(stat -f -c %T .) in
tmpfs | ramfs) skip_all "$dir is in memory" ;;
esac

truncate -s 1m holes
run check --name=x --filename=holes --rw=randread
check "check notes that reads would find holes" says out "note: x: holes: 1.0 MiB of 1.0 MiB were never written (holes)"
check "... and runs nothing" says out "1 worker in 1 wave"
run --name=x --filename=holes --rw=randread
check "the report has the note, too" says out "note: x: holes: 1.0 MiB of 1.0 MiB were never written"
run --name=x --filename=holes --rw=randread --output-format=json
check "... and the document" json out '[.fiord.notes[] | select(test("holes: 1.0 MiB of 1.0 MiB were never written"))] | length == 1'
check "... and stderr is empty" empty err
run --name=x --filename=holes --rw=write --end_fsync=1
run check --name=x --filename=holes --rw=randread
check "a written file gets no note" sh -c '! grep -q note: out'
run --name=x --filename=new --size=1m --rw=randread
check "a file that was laid out gets no note" sh -c '! grep -q "never written" out'
run check --name=x --filename=new --rw=randread
check "... nor in the next run" sh -c '! grep -q note: out'

run check --name=x --filename=new --rw=randread --time_based --runtime=60
check "a note says that reads use the page cache" says out "repeated reads go through the page cache (direct=0)"
run check --name=x --filename=new --rw=randwrite
check "a note says that writes go to the page cache" says out "writes go to the page cache"
run check --name=x --filename=new --rw=write --create_only=1
check "a job that only creates files gets no note" sh -c '! grep -q note: out'
run check --name=x --filename=new --rw=randread --iodepth=4
check "one note says that the depth has no effect" same "$(grep -c 'note: .*depth' out)" 1
run check --name=x --filename=new --rw=randtrim --iodepth=4 --ioengine=libaio
check "one note says that trims run one at a time" same "$(grep -c 'note: .*one at a time' out)" 1
run check --name=x --filename=new --rw=write --end_fsync=1 --numjobs=4
check "a note says that clones use the same blocks" says out "its 4 clones use the same blocks of new"
run --name=x --filename=new --rw=randwrite --warnings-fatal
check "--warnings-fatal ignores preflight notes" exits 0
run check "$SOURCE/jobs/quickstart.ini"
check "the quick start gets at most three notes" test "$(grep -c note: out)" -le 3
# The disk's counters show whether the I/O reached it.
run --name=x --filename=large --size=64m --bs=1m --rw=write --end_fsync=1
run --name=x --filename=new --rw=read --output-format=json
if json out '(.disk_util | length) == 0'; then
	skip "notes and counters" "no counters are known of the disk below $dir"
else
	run --name=x --filename=new --rw=randread --time_based --runtime=1 --invalidate=0 --output-format=json
	check "a note says that memory answered the reads" json out '[.fiord.notes[] | select(contains("mostly those of memory"))] | length == 1'
	run --name=x --filename=large --rw=randread --time_based --runtime=1 --rate_iops=300 --output-format=json
	check "reads that reach the disk get no such note" \
		json out '[.fiord.notes[] | select(contains("mostly those of memory"))] | length == 0'
fi
# The holes that trims of the run made: Python asks the file system how many there are.
holes_of() { # FILE: prints the bytes of its holes
	python3 -c 'import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
size, at, holes = os.fstat(fd).st_size, 0, 0
while at < size:
	hole = os.lseek(fd, at, os.SEEK_HOLE)
	if hole >= size: break
	try: at = os.lseek(fd, hole, os.SEEK_DATA)
	except OSError: at = size
	holes += at - hole
print(holes)' "$1"
}
trim_note() { # prints the percentage of each note
	jq -r '.fiord.notes[] | capture("at least (?<n>[0-9]+) % of [a-z]+ are holes that trims of this run made").n' json
}
beside() { # OPTION...: runs a job on the file `new` of 1 MiB
	run --name=x --filename=new --size=1m "$@" --output-format=json --output=json
}
run --name=x --filename=new --size=1m --rw=write
beside --rw=randtrim --io_size=512k --name=y --filename=new --size=1m --rw=randread
check "a note says how much of a file became holes, which another job reads" same "$(trim_note)" $(($(holes_of new) * 100 / 1048576))
check "... which is half of it" same "$(trim_note)" 50
run --name=x --filename=new --size=1m --rw=write
run --name=x --filename=new --size=512k --rw=trim
beside --offset=512k --size=512k --io_size=256k --rw=randtrim --name=y --filename=new --size=1m --rw=randread
check "holes that were there before do not count" same "$(trim_note) $(holes_of new)" "25 786432"
run --name=x --filename=new --size=1m --rw=write
beside --rw=randtrim --name=y --filename=new --size=1m --rw=randwrite --stonewall
check "without reads there is no note" same "$(trim_note)" ""
beside --rw=randread --name=y --filename=new --size=1m --rw=randtrim --stonewall
check "... nor for reads that ended before the trims began" same "$(holes_of new) $(trim_note)" "1048576 "
beside --rw=trimwrite --name=y --filename=new --size=1m --rw=randread
check "... nor if writes filled the holes" same "$(holes_of new) $(trim_note)" "0 "
if ! why=$(no_shm); then
	run check --name=x --filename="/dev/shm/fiord-$$" --size=1m --rw=randrw --loops=2 --runtime=1
	check "a file in memory gets one note, and none about caches" same "$(grep -c 'note: .* is in memory (tmpfs)' out) $(grep -c 'page cache' out)" "1 0"
else
	skip "a file in memory" "$why"
fi
finish
