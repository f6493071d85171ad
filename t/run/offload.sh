#!/bin/sh
# io_submit_mode=offload: do submission threads do each I/O once, is their CPU time counted, and do runs end as without them?
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
	check "$engine exits 0" exits 0
	check "$engine does each block once" json out '.jobs[0] | .read.total_ios + .write.total_ios == 512'
	check "$engine counts its syncs" json out '.jobs[0].sync.total_ios > 10'
	check "$engine keeps the queue as deep as asked" json out '.jobs[0].iodepth_level | ."4" > 80'
	check "$engine: latencies are measured for each I/O" json out '.jobs[0].read | .slat_ns.N == .total_ios and .clat_ns.N == .total_ios and
		.lat_ns.mean >= .clat_ns.mean and .lat_ns.mean >= .slat_ns.mean'
	check "$engine: a note has the number of threads" json out '.jobs[0].fiord.notes | any(test("6 submission threads"))'
done

# shellcheck disable=SC2086
run --name=x --filename=file --size=1m --rw=write --iodepth=1 --ioengine=psync $offload --numjobs=3 --thread=1 --group_reporting
check "threads with depth 1 do all I/O" json out '.jobs[0].write.total_ios == 768'

# The worker's CPU time includes its submission threads, whether the worker is a process or a thread. It must be nearly all the
# CPU time that the children used.
for how in --thread=0 "--thread=1 --numjobs=2 --group_reporting"; do
	# shellcheck disable=SC2086
	"$FIORD" --name=x --filename=file --size=1m --bs=256k --rw=read --iodepth=4 --ioengine=psync $offload --runtime=1 \
		--time_based --invalidate=0 $how >"$dir/out" 2>"$dir/err"
	rc=$?
	check "$how: the CPU time includes the threads" json out '(.jobs[0] | (.usr_cpu + .sys_cpu) * 10 * .job_runtime) as $us |
		(.fiord.self | .children_user_us + .children_sys_us) as $all | $us > $all / 2 and $us < $all * 1.05 + 50000'
done

# shellcheck disable=SC2086
run --name=x --filename=/dev/full --size=1m --rw=write --iodepth=8 --ioengine=psync $offload
check "an I/O error ends the job" exits 1
check "... and stderr has the error" says err "/dev/full: write at offset"
# shellcheck disable=SC2086
run --name=x --filename=/dev/full --size=1m --rw=write --iodepth=8 --ioengine=psync $offload --continue_on_error=all --ignore_error=,ENOSPC
check "survived errors are counted" json out '.jobs[0] | .total_err == 256 and .error == 28'

for engine in psync libaio; do
	rm -f file
	# shellcheck disable=SC2086
	run --name=x --filename=file --size=2m --rw=trimwrite --iodepth=16 --ioengine=$engine $offload --buffer_pattern=0xff
	check "$engine: a block is written after it was trimmed" same "$(tr -d '\377' <file | wc -c)" 0
	command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null || continue
	rm -f file
	# shellcheck disable=SC2086
	strace -qq -f -o trims -e trace=fallocate -e inject=fallocate:error=EAGAIN:when=3+3 \
		"$FIORD" --name=x --filename=file --size=2m --rw=trimwrite --fallocate=none --iodepth=16 --ioengine=$engine $offload \
		--buffer_pattern=0xff >out 2>err
	check "$engine: the kernel refused some trims" test "$(grep -c INJECTED trims)" -gt 20
	check "$engine: ... which come before the writes of their blocks all the same" same "$(tr -d '\377' <file | wc -c)" 0
done

run --name=x --filename=file --size=1m --ioengine=sync --iodepth=4 --io_submit_mode=offload
check "an engine with a file position is refused" exits 2
check "... with the reason" says err "file's position"
# Files that are closed and opened again do not stay registered.
while IFS='|' read -r options why; do
	# shellcheck disable=SC2086
	run check --name=x --size=64k --ioengine=io_uring --registerfiles=1 $options
	check "registerfiles=1 $options is refused before the run" exits 2
	check "... with the reason" says err "registerfiles=1: $why"
