#!/bin/sh
# For each engine that moves data: are the bytes I/Os times the block size, and do all figures of the document agree?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
engines=$("$FIORD" --enghelp | sed -n 's/^[[:space:]]\([a-z0-9_]*\) .*/\1/p')
# fileops.sh and cpu.sh test the engines that move no data, t/guest/nvme_passthrough.sh io_uring_cmd,
# t/guest/scsi_passthrough.sh sg.
engines=$(echo "$engines" | grep -vxE 'falloc|ftruncate|(file|dir)(create|stat|delete)|cpuio|exec|io_uring_cmd|sg')
check "--enghelp lists engines" test -n "$engines"

consistent='[.jobs[] | .read, .write | .total_ios as $n | .io_bytes as $b |
	.clat_ns.N == $n and .lat_ns.N == $n and .io_kbytes == ($b / 1024 | floor) and
	.clat_ns.min <= .clat_ns.max and .clat_ns.max <= .lat_ns.max and
	($n == 0 or ([.clat_ns.percentile[]] | min) >= .clat_ns.min and ([.clat_ns.percentile[]] | max) <= .clat_ns.max)]
	| all'

for engine in $engines; do
	sanitizer_allows $engine || continue
	if [ "$engine" = io_uring ]; then
		run --name=try --filename=file --size=64k --ioengine=io_uring
		if [ "$rc" != 0 ]; then
			skip "io_uring" "$(tail -n 1 err)"
			continue
		fi
	fi
	for rw in read write randread randwrite; do
		run --name=x --filename=file --size=1m --bs=16k --rw="$rw" --ioengine="$engine" --iodepth=8 \
			--output-format=json
		check "$engine $rw exits 0" exits 0
		check "$engine $rw does 64 I/Os of 16 KiB" json out ".jobs[0].${rw#rand} |
			.total_ios == 64 and .io_bytes == 1048576 and .short_ios == 0"
		check "$engine $rw: the figures agree" json out "$consistent"
	done
	run --name=x --filename=file --size=4m --bs=4k --rw=randrw --rwmixread=70 --ioengine="$engine" --iodepth=8 \
		--output-format=json
	check "$engine randrw does each block once" json out '.jobs[0].read.total_ios + .jobs[0].write.total_ios == 1024'
	# 4 sigma of a binomial distribution: 4 * sqrt(1024 * 0.7 * 0.3) = 58.7
	check "$engine randrw keeps the mix of reads and writes" json out '.jobs[0].read.total_ios - 716.8 | . < 58.7 and . > -58.7'
	check "$engine randrw: the figures agree" json out "$consistent"
	run --name=y --size=768k --bs=4k --rw=write --nrfiles=3 --openfiles=1 --create_on_open=1 --ioengine="$engine" \
		--iodepth=4 --fsync=8 --output-format=json
	check "$engine opens one file at a time and exits 0" exits 0
	check "... and writes all files" json out '.jobs[0].write.total_ios == 192'
	run --name=x --filename=file --size=1m --bs=4k,8k --rw=rw --ioengine="$engine" --output-format=json
	check "$engine has the block size of each direction" json out '.jobs[0] |
		.read.io_bytes == .read.total_ios * 4096 and .write.io_bytes == .write.total_ios * 8192'
done
finish
