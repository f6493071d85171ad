#!/bin/sh
# Does verification leave blocks alone that the job has perhaps never written, and find damage in the others? What was written, the
# file itself, the options and the writer's count say; the damage is planted here.
. "$SOURCE/t/lib.sh"
requires jq dd od
cd "$dir" || exit 1

# verify FILTER: true of the first job's fiord.verify.
verify() {
	json out ".jobs[0].fiord.verify | $1"
}

# A job that may have ended early, or writes only some blocks, leaves older data where it never wrote: those of other jobs are not
# checked. How many blocks it wrote, the writer and its options say.
for old in "--verify=md5" "--verify=crc32c --randseed=7" "--verify=crc32c --bs=8k --randseed=7" "--verify=meta --verify_interval=512"; do
	new="--name=x --filename=older --bs=4k --size=256k --verify=crc32c --output-format=json"
	# shellcheck disable=SC2086
	{
		run --name=old --filename=older --bs=4k --size=256k --rw=write --do_verify=0 $old
		run $new --rw=write --runtime=60 --number_ios=40
		run $new --rw=write --runtime=60 --verify_only
		check "older blocks behind those that a runtime left are not checked, $old" \
			verify '[.checked, .in_part, .not_checked, .damaged] == [40, 0, 24, 0]'
		check "... and the run exits 0" exits 0
		case $old in
		*=md5 | *8k* | *meta*) check "... a note tells of their headers" json out '.jobs[0].fiord.notes | any(test("another kind or size"))' ;;
		esac
		flip older $((39 * 4096 + 2000))
		run $new --rw=write --runtime=60 --verify_only
		check "... and a flipped bit of its own blocks is found" verify '[.checked, .not_checked, .damaged] == [40, 24, 1]'
		run --name=old --filename=older --bs=4k --size=256k --rw=write --do_verify=0 $old
		run $new --rw=randrw --rate_iops=4000,4000 --do_verify=0
		wrote=$(value out '.jobs[0].write.total_ios')
		run $new --rw=randrw --rate_iops=4000,4000 --verify_only
		check "older blocks between those of a paced randrw job are not checked, $old" \
			verify "[.checked, .in_part, .not_checked, .damaged] == [$wrote, 0, 64 - $wrote, 0]"
	}
done

# The number of writes of a time_based job is not known, so the run in the seeds tells which data are its own. Pieces of larger blocks,
# which have no header, are not.
for old in "--bs=16k --verify=md5" "--bs=16k --verify=crc32c --randseed=7" "--bs=4k --verify=meta --verify_interval=512"; do
	new="--name=x --filename=older --bs=4k --size=4m --rw=randwrite --verify=crc32c --output-format=json"
	# shellcheck disable=SC2086
	{
		run --name=old --filename=older --size=4m --rw=write --do_verify=0 $old
		run $new --number_ios=30
		new="$new --time_based --runtime=60 --verify_only"
		run $new
		check "time_based, 30 blocks among older ones are checked, $old" verify '[.checked, .in_part, .not_checked, .damaged] == [30, 0, 994, 0]'
		check "... and the run exits 0" exits 0
		own=$(for b in $(seq 0 1023); do [ "$(od -An -tx1 -j $((b * 4096)) -N 8 older)" = " ca ac 81 05 00 10 00 00" ] && echo "$b"; done)
		last=$(echo "$own" | tail -n 1)
		unseen older dd if=/dev/zero of=older bs=64 seek=$((last * 64)) count=1 conv=notrunc 2>dd.err
		run $new
		check "... a lost header of its own block is damage" verify "[.checked, .damaged, .damage[0].offset] == [30, 1, $((last * 4096))]"
	}
done

# With randrepeat=0 each run draws other blocks, so verify_only does not know which ones the earlier run has written. Where all
# blocks are written, it does.
anew="--name=x --filename=anew --bs=4k --size=512k --verify=crc32c --randrepeat=0 --output-format=json"
for how in "--rw=randwrite --number_ios=40" "--rw=randwrite --norandommap" "--rw=randrw" "--rw=randrw --verify_pattern=%o" \
	"--rw=randwrite --random_distribution=zipf:1.2"; do
	rm -f anew
	# shellcheck disable=SC2086
	run $anew $how
	wrote=$(value out '.jobs[0].fiord.verify.checked')
	# shellcheck disable=SC2086
	run $anew $how --verify_only
	check "randrepeat=0 $how: blocks that the earlier run did not draw are not checked" \
		verify "[.checked, .in_part, .not_checked, .damaged] == [$wrote, 0, 128 - $wrote, 0]"
	check "... and the run exits 0" exits 0
	block=$(for b in $(seq 1 127); do [ "$(od -An -tx1 -j $((b * 4096)) -N 2 anew)" = " ca ac" ] && echo "$b"; done | head -n 1)
	flip anew $((block * 4096 + 2000))
	# shellcheck disable=SC2086
	run $anew $how --verify_only
	check "... a flipped byte of a block that it wrote is damage" verify "[.damage[] | .offset / 4096 | floor] == [$block]"
