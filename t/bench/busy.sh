#!/bin/sh
# busy.sh FIORD [DIRECTORY]: does fiord keep a disk as busy as fio does? For O_DIRECT random reads of 4 KiB at depths 8, 32 and 128 it
# prints the mean number of I/Os in the disk's queue (weighted time of all I/Os, from the disk's counters, divided by the time), and
# fiord's as a share of fio's. Rounds are interleaved; the figures are medians. It judges nothing. Run it on an idle machine.
fiord=$(realpath "$1") || exit 1
at=${2:-${TMPDIR:-/tmp}}
rounds=${ROUNDS:-5}
dir=$(mktemp -d "$at/fiord-busy.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
stat=/sys/dev/block/$(mountpoint -d "$(stat -c %m .)")/stat
[ -r "$stat" ] || {
	echo "busy.sh: no counters for the disk of $at" >&2
	exit 1
}
head -c 512M /dev/urandom >f && sync

# busy PROGRAM ENGINE DEPTH: prints the mean number of I/Os in the disk's queue while the program reads.
busy() {
	"$1" --name=b --filename=f --rw=randread --norandommap --bs=4k --size=512m --direct=1 --ioengine="$2" --iodepth="$3" \
		--runtime=4 --time_based --output=/dev/null &
	sleep 1
	a="$(date +%s%N) $(cat "$stat")"
	sleep 2
	b="$(date +%s%N) $(cat "$stat")"
	wait $!
	# fields of Documentation/block/stat.rst: time_in_queue is the 11th, in ms
	echo "$a $b" | awk '{ n = NF / 2; print ($(n + 12) - $12) * 1e6 / ($(n + 1) - $1) }'
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

for engine in libaio io_uring; do
	for depth in 8 32 128; do
		: >fio.list
		: >fiord.list
		for _ in $(seq "$rounds"); do
			busy fio $engine $depth >>fio.list
			busy "$fiord" $engine $depth >>fiord.list
		done
		awk -v e=$engine -v d=$depth -v fio="$(median <fio.list)" -v fiord="$(median <fiord.list)" 'BEGIN {
			printf "%-8s depth %3d: fio %6.2f, fiord %6.2f in the queue: %.2f of fio\n", e, d, fio, fiord, fiord / fio }'
	done
done
