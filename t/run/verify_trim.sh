#!/bin/sh
# trim_percentage: is that share of the written blocks trimmed and checked, by each engine, and does it find trims that did nothing
# or too much? The counts follow from the options; zero blocks are counted in the file itself.
. "$SOURCE/t/lib.sh"
requires jq fallocate
cd "$dir" || exit 1

dd if=/dev/urandom of=probe bs=64k count=1 2>/dev/null
fallocate -p -o 0 -l 4096 probe 2>/dev/null || skip_all "this file system punches no holes"

verify() { # OPTIONS: 200 blocks, so 50 are trimmed of 25 %
	run --name=x --filename=f --rw=randwrite --bs=4k --size=800k --verify=crc32c --trim_percentage=25 --output-format=json "$@"
}

# zero_blocks: the numbers of the 4k blocks that are zero.
zero_blocks() {
	for b in $(seq 0 199); do
		dd if=f bs=4k skip="$b" count=1 2>/dev/null | tr -d '\0' | head -c 1 | grep -q . || echo "$b"
	done
}

# counts: writes, trims and reads; blocks checked, in part, not checked and damaged.
counts() {
	value out '[(.jobs[0] | .write.total_ios, .trim.total_ios, .read.total_ios, (.fiord.verify |
		.checked, .in_part, .not_checked, .damaged))] | join(" ")'
}

damage() { # the number of damaged blocks, and the kinds of damage
	value out '.jobs[0].fiord.verify | "\(.damaged) \([.damage[].kind] | unique | join(", "))"'
}

for engine in psync libaio io_uring posixaio mmap; do
	sanitizer_allows $engine || continue
	"$FIORD" --enghelp 2>/dev/null | grep -q "^ *$engine" || continue
	rm -f f
	verify --ioengine=$engine --iodepth=8
	if grep -q 'io_uring_setup\|forbids' err; then
		skip "$engine" "not on this machine"
		continue
	fi
	check "$engine: a quarter of the blocks is trimmed, and all are checked" same "$(counts)" "200 50 200 200 0 0 0"
	check "... these are zero, and no others" same "$(zero_blocks | wc -l)" 50
	check "... and the trims have their time" json out '.jobs[0].trim | .runtime > 0 and .clat_ns.N == 50 and .bw > 0'
	verify --ioengine=$engine --iodepth=8 --verify_only
	check "$engine: verify_only trims nothing, and checks the same" same "$(counts)" "0 0 200 200 0 0 0"
done

# trim_backlog: the job trims between its writes, and all blocks are checked.
for more in "--rw=write" "--iodepth=16 --ioengine=libaio" "--trim_backlog_batch=3" "--loops=2"; do
	rm -f f
	# shellcheck disable=SC2086
	verify --trim_backlog=20 $more
	check "trim_backlog, $more: all blocks are checked" json out '.jobs[0] | .error == 0 and .fiord.verify.damaged == 0 and
		.trim.total_ios * 4 == .write.total_ios and .fiord.verify.checked == .read.total_ios and .read.total_ios == .write.total_ios'
	check "... a quarter is zero" same "$(zero_blocks | wc -l)" 50
done
rm -f f
verify --norandommap --io_size=4m --trim_backlog=20
check "trim_backlog: blocks are trimmed that are written again later" json out '.jobs[0] | .error == 0 and
	.fiord.verify.damaged == 0 and .trim.total_ios > 150 and .fiord.verify.checked == .read.total_ios'
# Every way in which a job knows its writes: draws, a map, pieces of blocks, several loops, many files.
rm -f f
verify --norandommap
check "blocks written twice: those that are left are checked" json out '.jobs[0] | .error == 0 and .trim.total_ios > 20 and
	.fiord.verify.checked == .read.total_ios and .fiord.verify.known_by == "map"'
check "... as many as are zero" same "$(zero_blocks | wc -l)" "$(($(value out '.jobs[0].trim.total_ios') + $(
	value out '200 - .jobs[0].read.total_ios')))"
verify --norandommap --verify_only
check "... also by verify_only" json out '.jobs[0] | .error == 0 and .fiord.verify.damaged == 0 and .read.total_ios > 100'
for more in "--bssplit=4k/50:16k/50 --norandommap" "--loops=3 --iodepth=8 --ioengine=libaio" "--rw=randrw" "--nrfiles=4 --openfiles=1" \
	"--verify=pattern --verify_pattern=0x55" "--io_size=2m --time_based --runtime=100ms" "--io_submit_mode=offload --iodepth=4" \
	"--verify_interval=512 --verify_offset=100" "--thread"; do
	rm -f f f.*
	# shellcheck disable=SC2086
	verify $more
	check "$more: some blocks are trimmed, and none is damaged" json out '.jobs[0] | .error == 0 and .trim.total_ios > 0 and
		.fiord.verify.damaged == 0 and .fiord.verify.not_checked == 0 and .fiord.verify.in_part + .fiord.verify.checked <= .read.total_ios'
done
rm -f f f.*

