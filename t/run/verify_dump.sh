#!/bin/sh
# verify_dump: do the dumps hold the block as it was read and as it was written, under fio's names, and does no dump replace a file? The
# expected block is compared with a copy that was taken before the damage.
. "$SOURCE/t/lib.sh"
requires jq cmp
cd "$dir" || exit 1
mkdir data

verify() {
	run --name=x --filename=data/f --rw=randwrite --bs=4k --size=256k --verify=crc32c --output-format=json "$@"
}

note() { # TEXT
	says out "$1"
}

block() { # FILE NUMBER
	dd if="$1" bs=4k skip="$2" count=1 2>/dev/null
}

damage() { # BLOCK...: flips a byte of the data
	for b; do
		flip data/f $((b * 4096 + 3000)) 2
	done
}

verify
check "the job writes and verifies" exits 0
cp data/f written
verify --verify_only --verify_dump=1
check "nothing is dumped while nothing is damaged" test "$(find . -name '*.received' -o -name '*.expected' | wc -l)" = 0
damage 3 50
verify --verify_only
check "without verify_dump nothing is dumped" absent f.12288.received f.12288.expected
verify --verify_only --verify_dump=1
check "damage is found" json out ".jobs[0].error == 84"
block data/f 3 >damaged
block written 3 >intact
check "OFFSET.received is the block as read" cmp f.12288.received damaged
check "OFFSET.expected is the block as written" cmp f.12288.expected intact
check "each damaged block has its dumps" test -s f.204800.received -a -s f.204800.expected
check "... and no other block" test "$(find . -name '*.received' | wc -l)" = 2
check "a note says so" note "2 damaged blocks dumped"

# Files that exist stay as they are.
rm f.*
echo mine >f.12288.received
echo target >target
ln -s target f.204800.received
verify --verify_only --verify_dump=1
check "an existing file is not replaced" same "$(cat f.12288.received)" mine
check "... nor the target of a link" same "$(cat target)" target
check "... and a note says so" note "it exists, and is not replaced"

# Of the data of another job only a pattern can be made again.
rm f.*
other() {
	run --name=x --filename=data/o --rw=write --bs=4k --size=64k --output-format=json "$@" --randseed=1
	flip data/o $((8 * 4096 + 3000)) 2
	run --name=x --filename=data/o --rw=write --bs=4k --size=64k --output-format=json "$@" --randseed=2 --verify_only --verify_dump=1
}
other --verify=crc32c
check "a damaged block of another job is dumped as read" test -s o.32768.received
check "... and not as expected" absent o.32768.expected
rm -f o.*
other --verify=crc32c --verify_pattern=0x1234
check "with a pattern it is dumped as expected, too" test -s o.32768.expected
check "... and differs in the damaged bytes only" same "$(cmp -l o.32768.received o.32768.expected | awk '$1 > 128' | wc -l)" 2
rm -f o.*

# Of a block of which later writes have replaced the beginning, the dumps are those of the rest.
rm -f f.*
pieces="--name=x --filename=data/p --rw=randwrite --bssplit=,4k/50:16k/50 --norandommap=1 --size=1m --io_size=3m --verify=crc32c
	--output-format=json"
# shellcheck disable=SC2086
{
	run $pieces
	cp data/p written
	number=0
	while [ "$number" -lt 256 ]; do # a byte of each 4 KiB
		flip data/p $((number * 4096 + 3000))
		number=$((number + 1))
	done
	run $pieces --verify_only --verify_dump=1
}
check "pieces of blocks are dumped" test "$(find . -maxdepth 1 -name 'p.*.expected' | wc -l)" = 32
# dumps_match SUFFIX FILE: each dump is what the file has at the offset in its name.
dumps_match() {
	for dump in p.*."$1"; do
		offset=${dump#p.}
		cmp -s -i "${offset%."$1"}:0" -n "$(stat -c %s "$dump")" "$2" "$dump" || return 1
	done
}
check "... as they were read, at the offset in the name" dumps_match received data/p
check "... and as they were written" dumps_match expected written
rm -f p.*

# The files go to --aux-path, and there is a limit.
mkdir aux
# Blocks 3 and 50 are damaged already.
# shellcheck disable=SC2046
damage 0 1 2 $(seq 4 39)
run --aux-path=aux --name=x --filename=data/f --rw=randwrite --bs=4k --size=256k --verify=crc32c --verify_only --verify_dump=1 \
	--output-format=json
check "dumps go to --aux-path" test -s aux/f.0.received -o -s aux/f.204800.received
check "... and nowhere else" test "$(find . -maxdepth 1 -name '*.received' | wc -l)" = 0
check "at most 32 blocks are dumped" test "$(find aux -name '*.received' | wc -l)" = 32
check "... and a note says how many are not" note "9 further blocks have no dump"
finish
