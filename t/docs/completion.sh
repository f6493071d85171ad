#!/bin/sh
# Do the completions of bash, zsh and fish know the verbs, the options and their values?
. "$SOURCE/t/lib.sh"
requires bash
[ -s "$COMPLETION/fiord" ] || skip_all "no completions in $COMPLETION"

# completes SHELL WORDS...: prints the completions of the last word, sorted, without help.
completes() {
	shell=$1
	shift
	case $shell in
	bash) bash -c '. "$0"
		COMP_WORDS=() COMPREPLY=()
		for word; do
			case $word in --*=*) COMP_WORDS+=("${word%%=*}" = "${word#*=}") ;; *) COMP_WORDS+=("$word") ;; esac
		done
		[ -n "${COMP_WORDS[-1]}" ] || [ "${COMP_WORDS[-2]}" != = ] || unset "COMP_WORDS[-1]"
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_fiord
		printf "%s\n" "${COMPREPLY[@]}"' "$COMPLETION/fiord" "$@" ;;
	fish) fish --no-config -c "source $COMPLETION/fiord.fish; complete -C '$*'" | cut -f1 | sed 's/^--[a-z_-]*=//' ;;
	esac | sort | tr '\n' ' ' | sed 's/ $//'
}

among() { # WORD WORDS
	echo " $2 " | grep -q -- " $1=\{0,1\} "
}

cd "$dir" || exit 1
: >job.ini
for shell in bash fish; do
	command -v $shell >/dev/null || {
		skip "completions of $shell" "no $shell"
		continue
	}
	for verb in run check help diskspd; do
		check "$shell completes the verb $verb" same "$(completes $shell fiord "${verb%??}" | tr ' ' '\n' | grep -x "$verb")" "$verb"
	done
	check "$shell completes a value" same "$(completes $shell fiord --rw=randw)" "randwrite"
	check "... all values" among trim "$(completes $shell fiord --rw=)"
	check "... an engine" same "$(completes $shell fiord --ioengine=nul)" "null"
	check "... a preset" same "$(completes $shell fiord preset deskt)" "desktop"
	check "... a preset to show" same "$(completes $shell fiord preset show deskt)" "desktop"
	check "... and the options of its jobs" among --iodepth "$(completes $shell fiord preset latency --iodept)"
	check "... a job file" same "$(completes $shell fiord jo)" "job.ini"
done
check "bash completes an option" same "$(completes bash fiord --iodepth_b | head -c 16)" "--iodepth_batch="
check "... and its aliases" same "$(completes bash fiord --map-dev)" "--map-device="
check "... with their values" same "$(completes bash fiord --readwrite=randw)" "randwrite"
check "... also of the verb check" among --readonly "$(completes bash fiord check --read)"
check "... and what help explains" same "$(completes bash fiord help thinktime_s)" "thinktime_spin"
"$FIORD" --help | sed -n 's/^  fiord \([a-z]*\) .*/\1/p' | grep -vx 'check\|help' >verbs
while read -r verb; do
	options=$("$FIORD" "$verb" --help | sed -n 's/^  \(-., \)\?\(--[a-z-]*\)[= ].*/\2/p')
	for option in $options; do
		[ "$verb" != diskspd ] || continue
		check "bash completes $option of $verb" among "$option" "$(completes bash fiord "$verb" "$option")"
	done
done <verbs
if command -v zsh >/dev/null; then
	check "zsh reads its completion" zsh -n "$COMPLETION/_fiord"
	check "... which has the options" says "$COMPLETION/_fiord" "'*--iodepth=["
else
	skip "the completion of zsh" "no zsh"
fi
finish
