#!/bin/sh
# Does the data on disk match buffer_pattern, buffer_compress_percentage and dedupe_percentage, in writes and in layouts? The
# test compares patterns byte by byte, compresses with gzip and hashes blocks.
. "$SOURCE/t/lib.sh"
requires gzip sha1sum cmp split
cd "$dir" || exit 1

# repeat_file BYTES FILE: prints the file again and again, up to so many bytes.
repeat_file() {
	cp "$2" again
	while [ "$(wc -c <again)" -lt "$1" ]; do
		cat again again >twice
		mv twice again
	done
	head -c "$1" again
}

# same_file BYTES BLOCK PERIOD-FILE: each block of f starts with the beginning of the period.
same_file() {
	repeat_file "$2" "$3" >block
	repeat_file "$1" block >want
	cmp -n "$1" f want
}

# same_data FILE FILE: the files differ at most in the first 48 bytes of each block of 4 KiB.
same_data() {
	[ "$(stat -c %s "$1")" = "$(stat -c %s "$2")" ] && ! cmp -l "$1" "$2" | awk '($1 - 1) % 4096 >= 48 { bad = 1 } END { exit !bad }'
}

# near VALUE EXPECTED: the values differ by at most one.
near() {
	[ "$1" -ge $(($2 - 1)) ] && [ "$1" -le $(($2 + 1)) ]
}

