#!/bin/sh
# Does a replay send the I/Os of each device of a trace to its target, in their common order, where replay_address says, and only those
# of its window?
# Expected: awk computes targets, offsets and times from the lines of the trace (SPC: device, sector, bytes, r or w, seconds);
# strace sees the system calls, and write_iolog's log has the times.
. "$SOURCE/t/lib.sh"
requires strace
cd "$dir" || exit 1

# 300 I/Os on the devices 0, 1 and 2 below 1 MiB, one a ms, with a gap of a minute in their middle.
awk 'BEGIN {
	for (srand(3); i < 300; i++)
		printf "%d,%d,%d,%s,%.6f\n", int(rand() * 3), int(rand() * 2000), 512 * (1 + int(rand() * 8)),
			rand() < 0.5 ? "r" : "w", 5 + i / 1000 + (i >= 150) * 60
}' >t.spc
truncate -s 1100000 a b
quick="--name=p --read_iolog=t.spc --replay_no_stall=1 --eta=never"

# expected AWK: what the replay does, as lines "op target offset length"; the program sets f, the target, by $1.
expected() {
	awk -F, "$1"' f { print ($4 == "r" ? "read" : "write"), f, $2 * 512, $3 }' t.spc
}

# seen ARG...: replays, and prints what strace sees.
seen() {
	# shellcheck disable=SC2086
	straced -f -y -e trace=pread64,pwrite64 -s 0 -o trace "$FIORD" $quick "$@" --output=report 2>err
	sed -nE 's,.* p(read|write)64\([0-9]+<.*/([ab])>\, .*\, ([0-9]+)\, ([0-9]+)\) += [0-9]+$,\1 \2 \4 \3,p' trace
}

devices() { # LABEL AWK ARG...
	label=$1
	expected "$2" >want
	shift 2
	seen "$@" >got
	check "$label" eval '[ -s want ] && cmp want got'
}
devices "each device has its target" '{ f = $1 < 2 ? substr("ab", $1 + 1, 1) : "a" }' --replay_map=0=a:1=b:2=a
devices "... also by the flag" '{ f = $1 < 2 ? substr("ab", $1 + 1, 1) : "a" }' --map-device 0=a --map-device=1=b --map-device 2=a
devices "a device without a file is left out" '{ f = $1 < 2 ? substr("ab", $1 + 1, 1) : "" }' --replay_map=0=a:1=b:2=
devices "replay_redirect takes the others" '{ f = $1 == 1 ? "a" : "b" }' --replay_map=1=a --replay_redirect=b
devices "many to one" '{ f = "b" }' --replay_redirect=b
devices "the window" '{ f = $5 >= 5.1 && $5 < 65.2 ? "b" : "" }' --replay_redirect=b --replay_from=100ms --replay_to=60200ms

# Addresses: a small target, here of 500000 bytes, of which 499712 are whole blocks. The trace ends near 1024000.
truncate -s 500000 half
addresses() { # LABEL AWK ADDRESS FILE: AWK turns the offset o of an I/O of n bytes into its place
	awk -F, '{ o = $2 * 512; n = $3; '"$2"'; print ($4 == "r" ? "read" : "write"), o, n }' t.spc >want
	run $quick --replay_redirect="$4" --replay_address="$3" --write_iolog=log
	awk '$3 == "read" || $3 == "write" { print $3, $4, $5 }' log >got
	check "$1" eval 'exits 0 && [ "$(wc -l <want)" = 300 ] && cmp want got'
}
end=$(awk -F, '{ e = $2 * 512 + $3; if (e > max) max = e } END { print max }' t.spc)
last='if (o + n > 499712) o = 499712 - n'
addresses "exact" "" exact a
addresses "wrap" "o %= 499712; $last" wrap half
addresses "fit" "o = int(o * 499712 / $end); o -= o % 4096; $last" fit half
# compact: the blocks of 4096 bytes that the trace touches, one behind the other. Every other I/O of this trace is 1 MiB further.
awk -F, -v OFS=, '{ $2 += NR % 2 * 4096 * (1 + NR % 3) } 1' t.spc >sparse.spc
awk -F, '
FNR == NR { for (b = int($2 / 8); b <= int(($2 * 512 + $3 - 1) / 4096); b++) touched[b] = 1; next }
FNR == 1 { for (b = 0; b < 4000; b++) if (b in touched) at[b] = n++ }
{ b = int($2 / 8); print ($4 == "r" ? "read" : "write"), at[b] * 4096 + $2 % 8 * 512, $3 }
END { print n * 4096 >"bytes" }' sparse.spc sparse.spc >want
truncate -s "$(cat bytes)" compact
compact="--name=p --read_iolog=sparse.spc --replay_no_stall=1 --replay_address=compact --replay_redirect=compact --write_iolog=log"
run $compact
awk '$3 == "read" || $3 == "write" { print $3, $4, $5 }' log >got
check "compact" eval 'exits 0 && [ "$(wc -l <want)" = 300 ] && cmp want got'
check "... which needs a smaller target" [ "$(cat bytes)" -lt 3000000 ]
truncate -s -1 compact
run $compact
check "... but not one byte less" eval 'exits 2 && says err "without its gaps the trace has"'

