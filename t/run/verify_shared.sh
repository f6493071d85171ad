#!/bin/sh
# When other jobs of the run write some of the bytes that a job verifies, is all the rest checked? dd plants the damage; which
# blocks are checked follows from offsets and sizes.
. "$SOURCE/t/lib.sh"
requires jq dd
cd "$dir" || exit 1
ln -s "$FIORD" fio
all="--filename=f --bs=4k --size=1m"

plant() { # OFFSET
	flip f "$1"
}

# counts JOB: blocks checked, in part, not checked and damaged.
counts() {
	value out ".jobs[] | select(.jobname == \"$1\") | .fiord.verify | [.checked, .in_part, .not_checked, .damaged] | join(\" \")"
}

damaged_at() { # JOB
	value out ".jobs[] | select(.jobname == \"$1\") | [.fiord.verify.damage[].offset] | join(\" \")"
}

# ---- a job of an earlier wave wrote the data, and another one a block of them ----
# shellcheck disable=SC2086
earlier() { # OPTION...: of the job that only verifies
	rm -f f
	run --output-format=json --name=l $all --stonewall --rw=write --verify=md5 \
		--name=o $all --stonewall --rw=write --offset=256k --size=4k --name=v $all --stonewall --verify_only --rw=write --verify=md5 "$@"
}
earlier
check "verify_only checks all blocks but the one that another job has replaced" same "$(counts v)" "255 1 0 0"
check "... by their headers, as a note says" json out '.jobs[2].fiord.notes | any(test("other jobs of this run wrote 255 of these blocks"))'
check "... and exits 0" exits 0
earlier --exec_prerun="sh $SOURCE/t/flip.sh f 28772"
check "a damaged byte in another block is found" same "$(counts v) at $(damaged_at v)" "255 1 0 1 at 28772"
check "... and exits 4" exits 4
earlier --exec_prerun="sh $SOURCE/t/flip.sh f 262244"
check "nobody can say whether the replaced block is right" same "$(counts v)" "255 1 0 0"
earlier --exec_prerun="dd if=/dev/zero of=f bs=4k seek=9 count=1 conv=notrunc 2>dd.err"
check "a zeroed block is found" same "$(counts v) at $(damaged_at v)" "255 1 0 1 at 36864"

# ---- the job has written its blocks in an earlier run, and some of them were replaced in this one ----
# shellcheck disable=SC2086
{
	two="--name=v $all --rw=write --verify=crc32c --name=w $all --stonewall --rw=write --verify=crc32c --offset=512k --size=64k"
	rm -f f
	run $two
	run --output-format=json $two --set=verify_only=1
	check "blocks that a later job has replaced count in part, and no others" same "$(counts v), $(counts w)" "240 16 0 0, 16 0 0 0"
	plant 4096
	run --output-format=json $two --set=verify_only=1
	check "... so damage elsewhere is found" same "$(counts v) at $(damaged_at v)" "240 16 0 1 at 4096"
	plant 524588
	run --output-format=json $two --set=verify_only=1
	check "... and damage in the last write" same "$(counts w) at $(damaged_at w)" "16 0 0 1 at 524588"

	# The last write of the second job is lost: what the first job wrote there before is still there.
	rm -f f
	run $two
	cp f new
	run --name=v $all --rw=write --verify=crc32c
	dd if=f of=new bs=4k skip=130 seek=130 count=1 conv=notrunc 2>dd.err
	mv new f
	run --output-format=json $two --set=verify_only=1
	check "a block of a job that has ended before is a lost write" same "$(counts w) at $(damaged_at w)" "16 0 0 1 at 532480"
}

# ---- a later job has replaced blocks by those of another kind; all its 32 blocks lie among the 64 of the first job ----
two() {
	# shellcheck disable=SC2086
	run --output-format=json --name=v --filename=f --bs=4k --size=256k --rw=randwrite $first \
		--name=w --filename=f --bs=4k --stonewall --offset=32k --size=128k --rw=randwrite $second "$@"
}
while IFS=: read -r first second; do
	rm -f f
	two
	two --set=verify_only=1
	check "$first, replaced by $second: the blocks count in part" same "$(counts v), $(counts w)" "32 32 0 0, 32 0 0 0"
	check "... and the run exits 0" exits 0
	two --set=rw=randread
	check "... and they do so if both read" same "$(counts v), $(counts w)" "32 32 0 0, 32 0 0 0"
	check "... which exits 0, too" exits 0
	plant 6000
	two --set=verify_only=1
	check "... damage elsewhere is found" same "$(counts v)" "32 32 0 1"
	check "... in its block" json out '.jobs[0].fiord.verify.damage[0] | .offset >= 4096 and .offset + .length <= 8192'
	plant 70000
	two --set=verify_only=1
	check "... and damage in the last write" json out '.jobs[1].fiord.verify | .damaged == 1 and (.damage[0] |
		.offset >= 69632 and .offset + .length <= 73728)'
