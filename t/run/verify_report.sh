#!/bin/sh
# What do people and programs read about verification: do text, JSON, terse and exit code say how many blocks were checked and which
# are damaged? The damage is planted here.
. "$SOURCE/t/lib.sh"
requires jq dd
cd "$dir" || exit 1
ln -s "$FIORD" fio
job="--name=x --filename=f --rw=write --bs=4k --size=256k --verify=crc32c"
clean='{"checked":64,"in_part":0,"not_checked":0,"damaged":0,"known_by":"seeds","memory_bytes":0,"unlisted":0,"damage":[]}'

as_fio() { # ARG...
	# shellcheck disable=SC2086
	./fio $threads "$@" >out 2>err </dev/null
	rc=$?
}

# verify FILTER: true of the first job's fiord.verify.
verify() {
	json out ".jobs[0].fiord.verify | $1"
}

# random_block FILE NUMBER [BYTES]: fills a block of 4 KiB with random bytes, and puts these bytes at its beginning.
random_block() {
	unseen "$1" dd if=/dev/urandom of="$1" bs=4k seek="$2" count=1 conv=notrunc 2>dd.err
	[ $# -lt 3 ] || printf '%b' "$3" | unseen "$1" dd of="$1" bs=1 seek=$(($2 * 4096)) conv=notrunc 2>dd.err
}

# ---- a clean run ----
# shellcheck disable=SC2086
run $job
check "a run whose blocks are intact exits 0" exits 0
check "... with a row of its own" says out "  verify       : 64 blocks checked, 0 in part, 0 not checked; 0 damaged"
check "... and nothing on stderr" empty err
check "... and no note on verification" eval '! grep -q "note:.*verif" out'
# shellcheck disable=SC2086
run $job --output-format=json
check "JSON has the same numbers" json out ".jobs[0].fiord.verify == $clean"
check "... the reads under read, one for each block" json out '.jobs[0] | .read.total_ios == 64 and .write.total_ios == 64 and .read.io_bytes == 262144'
check "... and the time of both is the job's, in the rounding of ms" json out '.jobs[0] | .read.runtime > 0 and
	(.read.runtime + .write.runtime - .job_runtime | . >= -2 and . <= 2)'
# shellcheck disable=SC2086
run $job --output-format=terse
check "terse has the reads" same "$(cut -d ';' -f 6 out)" 256
as_fio $job
check "under the name fio the report has no such row" eval '! grep -q verify out'
check "... and the same reads" says out "issued rwts: total=64,64,0,0"
# shellcheck disable=SC2086
run $job --do_verify=0 --output-format=json
check "a job that does not read back has no such key" json out '.jobs[0].fiord | has("verify") | not'

# ---- a flipped bit, and five blocks of zeroes ----
flip f 9000
unseen f dd if=/dev/zero of=f bs=4k seek=10 count=5 conv=notrunc 2>dd.err
cp f damaged
# shellcheck disable=SC2086
run $job --verify_only=1
check "damage exits 4" exits 4
check "... its line on stderr names file, offset, length and number" grep -q "x: f: verify at offset 9000, length 1: corrupt: 0x.. expected, 0x.. found; 6 blocks" err
check "... the only one" lines err 1
check "... and the row counts it" says out "  verify       : 64 blocks checked, 0 in part, 0 not checked; 6 damaged"
check "... with the byte" grep -q "  damage       : f: byte 9000, 1 block: corrupt: 0x.. expected, 0x.. found" out
check "... and the range" says out "  damage       : f: bytes 40960 to 61439, 5 blocks: zeroed"
# shellcheck disable=SC2086
run $job --verify_only=1 --output-format=json
check "JSON has code 4 and error 84" json out '.fiord.exit == {"code":4,"all":[4]} and .jobs[0].error == 84 and .jobs[0].fiord.errors == 6'
check "... and the damage" verify '.damaged == 6 and (.damage | map([.file, .offset, .length, .blocks, .kind]) ==
	[["f", 9000, 1, 1, "corrupt"], ["f", 40960, 20480, 5, "zeroed"]])'
check "... with two values that differ in one bit" verify '.damage[0] | (.expected | test("^0x..$")) and (.found | test("^0x..$")) and .expected != .found'
as_fio $job --verify_only=1
check "under the name fio damage exits 1" exits 1
check "... with error 84" says out "err=84"
check "... and a line on stderr" says err "f: verify at offset 9000"

# Errors after which the job continues: the data are damaged all the same.
for survived in verify all; do
	# shellcheck disable=SC2086
	run $job --verify_only=1 --continue_on_error=$survived --output-format=json
	check "with continue_on_error=$survived damage exits 4, too" exits 4
	check "... with total_err" json out '.jobs[0] | .total_err == 6 and .first_error == 84'
	check "... and a line on stderr" says err "x: verification found 6 damaged blocks"