# Times: the log of the replay counts from its start.
printf '0,0,4096,r,0\n1,0,4096,r,0\n' >blocks.spc
run --name=p --read_iolog=blocks.spc --ioengine=null --output-format=json
check "without files each device has the size that the trace needs" json out '.jobs[0].read | .total_ios == 2 and .io_bytes == 8192'
"$FIORD" --name=p --read_iolog=t.spc --ioengine=null --write_iolog=log --replay_gap_max=200ms --replay_from=20ms >out 2>err
awk '$3 == "read" || $3 == "write" { print $1 }' log >times
# A gap of 60.001 s is cut to 200 ms. The first I/O that is left is due at once.
awk -F, '$5 >= 5.02 { print ($5 - 5.02 - ($5 > 60 ? 60.001 - 0.2 : 0)) * 1000000 }' t.spc | paste - times >pairs
check "no I/O is earlier than its time, without the window's start and what is cut of gaps" \
	awk 'NF != 2 || $2 < $1 - 1 { bad++; print } END { exit !(NR == 280 && !bad) }' pairs
check "... and the replay takes no minute" awk 'END { exit $2 > 30000000 }' pairs

# Merging: the first trace at half of its times, twice, where the second run begins at the end of the first; the second trace once.
printf '%s\n' 0,0,512,r,7.0 0,8,1024,w,7.010 0,16,512,r,7.030 >first.spc
printf '%s\n' 1,40,512,w,0.5 0,48,512,w,0.516 1,56,512,r,0.5181 >second.spc
merge="--name=p --read_iolog=first.spc:second.spc --merge_blktrace_scalars=50:100 --merge_blktrace_iters=2:1 --ioengine=null --eta=never"
run $merge --merge_blktrace_file=merged --write_iolog=log
check "traces are merged" exits 0
awk -F, 'FILENAME == "first.spc" { for (k = 0; k < 2; k++) print ($5 - 7) / 2 * 1e6 + k * 15000, k, $0 }
	FILENAME == "second.spc" { print ($5 - 0.5) * 1e6, 0, $0 }' first.spc second.spc | sort -s -k 1,1n -k 2,2n |
	awk '{ split($3, f, ","); print int($1 + 0.5), f[1], (f[4] == "r" ? "read" : "write"), f[2] * 512, f[3] }' >want
awk '$3 == "read" || $3 == "write"' merged >got
check "... and the merged file has each I/O at its time" eval '[ "$(wc -l <want)" = 9 ] && cmp want got'
awk '$3 == "read" || $3 == "write" { print $3, $4, $5 }' log >got
cut -d" " -f3- want >order
check "... which is the order of the replay" cmp order got
"$FIORD" --name=p --read_iolog=merged --ioengine=null --write_iolog=log2 --replay_no_stall=1 >out 2>err
awk '$3 == "read" || $3 == "write" { print $3, $4, $5 }' log2 >got
check "fiord replays the merged file" cmp order got
if command -v fio >/dev/null && command -v python3 >/dev/null; then
	python3 -c 'import struct
for name, minor in ("x", 0), ("y", 16):
    with open(name, "wb") as f:
        for i in range(10):
            f.write(struct.pack("=IIQQIIIIIHH", 0x65617407, i, 5000 + 1000 * i, 8 * i, 4096, 1 | (1 << 17 - i % 2) | 1 << 20, 1,
                                8 << 20 | minor, 0, 0, 0))'
	"$FIORD" --name=p --read_iolog=x:y --merge_blktrace_iters=3:1 --merge_blktrace_file=records --ioengine=null --replay_redirect=a >out 2>err
	for trace in records merged; do
		fio --name=f --read_iolog=$trace --replay_redirect=b --replay_no_stall=1 --output-format=json --output=fio.json >fio.out 2>&1
		python3 -c 'import json
job = json.load(open("fio.json"))["jobs"][0]
print(job["read"]["total_ios"], job["write"]["total_ios"])' >>counts
	done
	check "fio replays the merged files, of blktrace and of others" same "$(paste -sd, counts)" "20 20,$(grep -c read want) $(grep -c write want)"
