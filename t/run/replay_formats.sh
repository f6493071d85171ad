#!/bin/sh
# Does a replay read its trace as replay_format, replay_columns and replay_event say?
# Expected: awk computes the I/Os from one list, which it also writes in each format (columns and units: fiord-trace(1)); strace sees
# the system calls.
. "$SOURCE/t/lib.sh"
requires jq strace
cd "$dir" || exit 1

# 60 I/Os of devices 0 and 1: time in us, device, "read" or "write", sector, sectors.
awk 'BEGIN {
	for (srand(5); i < 60; i++)
		print 2000000 + 50000 * i, int(rand() * 2), rand() < 0.5 ? "read" : "write", int(rand() * 2000), 1 + int(rand() * 8)
}' >ios
truncate -s 1100000 a b
quick="--replay_no_stall=1 --eta=never"

# trace PRINTF ARGS: writes the list by a format of awk's printf and its arguments.
trace() {
	awk '{ us = $1; device = $2; op = $3; sector = $4; sectors = $5; printf "'"$1"'\n", '"$2"' }' ios
}

# seen ARG...: replays, and prints the system calls on a and b as lines "op file offset length".
seen() {
	# shellcheck disable=SC2086
	straced -f -y -e trace=pread64,pwrite64 -s 0 -o calls "$FIORD" --name=p $quick "$@" --output=report 2>err
	sed -nE 's,.* p(read|write)64\([0-9]+<.*/([ab])>\, .*\, ([0-9]+)\, ([0-9]+)\) += [0-9]+$,\1 \2 \4 \3,p' calls
}
awk '{ print $3, substr("ab", $2 + 1, 1), $4 * 512, $5 * 512 }' ios >want

replayed() { # LABEL MAP ARG...
	label=$1 map=$2
	shift 2
	seen --replay_map="$map" "$@" >got
	check "$label" eval '[ "$(wc -l <got)" = 60 ] && cmp want got'
}
windows='128166372000000000 + us * 10'
trace '%d,host,%d,%s,%d,%d,99' "$windows, device, op == \"read\" ? \"Read\" : \"Write\", sector * 512, sectors * 512" >t.msr
trace '%d,%s,%d,%d,%d' 'device, toupper(substr(op, 1, 1)), sector * 512, sectors * 512, us' >t.alibaba
trace '%d,%d,%d,%d,%d' 'us / 1000000, sector, sectors, op == "write", device' >t.tencent
trace '%d,%d,%d,%s,%.6f' 'device, sector, sectors * 512, substr(op, 1, 1), us / 1e6' >t.spc
trace '%d;x' us >t.none
trace 'x,%.3f,%d,%d,%s,disk,%d,y' 'us / 1000, sector, sectors * 512, op, device' >t.csv
replayed "MSR" host.0=a:host.1=b --read_iolog=t.msr --replay_format=msr
for format in alibaba tencent spc; do
	replayed "$format" 0=a:1=b --read_iolog=t.$format --replay_format=$format
done
replayed "CSV with declared columns" disk.0=a:disk.1=b --read_iolog=t.csv --replay_format=csv --replay_columns=-,time_ms,offset_sectors,length,op,device,device
replayed "... whose format they tell" disk.0=a:disk.1=b --read_iolog=t.csv --replay_columns=-,time_ms,offset_sectors,length,op,device,device
replayed "... by the flag of fiord trace, too" disk.0=a:disk.1=b --read_iolog=t.csv --trace-columns=-,time_ms,offset_sectors,length,op,device,device
replayed "traces that are merged" 0=a:1=b --read_iolog=t.tencent --merge_blktrace_iters=1 --replay_format=tencent

# The first lines of this trace fit Tencent's columns and those of SPC.
printf '5,16,4096,1,3\n5,8,512,0,4\n' >both
for format in auto:'write 8192 2097152,read 4096 262144' spc:'write 8192 4096,read 4096 512'; do
	run --name=p --read_iolog=both --replay_format="${format%%:*}" --ioengine=null --write_iolog=log $quick
	check "a trace of two formats, replay_format=${format%%:*}" \
		same "$(awk '$3 == "read" || $3 == "write" { print $3, $4, $5 }' log | paste -sd,)" "${format#*:}"
done

# Two requests that became one, and a flush that the driver never got.
cat >t.blkparse <<'EOF'
  8,0    0        1     0.000000000    77  Q   W 8 + 8 [p]
  8,0    0        2     0.000001000    77  Q   W 16 + 8 [p]
  8,0    0        3     0.000002000    77  Q  FN [p]
  8,0    0        4     0.000003000    77  D   W 8 + 16 [p]
  8,0    0        5     0.000004000    77  Q   R 80 + 8 [p]
  8,0    0        6     0.000005000    77  D   R 80 + 8 [p]
  8,0    0        7     0.000006000    77  C   W 8 + 16 [p]
  8,0    0        8     0.000007000    77  C   R 80 + 8 [p]
