#!/bin/sh
# Does `fiord check` print the plan as text or JSON, without touching a file, and find the errors that a run would meet?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
job="--name=x --filename=file --rw=write --overwrite=1 --size=1m"

run check $job --output-format=json
check "the plan is a JSON document" json out '.jobs == [] and .fiord.exit.code == 0'
check "... with the bytes to lay out" json out '.fiord.plan | .workers == 1 and .layout_bytes == 1048576 and .jobs[0].name == "x"'
check "... with the file system below the target" json out '.fiord.targets[0] | .path == "file" and .filesystem.free_bytes > 0'
check "... with the notes" json out '.fiord.notes | map(test("page cache")) | any'
check "stderr is empty" empty err
run check $job --clocksource=clock_gettime --output-format=json
check "the document names the clock of the run" json out '.fiord.clock.source == "clock_gettime"'
check "check creates no file" same "$(ls)" "$(printf 'err\nout')"
run check $job --output-format=json,normal
check "with JSON and normal output the text follows the document" same "$(sed -n 's/^\(}\|wave 0\).*/\1/p' out | tr '\n' ' ')" "} wave 0 "
run check $job --output-format=json --rw=nonsense
check "a refused job is a document, too" json out '.fiord.exit.code == 2 and (.fiord.notes[0] | test("nonsense"))'
check "... and exits 2" exits 2
run check $job --minimal
check "--minimal is refused: a plan has no terse form" says err "--output-format=terse: a plan has no terse form"
check "... with exit code 2" exits 2

head -c 65536 /dev/zero >theirs
touch -d "3 days ago" theirs
over="overwrites theirs, a file that fiord did not create: 64 KiB, last changed 3 days ago"
run check --name=x --filename=theirs --rw=write
check "a file of another program that a job names is refused" exits 3
check "... with what it would cost" says err "it has data, and fiord did not create it (64 KiB, last changed 3 days ago)"
run check --name=x --filename=theirs --allow_write=theirs --rw=write
check "a note lists a file of another program that the job overwrites" says out "note: x: $over"
run check --name=x --filename=theirs --rw=read --output-format=json
check "a read job lists no overwritten file" json out '.fiord.plan.overwrites == []'
run check --name=x --filename=theirs --allow_write=theirs --rw=write --size=64k --file_append=1 --output-format=json
check "an appending job lists no overwritten file" json out '.fiord.plan.overwrites == []'
for rw in randwrite trim; do
	run check --name=x --filename=theirs --allow_write=theirs --rw=$rw --output-format=json
	check "rw=$rw: the document lists the overwritten file" json out '.fiord.plan.overwrites | length == 1 and .[0].path == "theirs" and
		.[0].job == "x" and .[0].size_bytes == 65536 and now - .[0].modified > 250000 and now - .[0].modified < 300000'
done
if why=$(no_terminal); then
	skip "the terminal shows the overwritten file before the run" "$why"
else
	script -qec "'$FIORD' --name=x --filename=theirs --allow_write=theirs --rw=write --runtime=600 --output=result" \
		seen >/dev/null 2>&1 </dev/null
	check "the terminal shows the overwritten file before the run" says seen "fiord: note: x: $over"
fi
mkdir many
for i in $(seq 13); do
	echo data >many/f$i
done
run check --name=x --filename_format='many/f$filenum' --nrfiles=14 --filesize=4k --rw=write --output-format=json,normal
check "of many overwritten files ten are noted" same "$(grep -c '^note: x: overwrites many/f[0-9]*, a file' out)" 10
check "... and one note counts the rest" says out "note: the run overwrites 3 more files that fiord did not create: 15 bytes together; the JSON document lists them"
sed -n '1,/^}/p' out >document
check "... and the document has all" json document '.fiord.plan.overwrites | length == 13'
rm -r many document
touch -d "3 days ago" theirs
run --name=x --filename=theirs --allow_write=theirs --rw=write
check "the report has the note, too" says out "note: x: $over"
check "... and a piped stderr stays empty" empty err
run --name=x --filename=ours --rw=write --size=64k
if getfattr -n user.fiord ours >/dev/null 2>&1; then
	run check --name=x --filename=ours --rw=write --output-format=json
	check "a file that fiord has created is not listed" json out '.fiord.plan.overwrites == []'
else
	skip "a file that fiord has created is not listed" "no extended attributes here"
fi
rm -f theirs ours result seen

for option in "uid=nobody" "gid=nogroup"; do
	run check $job --$option
	check "$option: the error explains how to find the number" says err "--$option: not a number; write the "
	check "... and exits 2" exits 2
done
run $job --aux-path=missing
check "a missing directory of --aux-path is refused" says err "--aux-path=missing: No such file or directory (ENOENT)"
check "... with exit code 2" exits 2
check "... before a file is created" [ ! -e file ]
: >plain
run $job --aux-path=plain
check "a file as --aux-path is refused" says err "--aux-path=plain: is not a directory"
mkdir there
run $job --aux-path=there --exec_prerun="echo hello"
check "an existing directory of --aux-path is used" same "$(cat there/x.prerun.txt)" hello
finish
