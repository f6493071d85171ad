#!/bin/sh
# Does fiord trace print what is in a trace? Counts of fio's logs come from fio's JSON, those of blktrace's records from
# blkparse; figures come from trace_figures.py, which makes the traces and computes them from its list of I/Os.
. "$SOURCE/t/lib.sh"
requires jq python3
cd "$dir" || exit 1

if command -v fio >/dev/null; then
	fio --name=j --rw=randrw --bs=4k,8k --size=256k --nrfiles=2 --fdatasync=7 --write_iolog=log --output-format=json --output=fio.json
	run trace log --output-format=json
	check "an iolog of fio is read" exits 0
	counts='.jobs[0] | [.read.total_ios, .read.io_bytes, .write.total_ios, .write.io_bytes]'
	check "... and has the I/Os that fio counted" same "$(jq -c '[.read.ios, .read.bytes, .write.ios, .write.bytes]' out)" "$(jq -c "$counts" fio.json)"
	check "... and the syncs" same "$(jq .datasync.ios out)" "$(grep -c ' datasync ' log)"
	check "... of both files" same "$(jq '.devices | length' out)" 2
	check "... with their sizes" same "$(jq -c '[.sizes[] | [.bytes, .read, .write]]' out)" \
		"$(jq -c '.jobs[0] | [[4096, .read.total_ios, 0], [8192, 0, .write.total_ios]]' fio.json)"
	check "... and no depth, which iologs do not have" same "$(jq .depth out)" null
	fio --name=j --rw=randtrim --bs=4k --size=64k --numjobs=2 --filename=t --ioengine=null --write_iolog=two --output-format=json --output=fio.json
	run trace two --output-format=json
	check "the logs of two jobs in one file are merged" same "$(jq .trim.ios out)" "$(jq '[.jobs[].trim.total_ios] | add' fio.json)"
	gzip -k two
	run trace two.gz
	check "... but not from a compressed file" exits 2
	check "... which names the line" grep -q 'two.gz:[0-9]*: a second log begins' err
else
	skip "fio's logs" "no fio"
fi

python3 "$SOURCE/t/run/trace_figures.py" make || exit 1
figures() { # FORMAT OPTION...
	form=$1
	shift
	run trace "$@" --output-format=json
	check "$form is read" exits 0
	check "... with the figures of the I/Os" python3 "$SOURCE/t/run/trace_figures.py" compare out "$form"
}
printf 'fio version 3 iolog\n0 f add\n0 f open\n0 f read 0 4096\n' >one.log
run trace one.log
check "one I/O has no plural" grep -q '^iolog: 1 I/O in ' out
printf 'fio version 3 iolog\n0 f add\n0 f open\n0 f read 0 4096\n100 f read 4096 4096\n200 f read 8192 4096\n300 f close\n' >short.log
run trace short.log --output-format=json
check "the peak of a trace shorter than an interval is its mean" jq -e '.rate | .peak_iops == 15000 and .peak_bytes_per_s == 61440000' out
run trace short.log
check "... and has its length" grep -qE '^IOPS .* 15.0k in the 200 .*s from' out
figures blktrace t
figures blktrace t.blktrace.1 t.blktrace.0
figures blkparse blkparse.txt
figures issued t --event=issued
figures csv --trace-columns=-,time_us,offset_sectors,length,op,device t.csv
figures latency --trace-columns=-,time_us,offset_sectors,length,op,device,latency_ms t.csv
figures csv-window --trace-columns=-,time_us,offset_sectors,length,op,device,latency_ms t.csv --from=300ms --to=1.2s
figures msr t.msr
figures spc t.spc
figures tencent t.tencent
"$FIORD" trace - --output-format=json <t.spc >out
check "standard input, too" python3 "$SOURCE/t/run/trace_figures.py" compare out spc
gzip -k t.spc
mkfifo fifo
cat t.spc.gz >fifo &
figures spc fifo
if command -v zstd >/dev/null; then
	zstd -q t.spc
	run trace t.spc.zst --output-format=json
	if grep -q 'built without' err; then
		check "a build without libzstd refuses .zst by name" exits 2
	else
		check ".zst" python3 "$SOURCE/t/run/trace_figures.py" compare out spc
	fi
fi
if command -v blkparse >/dev/null; then
	blkparse -i t -d merged >parsed
	figures blktrace merged
	figures blkparse parsed
	check "blkparse counts the same reads" grep -q "^ *Reads Queued: *$("$FIORD" trace t --output-format=json | jq .read.ios)," parsed
fi

for theta in 0 0.8 1.1 1.3; do
	distribution=zipf:$theta
	[ "$theta" != 0 ] || distribution=random
	"$FIORD" --name=j --ioengine=null --rw=randrw --bs=4k --size=64m --io_size=200m --norandommap --random_distribution=$distribution --write_iolog=zipf.log >out 2>err || cat err
	run trace zipf.log --output-format=json
	check "the skew of $distribution is theta $theta" python3 "$SOURCE/t/run/trace_figures.py" skew out zipf.log "$theta"
	rm -f zipf.log