EOF
issued='write a 4096 8192,read a 40960 4096'
queued='write a 4096 4096,write a 8192 4096,read a 40960 4096'
check "the events that are queued are replayed" same "$(seen --replay_redirect=a --read_iolog=t.blkparse | paste -sd,)" "$queued"
check "... by name" same "$(seen --replay_redirect=a --read_iolog=t.blkparse --replay_event=queued | paste -sd,)" "$queued"
check "... or those that are issued" same "$(seen --replay_redirect=a --read_iolog=t.blkparse --replay_event=issued | paste -sd,)" "$issued"
if command -v python3 >/dev/null; then
	python3 -c 'import struct
def record(i, event, op, sector, sectors):
    return struct.pack("=IIQQIIIIIHH", 0x65617407, i, 5000 + i, sector, 512 * sectors, event | 1 << 16 + op, 1, 8 << 20, 0, 0, 0)
open("records", "wb").write(b"".join(record(*r) for r in [(1, 1, 1, 8, 8), (2, 1, 1, 16, 8), (3, 7, 1, 8, 16), (4, 1, 0, 80, 8), (5, 7, 0, 80, 8)]))'
	check "... of records" same "$(seen --replay_redirect=a --read_iolog=records --replay_event=issued | paste -sd,)" "$issued"
fi

# Stamps of whole seconds say nothing about lateness; those of the same I/Os with fractions do.
timed() {
	run --name=p --read_iolog="$1" --ioengine=null --replay_time_scale=10000 --output-format=json
	jq -c '.jobs[0] | [.read.total_ios + .write.total_ios, (.fiord | has("lateness_ns", "replayed", "replayed_late")), (.fiord.read | has("resp_ns"))]' out
}
check "times with fractions have lateness and resp" same "$(timed t.spc)" "[60,true,true,true,true]"
check "... and no note" eval '! grep -q "whole seconds" out'
check "whole seconds have neither" same "$(timed t.tencent)" "[60,false,false,false,false]"
check "... but a note" eval "jq -r '.fiord.notes[]?, .jobs[].fiord.notes[]?' out | grep -q 'read_iolog=t.tencent: the times of the trace are whole seconds, so the report does not say how late'"
run --name=p --read_iolog=t.tencent --ioengine=null --replay_time_scale=10000 --eta=never
check "... also in the text, which has no line of them" eval 'grep -q "whole seconds" out && ! grep -qE "lateness +:|resp +\(" out'
run --name=p --read_iolog=t.tencent --ioengine=null --replay_time_scale=10000 '--assert=jobs[0].lateness_ns.p99<1s'
check "... and an assertion about them is refused" eval 'exits 2 && says err "at times finer than seconds"'

refused() { # TEXT ARG...
	text=$1
	shift
	run --name=p --replay_redirect=a --write_iolog=none.log "$@"
	check "refused: $*" eval 'exits 2 && [ "$(wc -l <err)" = 1 ] && absent none.log'
	check "... because: $text" says err "$text"
}
refused "t.none: not a trace of a known format; replay_format=FORMAT names it, and replay_columns declares" --read_iolog=t.none
refused "format csv needs columns: replay_columns=time_us,op,offset" --read_iolog=t.csv --replay_format=csv
refused "unknown column \"ofset\" (did you mean offset?)" --read_iolog=t.csv --replay_columns=time_us,op,ofset,length
refused "the columns must have a length once" --read_iolog=t.csv --replay_columns=time_us,op,offset
refused "the columns of the format msr are known" --read_iolog=t.msr --replay_format=msr --replay_columns=time_us,op,offset,length
refused "t.spc: the format spc does not tell when I/Os were issued" --read_iolog=t.spc --replay_event=issued
refused "(did you mean tencent?)" --read_iolog=t.tencent --replay_format=tencet
echo 5,R,4096,512 >nameless.csv
columns=--trace-columns=time_us,op,offset,length
refused "the trace names no device; replay_redirect=FILE names the target of its I/Os" --read_iolog=nameless.csv $columns --replay_map=sda=a
run check --name=p --replay_redirect=a --read_iolog=nameless.csv $columns
check "a trace without devices" grep -q "; the I/Os reach byte 4608$" out
run check --name=p --read_iolog=nameless.csv $columns
check "... needs a target" says err "the trace names no device; replay_redirect=FILE names the target of its I/Os"
refused "t.spc:1: " --read_iolog=t.spc --replay_format=msr
run trace t.none
check "fiord trace names its own options" eval 'exits 2 && says err "format; --format=FORMAT names it, and --trace-columns declares"'
run trace --format=csv t.csv
check "... also the one that is missing" says err "format csv needs columns: --trace-columns=time_us,op"

finish
