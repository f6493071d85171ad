#!/bin/sh
# Does each option change what its table says? The test runs a small job without and with the option. options.sh TABLE.tsv
#
# Columns, tab-separated:
#   option         its name
#   needs          - or words separated by commas: requirements, each a function of needs.sh or a file that must be writable
#   job            options of the whole job, without their dashes, in shell syntax; - for none
#   without, with  options to add; the job runs with the one and with the other, each in a new directory
#   observe        a command that runs there after the job, or `during COMMAND` while it runs ($PID is a worker). The job's
#                  document is in `out`, its errors in `err`. With `traced REGEX` the job runs under strace.
#   value without, value with
#                  the expected output: literal text, * (anything) or ~REGEX. The two outputs must differ.
. "$SOURCE/t/lib.sh"
requires jq
. "$SOURCE/t/options/needs.sh"
table=$1
cleanup() {
	needs_cleanup
}
tab=$(printf '\t')

# Functions for `observe`, which runs in the directory of the job.
code() {
	cat code
}

json() { # FILTER
	jq -r "$1" out
}

# traced REGEX: prints how many lines of strace's output match.
traced() {
	cat trace.* 2>/dev/null | grep -cE -- "$1"
}

# matches VALUE PATTERN: compares as described for the columns.
matches() {
	case $2 in
	"*") [ -n "$1" ] ;;
	"~"*) printf '%s\n' "$1" | grep -qE -- "${2#\~}" ;;
	*) [ "$1" = "$2" ] ;;
	esac
}

# during COMMAND: repeats the command while the job runs until its output is as expected. $PID is a worker.
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

# run_job OPTIONS: the row's job is global; the options are those of section x, or of more sections after another name=.
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

# variant NAME OPTIONS EXPECTED: runs one variant in the directory NAME and writes the observed output to NAME.value.
variant() {
	expected=$3
	rm -rf "${dir:?}/$1"
	mkdir "$dir/$1" && cd "$dir/$1" || exit 1
	run_job "$2"
	printf '%s\n' "$value" >"$dir/$1.value"
	cd "$dir" || exit 1
}

dash() {
	[ "$1" = - ] || printf '%s' "$1"
}

needed() { # WORDS: prints the first requirement that is missing
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
	# Both variants run at the same time, unless they share what `needs` has set up.
	variant without "$(dash "$without")" "$value_without" &
	other=$!
	[ "$needs" = - ] || wait "$other"
	variant with "$(dash "$with")" "$value_with"
	wait "$other"
	before=$(cat "$dir/without.value") value=$(cat "$dir/with.value")
	check "$row_label: without it" matches "$before" "$value_without"
	[ "$failures" = 0 ] || print_failure "$before" without
	check "$row_label: with it" matches "$value" "$value_with"
	[ "$failures" = 0 ] || print_failure "$value" with
	check "$row_label: the outputs differ" [ "$before" != "$value" ]
}

# After a failure it prints the observed value, once.
print_failure() {
	[ "$failures" = "$printed" ] && return
	printed=$failures
	echo "    observed $2: $1"
	head -c 1000 "$dir/$2/err" 2>/dev/null | sed 's/^/    /'
}

printed=0
while IFS=$tab read -r option needs job without with observe value_without value_with; do
	case $option in "" | "#"*) continue ;; esac
	if [ -z "$value_with" ]; then
		echo "not ok - $table: $option: the row must have eight columns"
		failures=$((failures + 1))
		continue
	fi
	row
done <"$table"
finish