done
"$FIORD" --name=j --ioengine=null --rw=read --size=1m --write_iolog=zipf.log >out
run trace zipf.log
check "a trace of sequential I/Os has no skew" grep -q '^skew: not known' out

printf '0,8,512,r,1.5\n0,8,512,w,2' >cut.spc
run trace cut.spc
check "a last line of CSV without a newline counts" eval 'exits 0 && grep -q "^write  *1 " out'
check "... and the text says so" grep -qx 'The last line does not end with a newline, so it may be cut off.' out
run trace cut.spc --output-format=json
check "... and JSON" jq -e .last_line_without_newline out
run trace cut.spc -o cut.html
check "... and the page" grep -q 'may be cut off' cut.html

whole_seconds() { # TRUE-OR-FALSE STAMP...
	want=$1
	shift
	printf '0,8,512,r,%s\n' "$@" >stamps.spc
	run trace stamps.spc --output-format=json
	check "stamps $*: whole seconds are $want" same "$(jq .whole_seconds out)" "$want"
}
whole_seconds false 0 0.5 7
whole_seconds false 0 1 2 3 4.000001
whole_seconds true 0 1 1 7
whole_seconds true 0.000000 3.000000 9.0
awk 'BEGIN { for (i = 0; i < 65537; i++) print i ",r,0,512,65536" }' >deep.csv
head -n 65536 deep.csv >deep-65536.csv
run trace --trace-columns=time_us,op,offset,length,latency_us deep-65536.csv
check "65536 I/Os in flight are counted" grep -q '^depth: .* 65536 at most' out
run trace --trace-columns=time_us,op,offset,length,latency_ms deep.csv
check "more of them are too many" grep -q '^depth: not known, because more than 65536 I/Os are in flight' out

run trace t.tencent
check "the text says what whole seconds hide" grep -q '^The stamps are whole seconds' out
check "... and has no interarrival times" test "$(grep -c interarrival out)" = 0
run trace t -o report.txt
check "-o writes the report" grep -q '^depth: ' report.txt
run trace t -o report.json
check "... as JSON if its name says so" jq -e .depth report.json
run trace t -o report.html
check "... and as a page" grep -q '^<!doctype html>' report.html
run trace t -o text.html --output-format=text
check "... unless the format is given" grep -q '^depth: ' text.html

refused() { # WORDS OPTION...
	words=$1
	shift
	run trace "$@"
	check "refused: trace $*" exits 2
	check "... because: $words" grep -q -- "$words" err
	check "... and nothing is printed" same "$(cat out)" ""
}
refused "did you mean blktrace" --format=blktrac t
refused "did you mean offset" --trace-columns=time_us,op,ofset,length t.csv
refused "must be queued or issued" --event=done t
refused "format spc does not tell when I/Os were issued" --event=issued t.spc
refused "not a time" --from=x t
refused "--to=1s: must be later than --from=2s" --from=2s --to=1s t
refused "the trace has no I/O in the time that --from and --to select" --from=1h t
refused "the choices are text, json, html; did you mean html" --output-format=htm t
refused "would replace the input" -o t.spc t.spc
refused "needs a trace"
refused "No such file" absent
refused "Is a directory" .
refused "/dev/zero: not a trace of a known format" /dev/zero
refused "/dev/zero:1: the line is longer than 16384 bytes" --format=iolog /dev/zero
refused "/dev/zero: byte 0: no record of blktrace begins here" --format=blktrace /dev/zero
head -c 100000000 /dev/zero | tr '\0' 1 >long
refused "long:1: the line is longer than 16384 bytes" --format=spc long
rm long
for cut in iolog.gz t.spc.gz; do
	[ -e "$cut" ] || printf 'fio version 3 iolog\n0 f add\n0 f open\n1 f read 0 1\n' | gzip -c >"$cut"
	head -c 30 "$cut" >"cut.$cut"
	refused "cut.$cut: the compressed data ends early: the file is truncated" "cut.$cut"
	cat "cut.$cut" >fifo &
	refused "fifo: the compressed data ends early: the file is truncated" fifo
done
for program in xz bzip2 lz4; do
	if command -v $program >/dev/null; then
		$program -9 -c <t.spc >packed
		refused "packed: compressed by $program, and .* pipe it: $program -dc FILE" packed
	fi
done
refused "with --to-job, the output is the comparison, which is text or json" --to-job=job.ini -o job.html t
refused "--output-format=html: with --to-job" --to-job=job.ini --output-format=html t
check "... and no job is written" test ! -e job.ini
mv t.blktrace.0 hidden
refused "t.blktrace.0: missing" t.blktrace.1
head -c 1000 hidden >t.blktrace.0
refused "t.blktrace.0: byte 962: the record is cut off" t
finish
