#!/bin/sh
# Does the cost of a run grow linearly with the number of sections? The test counts instructions, system calls and the memory whose
# page tables a fork copies; it measures no time.
. "$SOURCE/t/lib.sh"
requires awk
[ "$SANITIZE" = none ] || skip_all "a sanitizer needs instructions, system calls and memory of its own"
cd "$dir" || exit 1

# sections N COMMAND...: runs the command with N sections appended.
sections() {
	n=$1
	shift
	# shellcheck disable=SC2046
	"$@" $(seq -f '--name=job%.0f' "$n") >out 2>err </dev/null
	rc=$?
}

# instructions N ARG...: the instructions of all processes, including parsing and report.
instructions() {
	count=$1
	shift
	sections "$count" valgrind --tool=callgrind --callgrind-out-file=/dev/null "$FIORD" --ioengine=null --size=4k \
		--thread=1 "$@"
	awk '/Collected :/ { sum += $NF } END { print sum + 0 }' err
}

# grows LABEL SMALL LARGE: twice the sections cost less than three times as much. Quadratic cost would be four times.
grows() {
	label=$1
	check "$label: $2, with twice the sections $3" test "$2" -gt 0 -a "$3" -lt $(($2 * 3))
}

if ! command -v valgrind >/dev/null; then
	skip "instructions" "no valgrind"
else
	for args in "--output-format=normal,json" "--stonewall=1" "--parse-only"; do
		grows "instructions, $args" "$(instructions 75 "$args")" "$(instructions 150 "$args")"
	done
fi

# With exitall the first job that ends ends all others, which must be signalled once.
calls() { # N
	sections "$1" strace -f -c -e trace=futex -o calls "$FIORD" --ioengine=null --size=4k --thread=1 --exitall=1
	awk '$NF == "futex" { print $4 }' calls
}
if ! strace -c true 2>/dev/null; then
	skip "system calls" "no strace that may trace"
else
	# A machine that stalls adds calls, so the counts may be made again.
	linear_futexes() {
		small=$(calls 200)
		large=$(calls 400)
		[ "$large" -lt $((small * 3)) ]
	}
	one_of_three linear_futexes
	grows "futex calls of exitall" "$small" "$large"
fi

# Each worker copies page tables of the parent's private memory. RssAnon of the last worker, in KiB, shows its size.
workers() { # N
	[ "$(ps -o pid= --ppid "$pid" | wc -l)" -ge "$1" ]
}

private() { # N
	# shellcheck disable=SC2046
	start --ioengine=null --size=4k --time_based --runtime=60 --thinktime=10s --output=result \
		$(seq -f '--name=job%.0f' "$1")
	until_true 60 workers "$1"
	worker=$(ps -o pid= --ppid "$pid" | tail -n 1 | tr -d ' ')
	awk '/^RssAnon:/ { print $2 }' "/proc/$worker/status"
	kill -INT "$pid"
	wait_for_exit
}
small=$(private 200)
large=$(private 1000)
check "memory of a worker: $small KiB with 200 sections, $large KiB with 1000" \
	test "$small" -gt 0 -a $((large - small)) -lt $((800 * 4))
finish
