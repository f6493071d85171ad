#!/bin/sh
# Several formats of one run say the same.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

field() { # NUMBER
	cut -d ';' -f "$1" terse
}

run --name=x --filename=file --size=4m --bs=8k --rw=randrw --fsync=16 --ioengine=libaio --iodepth=4 \
	--output-format=normal,terse,json+ --output=all
check "three formats exit 0" exits 0
grep '^3;fio-3' all >terse
sed -n '/^{/,/^}/p' all >doc
check "one terse line" lines terse 1
check "terse, then JSON, then normal" same "$(sed -nE 's/^(3;|\{|Run status).*/\1/p' all | tr '\n' ' ')" "3; { Run status "
check "the name" same "$(field 3)" x
check "bytes read" same "$(field 6)" "$(value doc '.jobs[0].read.io_kbytes')"
check "bandwidth of reads" same "$(field 7)" "$(value doc '.jobs[0].read.bw')"
check "bytes written" same "$(field 47)" "$(value doc '.jobs[0].write.io_kbytes')"
check "completion of writes, at most" same "$(field 56)" "$(value doc '.jobs[0].write.clat_ns.max / 1000 | floor')"
check "the median of reads" same "$(field 24)" "50.000000%=$(value doc '.jobs[0].read.clat_ns.percentile["50.000000"] / 1000 | floor')"

check "json+: the bins hold every I/O" json doc '.jobs[0] | [.read.clat_ns, .write.clat_ns, .sync.lat_ns |
	(.bins | add) == .N and .N > 0] | all'
check "... and lie near least and most" json doc '.jobs[0].read.clat_ns | (.bins | keys | map(tonumber)) as $k |
	($k | min) * 1.02 > .min and ($k | max) * 0.98 < .max'

run --name=x --filename=file --size=64k --output-format=json
check "json alone has no bins" json out '.jobs[0].read.clat_ns | has("bins") | not'
run --name=x --filename=file --size=64k --numjobs=2 --minimal --terse-version=5
check "--minimal says a line for each job, and nothing else" lines out 2
check "... of that version" same "$(cut -d ';' -f 1 out | sort -u)" 5
check "stderr is empty" empty err
run --name=x --filename=file --size=64k --append-terse
check "--append-terse keeps the text" grep -q '^Run status' out
check "... and has a line" grep -q '^3;fio-3' out
finish
