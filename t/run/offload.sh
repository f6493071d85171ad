#!/bin/sh
# io_submit_mode=offload: threads do the I/O. Everything is done once, and endings are those of other jobs.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
offload="--io_submit_mode=offload --output-format=json"

for engine in psync pvsync2 mmap libaio posixaio io_uring; do
	sanitizer_allows $engine || continue
	# shellcheck disable=SC2086
	run --name=x --filename=$engine --size=2m --bs=4k --rw=randrw --iodepth=6 --ioengine=$engine $offload --fsync=7
	if [ "$rc" = 1 ] && [ "$engine" = io_uring ]; then
		skip "$engine" "not here"
		continue
	fi
	check "$engine: exit 0" exits 0
	check "$engine: every block once" json out '.jobs[0] | .read.total_ios + .write.total_ios == 512'
	check "$engine: syncs" json out '.jobs[0].sync.total_ios > 10'
	check "$engine: the queue is as deep as asked" json out '.jobs[0].iodepth_level | ."4" > 80'
	check "$engine: latencies add up" json out '.jobs[0].read | .slat_ns.N == .total_ios and .clat_ns.N == .total_ios and
		.lat_ns.mean >= .clat_ns.mean and .lat_ns.mean >= .slat_ns.mean'
	check "$engine: the report says how many threads" json out '.jobs[0].fiord.notes | any(test("6 submission threads"))'
done

# shellcheck disable=SC2086
run --name=x --filename=file --size=1m --rw=write --iodepth=1 --ioengine=psync $offload --numjobs=3 --thread=1 --group_reporting
check "depth 1, threads: all of it" json out '.jobs[0].write.total_ios == 768'

# What the threads use is the worker's CPU time, whether that is a process or one of several threads: nearly all that
# any process here has used.
for how in --thread=0 "--thread=1 --numjobs=2 --group_reporting"; do
	# shellcheck disable=SC2086
	"$FIORD" --name=x --filename=file --size=1m --bs=256k --rw=read --iodepth=4 --ioengine=psync $offload --runtime=1 \
		--time_based --invalidate=0 $how >"$dir/out" 2>"$dir/err"
	rc=$?
	check "$how: CPU time with that of the threads" json out '(.jobs[0] | (.usr_cpu + .sys_cpu) * 10 * .job_runtime) as $us |
		(.fiord.self | .children_user_us + .children_sys_us) as $all | $us > $all / 2 and $us < $all * 1.05 + 50000'
done

# shellcheck disable=SC2086
run --name=x --filename=/dev/full --size=1m --rw=write --iodepth=8 --ioengine=psync $offload
check "an error ends the job" exits 1
check "... and is told" says err "/dev/full: write at offset"
# shellcheck disable=SC2086
run --name=x --filename=/dev/full --size=1m --rw=write --iodepth=8 --ioengine=psync $offload --continue_on_error=all --ignore_error=,ENOSPC
check "errors that are survived" json out '.jobs[0] | .total_err == 256 and .error == 28'

for engine in psync libaio; do
	rm -f file
	# shellcheck disable=SC2086
	run --name=x --filename=file --size=2m --rw=trimwrite --iodepth=16 --ioengine=$engine $offload --buffer_pattern=0xff
	check "$engine: what was trimmed is written after that" same "$(tr -d '\377' <file | wc -c)" 0
done

run --name=x --filename=file --size=1m --ioengine=sync --iodepth=4 --io_submit_mode=offload
check "an engine that moves the position: refused" exits 2
check "... with the reason" says err "file's position"
run --name=x --size=1m --ioengine=filecreate --io_submit_mode=offload
check "file operations: refused" exits 2

if (prlimit --version && [ "$(id -u)" != 0 ]) >/dev/null 2>&1; then
	prlimit --nproc=1 "$FIORD" --name=x --ioengine=null --size=1m --thread=1 --iodepth=64 --io_submit_mode=offload >out 2>err
	check "threads that cannot start: said" says err "ulimit -u"
fi

for thread in 0 1; do
	# shellcheck disable=SC2086
	start --name=x --filename=file --size=1m --rw=randrw --iodepth=8 --ioengine=psync $offload --thread=$thread --numjobs=2 \
		--time_based --runtime=600 --eta=always --eta-interval=250 --output=doc
	check "thread=$thread: it runs" until_true 30 progress_shows m
	workers=$(children "$pid")
	kill -INT "$pid"
	wait_for_exit
	check "thread=$thread: SIGINT" exits 130
	check "thread=$thread: a document" json doc '(.jobs | length) == 2 and all(.jobs[]; .read.total_ios > 0)'
	# shellcheck disable=SC2086
	check "thread=$thread: nothing stays" until_true 10 processes_ended $workers
	rm -f doc
done

# One I/O in a hundred hangs: a rate goes on with the other threads, and the second SIGINT lists what did not come back.
preload=$(dirname "$FIORD")/../t/fault/preload.so
if [ -f "$preload" ]; then
	# shellcheck disable=SC2086
	env --default-signal=INT LD_PRELOAD="$preload" FAULT=pread:100:hang "$FIORD" --name=x --filename=file --size=1m --rw=randread \
		--iodepth=8 --ioengine=psync $offload --rate_iops=1000 --time_based --runtime=600 --eta=always --eta-interval=250 \
		--output=doc >out 2>err </dev/null &
	pid=$!
	many() { [ "$(tr '\r' '\n' <err | grep -cE '\[r=[1-9][0-9]* IOPS')" -gt 4 ]; }
	check "hung: the others go on" until_true 30 many
	kill -INT "$pid"
	check "hung: the first SIGINT is taken" until_true 10 no_pending_signal "$pid"
	check "hung: it waits" kill -0 "$pid"
	kill -INT "$pid"
	wait_for_exit
	check "hung: the second SIGINT ends it" exits 130
	check "hung: the rate went on" json doc '.jobs[0].read.total_ios > 200'
	check "hung: what never came back is told" json doc '.jobs[0].fiord | .lost and (.. | objects | select(has("offset")) | .length == 4096)'
else
	skip "hung" "no fault library in this build"
fi
head -c 64k /dev/zero >cold
sync cold
dd of=cold oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null
run --name=x --filename=cold --size=64k --ioengine=pvsync2 --nowait=1 --io_submit_mode=offload --iodepth=2 --output-format=json
if json out '.jobs[0].read.total_ios == 16'; then
	skip "nowait" "everything was in memory"
else
	check "nowait: what cannot be done at once fails, it is not asked again" says err EAGAIN
fi
finish
