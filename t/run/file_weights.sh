#!/bin/sh
# file_weights: do files get I/Os in the ratio of their weights, and does no file end before the others? Then profiles with Weight
# and ThreadTargets. The test counts I/Os in DISKSPD's XML.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
truncate -s 1m a b
truncate -s 64k small

# ios THREAD FILE: the I/Os of the thread to the file, from the XML report.
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
check "a random job exits 0" exits 0
check "nine of ten random I/Os go to the first file: $(ios 0 a)" between "$(ios 0 a)" 3480 3720
check "... and the others to the second: $(ios 0 b)" test "$(ios 0 b)" = $((4000 - $(ios 0 a)))
run $xml --filename=a:b --rw=read --io_size=16m --file_weights=1:3 --numjobs=2
check "sequential I/O wraps around, in each clone" test "$(($(ios 1 a) + $(ios 1 b)))" = 4096
check "... and follows the weights: $(ios 1 a)" between "$(ios 1 a)" 850 1200

# Without weights a small file is done after one pass; with weights it is not.
run $xml --filename=small:a --rw=read --number_ios=200
check "without weights a small file is read once: $(ios 0 small)" test "$(ios 0 small)" -le 16
run $xml --filename=small:a --rw=read --number_ios=200 --file_weights=1:1
check "with weights it is read again and again: $(ios 0 small)" between "$(ios 0 small)" 60 140

# A profile whose threads have their own targets and weights.
for name in a.dat b.dat log.dat; do
	truncate -s 1m "$name"
done
sed 's|<TimeSpan>|&<Duration>1</Duration><Warmup>0</Warmup>|' "$SOURCE/t/golden/diskspd/thread-targets.xml" >p.xml
run diskspd --output-format=diskspd-xml -Xp.xml
check "the profile exits 0" exits 0
check "threads 0 and 1 follow the weights of both targets" between $((100 * $(ios 1 a.dat) / ($(ios 1 b.dat) + 1))) 500 1500
check "thread 2 has more even weights" between $((100 * $(ios 2 a.dat) / ($(ios 2 b.dat) + 1))) 150 500
check "only one thread uses the log" test "$(ios 0 log.dat):$(ios 3 a.dat)" = 0:0
check "... and writes it" test "$(ios 3 log.dat)" -gt 0
finish
