#!/bin/sh
# Does each engine write the same bytes as psync, and use its own system calls? The test compares files, and reads the calls and
# flags in strace's output.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
all="psync sync pvsync pvsync2 vsync mmap posixaio splice libaio io_uring"
job="--name=x --bs=4k --randseed=7 --output-format=json"
memory=
engines=

cleanup() {
	# shellcheck disable=SC2086
	rm -f $memory
}

for engine in $all; do
	sanitizer_allows "$engine" || continue
	run --name=x --size=64k --filename=probe --ioengine="$engine"
	if [ "$rc" = 0 ]; then
		engines="$engines $engine"
	else
		skip "$engine" "$(tail -n 1 err)"
	fi
done
check "psync works" same "${engines%% sync*}" " psync"
direct=
run --name=x --size=64k --filename=probe-direct --direct=1
[ "$rc" != 0 ] || direct=1

# The content depends on the seed and the order of the I/Os, which are fixed at depth 1.
for engine in $engines; do
	for rw in write randwrite; do
		for d in 0 $direct; do
			run $job --size=1m --filename="$engine.$rw.$d" --rw=$rw --ioengine="$engine" --direct="$d" \
				--fsync=10
			check "$engine $rw direct=$d exits 0" exits 0
			check "... and counts its fsyncs" json out '.jobs[0].sync.total_ios == 25'
			check "... and writes the same bytes as psync" cmp -s "$engine.$rw.$d" "psync.$rw.0"
			run $job --size=1m --filename="psync.$rw.0" --rw="${rw%write}read" --ioengine="$engine" \
				--direct="$d"
			check "$engine reads the whole file, direct=$d" json out '.jobs[0].read |
				.total_ios == 256 and .io_bytes == 1048576 and .short_ios == 0'
		done
	done
	run $job --size=1m --filename="$engine.a:$engine.b" --rw=randrw --ioengine="$engine" --iodepth=8 --numjobs=2 \
		--fdatasync=16 --end_fsync=1 --group_reporting --fallocate=none --openfiles=1
	check "$engine with two jobs, two files and openfiles=1 exits 0" exits 0
	check "... and each job does each block once" json out '.jobs[0] | .read.total_ios + .write.total_ios == 512'
	check "... and the files have the right size" same "$(stat -c %s "$engine.a" "$engine.b" | tr '\n' ' ')" "524288 524288 "
	rm -f "$engine".*[ab]
done

# With an odd size no I/O is a multiple of a page, a pipe or a batch.
for engine in $engines; do
	run $job --size=1000003 --bs=77777 --bs_unaligned=1 --rw=write --filename="odd.$engine" --ioengine="$engine"
	check "$engine with odd sizes exits 0" exits 0
	check "... and writes the same bytes as psync" cmp -s "odd.$engine" odd.psync
done

# Another program makes the mapped file shorter.
run $job --size=1m --filename=short --rw=write
start $job --size=1m --filename=short --rw=randread --ioengine=mmap --time_based --runtime=30 --eta=always
check "mmap: the job reads" until_true 10 progress_shows r
truncate -s 4096 short
wait_for_exit
check "mmap: a file that becomes shorter is an I/O error" exits 1
check "... with a message that says so" grep -q 'short.*shorter' err
check "... and errno EIO in a complete document" json out '.jobs[0].error == 5'

run $job --size=1m --filename=short2 --rw=write
start $job --size=1m --filename=short2 --rw=randwrite --ioengine=mmap --time_based --runtime=30 --eta=always
check "mmap: the job writes" until_true 10 progress_shows w
truncate -s 4096 short2
wait_for_exit
check "mmap: a write job gets the error, too" exits 1
check "... with the name of the error" grep -q 'short2.*EIO' err

# ---- system calls ----

command -v strace >/dev/null && strace -f -o probe.tr true 2>/dev/null || {
	skip "the system calls" "no strace, or it may not trace"
	finish
}

# traced ARG...: runs the program under strace. Its system calls are in $dir/calls, one per line.
traced() {
	# shellcheck disable=SC2086
	straced -ff -s 0 -o trace "$FIORD" $threads $job --size=64k --filename=traced "$@" \
		>out 2>err </dev/null
	rc=$?
	for f in trace.*; do
		sed "s/^/${f##*.} /" "$f"
	done >calls
	rm -f trace.*
}

# calls COUNT PATTERN: exactly so many lines of the trace match.
calls() {
	n=$(grep -cE "$2" calls)
	[ "$n" = "$1" ] || echo "    $n calls match $2, not $1"
	[ "$n" = "$1" ]
}

