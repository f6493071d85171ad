#!/bin/sh
# Does verify call no intact data damaged, and count each block? verify_intact.py runs all kinds of jobs, which then verify
# again with verify_only. This script adds full file systems, signals, trims, and jobs that share a file.
. "$SOURCE/t/lib.sh"
requires jq python3
why=$(no_shm) && skip_all "$why"
rm -rf "$dir"
dir=$(mktemp -d /dev/shm/fiord-test.XXXXXX) || exit 1
mounts= loop=
cleanup() {
	[ -z "$mounts" ] || umount "$dir/small"
	[ -z "$loop" ] || losetup -d "$loop"
}
cd "$dir" || exit 1
mkdir jobs

all_jobs() {
	python3 "$SOURCE/t/run/verify_intact.py" "$FIORD" "$dir/jobs" >out 2>err
}
check "no intact data are called damaged, and each job reads all its blocks" all_jobs
rc=
tail -n 1 out
rm -rf jobs

verify="--name=x --bs=4k --verify=crc32c --output-format=json --output=result"

# blocks: sums of the counts: checked, in part, not checked, damaged.
blocks() {
	jq -r '[.jobs[].fiord.verify] | [map(.checked), map(.in_part), map(.not_checked), map(.damaged)] | map(add) | join(" ")' result
}
innocent() {
	json result '[.jobs[].fiord.verify.damaged] | add == 0' && ! grep -q "verify at offset" err
}
# intact LABEL CODE BLOCKS: the last run accuses nothing. BLOCKS: checked, in part and not checked; "-": any.
intact() {
	check "$1: exits $2" exits "$2"
	check "... no damage is found" innocent
	[ "$3" = - ] || check "... $3 blocks are accounted for" same "$(blocks | awk '{ print $1 + $2 + $3 }')" "$3"
}