done <<'EOF'
--verify=md5:--verify=crc32c
--verify=pattern --verify_pattern=0x55:--verify=crc32c
--verify=crc32c:--verify=pattern --verify_pattern=0x55
--verify=crc32c:--verify=crc32c --verify_offset=100
--verify=crc32c --verify_interval=512:--verify=sha512
--verify=meta --verify_pattern=1:--verify=pattern_hdr --verify_pattern=1
--verify=pattern --verify_pattern=1:--verify=pattern --verify_pattern=%o
EOF
# The write of the second job is lost, and a block of a third kind is left.
first="--verify=md5" second="--verify=crc32c"
rm -f f
two
run --name=x --filename=old --bs=4k --size=256k --rw=write --verify=sha1
dd if=old of=f bs=4k skip=20 seek=20 count=1 conv=notrunc 2>dd.err
two --set=verify_only=1
check "a block of a kind that no job has is damage" same "$(counts v) at $(damaged_at v), $(damaged_at w)" "33 31 0 1 at 81920, 81920"

# ---- another job writes a block while this one reads ----
# shellcheck disable=SC2086
{
	rm -f f
	run --name=l $all --rw=write --verify=crc32c
	plant 28772
	run --output-format=json --name=o $all --rw=write --offset=256k --size=4k --name=v $all --rw=read --verify=crc32c
	check "a job that reads meanwhile finds damage where nobody writes" same "$(damaged_at v)" 28772
	check "... and exits 4" exits 4
	check "... only one block may count in part" json out '.jobs[1].fiord.verify | .checked + .in_part == 256 and .in_part <= 1'
}

# ---- trimwrite: one clone ends between a trim and its write, and the others find zeroes ----
for rw in trimwrite randtrimwrite trimwrite randtrimwrite trimwrite randtrimwrite; do
	rm -f f
	run --output-format=json --name=x --filename=f --bs=4k --size=64k --rw=$rw --verify=crc32c --numjobs=3 --time_based --runtime=100ms
	check "$rw: zeroes after the trims of other clones are no damage" json out '[.jobs[].fiord.verify.damaged] | add == 0'
done

# ---- clones wrote one file, and read it: each meets blocks of the others, and pieces of blocks ----
# clones write|read [OPTION]: both clones write, or read, one file. Another job has a file of its own.
clones() {
	# shellcheck disable=SC2086
	run --output-format=json --name=x --filename=f --size=1m --verify=crc32c --numjobs=2 $how --rw=rand"$1" --do_verify=0 \
		--name=y --filename=g --size=1m --bs=4k --verify=crc32c --rw="$1" --do_verify=0 ${2-}
}
total() { # COUNT: the sum of both clones
	value out "[.jobs[0, 1].fiord.verify.$1] | add"
}
# found AT BYTES: there is damage in these bytes of f, and nowhere else.
found() {
	json out "[.jobs[].fiord.verify.damage[]] | length > 0 and all(.file == \"f\" and .offset < $1 + $2 and .offset + .length > $1)"
}
while read -r how; do
	rm -f f g
	clones write
	clones read
	check "$how: clones that read one file accuse nothing" same "$(total damaged) $(total not_checked)" "0 0"
	check "... and exit 0" exits 0
	check "... each block is checked, at least in part" same $(($(total checked) + $(total in_part))) "$(value out '[.jobs[0, 1].read.total_ios] | add')"
	cp f sound
	for byte in $(seq 2222 90000 1048575); do
		[ "$(od -An -v -tu8 -j $((byte / 512 * 512)) -N 8 sound | tr -d ' ')" != 0 ] || continue # the clones did not write it
		cp sound f
		plant "$byte"
		clones read
		check "... but they find the flipped byte $byte" found "$byte" 1
	done
	cp sound f
	clones read --set=numjobs=1
	check "... and one job that reads what both wrote accuses nothing" json out '.jobs[0] |
		.fiord.verify.damaged == 0 and .fiord.verify.checked + .fiord.verify.in_part == .read.total_ios'
	[ "$how" = "${how#*bsrange}" ] || continue
	check "... and checks each block" json out '.jobs[0] | .fiord.verify.checked == .read.total_ios'
	block=$(cmp sound /dev/zero | awk '{ print int($5 / 4096) }') # the first that was written
	cp sound f
	dd if=g of=f bs=4k skip="$block" seek="$block" count=1 conv=notrunc 2>dd.err
	clones read
	check "... and block $block of a job that does not read this file" found $((block * 4096)) 4096
	dd if=sound of=f bs=4k skip=$((block + 1)) seek="$block" count=1 conv=notrunc 2>dd.err
	clones read
	check "... and a block of another place" found $((block * 4096)) 4096