done

# shellcheck disable=SC2086
run $job --verify_only=1 --verify_fatal=1 --output-format=json
check "verify_fatal exits 4" exits 4
check "... and counts what it did not read" verify '.checked < 64 and .damaged == 1 and .checked + .not_checked == 64'
check "... with a note" json out '.jobs[0].fiord.notes | any(test("verify: [0-9]+ blocks? not checked"))'

# More ranges than the text lists: every other block.
for k in 0 2 4 6 8 10 12 14 16 18; do
	flip f $((k * 4096 + 100))
done
# shellcheck disable=SC2086
run $job --verify_only=1
check "the text lists 8 ranges" same "$(grep -c "^  damage       : f: byte" out)" 8
check "... and counts the rest" grep -q "^  damage       : and [0-9]* more blocks" out

# Of 600 blocks the first byte of every other one is changed: 300 ranges, and JSON has room for 256.
many="--name=x --filename=many --rw=write --bs=512 --size=300k --verify=crc32c --output-format=json"
# shellcheck disable=SC2086
run $many
i=0
while [ $i -lt 600 ]; do
	printf X | unseen many dd of=many bs=1 seek=$((i * 512)) conv=notrunc 2>dd.err
	i=$((i + 2))
done
# shellcheck disable=SC2086
run $many --verify_only=1
check "JSON lists 256 damaged ranges of one worker" verify '.damaged == 300 and (.damage | map(.offset)) == [range(0; 262144; 1024)]'
check "... and counts the blocks of the others" verify '.unlisted == 44'

# Random reads find the blocks of a range in any order.
cp damaged f
unseen f dd if=/dev/zero of=f bs=4k seek=20 count=40 conv=notrunc 2>dd.err
run --name=x --filename=f --rw=randread --bs=4k --size=256k --verify=crc32c --output-format=json
check "random reads list adjacent blocks as one range, in the order of offsets" verify '.damaged == 46 and
	(.damage | map([.offset, .blocks]) == [[9000, 1], [40960, 5], [81920, 40]])'

run --name=x --filename=f --rw=read --loops=2 --bs=4k --size=256k --verify=crc32c
check "a block that is read twice counts twice" says out "  verify       : 128 blocks checked, 0 in part, 0 not checked; 92 damaged"
check "... and is listed once" same "$(grep -c "^  damage  " out)" 3

# ---- settings that do not fit the data are no damage ----
rm f # it is a copy, which is the user's
# shellcheck disable=SC2086
run $job --do_verify=0
# shellcheck disable=SC2086
run $job --verify_only=1 --verify=md5 --output-format=json
check "another kind of verify is an error, not damage" exits 1
check "... 22, without damaged blocks" json out '.jobs[0].error == 22 and (.jobs[0].fiord.verify | .damaged == 0 and .checked == 0 and .not_checked == 64)'
check "... in one line with the remedy" eval 'lines err 1 && says err "written with verify=crc32c"'
check "... and a note that nothing was verified" json out '.jobs[0].fiord.notes | any(test("nothing was verified"))'

# ---- several jobs ----
two="--name=x --filename_format=g.\$jobnum --numjobs=2 --rw=write --bs=4k --size=256k --verify=crc32c"
# shellcheck disable=SC2086
run $two --group_reporting --output-format=json
check "group_reporting adds the blocks of two jobs" verify '.checked == 128 and .damaged == 0'
flip g.0 5000
flip g.1 6000
# shellcheck disable=SC2086
run $two --group_reporting --verify_only=1 --output-format=json
check "... and lists the damage of both" verify '.checked == 128 and .damaged == 2 and (.damage | map([.file, .offset]) == [["g.0", 5000], ["g.1", 6000]])'
# shellcheck disable=SC2086
run --output-format=json --name=bad --filename=/dev/full --rw=write --size=4k $two --verify_only=1
check "damage goes before an error of another job" exits 4
check "... and the document has both codes" json out '.fiord.exit.all == [4, 1]'
# shellcheck disable=SC2086
run $job --unified_rw_reporting=mixed --output-format=json
check "with unified_rw_reporting=mixed writes and reads are one sum" json out '.jobs[0].mixed.total_ios == 128'
check "... and verify has the blocks" json out ".jobs[0].fiord.verify == $clean"

