#!/bin/sh
# zones.sh FIORD: what does zonemode=zbd cost a sequential write? Jobs without and with emulated zones take turns on the null engine, so that
# the machine disturbs both; the least CPU time of each counts. It judges nothing.
fiord=$1
out=$(mktemp "${TMPDIR:-/tmp}/fiord-zones.XXXXXX") || exit 1
trap 'rm -f "$out"' EXIT

# cost LABEL OPTION...: prints the label and the CPU time per I/O in ns.
cost() {
	label=$1
	shift
	"$fiord" --name=b --ioengine=null --size=1g --io_size=4g --bs=4k --rw=write --zero_buffers --output-format=json "$@" >"$out" &&
		jq -r --arg l "$label" '.jobs[0] | "\($l) \((.usr_cpu + .sys_cpu) / 100 * .job_runtime * 1e6 / .write.total_ios)"' "$out"
}

for depth in 1 32; do
	for _ in 1 2 3 4 5 6 7; do
		cost plain --iodepth=$depth
		cost zones --iodepth=$depth --zonemode=zbd --zonesize=64m
	done | awk -v d=$depth '!($1 in least) || $2 < least[$1] { least[$1] = $2 } END {
		printf "depth %2d: %.1f ns per I/O without zones, %.1f ns with zones: %.1f ns more, ratio %.2f\n", d, least["plain"],
			least["zones"], least["zones"] - least["plain"], least["zones"] / least["plain"] }'
done