done <<'EOF'
--bs=4k
--bs=4k --norandommap
--bsrange=4k-16k
--bsrange=4k-16k --norandommap
EOF
rm -f f g sound

# ---- two sections wrote one file; then both read it with fewer clones, so the numbers of the jobs are others ----
sections() { # CLONES CLONES write|read
	run --output-format=json --name=x --filename=f --offset=16k --size=2m --bs=4k --verify=crc32c --rw=rand"$3" --numjobs="$1" \
		--do_verify=0 --name=y --filename=f --size=2m --bs=4k --verify=crc32c --rw=rand"$3" --numjobs="$2" --do_verify=0
}
rm -f f
sections 2 3 write
while read -r x y; do
	sections "$x" "$y" read
	check "$x and $y clones read what 2 and 3 wrote, and accuse nothing" json out \
		'[.jobs[].fiord.verify | .damaged + .in_part + .not_checked] | add == 0'
	plant 70001
	sections "$x" "$y" read
	check "... but they find a flipped byte" found 70001 1
	flip f 70001
done <<'EOF'
2 3
1 3
2 1
1 1
EOF

# ---- a report says whether all blocks were checked, under every name, and its exit code whether any was ----
# shellcheck disable=SC2086
{
	replaced="--name=l $all --stonewall --rw=write --verify=md5 --name=o $all --stonewall --rw=write --size=252k
		--name=v $all --stonewall --verify_only --rw=write --verify=md5"
	rm -f f
	run $replaced
	check "the text says how many of all blocks were checked" says out "  verify       : 193 of 256 blocks checked, 63 in part, 0 not checked; 0 damaged"
	check "... which is enough for exit code 0" exits 0
	./fio $replaced $threads >out 2>err
	check "... and in fio's name, too" says out "  verify       : 193 of 256 blocks checked, 63 in part, 0 not checked; 0 damaged"
	check "... but only if some were not checked" same "$(grep -c "  verify  " out)" 1
	replaced="--name=l $all --stonewall --rw=write --verify=md5 --name=o $all --stonewall --rw=write
		--name=v $all --stonewall --verify_only --rw=write --verify=md5"
	run $replaced
	check "a job that has checked nothing exits 7" exits 7
	check "... says so in the report" says out "  verify       : 0 of 256 blocks checked, 256 in part, 0 not checked; 0 damaged"
	check "... and on standard error" same "$(cat err)" "fiord: v: verification checked no block: 256 in part, 0 not checked"
	run $replaced --output=json:doc --junit=cases
	check "... in JSON" json doc '.fiord.exit == {"code": 7, "all": [7]} and .jobs[0].fiord.verify.checked == 256'
	check "... and in JUnit's XML" says cases "a job was to verify, and checked no block"
	./fio $replaced $threads >out 2>err
	rc=$?
	check "in fio's name it exits 1" exits 1
	check "... with the same line" same "$(cat err)" "fio: v: verification checked no block: 256 in part, 0 not checked"
	rm -f f
	truncate -s 1m f
	run --name=x $all --rw=write --runtime=9 --verify_only --verify=md5
	check "blocks that were perhaps never written are not checked" says out "0 of 256 blocks checked, 0 in part, 256 not checked"
	check "... and exit 7, too" exits 7
	run --name=a $all --rw=write --verify=md5 --name=b $all --rw=write --verify=crc32c
	check "jobs that replace each other's blocks, and check them, exit 0" exits 0
}
finish
