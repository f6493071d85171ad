#!/bin/sh
# Trims of files: holes where they went and nowhere else; trimwrite writes what it has trimmed; the counts agree.
. "$SOURCE/t/lib.sh"
requires jq stat cmp
cd "$dir" || exit 1

dd if=/dev/urandom of=random bs=64k count=4 2>/dev/null
cp random probe
fallocate -p -o 0 -l 4096 probe 2>/dev/null || skip_all "this file system punches no holes"

held() { # FILE: bytes that it occupies
	sync "$1"
	echo $(($(stat -c %b "$1") * 512))
}

trims() {
	run --name=x --filename=file --size=64k --bs=4k --output-format=json "$@"
}

# What the document counts: trims, trimmed bytes, writes, written bytes.
counts() {
	value out '[.jobs[0] | .trim.total_ios, .trim.io_bytes, .write.total_ios, .write.io_bytes] | join(" ")'
}

zeros() { # FILE BYTES: it has so many and all are zero
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
	check "$engine: ... and nothing else" cmp -s tail was
done
cp random file
before=$(held file)
trims --rw=trim --size=256k --bs=64k
check "a trim gives the blocks back" test "$(held file)" -lt "$before"

# A file that is not there, or short, is laid out first: there must be something to trim.
rm -f file
trims --rw=trim --number_ios=4
check "a missing file is laid out" same "$(stat -c %s file)" 65536
check "... with data" sh -c 'tail -c 49152 file | tr -d "\\0" | wc -c | grep -qv "^0$"'
check "number_ios ends it" same "$(counts)" "4 16384 0 0"
head -c 16384 file >head
check "... after the first blocks" zeros head 16384

# trimwrite: size, io_size and number_ios count what is written.
for rw in trimwrite randtrimwrite; do
	cp random file
	trims --rw=$rw --ioengine=libaio --iodepth=8
	check "$rw trims and writes all" same "$(counts)" "16 65536 16 65536"
	check "$rw leaves no zero block" test "$(tr -d '\0' <file | wc -c)" -gt 260000
	head -c 65536 file >head && head -c 65536 random >was
	check "$rw has written" sh -c '! cmp -s head was'
	trims --rw=$rw --number_ios=5
	check "$rw number_ios counts pairs" same "$(counts)" "5 20480 5 20480"
	trims --rw=$rw --io_size=192k
	check "$rw io_size counts what is written" same "$(counts)" "48 196608 48 196608"
	trims --rw=$rw --loops=2 --size=20k
	check "$rw loops" same "$(counts)" "10 40960 10 40960"
done
trims --rw=trimwrite --bs=,4k,16k
check "writes have the size of the trims" same "$(counts)" "4 65536 4 65536"
trims --rw=randtrimwrite --bs=,16k,8k
check "... also where theirs are larger" same "$(counts)" "8 65536 8 65536"
trims --rw=randtrimwrite --bssplit=4k/50:8k/50
check "drawn sizes: as many writes as trims" json out \
	'.jobs[0] | .trim.total_ios == .write.total_ios and .trim.io_bytes == 65536 and .write.io_bytes == 65536'

# Several files: a pair stays in its file.
mkdir many
run --name=x --directory=many --nrfiles=3 --openfiles=2 --size=96k --bs=,4k,8k --rw=randtrimwrite --output-format=json
check "three files, two open" same "$(counts)" "12 98304 12 98304"
for f in many/*; do
	check "... $f is written" test "$(tr -d '\0' <"$f" | wc -c)" -gt 32000
done

# Rates per direction: a pair waits for the slower one.
trims --rw=trimwrite --rate_iops=,1000000,1000000
check "with rates" same "$(counts)" "16 65536 16 65536"
trims --rw=trimwrite --rate_iops=,,400 --number_ios=40
check "the trims' rate holds the writes back" json out '.jobs[0].write.iops | . > 0 and . < 600'
run --name=x --filename=file --size=256k --bs=4k --rw=randtrimwrite --time_based --runtime=300ms --numjobs=2 \
	--group_reporting --output-format=json
check "time_based, two workers" json out \
	'.jobs[0] | .trim.total_ios > 0 and .trim.total_ios - .write.total_ios >= 0 and .trim.total_ios - .write.total_ios <= 2'

# Text.
run --name=x --filename=file --size=64k --rw=trimwrite
check "rows of both" sh -c 'grep -q "^  trim: IOPS=" out && grep -q "^  write: IOPS=" out && grep -q "^   TRIM: bw=" out'
check "... and counts" says out "issued rwts: total=0,16,16,0"

# What cannot be trimmed.
run --name=x --filename=/dev/null --size=64k --rw=trim
check "a character device is refused" exits 2
check "... with the reason" says err "is a character device, which cannot be trimmed"
run --readonly --name=x --filename=file --size=64k --rw=trim
check "--readonly refuses trims" exits 2
run --name=x --filename=file --size=64k --rw=trim --ioengine=libaio --iodepth=4
check "the report says that trims are not asynchronous" says out "trims are done one at a time"
finish
