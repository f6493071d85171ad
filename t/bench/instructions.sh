#!/bin/sh
# Instructions that fiord executes per I/O on the null engine, by scene of t/bench/budget.tsv, against its limits:
# callgrind counts two lengths of the same job; what differs, divided by the I/Os that differ, is the path of one I/O.
# Counts do not depend on what else the machine does: repeated, they differ by less than 0.1 %.
#
#   instructions.sh [FIORD]                    each scene against its limit; 1 if any executes more
#   instructions.sh --set [FIORD]              measures, and writes what was reached and the limits into the budget
#   instructions.sh --where SCENE [FIORD]      in which functions they are executed
#   instructions.sh --repeat N [FIORD]         each scene N times: lowest, highest, and how far they are apart
#   instructions.sh --one 'OPTION...' [FIORD]  of a null job with these options
#
# The figures are those of the default build type with Debian 12's gcc, on a processor with AVX2.
set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
budget=${BUDGET:-$here/budget.tsv}
short=${SHORT:-100000} long=${LONG:-500000}
tab=$(printf '\t')
tmp=$(mktemp -d "${TMPDIR:-/tmp}/fiord-instructions.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

usage() {
	sed -n 's/^#   //p' "$0" >&2
	exit 2
}

# counted IOS OPTION...: the instructions of the process that does the I/O, until it has done it. (Its end may not be
# counted: on a busy machine a worker that is done is killed before valgrind has ended it.) Its profile is $tmp/profile.1.
counted() {
	ios=$1
	shift
	rm -f "$tmp"/profile*
	valgrind --tool=callgrind --callgrind-out-file="$tmp/profile" --dump-after=loop_run "$fiord" --name=x \
		--ioengine=null --thread=1 --size=1g --bs=4k --randseed=1 --io_size=$((ios * 4096)) "$@" >"$tmp/said" 2>&1 &&
		grep -q '^totals: ' "$tmp/profile.1" || { cat "$tmp/said" >&2; return 1; }
	sed -n 's/^totals: //p' "$tmp/profile.1"
}

# per_io OPTION...
per_io() {
	a=$(counted "$short" "$@") || return
	b=$(counted "$long" "$@") || return
	awk -v a="$a" -v b="$b" -v n=$((long - short)) 'BEGIN { printf "%.1f\n", (b - a) / n }'
}

# scenes COMMAND: calls it with scene, cap, reached, limit and options for each line of the budget.
scenes() {
	grep -v '^#' "$budget" >"$tmp/scenes"
	while IFS=$tab read -r scene cap reached limit options; do
		"$1" "$scene" "$cap" "$reached" "$limit" "$options" </dev/null
	done <"$tmp/scenes"
}

passed=0 failed=0
judge() {
	# shellcheck disable=SC2086
	now=$(per_io $5) || now=inf
	if awk -v now="$now" -v limit="$4" 'BEGIN { exit !(now <= limit) }'; then
		echo "ok - $1: $now instructions per I/O, limit $4"
		passed=$((passed + 1))
		return
	fi
	echo "not ok - $1: the path of an I/O is too long: $now instructions, limit $4, reached before $3;" \
		"where they are executed: t/bench/instructions.sh --where $1"
	failed=$((failed + 1))
}

# The limit: 3 % over what was reached, never over the cap.
renew() {
	# shellcheck disable=SC2086
	now=$(per_io $5)
	awk -v s="$1" -v cap="$2" -v now="$now" -v o="$5" 'BEGIN {
		limit = sprintf("%.1f", now * 1.03)
		if (cap != "-" && limit + 0 > cap + 0)
			limit = cap
		printf "%s\t%s\t%s\t%s\t%s\n", s, cap, now, limit, o
	}' | tee -a "$tmp/new"
}

spread() {
	for _ in $(seq "$repeats"); do
		# shellcheck disable=SC2086
		per_io $5
	done | sort -n | awk -v s="$1" 'NR == 1 { low = $1 } { high = $1 } END {
		printf "%s: %s to %s in %d runs, %.3f %% apart\n", s, low, high, NR, (high / low - 1) * 100 }'
}

where() {
	[ "$1" = "$wanted" ] || return 0
	# shellcheck disable=SC2086
	counted "$long" $5 >/dev/null
	callgrind_annotate --auto=no "$tmp/profile.1" 2>/dev/null | awk -v n="$long" '
		/^ *[0-9,]+ *\(/ && !/PROGRAM TOTALS/ {
			count = $1
			gsub(",", "", count)
			name = $0
			sub(/^[^)]*\) */, "", name)
			sub(/ \[.*$/, "", name)
			sub(/^.*\//, "", name)
			if (count / n >= 0.5)
				printf "%8.1f  %s\n", count / n, name
		}'
}

mode=check
case ${1-} in
--set) mode=set && shift ;;
--where | --repeat | --one)
	[ $# -ge 2 ] || usage
	mode=${1#--} wanted=$2 repeats=$2
	shift 2
	;;
-*) usage ;;
esac
fiord=${1:-$here/../../build/src/fiord}
[ -x "$fiord" ] || { echo "instructions.sh: no program $fiord" >&2; exit 2; }
if ! command -v valgrind >/dev/null || ! grep -qw avx2 /proc/cpuinfo; then
	echo "skipped: needs valgrind, and a processor with AVX2"
	[ "$mode" = check ] || exit 77
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

case $mode in
set)
	sed -n '/^#/p' "$budget" >"$tmp/new"
	scenes renew
	cat "$tmp/new" >"$budget"
	;;
repeat) scenes spread ;;
where) scenes where ;;
# shellcheck disable=SC2086
one) per_io $wanted ;;
check)
	scenes judge
	echo "$passed passed, $failed failed, 0 skipped"
	[ "$failed" = 0 ]
	;;
esac