# ---- a full file system ----
mkdir small
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=1m fiord-test small 2>/dev/null; then
	mounts=small
	free=$(stat -fc %f small)
	# The kernel may keep the deleted file for a moment after a process that used io_uring has ended.
	all_is_free() {
		[ "$(stat -fc %f small)" = "$free" ]
	}
	for engine in psync libaio io_uring; do
		for rw in write randwrite; do
			rm -f small/*
			until_true 20 all_is_free
			# shellcheck disable=SC2086
			run $verify --directory=small --fill_device=1 --rw=$rw --size=4m --ioengine=$engine --iodepth=4 --fallocate=none
			if [ "$rc" != 0 ] && grep -q 'io_uring_setup\|forbids' err; then
				skip "fill_device, $engine" "not on this machine"
				continue 2
			fi
			intact "fill_device, $engine, $rw" 0 -
			check "... something is checked" json result '.jobs[0].fiord.verify.checked > 0'
		done
	done
	umount small
	mounts=
else
	skip "fill_device" "no tmpfs can be mounted"
fi

# ---- signals ----
# written FILE: a block of this job is there.
written() {
	[ "$(od -An -tx2 -N2 "$1" 2>/dev/null)" = " acca" ]
}
reads_back() {
	progress_shows V
}
for engine in psync libaio; do
	for thread in 0 1; do
		rm -f file result
		# shellcheck disable=SC2086
		start $verify --filename=file --size=8m --rw=write --rate_iops=400 --ioengine=$engine --iodepth=4 --thread=$thread
		check "$engine, thread=$thread: the job writes" until_true 20 written file
		kill -INT "$pid"
		wait_for_exit
		intact "SIGINT while it writes" 130 -
		check "... no block is checked, and the written ones are counted" json result \
			'.jobs[0] | .fiord.verify.checked == 0 and .write.total_ios > 0 and (.fiord.verify.not_checked - .write.total_ios | . >= 0 and . <= 4)'
	done
done
for how in "--ioengine=psync" "--ioengine=libaio --iodepth=8 --thread=1"; do
	rm -f file result
	# shellcheck disable=SC2086
	start $verify --filename=file --size=128m --rw=randwrite --verify=sha3-512 $how --eta=always --eta-interval=250
	check "$how: the job verifies" until_true 60 reads_back
	kill -INT "$pid"
	wait_for_exit
	intact "SIGINT while it verifies" 130 32768
	check "... some blocks are not checked" json result '.jobs[0].fiord.verify.not_checked > 0'
done

# ---- trims ----
rm -f file
truncate -s 1m file
trimmed="--filename=file --size=1m"
if ! fallocate -p -o 0 -l 4096 file 2>/dev/null; then
	skip "trims" "this file system punches no holes"
else
	for rw in trimwrite randtrimwrite; do
		for depth in 1 16; do
			# shellcheck disable=SC2086
			run $verify $trimmed --rw=$rw --ioengine=libaio --iodepth=$depth
			intact "$rw, $depth deep" 0 -
			check "... something is checked" json result '.jobs[0].fiord.verify | .checked + .in_part > 0'
		done
	done
fi
if [ "$(id -u)" = 0 ] && loop=$(losetup -f --show file 2>/dev/null); then
	# shellcheck disable=SC2086
	run $verify --filename="$loop" --size=1m --rw=randtrimwrite --ioengine=libaio --iodepth=8
	intact "randtrimwrite on a loop device" 0 -
	# shellcheck disable=SC2086
	run $verify --filename="$loop" --size=1m --rw=randwrite --ioengine=libaio --iodepth=8
	intact "randwrite on a loop device" 0 256
	# shellcheck disable=SC2086
	run $verify --filename="$loop" --size=1m --rw=randwrite --ioengine=libaio --iodepth=8 --verify_only=1
	intact "... and verify_only" 0 256
	losetup -d "$loop"
	loop=
else
	loop=
	skip "a loop device" "no loop device"
fi

# ---- jobs on one file ----
jobs_on_one_file() { # OPTION...: two jobs in a file, with these options in the second
	rm -f file
	{
		printf '[global]\nfilename=file\nsize=256k\nbs=4k\nverify=crc32c\nrw=randwrite\nioengine=libaio\niodepth=8\n[a]\n[b]\n'
		printf '%s\n' "$@"
	} >one.fio
	run one.fio --output-format=json --output=result
}
jobs_on_one_file stonewall
intact "a job after another on the same file" 0 128
jobs_on_one_file stonewall bs=16k
intact "... with larger blocks" 0 80
jobs_on_one_file stonewall norandommap=1
intact "... without a map" 0 -
jobs_on_one_file stonewall rw=read
intact "... that reads with verify" 0 128
jobs_on_one_file bs=4k
intact "at the same time" 0 128
jobs_on_one_file rw=write numjobs=3
intact "... and more of them" 0 256
jobs_on_one_file offset=256k
intact "... on other ranges" 0 128
check "... all blocks are checked" same "$(blocks)" "128 0 0 0"
jobs_on_one_file verify=md5
intact "... with another kind of verify" 0 128
jobs_on_one_file verify_interval=512
intact "... with other intervals" 0 128
jobs_on_one_file verify=pattern verify_pattern=0x55
intact "... with a pattern" 0 128
jobs_on_one_file wait_for=a
intact "one waits for the other" 0 128
jobs_on_one_file rw=read wait_for=a
intact "... and reads" 0 128
check "... all blocks are checked" same "$(blocks)" "128 0 0 0"
# Reads of 1 MiB meet writes: some blocks are half replaced.
beside="--filename=file --size=16m --bs=1m --verify=crc32c --output-format=json --output=result"
# shellcheck disable=SC2086
run $beside --rw=write --name=a
# shellcheck disable=SC2086
run $beside --rw=write --name=a --time_based --runtime=1 --name=b --rw=read --time_based --runtime=1
intact "one reads while the other writes" 0 -
check "... whole blocks are checked" json result '.jobs[1].fiord.verify.checked > 0'
jobs_on_one_file rw=randread verify=0
intact "one reads without verify" 0 64

# ---- a run that ends in a pass ----
rm -f file
# shellcheck disable=SC2086
run $verify --filename=file --size=16m --rw=randwrite --rate_iops=500 --runtime=0.2 --ioengine=libaio --iodepth=4
intact "runtime ends within the pass" 0 "$(value result '.jobs[0].write.total_ios')"
check "... all written blocks are checked" json result '.jobs[0].fiord.verify.not_checked == 0'

finish
