#!/bin/sh
# Signals and losses at each moment: SIGHUP, SIGQUIT and a terminal that goes away end a run like SIGINT; an I/O that
# never comes back is listed; what nobody reads holds nobody up.
. "$SOURCE/t/lib.sh"
requires jq timeout
cd "$dir" || exit 1
mkdir result data
vehicles="0 1"
[ -z "$threads" ] || vehicles=1
threads=

# A shell's background jobs ignore the first two, and those of nohup the third.
start() {
	: >"$dir/err"
	env --default-signal=INT,QUIT,HUP "$FIORD" "$@" >"$dir/out" 2>"$dir/err" </dev/null &
	pid=$!
}

# job OPTION...: goes on for ten minutes.
job() {
	start --name=x --filename=data/f --size=1m --rw=randrw --runtime=600 --time_based --rate_iops=2000 --eta=always \
		--eta-interval=250 --output-format=json --output=result/r.json "$@"
}

# ended LABEL CODE
ended() {
	wait_for_exit
	check "$1: exit code $2" exits "$2"
	check "$1: a whole document that says so" json result/r.json ".fiord.exit.code == $2"
	check "$1: nothing beside it" same "$(ls result)" r.json
	# shellcheck disable=SC2086
	check "$1: no process left" until_true 10 processes_ended $workers
}

begun() { # LETTER
	check "it has begun ($1)" until_true 30 progress_shows "$1"
	workers=$(children "$pid")
}

