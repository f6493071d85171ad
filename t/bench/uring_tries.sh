#!/bin/sh
# kernel: trixie-backports
# clock: instructions
# seconds: 600
# uring_tries.sh: what do features of newer kernels save a bare loop on io_uring? On a null_blk device, in a guest:
#     t/guest/run t/bench/uring_tries.sh
# The guest's clock counts instructions, so what the columns call ns are instructions. It judges nothing; the README has the figures and what follows.
. "$SOURCE/t/guest/lib.sh"
tries=${FIORD%/src/fiord}/t/bench/uring-tries
like="size=1024 blocksize=4096 submit_queues=1 hw_queue_depth=512"
# shellcheck disable=SC2086
null_block fast $like irqmode=0 poll_queues=1 && null_block slow $like irqmode=2 completion_nsec=50000 || skip_all "null_blk makes no device"

# try NAME OPTION...: prints the instructions of an I/O, its time, and the I/Os of a wait, from two runs.
try() {
	name=$1
	shift
	echo "| $name | $("$tries" "$@") | $("$tries" "$@") |"
}

echo "| $(uname -r) | instructions, ns and I/Os of a wait | again |"
echo "|---|---:|---:|"
for depth in 1 32 128; do
	for poll in "" poll; do
		for array in "" nosqarray; do
			# shellcheck disable=SC2086
			try "depth $depth $poll $array" /dev/fast $depth 50000 $poll $array
		done
	done
done
for depth in 32 128; do
	for wait in wait=1 wait=8 "wait=8 min_wait=20" "wait=8 min_wait=100" "wait=32 min_wait=100"; do
		# shellcheck disable=SC2086
		try "depth $depth, 50 us a request, $wait" /dev/slow $depth 20000 $wait
	done
done
for depth in 1 128 1024; do
	echo "| register, clone buffers of depth $depth | $("$tries" clone $depth 500) | $("$tries" clone $depth 500) |"
done
