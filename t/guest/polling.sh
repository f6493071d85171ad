#!/bin/sh
# devices: nvme
# seconds: 240
# Does hipri=1 poll for completions, and does the report say so where the kernel does not? Witness: the interrupts of the disk in /proc/interrupts,
# which a polled queue does not have.
. "$SOURCE/t/guest/lib.sh"
requires jq

# interrupts: prints how many the I/O queues of NVMe disks have had. Queue 0 is that of admin commands.
interrupts() {
	awk '/nvme[0-9]+q[1-9]/ { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts
}

# reads ENGINE FILE OPTION...: reads 1024 blocks; sets $more to the interrupts that the disk had for them.
reads() {
	engine=$1 file=$2
	shift 2
	more=$(interrupts)
	run --output-format=json --output="$dir/json" --name=job --filename="$file" --ioengine="$engine" --direct=1 --rw=randread --bs=4k --size=4m \
		--iodepth=4 "$@"
	more=$(($(interrupts) - more))
}

says_of_engine() { # WORDS
	json "$dir/json" ".jobs[0] | .error == 0 and .read.total_ios == 1024 and any(.fiord.notes[]; test(\"$1\"))"
}

disk() {
	block=$(guest_device nvme) || skip_all "the guest has no nvme"
	ng=/dev/ng${block#/dev/nvme}
	until_true 20 test -c "$ng"
}

disk
for target in "io_uring $block" "io_uring_cmd $ng" "pvsync2 $block"; do
	# shellcheck disable=SC2086
	reads $target --hipri=1
	check "${target% *} says that the driver cannot poll" says_of_engine 'hipri has no effect: the driver'
	check "... and the disk has interrupts: $more" test "$more" -gt 100
done

modprobe -r nvme && modprobe nvme poll_queues=1 || skip_all "the driver of NVMe cannot be loaded again"
disk
for target in "io_uring $block" "io_uring_cmd $ng"; do
	for more_options in "" --nonvectored=0 --sqthread_poll=1; do
		[ "$more_options $target" != "--nonvectored=0 io_uring_cmd $ng" ] || continue
		# shellcheck disable=SC2086
		reads $target --hipri=1 $more_options
		check "${target% *} ${more_options:-alone} says that it polls" says_of_engine 'polled completions'
		check "... and the disk has no interrupts: $more" test "$more" -lt 10
	done
	# shellcheck disable=SC2086
	reads $target
	check "... which it has without hipri: $more" test "$more" -gt 100
done
if [ "$(printf '%s\n' 6.13 "$(uname -r)" | sort -V | head -n 1)" != 6.13 ]; then
	reads io_uring "$block" --hipri=hybrid
	check "a kernel before 6.13 cannot poll in the hybrid way: the job fails" exits 1
	check "... and names the kernel that can" says "$dir/err" "hipri=hybrid: needs Linux 6.13 or later; hipri=1 polls all the time"
fi
reads pvsync2 "$block" --hipri=1
check "pvsync2 says that the kernel ignores RWF_HIPRI" says_of_engine 'this kernel ignores RWF_HIPRI'
check "... and the disk has interrupts: $more" test "$more" -gt 100
finish
