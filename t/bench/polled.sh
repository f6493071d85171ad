#!/bin/sh
# seconds: 900
# polled.sh: what does fiord add to a bare loop that polls a null_blk device? A guest makes the device, so run it by
#     t/guest/run t/bench/polled.sh
# Programs take turns; the table has the medians. It judges nothing. Without KVM, QEMU translates the guest's instructions, and the guest has no fast
# clock: fiord takes times, and the bare loop takes none.
. "$SOURCE/t/guest/lib.sh"
module null_blk nr_devices=0
null_block polled size=1024 blocksize=4096 submit_queues=1 poll_queues=1 irqmode=0 || skip_all "null_blk makes no device with poll queues"
[ "$(cat /sys/block/polled/queue/io_poll)" = 1 ] || skip_all "the device does not poll"
"${FIORD%/src/fiord}/t/bench/fiord-bench" --device=/dev/polled --fio=none --rounds=5 --only=polled "$FIORD"
