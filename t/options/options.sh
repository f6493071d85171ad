#!/bin/sh
# One row per option: a small job without it and with it, and what must differ. options.sh TABLE.tsv
#
# Columns, tab-separated:
#   option         its name
#   needs          - or words by commas: what the machine must have, each a function of needs.sh, or a file to write to
#   job            options of the whole job, without their dashes, as a shell would read them; - for none
#   without, with  what is added; the job runs first with the one, then with the other, each in a fresh directory
#   observe        a command run there afterwards, or `during COMMAND` while the job runs ($PID: a worker); the job's
#                  document is `out`, its errors `err`; with `traced REGEX` in it the job runs under strace
#   value without, value with
#                  what it must print: literal text, * (anything) or ~REGEX. The two must differ.
. "$SOURCE/t/lib.sh"
requires jq
. "$SOURCE/t/options/needs.sh"
table=$1
cleanup() {
	needs_cleanup
}
tab=$(printf '\t')

# What `observe` may use, in the directory where the job has run.
code() {
	cat code
}

json() { # FILTER
	jq -r "$1" out
}

# traced REGEX: how many lines of strace's record match.
traced() {
	cat trace.* 2>/dev/null | grep -cE -- "$1"
}

# matches VALUE PATTERN
matches() {
	case $2 in
	"*") [ -n "$1" ] ;;
	"~"*) printf '%s\n' "$1" | grep -qE -- "${2#\~}" ;;
	*) [ "$1" = "$2" ] ;;
	esac
}

# during COMMAND: what it says while the job runs; $PID is a worker's. Asked again until it is as expected.
during() {
	tries=250
	value=
	while [ "$tries" -gt 0 ] && kill -0 "$job_pid" 2>/dev/null; do
		PID=$(children "$job_pid" | head -n 1)
		if [ -n "$PID" ]; then
			value=$(eval "$1" 2>/dev/null)
			! matches "$value" "$expected" || break
		fi
		tries=$((tries - 1))
		sleep 0.02
	done
	printf '%s\n' "$value"
}

# run_job OPTIONS: the row's job is global, these are of section x (or of more, after another name=).
run_job() {
	eval "set -- $job name=x $1"
	n=$#
	for word; do
		set -- "$@" "--$word"
	done
	shift "$n"
	set -- "$FIORD" --output-format=json "$@"
	case $observe in
	*traced*) set -- straced -ff -v -s 64 -o trace "$@" ;;
	esac
	case $observe in
	during*)
		env --default-signal=INT "$@" --time_based --runtime=30 >out 2>err </dev/null &
		job_pid=$!
		value=$(eval "$observe")
		kill -INT "$job_pid" 2>/dev/null
		wait "$job_pid"
		;;
	*)
		"$@" >out 2>err </dev/null
		echo $? >code
		value=$(eval "$observe" 2>&1)
		;;
	esac
}

# variant NAME OPTIONS EXPECTED: $value is what was observed.
variant() {
	expected=$3
	rm -rf "${dir:?}/row"
	mkdir "$dir/row" && cd "$dir/row" || exit 1
	run_job "$2"
	cd "$dir" || exit 1
}

dash() {
	[ "$1" = - ] || printf '%s' "$1"
}

needed() { # WORDS, by commas; says what is missing
	for word in $(dash "$1" | tr , ' '); do
		case $word in
		/*) [ -w "$word" ] || { echo "cannot write $word"; return 1; } ;;
		*) "need_$word" || return ;;
		esac
	done
}

row() {
	row_label="$option: $(dash "$without") | $(dash "$with")"
	needed "$needs" >"$dir/missing" || {
		skip "$row_label" "$(cat "$dir/missing")"
		checks=$((checks + 1))
		return
	}
	case $observe in
	*traced*)
		strace -o /dev/null true 2>/dev/null || {
			skip "$row_label" "no strace"
			checks=$((checks + 1))
			return
		}
		;;
	esac
	job=$(dash "$job")
	variant without "$(dash "$without")" "$value_without"
	before=$value
	check "$row_label: without" matches "$before" "$value_without"
	[ "$failures" = 0 ] || shown "$before" without
	variant with "$(dash "$with")" "$value_with"
	check "$row_label: with" matches "$value" "$value_with"
	[ "$failures" = 0 ] || shown "$value" with
	check "$row_label: they differ" [ "$before" != "$value" ]
}

# After a failure: what was seen, once.
shown() {
	[ "$failures" = "$told" ] && return
	told=$failures
	echo "    observed $2: $1"
	head -c 1000 "$dir/row/err" 2>/dev/null | sed 's/^/    /'
}

told=0
while IFS=$tab read -r option needs job without with observe value_without value_with; do
	case $option in "" | "#"*) continue ;; esac
	if [ -z "$value_with" ]; then
		echo "not ok - $table: $option: the row has not eight columns"
		failures=$((failures + 1))
		continue
	fi
	row
done <"$table"
finish