for thread in $vehicles; do
	for signal in HUP:1 QUIT:3; do
		number=${signal#*:} name=${signal%:*}
		for phase in layout ramp run; do
			what="thread=$thread SIG$name in the $phase"
			case $phase in
			layout) job --thread="$thread" --size=2g --rw=read && begun L ;;
			ramp) job --thread="$thread" --ramp_time=600 && begun / ;;
			run) job --thread="$thread" && begun m ;;
			esac
			kill -"$name" "$pid"
			ended "$what" $((128 + number))
			check "$what: the JSON names it" json result/r.json ".fiord.interrupted_by == $number"
			rm -f result/* data/*
		done
	done
done

# A terminal that goes away: its program is sent SIGHUP, and what it writes fails.
if ! why=$(no_terminal); then
	script -qec "exec env --default-signal=HUP '$FIORD' --name=x --filename=data/f --size=1m --rw=randread --runtime=600 --time_based \
		--rate_iops=2000 --eta=always --eta-interval=250 --output-format=json --output=result/r.json" seen \
		>/dev/null 2>&1 </dev/null &
	pid=$!
	runs() {
		for p in $(children "$pid"); do
			[ -z "$(children "$p")" ] || fiord=$p
		done
		[ -n "${fiord:-}" ] && grep -q IOPS seen
	}
	check "it runs in a terminal" until_true 30 runs
	workers=$(children "$fiord")
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	check "without its terminal it ends" until_true 10 processes_ended "$fiord"
	check "... with a whole document" json result/r.json '.fiord.exit.code == 129 and .jobs[0].read.total_ios > 0'
	# shellcheck disable=SC2086
	check "... and no process left" until_true 10 processes_ended $workers
	rm -f result/* data/*
else
	skip "a lost terminal" "$why"
fi

# Output that nobody reads: signals work while it waits, and a reader that leaves is an error.
mkfifo pipe
"$FIORD" --name=x --filename=data/f --size=64k --output-format=json --output=pipe 2>err </dev/null &
pid=$!
sleep 0 <pipe # opens and leaves
wait_for_exit
check "a reader that leaves: exit code 6, or it was faster" test "$rc" = 6 -o "$rc" = 0
"$FIORD" --name=x --filename=data/f --size=64k --output-format=json 2>err </dev/null | true
env --default-signal=INT "$FIORD" --name=x --filename=data/f --size=64k --output-format=json --output=pipe 2>err </dev/null &
pid=$!
opens_pipe() {
	[ -z "$(children "$pid")" ] && grep -q pipe "/proc/$pid/wchan" 2>/dev/null || [ "$(cat "/proc/$pid/wchan" 2>/dev/null)" = wait_for_partner ]
}
if until_true 5 opens_pipe; then
	kill -INT "$pid"
	wait_for_exit
	check "a pipe that nobody opens: SIGINT ends it" exits 130
else
	kill -INT "$pid"
	wait "$pid"
	skip "a pipe that nobody opens" "/proc/PID/wchan does not tell"
fi

if [ -n "${PRELOAD:-}" ]; then
	# hung DESCRIPTION FAULT OPTION...: an I/O that does not come back, in spite of SIGINT.
	hung() {
		what=$1 fault=$2
		shift 2
		: >err
		env --default-signal=INT LD_PRELOAD="$PRELOAD" FAULT="$fault" FAULT_PATH="${path:-}" "$FIORD" --name=x \
			--filename=data/f --size=1m --rw=randread --runtime=600 --time_based --eta=always \
			--eta-interval=250 --output=result/r "$@" >out 2>err </dev/null &
		pid=$!
		begun r
		check "$what: it stalls" until_true 20 stalled
		kill -USR1 "$pid"
		check "$what: a status is taken all the same" until_true 10 no_pending_signal "$pid"
		kill -INT "$pid"
		check "$what: it takes the first SIGINT" until_true 10 no_pending_signal "$pid"
		check "$what: after one SIGINT it waits" kill -0 "$pid"
		kill -INT "$pid"
		wait_for_exit
		check "$what: after the second it ends" exits 130
		# shellcheck disable=SC2086
		check "$what: no process left" until_true 10 processes_ended $workers
	}
	listed() { # COUNT
		check "$what: the I/Os are in the document" json result/r \
			".jobs[0].fiord | .lost_ios == $1 and (.lost_io | length) == $1 and ([.lost_io[] |
			.op == \"read\" and .file == \"data/f\" and .length == 4096 and .offset % 4096 == 0 and
			.age_ns > 0 and .pid > 0] | all) and ([.lost_io[].offset] | unique | length) == $1"
		check "$what: counts so far" json result/r '.jobs[0].read.total_ios > 0'
		check "$what: and in the status" json result/r '.fiord.status | length == 1 and
			(.[0].jobs[0].read | .total_ios > 0 and .total_ios == .clat_ns.N)'
		rm -f result/* data/*
	}
	stalled() { # the rate has been 0 for three intervals: one may lie before the first I/O of a busy machine
		[ "$(tr '\r' '\n' <err | tail -n 3 | grep -c '\[0 IOPS\]')" = 3 ]
	}
	for thread in $vehicles; do
		path=data/f
		hung "thread=$thread, one read" pread:300:hang --ioengine=psync --thread="$thread" --output-format=json
		listed 1
		path=
		for engine in libaio:io_submit io_uring:io_uring_enter2; do
			"$FIORD" --enghelp | grep -q "${engine%:*}" || continue
			hung "thread=$thread, ${engine#*:}" "${engine#*:}:50:hang" --ioengine="${engine%:*}" --iodepth=4 \
				--direct=1 --thread="$thread" --output-format=json
			listed 4
		done
	done

	# The last word of a worker is that it is done: it hangs there, and is killed. Its log is whole all the same,
	# though its reader has taken its time.
	mkfifo w_bw.1.log
	hanging() { # N
		head -c 8 /dev/zero >count
		env LD_PRELOAD="$PRELOAD" FAULT="write:$1:hang" FAULT_PATH=eventfd FAULT_COUNT="$PWD/count" "$FIORD" --name=x \
			--ioengine=null --size=32m --bs=4k --write_bw_log=w --output-format=json >out 2>err </dev/null 3<&- 4<&- &
		pid=$!
	}
	counted() {
		od -An -td8 -N8 count | tr -d ' '
	}
	done_but_there() { # the worker is killed, the writer stays
		[ "$(counted)" -ge "$last" ] && [ "$(children "$pid" | wc -w)" = 1 ]
	}
	# How many words there are is known from a run before, unless the parent happens to look in between.
	for attempt in 1 2 3 4 5; do
		exec 4<>w_bw.1.log # a reader from the start, which waits for no writer
		cat w_bw.1.log >/dev/null 4<&- &
		hanging 100000
		wait_for_exit
		last=$(counted)
		exec 3<w_bw.1.log 4<&-
		hanging "$last"
		until_true 5 done_but_there && break
		[ "$attempt" = 5 ] && break
		cat <&3 >/dev/null
		exec 3<&-
		wait_for_exit
	done
	check "a worker that hangs on its way out is killed" done_but_there
	sleep 0.6 # as long as a log gets after a second signal, and more
	cat <&3 >w.log
	exec 3<&-
	wait_for_exit
	check "... a slow log is waited for all the same" exits 0
	check "... and is whole" lines w.log 8192
	path=data/f
	hung "text" pread:300:hang --ioengine=psync
	check "the I/O is in the text" grep -q 'not back  .*: read of data/f at offset [0-9]*, length 4096, after' result/r
else
	skip "I/Os that never come back" "no fault layer in this build"
fi
finish
