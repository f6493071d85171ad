#!/bin/sh
# kernel: trixie-backports
# devices: nvme
# seconds: 240
# Does hipri=hybrid poll, and sleep before? Witnesses: the interrupts of the disk in /proc/interrupts, which a polled queue does not have; and how often
# the kernel says that the process gave up its core, once for each sleep.
. "$SOURCE/t/guest/lib.sh"
requires jq python3
requires_kernel 6.13
reads=2048

# interrupts: prints how many the I/O queues of NVMe disks have had. Queue 0 is that of admin commands.
interrupts() {
	awk '/nvme[0-9]+q[1-9]/ { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts
}

# sleeps ENGINE FILE HIPRI: reads, and sets $slept to how often the program gave up its core, $more to the interrupts that the disk had.
sleeps() {
	more=$(interrupts)
	slept=$(python3 - "$FIORD" --output-format=json --output="$dir/json" --name=job --filename="$2" --ioengine="$1" --direct=1 --rw=randread --bs=4k \
		--size=16m --io_size=$((reads * 4))k --iodepth=1 --hipri="$3" <<'E2'
import resource, subprocess, sys
ended = subprocess.run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw)
sys.exit(ended.returncode)
E2
	)
	more=$(($(interrupts) - more))
}

says_of_engine() { # WORDS
	json "$dir/json" ".jobs[0] | .error == 0 and .read.total_ios == $reads and any(.fiord.notes[]; test(\"$1\"))"
}

modprobe -r nvme && modprobe nvme poll_queues=1 || skip_all "the driver of NVMe cannot be loaded again"
block=$(guest_device nvme) || skip_all "the guest has no nvme"
ng=/dev/ng${block#/dev/nvme}
until_true 20 test -c "$ng"
for target in "io_uring $block" "io_uring_cmd $ng"; do
	# shellcheck disable=SC2086
	sleeps $target 1
	awake=$slept
	check "${target% *} with hipri=1 polls" says_of_engine 'polled completions$'
	# shellcheck disable=SC2086
	sleeps $target hybrid
	check "... with hipri=hybrid it says that it sleeps before it polls" says_of_engine 'polled completions after a sleep .hybrid.$'
	check "... the disk has no interrupts: $more" test "$more" -lt 10
	check "... and it sleeps before it polls: $slept times, $awake with hipri=1" test "$slept" -gt $((awake + reads / 4))
done
finish
