#!/bin/sh
# Are the I/Os and their order independent of the queue depth? Depth 1, batches and the loop of jobs that may wait must log the
# same I/Os. The null engine completes in order, so its log shows the order of submission.
. "$SOURCE/t/lib.sh"
requires cmp cut jq
cd "$dir" || exit 1

# logged_ios FILE OPTION...: writes direction, size and offset of each I/O to the file.
logged_ios() {
	to=$1
	shift
	rm -f l_*.log
	run --name=x --ioengine=null --write_lat_log=l --log_offset=1 "$@"
	cut -d, -f3-5 l_lat.1.log >"$to"
}

# reported: the number of I/Os in the report.
reported() {
	echo $(($(sed -n 's/.*issued rwts: total=\([0-9]*\),\([0-9]*\),\([0-9]*\),.*/\1 + \2 + \3/p' out)))
}

while read -r rw more; do
	# shellcheck disable=SC2086
	set -- --rw="$rw" --size=600k $more
	logged_ios one "$@" --iodepth=1
	logged_ios slow "$@" --iodepth=5 --thinktime=1 --thinktime_blocks=1000000
	check "rw=$rw $more: the log has I/Os" test -s one
	check "... as many as the report counts" test "$(wc -l <one)" = "$(reported)"
	check "... the same in the loop of jobs that may wait" cmp -s one slow
	for depth in 3 32 100; do
		logged_ios many "$@" --iodepth=$depth
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

# Each seventh write is followed by a sync if another write comes.
for job in "psync --iodepth=1" "psync --iodepth=8 --io_submit_mode=offload" "libaio --iodepth=32"; do
	[ "${job%% *}" != libaio ] || "$FIORD" --enghelp | grep -q libaio || continue
	# shellcheck disable=SC2086
	run --name=x --filename=f --size=600k --rw=write --fsync=7 --output-format=json --ioengine=$job
	check "ioengine=$job: fsync=7 syncs 21 times" test "$(jq '.jobs[0].sync.total_ios' out)" = 21
done
finish
