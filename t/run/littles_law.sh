#!/bin/sh
# Little's law: with the queue always full, IOPS x mean lat is the number of I/Os in flight. Depths 1 to 256, libaio and
# io_uring, from the disk and from memory, one worker and several; against the counts and the clock of this script.
#
# An I/O is not in flight between its completion and the start of the one that replaces it: a share of the time that does
# not depend on how busy the machine is. fiord's own work for an I/O takes a fraction of a microsecond. From memory an I/O
# is a copy of 128 KiB, more than ten; from the disk the system call alone takes some. So a tenth is left for that.
# At the end the queue runs empty: for as long as the longest I/O at most. A worker that loses its core just between two
# I/Os has none in flight meanwhile, so a run may be repeated: figures that are wrong are wrong each time.
. "$SOURCE/t/lib.sh"
requires jq awk
cd "$dir" || exit 1
mib=64
head -c "${mib}m" /dev/urandom >f 2>/dev/null || head -c $((mib * 1048576)) /dev/urandom >f

now_ns() {
	date +%s%N
}

# Each worker by itself: those of several do not end at the same time.
# L = IOPS x lat; the queue was as full as was asked at every submission ($top: the bucket of $depth).
lawful='(if $depth >= 64 then ">=64" else ($depth | tostring) end) as $top |
	.jobs | length == $jobs and all(.read as $r | .iodepth_level[$top] as $full |
	($r.runtime / 1000) as $s | ($r.lat_ns.max / 1e9) as $longest |
	($r.iops * $r.lat_ns.mean / 1e9) as $l |
	$r.total_ios == $ios and $full > 90 and
	($r.iops * $s - $ios | fabs) <= $r.iops * 0.002 and $s <= $wall + 0.002 and
	($r.slat_ns.mean + $r.clat_ns.mean - $r.lat_ns.mean | fabs) < 2 and
	$l <= $depth * (1 + 0.002 / $s) and
	$l >= $depth * (0.9 - ($longest + 0.002) / $s))'
shown='[.jobs[] | .read | "\(.total_ios) I/Os in \(.runtime) ms, lat \(.lat_ns.mean / 1000 | floor) us (\(.lat_ns.min / 1000 | floor) to \(.lat_ns.max / 1000 | floor)), in flight \(.iops * .lat_ns.mean / 1e9 * 100 | floor | . / 100)"] | join("; ")'

# law LABEL DEPTH WORKERS IOS KIB OPTION...
law() {
	label="$1, depth $2, workers $3"
	depth=$2 jobs=$3 ios=$4 kib=$5
	shift 5
	for _ in 1 2 3 4 5; do
		before=$(now_ns)
		run --name=x --filename=f --size="${mib}m" --iodepth="$depth" --numjobs="$jobs" --io_size=$((ios * kib))k \
			--bs="${kib}k" --invalidate=0 --output-format=json "$@"
		wall=$(awk -v a="$before" -v b="$(now_ns)" 'BEGIN { print (b - a) / 1e9 }')
		value out "$shown" | sed "s/^/    /"
		json out "$(known)" && break
	done
	check "$label" json out "$(known)"
}

known() {
	echo "$depth as \$depth | $jobs as \$jobs | $ios as \$ios | $wall as \$wall | $lawful"
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
finish
