# lib.sh: what the shell tests share. A test sources it, says requires, does its checks and ends with `finish`.
# $FIORD is the program, $SOURCE the source tree; FIORD_THREAD=1 makes workers threads (for the thread sanitizer);
# $SANITIZE is b_sanitize of the build.
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

# no_terminal: says why script(1) gives no command a terminal here; false if it does. A chroot may lack /dev/pts.
no_terminal() {
	if ! command -v script >/dev/null; then
		echo "no script(1)"
	elif [ "$(script -qec 'test -t 1 && echo yes' /dev/null 2>/dev/null </dev/null | tr -d '\r')" != yes ]; then
		echo "no terminal can be made (is /dev/pts mounted?)"
	else
		return 1
	fi
}

# no_shm: says why nothing can be measured on a tmpfs at /dev/shm; false if it can.
no_shm() {
	if [ ! -d /dev/shm ] || [ ! -w /dev/shm ]; then
		echo "no /dev/shm that may be written"
	elif [ "$(stat -fc %T /dev/shm)" != tmpfs ]; then
		echo "/dev/shm is no tmpfs"
	else
		return 1
	fi
}

# skip LABEL WHY: one check of several.
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

# What a test needs to undo besides removing $dir: override.
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

# worker_option ARG...: sets $as to the option that makes the workers of this command threads, or to nothing where they
# stay processes. A DISKSPD line takes no option of a job.
worker_option() {
	as=$threads
	case ${FIORD##*/}:$1 in
	diskspd:* | *:diskspd) as= ;;
	esac
}

# run ARG...: the program with these. $rc is its exit code, $dir/out and $dir/err its output.
run() {
	worker_option "$@"
	# shellcheck disable=SC2086
	"$FIORD" "$@" $as >"$dir/out" 2>"$dir/err" </dev/null
	rc=$?
}

# start ARG...: the same in the background; $pid. Its signals are as usual (a shell's background jobs ignore SIGINT).
start() {
	: >"$dir/out" # what an earlier one has said is not for those who look at once
	: >"$dir/err"
	worker_option "$@"
	# shellcheck disable=SC2086
	env --default-signal=INT "$FIORD" "$@" $as >"$dir/out" 2>"$dir/err" </dev/null &
	pid=$!
}

finished() {
	wait "$pid"
	rc=$?
}

# straced ARG...: strace with these, of which the leak check knows nothing: it wants to trace, too.
straced() {
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 strace "$@"
}

# sound ENGINE: false, once that is said, if this build crashes in it for reasons that are not ours.
sound() {
	[ "$SANITIZE:$1" = thread:posixaio ] || return 0
	skip "$1" "the thread sanitizer crashes in threads that the C library makes"
	return 1
}

# check LABEL COMMAND...: the command succeeds.
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

exits() { # CODE, after run
	[ "$rc" = "$1" ]
}

says() { # FILE TEXT
	grep -qF -- "$2" "$1"
}

lines() { # FILE COUNT
	[ "$(wc -l <"$1")" = "$2" ]
}

empty() {
	[ ! -s "$1" ]
}

same() {
	[ "$1" = "$2" ]
}

# json FILE FILTER: the file holds exactly one document and the filter says true of it.
json() {
	[ -s "$1" ] && [ "$(jq -s "length == 1 and (.[0] | $2)" "$1" 2>&1)" = true ]
}

# value FILE FILTER
value() {
	jq -r "$2" "$1"
}

# until_true SECONDS COMMAND...: waits for something that can be seen.
until_true() {
	tries=$(($1 * 50))
	shift
	while ! "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.02
	done
}

# shows LETTER: the progress line has shown this state of a worker (needs --eta=always).
shows() {
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

# taken PID: no signal is waiting for it.
taken() {
	! grep -qE '^(SigPnd|ShdPnd):.*[1-9a-f]' "/proc/$1/status"
}

# in_shm PID...: the files in /dev/shm that these have open or mapped.
in_shm() {
	for p in "$@"; do
		cut -d / -f 2- "/proc/$p/maps" | sed -n 's|^dev/shm/|/&|p'
		find "/proc/$p/fd" -lname '/dev/shm/*' -printf '%l\n'
	done 2>/dev/null | sort -u
}

# absent FILE...: there is none of them.
absent() {
	for f in "$@"; do
		[ ! -e "$f" ] || return 1
	done
}

# gone PID...: none runs any more; one that nobody has waited for counts as gone.
gone() {
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
