#!/bin/sh
# Does fiord do its I/O on a network block device, and end when the server dies? The server's file is the witness.
. "$SOURCE/t/guest/lib.sh"
requires nbd-client nbd-server
module nbd
truncate -s 16M "$dir/export"
printf '[generic]\nallowlist = true\n[disk]\nexportname = %s\n' "$dir/export" >"$dir/config"
nbd-server -C "$dir/config" -p "$dir/server.pid" || skip_all "nbd-server does not start"
connect() {
	nbd-client -N disk localhost /dev/nbd0 -timeout 5 >"$dir/client" 2>&1
}
until_true 20 connect || skip_all "nbd-client: $(tail -n 1 "$dir/client")"
server=$(pgrep -n nbd-server)

started() {
	[ "$(device_ios nbd0)" != "$before" ]
}

run --output-format=json --name=fill --filename=/dev/nbd0 --ioengine=io_uring --iodepth=8 --direct=1 --rw=randwrite --bs=4k --size=16m --verify=crc32c \
	--fsync_on_close=1
check "a network block device is written and verified" exits 0
run --name=same --filename="$dir/export" --rw=randwrite --bs=4k --size=16m --verify=crc32c --verify_only --allow_file_create=0
check "... and the server's file has these blocks" exits 0

before=$(device_ios nbd0)
start --output-format=json --name=cut --filename=/dev/nbd0 --ioengine=libaio --iodepth=8 --direct=1 --rw=randread --bs=4k --time_based --runtime=300
check "a run begins" until_true 60 started
kill -KILL "$server"
wait_for_exit
check "a server that dies ends the run" exits 1
check "... with the error of the device" says "$dir/err" "/dev/nbd0: read at offset"
check "... and a document of what was read before" json "$dir/out" '.jobs[0] | .error != 0 and .read.total_ios > 0'
finish