done <<-REFUSED
	--filename=file --io_submit_mode=offload --loops=2|the threads of io_submit_mode=offload cannot register
	--filename=file --io_submit_mode=offload --io_size=1m|the threads of io_submit_mode=offload cannot register
	--nrfiles=4 --openfiles=2|files that are opened and closed while the job runs (openfiles)
	--create_on_open=1|files that are opened and closed while the job runs (create_on_open)
	--rw=write --time_based --runtime=1 --unlink_each_loop=1|files that are opened and closed while the job runs (unlink_each_loop)
REFUSED
run check --name=x --size=64k --filename=file --ioengine=io_uring --registerfiles=1 --loops=2
check "registerfiles=1 loops=2 without threads is planned" exits 0
run --name=x --size=1m --ioengine=filecreate --io_submit_mode=offload
check "engines for file operations are refused" exits 2

if (prlimit --version && [ "$(id -u)" != 0 ]) >/dev/null 2>&1; then
	prlimit --nproc=1 "$FIORD" --name=x --ioengine=null --size=1m --thread=1 --iodepth=64 --io_submit_mode=offload >out 2>err
	check "the error of threads that cannot start advises ulimit -u" says err "ulimit -u"
fi

for thread in 0 1; do
	# shellcheck disable=SC2086
	start --name=x --filename=file --size=1m --rw=randrw --iodepth=8 --ioengine=psync $offload --thread=$thread --numjobs=2 \
		--time_based --runtime=600 --eta=always --eta-interval=250 --output=doc
	check "thread=$thread: the job runs" until_true 30 progress_shows m
	workers=$(children "$pid")
	kill -INT "$pid"
	wait_for_exit
	check "thread=$thread: SIGINT exits 130" exits 130
	check "thread=$thread: the document is complete" json doc '(.jobs | length) == 2 and all(.jobs[]; .read.total_ios > 0)'
	# shellcheck disable=SC2086
	check "thread=$thread: no process is left" until_true 10 processes_ended $workers
	rm -f doc
done

# One I/O in a hundred hangs. The other threads keep the rate, and the second SIGINT lists the I/Os that did not come back.
preload=$(dirname "$FIORD")/../t/fault/preload.so
if [ -f "$preload" ]; then
	# shellcheck disable=SC2086
	env --default-signal=INT LD_PRELOAD="$preload" FAULT=pread:100:hang "$FIORD" --name=x --filename=file --size=1m --rw=randread \
		--iodepth=8 --ioengine=psync $offload --rate_iops=1000 --time_based --runtime=600 --eta=always --eta-interval=250 \
		--output=doc >out 2>err </dev/null &
	pid=$!
	rate_continues() { [ "$(tr '\r' '\n' <err | grep -cE '\[r=[1-9][0-9]* IOPS')" -gt 4 ]; }
	check "hung: the others go on" until_true 30 rate_continues
	kill -INT "$pid"
	check "hung I/O: the run receives the first SIGINT" until_true 10 no_pending_signal "$pid"
	check "hung I/O: the run waits for it" kill -0 "$pid"
	kill -INT "$pid"
	wait_for_exit
	check "hung I/O: the second SIGINT ends the run" exits 130
	check "hung I/O: the rate went on" json doc '.jobs[0].read.total_ios > 200'
	check "hung I/O: the document lists the lost I/Os" json doc '.jobs[0].fiord | .lost and (.. | objects | select(has("offset")) | .length == 4096)'
else
	skip "hung I/O" "no fault library in this build"
fi
head -c 64k /dev/zero >cold
sync cold
dd of=cold oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null
run --name=x --filename=cold --size=64k --ioengine=pvsync2 --nowait=1 --io_submit_mode=offload --iodepth=2 --output-format=json
if json out '.jobs[0].read.total_ios == 16'; then
	skip "nowait" "all blocks were in memory"
else
	check "nowait: a read that would wait fails and is not repeated" says err EAGAIN
fi
finish