traced --rw=write --ioengine=sync
check "sync writes with write" calls 16 ' write\([0-9]+, .*, 4096\) += 4096'
traced --rw=randread --ioengine=sync --invalidate=0
check "sync reads with read" calls 16 ' read\([0-9]+, .*, 4096\) += 4096'
check "... and sets the position before" test "$(grep -c ' lseek(' calls)" -ge 8
traced --rw=read --ioengine=pvsync
check "pvsync reads with preadv" calls 16 ' preadv\(.* 1, [0-9]+\) += 4096'
traced --rw=write --ioengine=pvsync
check "pvsync writes with pwritev" calls 16 ' pwritev\(.* 1, [0-9]+\) += 4096'
traced --rw=write --ioengine=vsync --iodepth=8 --iodepth_batch=4
check "vsync joins a batch in one call" calls 4 ' writev\(.* 4\) += 16384'
traced --rw=read --ioengine=vsync --iodepth=8 --iodepth_batch=1
check "vsync with batches of one joins nothing" calls 16 ' readv\(.* 1\) += 4096'
traced --rw=read --ioengine=splice
check "splice reads with splice" calls 16 ' splice\(.* 4096, 0\) += 4096'
traced --rw=write --ioengine=splice
check "splice writes with vmsplice" calls 16 ' vmsplice\(.* 1, SPLICE_F_NONBLOCK\) += 4096'
traced --rw=write --ioengine=posixaio --iodepth=4
check "posixaio writes in threads of the C library" test "$(sed -n 's/^\([0-9]*\) *pwrite64.*/\1/p' calls | sort -u)" != \
	"$(sed -n 's/^\([0-9]*\) .*openat(.*traced.*/\1/p' calls | sort -u | tail -n 1)"
traced --rw=write --ioengine=mmap --fsync=8
check "mmap maps the file" calls 1 ' mmap\(NULL, 65536, PROT_READ\|PROT_WRITE, MAP_SHARED, '
check "... and syncs with msync" calls 1 ' msync\(.*, 65536, MS_SYNC\) += 0'
check "... and calls no write" calls 0 ' p?write.*, 4096, [0-9]+\)'
traced --rw=randread --ioengine=mmap --thp=1 --invalidate=0
if [ "$rc" = 0 ]; then
	check "thp=1 asks for huge pages" calls 1 ' madvise\(.*, 65536, MADV_HUGEPAGE\) += 0'
else
	skip "thp=1" "$(tail -n 1 err)"
fi

# Reads of cached pages complete without waiting. One more read before the run asks whether the flag works.
run $job --size=64k --filename=traced --rw=write
traced --rw=read --invalidate=0 --ioengine=pvsync2
check "pvsync2 reads with preadv2" calls 16 ' preadv2\(.* 1, [0-9]+, 0\) += 4096'
traced --rw=read --invalidate=0 --ioengine=pvsync2 --nowait=1
if grep -q 'cannot do that' err; then
	skip "nowait=1" "$(tail -n 1 err)"
else
	check "nowait=1 passes RWF_NOWAIT" calls 17 ' preadv2\(.* 1, [0-9]+, RWF_NOWAIT\) += 4096'
fi
traced --rw=write --ioengine=pvsync2 --uncached=1
if grep -q 'cannot do that' err; then
	check "the error of uncached=1 on an old kernel names the option" says err "uncached=1"
else
	check "uncached=1 passes RWF_DONTCACHE" calls 16 ' pwritev2\(.* 1, [0-9]+, (RWF_DONTCACHE|0x80[^,]*)\) += 4096'
fi
traced --rw=read --ioengine=pvsync2 --hipri
check "hipri without direct=1 is refused" says err "hipri=1: polled completions need direct=1"
traced --rw=read --ioengine=io_uring --hipri=hybrid
check "... and the error has the value of the job" grep -Eq 'hipri=hybrid: (polled completions need direct=1|needs Linux 6.13)|io_uring' err
# On tmpfs nothing tells whether the device polls, so fiord passes the flag.
for where in "$dir" /dev/shm; do
	[ -d $where ] && [ -w $where ] || continue
	file=$(mktemp "$where/fiord-test.XXXXXX") || continue
	memory="$memory $file"
	traced --filename="$file" --rw=write
	traced --filename="$file" --rw=read --ioengine=pvsync2 --hipri --hipri_percentage=25 --direct=1
	if grep -q 'direct' err; then
		skip "hipri_percentage=25 ($where)" "$(tail -n 1 err)"
	elif grep -q 'hipri has no effect' out; then
		check "a job whose device cannot poll reads without polling ($where)" calls 16 ' preadv2\(.* 1, [0-9]+, 0\)'
	else
		check "hipri_percentage=25 polls each fourth read ($where)" calls 5 ' preadv2\(.* 1, [0-9]+, RWF_HIPRI\)'
	fi
	# The kernel's answer to the first polled read decides.
	straced -f -qq -e trace=io_uring_setup -o calls "$FIORD" --name=x --filename="$file" --rw=read --size=64k --ioengine=io_uring --hipri \
		--direct=1 >out 2>err
	rc=$?
	if grep -q 'direct\|forbids' err; then
		skip "io_uring with hipri ($where)" "$(tail -n 1 err)"
		continue
	fi
	check "io_uring with hipri reads in any case ($where)" exits 0
	if grep -q 'polled completions' out; then
		check "... from a ring that polls" sh -c 'grep io_uring_setup calls | tail -n 1 | grep -q IOPOLL'
	else
		check "... and says that the device cannot poll" says out "hipri has no effect"
		check "... after it has tried" grep -q IOPOLL calls
		check "... and then takes a ring that does not poll" sh -c 'grep io_uring_setup calls | tail -n 1 | grep -vq IOPOLL'
	fi
done
finish
