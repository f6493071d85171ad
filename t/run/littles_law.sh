#!/bin/sh
# Do IOPS and latencies obey Little's law? While the queue is full, IOPS x mean latency is the number of I/Os in flight. The test
# uses depths 1 to 256, libaio and io_uring, disk and memory, one worker and three, and compares with its own counts and clock.
#
# Between its completion and the start of its successor an I/O is not in flight. That share of time does not depend on how busy
# the machine is: fiord's own work per I/O takes a fraction of a microsecond, an I/O from memory copies 128 KiB, which takes more
# than ten, and an I/O from disk takes at least a system call. The bound allows a tenth for it. At the end the queue runs empty,
# which lasts as long as the longest I/O at most. A worker that loses its core between two I/Os has none in flight, so a run may
# be repeated; wrong figures would be wrong each time.
. "$SOURCE/t/lib.sh"
requires jq awk
[ "$SANITIZE" != thread ] || skip_all "under the thread sanitizer fiord's own work takes a larger share of each I/O"
cd "$dir" || exit 1
mib=64
head -c "${mib}m" /dev/urandom >f 2>/dev/null || head -c $((mib * 1048576)) /dev/urandom >f

now_ns() {
	date +%s%N
}

# The check is made for each worker, since several do not end at the same time. L = IOPS x latency; at each submission the queue
# was as full as asked ($top is the bucket of $depth).
obeys_law='(if $depth >= 64 then ">=64" else ($depth | tostring) end) as $top |
	.jobs | length == $jobs and all(.read as $r | .iodepth_level[$top] as $full |
	($r.runtime / 1000) as $s | ($r.lat_ns.max / 1e9) as $longest |
	($r.iops * $r.lat_ns.mean / 1e9) as $l |
	$r.total_ios == $ios and $full > 90 and
	($r.iops * $s - $ios | fabs) <= $r.iops * 0.002 and $s <= $wall + 0.002 and
	($r.slat_ns.mean + $r.clat_ns.mean - $r.lat_ns.mean | fabs) < 2 and
	$l <= $depth * (1 + 0.002 / $s) and
	$l >= $depth * (0.9 - ($longest + 0.002) / $s))'
summary='[.jobs[] | .read | "\(.total_ios) I/Os in \(.runtime) ms, lat \(.lat_ns.mean / 1000 | floor) us (\(.lat_ns.min / 1000 | floor) to \(.lat_ns.max / 1000 | floor)), in flight \(.iops * .lat_ns.mean / 1e9 * 100 | floor | . / 100)"] | join("; ")'

# law LABEL DEPTH WORKERS IOS KIB OPTION...: runs a job and checks it.
law() {
	label="$1, depth $2, workers $3"
	depth=$2 jobs=$3 ios=$4 kib=$5
	shift 5
	for _ in 1 2 3 4 5; do
		before=$(now_ns)
		run --name=x --filename=f --size="${mib}m" --iodepth="$depth" --numjobs="$jobs" --io_size=$((ios * kib))k \
			--bs="${kib}k" --invalidate=0 --output-format=json "$@"
		wall=$(awk -v a="$before" -v b="$(now_ns)" 'BEGIN { print (b - a) / 1e9 }')
		value out "$summary" | sed "s/^/    /"
		json out "$(law_filter)" && break
	done
	check "$label" json out "$(law_filter)"
}

law_filter() {
	echo "$depth as \$depth | $jobs as \$jobs | $ios as \$ios | $wall as \$wall | $obeys_law"
}

engines=
for e in libaio io_uring; do
	if run --name=probe --size=4k --filename=probe --ioengine=$e && [ "$rc" = 0 ]; then
		engines="$engines $e"
	else
		skip "$e" "$(tail -n 1 err)"
	fi
done
[ -n "$engines" ] || skip_all "neither libaio nor io_uring"
direct=1
run --name=probe --size=4k --filename=probe --direct=1
[ "$rc" = 0 ] || { direct=; skip "direct I/O" "$(tail -n 1 err)"; }

for e in $engines; do
	for depth in 1 2 8 32 128 256; do
		for jobs in 1 3; do
			ios=$((depth > 64 ? depth * 40 : 3000))
			law "$e, memory" $depth $jobs $ios 128 --ioengine="$e" --rw=randread --norandommap
			[ -z "$direct" ] ||
				law "$e, disk" $depth $jobs $ios 4 --ioengine="$e" --rw=randread --norandommap --direct=1
		done
	done
	[ -z "$direct" ] || law "$e, disk, in order" 32 1 3000 4 --ioengine="$e" --rw=read --direct=1
	law "$e, memory, in order" 32 1 3000 128 --ioengine="$e" --rw=read
done
# vsync does the I/Os of a call before the call returns, so it has one in flight, or iodepth_batch.
law "vsync, memory, iodepth=8" 1 1 3000 128 --ioengine=vsync --rw=randread --norandommap --iodepth=8
[ -z "$direct" ] || law "vsync, disk, iodepth=32" 8 1 3000 4 --ioengine=vsync --rw=read --direct=1 --iodepth=32 --iodepth_batch=8
finish