# Trims that did nothing: an earlier run without them.
verify --trim_percentage=0
verify --verify_only
check "blocks that were not trimmed are found" same "$(damage)" "50 not zero after a trim"
check "... with error 84" json out '.jobs[0].error == 84'
check "... and the first is named" says err "not zero after a trim: 0x00 expected, 0xca found"
verify --verify_only --trim_verify_zero=0
check "trim_verify_zero=0 reads the other blocks only" same "$(counts)" "0 0 150 150 0 50 0"
verify --trim_verify_zero=0
check "... and trims" same "$(counts)" "200 50 150 150 0 50 0"

# Damage after the trims.
zero=$(zero_blocks)
first=$(echo "$zero" | sed -n 7p)
printf x | unseen f dd of=f bs=1 seek=$((first * 4096 + 77)) conv=notrunc 2>/dev/null
verify --verify_only --verify_dump=1
check "a byte in a trimmed block is found" json out ".jobs[0].fiord.verify.damage ==
	[{\"file\": \"f\", \"offset\": $((first * 4096 + 77)), \"length\": 1, \"blocks\": 1, \"kind\": \"not zero after a trim\",
	\"expected\": \"0x00\", \"found\": \"0x78\"}]"
head -c 4096 /dev/zero >zero
check "... and the expected block of its dump is zero" cmp zero "f.$((first * 4096)).expected"
unseen f fallocate -p -o $((first * 4096)) -l 4096 f
verify --verify_only
check "without it nothing is found" same "$(counts)" "0 0 200 200 0 0 0"
for b in $(seq 0 199); do
	echo "$zero" | grep -qx "$b" || break
done
unseen f fallocate -p -o $((b * 4096)) -l 4096 f
verify --verify_only
check "a block that is zero but was not trimmed is found" same "$(damage)" "1 zeroed"

# A job that only reads does not know which blocks were trimmed.
verify
verify --rw=read
check "a job that only reads: zero blocks count as checked in part" same "$(counts)" "0 0 200 150 50 0 0"
verify --rw=read --trim_percentage=0
check "... without the option as damage" same "$(damage)" "50 zeroed"
# However, it knows how many they may be: 200 blocks of which 25 % are trimmed are not all zero, nor half of them.
cp f good
zero_from() { # BLOCK COUNT
	dd if=/dev/zero of=f bs=4k seek="$1" count="$2" conv=notrunc 2>/dev/null
}
for how in "--rw=read" "--rw=randread --norandommap --io_size=8m" "--verify_only" "--verify_only --randseed=7" \
	"--verify_only --verify_header_seed=0 --verify_write_sequence=0"; do
	cp good f
	# shellcheck disable=SC2086
	verify $how
	check "$how: trims are no damage" json out '.jobs[0] | .error == 0 and .fiord.verify.damaged == 0'
	zero_from 0 200
	# shellcheck disable=SC2086
	verify $how
	check "... a zeroed file is" json out '.jobs[0] | .error == 84 and ([.fiord.verify.damage[].kind] | unique) == ["zeroed"]'
	check "... and more blocks than are trimmed" json out '.jobs[0].fiord.verify | .damaged > 75 and .damaged <= 150'
	check "... and it exits 4" exits 4
	case $how in
	--verify_only) ;; # it knows which blocks were trimmed
	*) check "... and a note says why" json out '.jobs[0].fiord.notes | any(test("trim_percentage=25: (?<z>[0-9]+) of \\k<z> blocks are zero"))' ;;
	esac
	cp good f
	zero_from 60 120
	# shellcheck disable=SC2086
	verify $how
	check "... 120 lost blocks are found among the trims" json out '.jobs[0].fiord.verify | .damaged > 0 and .damaged <= 120'
done
cp good f
for more in "" "--verify_write_sequence=0" "--verify_header_seed=0" "--verify_write_sequence=0 --verify_header_seed=0"; do
	# shellcheck disable=SC2086
	verify --randseed=7 --verify_only $more
	check "blocks of another order of writes are not damaged${more:+ ($more)}" json out '.jobs[0].fiord.verify | .damaged == 0 and
		.checked + .in_part == 200'
done

# Refused, or without effect. The file is a copy, so the job writes another one.
rm f
verify --numjobs=2
check "jobs that write the same bytes are refused" says err "other jobs write the same bytes"
verify --trim_percentage=101
check "... and more than 100 percent" says err "trim_percentage=101"
# do_verify=0 leaves the checks to a later run, which expects the same blocks to be zero.
rm -f f
verify --do_verify=0
check "do_verify=0 trims, and reads nothing back" json out '.jobs[0] | .trim.total_ios == 50 and .read.total_ios == 0 and
	.write.total_ios == 200 and .error == 0 and .fiord.verify == null'
check "... and exits 0" exits 0
check "... as many blocks as the share says are zero" same "$(zero_blocks | wc -l)" 50
for more in "" --do_verify=0; do
	# shellcheck disable=SC2086
	verify --verify_only $more
	check "... a later run checks all blocks${more:+ ($more)}" json out '.jobs[0].fiord.verify | .checked == 200 and .damaged == 0'
done
verify --verify_only --trim_percentage=0
check "... and without trim_percentage misses the trimmed ones" same "$(damage)" "50 zeroed"
verify --readonly --verify_only
check "verify_only goes with --readonly" json out ".jobs[0].read.total_ios == 200"
finish
