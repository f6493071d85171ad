#!/bin/sh
# What is printed instead of running.
. "$SOURCE/t/lib.sh"
threads=

for flag in --version -v -version; do
	run $flag
	check "$flag exits 0" exits 0
	check "$flag says the version" same "$(cat "$dir/out")" "fiord 1.0.0 (fio 3.42)"
done

for flag in --help -h help; do
	run $flag
	check "$flag exits 0" exits 0
	check "$flag says how to begin" says "$dir/out" "  fiord check "
done
run --help
check "the help fits a screen" test "$(wc -l <"$dir/out")" -le 24
check "no line of it is wider than a screen" sh -c "! grep -qE '.{81}' '$dir/out'"

run
check "no argument is a usage error" exits 2
check "... that says what to type" grep -q '^  fiord .*--name=' "$dir/out"

# The line that it tells beginners to type works.
line=$(sed -n 's/^  fiord \(--name=try.*\)$/\1/p' "$dir/out")
# shellcheck disable=SC2086
run check $(echo "$line" | sed "s|/tmp/|$dir/|")
check "the line for beginners can be planned" exits 0

run --parse-only
check "--parse-only without a job exits 0" exits 0
run --parse-only --terse-version=4
check "... with --terse-version, too" exits 0

run --enghelp
for engine in psync sync vsync pvsync pvsync2 mmap posixaio splice null; do
	check "--enghelp lists $engine" grep -qw "$engine" "$dir/out"
done
run --enghelp=nosuch
check "--enghelp of an unknown engine fails" exits 2
run --cmdhelp
check "--cmdhelp lists the options" grep -q '^iodepth' "$dir/out"
run --cmdhelp=iodepth
check "--cmdhelp=iodepth is about iodepth" grep -q 'in flight' "$dir/out"
run help hipri
check "an option of an engine is not called foreign" sh -c "! grep -q 'not supported' '$dir/out'"
run --enghelp=libaio
check "no option of an engine is without a word" sh -c "! grep -q '(null)' '$dir/out'"
run help iodepht
check "help for a misspelt option fails" exits 2
check "... with the right spelling" says "$dir/err" "iodepth"

# What --showcmd prints gives the same plan.
job=$dir/job.ini
printf '[global]\nsize=1m\ndirectory=%s\n[a]\nrw=randrw\nbs=4k,8k\nnumjobs=3\n[b]\nstonewall\nrw=read\n' "$dir" >"$job"
run --showcmd "$job"
check "--showcmd exits 0" exits 0
check "--showcmd prints one line" lines "$dir/out" 1
check "--showcmd prints --numjobs=3" says "$dir/out" "--numjobs=3"
line=$(sed 's/^[^ ]* //' "$dir/out")
run check "$job"
cp "$dir/out" "$dir/plan"
# shellcheck disable=SC2086
run check $line
check "... and gives the same plan" cmp -s "$dir/plan" "$dir/out"
finish
