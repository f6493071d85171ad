#!/bin/sh
# Do all formats of one run have the same figures? The test compares terse fields with the JSON document.
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
check "the output has one terse line" lines terse 1
check "the order is terse, JSON, normal" same "$(sed -nE 's/^(3;|\{|Run status).*/\1/p' all | tr '\n' ' ')" "3; { Run status "
check "terse has the job's name" same "$(field 3)" x
check "terse has the bytes read" same "$(field 6)" "$(value doc '.jobs[0].read.io_kbytes')"
check "terse has the read bandwidth" same "$(field 7)" "$(value doc '.jobs[0].read.bw')"
check "terse has the bytes written" same "$(field 47)" "$(value doc '.jobs[0].write.io_kbytes')"
check "terse has the longest write completion" same "$(field 56)" "$(value doc '.jobs[0].write.clat_ns.max / 1000 | floor')"
check "terse has the median read completion" same "$(field 24)" "50.000000%=$(value doc '.jobs[0].read.clat_ns.percentile["50.000000"] / 1000 | floor')"

check "json+: the bins hold each I/O" json doc '.jobs[0] | [.read.clat_ns, .write.clat_ns, .sync.lat_ns |
	(.bins | add) == .N and .N > 0] | all'
check "... and lie between minimum and maximum" json doc '.jobs[0].read.clat_ns | (.bins | keys | map(tonumber)) as $k |
	($k | min) * 1.02 > .min and ($k | max) * 0.98 < .max'

run --name=x --filename=file --size=64k --output-format=json
check "json has no bins" json out '.jobs[0].read.clat_ns | has("bins") | not'
run --name=x --filename=file --size=64k --numjobs=2 --minimal --terse-version=5
check "--minimal prints one line per job and nothing else" lines out 2
check "... in the requested version" same "$(cut -d ';' -f 1 out | sort -u)" 5
check "stderr is empty" empty err
run --name=x --filename=file --size=64k --append-terse
check "--append-terse keeps the normal output" grep -q '^Run status' out
check "... and adds a terse line" grep -q '^3;fio-3' out
finish
