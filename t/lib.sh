# lib.sh: the helpers of the shell tests. A test sources this file, calls `requires`, runs its checks and ends with `finish`.
# $FIORD is the program and $SOURCE the source tree. FIORD_THREAD=1 makes workers threads (for the thread sanitizer).
# $SANITIZE is meson's b_sanitize. A label that begins with "..." continues the label above it.
# shellcheck shell=sh
set -u
export LC_ALL=C
: "${FIORD:?}" "${SOURCE:?}" "${SANITIZE:=none}"
failures=0
checks=0
rc=
dir=

skip_all() {
	echo "skipped: $*"
	exit 77
}

# no_terminal: prints why script(1) cannot give a command a terminal here, and is false if it can. A chroot may lack /dev/pts.
no_terminal() {
	if ! command -v script >/dev/null; then
		echo "no script(1)"
	elif [ "$(script -qec 'test -t 1 && echo yes' /dev/null 2>/dev/null </dev/null | tr -d '\r')" != yes ]; then
		echo "no terminal can be created (is /dev/pts mounted?)"
	else
		return 1
	fi
}

# no_shm: prints why nothing can be measured on a tmpfs at /dev/shm, and is false if it can.
no_shm() {
	if [ ! -d /dev/shm ] || [ ! -w /dev/shm ]; then
		echo "/dev/shm is missing or not writable"
	elif [ "$(stat -fc %T /dev/shm)" != tmpfs ]; then
		echo "/dev/shm is not a tmpfs"
	else
		return 1
	fi
}

# skip LABEL REASON: reports one check of several as skipped.
skip() {
	echo "ok - $1 # skipped: $2"
}

requires() { # TOOL...
	for tool in "$@"; do
		command -v "$tool" >/dev/null || skip_all "no $tool"
	done
}

requires_root() {
	[ "$(id -u)" = 0 ] || skip_all "not root"
}

# A test that has more to undo than $dir overrides this function.
cleanup() {
	:
}

end() {
	cleanup
	[ -z "$dir" ] || rm -rf "$dir"
}
trap end EXIT
trap 'exit 1' INT TERM HUP
dir=$(mktemp -d "${TMPDIR:-/tmp}/fiord-test.XXXXXX") || exit 1

threads=
[ "${FIORD_THREAD:-0}" != 1 ] || threads=--set=thread=1

# worker_option ARG...: sets $thread_option to the option that makes the workers of this command threads. It stays empty where
# workers stay processes. The verbs with a command line of their own take no option of a job.
worker_option() {
	thread_option=$threads
	case ${FIORD##*/}:${1-}:${2-}:${3-} in
	*:preset:: | *:preset:list:* | *:preset:show:* | *:preset:check: | *:help:preset:*) thread_option= ;;
	esac
	case ${FIORD##*/}:${1-} in
	diskspd:* | *:diskspd | *:report | *:compare | *:merge | *:dist | *:sweep | *:peak | *:trace | *:trend) thread_option= ;;
	esac
}

# run ARG...: runs the program with these arguments. $rc is its exit code, $dir/out and $dir/err are its output.
run() {
	worker_option "$@"
	# shellcheck disable=SC2086
	"$FIORD" "$@" $thread_option >"$dir/out" 2>"$dir/err" </dev/null
	rc=$?
}

# start ARG...: the same in the background, with its process ID in $pid. SIGINT works; a shell's background jobs ignore it.
start() {
	: >"$dir/out" # removes the output of an earlier run before a check looks at it
	: >"$dir/err"
	worker_option "$@"
	# shellcheck disable=SC2086
	env --default-signal=INT "$FIORD" "$@" $thread_option >"$dir/out" 2>"$dir/err" </dev/null &
	pid=$!
}

wait_for_exit() {
	wait "$pid"
	rc=$?
}

# straced ARG...: runs strace without the leak check, which would need to trace the program itself.
straced() {
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 strace "$@"
}

# sanitizer_allows ENGINE: false, with a skipped check, if the sanitizer crashes in this engine for reasons outside fiord.
sanitizer_allows() {
	[ "$SANITIZE:$1" = thread:posixaio ] || return 0
	skip "$1" "the thread sanitizer crashes in threads that the C library makes"
	return 1
}

# check LABEL COMMAND...: the command must succeed.
check() {
	label=$1
	shift
	checks=$((checks + 1))
	if "$@"; then
		echo "ok - $label"
	else
		failures=$((failures + 1))
		echo "not ok - $label ($*)"
		[ -z "$rc" ] || echo "    exit code $rc"
		for f in "$dir/out" "$dir/err"; do
			[ ! -f "$f" ] || head -c 4000 "$f" | tr '\r' '\n' | tail -n 40 | sed 's/^/    /'
		done
	fi
}