else
	skip "fio replays the merged files" "no fio or no python3"
fi

# Neither a full disk nor a signal leaves a part of the merged file.
nothing_left() {
	absent cut && [ -z "$(ls -A | grep fiord-tmp)" ]
}
big="--name=p --read_iolog=first.spc:second.spc --ioengine=null --eta=never --merge_blktrace_file=cut --replay_no_stall=1"
(
	ulimit -f 1
	exec "$FIORD" $big --merge_blktrace_iters=1000:1 >out 2>err
)
rc=$?
check "a merged file that has no room" eval 'exits 6 && nothing_left && says err "cut: the result could not be written: File too large"'
env --default-signal=INT "$FIORD" $big --merge_blktrace_iters=300000:1 >out 2>err &
pid=$!
until_true 60 eval 'ls -A | grep -q fiord-tmp'
kill -INT $pid
wait $pid
rc=$?
check "SIGINT while a file is merged" eval 'exits 130 && nothing_left'

refused() { # TEXT ARG...
	text=$1
	shift
	run --name=p --read_iolog=t.spc --write_iolog=none.log "$@"
	check "refused: $*" eval 'exits 2 && [ "$(wc -l <err)" = 1 ] && absent none.log'
	check "... because: $text" says err "$text"
}
refused "the trace is of 1, 0 and 2, which are the devices of the machine"
refused "the device 2 of the trace has no target; the trace has 1, 0 and 2. Add 2=FILE, or 2= to leave" --replay_map=0=a:1=b
refused "the trace has no device 3; it has" --replay_map=0=a:1=b:2=a:3=a
refused "names the device 0 twice" --replay_map=0=a:0=b
refused "write DEVICE=FILE" --replay_map=a
refused "must be later than replay_from=2" --replay_redirect=a --replay_from=2 --replay_to=1
refused "the part of the trace that replay_from and replay_to select has no I/O" --replay_redirect=a --replay_from=1h
refused "this is a target of the jobs" --replay_redirect=a --merge_blktrace_file=a
refused "this is the trace of a job" --replay_redirect=a --merge_blktrace_file=t.spc
ln t.spc link.spc
for out in t.spc ./t.spc link.spc; do
	refused "this is the trace of a job" --replay_redirect=a --output=$out
	refused "log $out: this is the trace of a job" --replay_redirect=a --write_iolog=$out
done
refused "log none.log: --merge_blktrace_file has the same file" --replay_redirect=a --merge_blktrace_file=none.log
refused "merge_blktrace_file=-: cannot be standard output" --replay_redirect=a --merge_blktrace_file=-
refused "--merge_blktrace_file=page: --report has the same file" --replay_redirect=a --merge_blktrace_file=page --report=page
printf '[q]\nioengine=null\nsize=4k\n' >job.ini
refused "--merge_blktrace_file=job.ini: this is the job file" --replay_redirect=a --merge_blktrace_file=job.ini job.ini
refused "needs one number for each of the 1 traces" --replay_redirect=a --merge_blktrace_iters=1:2
refused "a whole number of times" --replay_redirect=a --merge_blktrace_iters=1.5
refused "needs one number for each of the 1 traces" --replay_redirect=a --merge_blktrace_scalars=100:
refused "needs one number for each of the 1 traces" --replay_redirect=a --merge_blktrace_iters=1:
refused "a percentage must be" --replay_redirect=a --merge_blktrace_scalars=0
truncate -s 1000 small
refused " of half (t.spc:246), which has 488 KiB (500000 bytes); use a larger target" --replay_redirect=half
: >empty
refused "its target empty is empty; the trace reaches up to byte" --replay_redirect=empty
refused "the trace has I/Os of 4 KiB, and small has 1000" --replay_redirect=small --replay_address=fit
refused "its target d/none does not exist, and neither does its directory; the trace reaches up to byte" --replay_redirect=d/none
# An I/O keeps its length when its offset is scaled: of 8 KiB at 16 KiB, 12 KiB have room with a third and no half.
printf '0,32,8192,r,1\n' >third.spc
truncate -s 12k room
run --name=p --read_iolog=third.spc --replay_redirect=room
scale=$(sed -n 's/.*replay_scale=\([0-9]*\).*/\1/p' err)
run --name=p --read_iolog=third.spc --replay_redirect=room --replay_scale="$scale"
check "the replay_scale of an error is one that works" exits 0
run --name=p --read_iolog=third.spc --replay_redirect=room --replay_scale=$((scale - 1))
check "... and the smallest" eval 'exits 2 && says err "replay_scale=$scale,"'
printf '0,80000000000000,4096,r,1\n' >far.spc
refused "of small (far.spc:1), which has 1000 bytes; use a larger target, replay_address=wrap or" --read_iolog=far.spc --replay_redirect=small
check "... without a replay_scale that nobody can give" eval '! says err replay_scale'
printf '0,16000000000000000,4096,r,1\n' >farther.spc
for target in --replay_redirect=none --ioengine=null; do
	refused "reaches up to byte 8000000000000004k (farther.spc:1), and a target has at most 2^62 - 1; use replay_address=compact" --read_iolog=farther.spc $target
