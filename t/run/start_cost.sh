#!/bin/sh
# What does a worker cost to start and to keep? The test counts system calls, memory pages and bytes, and measures no time.
. "$SOURCE/t/lib.sh"
requires strace awk
[ "$SANITIZE" = none ] || skip_all "a sanitizer has memory and calls of its own"
[ -z "$threads" ] || skip_all "the test sets thread= itself"
cd "$dir" || exit 1

# ---- system calls ----

# calls N OPTION...: prints the system calls of all processes of a run with N jobs.
calls() {
	n=$1
	shift
	straced -f -qq -o "trace.$n" "$FIORD" --name=x --ioengine=null --size=4k --rw=read --numjobs="$n" "$@" >/dev/null 2>&1
	grep -c '^[0-9]* *[a-z_0-9]*(' "trace.$n"
}

# linear OPTION: the second forty workers take about as many calls as the first forty.
linear() {
	none=$(calls 1 "$@") some=$(calls 41 "$@") more=$(calls 81 "$@")
	[ $((more - some)) -lt $(((some - none) * 3 / 2)) ]
}

for row in "--thread=0 50" "--thread=1 30"; do
	kind=${row% *} most=${row#* }
	check "$kind: each worker takes as many calls as the one before" linear "$kind"
	check "... and few of them ($(((more - some) / 40)))" test $(((more - some) / 40)) -lt "$most"
	# Writing 1 to the eventfd wakes the parent.
	news=$(grep -c 'write([0-9]*, "\\1\\0\\0\\0\\0\\0\\0\\0", 8' trace.81)
	check "... and the parent wakes up rarely, when all are ready or done ($news times)" test "$news" -lt 20
done

calls 3 >/dev/null
parent=$(head -n 1 trace.3 | cut -d ' ' -f 1)
check "a worker without files opens only its schedstat" \
	same "$(grep -v "^$parent " trace.3 | grep 'open[a-z]*(' | grep -vc /schedstat)" 0
straced -f -qq -o trace.f "$FIORD" --name=f --ioengine=psync --size=4k --rw=read >/dev/null 2>&1
check "a small file needs no large layout buffer" \
	same "$(grep -c "^[^ ]* *mmap(NULL, [0-9]\{7,\}, PROT_READ|PROT_WRITE, MAP_PRIVATE" trace.f)" 0
# A wait for an event needs no sleep.
check "no process sleeps" same "$(grep -c 'nanosleep(\|select(' trace.3)" 0

# ---- memory of a worker ----

# field PID FILE NAME: prints the sum of these fields, in KiB.
field() {
	awk -v name="$3:" '$1 == name { n += $2 } END { print n + 0 }' "/proc/$1/$2"
}

# touched PID...: KiB of the memory shared with the parent that only this worker has touched. It prints the smallest of eight
# workers, because each slow I/O may add a page.
touched() {
	printf '%s\n' "$@" | head -n 8 | while read -r child; do
		awk '/^[0-9a-f]+-/ { shared = $2 ~ /s$/ && /zero/ } shared && /^Private_Dirty:/ { n += $2 }
			END { print n + 0 }' "/proc/$child/smaps"
	done | sort -n | head -n 1
}

at_work() {
	progress_shows r || return 1
	# shellcheck disable=SC2046
	set -- $(children "$pid")
	[ $# -ge "$workers" ] && [ "$(touched "$@")" -ge 4 ]
}

# few_touched: starts seventy workers, ends those of an earlier try, and finds out how much memory each has touched. On a machine
# that stalls all of them have slow I/Os.
few_touched() {
	[ -z "$pid" ] || kill -INT "$pid"
	[ -z "$pid" ] || wait_for_exit
	start --name=x --ioengine=null --size=1m --rw=randread --numjobs=70 --time_based --runtime=600 --thinktime=20ms \
		--eta=always --eta-interval=250
	check "seventy workers run" until_true 30 at_work
	# shellcheck disable=SC2046
	few=$(touched $(children "$pid"))
	[ "$few" -le 6 ]
}

pid=
workers=70 # so many workers have the coarser series, like thousands
one_of_three few_touched
check "a worker has touched few pages of shared memory ($few KiB)" test "$few" -le 6
# shellcheck disable=SC2046
set -- $(children "$pid")
private=$(field "$1" smaps_rollup Private_Dirty)
check "... and few pages in all ($private KiB)" test "$private" -le 128
if [ -r "/proc/$1/oom_score_adj" ] && [ -r "/proc/$pid/oom_score_adj" ] && [ "$(cat /proc/self/oom_score_adj)" -ge 0 ]; then
	check "the OOM killer prefers a worker" same "$(cat "/proc/$1/oom_score_adj")" 1000
	check "... to the parent" same "$(cat "/proc/$pid/oom_score_adj")" "$(cat /proc/self/oom_score_adj)"
fi
kill -INT "$pid"
wait_for_exit

# Covering 10 TiB needs no map of the blocks.
private_kib() {
	start --name=x --ioengine=null --size="$1" --bs=4k --rw=randread --time_based --runtime=600 --thinktime=1ms \
		--eta=always --eta-interval=250
	workers=1
	until_true 30 at_work || return 1
	# shellcheck disable=SC2046
	set -- $(children "$pid")
	private=$(field "$1" smaps_rollup Private_Dirty)
	kill -INT "$pid"
	wait_for_exit
}
private_kib 1m
small=$private
private_kib 10t
check "a job on 10 TiB needs as much memory as on 1 MiB ($small, $private KiB)" test "$private" -le $((small + 64))

# ---- layout ----

if dd if=/dev/zero of=try bs=1M count=1 oflag=direct 2>/dev/null; then
	straced -f -qq -o trace -e trace=pwrite64,fcntl "$FIORD" --name=x --filename=f --size=20m --rw=read --create_only=1 >/dev/null 2>&1
	check "a large file is laid out in large writes" same "$(grep -c ' 8388608, [0-9]*) *= 8388608$' trace)" 2
	check "... past the page cache, which the run would drop" grep -q 'F_SETFL,.*O_DIRECT' trace
	rm -f f
	straced -f -qq -o trace -e trace=pwrite64,fcntl "$FIORD" --name=x --filename=f --size=20m --rw=read --create_only=1 \
		--invalidate=0 >/dev/null 2>&1
	check "... through the page cache with invalidate=0" sh -c '! grep -q "F_SETFL,.*O_DIRECT" trace'
else
	skip "layout past the page cache" "no O_DIRECT here"
fi
finish
