#!/bin/sh
# After writes that failed or were short, does verify call no intact data damaged, and count the blocks that it cannot know? Calls fail by
# preload.c, or because files may not grow further (prlimit).
. "$SOURCE/t/lib.sh"
requires jq prlimit
[ -n "${PRELOAD:-}" ] || skip_all "preload.c does not work with a sanitizer"
cd "$dir" || exit 1
threads=
verify="--name=x --size=256k --bs=4k --verify=crc32c --thread=1 --output-format=json --output=result"

# under_fault FAULT ARG...: runs the program while calls on the file fail.
under_fault() {
	fault=$1
	shift
	rm -f file result
	# shellcheck disable=SC2086
	FAULT=$fault FAULT_PATH=$dir/file LD_PRELOAD=$PRELOAD "$FIORD" $verify "$@" >out 2>err </dev/null
	rc=$?
}
# counts NAME...: values of fiord.verify
counts() {
	jq -r ".jobs[0].fiord.verify | [$(printf '.%s,' "$@" | sed 's/,$//')] | join(\" \")" result
}
innocent() {
	json result '.jobs[0].fiord.verify.damaged == 0' && ! grep -q "verify at offset" err
}

for pair in psync:pwrite:pread sync:write:read; do
	engine=${pair%%:*} read=${pair##*:} call=${pair#*:}
	call=${call%:*}
	for rw in write randwrite; do
		for at in 1:1 7:1 20:3; do
			from=${at%:*} times=${at#*:}
			what="$engine, $rw, $times from $call $from on"
			under_fault "$call:$from:short:$times" --filename="$dir/file" --rw=$rw --ioengine=$engine
			check "$what are short: exits 0" exits 0
			check "... all blocks are checked" same "$(counts checked in_part not_checked damaged)" "64 0 0 0"
			check "... and writes were short" json result '.jobs[0].write.short_ios > 0'

			under_fault "$call:$from:5:$times" --filename="$dir/file" --rw=$rw --ioengine=$engine --continue_on_error=io
			check "$what fail: no damage" innocent
			check "... $times blocks are checked in part" same "$(counts checked in_part not_checked)" "$((64 - times)) $times 0"
			check "... the errors are counted" json result ".jobs[0].total_err == $times"

			under_fault "$call:$from:5:$times" --filename="$dir/file" --rw=$rw --ioengine=$engine --continue_on_error=io \
				--norandommap=1 --io_size=512k
			check "... without a map: no damage" innocent
			check "... something is checked" json result '.jobs[0].fiord.verify.checked > 30'

			under_fault "$call:$from:5:$times" --filename="$dir/file" --rw=$rw --ioengine=$engine
			check "... the first failure ends the job" exits 1
			check "... without damage" innocent
			check "... and no block is checked" json result '.jobs[0].fiord.verify.checked == 0'
		done
	done
	under_fault "$read:5:5:3" --filename="$dir/file" --rw=randwrite --ioengine=$engine --continue_on_error=io
	check "$engine: three reads of the phase fail: no damage" innocent
	check "... three blocks are not checked" same "$(counts checked in_part not_checked)" "61 0 3"
	under_fault "$read:5:short:3" --filename="$dir/file" --rw=randwrite --ioengine=$engine
	check "... they are short: all blocks are checked" same "$(counts checked in_part not_checked)" "64 0 0"
done

# Damage beside failed reads: stderr names both, whether the job survives the failure or not.
rm -f file
# shellcheck disable=SC2086
"$FIORD" $verify --filename="$dir/file" --rw=write >out 2>err
flip file 42000
for survived in all verify; do
	# shellcheck disable=SC2086
	FAULT=pread:20:5 FAULT_PATH=$dir/file LD_PRELOAD=$PRELOAD "$FIORD" $verify --filename="$dir/file" --rw=write --verify_only \
		--continue_on_error=$survived >out 2>err
	rc=$?
	check "continue_on_error=$survived: damage and a failed read: exits 4" exits 4
	check "... the message names the damage" says err "verification found 1 damaged block; the first: $dir/file: verify at offset 42000, length 1"
	check "... and the read" says err "$dir/file: read at offset 77824, length 4096: Input/output error"
done
rm -f file

# The last trims of a part of a backlog fail: their blocks may still hold data. The other blocks are checked.
for engine in psync libaio; do
	under_fault "fallocate:15:5:2" --filename="$dir/file" --rw=write --ioengine=$engine --iodepth=4 --fallocate=none --trim_percentage=100 \
		--trim_backlog=16 --continue_on_error=all
	check "$engine: two trims of a backlog fail: no damage" innocent
	check "... two blocks are checked in part" same "$(counts checked in_part not_checked)" "62 2 0"
	check "... the errors are counted" json result ".jobs[0].total_err == 2"
done

# The files that the verification has not opened before it failed are not synced, so a saved state must not say so.
mkdir state
many="--filename=$dir/file.0:$dir/file.1:$dir/file.2:$dir/file.3 --aux-path=state --rw=write --ioengine=psync --openfiles=1
	--file_service_type=sequential --size=256k --verify_state_save=1"
rm -f file.*
# shellcheck disable=SC2086
under_fault "pread:1:5:0" $many
check "the first read of four files fails" json result ".jobs[0] | .error == 5 and .fiord.verify.checked == 0"
truncate -s 0 file.3
truncate -s 64k file.3
# shellcheck disable=SC2086
"$FIORD" $verify $many --verify_only --verify_state_load=1 --verify_policy=fsynced >out 2>err
check "... so data of the last one may be lost" innocent
check "... which counts as checked in part" same "$(counts checked in_part not_checked)" "48 16 0"
rm -f file.*

# The file may have 100 KiB and a half block: one write is short, those behind it fail.
for engine in psync libaio io_uring posixaio; do
	"$FIORD" --enghelp | grep -q "^[[:space:]]*$engine " || continue
	for rw in write randwrite; do
		for depth in 1 16; do
			rm -f file result
			# shellcheck disable=SC2086
			prlimit --fsize=104448 "$FIORD" $verify --filename=file --rw=$rw --ioengine=$engine --iodepth=$depth --fallocate=none \
				--ignore_error=,EFBIG >out 2>err </dev/null
			rc=$?
			if grep -q 'io_uring_setup\|forbids' err; then
				skip "$engine" "not on this machine"
				continue
			fi
			check "$engine, $rw, $depth deep: the file may not grow: no damage" innocent
			check "... what was written is checked" json result '.jobs[0].fiord.verify | .checked > 0 and .checked <= 25'
			check "... and the rest is counted" json result '.jobs[0].fiord.verify | .checked + .in_part + .not_checked == 64'
		done
	done
done
finish
