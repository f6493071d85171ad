#!/bin/sh
# What do help, version and listing commands print? They run no job.
. "$SOURCE/t/lib.sh"
threads=

for flag in --version -v -version; do
	run $flag
	check "$flag exits 0" exits 0
	check "$flag prints the version" same "$(cat "$dir/out")" "fiord 1.0.0 (fio 3.42)"
done

for flag in --help -h help; do
	run $flag
	check "$flag exits 0" exits 0
	check "$flag prints first steps" says "$dir/out" "  fiord check "
done
run --help
check "the help fits a screen of 24 lines" test "$(wc -l <"$dir/out")" -le 24
check "... and of 80 columns" sh -c "! grep -qE '.{81}' '$dir/out'"

run
check "no argument is a usage error" exits 2
check "... that shows a command to type" grep -q '^  fiord .*--name=' "$dir/out"

# The command that the help shows to beginners works.
line=$(sed -n 's/^  fiord \(--name=try.*\)$/\1/p' "$dir/out")
# shellcheck disable=SC2086
run check $(echo "$line" | sed "s|/tmp/|$dir/|")
check "the command for beginners can be planned" exits 0

run --parse-only
check "--parse-only without a job exits 0" exits 0
run --parse-only --terse-version=4
check "... also with --terse-version" exits 0

run --enghelp
for engine in psync sync vsync pvsync pvsync2 mmap posixaio splice null; do
	check "--enghelp lists $engine" grep -qw "$engine" "$dir/out"
done
run --enghelp=nosuch
check "--enghelp of an unknown engine is refused" exits 2
run --cmdhelp
check "--cmdhelp lists the options" grep -q '^iodepth' "$dir/out"
run --cmdhelp=all
check "--cmdhelp=all has one line for each option, as in fio" test "$(grep -cvE '^ *[a-z][a-z0-9_-]* *: ' "$dir/out") $(grep -c '^iodepth ' "$dir/out")" = "0 1"
run --cmdhelp=iodepth
check "--cmdhelp=iodepth describes iodepth" grep -q 'in flight' "$dir/out"
run help hipri
check "help of an engine's option does not say that it is not supported" sh -c "! grep -q 'not supported' '$dir/out'"
taken_by() { # ENGINE WORDS: the engine's own help has these words, and so has the paragraph that names it
	"$FIORD" --enghelp="$1,hipri" | grep -qF "$2" && awk -v RS= -v e=" $1(,|\n|\$)" '$0 ~ e' "$dir/out" | grep -qF "$2"
}
for engine in io_uring io_uring_cmd; do
	! "$FIORD" --enghelp=$engine >"$dir/engine" 2>&1 || check "... and has the values that $engine takes" taken_by $engine hybrid
done
check "... and those of pvsync2" taken_by pvsync2 "flag (the name alone"
check "... and that sg ignores it" taken_by sg "has no effect"
check "... and names no engine twice" test -z "$(sed -n 's/^ *engines: //p' "$dir/out" | tr ', ' '\n\n' | grep . | sort | uniq -d)"
run --enghelp=libaio
check "--enghelp describes each option of the engine" sh -c "! grep -q '(null)' '$dir/out'"
run help iodepht
check "help of a misspelt option exits 2" exits 2
check "... and the error has the right spelling" says "$dir/err" "iodepth"

# The output of --showcmd gives the same plan as the job file.
job=$dir/job.ini
printf '[global]\nsize=1m\ndirectory=%s\n[a]\nrw=randrw\nbs=4k,8k\nnumjobs=3\n[b]\nstonewall\nrw=read\n' "$dir" >"$job"
run --showcmd "$job"
check "--showcmd exits 0" exits 0
check "--showcmd prints one line" lines "$dir/out" 1
check "--showcmd prints --numjobs=3" says "$dir/out" "--numjobs=3"
line=$(sed 's/^[^ ]* //' "$dir/out")
# Other programs change the free space of the file system between the two.
plan() {
	run check "$@"
	sed 's/, [^,]* free$//' "$dir/out"
}
plan "$job" >"$dir/plan"
# shellcheck disable=SC2086
plan $line >"$dir/plan_of_line"
check "check prints the room that files need" says "$dir/plan" " needed"
check "... and its line gives the same plan" cmp -s "$dir/plan" "$dir/plan_of_line"
finish
