#!/bin/sh
# packs.sh FIORD BENCH_PACKS [--most=BYTES]: how much time and memory does rank 0 of fiord-mpi need to merge the results of many
# ranks? $PACKS_RANKS is their number (1000). It judges nothing without --most, the largest number of bytes for each rank.
fiord=$(realpath "$1") packs=$(realpath "$2") || exit 1
shift 2
ranks=${PACKS_RANKS:-1000}
dir=$(mktemp -d "${TMPDIR:-/tmp}/fiord-packs.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

# measure LABEL OPTION...: runs jobs with these options, and merges their result as if each rank had sent it.
measure() {
	label=$1
	shift
	"$fiord" --name=x --directory="$dir" --size=64m --output=one.json --output-format=json+ "$@" || exit 1
	printf '%s: ' "$label"
	"$packs" $most "$ranks" one.json || failed=1
}

most=${1:-}
measure "one job of 2 s" --rw=randread --time_based --runtime=2
measure "four jobs of 2 s, mixed, with a rate" --rw=randrw --rate_iops=2000 --time_based --runtime=2 --numjobs=4
[ -n "$most" ] || measure "one job of 20 s" --rw=randread --time_based --runtime=20
exit $failed