# compressible: percent of f that gzip saves. duplicates BLOCK: percent of the blocks of f that repeat another. Both round.
compressible() {
	echo $((100 - ($(gzip -c f | wc -c) * 100 + $(wc -c <f) / 2) / $(wc -c <f)))
}
duplicates() {
	n=$(($(wc -c <f) / $1))
	rm -rf parts
	mkdir parts
	split -a 4 -b "$1" f parts/
	echo $((100 - ($(sha1sum parts/* | cut -c1-40 | sort -u | wc -l) * 100 + n / 2) / n))
}

printf abc >abc
head -c 3000 /dev/urandom >any
for job in "write --bs=4k" "randwrite --bs=4k --iodepth=8 --ioengine=libaio" "randrw --bs=4k --loops=3" \
	"write --bs=64k --loops=2" "randread --bs=4k" "write --bs=512 --zero_buffers" "write --bs=4k --refill_buffers" \
	"write --bs=1000" "randrw --bs=4k --numjobs=2"; do
	bs=${job#*--bs=}
	bs=${bs%% *}
	case $bs in *k) bs=$((${bs%k} * 1024)) ;; esac
	for period in abc any; do
		rm -f f
		# shellcheck disable=SC2086
		run --name=x --filename=f --size=192k --rw=$job --buffer_pattern="'$period'"
		check "rw=$job: the file repeats a pattern of $(wc -c <$period) bytes" same_file $((196608 / bs * bs)) "$bs" "$period"
	done
done
rm -f f
run --name=x --filename=f --size=64k --rw=randwrite --buffer_pattern='"at"%o'
i=0
while [ "$i" -lt 65536 ]; do
	printf at
	printf "\\$(printf %o $((i & 255)))\\$(printf %o $((i >> 8 & 255)))\\000\\000\\000\\000\\000\\000"
	i=$((i + 4096))
done >want
split -b 4096 --filter='head -c 10' f >got
check "%o is the offset of each block" cmp got want
cp f first
rm -f f
run --name=x --filename=f --size=64k --rw=randread --buffer_pattern='"at"%o'
check "... in laid out files, too" cmp f first

# Each run writes other contents, unless randseed or allrandrepeat asks for the same.
for job in "randwrite" "randwrite --refill_buffers" "randwrite --dedupe_percentage=30" "randwrite --verify=crc32c" \
	"randwrite --buffer_compress_percentage=30" "randread" "randread --refill_buffers"; do
	n=0
	for seed in "" "" "--randseed=5" "--randseed=5" "--allrandrepeat=1" "--allrandrepeat=1"; do
		n=$((n + 1))
		rm -f f
		# shellcheck disable=SC2086
		run --name=x --filename=f --size=64k --rw=$job $seed
		mv f run.$n
	done
	check "rw=$job: a second run has other contents" eval '! same_data run.1 run.2'
	case $job in
	*verify*) check "... also with randseed, so that verify tells the runs apart" eval '! same_data run.3 run.4' ;;
	*) check "... with randseed the same contents" cmp run.3 run.4 ;;
	esac
	case $job in # headers have the time
	*verify*) check "... and with allrandrepeat the same data" same_data run.5 run.6 ;;
	*) check "... and with allrandrepeat, too" cmp run.5 run.6 ;;
	esac
done

for percent in 10 50 90; do
	for bs in 512 4k 1m; do
		for rw in write randread; do
			rm -f f
			run --name=x --filename=f --size=4m --bs=$bs --rw=$rw --buffer_compress_percentage=$percent
			check "rw=$rw bs=$bs: gzip saves $percent %" near "$(compressible)" $percent
		done
	done
done
for mode in repeat working_set; do
	for rw in write randwrite randread; do
		rm -f f
		run --name=x --filename=f --size=4m --bs=16k --rw=$rw --dedupe_percentage=30 --dedupe_mode=$mode
		check "$mode, rw=$rw: 30 % of blocks repeat another" near "$(duplicates 16384)" 30
	done
done
rm -f f
run --name=x --filename=f --size=8m --bs=64k --rw=write --dedupe_percentage=25 --buffer_compress_percentage=60 \
	--buffer_compress_chunk=4k
check "dedupe and compression: 25 % of blocks repeat another" near "$(duplicates 65536)" 25
sha1sum parts/* | sort -u -k1,1 | sed 's/^[^ ]*  //' | xargs cat >f
check "... and gzip saves 60 % of the others" near "$(compressible)" 60
rm -f f
run --name=x --filename=f --size=4m --bssplit=4k/50:16k/50 --rw=randwrite --dedupe_percentage=40
check "mixed block sizes: 40 % of the smallest blocks repeat another" near "$(duplicates 4096)" 40
rm -f f
run --name=x --filename=f --size=2m --rw=write --numjobs=2 --offset_increment=1m --size=1m --dedupe_percentage=50 \
	--thread
check "clones repeat their own blocks, not each other's" near "$(duplicates 4096)" 50
rm -f f
truncate -s 1m f
run --name=x --filename=f --size=1m --rw=randrw --bs=4k --rwmixread=50 --norandommap --io_size=8m
check "blocks written over zeroes cannot be compressed" test "$(tr -d '\000' <f | gzip -c | wc -c)" -gt \
	$(($(tr -d '\000' <f | wc -c) * 98 / 100))

rm -f f
mkdir d
: >empty
head -c 1048577 /dev/zero >huge
for bad in "'missing':cannot read" "'d':is a directory" "'/dev/zero':is a device" "'empty':is empty" "'huge':up to 1048576" \
	"abc:not a pattern" '"abc:closing' "%x:not known"; do
	run --name=x --filename=f --size=64k --rw=write --buffer_pattern="${bad%%:*}"
	check "buffer_pattern=${bad%%:*} is refused: ${bad#*:}" exits 2
	check "... with the reason" says err "${bad#*:}"
	check "... before the file is created" test ! -e f
done
printf '[x]\nfilename=f\nsize=64k\nrw=write\nbuffer_pattern=nonsense\n' >bad.ini
run bad.ini
check "the error has the line of the job file" says err "bad.ini:5: buffer_pattern=nonsense: "
for bad in "--dedupe_percentage=50 --buffer_pattern=1:makes all blocks equal" \
	"--dedupe_percentage=50 --buffer_compress_percentage=50 --buffer_pattern=%o:makes every block unique" \
	"--dedupe_percentage=96 --dedupe_mode=working_set:is too high" "--buffer_compress_percentage=101:0 to 100"; do
	# shellcheck disable=SC2086
	run --name=x --filename=f --size=64k --rw=write ${bad%%:*}
	check "${bad%%:*} is refused" exits 2
	check "... with the reason" says err "${bad#*:}"
done
run --name=x --filename=f --size=64k --rw=write --zero_buffers --dedupe_percentage=10 --refill_buffers=0
check "an option without effect gets a note" says out "zero_buffers: has no effect: dedupe_percentage"
check "... each option one note" says out "refill_buffers=0: has no effect"
finish
