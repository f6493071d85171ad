#!/bin/sh
# Where does random I/O go? The test counts offsets in strace's output, for zones and percentage_random, and whether each block is
# covered. Bounds are five sigma of the binomial distribution; the draws are the same in each run.
. "$SOURCE/t/lib.sh"
requires strace awk
cd "$dir" || exit 1
strace -o /dev/null true 2>/dev/null || skip_all "strace may not trace"
truncate -s 16m file

# offsets OPTION...: prints direction and offset of each I/O, in order.
offsets() {
	# shellcheck disable=SC2086
	straced -f -o trace -e trace=pread64,pwrite64,fallocate "$FIORD" --name=x --filename=file --size=16m --bs=4k \
		--invalidate=0 --ioengine=psync --allow_write=file "$@" $threads >out 2>err </dev/null
	rc=$?
	awk '/PUNCH_HOLE/ { split($0, a, "PUNCH_HOLE, "); print "t", a[2] + 0 }
		/p(read|write)64.* = [0-9]+$/ { n = split($0, a, ", ")
			if (a[n - 1] % 4096 == 0) print /pread64/ ? "r" : "w", a[n] + 0 }' trace
}

# within COUNT TOTAL PERCENT: the count is within five sigma.
within() {
	awk "BEGIN { p = $3 / 100; d = $1 - $2 * p; exit !(d * d <= 25 * $2 * p * (1 - p)) }"
}

# share FROM TO DIRECTION: prints the I/Os that begin there, and all of this direction.
share() {
	awk -v from="$1" -v to="$2" -v d="$3" '$1 == d { n++; k += $2 >= from && $2 < to } END { print k + 0, n + 0 }' list
}

# zone LABEL DIRECTION PERCENT FROM TO: checks the share of a zone, in KiB.
zone() {
	set -- "$1" "$2" "$3" $(share $(($4 * 1024)) $(($5 * 1024)) "$2")
	check "$1: $4 of $5 I/Os, expected $3 %" within "$4" "$5" "$3"
}

# Of 4096 blocks a tenth are 409 blocks (1636 KiB).
offsets --rw=randread --random_distribution=zoned:60/10:30/20:8/30:2/40 >list
check "zoned exits 0" exits 0
check "zoned does as many I/Os as blocks" lines list 4096
zone "zone 1" r 60 0 1636
zone "zone 2" r 30 1636 4912
zone "zone 3" r 8 4912 9828
zone "zone 4" r 2 9828 16384
zone "within zone 1" r 30 0 818

offsets --rw=randrw --random_distribution=zoned_abs:90/1m:10/3m,50/8m:50/ >list
zone "zoned_abs, reads" r 90 0 1024
zone "... up to 4m" r 100 0 4096
zone "zoned_abs, writes" w 50 0 8192
offsets --rw=randtrim --random_distribution=zoned:0/50:100/10 >list
zone "trims" t 100 8192 9828
check "... and all trims are done" lines list 4096

# A zone of 1 % of 64 blocks is smaller than a block: its I/Os go to the block in which it begins, which lies in the second zone, too.
offsets --rw=randread --random_distribution=zoned:50/1:50/99 --bs=16k --size=1m --io_size=16m >list
zone "a zone smaller than a block" r 50.78 0 16
zone "... and the zone behind it" r 25 512 1024
offsets --rw=randread --random_distribution=zoned_abs:25/4k:25/4k:50/ --bs=16k --size=1m --io_size=16m >list
zone "two zones in one block" r 50 0 16
offsets --rw=randread --random_distribution=zoned:50/1:50/99 --random_clip=1 --bs=16k --size=1m --io_size=16m >list
zone "random_clip: the next zone has its I/Os" r 1.5625 0 16

# Drawn block sizes stay within the range.
offsets --rw=randread --random_distribution=zoned:50/99:50/1 --bssplit=4k/50:64k/50 --size=1000k --io_size=16m >list
check "zones with several block sizes exit 0" exits 0
zone "the last hundredth" r 50 988 1000
check "no I/O exceeds the range" test "$(awk '/pread64.* = / { n = split($0, a, ", ");
	if (a[n] + a[n - 1] > 1024000) print }' trace | wc -l)" = 0

