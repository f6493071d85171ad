#!/bin/sh
# file_weights: how often files are drawn, none of them is done before the others; profiles with Weight and ThreadTargets.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
truncate -s 1m a b
truncate -s 64k small

# I/Os to the file of the thread, from the XML report.
ios() {
	awk -v id="<Id>$1</Id>" -v path="<Path>$2</Path>" '
		index($0, "<Thread>") { mine = there = 0 }
		index($0, id) { mine = 1 }
		/<Path>/ { there = mine && index($0, path) }
		/<IOCount>/ && there { gsub(/[^0-9]/, ""); n += $0 }
		END { print n + 0 }' "$dir/out"
}
between() {
	test "$1" -ge "$2" && test "$1" -le "$3"
}

xml="--output-format=diskspd-xml --name=x --ioengine=psync --file_service_type=random --bs=4k"
run $xml --filename=a:b --rw=randread --norandommap --number_ios=4000 --time_based=0 --size=64m --io_size=64m --filesize=1m \
	--file_weights=9:1
check "random I/O ends" exits 0
check "nine in ten go to the first: $(ios 0 a)" between "$(ios 0 a)" 3480 3720
check "the others to the second: $(ios 0 b)" test "$(ios 0 b)" = $((4000 - $(ios 0 a)))
run $xml --filename=a:b --rw=read --io_size=16m --file_weights=1:3 --numjobs=2
check "ordered I/O goes round, in each clone" test "$(($(ios 1 a) + $(ios 1 b)))" = 4096
check "by weight: $(ios 1 a)" between "$(ios 1 a)" 850 1200

# A small file is not done, which without weights it is.
run $xml --filename=small:a --rw=read --number_ios=200
check "without weights a small file is done: $(ios 0 small)" test "$(ios 0 small)" -le 16
run $xml --filename=small:a --rw=read --number_ios=200 --file_weights=1:1
check "with weights it goes round: $(ios 0 small)" between "$(ios 0 small)" 60 140

# A profile whose threads use targets of their own, some more often than others.
for name in a.dat b.dat log.dat; do
	truncate -s 1m "$name"
done
sed 's|<TimeSpan>|&<Duration>1</Duration><Warmup>0</Warmup>|' "$SOURCE/t/golden/diskspd/thread-targets.xml" >p.xml
run diskspd --output-format=diskspd-xml -Xp.xml
check "the profile runs" exits 0
check "threads 0 and 1 go to both" between $((100 * $(ios 1 a.dat) / ($(ios 1 b.dat) + 1))) 500 1500
check "thread 2 is more even" between $((100 * $(ios 2 a.dat) / ($(ios 2 b.dat) + 1))) 150 500
check "the log has a thread of its own" test "$(ios 0 log.dat):$(ios 3 a.dat)" = 0:0
check "which writes" test "$(ios 3 log.dat)" -gt 0
finish