done
for how in "--rw=randwrite" "--rw=write --number_ios=128"; do
	# shellcheck disable=SC2086
	run $anew $how
	unseen anew dd if=/dev/zero of=anew bs=4k seek=9 count=1 conv=notrunc 2>dd.err
	# shellcheck disable=SC2086
	run $anew $how --verify_only
	check "randrepeat=0 $how: all blocks were written, so a zeroed one is damage" verify '[.checked, .damaged, .damage[0].offset] == [128, 1, 36864]'
done
# shellcheck disable=SC2086
run $anew --rw=randwrite --verify_only --bssplit=4k/50:8k/50
check "... places of blocks of several sizes are not known" says err "with randrepeat=0 each run draws other places and sizes"
check "... which is refused" exits 2

# A pattern of offsets is zero in the first block of a file, and so are unwritten bytes: they do not show that the job wrote them.
pattern="--name=x --filename_format=zero.\$filenum --nrfiles=3 --openfiles=1 --file_service_type=sequential --size=384k --bs=4k --rw=write
	--number_ios=20 --runtime=60 --verify=crc32c --verify_pattern=%o --output-format=json"
# shellcheck disable=SC2086
run $pattern
# shellcheck disable=SC2086
run $pattern --verify_only
check "a pattern of offsets is zero in the first block of a file, and a file without data has not been written" \
	verify '[.checked, .in_part, .not_checked, .damaged] == [20, 0, 76, 0]'

# A time_based job draws new blocks after its first pass, and one pass of a norandommap job did not write all of them.
drawn="--name=x --filename=drawn --bs=4k --size=1m --norandommap --verify=crc32c --output-format=json"
# read_drawn OPTION...: reads two passes or more, from the page cache. On a busy machine that takes another try with more time.
read_drawn() {
	for ms in 200 400 800 1600 3200 6400 12800; do
		# shellcheck disable=SC2086
		run $drawn --rw=randread --invalidate=0 --time_based --runtime=${ms}ms "$@"
		[ "$(value out '.jobs[0].read.total_ios')" -lt 512 ] || return
	done
}
# shellcheck disable=SC2086
run $drawn --rw=randwrite --do_verify=0
written=$(for b in $(seq 0 255); do dd if=drawn bs=4k skip="$b" count=1 2>/dev/null | tr -d '\0' | head -c 1 | grep -q . && echo "$b"; done)
one=$(echo "$written" | sed -n 5p)
cp drawn good
for more in "" "--iodepth=8 --ioengine=libaio" "--iodepth_batch=4 --iodepth=16 --ioengine=libaio --verify_async=1"; do
	cp good drawn
	# shellcheck disable=SC2086
	read_drawn $more
	check "reads beyond the first pass: unwritten blocks are no damage${more:+ ($more)}" verify '.checked > 0 and .in_part == 0 and .damaged == 0'
	check "... and count as not checked" json out '.jobs[0] | .fiord.verify.checked + .fiord.verify.not_checked == .read.total_ios'
	check "... and the run exits 0" exits 0
	dd if=/dev/zero of=drawn bs=4k seek="$one" count=1 conv=notrunc 2>dd.err
	# shellcheck disable=SC2086
	read_drawn $more
	check "... a lost write of the first pass is damage" verify "([.damage[] | [.offset, .kind]] | unique) == [[$((one * 4096)), \"zeroed\"]]"
done
# Other jobs whose later passes read other blocks, or blocks that begin elsewhere: nobody has damaged the file.
while read -r rw options; do
	rm -f passes
	passes="--name=x --filename=passes --size=1m --verify=crc32c --output-format=json $options"
	# shellcheck disable=SC2086
	run $passes --rw="$(echo "$rw" | sed s/read/write/)" --do_verify=0
	for ms in 200 400 800 1600 3200 6400 12800; do
		# shellcheck disable=SC2086
		run $passes --rw="$rw" --invalidate=0 --time_based --runtime=${ms}ms
		[ "$(value out '.jobs[0].read.total_ios')" -lt 600 ] || break
	done
	check "rw=$rw $options: sound blocks are not damaged" verify '.checked > 0 and .in_part == 0 and .damaged == 0 and .not_checked > 0'
	check "... and the run exits 0" exits 0
done <<'EOF'
randread --bssplit=4k/50:8k/50
read --bsrange=4k-16k
read:8k --bsrange=4k-16k
randread --bs=4k --percentage_random=50
randread:4 --bs=4k
randread --bs=4k --zonemode=strided --zonesize=16k --zonerange=64k
EOF
rm drawn # it is a copy, which is the user's
# shellcheck disable=SC2086
run $drawn --rw=write --norandommap=0 --do_verify=0
others=$(for b in $(seq 0 255); do echo "$written" | grep -qx "$b" || echo "$b"; done)
for b in $(echo "$others" | head -n 30); do
	flip drawn $((b * 4096 + 3000))
done
read_drawn
check "blocks that only later passes read are checked" json out '.jobs[0].fiord.verify | .not_checked == 0 and .damaged > 0 and
	([.damage[] | .offset % 4096, .kind] | unique) == [3000, "corrupt"]'
finish