# ---- a map ----
map="--name=x --filename=m --rw=randwrite --norandommap --bs=4k --size=256k --verify=crc32c --output-format=json"
# shellcheck disable=SC2086
run check $map
check "fiord check shows the memory of a map" json out '.fiord.plan.jobs[0].verify == {"known_by": "map", "memory_bytes": 65792}'
# shellcheck disable=SC2086
run check $map --verify_backlog=10
check "... and of the writes in the backlog" json out '.fiord.plan.jobs[0].verify == {"known_by": "map", "memory_bytes": 65952}'
# shellcheck disable=SC2086
run $map --verify_backlog=10
check "... which the result has, too" verify '.memory_bytes == 65952'
# shellcheck disable=SC2086
run check $map --norandommap=0
check "... and that drawing the writes again takes none" json out '.fiord.plan.jobs[0].verify == {"known_by": "seeds", "memory_bytes": 0}'
# shellcheck disable=SC2086
run $map
check "a job that may write blocks twice has a map of 4 bytes for each, and a log of 64 KiB" verify '.known_by == "map" and .memory_bytes == 65792'
check "... and checks each written block once" json out '.jobs[0] | .fiord.verify.checked == .read.total_ios and .read.total_ios < 64'

# ---- the progress line ----
run --name=x --filename=m --rw=write --bs=64k --size=160m --verify=sha3-512 --eta=always --eta-interval=250
if progress_shows V; then
	check "while it verifies, the progress line does not say that the run is over" eval \
		"tr '\\r' '\\n' <err | grep '\[V(' | grep -qE '\]\[[0-9]?[0-9]\.[0-9]%\]'"
else
	skip "the progress line" "this machine verified 160 MiB too quickly"
fi

# ---- while it runs, and when a worker is lost ----
again="--name=x --filename=m --rw=write --bs=64k --size=160m --verify=sha3-512 --verify_only=1 --eta=always --eta-interval=250"
# shellcheck disable=SC2086
run $again --status-interval=50ms --output-format=json
check "the status shows more and more checked blocks" json out '[.fiord.status[].jobs[0].verify.checked] as $n |
	.jobs[0].fiord.verify.checked == 2560 and ($n | sort) == $n and ($n | all(. <= 2560)) and ($n | any(. > 0))'
flip m 100
# shellcheck disable=SC2086
start $again --output-format=json --output=doc
until_true 30 progress_shows V
# shellcheck disable=SC2046
kill -KILL $(children "$pid") 2>kill.err
wait_for_exit
if json doc '.jobs[0].fiord | has("lost") | not'; then
	skip "a lost worker" "this machine verified 160 MiB too quickly"
else
	check "damage found by a worker that is then killed exits 4" exits 4
	check "... with the code of a lost worker, too" json doc '.fiord.exit.all == [4, 1]'
	check "... with the blocks until then" json doc '.jobs[0] | .fiord.verify.checked <= .read.total_ios and
		.fiord.verify.checked >= .read.total_ios - 1 and .fiord.verify.damaged == 1'
	check "... and counts the others as not checked" json doc '.jobs[0].fiord | .verify.checked + .verify.not_checked == 2560 and
		(.notes | any(test("verify: [0-9]+ blocks not checked.*a worker was lost")))'
fi
# Killed while they write: without a map the number of blocks follows from the count of writes.
lose() { # OPTION...
	start --name=x --filename=n --rw=randwrite --bs=4k --size=64k --rate_iops=200 --verify=crc32c --eta=always --output-format=json --output=doc "$@"
	until_true 30 progress_shows w
	# shellcheck disable=SC2046
	kill -KILL $(children "$pid") 2>kill.err
	wait_for_exit
}
lose --time_based --runtime=600
check "a worker that is killed while it writes exits 1" exits 1
check "... the blocks that it wrote are not checked" json doc '.jobs[0] | .fiord.verify.not_checked as $n |
	([.write.total_ios, 16] | min) as $written | $n >= $written and $n <= $written + 1 and .fiord.verify.checked == 0'
lose --norandommap --io_size=1g
check "... with a map their number is not known" json doc '.jobs[0].fiord | .verify.not_checked == 0 and
	(.notes | any(test("lost worker.*their number is not known")))'
start --name=x --filename=n --rw=write --bs=4k --size=64k --time_based --runtime=600 --verify=crc32c --rate_iops=200 --eta=always \
	--output-format=json
check "a job writes" until_true 30 progress_shows W
kill -INT "$pid"
wait_for_exit
check "an interrupted job exits 130" exits 130
check "... and says that nothing was verified" json out '.jobs[0].fiord | .verify.checked == 0 and .verify.not_checked > 0 and
	(.notes | any(test("nothing was verified")))'
check "... and that there is no damage" verify '.damaged == 0'

