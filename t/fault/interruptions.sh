#!/bin/sh
# How does a run end on SIGHUP, on SIGQUIT, without its terminal, with an I/O that never completes, or with output that nobody reads?
# It must end like after SIGINT, with a complete document and no process left.
. "$SOURCE/t/lib.sh"
requires jq timeout
cd "$dir" || exit 1
mkdir result data
vehicles="0 1"
[ -z "$threads" ] || vehicles=1
threads=

# A shell's background jobs ignore SIGINT and SIGQUIT, and those of nohup ignore SIGHUP.
start() {
	: >"$dir/err"
	env --default-signal=INT,QUIT,HUP "$FIORD" "$@" >"$dir/out" 2>"$dir/err" </dev/null &
	pid=$!
}

# job OPTION...: starts a job that runs for ten minutes.
job() {
	start --name=x --filename=data/f --size=1m --rw=randrw --runtime=600 --time_based --rate_iops=2000 --eta=always \
		--eta-interval=250 --output-format=json --output=result/r.json "$@"
}

# ended LABEL CODE: checks a run after its signal.
ended() {
	wait_for_exit
	check "$1: exit code $2" exits "$2"
	check "$1: the document is complete and has the code" json result/r.json ".fiord.exit.code == $2"
	check "$1: no temporary file is left" same "$(ls result)" r.json
	# shellcheck disable=SC2086
	check "$1: no process is left" until_true 10 processes_ended $workers
}

reach_phase() { # LETTER
	check "the job has reached its phase ($1)" until_true 30 progress_shows "$1"
	workers=$(children "$pid")
}