done
mkdir d
run --name=p --read_iolog=t.spc --replay_map=0=d:1=a:2=b
check "a mapped target is checked like every file" eval '! exits 0 && grep -q "d.* directory" err'

# A target that does not exist is laid out as far as the trace reaches there, with data where the trace reads.
awk -F, '{ e = $2 * 512 + $3; if (e > end[$1]) end[$1] = e } END { for (d = 0; d < 3; d++) print end[d] }' t.spc >ends
run $quick --replay_map=0=made0:1=made1:2=made2 --write_iolog=log
check "missing targets are made" exits 0
check "... each as long as the trace is there" same "$(stat -c %s made0 made1 made2)" "$(cat ends)"
awk '$3 == "read" || $3 == "write" { print $3, $2, $4, $5 }' log >got
expected '{ f = "made" $1 }' >want
check "... and each I/O is in its place" cmp want got
# Random data has no 64 zeros in a row; a block that nobody wrote has.
has_data() { # FILE
	[ -s "$1" ] && ! LC_ALL=C grep -qaP '\x00{64}' "$1"
}
check "... in data, not in holes" eval 'has_data made0 && has_data made1 && has_data made2'
made() { # HOW END AWK ARG...: the file m is made, of END bytes, and AWK moves the offsets; a second replay then does the same
	how=$1 size=$2 moves=$3
	shift 3
	awk -F, '{ o = $2 * 512; n = $3; '"$moves"'; print ($4 == "r" ? "read" : "write"), o, n }' t.spc >want
	rm -f m
	for round in first second; do
		run --name=p --read_iolog=t.spc --replay_no_stall=1 --replay_redirect=m --allow_write=m --write_iolog=log "$@"
		awk '$3 == "read" || $3 == "write" { print $3, $4, $5 }' log >got
		check "a target that is made, $how, $round replay" eval 'exits 0 && cmp want got && [ "$(stat -c %s m)" = "$size" ] && has_data m'
	done
}
for address in exact wrap fit; do
	made $address "$end" "" --replay_address=$address
done
third=$(awk -F, '{ e = int($2 * 512 / 3) + $3; if (e > max) max = e } END { print max }' t.spc)
for address in exact wrap fit; do
	made "scale and $address" "$third" "o = int(o / 3)" --replay_scale=3 --replay_address=$address
done
rm -f compact
run $compact
check "a target that is made, compact" eval 'exits 0 && [ "$(stat -c %s compact)" = "$(cat bytes)" ]'
rm -f m
run $quick --replay_redirect=m --replay_skip=read --fallocate=none
check "what the trace only writes needs no data" eval 'exits 0 && [ "$(stat -c "%s" m)" -gt "$(($(stat -c "%b" m) * 512))" ]'
rm -f m
run $quick --replay_redirect=m --numjobs=2 --unlink=1 --name=first --filename=m --size=64k --rw=write
check "clones and other jobs share it, and unlink removes it" eval 'exits 0 && absent m'
run --name=first --filename=m --size=64k --rw=write $quick --stonewall --replay_redirect=m
check "the file of an earlier job is extended" eval 'exits 0 && [ "$(stat -c %s m)" = "$end" ] && has_data m'
rm -f m
run --name=p --read_iolog=t.spc --replay_redirect=m --replay_skip=write --readonly
check "not with --readonly" eval 'exits 3 && absent m'
run --name=p --read_iolog=t.spc --replay_redirect=m --allow_file_create=0
check "... or allow_file_create=0" eval 'exits 3 && absent m'
ln -s m link
run --name=p --read_iolog=t.spc --replay_redirect=link
check "... or through a symbolic link" eval 'exits 3 && absent m && says err "symbolic link"'
run --name=p --read_iolog=t.spc --replay_redirect=/dev/fiord-none
check "... or below /dev" eval 'exits 3 && absent /dev/fiord-none && says err "/dev/fiord-none: no such device"'
printf '0,16,512,r,1\n0,1000000000000,512,r,1.5\n' >far.spc
run --name=p --read_iolog=far.spc --replay_redirect=m --size=1m
check "... or where the file system has no room" \
	eval 'exits 2 && absent m && grep -q "^fiord: command line: .p.: the layout of m needs 466 TiB in all, but its file system .* make a smaller file for replay_address=wrap" err'
