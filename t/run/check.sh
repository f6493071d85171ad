#!/bin/sh
# fiord check: the plan as text or as a document, nothing touched; what a run would trip over later is found.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
job="--name=x --filename=file --rw=write --overwrite=1 --size=1m"

run check $job --output-format=json
check "a plan is a document" json out '.jobs == [] and .fiord.exit.code == 0'
check "... with what is to be laid out" json out '.fiord.plan | .workers == 1 and .layout_bytes == 1048576 and .jobs[0].name == "x"'
check "... and what lies below" json out '.fiord.targets[0] | .path == "file" and .filesystem.free_bytes > 0'
check "... and the notes" json out '.fiord.notes | map(test("page cache")) | any'
check "stderr is empty" empty err
run check $job --clocksource=clock_gettime --output-format=json
check "... and the clock that it would have" json out '.fiord.clock.source == "clock_gettime"'
check "nothing was made" same "$(ls)" "$(printf 'err\nout')"
run check $job --output-format=json,normal
check "with both the text follows" same "$(sed -n 's/^\(}\|wave 0\).*/\1/p' out | tr '\n' ' ')" "} wave 0 "
run check $job --output-format=json --rw=nonsense
check "a refusal is a document, too" json out '.fiord.exit.code == 2 and (.fiord.notes[0] | test("nonsense"))'
check "... with its exit code" exits 2
run check $job --minimal
check "there is no terse plan" says err "--output-format=terse: a plan has no terse form"
check "... which is an error" exits 2

head -c 65536 /dev/zero >theirs
touch -d "3 days ago" theirs
over="overwrites theirs, a file that fiord has not made: 64 KiB, last changed 3 days ago"
run check --name=x --filename=theirs --rw=write
check "a file of somebody else that will be written over is listed" says out "note: x: $over"
run check --name=x --filename=theirs --rw=read --output-format=json
check "reading it loses nothing" json out '.fiord.plan.overwrites == []'
run check --name=x --filename=theirs --rw=write --size=64k --file_append=1 --output-format=json
check "nor does appending" json out '.fiord.plan.overwrites == []'
for rw in randwrite trim; do
	run check --name=x --filename=theirs --rw=$rw --output-format=json
	check "$rw: the document has it" json out '.fiord.plan.overwrites | length == 1 and .[0].path == "theirs" and
		.[0].job == "x" and .[0].size_bytes == 65536 and now - .[0].modified > 250000 and now - .[0].modified < 300000'
done
if why=$(no_terminal); then
	skip "a terminal is told before the run" "$why"
else
	script -qec "'$FIORD' --name=x --filename=theirs --rw=write --runtime=600 --output=result" \
		seen >/dev/null 2>&1 </dev/null
	check "a terminal is told" says seen "fiord: note: x: $over"
fi
touch -d "3 days ago" theirs
run --name=x --filename=theirs --rw=write
check "so does the report" says out "note: x: $over"
check "... and a pipe at stderr hears nothing" empty err
run --name=x --filename=ours --rw=write --size=64k
if getfattr -n user.fiord ours >/dev/null 2>&1; then
	run check --name=x --filename=ours --rw=write --output-format=json
	check "what fiord has made is its own" json out '.fiord.plan.overwrites == []'
else
	skip "what fiord has made" "no extended attributes here"
fi
rm -f theirs ours result seen

for option in "uid=nobody" "gid=nogroup"; do
	run check $job --$option
	check "$option: a name is answered with where the number is" says err "--$option: not a number; write the "
	check "... and refused" exits 2
done
run $job --aux-path=missing
check "a directory of --aux-path that is not there is found" says err "--aux-path=missing: No such file or directory (ENOENT)"
check "... exits 2" exits 2
check "... before anything is made" [ ! -e file ]
: >plain
run $job --aux-path=plain
check "so is a file in its place" says err "--aux-path=plain: is no directory"
mkdir there
run $job --aux-path=there --exec_prerun="echo hello"
check "one that is there is used" same "$(cat there/x.prerun.txt)" hello
finish