exits() { # CODE: the exit code of the last run
	[ "$rc" = "$1" ]
}

says() { # FILE TEXT
	grep -qF -- "$2" "$1"
}

lines() { # FILE COUNT
	[ "$(wc -l <"$1")" = "$2" ]
}

# empty FILE: the file has no line. The leak check of the address sanitizer prints a line of its own about threads that just end.
empty() {
	[ ! -s "$1" ] || { [ "$SANITIZE" != none ] && ! grep -qv '^==[0-9]*==Unable to get registers from thread' "$1"; }
}

# unseen FILE COMMAND...: the command changes the file as failing storage does, which gives it no new times. A change with a new time
# is another program's: fiord then no longer takes the file for its own, and does not write to it.
unseen() {
	touch -r "$1" "$dir.times"
	seen=$1
	shift
	"$@"
	unseen_rc=$?
	touch -r "$dir.times" "$seen"
	rm -f "$dir.times"
	return $unseen_rc
}

# flip FILE OFFSET [BYTES]: flips the lowest bit of each byte, unseen.
flip() {
	unseen "$1" sh "$SOURCE/t/flip.sh" "$@"
}

same() {
	[ "$1" = "$2" ]
}

# json FILE FILTER: the file holds exactly one document, for which the jq filter returns true.
json() {
	[ -s "$1" ] && [ "$(jq -s "length == 1 and (.[0] | $2)" "$1" 2>&1)" = true ]
}

# value FILE FILTER: prints a value of the document.
value() {
	jq -r "$2" "$1"
}

# until_true SECONDS COMMAND...: waits until a command succeeds.
until_true() {
	tries=$(($1 * 50))
	shift
	while ! "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.02
	done
}

# one_of COUNT COMMAND...: runs the command up to COUNT times and is true as soon as it succeeds. It is for figures that a machine
# spoils when it stalls for a moment; an error of the program spoils all runs.
one_of() {
	attempts=$1
	shift
	while [ "$attempts" -gt 0 ]; do
		attempts=$((attempts - 1))
		! "$@" || return 0
	done
	return 1
}

one_of_three() {
	one_of 3 "$@"
}

# progress_shows LETTER: the progress line has shown a worker in this state (needs --eta=always).
progress_shows() {
	tr '\r' '\n' <"$dir/err" | grep -q "^Jobs: [^[]*\\[[^]]*$1"
}

parent_of() { # PID
	sed -n 's/^.*) [A-Za-z] \([0-9]*\) .*/\1/p' "/proc/$1/stat" 2>/dev/null
}

children() { # PID
	if [ -e "/proc/$$/task/$$/children" ]; then
		cat "/proc/$1/task"/*/children 2>/dev/null | tr ' ' '\n' | grep .
		return
	fi
	for p in /proc/[0-9]*; do
		p=${p#/proc/}
		[ "$(parent_of "$p")" != "$1" ] || echo "$p"
	done
}

# no_pending_signal PID: the process has received all signals that were sent to it.
no_pending_signal() {
	! grep -qE '^(SigPnd|ShdPnd):.*[1-9a-f]' "/proc/$1/status"
}

# sigint_ends_run: sends SIGINT, and the run ends. The thread sanitizer delays signals, so two of them may become one; then
# one_of_three sends another.
sigint_ends_run() {
	kill -INT "$pid"
	until_true 10 processes_ended "$pid"
}

# shm_files PID...: prints the files in /dev/shm that these processes have open or mapped.
shm_files() {
	for p in "$@"; do
		cut -d / -f 2- "/proc/$p/maps" | sed -n 's|^dev/shm/|/&|p'
		find "/proc/$p/fd" -lname '/dev/shm/*' -printf '%l\n'
	done 2>/dev/null | sort -u
}

# absent FILE...: none of the files exists.
absent() {
	for f in "$@"; do
		[ ! -e "$f" ] || return 1
	done
}

# processes_ended PID...: none of the processes runs any more. A zombie counts as ended.
processes_ended() {
	for p in "$@"; do
		case $(sed -n 's/^.*) \([A-Za-z]\) .*/\1/p' "/proc/$p/stat" 2>/dev/null) in
		"" | Z | X) ;;
		*) return 1 ;;
		esac
	done
}

finish() {
	[ "$checks" -gt 0 ] || failures=1
	[ "$failures" = 0 ] || echo "$failures failed"
	[ "$failures" = 0 ]
	exit
}
