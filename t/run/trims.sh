#!/bin/sh
# Trims of files: are holes punched where the trims went and nowhere else, does trimwrite write what it trimmed, and do the counts
# agree?
. "$SOURCE/t/lib.sh"
requires jq stat cmp
cd "$dir" || exit 1

dd if=/dev/urandom of=random bs=64k count=4 2>/dev/null
cp random probe
fallocate -p -o 0 -l 4096 probe 2>/dev/null || skip_all "this file system punches no holes"

allocated() { # FILE: its allocated bytes
	sync "$1"
	echo $(($(stat -c %b "$1") * 512))
}

trims() {
	run --name=x --filename=file --allow_write=file --size=64k --bs=4k --output-format=json "$@"
}

# counts: the document's trims, trimmed bytes, writes and written bytes.
counts() {
	value out '[.jobs[0] | .trim.total_ios, .trim.io_bytes, .write.total_ios, .write.io_bytes] | join(" ")'
}

zeros() { # FILE BYTES: the file has so many bytes, all zero
	head -c "$2" /dev/zero | cmp -s - "$1"
}

for engine in psync libaio io_uring posixaio pvsync2 mmap; do
	sanitizer_allows $engine || continue
	"$FIORD" --enghelp 2>/dev/null | grep -q "^ *$engine" || continue
	cp random file
	trims --rw=randtrim --ioengine=$engine --iodepth=4 --size=128k
	if grep -q 'io_uring_setup\|forbids' err; then
		skip "$engine" "not on this machine"
		continue
	fi
	check "$engine: randtrim exits 0" exits 0
	check "$engine: ... trims each block once" same "$(counts)" "32 131072 0 0"
	check "$engine: ... keeps the length" same "$(stat -c %s file)" 262144
	head -c 131072 file >head && tail -c 131072 file >tail && tail -c 131072 random >was
	check "$engine: ... leaves a hole" zeros head 131072
	check "$engine: ... and keeps the other blocks" cmp -s tail was
done
cp random file
before=$(allocated file)
trims --rw=trim --size=256k --bs=64k
check "a trim frees the blocks" test "$(allocated file)" -lt "$before"

# A missing or short file is laid out first, so that there are blocks to trim.
rm -f file
trims --rw=trim --number_ios=4
check "a missing file is laid out" same "$(stat -c %s file)" 65536
check "... with data" sh -c 'tail -c 49152 file | tr -d "\\0" | wc -c | grep -qv "^0$"'
check "number_ios limits the trims" same "$(counts)" "4 16384 0 0"
head -c 16384 file >head
check "... to the first blocks" zeros head 16384

# In trimwrite jobs size, io_size and number_ios count the writes.
for rw in trimwrite randtrimwrite; do
	cp random file
	trims --rw=$rw --ioengine=libaio --iodepth=8
	check "$rw trims and writes each block" same "$(counts)" "16 65536 16 65536"
	check "$rw leaves no zero block" test "$(tr -d '\0' <file | wc -c)" -gt 260000
	head -c 65536 file >head && head -c 65536 random >was
	check "$rw has written new data" sh -c '! cmp -s head was'
	trims --rw=$rw --number_ios=5
	check "$rw: number_ios counts pairs of trim and write" same "$(counts)" "5 20480 5 20480"
	trims --rw=$rw --io_size=192k
	check "$rw: io_size counts written bytes" same "$(counts)" "48 196608 48 196608"
	trims --rw=$rw --loops=2 --size=20k
	check "$rw: loops repeat" same "$(counts)" "10 40960 10 40960"
done
trims --rw=trimwrite --bs=,4k,16k
check "a write has the size of its trim" same "$(counts)" "4 65536 4 65536"
trims --rw=randtrimwrite --bs=,16k,8k
check "... also if the block size of writes is larger" same "$(counts)" "8 65536 8 65536"
trims --rw=randtrimwrite --bssplit=4k/50:8k/50
check "drawn block sizes: each trim has its write" json out \
	'.jobs[0] | .trim.total_ios == .write.total_ios and .trim.io_bytes == 65536 and .write.io_bytes == 65536'

# With several files a pair stays in its file.
mkdir many
run --name=x --directory=many --nrfiles=3 --openfiles=2 --size=96k --bs=,4k,8k --rw=randtrimwrite --output-format=json
check "three files with openfiles=2" same "$(counts)" "12 98304 12 98304"
for f in many/*; do
	check "... $f is written" test "$(tr -d '\0' <"$f" | wc -c)" -gt 32000
done

# With a rate per direction a pair waits for the slower one.
trims --rw=trimwrite --rate_iops=,1000000,1000000
check "trimwrite with rates does each block" same "$(counts)" "16 65536 16 65536"
trims --rw=trimwrite --rate_iops=,,400 --number_ios=40
check "the rate of the trims limits the writes" json out '.jobs[0].write.iops | . > 0 and . < 600'
run --name=x --filename=file --allow_write=file --size=256k --bs=4k --rw=randtrimwrite --time_based --runtime=300ms --numjobs=2 \
	--group_reporting --output-format=json
check "time_based with two workers keeps pairs together" json out \
	'.jobs[0] | .trim.total_ios > 0 and .trim.total_ios - .write.total_ios >= 0 and .trim.total_ios - .write.total_ios <= 2'

# The normal output.
run --name=x --filename=file --allow_write=file --size=64k --rw=trimwrite
check "the text has rows for trims and writes" sh -c 'grep -q "^  trim: IOPS=" out && grep -q "^  write: IOPS=" out && grep -q "^   TRIM: bw=" out'
check "... and their counts" says out "issued rwts: total=0,16,16,0"

# Targets that cannot be trimmed.
run --name=x --filename=/dev/null --size=64k --rw=trim
check "a character device is refused" exits 2
check "... with the reason" says err "is a character device, which cannot be trimmed"
run --readonly --name=x --filename=file --size=64k --rw=trim
check "--readonly refuses trims" exits 2
run --name=x --filename=file --allow_write=file --size=64k --rw=trim --ioengine=libaio --iodepth=4
check "a note says that trims run one at a time" says out "trims run one at a time"
check "the report has the depth that was reached, as fio's has" says out "IO depths    : 1=100.0%"
finish
