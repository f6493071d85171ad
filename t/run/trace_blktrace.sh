#!/bin/sh
# Does fiord read what blktrace really wrote as blkparse does? The data is that of blktrace 1.2.0 under Debian's Linux 6.1.0-56 in QEMU
# with two CPUs, on a null_blk with memory, a cache, FUA, discards and a timer of 3 ms, while fiord and dd read, wrote, trimmed and
# flushed: splits, merges, FUA writes, flushes of the device with two completions each. It is in the corpus of fuzz_trace.
# Expected: trace_blktrace.txt, made from blkparse's text by trace_blktrace.py, which is done again where blkparse is installed;
# strace sees the I/Os of the replay.
. "$SOURCE/t/lib.sh"
requires jq python3 strace
cd "$dir" || exit 1

for cpu in 0 1; do
	tail -c +2 "$SOURCE/t/fuzz/corpus/fuzz_trace/blktrace_null_blk_cpu$cpu" | gzip -dc >n.blktrace.$cpu
done
figures() { # FILE OPTION...: fiord's figures
	run trace "$@" --output-format=json
	jq -c '{first_ns, last_ns, read, write, trim, sync, preflush, fua, depth}' out
}
{ read -r queued; read -r issued; } <"$SOURCE/t/run/trace_blktrace.txt"
check "queued I/Os are those of blkparse" same "$(figures n)" "$queued"
check "issued ones, too" same "$(figures n --event=issued)" "$issued"

mkdir z
gzip -c n.blktrace.0 >z/n.blktrace.0.gz
cp n.blktrace.1 z
check "compressed files are those of CPUs, too" same "$(figures z/n)" "$queued"
check "... also one by one" same "$(figures z/n.blktrace.1 z/n.blktrace.0.gz)" "$queued"
rm z/n.blktrace.1
gzip -c n.blktrace.1 >z/n.blktrace.1.gz
run trace z/n.blktrace.0.gz
check "... and missed" eval 'exits 2 && grep -q "z/n.blktrace.1: missing; " err'
run trace z/n.blktrace.1.gz
check "... from their names" eval 'exits 2 && grep -q "z/n.blktrace.0: missing; " err'
mv z/n.blktrace.1.gz z/n.blktrace.2.gz
run trace z/n
check "... and from the name of all" eval 'exits 2 && grep -q "z/n.blktrace.1: missing; " err'

python="python3 $SOURCE/t/run/trace_blktrace.py"
if command -v blkparse >/dev/null; then
	blkparse -i n -d merged >text
	check "blkparse still says so" same "$($python figures Q <text)" "$queued"
	check "... of issued I/Os, too" same "$($python figures D <text)" "$issued"
	for file in text merged; do
		check "what blkparse writes has the same I/Os: $file" same "$(figures $file)" "$queued"
		check "... and issued ones" same "$(figures $file --event=issued)" "$issued"
	done
	truncate -s 64m target
	straced -f -y -P target -e trace=pread64,pwrite64,pwritev2,fsync,fallocate -s 0 -o calls "$FIORD" --name=p --read_iolog=n --replay_redirect=target --ioengine=psync --output=report 2>err
	sed -nE 's,.* p(read|write)64\(.*\, ([0-9]+)\, ([0-9]+)\) += \2$,\1 \3 \2,p
s,.* pwritev2\(.*\, 1\, ([0-9]+)\, RWF_DSYNC\) += ([0-9]+)$,write \1 \2,p
s,.* fallocate\(.*PUNCH_HOLE\, ([0-9]+)\, ([0-9]+)\) += 0$,trim \1 \2,p
s,.* fsync\(.*\) += 0$,sync,p' calls >got
	$python ios <text >want
	check "the text has 151 queued I/Os" same "$(wc -l <want)" 151
	check "a replay does them in their order" cmp want got
else
	skip "the comparison with blkparse" "no blkparse"
fi
finish
