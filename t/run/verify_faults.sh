#!/bin/sh
# Does verification find the damage that a storage does, and does it leave intact data alone? A file system of this test
# (faulty_fs.c) drops, tears, misdirects, shifts, zeroes or alters a write, returns stale data, and loses power. Its log says which
# bytes it harmed: fiord must report damage there and nowhere else.
. "$SOURCE/t/lib.sh"
requires jq awk fusermount3
[ -n "${FAULTY_FS-}" ] || skip_all "fiord was built without libfuse3"
[ -w /dev/fuse ] || skip_all "/dev/fuse is missing or not writable"
cd "$dir" || exit 1
mkdir mnt

cleanup() {
	fusermount3 -u -z "$dir/mnt" 2>/dev/null
}

mount_faulty_fs() {
	"$FAULTY_FS" "$dir/log" "$dir/mnt" >fs.out 2>&1 &
	until_true 10 test -f mnt/.faults
}
mount_faulty_fs || skip_all "the file system cannot be mounted: $(cat fs.out)"

faults() { # REQUEST: see faulty_fs.c
	echo "$1" >mnt/.faults
}

blocks=64
jobs=1000

# job OPTION...: writes and verifies blocks of 4 KiB. All jobs have the same seeds, and write over each other's blocks.
job() {
	jobs=$((jobs + 1))
	run --name=x --filename=mnt/f --allow_write=mnt/f:mnt/g --size=256k --bs=4k --output-format=json "$@"
}

# job_with FAULT OPTION...: the file `harm` gets what the file system did meanwhile.
job_with() {
	before=$(wc -l <log)
	faults "$1"
	shift
	job "$@"
	faults none
	tail -n +$((before + 1)) log >harm
}

# ---- what must be found ----

# in_harm FILE: all lines "FILE OFFSET LENGTH" lie where the file system did harm, and one lies where it did the first. A
# misdirected write may be stored in the middle of a larger block.
in_harm() {
	awk 'NR == FNR { file[NR] = "mnt/" $2; from[NR] = $3; to[NR] = $3 + $4; stored[NR] = $1 == "stored"; n = NR; next }
		{ inside = 0
		  for (i = 1; i <= n; i++)
			if ($1 == file[i] && (stored[i] ? $2 < to[i] && $2 + $3 > from[i] : $2 >= from[i] && $2 + $3 <= to[i])) {
				inside = 1
				first += i == 1
			}
		  outside += !inside }
		END { exit !(n && first && !outside) }' harm "$1"
}

# found LABEL: the run reports the harm and nothing else.
found() {
	jq -r '.jobs[] | "error \(.error)", (.fiord.verify.damage[] | "\(.file) \(.offset) \(.length)")' out >reports
	sed -n 's/^fiord: x: \(.*\): verify at offset \([0-9]*\), length \([0-9]*\): .*/\1 \2 \3/p' err >named
	grep -v '^error' reports >damage
	check "$1: exit code 4" exits 4
	check "... error 84" grep -qx 'error 84' reports
	check "... the damage is where the file system did harm ($(head -n 1 harm))" in_harm damage
	check "... and the error names the first of it" grep -qxf named damage
}

engines=psync
for e in libaio io_uring; do
	if run --name=probe --size=4k --filename=probe --ioengine=$e && [ "$rc" = 0 ]; then
		engines="$engines $e"
	else
		skip "$e" "$(tail -n 1 err)"
	fi