for thread in $vehicles; do
	for signal in HUP:1 QUIT:3; do
		number=${signal#*:} name=${signal%:*}
		for phase in layout ramp run; do
			what="thread=$thread SIG$name in the $phase"
			case $phase in
			layout) job --thread="$thread" --size=2g --rw=read && reach_phase L ;;
			ramp) job --thread="$thread" --ramp_time=600 && reach_phase / ;;
			run) job --thread="$thread" && reach_phase m ;;
			esac
			kill -"$name" "$pid"
			ended "$what" $((128 + number))
			check "$what: the document names the signal" json result/r.json ".fiord.interrupted_by == $number"
			rm -f result/* data/*
		done
	done
done

# When the terminal disappears its programs get SIGHUP, and their writes fail.
if ! why=$(no_terminal); then
	script -qec "exec env --default-signal=HUP '$FIORD' --name=x --filename=data/f --size=1m --rw=randread --runtime=600 --time_based \
		--rate_iops=2000 --eta=always --eta-interval=250 --output-format=json --output=result/r.json" seen \
		>/dev/null 2>&1 </dev/null &
	pid=$!
	runs_in_terminal() {
		for p in $(children "$pid"); do
			[ -z "$(children "$p")" ] || fiord=$p
		done
		[ -n "${fiord:-}" ] && grep -q IOPS seen
	}
	check "the job runs in a terminal" until_true 30 runs_in_terminal
	workers=$(children "$fiord")
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	check "the run ends when its terminal disappears" until_true 10 processes_ended "$fiord"
	check "... with a complete document" json result/r.json '.fiord.exit.code == 129 and .jobs[0].read.total_ios > 0'
	# shellcheck disable=SC2086
	check "... and no process is left" until_true 10 processes_ended $workers
	rm -f result/* data/*
else
	skip "a lost terminal" "$why"
fi

# Output that nobody reads: a signal ends the wait, and a reader that leaves is an error.
mkfifo pipe
"$FIORD" --name=x --filename=data/f --size=64k --output-format=json --output=pipe 2>err </dev/null &
pid=$!
: <pipe # opens the pipe and closes it
wait_for_exit
check "a reader that leaves: exit code 6, or 0 if the write came first" test "$rc" = 6 -o "$rc" = 0
"$FIORD" --name=x --filename=data/f --size=64k --output-format=json 2>err </dev/null | true
env --default-signal=INT "$FIORD" --name=x --filename=data/f --size=64k --output-format=json --output=pipe 2>err </dev/null &
pid=$!
opens_pipe() {
	[ -z "$(children "$pid")" ] && grep -q pipe "/proc/$pid/wchan" 2>/dev/null || [ "$(cat "/proc/$pid/wchan" 2>/dev/null)" = wait_for_partner ]
}
if until_true 5 opens_pipe; then
	kill -INT "$pid"
	wait_for_exit
	check "SIGINT ends a run whose output pipe nobody opens" exits 130
else
	kill -INT "$pid"
	wait "$pid"
	skip "SIGINT ends a run whose output pipe nobody opens" "/proc/PID/wchan shows no names"
fi

if [ -n "${PRELOAD:-}" ]; then
	# hung LABEL FAULT OPTION...: an I/O never completes, and two SIGINTs end the run.
	hung() {
		what=$1 fault=$2
		shift 2
		: >err
		env --default-signal=INT LD_PRELOAD="$PRELOAD" FAULT="$fault" FAULT_PATH="${path:-}" "$FIORD" --name=x \
			--filename=data/f --size=1m --rw=randread --runtime=600 --time_based --eta=always \
			--eta-interval=250 --output=result/r "$@" >out 2>err </dev/null &
		pid=$!
		reach_phase r
		check "$what: the I/O stalls" until_true 20 stalled
		kill -USR1 "$pid"
		check "$what: SIGUSR1 is received" until_true 10 no_pending_signal "$pid"
		kill -INT "$pid"
		check "$what: the first SIGINT is received" until_true 10 no_pending_signal "$pid"
		check "$what: after the first SIGINT the run waits" kill -0 "$pid"
		kill -INT "$pid"
		wait_for_exit
		check "$what: the second SIGINT ends the run" exits 130
		# shellcheck disable=SC2086
		check "$what: no process is left" until_true 10 processes_ended $workers
	}
	listed() { # COUNT
		check "$what: the document lists the lost I/Os" json result/r \
			".jobs[0].fiord | .lost_ios == $1 and (.lost_io | length) == $1 and ([.lost_io[] |
			.op == \"read\" and .file == \"data/f\" and .length == 4096 and .offset % 4096 == 0 and
			.age_ns > 0 and .pid > 0] | all) and ([.lost_io[].offset] | unique | length) == $1"
		check "$what: the document has the counts so far" json result/r '.jobs[0].read.total_ios > 0'
		check "$what: ... also in the status" json result/r '.fiord.status | length == 1 and
			(.[0].jobs[0].read | .total_ios > 0 and .total_ios == .clat_ns.N)'
		rm -f result/* data/*
	}
	stalled() { # the rate was 0 for three intervals, of which one may precede the first I/O
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

	# The worker hangs in its last message, "done", and is killed. Its log must still be complete although its reader is slow.
	mkfifo w_bw.1.log
	start_hanging() { # N
		head -c 8 /dev/zero >count
		env LD_PRELOAD="$PRELOAD" FAULT="write:$1:hang" FAULT_PATH=eventfd FAULT_COUNT="$PWD/count" "$FIORD" --name=x \
			--ioengine=null --size=32m --bs=4k --write_bw_log=w --output-format=json >out 2>err </dev/null 3<&- 4<&- &
		pid=$!
	}
	counted() {
		od -An -td8 -N8 count | tr -d ' '
	}
	worker_killed() { # the log writer is still there
		[ "$(counted)" -ge "$last" ] && [ "$(children "$pid" | wc -w)" = 1 ]
	}
	# A run in advance counts the messages. The parent may merge two, so the test tries several times.
	for attempt in 1 2 3 4 5; do
		exec 4<>w_bw.1.log # opens without waiting for a writer
		cat w_bw.1.log >/dev/null 4<&- &
		start_hanging 100000
		wait_for_exit
		last=$(counted)
		exec 3<w_bw.1.log 4<&-
		start_hanging "$last"
		until_true 5 worker_killed && break
		[ "$attempt" = 5 ] && break
		cat <&3 >/dev/null
		exec 3<&-
		wait_for_exit
	done
	check "a worker that hangs after its last I/O is killed" worker_killed
	# Another run lasts longer than the time that a log gets after a second signal.
	"$FIORD" --name=pause --ioengine=null --size=4k --runtime=600ms --time_based >pause.out
	check "... the process that writes the log is still there" worker_killed
	cat <&3 >w.log
	exec 3<&-
	wait_for_exit
	check "... the run waits for the slow log" exits 0
	check "... which is complete" lines w.log 8192
	path=data/f
	hung "text" pread:300:hang --ioengine=psync
	check "the text lists the lost I/O" grep -q 'lost I/O  .*: read of data/f at offset [0-9]*, length 4096, after' result/r
else
	skip "I/Os that never complete" "this build has no fault library"
fi
finish