# zipf: of 4096 blocks the hottest one gets 21.5 % of the I/Os (1 / sum of k^-1.2), in all clones and
# in each direction the same ones. A distribution has no map: blocks repeat. hottest N: prints the hottest offsets.
hottest() {
	awk '{ print $2 }' list | sort -n | uniq -c | sort -rn | awk -v n="$1" 'NR <= n { print $2 }'
}
offsets --rw=randrw --random_distribution=zipf:1.2 >list
check "zipf does as many I/Os as blocks" lines list 4096
check "... to fewer blocks" test "$(awk '{ print $2 }' list | sort -u | wc -l)" -lt 2000
top=$(hottest 1)
zone "the hottest block" r 21.5 $((top / 1024)) $((top / 1024 + 4))
zone "... of writes, too" w 21.5 $((top / 1024)) $((top / 1024 + 4))
top10=$(hottest 10)
check "hot blocks are not neighbours" test "$(echo "$top10" | sort -n | awk 'NR > 1 && $1 - l <= 4096 { n++ } { l = $1 } END { print n + 0 }')" -le 1
offsets --rw=randread --random_distribution=zipf:1.2 --numjobs=2 --thread=0 >list
check "clones have the same hottest block" same "$(hottest 1)" "$top"
offsets --rw=randread --random_distribution=zipf:1.2 --randseed=7 >list
check "... but another randseed has another one" test "$(hottest 1)" != "$top"
offsets --rw=randread --random_distribution=zipf:1.2:0.5 >list
check "center=0.5 puts it into the middle" same "$(hottest 1)" 8388608
offsets --rw=randread --random_distribution=zipf:1.2 --percentage_random=50 >list
check "with percentage_random the hottest block is the same" same "$(hottest 1)" "$top"
offsets --rw=randread --random_distribution=normal:10:0.25 >list
zone "normal: within one deviation" r 68.3 2458 5734
zone "... the lower half" r 50 0 4096

# Offsets repeat in the next run, but not with randrepeat=0.
offsets --rw=randread --random_distribution=zoned:60/10:40/90 --number_ios=50 >one
offsets --rw=randread --random_distribution=zoned:60/10:40/90 --number_ios=50 >two
offsets --rw=randread --random_distribution=zoned:60/10:40/90 --number_ios=50 --randrepeat=0 >three
check "the next run has the same offsets" cmp -s one two
check "... but not with randrepeat=0" sh -c '! cmp -s one three'

# percentage_random
follow() { # DIRECTION: prints the I/Os that follow the one before, and all.
	awk -v d="$1" '$1 == d { n++; k += n > 1 && $2 == at; at = $2 + 4096 } END { print k + 0, n }' list
}
for percent in 20 50 90; do
	offsets --rw=randread --percentage_random=$percent >list
	check "percentage_random=$percent does as many I/Os as blocks" lines list 4096
	# shellcheck disable=SC2046
	check "... and the expected share follows the I/O before" within $(follow r) $((100 - percent))
done
offsets --rw=randread --percentage_random=0 >list
check "percentage_random=0 is sequential" same "$(follow r)" "4095 4096"
check "... and covers each block" same "$(sort -u list | wc -l)" 4096
offsets --rw=randread --percentage_random=100 >list
check "percentage_random=100 covers each block" same "$(sort -u list | wc -l)" 4096
offsets --rw=randrw --percentage_random=100,0 --number_ios=1000 >list
check "writes are sequential beside random reads" same "$(follow w)" "$(grep -c w list | awk '{ print $1 - 1, $1 }')"
check "... which are random" test "$(follow r | cut -d' ' -f1)" -lt 20
offsets --rw=randread --percentage_random=50 --random_distribution=zoned:90/10:10/90 >list
# shellcheck disable=SC2046
check "both options: the expected share follows the I/O before" within $(follow r) 50
check "both options: most I/Os are in the first zone" test "$(share 0 1675264 r | cut -d' ' -f1)" -gt 3000

# Zones that do not fit are refused before the run.
rm -f new
run --name=x --filename=new --size=1m --rw=randwrite --random_distribution=zoned_abs:50/1m:50/1m
check "zones larger than the range are refused" exits 2
check "... with the sizes" says err "its zones need 2097152 bytes, of new the job uses 1048576"
check "... before a file is created" test ! -e new
run --name=x --filename=file --size=1m --rw=read --percentage_random=50
check "a note says that percentage_random has no effect on sequential I/O" says out "percentage_random=50: has no effect: rw=read is sequential"
finish