# A runtime may have ended the earlier run: what it may never have written is not checked, and what it wrote is.
ran="--name=x --filename=ran --rw=write --bs=4k --size=256k --verify=crc32c --runtime=60 --output-format=json"
# shellcheck disable=SC2086
{
	run $ran
	unseen ran dd if=/dev/zero of=ran bs=4k seek=40 count=24 conv=notrunc 2>/dev/null
	run $ran --verify_only
	check "blocks that were perhaps never written are not checked" verify '[.checked, .not_checked, .damaged] == [40, 24, 0]'
	check "... and exit 0" exits 0
	printf Q | unseen ran dd of=ran bs=1 seek=8193 conv=notrunc 2>/dev/null
	flip ran 13000
	run $ran --verify_only
	check "a damaged header is no unwritten block" verify '[.checked, .not_checked, .damaged] == [40, 24, 2]'
	check "... and exits 4" exits 4
	random_block ran 41
	random_block ran 42 '\312\254'
	run $ran --verify_only
	check "... nor are random bytes a written block, even with two bytes of a header" verify '[.checked, .not_checked, .damaged] == [40, 24, 2]'
	pattern="--name=x --filename=ran --rw=write --bs=4k --size=256k --verify_pattern=0x5566 --output-format=json"
	run $pattern --verify=pattern --time_based --runtime=1
	printf Q | unseen ran dd of=ran bs=1 seek=8193 conv=notrunc 2>/dev/null
	run $pattern --verify=pattern --time_based --runtime=1 --verify_only
	check "a pattern is compared after any number of passes" verify '[.checked, .not_checked, .damaged] == [64, 0, 1]'
	random_block ran 41
	run $pattern --verify=pattern --time_based --runtime=1 --verify_only
	check "... and random bytes were perhaps there before" verify '[.checked, .not_checked, .damaged] == [63, 1, 1]'
	run $pattern --verify=crc32c --runtime=60
	unseen ran dd if=/dev/zero of=ran bs=48 count=1 conv=notrunc 2>/dev/null
	run $pattern --verify=crc32c --runtime=60 --verify_only
	check "a block with the pattern and without its header is damaged" verify '[.checked, .not_checked, .damaged] == [64, 0, 1]'
}

# Blocks of fio 3.42, two of 1 KiB for each kind.
for kind in crc16 crc32 crc32c crc32c-intel crc64 crc7 md5 meta sha1 sha256 sha3-224 sha3-256 sha3-384 sha3-512 sha512 xxhash; do
	cp "$SOURCE/t/unit/verify-blocks/$kind" of_fio
	run --name=x --filename=of_fio --rw=read --bs=1k --size=2k --verify=$kind --output-format=json
	check "fio's blocks of $kind are intact" verify '[.checked, .in_part, .not_checked, .damaged] == [2, 0, 0, 0]'
	check "... and a note says that another program wrote them" json out '.jobs[0].fiord.notes | any(test("another job or program"))'
done

# Only the parts tell a job that reads larger blocks from which writes they are.
for kind in crc32c meta; do
	small="--name=x --filename=small --size=64k --verify=$kind --verify_interval=4k --output-format=json"
	# shellcheck disable=SC2086
	{
		run $small --rw=randwrite --bs=4k
		run $small --rw=read --bs=16k
		check "parts of several writes count in part, $kind" verify '[.checked, .in_part, .damaged] == [0, 4, 0]'
		flip small 30000
		run $small --rw=read --bs=16k
		check "... and a damaged one is found" verify '[.checked, .in_part, .damaged] == [1, 3, 1]'
	}
done

# A job that only reads other jobs' blocks names the damage by the blocks' own headers.
while read -r kind options; do
	# shellcheck disable=SC2086
	{
		run --name=writer --filename=other --rw=write --size=256k --verify=$kind $options --do_verify=0
		flip other 100001 2
		run --name=reader --filename=other --rw=randread --size=256k --randseed=3 --verify=$kind $options --output-format=json
	}
	check "another job's block is corrupt where it was changed, $kind $options" \
		verify '.damage | map([.offset, .length, .kind]) == [[100001, 2, "corrupt"]]'
done <<'END'
crc32c
meta
sha3-256
md5 --verify_interval=512
END

# The read-back opens one of four files at a time, and each of them often.
if strace -o /dev/null true 2>/dev/null; then
	straced -f -e trace=fsync -o calls "$FIORD" --name=many --rw=randwrite --bs=4k --size=256k --nrfiles=4 --openfiles=1 --verify=crc32c \
		--output=out 2>err </dev/null
	check "the read-back does not sync a file at each open" test "$(grep -c 'fsync(.*) *= 0' calls)" -le 8
	check "... and checks all blocks" says out "64 blocks checked, 0 in part"
else
	skip "the read-back does not sync a file at each open" "strace may not trace"
fi
finish
