#!/bin/sh
# The same I/Os in the same order, however many are served at once: one by one (depth 1), in batches, and the way of
# jobs that wait now and then. The engine that does nothing completes in order, so a log tells.
. "$SOURCE/t/lib.sh"
requires cmp cut jq
cd "$dir" || exit 1

# served FILE OPTION...: direction, size and offset of each I/O.
served() {
	to=$1
	shift
	rm -f l_*.log
	run --name=x --ioengine=null --write_lat_log=l --log_offset=1 "$@"
	cut -d, -f3-5 l_lat.1.log >"$to"
}

# How many I/Os the report counts.
reported() {
	echo $(($(sed -n 's/.*issued rwts: total=\([0-9]*\),\([0-9]*\),\([0-9]*\),.*/\1 + \2 + \3/p' out)))
}

while read -r rw more; do
	# shellcheck disable=SC2086
	set -- --rw="$rw" --size=600k $more
	served one "$@" --iodepth=1
	served slow "$@" --iodepth=5 --thinktime=1 --thinktime_blocks=1000000
	check "rw=$rw $more: there are some" test -s one
	check "... and as many as the report says" test "$(wc -l <one)" = "$(reported)"
	check "... the same where it might have to wait" cmp -s one slow
	for depth in 3 32 100; do
		served many "$@" --iodepth=$depth
		check "... the same at depth $depth" cmp -s one many
	done
done <<-'END'
	randread
	read --loops=2
	randwrite --io_size=1m
	write --io_size=333k
	randrw --rwmixread=70 --io_size=777k
	rw --rwmixread=30 --io_size=1m --loops=2
	randread --norandommap --loops=2
	randtrim --number_ios=77 --loops=2
	trimwrite --nrfiles=3
	randrw --bssplit=4k/60:16k/40
	randread --bsrange=4k-32k --io_size=1m
	randrw --bs=4k,8k --nrfiles=2
	write --fsync=7
	randrw --fdatasync=3 --fsync=5
	rw --nrfiles=5 --file_service_type=sequential --io_size=1m
	randrw --nrfiles=5 --file_service_type=random --loops=2
	randrw --nrfiles=3 --file_service_type=roundrobin:4 --io_size=1m
	rw --nrfiles=4 --io_size=777k --loops=2
	randread --percentage_random=40
	write:8k
	randread --random_distribution=zoned:60/10:40/90
END

# Files that are there are synced: after each seventh write, if another follows.
for job in "psync --iodepth=1" "psync --iodepth=8 --io_submit_mode=offload" "libaio --iodepth=32"; do
	[ "${job%% *}" != libaio ] || "$FIORD" --enghelp | grep -q libaio || continue
	# shellcheck disable=SC2086
	run --name=x --filename=f --size=600k --rw=write --fsync=7 --output-format=json --ioengine=$job
	check "ioengine=$job: fsync=7" test "$(jq '.jobs[0].sync.total_ios' out)" = 21
done
finish
