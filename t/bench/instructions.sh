#!/bin/sh
# How many instructions does fiord execute per I/O on the null engine, and is each scene of t/bench/budget.tsv below its limit?
# callgrind counts two lengths of the same job; the difference, divided by the difference of the I/Os, is the path of one I/O.
# The counts do not depend on the load of the machine: they repeat within 0.1 %.
#
#   instructions.sh [FIORD]                    compares each scene with its limit; exits 1 if one executes more
#   instructions.sh --set [FIORD]              measures, and writes the results and the limits into the budget
#   instructions.sh --where SCENE [FIORD]      prints the functions that execute them
#   instructions.sh --repeat N [FIORD]         runs each scene N times; prints lowest, highest and their distance
#   instructions.sh --one 'OPTION...' [FIORD]  measures a null job with these options
#
# The figures hold for the default build type with Debian 12's gcc, on a processor with AVX2.
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

# counted IOS OPTION...: prints the instructions of the process that does the I/O, up to its last I/O. (Its exit may be missing: on a
# busy machine fiord kills a finished worker before valgrind has ended it.) Its profile is $tmp/profile.1.
counted() {
	ios=$1
	shift
	rm -f "$tmp"/profile*
	valgrind --tool=callgrind --callgrind-out-file="$tmp/profile" --dump-after=loop_run "$fiord" --name=x \
		--ioengine=null --thread=1 --size=1g --bs=4k --randseed=1 --io_size=$((ios * 4096)) "$@" >"$tmp/output" 2>&1 &&
		grep -q '^totals: ' "$tmp/profile.1" || { cat "$tmp/output" >&2; return 1; }
	sed -n 's/^totals: //p' "$tmp/profile.1"
}

# per_io OPTION...: prints the instructions per I/O.
per_io() {
	a=$(counted "$short" "$@") || return
	b=$(counted "$long" "$@") || return
	awk -v a="$a" -v b="$b" -v n=$((long - short)) 'BEGIN { printf "%.1f\n", (b - a) / n }'
}

# scenes COMMAND: calls the command with scene, cap, result, limit and options for each line of the budget.
scenes() {
	grep -v '^#' "$budget" >"$tmp/scenes"
	while IFS=$tab read -r scene cap reached limit options; do
		"$1" "$scene" "$cap" "$reached" "$limit" "$options" </dev/null
	done <"$tmp/scenes"
}

passed=0 failed=0
compare() {
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

# Writes the results. A limit is 3 % above the result, but never above the cap.
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
--set) mode="set" && shift ;;
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
one) per_io $wanted ;;
check)
	scenes compare
	echo "$passed passed, $failed failed, 0 skipped"
	[ "$failed" = 0 ]
	;;
esac