done
patterns="psync:1"
for e in ${engines#psync}; do
	patterns="$patterns $e:1 $e:16"
done
last=${patterns##* }
deepest="--ioengine=${last%:*} --iodepth=${last#*:}"

# The first job creates the file; all later ones write over the data of an earlier run.
job --verify=crc32c --rw=write
check "without faults the run exits 0" exits 0
check "... and all blocks are checked" \
	json out ".jobs[0].fiord.verify | .checked == $blocks and .damaged == 0 and .in_part == 0 and .not_checked == 0"
for p in $patterns; do
	for rw in write randwrite; do
		how="--ioengine=${p%:*} --iodepth=${p#*:} --rw=$rw --direct=1"
		for fault in "drop 20" "tear 7 512" "misdirect 20" "shift 20" "zero 64" "flip 1 77" "stale 40"; do
			# shellcheck disable=SC2086
			job_with "$fault" --verify=crc32c $how
			found "$fault, $how"
		done
	done
done

# Other kinds of verify, and blocks of other shapes.
while read -r label options; do
	for fault in "drop 11" "tear 12" "misdirect 14" "zero 15" "flip 16"; do
		eval "set -- $deepest $options"
		job_with "$fault" --rw=randwrite "$@"
		found "$label: $fault"
	done
done <<'EOF'
crc64 --verify=crc64
xxhash --verify=xxhash
sha512 --verify=sha512
sha3-256 --verify=sha3-256 --thread=1
meta --verify=meta
pattern --verify=pattern --verify_pattern=%o0x$jobs
intervals --verify=crc32c --verify_interval=1k --bs=8k
header-offset --verify=md5 --verify_offset=1000
mixed-sizes --verify=crc32c --bssplit=4k/50:8k/30:12k/20
map --verify=crc32c --norandommap=1 --number_ios=16 --size=16m
EOF

# The same job again, with its data of the run before still there: each write that is lost is found.
for how in "--verify=crc32c" "--verify=meta" "--verify=crc32c --verify_backlog=16" "--verify=md5 --verify_pattern=%o" \
	"--verify=crc32c --allrandrepeat=1" "--verify=crc32c --randseed=7" "--verify=sha1 --verify_interval=512" \
	"--verify=crc32c --verify_async=2" "--verify=crc32c --norandommap --number_ios=64" "--verify=xxhash --bssplit=4k/50:8k/50"; do
	# shellcheck disable=SC2086
	{
		job --rw=randwrite --direct=1 $how
		check "$how: the first run is intact" exits 0
		job_with "drop 1+1" --rw=randwrite --direct=1 $how
	}
	check "... and if the second run loses all its writes, all blocks are damaged" \
		json out '.jobs[0].fiord.verify | .damaged > 0 and .damaged == .checked'
	check "... of an earlier run" json out '[.jobs[0].fiord.verify.damage[].kind] | unique == ["of an earlier run"]'
done
job_with "drop $((blocks + 7))" --verify=crc32c --rw=randwrite --direct=1 --repeat=2
check "--repeat=2: a write that the second run loses is found" exits 4
check "... in that run" same "$(jq -s -c '[.[].jobs[0].fiord.verify.damaged]' out)" "[0,1]"

# verify_only finds it, too, as the other blocks are of a newer run.
for rw in write randwrite; do
	for n in 1 5 $blocks; do
		job --verify=crc32c --rw=$rw --direct=1 --do_verify=0
		job_with "drop $n" --verify=crc32c --rw=$rw --direct=1 --do_verify=0
		job --verify=crc32c --rw=$rw --verify_only
		check "rw=$rw, write $n was lost: verify_only finds the block of the earlier run" json out '.jobs[0].fiord.verify |
			.checked == 64 and .damaged == 1 and .damage[0].kind == "of an earlier run"'
		jq -r '.jobs[].fiord.verify.damage[] | "\(.file) \(.offset) \(.length)"' out >damage
		check "... where the file system has dropped it" in_harm damage
	done
done
job_with "drop 40+1" --verify=crc32c --rw=write --direct=1 --do_verify=0
job --verify=crc32c --rw=write --verify_only
check "... and each of many" json out '.jobs[0].fiord.verify | .checked == 64 and .damaged == 25'

# named FAULT KIND: the report calls the damage by its kind.
named() {
	job_with "$1" --verify=crc32c --rw=randwrite
	check "$1 is called $2" json out ".jobs[0].fiord.verify | .damaged == 1 and .damage[0].kind == \"$2\""
}
named "zero 20" "zeroed"
named "tear 21" "torn" # in another place: the half of block 20 that stays old would be zero
named "flip 20" "corrupt"

# A misdirected write harms two blocks if the other one is not written later.
job_with "misdirect 64" --verify=crc32c --rw=write --offset=0 --size=260k --number_ios=64
check "a misdirected write harms its own place" json out '.jobs[0].fiord.verify | .damaged == 1 and .damage[0].offset == 258048'
run --name=x --filename=mnt/g --allow_write=mnt/g --size=256k --bs=4k --verify=crc32c --rw=write --do_verify=0 --randseed=7
job_with "misfile 20" --verify=crc32c --rw=write
check "a write that went to another file is missed in its own file" json out '.jobs[0].fiord.verify | .damaged == 1 and .damage[0].offset == 77824'
run --name=x --filename=mnt/g --size=256k --bs=4k --randseed=7 --verify=crc32c --rw=write --verify_only --output-format=json
check "... and is damage in the other file" json out '.jobs[0].fiord.verify | .damaged == 1 and .damage[0].offset == 77824'

# Two jobs share the first block of the file. The second one writes all blocks twice, and one of its last writes is lost.
job_with "drop 100" --verify=crc32c --rw=write --direct=1 --size=4k --name=y --filename=mnt/f --size=256k --io_size=512k --bs=4k \
	--verify=crc32c --rw=write --direct=1
check "an older write of the job itself is damage, though another job shares the file" json out \
	'.jobs[1].fiord.verify | .damaged == 1 and .damage[0].kind == "stale" and .damage[0].offset > 4096'
check "... and nothing else" json out '.jobs[0].fiord.verify.damaged == 0'

# The second pass over a file writes other contents: what the first pass left where a write of the second was lost is damage.
for rw in write randwrite; do
	for passes in --loops=2 --io_size=512k "--io_size=512k --norandommap" "--io_size=512k --verify_backlog=8"; do
		# shellcheck disable=SC2086
		job_with "drop 100" --verify=crc32c --rw=$rw --direct=1 $passes
		check "rw=$rw $passes: a block of the first pass is damage after the second" json out '.jobs[0].fiord.verify |
			.damaged == 1 and .damage[0].kind == "stale" and .damage[0].offset == '"$(awk '{ print $3 }' harm)"
	done
done

# ---- what must not be called damaged ----

# intact LABEL EXIT: no damage is reported, and each block was checked or is uncertain.
intact() {
	check "$1: exit code $2" exits "$2"
	check "... no damage is reported" json out ".jobs[0].fiord.verify |
		.damaged == 0 and .damage == [] and .checked + .in_part <= $blocks and .checked > 0 and .not_checked == 0"
}

for p in $patterns; do
	how="--ioengine=${p%:*} --iodepth=${p#*:} --verify=crc32c"
	for shape in "--rw=randwrite" "--rw=randwrite --norandommap --number_ios=200"; do
		# shellcheck disable=SC2086
		{
			# The kernel turns short writes of some asynchronous I/Os into EIO.
			job_with "short 3+7 1000" $how $shape --continue_on_error=all
			check "short writes happened" test -s harm
			intact "short writes, $how $shape" 0
			job_with "fail 5+9" $how $shape --direct=1 --continue_on_error=all
			check "the job continues after failed writes" json out '.jobs[0] | .error == 5 and .total_err > 0'
			intact "failed writes, $how $shape" 0
			job_with "fail 5+9 512" $how $shape --direct=1 --ignore_error=,EIO
			intact "half failed writes, $how $shape" 0
			job_with "delay 1+9 3" $how $shape --direct=1
			intact "delayed writes, $how $shape" 0
		}
	done
	faults "flip 20"
	# shellcheck disable=SC2086
	job_with "fail 5+9" $how --rw=randwrite --direct=1 --continue_on_error=all
	sed -i '/^fail/d' harm
	jq -r '.jobs[].fiord.verify.damage[] | "\(.file) \(.offset) \(.length)"' out >damage
	check "a flipped bit among failed writes, $how: exit code 4" exits 4
	check "... only the block with the bit is damaged" in_harm damage
done
# A slow write overlaps with writes of later passes.
for rw in write randwrite; do
	# shellcheck disable=SC2086
	job_with "delay 1+9 60" --verify=crc32c $deepest --rw=$rw --direct=1 --time_based --runtime=700ms
	intact "slow writes of several passes, rw=$rw" 0
done
job_with "short 3+7 1000" --verify=crc32c --rw=randwrite
check "short writes that are continued leave no block uncertain" \
	json out ".jobs[0] | .error == 0 and (.fiord.verify | .checked == $blocks and .in_part == 0 and .damaged == 0)"

# ---- power loss ----

# written_then_lost LOSS OPTION...: writes, loses power, and verifies without writing.
written_then_lost() {
	loss=$1
	shift
	job "$@" --verify=crc32c --do_verify=0
	before=$(wc -l <log)
	faults "$loss"
	tail -n +$((before + 1)) log | grep ' f ' >harm
	job "$@" --verify=crc32c --verify_only
}

# blocks_of FILE: prints the blocks of 4 KiB in which lines "FILE OFFSET LENGTH" lie.
blocks_of() {
	awk '{ for (b = int($2 / 4096); b * 4096 < $2 + $3; b++) print b }' "$1" | sort -un
}

lost_blocks_reported() {
	jq -r '.jobs[].fiord.verify.damage[] | "\(.file) \(.offset) \(.length)"' out >damage
	awk '{ print $2, $3, $4 }' harm >lost
	[ -s lost ] && [ "$(blocks_of damage)" = "$(blocks_of lost)" ]
}

written_then_lost "power_loss 3 0" --rw=randwrite --end_fsync=1
intact "a power loss after a sync" 0
check "... lost nothing" empty harm
for rw in write randwrite; do
	# shellcheck disable=SC2086
	written_then_lost "power_loss 4 97" --rw=$rw --direct=1 $deepest
	check "$rw: a power loss without a sync is found" exits 4
	check "... in each block that lost a sector, and in no other" lost_blocks_reported
	written_then_lost "power_loss 5 0" --rw=$rw --direct=1 --fsync=8 --number_ios=60
	check "$rw: writes after the last sync are lost" exits 4
	check "... and no others" lost_blocks_reported
done
# ---- power loss of a job that was killed ----

# The state lies on a disk that keeps its power. With verify_policy=fsynced only what an fsync made durable must be there: nothing
# may be accused, whatever is left of the other writes.
state=local-x-0-verify.state
crash="--name=x --filename=mnt/f --size=256k --bs=4k --verify=crc32c --rw=randwrite --direct=1 --runtime=600 --time_based"

some_written() { # COUNT
	[ "$(wc -l <log)" -ge "$1" ]
}

# killed_then_lost PERCENT OPTION...: starts a job, kills it and its worker after some delayed writes, and loses power.
killed_then_lost() {
	percent=$1
	shift
	rm -f $state mnt/f
	jobs=$((jobs + 1))
	before=$(wc -l <log)
	faults "delay 1+9 2" # so some writes are in flight
	# shellcheck disable=SC2086
	start $crash --do_verify=0 --verify_state_save=1 "$@"
	until_true 30 some_written $((before + 10 + jobs % 40))
	# shellcheck disable=SC2046
	kill -KILL "$pid" $(children "$pid")
	wait_for_exit
	faults none
	faults "power_loss $jobs $percent"
}

verify_state() { # OPTION...
	# shellcheck disable=SC2086
	run $crash --verify_only --verify_state_load=1 --output-format=json "$@"
}

for how in "$deepest --fsync=8" "$deepest --fdatasync=20 --norandommap" "--ioengine=psync --fsync=5" "$deepest --sync=dsync" \
	"$deepest --fsync=30 --bssplit=4k/50:8k/50" "$deepest --fsync=13 --norandommap --verify_state_sync=$state" \
	"$deepest --fsync=9 --norandommap --bssplit=4k/50:8k/50" "--ioengine=psync --fsync=40 --norandommap --verify=meta"; do
	for percent in 0 50 95; do
		# shellcheck disable=SC2086
		{
			killed_then_lost $percent $how
			verify_state $how --verify_policy=fsynced
		}
		check "$how, killed, $percent % of the unsynced sectors survive: nothing is accused" exits 0
		check "... and what was synced is checked" json out '.jobs[0].fiord.verify | .damaged == 0 and .checked > 0'
		# shellcheck disable=SC2086
		verify_state $how
		case $how in
		*=dsync*) check "... nor with verify_policy=completed" exits 0 ;;
		esac
	done
done
finish