# What fiord check says: counts by awk.
printf '%s\n' 0,0,512,r,1.0 1,8,4096,w,1.1 0,80,4096,r,1.2 2,0,512,w,1.3 1,4,512,r,4.0 >five.spc
truncate -s 1100000 c e
run check --name=p --read_iolog=five.spc --replay_map=0=c:1=e:2= --replay_skip=trim --replay_time_scale=200 --replay_scale=2 --replay_align=512 --replay_address=wrap
check "the plan of a replay names its trace" grep -qF 'p, clone 0: replays five.spc, ioengine=psync, iodepth=1, buffered, ' out
check "... what it has, and how long it takes" grep -qxF "    $(awk -F, '$1 < 2 { n[$4]++; b += $3 } END { printf "%d reads, %d write: %.1f KiB", n["r"], n["w"], b / 1024 }' five.spc) in I/Os of 512 to 4k, within 1500ms (replay_time_scale=200)" out
check "... what it leaves out" grep -qxF '    leaves out I/Os of the trace: 1 of devices without a target' out
check "... where the I/Os go" grep -qF "e (file): bytes 0 to 1100000; the I/Os of 1 reach byte $((8 * 512 / 2 + 4096))" out
check "... and how they move" same "$(grep -c '^    .*offset.*(replay_\(scale\|align\|address=wrap\))$' out)" 3
run check --name=p --read_iolog=five.spc --replay_redirect=c --replay_skip=write --replay_no_stall=1
check "... as fast as possible, without some" same "$(grep -cE 'as fast as iodepth allows|leaves out I/Os of the trace: 2 by replay_skip=write$|of 0, 1 reach byte 45056' out)" 3
# Damaged traces. Big-endian records are replayed as they are.
damaged() { # TEXT TRACE ARG...: the error names the file and the line or byte
	text=$1 trace=$2
	shift 2
	run --name=p --read_iolog="$trace" --replay_redirect=b --write_iolog=none.log "$@"
	check "refused: $text" eval 'exits 2 && [ "$(wc -l <err)" = 1 ] && says err "$text" && absent none.log'
}
if command -v python3 >/dev/null; then
	python3 -c 'import struct
def records(order, version=7):
    return [struct.pack(order + "IIQQIIIIIHH", 0x65617400 | version, i, 5000 + i, 8 * i, 4096, 1 | 1 << 16 | 1 << 20, 1, 8 << 20, 0, 0, 0)
            for i in range(5)]
open("big", "wb").write(b"".join(records(">")))
open("cut", "wb").write(b"".join(records("="))[:100])
open("six", "wb").write(b"".join(records("=")[:2] + records("=", 6)))
open("n.blktrace.0", "wb").write(b"".join(records("=")))
open("n.blktrace.2", "wb").write(b"".join(records("=")))'
	run --name=p --read_iolog=big --replay_redirect=b --write_iolog=log
	check "records of the other byte order are replayed" eval 'exits 0 && [ "$(grep -c " read " log)" = 5 ] && grep -q "read 16384 4096" log'
	damaged "cut: byte 96: the record is cut off" cut
	damaged "cut: byte 96: the record is cut off" t.spc:cut --merge_blktrace_iters=1:1
	damaged "six: byte 96: a record of version 6; fiord reads version 7" six
	damaged "n.blktrace.1: missing" n
fi
printf 'fio version 4 iolog\n' >four
damaged "four:1: \"fio version 4 iolog\"" four
head -n 299 t.spc >short.spc
tail -n 1 t.spc | cut -d, -f1-4 >>short.spc
damaged "short.spc:300: " short.spc
awk 'BEGIN { for (; i < 70000; i++) print "0,0,512,r," 5 + i / 10000; print "0,0,512,r,5" }' >late.spc
damaged "late.spc:70001: the event is 0.4464 s earlier than one that stands more than 65536 events before it" late.spc
printf '0,0,512,r,1\n0,0,2000000000,r,2\n' >huge.spc
damaged "huge.spc:2: an I/O of 2000000000 bytes" huge.spc
printf 'fio version 3 iolog\n0 x:y=z add\n0 x:y=z open\n1 x:y=z read 0 512\n' >colon.log
run --name=p --read_iolog=colon.log '--replay_map=x\:y\=z=a' --write_iolog=log
check "names with colons and equals signs" grep -q '^0 a add$' log

finish
